"""The reserve: verifying a ledger of 20,000 lines, sealing and revealing 1,000 entries, and why a hash alone hides nothing.

The peers are what a verifier could not do without: SHA-256 over each line and `json.loads`; writing and hashing each file.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import median_seconds, report

from wellposed.compiler.canonical import file_bytes
from wellposed.compiler.compilation import compile_source
from wellposed.dsl.source import SourceFile
from wellposed.reserve.ledger import Ledger
from wellposed.reserve.lines import ZERO, head_of, line_bytes, read_chain
from wellposed.reserve.operations.publish import Rules, publish
from wellposed.reserve.operations.reveal import reveal
from wellposed.reserve.rules import replay
from wellposed.reserve.seal import seal, with_seal
from wellposed.reserve.store import Store

LINES = 20_000
ENTRIES = 1_000
MEMBERS = 512
FAMILY = """\
family guess(first in 10..17, second in 20..27, down in 1..8) {
  level L2
  horizon 50
  conversation c1 { from "ada@example.test" subject "Where is my order?" }
  at 0      deliver m1 in c1 "Hello."
  at down   crash
  at first  approve m1
  at second reject m1
  expect { m1 admitted within 5 }
}
"""


def ledger_of(count: int) -> bytes:
    """A genesis line, then batches of one entry, each with the line that forfeits it."""
    policy = {"max_reveal_days": 3650, "logs": "committed", "anchor": "optional"}
    records: list[tuple[str, dict[str, Any]]] = [
        ("genesis", {"ledger": "0" * 32, "title": "A long ledger", "policy": policy, "holders": ["the operator"]})
    ]
    for number in range((count - 1) // 2 + 1):
        commit = "sha256:" + hashlib.sha256(b"%d" % number).hexdigest()
        records.append(("seal", {"batch": f"b{number}", "count": 1, "commits": [commit], "reveal_by": "2026-06-01"}))
        records.append(("forfeit", {"commit": commit, "class": "superseded", "justification": "replaced by the next batch"}))
    raw, prev = [], ZERO
    for seq, (kind, body) in enumerate(records[:count]):
        line = line_bytes(seq, prev, "2026-01-02T00:00:00Z", kind, body)
        raw.append(line)
        prev = head_of(line)
    return b"".join(raw)


def bare(raw: bytes) -> int:
    """What no verifier can leave out: each line hashed and parsed."""
    count = 0
    for line in raw.splitlines():
        hashlib.sha256(line).digest()
        json.loads(line)
        count += 1
    return count


def verified(raw: bytes) -> int:
    """The steps of a verification that look at every line."""
    chain = read_chain(raw, "ledger")
    state, findings = replay(chain.lines, "ledger")
    assert chain.findings == findings == () and len(chain.lines) == LINES
    return len(state.entries)


def bench_lines() -> None:
    raw = ledger_of(LINES)
    peer, _ = median_seconds(lambda: bare(raw))
    own, _ = median_seconds(lambda: verified(raw))
    detail = f"{LINES / own:,.0f} lines/s against {LINES / peer:,.0f}, {len(raw):,} bytes"
    report("verify a ledger against sha256 + json.loads of its lines", own / peer, 6, detail)


def members() -> list[Any]:
    found = [one.bundle for one in compile_source(SourceFile("guess.scenario", FAMILY)).scenarios]
    assert len(found) == MEMBERS and all(found)
    return found


def bench_entries(bundles: list[Any]) -> None:
    """Every entry is a file that is written, synced and read back, so the peer does that with the same bytes."""
    some = [bundles[number % MEMBERS] for number in range(ENTRIES)]
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as top:
        folder = Path(top)
        began = time.perf_counter()
        plain(folder / "plain", [with_seal(one.document) for one in some])
        peer = time.perf_counter() - began
        store = Store(folder / "store")
        store.prepare()
        began = time.perf_counter()
        sealed = seal(some, store, [])
        own = time.perf_counter() - began
        report("seal 1,000 entries against write, sync and hash", own / peer, 4, f"{ENTRIES / own:,.0f} entries/s against {ENTRIES / peer:,.0f}")
        ledger = Ledger(folder / "reserve", datetime(2026, 1, 1, tzinfo=UTC))
        publish(ledger, "b", "2026-06-01", [one.commit for one in sealed], Rules("A reserve", ["the operator"]))
        began = time.perf_counter()
        reveal(ledger, "b", store, {}, [])
        own = time.perf_counter() - began
        report("reveal 1,000 entries against write, sync and hash", own / peer, 12, f"{ENTRIES / own:,.0f} entries/s")
        shutil.rmtree(folder / "store")


def plain(folder: Path, files: list[bytes]) -> None:
    folder.mkdir()
    for number, raw in enumerate(files):
        with open(folder / str(number), "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        assert hashlib.sha256((folder / str(number)).read_bytes()).digest()


def guesses(target: str, candidates: Callable[[], list[bytes]]) -> tuple[float, bool]:
    """Guesses per second of somebody who knows the family, and whether one was right."""
    began = time.perf_counter()
    tried, found = 0, False
    while time.perf_counter() - began < 1 and not found:
        for raw in candidates():
            tried += 1
            found = found or hashlib.sha256(raw).hexdigest() == target
    return tried / (time.perf_counter() - began), found


def bench_guessing(bundles: list[Any]) -> None:
    documents = [one.document for one in bundles]
    raws = [file_bytes(one) for one in documents]
    secret = secrets.choice(documents)
    hashed = hashlib.sha256(file_bytes(secret)).hexdigest()
    rate, found = guesses(hashed, lambda: raws)
    print(f"a bare hash: {rate:,.0f} guesses/s on one core in Python; of {MEMBERS} members found: {found}; 2^32 members take {2**32 / rate / 3600:,.1f} h")
    assert found
    sealed = with_seal(secret)
    rate, found = guesses(hashlib.sha256(sealed).hexdigest(), lambda: [with_seal(one) for one in documents])
    print(f"a sealed one: {rate:,.0f} guesses/s with a guessed nonce; found: {found}; the nonce alone takes 10^{len(str(int(2**255 / rate / 3.2e7))) - 1} years")
    assert not found


def main() -> None:
    """Prints the ratios, and the rates of guessing."""
    bench_lines()
    bundles = members()
    bench_entries(bundles)
    bench_guessing(bundles)


if __name__ == "__main__":
    main()
