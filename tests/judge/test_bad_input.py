"""Logs as strangers leave them: every fault is a coded finding at its line, nothing else is lost, nothing raises."""

from __future__ import annotations

import os
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.judge.conftest import JudgeActs
from tests.judge.runs import Act, admit, call, claim, draft, files_of, note, resolve, send
from tests.judge.worlds import APPROVED, BODY, answered, world

from wellposed.dsl.findings import Pointer, Severity, Span
from wellposed.verifier.amr.judge import one
from wellposed.verifier.amr.judge.folder import FILES, SYSTEM_FILES
from wellposed.verifier.amr.judge.limits import JudgeLimits
from wellposed.verifier.judged import JudgedRun
from wellposed.verifier.models import JUDGES

BUNDLE = world(2, APPROVED, "m1 sent exactly once")
ACTS = sorted(
    [*answered(), call(0, "call-1"), call(0, "call-2"), claim(0, "m1", "a1", "won"), note(3), note(20), note(30)],
    key=lambda act: act[0],
)
LEVELS = {"L0", "L1", "L2"}


def append(file: str, raw: bytes) -> Callable[[Path], object]:
    def change(run: Path) -> None:
        with open(run / file, "ab") as log:
            log.write(raw)

    return change


def replace(file: str, old: str, new: str, count: int = -1) -> Callable[[Path], object]:
    def change(run: Path) -> None:
        text = (run / file).read_text()
        assert old in text, (file, old)
        (run / file).write_text(text.replace(old, new, count))

    return change


def seen_too(file: str, line: str, tick: int = 30) -> Callable[[Path], object]:
    """A further line of a system, seen by the harness at a tick."""

    def change(run: Path) -> None:
        lines = (run / file).read_text().count("\n")
        append(file, line.encode() + b"\n")(run)
        log = (run / "run.jsonl").read_text()
        at = log.index(f'{{"event":"advance","tick":{tick + 1}}}')
        seen = f'{{"event":"first-seen","file":"{file}","line":{lines + 1},"tick":{tick}}}\n'
        (run / "run.jsonl").write_text(log[:at] + seen + log[at:])

    return change


def codes(run: JudgedRun) -> list[tuple[str, str, int | None]]:
    """Code, file and line of every finding."""
    found = []
    for finding in run.findings:
        place = finding.place
        assert place is not None
        line = place.line if isinstance(place, Span) else None
        found.append((finding.code, place.path.removeprefix("run/"), line))
    return found


def forms(run: JudgedRun) -> set[str]:
    return {failure.id for failure in run.failures if failure.id.startswith("form/")}


UNUSABLE = {
    "torn in the middle of a line": (append("audit.jsonl", b'{"at":30,"ev'), [("WP632", 7), ("WP633", 7)]),
    "torn behind a line": (lambda run: os.truncate(run / "audit.jsonl", (run / "audit.jsonl").stat().st_size - 1), [("WP633", 6)]),
    "a member twice": (replace("audit.jsonl", '"event":"note"', '"event":"note","event":"note"', 1), [("WP632", 3)]),
    "no object": (seen_too("audit.jsonl", "[]"), [("WP632", 7)]),
    "an empty line": (seen_too("audit.jsonl", ""), [("WP632", 7)]),
    "no UTF-8": (lambda run: (run / "audit.jsonl").write_bytes((run / "audit.jsonl").read_bytes().replace(b"note", b"no\xff", 1)), [("WP632", 3)]),
    "no event": (replace("audit.jsonl", '"event":"note"', '"kind":"note"', 1), [("WP634", 3)]),
    "an event that is no text": (replace("audit.jsonl", '"event":"note"', '"event":3', 1), [("WP634", 3)]),
    "no tick": (replace("audit.jsonl", '{"at":3,', "{", 1), [("WP634", 3)]),
    "a tick that is no number": (replace("audit.jsonl", '"at":3,', '"at":true,', 1), [("WP634", 3)]),
    "an admission without a hash": (seen_too("audit.jsonl", '{"at":30,"event":"admission","message_id":"m1","work_id":"w"}'), [("WP634", 7)]),
    "a claim that nobody knows": (seen_too("audit.jsonl", '{"agent_id":"a1","at":30,"event":"claim","outcome":"lost","reason":"","work_id":"work-m1"}'), [("WP634", 7)]),
    "a claim by nobody": (seen_too("audit.jsonl", '{"agent_id":7,"at":30,"event":"claim","outcome":"won","reason":"","work_id":"work-m1"}'), [("WP634", 7)]),
    "a resolution without an outcome": (seen_too("audit.jsonl", '{"at":30,"event":"resolution","outcome":[],"reason":null,"work_id":"work-m1"}'), [("WP634", 7)]),
    "an id of 129 characters": (seen_too("audit.jsonl", '{"at":30,"event":"resolution","outcome":"completed","reason":null,"work_id":"' + "w" * 129 + '"}'), [("WP634", 7)]),
    "a draft without a body": (seen_too("drafts.jsonl", '{"declared_at":30,"draft_id":"d","origin":"model-free"}'), [("WP634", 2)]),
    "an origin that is none": (seen_too("drafts.jsonl", '{"declared_at":30,"draft_id":"d","origin":"a model"}'), [("WP634", 2)]),
    "an effect without a draft": (seen_too("outbox.jsonl", '{"effect_id":"e","sent_at":30}'), [("WP634", 2)]),
    "a call without an id": (seen_too("model-calls.jsonl", '{"at":30}'), [("WP634", 3)]),
}  # fmt: skip


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_record_that_cannot_be_used_leaves_no_level_passed(name: str, judge: JudgeActs) -> None:
    change, due = UNUSABLE[name]
    run = judge(BUNDLE, ACTS, change)
    found = codes(run)
    assert [(code, line) for code, _, line in found if code != "WP641"] == due
    assert not run.annulled
    (failure,) = run.failures
    assert failure.id == f"form/{found[0][1]}" and failure.levels == LEVELS
    # All that is legible was judged.
    assert run.expectations == (True,) and run.exercised == LEVELS


TOLD = {
    "a resolution of nothing": (seen_too("audit.jsonl", '{"at":30,"event":"resolution","outcome":"completed","reason":null,"work_id":"work-9"}'), [("WP637", "audit.jsonl", 7)], {"K.admitted"}),
    "an admission of nothing": (seen_too("audit.jsonl", '{"at":30,"event":"admission","message_id":"m9","rules_hash":"x","work_id":"work-9"}'), [("WP637", "audit.jsonl", 7)], {"well-formed"}),
    "an orphaned effect": (seen_too("outbox.jsonl", '{"draft_id":"d9","effect_id":"e9","sent_at":30}'), [("WP637", "outbox.jsonl", 2)], {"K.declared"}),
    "an effect id for two": (seen_too("outbox.jsonl", '{"draft_id":"d9","effect_id":"effect-m1-1","sent_at":30}'), [("WP635", "outbox.jsonl", 2), ("WP637", "outbox.jsonl", 2)], {"well-formed", "K.declared"}),
    "a call id used again": (lambda run: (replace("model-calls.jsonl", "call-2", "call-1")(run), replace("drafts.jsonl", '"model-free"', '["call-1"]')(run)), [("WP635", "model-calls.jsonl", 2)], {"well-formed"}),
    "a conversation that is none": (seen_too("drafts.jsonl", '{"body":"","content_hash":"h","conversation_id":"lost","declared_at":13,"draft_id":"d9","origin":"model-free","work_id":"work-m1"}', 13), [("WP637", "drafts.jsonl", 2)], {"well-formed"}),
    "dated outside the run": (replace("audit.jsonl", '"at":30', '"at":61'), [("WP638", "audit.jsonl", 6)], set()),
    "dated before the run": (replace("audit.jsonl", '"at":30', '"at":-1'), [("WP638", "audit.jsonl", 6)], set()),
    "out of order": (replace("audit.jsonl", '"at":30', '"at":5'), [("WP636", "audit.jsonl", 6)], set()),
    "back-dated": (replace("outbox.jsonl", '"sent_at":14', '"sent_at":13'), [("WP639", "outbox.jsonl", 1)], set()),
    "a hash of something else": (lambda run: (replace("drafts.jsonl", "sha256:", "sha256:0")(run), replace("approvals.jsonl", "sha256:", "sha256:0")(run)), [("WP642", "drafts.jsonl", 1)], set()),
    "never seen": (append("audit.jsonl", b'{"at":61,"event":"note"}\n{"at":61,"event":"note"}\n'), [("WP641", "audit.jsonl", 7)], set()),
    "a stranger's file": (lambda run: (run / "notes\x1b[31m.txt").write_text(""), [("WP631", "run", None)], set()),
}  # fmt: skip


@pytest.mark.parametrize("name", TOLD)
def test_what_is_told_of_a_legible_record(name: str, judge: JudgeActs) -> None:
    change, due, failures = TOLD[name]
    run = judge(BUNDLE, ACTS, change)
    assert codes(run) == due
    assert {failure.id for failure in run.failures} == failures
    assert not run.annulled


@pytest.mark.parametrize(
    ("file", "line", "place"),
    [
        ("outbox.jsonl", b'{"draft_id":"d","effect_id":"e2","sent_at":17}\n', 2),
        ("drafts.jsonl", b'{"body":"","content_hash":"h","conversation_id":"c","declared_at":17,"draft_id":"d","origin":"model-free","work_id":"w"}\n', 2),
        ("audit.jsonl", b'{"at":17,"event":"resolution","outcome":"completed","reason":null,"work_id":"w"}\n', 7),
    ],
)
def test_a_line_of_the_run_that_the_harness_did_not_see_lets_nothing_pass(file: str, line: bytes, place: int, judge: JudgeActs) -> None:
    """A second send, say, that stands in the log and not in the record of the run: nobody knows which is wrong."""
    run = judge(BUNDLE, ACTS, append(file, line))
    assert codes(run) == [("WP641", file, place)]
    assert [failure.id for failure in run.failures] == [f"form/{file}"] and not run.annulled


def test_what_stands_behind_an_unreadable_line_is_judged(judge: JudgeActs) -> None:
    """The second send stands behind a line that is none."""
    acts = [*answered(), send(14, "m1", effect="again")]
    run = judge(BUNDLE, acts, replace("outbox.jsonl", '{"draft', '}\n{"draft', 1))
    assert {failure.id for failure in run.failures} == {"form/outbox.jsonl"}
    assert ("WP632", "outbox.jsonl", 1) in codes(run)


@pytest.mark.parametrize("file", [file for file in FILES if file != "run.jsonl"])
def test_a_missing_file_annuls(file: str, judge: JudgeActs) -> None:
    run = judge(BUNDLE, ACTS, lambda path: (path / file).unlink())
    assert run.annulled and [code for code, *_ in codes(run)] == ["WP630"]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("what", ("link", "folder", "pipe"))
def test_nothing_but_a_file_is_read(file: str, what: str, judge: JudgeActs, tmp_path: Path) -> None:
    def change(run: Path) -> None:
        target = tmp_path / "secret"
        target.write_bytes((run / file).read_bytes())
        (run / file).unlink()
        if what == "link":
            (run / file).symlink_to(target)
        elif what == "folder":
            (run / file).mkdir()
        else:
            os.mkfifo(run / file)

    run = judge(BUNDLE, ACTS, change)
    assert run.annulled and run.failures == ()
    assert ("WP645", file, None) in codes(run)


def test_without_a_timeline_the_systems_own_ticks_count(judge: JudgeActs) -> None:
    late = judge(BUNDLE, answered(18), lambda run: (run / "run.jsonl").unlink())
    assert not late.recorded and [code for code, *_ in codes(late)] == ["WP640"]
    assert {failure.id for failure in late.failures} == {"L2.send/m1"}

    def lie(run: Path) -> None:
        (run / "run.jsonl").unlink()
        replace("outbox.jsonl", '"sent_at":18', '"sent_at":17')(run)

    assert "L2.send/m1" not in {failure.id for failure in judge(BUNDLE, answered(18), lie).failures}


def test_without_a_timeline_a_harness_is_not_blamed_for_what_a_system_says(judge: JudgeActs) -> None:
    """By its own word the draft came behind the approval, and the harness bound it all the same."""

    def lie(run: Path) -> None:
        (run / "run.jsonl").unlink()
        replace("drafts.jsonl", '"declared_at":1', '"declared_at":13')(run)

    run = judge(BUNDLE, ACTS, lie)
    assert not run.annulled
    assert {failure.id for failure in run.failures} == {"L0.draft/m1"}


def test_without_a_timeline_a_tick_outside_the_run_is_no_tick(judge: JudgeActs) -> None:
    def change(run: Path) -> None:
        (run / "run.jsonl").unlink()
        replace("audit.jsonl", '"at":30', '"at":61')(run)

    run = judge(BUNDLE, ACTS, change)
    assert [(code, line) for code, _, line in codes(run)] == [("WP640", None), ("WP638", 6)]
    assert forms(run) == {"form/audit.jsonl"}


SKIPPING = world(3, APPROVED + "  at 20 jump to 30\n  at 40 kill agent of m1\n", "state agrees")


@pytest.mark.parametrize(
    ("act", "file", "line"),
    [
        (claim(25, "m1", "a2", "claimed"), "audit.jsonl", 3),
        (resolve(25, "m1"), "audit.jsonl", 3),
        (draft(25, "m1", BODY, 2), "drafts.jsonl", 2),
        (send(25, "m1", effect="again"), "outbox.jsonl", 2),
    ],
)
def test_without_a_timeline_a_tick_that_the_clock_skips_is_no_tick(
    act: Act, file: str, line: int, judge: JudgeActs
) -> None:
    """Dated 20 as it was written, and 25 by hand, between the ticks 20 and 30."""
    acts = [*answered(14)[:3], claim(14, "m1", "a1", "claimed"), (20, *act[1:])]

    def change(run: Path) -> None:
        (run / "run.jsonl").unlink()
        replace(file, ":20,", ":25,")(run) if ":20," in (run / file).read_text() else replace(file, ":20}", ":25}")(run)

    run = judge(SKIPPING, acts, change)
    assert [(code, *where) for code, *where in codes(run) if code != "WP640"] == [("WP638", file, line)]
    assert forms(run) == {f"form/{file}"}


def test_a_snapshot_of_a_tick_that_the_clock_skips_is_the_harnesss_fault(judge: JudgeActs) -> None:
    run = judge(SKIPPING, answered(14), replace("state.jsonl", '"tick":30}', '"tick":29}'))
    assert run.annulled and [code for code, *_ in codes(run)] == ["WP645"]


def test_the_tick_at_which_it_was_seen_counts(judge: JudgeActs) -> None:
    """Sent and seen one tick late, and dated in time."""
    run = judge(BUNDLE, answered(18), replace("outbox.jsonl", '"sent_at":18', '"sent_at":17'))
    assert {failure.id for failure in run.failures} == {"L2.send/m1"}
    assert ("WP639", "outbox.jsonl", 1) in codes(run)


def test_findings_are_bounded_and_counted(judge: JudgeActs) -> None:
    acts = [*answered(), *(note(20, n=number) for number in range(1_000))]
    run = judge(BUNDLE, acts, replace("audit.jsonl", '"event":"note"', '"kind":"note"'))
    told = [finding for finding in run.findings if finding.code == "WP634"]
    assert len(told) == JudgeLimits().findings_per_file
    assert told[-1].notes == (f"{1_000 - len(told)} more of this kind in audit.jsonl are not shown",)
    assert forms(run) == {"form/audit.jsonl"}


FEW = JudgeLimits(drafts_per_item=3, sends_per_item=3, items_per_message=3, orphans=3, claims_per_item=3)
MANY = range(2, 12)
TOO_MANY = {
    "drafts": ([draft(20, "m1", BODY, number) for number in MANY], "form/drafts.jsonl"),
    "sends": ([send(20, "m1", effect=f"again-{number}") for number in MANY], "form/outbox.jsonl"),
    "claims": ([claim(20, "m1", f"a{number}", "claimed") for number in MANY], "form/audit.jsonl"),
    "items": ([admit(20, "m1", f"again-{number}") for number in MANY], "form/audit.jsonl"),
    "drafts of nothing": ([draft(20, "m9", BODY, number) for number in MANY], "K.admitted"),
    "orphaned effects": ([send(20, "m9", number) for number in MANY], "K.declared"),
}


@pytest.mark.parametrize("name", TOO_MANY)
def test_what_is_kept_of_an_item_is_bounded_and_what_is_not_kept_fails(name: str, tmp_path: Path) -> None:
    acts, failure = TOO_MANY[name]
    path = files_of(BUNDLE, sorted([*answered(), *acts], key=lambda act: act[0])).put(tmp_path / "run")
    run = one.judge_run(BUNDLE, path, "run", FEW)
    assert run.harness == () and failure in {one.id for one in run.failures}
    told = [finding.message for finding in run.findings]
    assert ("more than 3" in " ".join(told)) is failure.startswith("form/")
    assert len(told) == {"drafts": 8, "sends": 8, "claims": 7, "items": 8}.get(name, 10)
    assert one.judge_run(BUNDLE, path, "run").findings != run.findings or not failure.startswith("form/")


def test_ids_of_more_orphans_than_are_kept_are_not_compared(tmp_path: Path) -> None:
    """That they are orphans is enough."""
    acts = [*answered(), *(send(20, "m9", number, effect=f"e{number % 5}") for number in MANY)]
    path = files_of(BUNDLE, acts).put(tmp_path / "run")
    counts = [
        [finding.code for finding in one.judge_run(BUNDLE, path, "run", limits).findings].count("WP635")
        for limits in (JudgeLimits(), JudgeLimits(orphans=3))
    ]
    assert counts == [5, 2]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        JUDGES["amr/0.14"].run(BUNDLE, tmp_path / "nowhere", "nowhere")
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("file", "link"):
        run = JUDGES["amr/0.14"].run(BUNDLE, tmp_path / name, name)
        assert run.annulled and [finding.code for finding in run.findings] == ["WP645"]
        assert all(isinstance(finding.place, Pointer) for finding in run.findings)


@pytest.mark.parametrize("seed", range(60))
def test_no_alteration_raises(seed: int, judge: JudgeActs) -> None:
    """Bytes and lines of every file are altered, doubled, moved and dropped; levels are never all passed in silence."""
    chance = random.Random(seed)

    def change(run: Path) -> None:
        for _ in range(chance.randint(1, 4)):
            path = run / chance.choice(FILES)
            raw = path.read_bytes()
            lines = raw.splitlines(keepends=True)
            match chance.randrange(6):
                case 0 if raw:
                    at = chance.randrange(len(raw))
                    raw = raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]
                case 1 if lines:
                    lines.insert(chance.randrange(len(lines)), chance.choice(lines))
                    raw = b"".join(lines)
                case 2 if lines:
                    lines.pop(chance.randrange(len(lines)))
                    raw = b"".join(lines)
                case 3:
                    chance.shuffle(lines)
                    raw = b"".join(lines)
                case 4:
                    other = (run / chance.choice(FILES)).read_bytes().splitlines(keepends=True)
                    raw += b"".join(other[:2])
                case _:
                    raw = raw[: chance.randrange(len(raw) + 1)]
            path.write_bytes(raw)

    run = judge(BUNDLE, ACTS, change)
    for finding in run.findings:
        assert finding.message and finding.severity in Severity


def test_a_large_log_does_not_fit_into_memory_and_need_not(tmp_path: Path) -> None:
    """40 MB of free-form lines, read in pieces: the peak is that of the pieces, and grows no further with the lines."""
    path = files_of(BUNDLE, ACTS).put(tmp_path / "run")
    line = b'{"at":30,"event":"poll","text":"' + b"x" * 160 + b'"}\n'
    count = 200_000
    peaks = []
    for times in (1, 4):
        with open(path / "audit.jsonl", "ab") as log:
            log.writelines(line * (count // 4) for _ in range(times))
        raw = (path / "run.jsonl").read_text()
        lines = (path / "audit.jsonl").read_bytes().count(b"\n")
        raw = "".join(
            one
            for one in raw.splitlines(keepends=True)
            if "audit" not in one or '"line":' not in one or int(one.split('"line":')[1].split(",")[0]) <= 6
        )
        at = raw.index('{"event":"advance","tick":31}')
        seen = "".join(
            f'{{"event":"first-seen","file":"audit.jsonl","line":{number},"tick":30}}\n'
            for number in range(7, lines + 1)
        )
        (path / "run.jsonl").write_text(raw[:at] + seen + raw[at:])
        del seen, raw
        tracemalloc.start()
        run = one.judge_run(BUNDLE, path, "run")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert (run.failures, run.findings) == ((), ())
        assert run.lines == lines + sum(
            (path / file).read_bytes().count(b"\n") for file in SYSTEM_FILES if file != "audit.jsonl"
        )
    assert peaks[1] < 16 * 2**20
    assert peaks[1] < peaks[0] * 1.2


def test_any_number_of_faults_costs_no_memory(tmp_path: Path) -> None:
    """Orphans, unknown items and early claims by the hundred thousand: the first few are kept, all are counted."""
    path = files_of(BUNDLE, ACTS).put(tmp_path / "run")
    (path / "run.jsonl").unlink()
    count = 50_000
    text = "x" * 5_000
    with open(path / "outbox.jsonl", "a") as log:
        log.writelines(f'{{"draft_id":"d{n}","effect_id":"e{n}","sent_at":60}}\n' for n in range(count))
    with open(path / "audit.jsonl", "a") as log:
        early = '{"at":60,"event":"resolution","outcome":"abandoned","reason":"%s","work_id":"w%d"}\n'
        log.writelines(early % (text, n) for n in range(count // 10))
        log.writelines(
            f'{{"at":60,"event":"admission","message_id":"m{n}","rules_hash":"h","work_id":"w"}}\n'
            for n in range(9, count)
        )
    tracemalloc.start()
    run = one.judge_run(BUNDLE, path, "run")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 48 * 2**20
    assert len(run.findings) < 200 and sum(len(failure.follows) + 1 for failure in run.failures) < 200
    assert {failure.root.obligation for failure in run.failures} >= {"K.declared", "well-formed", "K.admitted"}
