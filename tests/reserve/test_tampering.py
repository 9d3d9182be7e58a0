"""Every tampering of the table gets its codes and its words; the page of shell agrees on all that it covers."""

from __future__ import annotations

import re
import subprocess
from datetime import date
from pathlib import Path

import pytest
from tests.reserve.forge import sha
from tests.reserve.sample import ENVIRONMENT, Sample, commit
from tests.reserve.tamperings import BAD, SILENT, TABLE, Tampering
from tests.reserve.test_anchors import record_ots

from wellposed.reserve.verify import Options, Verified, verify

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = re.search(r"```sh\n(.*?)```", (ROOT / "docs" / "verify-by-hand.md").read_text(encoding="utf-8"), re.DOTALL)
rows = pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name.replace(" ", "-"))
QUICK = [row for row in TABLE if row.by_hand == BAD or not row.codes]
BEYOND = [row for row in TABLE if row not in QUICK]


def looked(sample: Sample, **more: object) -> Verified:
    return verify(Options(sample.repo, **more))  # type: ignore[arg-type]


def by_hand(sample: Sample, since: str = "") -> tuple[str, str]:
    return by_hand_in(sample.repo, since)


def by_hand_in(repo: Path, since: str = "") -> tuple[str, str]:
    assert SCRIPT is not None
    done = subprocess.run(
        ["sh", "-c", SCRIPT[1], "verify.sh", "HEAD", since], cwd=repo, check=False, capture_output=True, env=ENVIRONMENT
    )
    assert done.returncode in (0, 1), done.stderr
    return (BAD if done.returncode else SILENT), done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")


def tampered(row: Tampering, sample: Sample) -> tuple[tuple[int, str], ...]:
    """Do it, and return what the reader remembers from before."""
    if row.anchors:
        record_ots(sample)
        commit(sample.repo)
    lines = sample.ledger.read_bytes().splitlines()
    last = (len(lines) - 1, sha(lines[-1]))
    row.do(sample)
    return (last,) if row.since else ()


@rows
def test_what_is_done_to_a_reserve_is_told(row: Tampering, sample: Sample) -> None:
    since = tampered(row, sample)
    day = {} if row.as_of is None else {"as_of": date.fromisoformat(row.as_of)}
    found = looked(sample, since=since, **day)
    assert {one.code for one in found.findings} == row.codes
    assert any(row.says in one.message for one in found.findings) or not row.codes


def agreed(row: Tampering, sample: Sample) -> None:
    since = tampered(row, sample)
    said, output = by_hand(sample, *(f"{seq}:{head}" for seq, head in since))
    assert said == row.by_hand, output
    assert said == SILENT or row.codes


@pytest.mark.parametrize("row", QUICK, ids=lambda row: row.name.replace(" ", "-"))
def test_a_page_of_shell_agrees(row: Tampering, sample: Sample) -> None:
    """It says so where it looks at what was changed, and sees no more than the product where nobody can see anything."""
    agreed(row, sample)


@pytest.mark.slow
@pytest.mark.parametrize("row", BEYOND, ids=lambda row: row.name.replace(" ", "-"))
def test_a_page_of_shell_is_silent_on_what_it_does_not_cover(row: Tampering, sample: Sample) -> None:
    """It names these at its end; were it to complain here, it would cover more than it says."""
    agreed(row, sample)


def test_the_honest_reserve_is_silent_in_both(built: Sample) -> None:
    found = looked(built)
    assert found.findings == ()
    said, output = by_hand(built)
    assert said == SILENT
    assert found.head is not None and f"checkpoint {found.head[0]}:{found.head[1]}" in output


@pytest.mark.parametrize("name", [row.name for row in TABLE if not row.codes])
def test_what_cannot_be_seen_without_memory_is_named(name: str, sample: Sample) -> None:
    """A cut tail and a whole rewriting: `verify` and `status` say that nobody can tell, and what to do about it."""
    tampered(next(row for row in TABLE if row.name == name), sample)
    for found in (looked(sample), verify(Options(sample.repo, None))):
        assert any("cut off the end, or the whole ledger written anew" in caveat for caveat in found.caveats)


def test_the_codes_of_the_threat_model_are_raised() -> None:
    """The numbers of the threat model: V03 to V80 are WP803 to WP880, less the draw, which there is none."""
    studied = {3, 4, 7, 8, 20, 21, 30, 43, 44, 46, 63, 64, 66, 67, 68, 80}
    raised = {code for row in TABLE for code in row.codes}
    assert {f"WP8{number:02d}" for number in studied} <= raised
