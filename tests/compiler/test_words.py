"""Skins: they change what is read, and of a bundle the name of the skin alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from wellposed.cli.main import main
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.words import _PHRASES, retelling
from wellposed.dsl.source import read_source
from wellposed.dsl.vocabulary import SKIN_WORDS
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify

ROOT = Path(__file__).resolve().parents[2]
SKIN = (ROOT / "scenarios/skins/incident-response.skin").read_text(encoding="utf-8")
LIBRARY = sorted((ROOT / "scenarios").glob("*.scenario"))
DEFECTS = sorted((ROOT / "examples/defects").glob("*/defect.scenario"))


def dressed(path: Path, skin: str | None) -> Bundle:
    """The first scenario of a file, in the skin `incident-response` or the built-in one."""
    text = path.read_text(encoding="utf-8")
    if skin is not None:
        text = re.sub(r"^(  level +L\d.*)$", rf"\1\n  skin {skin}", text, count=1, flags=re.MULTILINE)
        text = f"{text}\n{SKIN}"
    source, _ = read_source(path.relative_to(ROOT).as_posix(), text.encode())
    assert source is not None
    bundle = compile_source(source, Importer(FolderReader())).scenarios[0].bundle
    assert bundle is not None
    return bundle


def compiled(paths: list[Path]) -> list[Path]:
    return [path for path in paths if not re.search(r"rejected +invalid", path.read_text(encoding="utf-8"))]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("path", compiled([*LIBRARY, *DEFECTS]), ids=lambda path: path.parent.name + "/" + path.stem)
def test_two_skins_make_bundles_that_differ_in_the_skin_alone(path: Path) -> None:
    plain, other = dressed(path, None), dressed(path, "incident-response")
    assert (plain.document["skin"], other.document["skin"]) == ("support-desk", "incident-response")
    assert {**other.document, "skin": "support-desk"} == plain.document
    assert other.raw == plain.raw.replace(b'"skin":"support-desk"', b'"skin":"incident-response"')


def shape(found: Verification) -> object:
    """A verification without the words of its runs, core and findings."""
    runs = [[(event.tick, event.data) for event in run] for run in (found.passing, found.failing)]
    core = [(member.obligation, member.pointer) for member in found.core]
    codes = [(finding.code, finding.severity) for finding in found.findings]
    return found.verdict, found.levels, found.expectations, found.outcomes, core, runs, codes


def texts(found: Verification) -> list[str]:
    runs = [event.text for run in (found.passing, found.failing) for event in run]
    return runs + [member.text for member in found.core]


@pytest.mark.parametrize("path", compiled([*LIBRARY, *DEFECTS]), ids=lambda path: path.parent.name + "/" + path.stem)
def test_a_skin_changes_no_verdict_and_no_run(path: Path) -> None:
    plain, other = verify(dressed(path, None)), verify(dressed(path, "incident-response"))
    assert shape(plain) == shape(other)
    for text in texts(other):
        assert not re.search(r"\breply\b|\bagents?\b", text), text


def test_every_phrase_is_one_that_the_tool_says() -> None:
    """No rule is left over from a sentence that the tool does not say any more."""
    said = {text for path in compiled([*LIBRARY, *DEFECTS]) for text in texts(verify(dressed(path, None)))}
    said |= {"two agents claim m1", "an agent wins m1", "approve oldest draft of m1", "agent dies, holding m1"}  # of narrate.py
    said |= {"one agent wins m1, the other stands down"}
    assert [rule for _, rule, _ in _PHRASES if not any(re.search(rule, text) for text in said)] == []
    assert {word for word, _, _ in _PHRASES} == set(SKIN_WORDS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("deliver m1 again", "deliver alert m1 again"),
        ("admits m1", "admits m1 as an incident"),
        ("drafts a reply to m1 (draft 2)", "drafts a proposed remediation for m1 (draft 2)"),
        ("sends the reply to m1 in conversation c, with the anchor of c", "sends the remediation for m1 in conversation c, with the anchor of c"),
        ("agent dies, holding m1", "responder dies, holding m1"),
        ("two agents claim m1", "a responder and another claim m1"),
        ("`the reply to m1` and the reply", "`the reply to m1` and the remediation"),
        ("escalate m1", "escalate m1"),
    ],
)
def test_what_is_said_instead(text: str, told: str) -> None:
    skin = dressed(LIBRARY[0], "incident-response").skin
    assert retelling(skin)(text) == told
    assert retelling(None)(text) == retelling(dressed(LIBRARY[0], None).skin)(text) == text


def test_words_that_a_skin_does_not_have_stay_plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.compiler.test_words.SKIN", 'skin incident-response { agent "\\\\1 responder" }')
    skin = dressed(LIBRARY[0], "incident-response").skin
    assert retelling(skin)("agent dies, holding m1") == "\\1 responder dies, holding m1"
    assert retelling(skin)("sends the reply to m1") == "sends the reply to m1"


def test_a_bundle_is_told_in_plain_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    race = (ROOT / "examples/defects/l6-escalation-one-tick-late/defect.scenario").read_text(encoding="utf-8")
    race = re.sub(r"  rejected[^\n]*\n", "  skin incident-response\n", race)
    (tmp_path / "race.scenario").write_text(f"{race}\n{SKIN}", encoding="utf-8")
    assert main(["build", str(tmp_path / "race.scenario"), "--out", str(tmp_path / "built")]) == 0
    capsys.readouterr()
    said = []
    for path in (tmp_path / "race.scenario", tmp_path / "built"):
        assert main(["check", "--format", "json", str(path)]) == 1
        said.append(json.dumps(json.loads(capsys.readouterr().out)["findings"]))
    assert "sends the remediation for m1" in said[0] and "the reply" not in said[0]
    assert "sends the reply to m1" in said[1] and "remediation" not in said[1]
