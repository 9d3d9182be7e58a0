"""Fixes: every one that is shown makes its scenario well-posed, and `--fix` applies the safe ones, once and whole."""

from __future__ import annotations

import functools
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wellposed.cli import fix as fixing
from wellposed.cli import repairs
from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.render import fix as rendering
from wellposed.cli.render.colour import Palette
from wellposed.cli.repairs import Fixes
from wellposed.cli.report import Report
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.text_edits import with_edits
from wellposed.dsl.findings import Edit, Finding, Fix
from wellposed.dsl.source import SourceFile
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify

Command = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
DEFECTS = ROOT / "examples" / "defects"
INVALID = ("fd-23", "fd-64")
"""Defects of the text, about which the verifier has nothing to say."""

ORDER = '  conversation order {\n    from    "ada@example.test"\n    subject "Where is my order?"\n  }\n'


def waiting(name: str, within: int, end: str = "", level: str = "L2") -> str:
    """A scenario with one window, in which lawful runs need 5; laid out in the canonical way, with comments."""
    return (
        f"scenario {name} {{\n  level   {level}  # the level\n  horizon 40\n{end}\n{ORDER}\n"
        f'  at 0  deliver m1 in order "Hello?"\n  at 12 approve m1 as go\n\n  expect {{\n    # The reply.\n'
        f"    m1 sent exactly once within {within} of go  # in time\n  }}\n}}\n"
    )


def race(name: str, end: str = "") -> str:
    """A scenario whose only fix is not safe."""
    return (
        f"scenario {name} {{\n  level   L6\n  horizon 40\n{end}\n{ORDER}\n"
        '  at 0  deliver m1 in order "Hello?"\n  at 12 approve m1\n  at 13 escalate m1\n\n'
        "  expect { m1 never sent }\n}\n"
    )


def report_of(*paths: str, verified: Callable[..., Verification] = verify) -> Report:
    """What `check` finds, with fixes."""
    return Fixes(verified).added_to(examine(gather(paths, "stdin.scenario"), verify))


def fixes_of(report: Report) -> list[Fix]:
    return [one.fix for one in report.findings if one.fix is not None]


def fixed(report: Report, path: str) -> str:
    """The text of a file after all its fixes."""
    edits = [edit for fix in fixes_of(report) for edit in fix.edits]
    text = with_edits(report.sources[path].text, edits)
    assert text is not None
    return text


def verdicts(path: str) -> set[str | None]:
    return {one.verdict for one in examine(gather([path], "stdin.scenario"), verify).scenarios}


# What is shown


@pytest.mark.parametrize("case", sorted(path.name for path in DEFECTS.iterdir() if path.name not in INVALID))
def test_every_defect_of_the_gallery_has_a_fix(case: str, folder: Path) -> None:
    """Without the mark that says that it is wrong on purpose."""
    text = (DEFECTS / case / "defect.scenario").read_text()
    Path("x.scenario").write_text(re.sub(r"\n *rejected .*", "", text))
    report = report_of("x.scenario")
    assert len(fixes_of(report)) == 1
    Path("x.scenario").write_text(fixed(report, "x.scenario"))
    assert verdicts("x.scenario") == {"well-posed"}
    after = examine(gather(["x.scenario"], "stdin.scenario"), verify)
    assert {one.severity.value for one in after.findings} <= {"note"}


def broken(text: str) -> Iterator[tuple[str, str]]:
    """A published scenario broken in the ways in which scenarios are: what was done, and the text."""
    taken = re.search(r"at 12 \{\n +approve +m1( as \S+)?\n +escalate m1\n +\}", text)
    for gap in (1, 5, 6, 12) if taken else ():
        assert taken is not None
        yield (
            f"escalation {gap} late",
            text.replace(taken[0], f"at 12 approve m1{taken[1] or ''}\n  at {12 + gap} escalate m1"),
        )
    if "within" in text:
        yield "tight windows", re.sub(r"within (\d+)", lambda match: f"within {int(match[1]) - 2}", text)
    changes = [int(tick) for tick in re.findall(r"at (\d+) +(?:posture|rules) ", text)]
    for change in changes[:1]:
        near = re.search(rf"at {change - 6}( +deliver)", text)
        assert near is not None
        for tick in (change - 5, change, change + 4):
            yield f"mail at {tick}, a change at {change}", text.replace(near[0], f"at {tick}{near[1]}")
    events = [int(tick) for tick in re.findall(r"\bat (\d+)", text)]
    horizon, level = int(re.search(r"horizon (\d+)", text)[1]), int(re.search(r"level +L(\d)", text)[1])  # type: ignore[index]
    yield "early horizon", re.sub(r"horizon \d+", f"horizon {max(events) + 2}", text)
    dropped = re.sub(r"\n.*(?:sent exactly once|completed|abandoned).*", "", text)
    yield "no liveness", re.sub(r"(\n  (?:import|conversation) )", r"\n  invariants only expect\n\1", dropped, count=1)
    if level < 6:
        yield "next level", re.sub(r"level +L\d", f"level L{level + 1}", text)
    yield "dead crash", text.replace("  expect {", f"  at {horizon} crash\n\n  expect {{", 1)


PUBLISHED = sorted(path.name for path in (ROOT / "scenarios").glob("*.scenario"))


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_broken_in_a_published_scenario_is_found_and_mended(name: str, folder: Path) -> None:
    shutil.copytree(ROOT / "scenarios" / "rules", folder / "rules")
    repaired = 0
    for what, text in broken((ROOT / "scenarios" / name).read_text()):
        Path("x.scenario").write_text(text)
        before = examine(gather(["x.scenario"], "stdin.scenario"), verify).scenarios
        if [one.verdict for one in before] in (["well-posed"], ["invalid"], []):
            continue  # not every way breaks every scenario
        report = report_of("x.scenario")
        assert len(fixes_of(report)) == 1, what
        Path("x.scenario").write_text(fixed(report, "x.scenario"))
        assert verdicts("x.scenario") == {"well-posed"}, what
        repaired += 1
    assert repaired > 0


def test_the_smallest_edits_and_the_lines_that_change(wellposed: Command, folder: Path) -> None:
    Path("x.scenario").write_text(waiting("x", 3))
    out = wellposed("check", "x.scenario").out
    assert (
        "   = fix: give `m1 sent exactly once within 3 of go` the 5 ticks that lawful runs need"
        " (verified; `check --fix` applies it)\n"
        "15 -     m1 sent exactly once within 3 of go  # in time\n"
        "15 +     m1 sent exactly once within 5 of go  # in time\n"
    ) in out
    report = json.loads(wellposed("check", "x.scenario", "--format", "json").out)
    (fix,) = [one["fix"] for one in report["findings"] if one["fix"]]
    place = {"path": "x.scenario", "line": 15, "column": 33, "end_line": 15, "end_column": 34}
    assert (fix["safe"], fix["edits"]) == (True, [{**place, "replacement": "5"}])


def test_one_fix_for_several_faults_at_the_first_of_them(folder: Path) -> None:
    Path("x.scenario").write_text(waiting("x", 3).replace("    # The reply.\n", "    m1 admitted within 2\n"))
    report = report_of("x.scenario")
    with_fix = [(one.message, len(one.fix.edits)) for one in report.findings if one.fix]
    assert with_fix == [("`m1 admitted within 2` holds in some conforming runs and fails in others", 2)]


def test_a_family_is_mended_as_a_whole_or_not_at_all(folder: Path) -> None:
    family = (
        waiting("x", 3).replace("scenario x", "family x(at in [12, 20, 3])").replace("at 12 approve", "at `at` approve")
    )
    family = family.replace("x(at in", "x(when-it-is in").replace("`at`", "when-it-is")
    Path("x.scenario").write_text(family)
    report = report_of("x.scenario")
    (fix,) = fixes_of(report)
    assert fix.safe
    Path("x.scenario").write_text(fixed(report, "x.scenario"))
    assert verdicts("x.scenario") == {"well-posed"}
    # Where every member wants another window, no edit of the text is one for all, and the parameter cannot go.
    Path("x.scenario").write_text(
        waiting("x", 3).replace("scenario x", "family x(w in [1, 2])").replace("within 3", "within w")
    )
    assert fixes_of(report_of("x.scenario")) == []


def test_what_a_loop_says_is_mended_for_all_its_passes(folder: Path) -> None:
    text = (
        "scenario x {\n  level L2 horizon 60\n  for i in 1..3 {\n"
        '    conversation c[i] { from "a{i}@x" subject "s" }\n    at i deliver m[i] in c[i] "b"\n  }\n'
        "  expect { for i in 1..3 { m[i] admitted within 1 } }\n}\n"
    )
    for window in ("within 1", "within i"):
        Path("x.scenario").write_text(text.replace("within 1", window))
        assert fixed(report_of("x.scenario"), "x.scenario") == text.replace("within 1", "within 5")
    # What would be another expectation, or another tick, for each pass has no place in a text that all passes share.
    Path("x.scenario").write_text(text.replace("m[i] admitted within 1", "m[i] not admitted"))
    assert fixes_of(report_of("x.scenario")) == []


@pytest.mark.parametrize(
    "text",
    [
        waiting("x", 3, '  rejected ambiguous WP501 "on purpose"\n'),
        waiting("x", 3, '  rejected vacuous WP602 "which is not so"\n'),
        waiting("x", 3).replace("    # The", '    allow WP501 "the point is the race"\n    # The'),
        waiting("x", 3) + "scenario y {\n  level L9\n  horizon 1\n}\nrules r { admit a when from is 3 }\n",
        waiting("x", 3).replace("  }\n}", "  }\n  catches ignores-reject\n}"),
    ],
    ids=["rejected", "wrongly rejected", "allowed", "a file with errors", "an error that would remain"],
)
def test_what_is_not_to_be_mended_has_no_fix(text: str, folder: Path, wellposed: Command) -> None:
    Path("x.scenario").write_text(text)
    assert fixes_of(report_of("x.scenario")) == []
    wellposed("check", "--fix", "x.scenario")
    assert Path("x.scenario").read_text() == text


def test_a_scenario_beside_one_with_errors_of_its_own_has_one(folder: Path) -> None:
    Path("x.scenario").write_text(waiting("x", 3) + "scenario y {\n  level L9\n  horizon 1\n}\n")
    assert len(fixes_of(report_of("x.scenario"))) == 1


def test_a_bundle_has_no_fix(folder: Path, wellposed: Command) -> None:
    Path("x.scenario").write_text(waiting("x", 3))
    assert wellposed("build", "x.scenario", "--out", "built").status == 0
    for path in ("built", "built/x/bundle.json"):
        report = json.loads(wellposed("check", path, "--format", "json").out)
        assert [one["fix"] for one in report["findings"] if one["severity"] == "error"] == [None]


def test_the_search_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Bundle] = []

    def counting(bundle: Bundle, *, windows: bool = False) -> Verification:
        calls.append(bundle)
        return verify(bundle, windows=windows)

    for name in ("a", "b"):
        Path(f"{name}.scenario").write_text(race(name))
    monkeypatch.setattr(repairs, "MODELS", {"amr/0.14": Useless()})
    assert fixes_of(report_of("a.scenario", verified=counting)) == []
    assert len(calls) == repairs.ATTEMPTS + 1
    calls.clear()
    monkeypatch.setattr(repairs, "ENTRIES", 3 * 7)
    report_of("a.scenario", verified=counting)
    assert len(calls) == 7 + 1, "the first is of the text as it is"
    calls.clear()
    monkeypatch.setattr(repairs, "ALL_ATTEMPTS", 1)
    report_of("a.scenario", "b.scenario", verified=counting)
    assert len(calls) == 7 + 1, "nothing is left for the second"
    calls.clear()
    undecided = functools.partial(verify, budget=1)
    assert fixes_of(report_of("a.scenario", verified=undecided)) == []


class Useless:
    """A model that always has another proposal, none of which helps."""

    def repairs(self, document: Any, verification: Verification) -> Iterator[Any]:
        from wellposed.compiler.bundle_edits import Replace
        from wellposed.verifier.repair import Repair

        for horizon in range(41, 1000):
            yield Repair("horizon", "look longer", "/expect/0", (Replace("/horizon", horizon),), safe=True)


def test_fixes_are_remembered_while_nothing_changes(folder: Path) -> None:
    calls: list[Bundle] = []

    def counting(bundle: Bundle, *, windows: bool = False) -> Verification:
        calls.append(bundle)
        return verify(bundle, windows=windows)

    Path("x.scenario").write_text(waiting("x", 3))
    fixes = Fixes(counting)
    first = fixes.added_to(examine(gather(["x.scenario"], "stdin.scenario"), verify))
    calls.clear()
    again = fixes.added_to(examine(gather(["x.scenario"], "stdin.scenario"), verify))
    assert (calls, again.findings) == ([], first.findings)
    Path("x.scenario").write_text(waiting("x", 2))
    other = fixes.added_to(examine(gather(["x.scenario"], "stdin.scenario"), verify))
    assert calls and fixes_of(other) != fixes_of(first)


def test_what_is_shown_of_lines_that_are_long_or_hostile() -> None:
    text = "a" * 500 + "13" + "b" * 500 + "\n\u202e::x\n"
    source = SourceFile("x", text)
    edits = (Edit(source.span(500, 502), "12"), Edit(source.span(1003, 1004), ""))
    lines = list(rendering.diff_lines(Fix("d", edits, True), {"x": source}, Palette(False)))
    assert [line[:4] for line in lines] == ["1 - ", "2 - ", "1 + ", "2 + "]
    assert "a13b" in lines[0] and "a12b" in lines[2]
    assert all(len(line) < 260 for line in lines)
    assert lines[1] == "2 - \\u{202e}::x"
    assert list(rendering.diff_lines(Fix("d", edits, True), {}, Palette(False))) == []


# What is applied


def test_safe_fixes_are_applied_and_a_second_time_changes_nothing(wellposed: Command, folder: Path) -> None:
    Path("x.scenario").write_text(waiting("a", 3) + "\n" + waiting("b", 5) + "\n" + waiting("c", 1))
    result = wellposed("check", "--fix", "x.scenario")
    assert result.status == 0
    assert Path("x.scenario").read_text() == waiting("a", 5) + "\n" + waiting("b", 5) + "\n" + waiting("c", 5)
    assert "3 scenarios: 3 well-posed" in result.out
    assert result.err == (
        "wellposed: fixed x.scenario:15:5: give `m1 sent exactly once within 3 of go` the 5 ticks that lawful runs need\n"
        "wellposed: fixed x.scenario:51:5: give `m1 sent exactly once within 1 of go` the 5 ticks that lawful runs need\n"
        "wellposed: 2 fixes applied\n"
    )
    before = Path("x.scenario").stat()
    again = wellposed("check", "--fix", "x.scenario")
    after = Path("x.scenario").stat()
    assert (again.status, again.err) == (0, "wellposed: 0 fixes applied\n")
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert wellposed("fmt", "--check", "x.scenario").status == 0


def test_what_is_left_is_reported(wellposed: Command, folder: Path) -> None:
    rejected = race("c", '  rejected ambiguous WP501 "on purpose"\n')
    Path("x.scenario").write_text(waiting("a", 3) + race("b") + rejected)
    result = wellposed("check", "--fix", "x.scenario", "--format", "json")
    assert result.status == 1
    assert Path("x.scenario").read_text() == waiting("a", 5) + race("b") + rejected
    report = json.loads(result.out)
    assert [one["verdict"] for one in report["scenarios"]] == ["well-posed", "ambiguous", "ambiguous"]
    assert [one["fix"]["safe"] for one in report["findings"] if one["fix"]] == [False]


def test_columns_follow(folder: Path, wellposed: Command) -> None:
    """A tick with fewer digits lets the others move, so that the file is laid out as before."""
    moved = waiting("x", 5, level="L2").replace("12 approve m1 as go", "8  approve m1 as go\n  at 25 crash")
    Path("x.scenario").write_text(moved)
    assert wellposed("fmt", "--check", "x.scenario").status == 0
    Path("x.scenario").write_text(fixed(report_of("x.scenario"), "x.scenario"))
    assert "\n  at 0 deliver m1" in Path("x.scenario").read_text()
    assert wellposed("fmt", "--check", "x.scenario").status == 0


def test_line_ends_and_an_untidy_layout_stay(wellposed: Command, folder: Path) -> None:
    untidy = waiting("x", 3).replace("  level   L2", "\tlevel L2").replace("\n", "\r\n")
    Path("x.scenario").write_bytes(untidy.encode())
    assert wellposed("check", "--fix", "x.scenario").status == 0
    assert Path("x.scenario").read_bytes().decode() == untidy.replace("within 3", "within 5")


def test_an_imported_file_is_not_touched(wellposed: Command, folder: Path) -> None:
    Path("desk.rules").write_text('rules desk { admit orders when subject contains "order" }\n')
    before = Path("desk.rules").stat()
    Path("x.scenario").write_text('import "desk.rules"\n\n' + waiting("x", 3, "  rules   desk\n"))
    assert wellposed("check", "--fix", ".").status == 1, "the folder has a race in it"
    assert "within 5 of go" in Path("x.scenario").read_text()
    after = Path("desk.rules").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_no_file_is_written_through_a_link(wellposed: Command, folder: Path) -> None:
    (folder / "there").mkdir()
    (folder / "there" / "x.scenario").write_text(waiting("x", 3))
    (folder / "here").symlink_to("there")
    result = wellposed("check", "--fix", "here/x.scenario")
    assert result.status == 2
    assert "error[WP005]: cannot write here/x.scenario: it is a link, or is reached through one" in result.err
    assert (folder / "there" / "x.scenario").read_text() == waiting("x", 3)
    (folder / "y.scenario").symlink_to("there/x.scenario")
    assert wellposed("check", "--fix", "y.scenario").status == 2
    assert (folder / "there" / "x.scenario").read_text() == waiting("x", 3)


def test_a_file_that_has_changed_in_the_meantime_is_left_alone(
    wellposed: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("x.scenario").write_text(waiting("x", 3))
    Path("y.scenario").write_text(waiting("y", 3))
    together = fixing._together
    edited = waiting("x", 3) + "# Somebody else was here.\n"

    def changed(source: SourceFile, findings: list[Finding]) -> Any:
        if source.path == "x.scenario":
            Path("x.scenario").write_text(edited)
        return together(source, findings)

    monkeypatch.setattr(fixing, "_together", changed)
    result = wellposed("check", "--fix", "x.scenario", "y.scenario")
    assert result.status == 2
    assert "error[WP005]: cannot write x.scenario: it has changed in the meantime" in result.err
    assert Path("x.scenario").read_text() == edited
    assert Path("y.scenario").read_text() == waiting("y", 5)


def test_fixes_that_do_not_go_together_are_applied_one_after_the_other(
    wellposed: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("x.scenario").write_text(waiting("a", 3) + waiting("b", 3))
    monkeypatch.setattr(
        fixing, "with_edits", lambda text, edits: None if len(tuple(edits)) > 1 else with_edits(text, edits)
    )
    assert wellposed("check", "--fix", "x.scenario").status == 0
    assert Path("x.scenario").read_text() == waiting("a", 5) + waiting("b", 5)


@pytest.mark.parametrize("arguments", [("-",), ("x.scenario", "--no-verify"), ("x.scenario", "--watch")])
def test_wrong_use(wellposed: Command, folder: Path, arguments: tuple[str, ...]) -> None:
    Path("x.scenario").write_text(waiting("x", 3))
    result = wellposed("check", "--fix", *arguments, stdin=waiting("x", 3).encode())
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("wellposed: --fix ")
    assert Path("x.scenario").read_text() == waiting("x", 3)


def _hollow(before: str) -> str:
    """A scenario with an expectation that no log violates, and a line before it."""
    text = waiting("hollow", 5)
    return text.replace("    # The reply.\n", f"{before}    any of {{ m1 sent }} or {{ m1 never sent }}\n")


def test_no_fix_loses_a_comment(folder: Path, wellposed: Command) -> None:
    text = _hollow("    # why this stands here\n")
    (folder / "a.scenario").write_text(text)
    wellposed("check", "--fix", "a.scenario")
    assert "# why this stands here" in (folder / "a.scenario").read_text()


def test_what_the_author_accepts_is_left_alone(folder: Path, wellposed: Command) -> None:
    text = waiting("accepted", 3).replace("    # The reply.\n", '    m1 drafted within 3\n    allow WP501 "tight on purpose"\n')
    (folder / "a.scenario").write_text(text)
    assert wellposed("check", "--fix", "a.scenario").status == 1
    assert (folder / "a.scenario").read_text() == text
