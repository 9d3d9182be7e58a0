"""What follows from the lines: due days, policies, and states that a tampering does not reach."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from tests.reserve.forge import GENESIS, Line, chain, reveal_line, seal_line

from wellposed.reserve.lines import read_chain
from wellposed.reserve.rules import replay
from wellposed.reserve.rules.due import check_due, pending
from wellposed.reserve.state import State

A, B = "sha256:" + "a" * 64, "sha256:" + "b" * 64
IMPL, TREE, HASH = "1" * 40, "2" * 40, "sha256:" + "c" * 64


def line(day: int, kind: str, **body: Any) -> Line:
    return {"t": f"2026-01-{day:02d}T00:00:00Z", "type": kind, "body": body}


def announce(day: int = 3, until: str = "2026-01-20", pool: list[str] | None = None) -> Line:
    names = [{"name": name, "repo": "r", "commit": IMPL, "tree": TREE} for name in ("one", "two")]
    return line(day, "announce", batch="b", pool=pool or [A, B], submissions=names, harness=HASH, runs=5, until=until)


def result(day: int, commit: str, name: str, seq: int = 2) -> Line:
    return line(
        day, "apply", announce=seq, commit=commit, submission=name, impl=IMPL, logs=HASH, outcome={"L0": "pass"}, origin="none"
    )


def void(day: int, commit: str, name: str) -> Line:
    return line(day, "void", announce=2, commit=commit, submission=name, justification="x", **{"class": "fixture-defect"})


def forfeit(day: int, commit: str) -> Line:
    return line(day, "forfeit", commit=commit, justification="x", **{"class": "lost"})


def leak(day: int, commit: str) -> Line:
    return line(day, "leak", commit=commit, justification="x")


def opened(commit: str, day: int, *applies: int) -> Line:
    logs = [{"apply": seq, "path": f"logs/{commit[7:23]}/{seq}"} for seq in applies]
    return reveal_line(commit, f"2026-01-{day:02d}T00:00:00Z", logs=logs)


def come_to(*more: Line, as_of: str = "2026-01-10", logs: str = "committed") -> tuple[State, list[str]]:
    policy = {**GENESIS["body"]["policy"], "logs": logs}
    begin = {**GENESIS, "body": {**GENESIS["body"], "policy": policy}}
    found = read_chain(chain([begin, seal_line([A, B]), *more]), "x")
    assert found.findings == ()
    state, findings = replay(found.lines, "x")
    day = date.fromisoformat(as_of)
    return state, [one.code for one in (*findings, *check_due(state, "x", day, max(day, date(2026, 6, 1))))]


ALL = [result(4, A, "one"), result(4, B, "one"), result(4, A, "two"), result(4, B, "two")]
LATER = [result(4, B, "one", 3), result(4, B, "two", 3)]
CASES: dict[str, tuple[list[Line], str, list[str]]] = {
    "sealed and not due": ([], "2026-01-31", []),
    "sealed and due": ([], "2026-02-01", ["WP880", "WP880"]),
    "results until the day itself": ([announce(), *ALL[:3]], "2026-01-20", []),
    "results after it": ([announce(), *ALL[:3]], "2026-01-21", ["WP846"]),
    "all results": ([announce(), *ALL], "2026-01-21", []),
    "a reveal makes results due": ([announce(), *ALL[:3], opened(A, 5, 3, 5), opened(B, 5, 4)], "2026-01-06", ["WP846"]),
    "a voided result is missing": ([announce(), *ALL, void(5, A, "one")], "2026-01-21", ["WP846"]),
    "and may come again": ([announce(), *ALL, void(5, A, "one"), result(6, A, "one")], "2026-01-21", []),
    "voided after the reveal": ([announce(), *ALL, opened(A, 5, 3, 5), opened(B, 5, 4, 6), void(6, A, "one")], "2026-01-21", []),
    "a forfeited entry owes nothing": ([announce(), *ALL[:3], forfeit(5, B)], "2026-01-21", []),
    "a leaked one neither, but stays open": ([announce(), *ALL[:3], leak(5, B)], "2026-02-01", ["WP880", "WP880"]),
    "leaked before: not in the pool": ([leak(2, A), announce(pool=[B]), *LATER], "2026-01-21", []),
    "leaked before, and in the pool": ([leak(2, A), announce(), *LATER], "2026-01-21", ["WP830"]),
    "leaked and revealed": ([leak(3, A), opened(A, 4), opened(B, 4)], "2026-02-01", []),
    "revealed, never applied": ([opened(A, 4), opened(B, 4)], "2026-02-01", []),
    "revealed twice": ([opened(A, 4), opened(B, 4), opened(A, 5)], "2026-01-10", ["WP850"]),
    "one revealed, one forfeited": ([opened(A, 4), forfeit(4, B)], "2026-02-01", []),
    "one revealed": ([opened(A, 4)], "2026-01-10", ["WP851"]),
    "applied after a leak": ([announce(), leak(4, A), result(4, A, "one")], "2026-01-10", ["WP850"]),
    "applied after the reveal": ([announce(), *ALL, opened(A, 5, 3, 5), opened(B, 5, 4, 6), void(6, A, "one"), result(7, A, "one")], "2026-01-10", ["WP850"]),
    "logs of a voided result come too": ([announce(), *ALL, void(5, A, "one"), result(6, A, "one"), opened(A, 7, 3, 5), opened(B, 7, 4, 6)], "2026-01-10", ["WP868"]),
    "an announcement of nothing alive": ([forfeit(2, A), forfeit(2, B), announce()], "2026-01-10", ["WP830"]),
    "a leak of what is forfeited": ([forfeit(2, A), leak(3, A)], "2026-01-10", ["WP850"]),
}  # fmt: skip


def test_names_that_differ_in_case_only_are_refused() -> None:
    two = announce()
    two["body"]["submissions"] = [{**one, "name": name} for one, name in zip(two["body"]["submissions"], ("One", "one"), strict=True)]
    assert come_to(two, as_of="2026-01-10")[1] == ["WP834"]
    assert come_to(seal_line([HASH], "B"), as_of="2026-01-10")[1] == ["WP831"]


@pytest.mark.parametrize("name", CASES)
def test_what_lines_come_to(name: str) -> None:
    more, as_of, codes = CASES[name]
    assert come_to(*more, as_of=as_of)[1] == codes


def test_under_open_logs_an_applied_entry_is_due_in_two_weeks() -> None:
    more = [announce(), *ALL]
    assert come_to(*more, as_of="2026-01-18", logs="open")[1] == []
    assert come_to(*more, as_of="2026-01-19", logs="open")[1] == ["WP880", "WP880"]
    assert come_to(*more, as_of="2026-01-19")[1] == []


def test_what_is_still_to_come_is_counted() -> None:
    state, _ = come_to(announce(), *ALL[:1])
    assert pending(state.batches["b"]) == 3
    state, _ = come_to(announce(), *ALL, void(5, A, "one"))
    assert pending(state.batches["b"]) == 1
    state, _ = come_to()
    assert pending(state.batches["b"]) == 0


def test_a_reader_is_not_drowned_in_findings(tmp_path: Any) -> None:
    """A ledger with a thousand faults: the first hundred are told, and how many more there are."""
    from wellposed.reserve.verify import Options, verify

    folder = tmp_path / "reserve"
    folder.mkdir()
    (folder / "ledger.jsonl").write_bytes(chain([GENESIS, *[leak(2, A)] * 1000]))
    found = verify(Options(tmp_path, None))
    assert len(found.findings) == 100
    assert found.findings[-1].notes[-1] == "900 more findings are not shown"
