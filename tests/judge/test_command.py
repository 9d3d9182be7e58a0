"""`wellposed judge` and `wellposed board` from the outside: status, report, baseline, submission, what is printed."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Result
from tests.judge.examples import write_runs

from wellposed.compiler.schemas import violations

Command = Callable[..., Result]
RUNS = [f"run.{number}" for number in range(1, 6)]
JUDGE = ("judge", "hello.scenario", *RUNS)


@pytest.fixture
def runs(folder: Path) -> Path:
    """The working directory with five conforming runs and a submission."""
    write_runs(folder)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def fail(run: Path) -> None:
    """Makes a run break L0.abandon."""
    edit(run / "audit.jsonl", '"outcome":"completed","reason":null', '"outcome":"abandoned","reason":"crash"')


def report(folder: Path, name: str = "report.json") -> Any:
    document = json.loads((folder / name).read_text())
    assert list(violations("judgement", document)) == []
    return document


def test_five_runs_pass(runs: Path, wellposed: Command) -> None:
    result = wellposed(*JUDGE)
    assert (result.status, result.err) == (0, "")
    assert "L0     pass    5 of 5: 5 pass" in result.out
    document = report(runs)
    (scenario,) = document["scenarios"]
    assert document["levels"] == {"L0": "pass"} and scenario["levels"]["L0"] == {"result": "pass", "runs": ["pass"] * 5}
    assert (scenario["origin"], scenario["timing"], scenario["forced_advances"]) == ("model-based", "recorded", 0)
    assert scenario["expectations"] == [
        {"text": "m1 sent exactly once within 10", "result": "pass", "runs": ["pass"] * 5}
    ]
    assert document["summary"] == {"scenarios": 1, "runs": 5, "annulled": 0, "errors": 0, "warnings": 0, "notes": 0}
    assert document["effort"] is None and document["system"] is None


def test_copies_are_told(runs: Path, wellposed: Command) -> None:
    """They cannot be told from runs of a system that always does the same; whoever reads the result sees them."""
    for name in RUNS[1:]:
        shutil.rmtree(runs / name)
        shutil.copytree(runs / RUNS[0], runs / name)
    result = wellposed(*JUDGE)
    assert result.status == 0 and "hello: 5 runs, 4 with the same logs as an earlier one" in result.out
    assert [run["same_as"] for run in report(runs)["scenarios"][0]["runs"]] == [None, 1, 1, 1, 1]
    wellposed("board", "report.json", "--out", "board")
    assert "4 with the same logs as another" in (runs / "board" / "board.html").read_text()
    edit(runs / RUNS[1] / "audit.jsonl", '"attempt":1', '"attempt":7')
    wellposed(*JUDGE)
    assert [run["same_as"] for run in report(runs)["scenarios"][0]["runs"]] == [None, None, 1, 1, 1]


def test_what_was_not_read_is_no_copy(runs: Path, wellposed: Command) -> None:
    for name in RUNS[:2]:
        (runs / name / "run.jsonl").unlink()
        (runs / name / "run.jsonl").symlink_to("audit.jsonl")
    result = wellposed(*JUDGE)
    assert result.status == 1 and "run.1/run.jsonl" in result.out
    assert [run["same_as"] for run in report(runs)["scenarios"][0]["runs"]] == [None] * 5


def test_a_send_that_the_harness_did_not_see_is_no_pass(runs: Path, wellposed: Command) -> None:
    """It stands in the outbox and not in the record of the run: an error, in a log that is whole by itself."""
    with open(runs / "run.3" / "outbox.jsonl", "a") as log:
        log.write('{"draft_id":"draft-1","effect_id":"again","sent_at":17}\n')
    result = wellposed(*JUDGE)
    assert result.status == 1
    assert "and nobody saw the line there" in result.out and "run.3/outbox.jsonl" in result.out


def test_four_runs_are_not_enough(runs: Path, wellposed: Command) -> None:
    result = wellposed(*JUDGE[:-1])
    assert result.status == 3 and "L0     inconclusive  4 of 5" in result.out
    assert report(runs)["levels"] == {"L0": "inconclusive"}


def test_one_failing_run_of_six_fails(runs: Path, wellposed: Command) -> None:
    shutil.copytree(runs / "run.1", runs / "run.6")
    fail(runs / "run.6")
    result = wellposed(*JUDGE, "run.6", "--system", "a system")
    assert result.status == 1 and "error[WP646]: L0.abandon is broken by m1" in result.out
    (failure,) = report(runs)["scenarios"][0]["failures"]
    assert (failure["id"], failure["class"], failure["levels"], failure["runs"]) == (
        "L0.abandon/m1",
        "mechanism",
        ["L0"],
        [6],
    )
    assert [one["obligation"] for one in failure["follows"]] == ["K.reason", "K.closed"]
    assert {"file": "audit.jsonl", "line": 4, "tick": 4, "what": "abandoned"} in failure["evidence"]
    assert report(runs)["system"] == "a system"


def test_an_annulled_run_counts_for_nothing(runs: Path, wellposed: Command) -> None:
    shutil.copytree(runs / "run.1", runs / "run.6")
    edit(runs / "run.6" / "inbox.jsonl", "Hello", "Hallo")
    result = wellposed(*JUDGE, "run.6")
    assert result.status == 1 and "error[WP645]" in result.out and "annulled: run.6: " in result.out
    document = report(runs)
    assert document["levels"] == {"L0": "pass"} and document["summary"]["annulled"] == 1
    assert document["scenarios"][0]["runs"][5]["harness_errors"]


def test_json_is_the_report(runs: Path, wellposed: Command) -> None:
    result = wellposed(*JUDGE, "--format", "json")
    assert result.out == (runs / "report.json").read_text()


def test_the_report_does_not_depend_on_where_it_was_made(runs: Path, wellposed: Command) -> None:
    wellposed(*JUDGE)
    first = (runs / "report.json").read_bytes()
    wellposed("judge", "./hello.scenario", *(f"{runs}/run.{number}" for number in range(1, 6)))
    assert (runs / "report.json").read_bytes() == first
    assert str(runs).encode() not in first


def test_no_other_file_is_replaced(runs: Path, wellposed: Command) -> None:
    (runs / "report.json").write_text('{"mine": true}')
    result = wellposed(*JUDGE)
    assert result.status == 2 and "WP005" in result.err
    assert (runs / "report.json").read_text() == '{"mine": true}'
    (runs / "report.json").unlink()
    (runs / "report.json").symlink_to(runs / "elsewhere.json")
    assert wellposed(*JUDGE).status == 2 and not (runs / "elsewhere.json").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("judge",),
        ("judge", "hello.scenario"),
        ("judge", "nothing.scenario", "run.1"),
        ("judge", "hello.scenario", "nowhere"),
        ("judge", ".", "run.1"),
        ("judge", "--submission", "nowhere"),
        ("judge", "empty", "run.1"),
        ("judge", *JUDGE[1:], "--baseline", "nowhere.json"),
        ("board", "nowhere.json", "--out", "board"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], runs: Path, wellposed: Command) -> None:
    assert wellposed(*arguments).status == 2


def test_a_scenario_with_errors_judges_nobody(runs: Path, wellposed: Command) -> None:
    edit(runs / "hello.scenario", "level L0", "level L9")
    result = wellposed(*JUDGE)
    assert result.status == 1 and "hello.scenario" in result.out and not (runs / "report.json").exists()


def test_what_is_printed_is_harmless(runs: Path, wellposed: Command) -> None:
    edit(runs / "run.1" / "outbox.jsonl", "draft-m1-1", "::error::\\u001b[31m\\u202e##[group]")
    result = wellposed(*JUDGE)
    assert result.status == 1
    assert not {"\x1b", "\u202e"} & set(result.out) and "##[" not in result.out
    assert not any(line.startswith("::") for line in result.out.splitlines())
    assert "\\u{1b}[31m" in result.out and "\x1b" not in (runs / "report.json").read_text()


@pytest.mark.parametrize("name", ["sarif", "github", "junit", "concise"])
def test_other_formats(name: str, runs: Path, wellposed: Command) -> None:
    fail(runs / "run.2")
    result = wellposed(*JUDGE, "--format", name)
    assert result.status == 1 and "L0.abandon is broken by m1" in result.out


# The baseline


def test_a_baseline_that_holds(runs: Path, wellposed: Command) -> None:
    assert wellposed(*JUDGE, "--report", "old.json").status == 0
    assert wellposed(*JUDGE, "--baseline", "old.json").status == 0


@pytest.mark.parametrize("how", ("fails", "too few", "no runs", "another scenario"))
def test_a_level_that_passed_and_does_not(how: str, runs: Path, wellposed: Command) -> None:
    assert wellposed(*JUDGE, "--report", "old.json").status == 0
    arguments = list(JUDGE)
    if how == "fails":
        fail(runs / "run.1")
    elif how == "too few":
        arguments.pop()
    elif how == "no runs":
        edit(runs / "hello.scenario", "scenario hello", "scenario other")
    else:
        edit(runs / "hello.scenario", "horizon 20", "horizon 19")
    result = wellposed(*arguments, "--baseline", "old.json")
    assert result.status == 1
    assert "error[WP655]: hello L0 passed in the baseline" in result.out
    assert ("another hash" in result.out) is (how == "another scenario")


def test_what_never_passed_may_fail(runs: Path, wellposed: Command) -> None:
    fail(runs / "run.1")
    wellposed(*JUDGE, "--report", "old.json")
    assert "WP655" not in wellposed(*JUDGE, "--baseline", "old.json").out


@pytest.mark.parametrize("text", ["{}", "[]", "nothing", '{"format":"wellposed-judgement/1"}', '{"a":1,"a":2}', "\0"])
def test_a_baseline_that_is_none(text: str, runs: Path, wellposed: Command) -> None:
    (runs / "old.json").write_text(text)
    result = wellposed(*JUDGE, "--baseline", "old.json")
    assert result.status == 1 and "WP656" in result.out
    assert wellposed("board", "old.json", "--out", "board").status == 1 and not (runs / "board").exists()


# The submission

SUBMIT = ("judge", "--submission", "submission")


def test_a_submission(runs: Path, wellposed: Command) -> None:
    result = wellposed(*SUBMIT)
    assert (result.status, result.err) == (0, "")
    document = report(runs)
    assert document["system"] == "hello" and document["attempts"] == ["L0"] and document["levels"] == {"L0": "pass"}
    assert document["effort"] == {
        "harness_observed": {
            "runs": 5,
            "implementation": {"lines": 2, "files": 1, "other_files": 0},
            "adapters": {"lines": 1, "files": 1, "other_files": 0},
            "rules_translation": {"lines": 1, "files": 1, "other_files": 0},
        },
        "self_reported": {"development_hours": 3},
    }
    assert "self-reported: 3 hours" in result.out and "effort, not part of any result" in result.out


def test_lines_are_counted_mechanically(runs: Path, wellposed: Command) -> None:
    code = runs / "submission" / "implementation"
    (code / "deep" / "er").mkdir(parents=True)
    (code / "deep" / "er" / "b.py").write_text("a\n\n  \n\tb\n# c\nd")
    (code / "image").write_bytes(b"\0\1\2\n")
    (code / ".git").mkdir()
    (code / ".git" / "c.py").write_text("x\n")
    (code / "link.py").symlink_to(runs / "hello.scenario")
    wellposed(*SUBMIT)
    assert report(runs)["effort"]["harness_observed"]["implementation"] == {"lines": 6, "files": 2, "other_files": 1}


LACKING = {
    "no manifest": (lambda path: (path / "submission.json").unlink(), "WP660"),
    "a manifest that is none": (lambda path: (path / "submission.json").write_text("[]"), "WP660"),
    "no system": (lambda path: edit(path / "submission.json", '"hello"', "null"), "WP660"),
    "a system without a word": (lambda path: edit(path / "submission.json", '"hello"', '" "'), "WP660"),
    "a result of its own": (lambda path: edit(path / "submission.json", "{", '{"result":"pass",'), "WP660"),
    "no such level": (lambda path: edit(path / "submission.json", '"L0"', '"L7"'), "WP660"),
    "hours that are no number": (lambda path: edit(path / "submission.json", ":3", ':"3"'), "WP660"),
    "no implementation": (lambda path: shutil.rmtree(path / "implementation"), "WP660"),
    "no logs": (lambda path: shutil.rmtree(path / "logs"), "WP660"),
    "no runs": (lambda path: [shutil.rmtree(run) for run in (path / "logs" / "hello").glob("run.*")], "WP660"),
    "no disclosure": (lambda path: (path / "disclosure.md").unlink(), "WP660"),
    "a link to one": (lambda path: ((path / "disclosure.md").rename(path / "page.md"), (path / "disclosure.md").symlink_to("page.md")), "WP660"),
    "an invariant left out": (lambda path: edit(path / "disclosure.md", "## Continuity", "## Other"), "WP661"),
    "an invariant without a word": (lambda path: edit(path / "disclosure.md", "It derives its state from its logs.", ""), "WP661"),
    "no gaps": (lambda path: edit(path / "disclosure.md", "## Known gaps", ""), "WP661"),
    "a level without logs": (lambda path: edit(path / "submission.json", '["L0"]', '["L0","L2"]'), "WP662"),
}  # fmt: skip


@pytest.mark.parametrize("name", LACKING)
def test_a_submission_that_lacks_something(name: str, runs: Path, wellposed: Command) -> None:
    change, code = LACKING[name]
    change(runs / "submission")
    result = wellposed(*SUBMIT, "--format", "json")
    assert result.status == 1
    found = [one["code"] for one in json.loads(result.out)["findings"] if one["severity"] == "error"]
    assert found and set(found) <= {code, "WP662"}


def test_a_submission_without_adapters_is_complete(runs: Path, wellposed: Command) -> None:
    shutil.rmtree(runs / "submission" / "adapters")
    assert wellposed(*SUBMIT).status == 0
    assert report(runs)["effort"]["harness_observed"]["adapters"]["lines"] == 0


def classify(runs: Path, **members: str) -> None:
    line = {
        "scenario": "hello",
        "failure": "L0.abandon/m1",
        "class": "fixture-defect",
        "justification": "The clock stood.",
    }
    line |= members
    (runs / "submission" / "classification.jsonl").write_text(json.dumps(line) + "\n")


def test_a_defect_of_the_fixture_is_annulled_and_listed(runs: Path, wellposed: Command) -> None:
    fail(runs / "submission" / "logs" / "hello" / "run.1")
    classify(runs)
    result = wellposed(*SUBMIT)
    assert result.status == 3 and "warning[WP665]" in result.out and "The clock stood." in result.out
    document = report(runs)
    assert document["levels"] == {"L0": "inconclusive"}
    (failure,) = document["scenarios"][0]["failures"]
    assert (failure["class"], failure["justification"]) == ("fixture-defect", "The clock stood.")
    assert document["scenarios"][0]["levels"]["L0"]["runs"].count("annulled") == 1


def test_an_adapters_failure_is_a_failure(runs: Path, wellposed: Command) -> None:
    fail(runs / "submission" / "logs" / "hello" / "run.1")
    classify(runs, **{"class": "adapter"})
    assert wellposed(*SUBMIT).status == 1
    assert report(runs)["scenarios"][0]["failures"][0]["class"] == "adapter"


@pytest.mark.parametrize(
    "members",
    [
        {"justification": ""},
        {"justification": "  "},
        {"class": "bad luck"},
        {"failure": "L2.send/m1"},
        {"scenario": "other"},
    ],
)
def test_a_classification_that_cannot_be_used(members: dict[str, str], runs: Path, wellposed: Command) -> None:
    fail(runs / "submission" / "logs" / "hello" / "run.1")
    classify(runs, **members)
    result = wellposed(*SUBMIT)
    assert result.status == 1 and "WP663" in result.out
    assert report(runs)["levels"] == {"L0": "fail"}


def test_a_failure_is_classified_once(runs: Path, wellposed: Command) -> None:
    fail(runs / "submission" / "logs" / "hello" / "run.1")
    classify(runs)
    path = runs / "submission" / "classification.jsonl"
    path.write_text(path.read_text() + path.read_text().replace("fixture-defect", "mechanism"))
    result = wellposed(*SUBMIT)
    assert result.status == 1 and "classification.jsonl:2" in result.out and "classified already" in result.out


def test_a_line_of_the_classification_ends_with_a_line_feed_alone(runs: Path, wellposed: Command) -> None:
    fail(runs / "submission" / "logs" / "hello" / "run.1")
    classify(runs, justification="The clock\u2028stood.\x85")
    wellposed(*SUBMIT)
    assert report(runs)["scenarios"][0]["failures"][0]["justification"] == "The clock\u2028stood.\x85"


def test_a_disclosure_may_have_other_line_ends(runs: Path, wellposed: Command) -> None:
    path = runs / "submission" / "disclosure.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert wellposed(*SUBMIT).status == 0


def test_a_submission_without_a_name_is_none(wellposed: Command, runs: Path) -> None:
    assert wellposed("judge", "--submission", "").status == 2


def test_only_the_bundles_named_count(runs: Path, wellposed: Command) -> None:
    wellposed("build", "hello.scenario", "--out", "built")
    assert wellposed(*SUBMIT, "built/hello").status == 0
    edit(runs / "hello.scenario", "within 10", "within 11")
    wellposed("build", "hello.scenario", "--out", "built")
    (runs / "report.json").unlink()
    result = wellposed(*SUBMIT, "built/hello")
    assert result.status == 1 and "WP664" in result.out and not (runs / "report.json").exists()


# The board


def test_a_board(runs: Path, wellposed: Command) -> None:
    wellposed(*SUBMIT, "--report", "good.json")
    fail(runs / "run.2")
    wellposed(*JUDGE, "--system", "a | <b>", "--report", "bad.json")
    result = wellposed("board", "good.json", "bad.json", "--out", "board")
    assert (result.status, result.err) == (0, "")
    assert "hello: 2 systems, pairs told apart: 1 of 1, by levels: L0" in result.out
    page, text = ((runs / "board" / name).read_text() for name in ("board.html", "board.md"))
    assert "a | &lt;b&gt;" in page and "<b>" not in page and "<script" not in page
    assert "| a \\| \\<b\\> | **fail**<br>model\\-based, 4 of 5 runs, 0 forced |" in text
    assert "| hello | **pass**<br>model\\-based, 5 of 5 runs, 0 forced |" in text
    assert "| hello | 5 | 2 lines | 1 line | 1 line | 3 hours \\(self\\-reported\\) |" in text
    assert "an impression, not a statistic" in page.replace("&#x27;", "'")


def test_systems_that_cluster(runs: Path, wellposed: Command) -> None:
    for name in ("one", "two", "three"):
        wellposed(*JUDGE, "--system", name, "--report", f"{name}.json")
    result = wellposed("board", "one.json", "two.json", "three.json", "--out", "board")
    assert "pairs told apart: 0 of 3, by levels: none" in result.out
    text = (runs / "board" / "board.md").read_text()
    assert "No two systems are told apart by hello" in text and "agree at L0" in text


def test_reports_without_a_name_are_named_after_their_files(runs: Path, wellposed: Command) -> None:
    wellposed(*JUDGE, "--report", "mine.json")
    assert "mine: L0 pass" in wellposed("board", "mine.json", "--out", "board").out


def test_a_judgement_counts_once(runs: Path, wellposed: Command) -> None:
    wellposed(*JUDGE, "--system", "one", "--report", "one.json")
    (runs / "two.json").write_text((runs / "one.json").read_text())
    result = wellposed("board", "one.json", "one.json", "two.json", "--out", "board")
    assert result.status == 1 and result.out.count("WP649") == 2
    assert "5 of 5 runs" in (runs / "board" / "board.html").read_text()


def test_two_systems_without_a_name_are_two(runs: Path, wellposed: Command) -> None:
    fail(runs / "run.2")
    for name in ("a", "b"):
        (runs / name).mkdir()
    wellposed(*JUDGE, "--report", "a/report.json")
    wellposed("judge", "hello.scenario", "run.1", "--report", "b/report.json")
    out = wellposed("board", "a/report.json", "b/report.json", "--out", "board").out
    assert "a/report.json: L0 fail" in out and "b/report.json: L0 inconclusive" in out


HOSTILE = (
    "<script>alert(1)</script>",
    "</td></tr></table><h1>x",
    "a|b\\|c",
    "**bold** [link](javascript:alert(1)) ![i](https://example.test/x.png)",
    "`code` ~~s~~ <!-- & &lt; &#60;",
    "\u202etxet\u202c \u200b\u2066x",
    "\x1b[31mred\x07",
    "::error::x ##[group]y",
    "line\nbreak\r\u2028\u2029\x85",
    "w" * 10_000,
    "=1+1",
    "- list",
    "1. list",
    "\u0628\u0629 \u05d0",
    '" onmouseover="alert(1)',
    "{{ template }} ${x} %s",
)


def test_a_board_of_forty_systems_with_names_of_any_kind(runs: Path, wellposed: Command) -> None:
    wellposed(*SUBMIT, "--report", "base.json")
    base = json.loads((runs / "base.json").read_text())
    names = [*HOSTILE, *(f"system {number}" for number in range(len(HOSTILE), 40))]
    for number, name in enumerate(names):
        (runs / f"{number}.json").write_text(json.dumps(base | {"system": name}))
    result = wellposed("board", *(f"{number}.json" for number in range(40)), "--out", "board")
    assert (result.status, result.err) == (0, "")
    page, text = ((runs / "board" / name).read_text(encoding="utf-8") for name in ("board.html", "board.md"))
    for output in (page, text, result.out):
        assert not [
            one
            for one in output
            if (one < " " and one != "\n") or one in "\x7f\x85\u200b\u202c\u202e\u2028\u2029\u2066"
        ]
        assert "##[" not in output and not any(line.lstrip().startswith("::") for line in output.split("\n"))
    parser = _Tags()
    parser.feed(page)
    assert parser.unknown == [] and parser.rows == 40 + 1 + 40 + 1 + 1 + 1
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert len(rows) == 2 + 40 + 2 + 40 + 2 + 1
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in rows[:42]} == {9}
    assert not re.search(r"(?<!\\)[<\[`](?!br>)", "\n".join(rows))


class _Tags(HTMLParser):
    """The elements of a page, and the rows of its tables."""

    def __init__(self) -> None:
        super().__init__()
        self.unknown: list[str] = []
        self.rows = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.rows += tag == "tr"
        known = (
            "html head meta title style body main header h1 h2 p table caption thead tbody tr th td span br ul li div"
        )
        wrong = [name for name, _ in attrs if name.startswith("on") or name in ("href", "src")]
        if tag not in known.split() or wrong:
            self.unknown.append(f"{tag} {wrong}")


def test_annulled_defects_are_on_the_board(runs: Path, wellposed: Command) -> None:
    fail(runs / "submission" / "logs" / "hello" / "run.1")
    classify(runs)
    wellposed(*SUBMIT)
    wellposed("board", "report.json", "--out", "board")
    assert "hello, hello, L0\\.abandon" not in (runs / "board" / "board.html").read_text()
    assert "The clock stood." in (runs / "board" / "board.html").read_text()
    assert "The clock stood." in (runs / "board" / "board.md").read_text()


# The schema


@pytest.mark.parametrize(
    "broken",
    [
        lambda report: report.update(format="wellposed-judgement/2"),
        lambda report: report.update(time="12:00"),
        lambda report: report["levels"].update(L0="good"),
        lambda report: report["levels"].update(L7="pass"),
        lambda report: report["scenarios"][0].update(bundle="sha256:abc"),
        lambda report: report["scenarios"][0]["failures"][0].update({"class": "bad luck"}),
        lambda report: report["scenarios"][0]["failures"][0].pop("evidence"),
        lambda report: report["scenarios"][0]["levels"]["L0"]["runs"].append("skipped"),
        lambda report: report["scenarios"][0]["runs"][0].update(origin="copied"),
        lambda report: report["effort"]["self_reported"].update(development_hours=-1),
        lambda report: report["findings"].append({"code": "WP646"}),
        lambda report: report["summary"].pop("annulled"),
    ],
)
def test_the_schema_is_closed(broken: Callable[[Any], object], runs: Path, wellposed: Command) -> None:
    fail(runs / "submission" / "logs" / "hello" / "run.1")
    wellposed(*SUBMIT)
    document = report(runs)
    broken(document)
    assert list(violations("judgement", document))


# A report that contradicts itself


EDITED: dict[str, Callable[[Any], object]] = {
    "a level": lambda report: report["levels"].update(L0="pass"),
    "a result": lambda report: report["scenarios"][0]["levels"]["L0"].update(result="pass"),
    "a result and the level": lambda report: (
        report["levels"].update(L0="pass"),
        report["scenarios"][0]["levels"]["L0"].update(result="pass"),
    ),
    "all of its runs": lambda report: (
        report["levels"].update(L0="pass"),
        report["scenarios"][0]["levels"]["L0"].update(result="pass", runs=["pass"] * 5),
    ),
    "fewer runs": lambda report: report["scenarios"][0]["levels"]["L0"]["runs"].pop(),
    "no such level": lambda report: report["scenarios"][0]["levels"].clear(),
    "an expectation": lambda report: report["scenarios"][0]["expectations"][0].update(result="fail"),
    "a failure that is gone": lambda report: report["scenarios"][0]["failures"].clear(),
    "a failure of another run": lambda report: report["scenarios"][0]["failures"][0].update(runs=[2]),
    "a failure of no run": lambda report: report["scenarios"][0]["runs"][0]["failures"].clear(),
    "a class without a justification": lambda report: report["scenarios"][0]["failures"][0].update(
        {"class": "fixture-defect"}
    ),
    "a class": lambda report: report["scenarios"][0]["failures"][0].update(
        {"class": "fixture-defect", "justification": "So it was."}
    ),
    "a run that is annulled": lambda report: report["scenarios"][0]["runs"][0].update(result="annulled"),
    "the forced advances": lambda report: report["scenarios"][0].update(forced_advances=3),
    "the origin": lambda report: report["scenarios"][0].update(origin="model-free"),
    "the origin of a run": lambda report: report["scenarios"][0]["runs"][0].update(origin="model-free"),
    "the summary": lambda report: report["summary"].update(runs=50),
}


@pytest.mark.parametrize("name", EDITED)
def test_an_edited_report_is_none(name: str, runs: Path, wellposed: Command) -> None:
    """In one place, or in as many as come to mind: for the rest there are the logs."""
    fail(runs / "run.1")
    wellposed(*JUDGE)
    document = report(runs)
    EDITED[name](document)
    (runs / "edited.json").write_text(json.dumps(document))
    assert list(violations("judgement", document)) == []
    result = wellposed("board", "edited.json", "--out", "board")
    assert result.status == 1 and "WP656" in result.out and not (runs / "board").exists()
    result = wellposed(*JUDGE, "--baseline", "edited.json")
    assert result.status == 1 and "WP656" in result.out


def test_every_true_report_is_one(runs: Path, wellposed: Command) -> None:
    """With failures, annulled runs, defects of the fixture, and none of these."""
    assert wellposed(*JUDGE, "--report", "1.json").status == 0
    fail(runs / "run.1")
    wellposed(*JUDGE, "--report", "2.json")
    (runs / "run.2" / "inbox.jsonl").write_text("")
    wellposed(*JUDGE, "--report", "3.json")
    (runs / "run.3" / "run.jsonl").unlink()
    wellposed(*JUDGE[:5], "--report", "4.json")
    fail(runs / "submission" / "logs" / "hello" / "run.1")
    classify(runs)
    wellposed(*SUBMIT, "--report", "5.json")
    for number in range(1, 6):
        result = wellposed("board", f"{number}.json", "--out", "board")
        assert "WP656" not in result.out and "hello" in (runs / "board" / "board.md").read_text()
