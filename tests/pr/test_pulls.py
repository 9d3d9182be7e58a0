"""Every pull request of the table: its verdict is the one that it deserves, and its report is the one that was read.

The reports are files in `expected/`, each below a line with the intent of the pull request and a line with the verdict that
it deserves, so that whoever changes a text reads it against both. `UPDATE_EXPECTED=1` writes what came out.
"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.test_formats import _well_formed
from tests.pr.pulls import ACCEPT, BY_NAME, NONE, PERSON, PULLS, REJECT
from tests.pr.repository import Sample

from wellposed.cli.main import main
from wellposed.cli.render import formats, pr_json, pr_markdown, pr_text
from wellposed.cli.render.colour import Palette
from wellposed.cli.render.escape import defuse
from wellposed.cli.render.view import View
from wellposed.cli.review.pull import Pull
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.schemas import violations
from wellposed.dsl.codes import BY_ID

EXPECTED = Path(__file__).parent / "expected"
NAMES = [one.name for one in PULLS]
RENDERED = {
    "txt": lambda pull: pr_text.render(pull, Palette(False), View()),
    "md": pr_markdown.render,
}
Reviewed = Callable[[str], Pull]


def test_every_kind_of_verdict_is_there() -> None:
    assert {one.deserves for one in PULLS} == {ACCEPT, PERSON, REJECT, NONE}
    assert len(PULLS) >= 20 and len(BY_NAME) == len(PULLS)


@pytest.mark.parametrize("name", NAMES)
def test_the_verdict_is_the_one_that_it_deserves(name: str, reviewed: Reviewed) -> None:
    pull = reviewed(name)
    assert pull.verdict == BY_NAME[name].deserves
    first = pr_text.render(pull, Palette(False), View()).split("\n")[0]
    assert first.startswith(f"{pull.verdict}: ") and len(first) > len(pull.verdict) + 20


@pytest.mark.parametrize("ending", RENDERED)
@pytest.mark.parametrize("name", NAMES)
def test_the_report_is_the_one_that_was_read(name: str, ending: str, reviewed: Reviewed) -> None:
    made = BY_NAME[name]
    text = defuse(RENDERED[ending](reviewed(name)))
    text = f"intent: {made.intent}\ndeserves: {made.deserves}\n\n{text}"
    golden = EXPECTED / f"{name}.{ending}"
    if os.environ.get("UPDATE_EXPECTED"):
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_bytes().decode()


def test_no_report_is_left_over() -> None:
    assert {path.name for path in EXPECTED.iterdir()} == {f"{name}.{ending}" for name in NAMES for ending in RENDERED}


@pytest.mark.parametrize("name", NAMES)
def test_json_fits_its_schema(name: str, reviewed: Reviewed) -> None:
    document = json.loads(pr_json.render(reviewed(name)))
    assert list(violations("pr", document)) == []
    assert document["verdict"] == (None if BY_NAME[name].deserves == NONE else BY_NAME[name].deserves.replace(" ", "-"))


@pytest.mark.parametrize("format", formats.MACHINE)
@pytest.mark.parametrize("name", NAMES)
def test_the_formats_for_programs_are_whole(name: str, format: str, reviewed: Reviewed) -> None:
    pull = reviewed(name)
    text = formats.render(format, pull.report)
    _well_formed(format, text)
    assert all(one.code in text for one in pull.report.findings)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_printed_is_a_command_or_turns_the_text(name: str, reviewed: Reviewed) -> None:
    pull = reviewed(name)
    for text in (*(defuse(render(pull)) for render in RENDERED.values()), pr_json.render(pull)):
        assert not re.search(r"(?m)^\s*::", text) and "##[" not in text
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
        assert "\udcff" not in text


@pytest.mark.parametrize("name", NAMES)
def test_a_summary_holds_no_mark_of_a_stranger(name: str, reviewed: Reviewed) -> None:
    """Outside of fences the only HTML is our own, and nothing is a link, an image or a mention."""
    text = pr_markdown.render(reviewed(name))
    assert len(text) <= LIMITS.markdown_length
    outside = re.sub(r"(?ms)^(`{3,})text\n.*?^\1$", "", text)
    own = re.sub(r"<!-- -->|</?details>|<summary>|</summary>", "", outside)
    own = re.sub(r"\\.", "", own)
    assert not re.search(r"[<>`\[]", own)
    assert not re.search(r"@\w|#\d|://|\bwww\.", html.unescape(re.sub(r"\\(.)", r"\1", outside)))


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_tells_what_to_do(name: str, reviewed: Reviewed) -> None:
    for finding in reviewed(name).report.findings:
        assert finding.code in BY_ID and finding.message
        if finding.code in ("WP944", "WP948") or finding.code >= "WP950":
            assert finding.help


@pytest.mark.parametrize(("name", "status"), [("honest-new-scenario", 0), ("workflow-edit", 0), ("leaked-sealed-source", 1), ("empty", 2)])
def test_the_command(name: str, status: int, sample: Sample, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit status is the same in every format; what a person has to decide is an error where warnings are denied."""
    BY_NAME[name].put(sample)
    monkeypatch.chdir(sample.repo)
    for format in ("text", "concise", "json", "sarif", "github", "junit", "markdown"):
        assert main(["pr", "--base", "main", "--head", "topic", "--format", format]) == status
        out = capsys.readouterr().out
        assert out
        if format in ("text", "concise", "github", "markdown"):
            assert out.removeprefix("## ").startswith(f"{BY_NAME[name].deserves}: ")
        if format == "github":
            _well_formed("github", out)
    denied = 1 if BY_NAME[name].deserves == PERSON else status
    assert main(["pr", "--base", "main", "--deny", "warnings", "-q", "--repo", str(sample.repo), "--output-file", str(sample.top / "out")]) == denied
    assert (sample.top / "out").read_text().startswith(f"{BY_NAME[name].deserves}: ")



def test_the_manual_shows_a_report_as_it_is() -> None:
    report = (EXPECTED / "loosened-under-a-typo.txt").read_text().split("\n\n", 1)[1]
    assert f"```text\n{report}```\n" in (EXPECTED.parents[2] / "docs" / "cli.md").read_text()
