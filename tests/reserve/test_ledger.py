"""The ledger that an operator writes: crash-safe, one writer at a time, and never a line that a reader would refuse."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.reserve.forge import chain, lines_of
from tests.reserve.sample import FAR, HARNESS, SYSTEM, Sample, commit

from wellposed.compiler.schemas import violations
from wellposed.reserve.disk import locked
from wellposed.reserve.ledger import Ledger
from wellposed.reserve.lines import read_chain
from wellposed.reserve.operations.announce import Submission, announce
from wellposed.reserve.operations.find import entry
from wellposed.reserve.operations.give_up import forfeit, leak, void
from wellposed.reserve.operations.publish import Rules, publish
from wellposed.reserve.operations.record import record
from wellposed.reserve.operations.reveal import reveal
from wellposed.reserve.report import Refusal
from wellposed.reserve.store import Store
from wellposed.reserve.verify import Options, verify

WRITES = ("open", "write", "fsync", "replace", "mkdir", "unlink", "close")


def killed_at(number: int, work: Callable[[], object]) -> bool:
    """Run in a child that is killed at its n-th call to the system, in a write after half of the bytes; whether it was."""
    child = os.fork()
    if child == 0:
        left = number

        def patched(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
            def call(*arguments: Any, **named: Any) -> Any:
                nonlocal left
                left -= 1
                if left == 0:
                    if name == "write":
                        descriptor, raw = arguments
                        original(descriptor, raw[: len(raw) // 2])
                    os._exit(9)
                return original(*arguments, **named)

            return call

        status = 1
        try:
            for name in WRITES:
                setattr(os, name, patched(name, getattr(os, name)))
            work()
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, 9)
    return code == 9


def every_kill(work: Callable[[], object], check: Callable[[], object]) -> int:
    """Kill the work at each of its calls in turn, look after every one, and say how many there were."""
    number = 1
    while killed_at(number, work):
        check()
        number += 1
        assert number < 2000
    check()
    return number - 1


def test_a_kill_at_any_moment_leaves_the_old_or_the_new_ledger(sample: Sample) -> None:
    before = sample.ledger.read_bytes()
    closed = sample.commits["next"][0]
    when = datetime(2026, 2, 1, tzinfo=UTC)
    seen = set()

    def check() -> None:
        raw = sample.ledger.read_bytes()
        seen.add(raw)
        assert read_chain(raw, "ledger").findings == ()
        sample.ledger.write_bytes(before)

    count = every_kill(lambda: leak(Ledger(sample.reserve, when), closed, "it was shown in a talk"), check)
    assert count > 8
    assert len(seen) == 2 and before in seen
    assert next(raw for raw in seen if raw != before).startswith(before)


def test_a_kill_while_revealing_leaves_a_ledger_that_a_second_try_completes(sample: Sample) -> None:
    before = sample.ledger.read_bytes()
    store = Store(sample.top / "store")
    ledger = Ledger(sample.reserve, datetime(2026, 2, 1, tzinfo=UTC))
    seen = set()

    def check() -> None:
        raw = sample.ledger.read_bytes()
        seen.add(raw)
        assert read_chain(raw, "ledger").findings == ()
        if raw == before:
            reveal(ledger, "next", store, {}, ["operator"])
        found = verify(Options(sample.repo, None))
        assert found.findings == (), found.findings
        sample.ledger.write_bytes(before)
        for name in sample.commits["next"]:
            (sample.reserve / "revealed" / f"{name[7:23]}.json").unlink()

    assert every_kill(lambda: reveal(ledger, "next", store, {}, ["operator"]), check) > 20
    assert len(seen) == 2


def test_two_writers_do_not_mix(sample: Sample) -> None:
    with locked(sample.reserve), pytest.raises(Refusal) as refused:
        leak(Ledger(sample.reserve), sample.commits["next"][0], "x")
    assert refused.value.findings[0].code == "WP890"
    leak(Ledger(sample.reserve), sample.commits["next"][0], "x")


def later(sample: Sample) -> Ledger:
    return Ledger(sample.reserve, datetime(2026, 2, 1, tzinfo=UTC))


def system(sample: Sample) -> Submission:
    (one,) = next(line for line in lines_of(sample.ledger.read_bytes()) if line["type"] == "announce")["body"]["submissions"]
    return Submission(**one)


A, B = "sha256:" + "a" * 64, "sha256:" + "b" * 64
REFUSED: dict[str, tuple[Callable[[Sample], object], str]] = {
    "a batch name used again": (lambda s: publish(later(s), "first", FAR, [A], None), "WP831"),
    "a day beyond the policy": (lambda s: publish(later(s), "x", "2199-01-01", [A], None), "WP831"),
    "a day that is past": (lambda s: publish(later(s), "x", "2026-02-01", [A], None), "WP831"),
    "a commitment twice": (lambda s: publish(later(s), "x", FAR, [A, A], None), "WP832"),
    "a commitment of another batch": (lambda s: publish(later(s), "x", FAR, [A, s.commits["next"][0]], None), "WP832"),
    "no hash": (lambda s: publish(later(s), "x", FAR, ["sha256:12"], None), "WP802"),
    "rules for a ledger that has some": (lambda s: publish(later(s), "x", FAR, [A], Rules("t", ["h"])), "WP806"),
    "a clock that ran back": (lambda s: publish(Ledger(s.reserve, datetime(2025, 1, 1, tzinfo=UTC)), "x", "2025-02-01", [A], None), "WP805"),
    "a batch that is not there": (lambda s: announce(later(s), "none", [system(s)], HARNESS, FAR), "WP802"),
    "a second announcement": (lambda s: announce(later(s), "running", [system(s)], HARNESS, FAR), "WP802"),
    "a submission twice": (lambda s: announce(later(s), "next", [system(s)] * 2, HARNESS, FAR), "WP834"),
    "results after the reveal": (lambda s: announce(later(s), "next", [system(s)], HARNESS, "2100-01-01"), "WP835"),
    "no submission": (lambda s: announce(later(s), "next", [], HARNESS, FAR), "WP802"),
    "a second result": (lambda s: (recorded(s), recorded(s)), "WP844"),
    "a result of a stranger": (lambda s: record(later(s), s.commits["running"][0], "langgraph", [], Store(s.top / "store")), "WP840"),
    "four runs": (lambda s: recorded(s, runs=4), "WP875"),
    "one run twice": (lambda s: record(later(s), s.commits["running"][0], SYSTEM, [s.top / "runs" / "1"] * 5, Store(s.top / "store")), "WP875"),
    "a void of nothing": (lambda s: void(later(s), s.commits["running"][0], SYSTEM, "x"), "WP845"),
    "a leak of what is open": (lambda s: leak(later(s), s.commits["first"][0], "x"), "WP850"),
    "a forfeit of what is open": (lambda s: forfeit(later(s), s.commits["first"][0], "lost", "x"), "WP850"),
    "a batch that is open": (lambda s: reveal(later(s), "first", Store(s.top / "store"), {}, []), "WP850"),
    "a batch that was never sealed": (lambda s: reveal(later(s), "none", Store(s.top / "store"), {}, []), "WP836"),
    "an empty justification": (lambda s: leak(later(s), s.commits["next"][0], ""), "WP802"),
    "too few digits": (lambda s: leak(later(s), s.commits["next"][0][:12], "x"), "WP890"),
}  # fmt: skip


def recorded(sample: Sample, runs: int = 5) -> None:
    folders = [sample.top / "runs" / str(number) for number in range(1, runs + 1)]
    record(later(sample), sample.commits["running"][0], SYSTEM, folders, Store(sample.top / "store"))


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_reader_would_refuse_is_not_written(name: str, sample: Sample) -> None:
    work, code = REFUSED[name]
    before = sample.ledger.read_bytes()
    revealed = sorted(path.name for path in (sample.reserve / "revealed").iterdir())
    with pytest.raises(Refusal) as refused:
        work(sample)
    assert code in {one.code for one in refused.value.findings}
    after = sample.ledger.read_bytes()
    assert after.startswith(before)
    assert after == before or name == "a second result"
    assert sorted(path.name for path in (sample.reserve / "revealed").iterdir()) == revealed


def test_nothing_is_added_to_a_ledger_that_is_not_sound(sample: Sample) -> None:
    sample.ledger.write_bytes(sample.ledger.read_bytes().replace(b"A reserve", b"a reserve"))
    with pytest.raises(Refusal) as refused:
        leak(later(sample), sample.commits["next"][0], "x")
    assert refused.value.findings[0].code == "WP804"


def test_a_whole_course_comes_out_sound(sample: Sample) -> None:
    """A result is voided and repeated; one entry leaks and is revealed all the same, another one is forfeited."""
    store, (one, other) = Store(sample.top / "store"), sample.commits["next"]
    recorded(sample)
    void(later(sample), sample.commits["running"][0], SYSTEM, "the deadline was a race")
    recorded(sample)
    leak(later(sample), one, "it was shown in a talk")
    forfeit(later(sample), other, "defective", "no system can pass it")
    reveal(later(sample), "running", store, {}, [])
    reveal(later(sample), "next", store, {one: ["ada"]}, [])
    commit(sample.repo)
    found = verify(Options(sample.repo))
    assert found.findings == ()
    figures = found.figures
    assert (figures["revealed"], figures["forfeited"], figures["unused"], figures["voided"]) == (4, 1, 1, 1)
    assert found.forfeits == {"defective": 1}
    assert sum(one["open"] for one in found.batches) == 0


def test_an_independent_writer_makes_the_same_bytes(built: Sample) -> None:
    raw = built.ledger.read_bytes()
    assert chain(lines_of(raw)) == raw


def test_every_line_keeps_the_shipped_schema(built: Sample) -> None:
    import json

    for line in built.ledger.read_bytes().splitlines():
        assert list(violations("reserve-ledger", json.loads(line))) == []
    for path in built.reserve.glob("logs/*/*/manifest.json"):
        assert list(violations("reserve-logs", json.loads(path.read_bytes()))) == []


def test_entries_are_named_by_the_beginning_of_their_hash(built: Sample) -> None:
    state = Ledger(built.reserve).state()
    whole = built.commits["next"][0]
    for text in (whole, whole.removeprefix("sha256:"), whole[7:19], whole[:23] + "…"):
        assert entry(state, text).commit == whole


def test_a_link_is_not_written_through(sample: Sample) -> None:
    outside = sample.top / "outside"
    outside.write_bytes(sample.ledger.read_bytes())
    sample.ledger.unlink()
    sample.ledger.symlink_to(outside)
    with pytest.raises(Refusal) as refused:
        leak(later(sample), sample.commits["next"][0], "x")
    assert refused.value.findings[0].code == "WP809"


def test_a_first_publication_begins_the_ledger(tmp_path: Path) -> None:
    when = datetime(2026, 1, 1, tzinfo=UTC)
    with pytest.raises(Refusal):
        publish(Ledger(tmp_path / "reserve", when), "x", "2026-02-01", [A], None)
    assert not (tmp_path / "reserve" / "ledger.jsonl").exists()
    written = publish(Ledger(tmp_path / "reserve", when), "x", "2026-02-01", [B, A], Rules("A reserve", ["the operator"]))
    assert written.seq == 1 and written.checkpoint.startswith("reserve-checkpoint/1 ")
    lines = lines_of((tmp_path / "reserve" / "ledger.jsonl").read_bytes())
    assert [line["type"] for line in lines] == ["genesis", "seal"]
    assert lines[1]["body"]["commits"] == [A, B]
