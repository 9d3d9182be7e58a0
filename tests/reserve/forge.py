"""A writer of ledgers that checks nothing and shares nothing with the product: for forgeries, and as a second opinion."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ZERO = "sha256:" + "0" * 64
Line = dict[str, Any]


def canon(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha(raw: bytes) -> str:
    return "sha256:" + hashlib.sha256(raw).hexdigest()


def chain(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """The ledger of these lines; `format`, `seq` and `prev` are filled in where a line does not give them."""
    prev, raw = ZERO, b""
    for seq, line in enumerate(lines):
        text = canon({"format": "reserve-ledger/1", "seq": seq, "prev": prev, **line})
        prev = sha(text)
        raw += text + b"\n"
    return raw


def lines_of(raw: bytes) -> list[Line]:
    """The lines of a ledger without what `chain` fills in."""
    return [
        {name: value for name, value in json.loads(line).items() if name not in ("format", "seq", "prev")}
        for line in raw.splitlines()
    ]


def edit(path: Path, change: Callable[[list[Line]], object]) -> None:
    """Rewrite a ledger with an honest chain over dishonest lines."""
    lines = lines_of(path.read_bytes())
    changed = change(lines)
    path.write_bytes(chain(changed if isinstance(changed, list) else lines))


def from_text(text: str) -> bytes:
    """A ledger from lines as they stand in the examples of codes. One that is not canonical stays as it was written."""
    prev, raw = ZERO, b""
    for seq, given in enumerate(text.splitlines()):
        line = {"format": "reserve-ledger/1", "seq": seq, "prev": prev, **json.loads(given)}
        written = canon(line)
        if ": " in given.replace('"text": ', ""):  # white space outside of strings
            written = written.replace(b'"count":', b'"count": ')
        prev = sha(written)
        raw += written + b"\n"
    return raw


GENESIS = {
    "t": "2026-01-01T00:00:00Z",
    "type": "genesis",
    "body": {
        "ledger": "0" * 32,
        "title": "A reserve",
        "policy": {"max_reveal_days": 3650, "logs": "committed", "anchor": "optional"},
        "holders": ["the operator"],
    },
}


def seal_line(commits: Sequence[str], batch: str = "b", t: str = "2026-01-02T00:00:00Z", by: str = "2026-01-31") -> Line:
    listed = sorted(commits)
    return {"t": t, "type": "seal", "body": {"batch": batch, "count": len(listed), "commits": listed, "reveal_by": by}}


def reveal_line(commit: str, t: str = "2026-01-05T00:00:00Z", **more: Any) -> Line:
    body = {"commit": commit, "path": f"revealed/{commit[7:23]}.json", "logs": [], "authors": [], **more}
    return {"t": t, "type": "reveal", "body": body}


def revealed(folder: Path, documents: Mapping[str, bytes]) -> None:
    """A reserve in which these documents are sealed as one batch, and all but one called `closed` are revealed."""
    commits = {name: sha(raw) for name, raw in documents.items()}
    lines = [GENESIS, seal_line(list(commits.values()))]
    for name, raw in documents.items():
        if name != "closed":
            line = reveal_line(commits[name])
            lines.append(line)
            path = folder / line["body"]["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
    (folder / "ledger.jsonl").write_bytes(chain(lines))
