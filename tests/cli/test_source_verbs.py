"""`decompile` and `adopt`: a source as the result, what was found beside it, and nothing where there is no source."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wellposed.dsl.codes import BY_ID

Command = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]

MAIL = '{"id":"m1","conversation_id":"order","from":"ada@example.test","subject":"Hi","body":"Hello.","at":0}\n'


@pytest.fixture
def fixture(folder: Path) -> Path:
    """A fixture folder `l4-stop` in the working directory."""
    path = folder / "l4-stop"
    path.mkdir()
    (path / "inbox.jsonl").write_text(MAIL)
    (path / "signals.jsonl").write_text('{"signal_id":"s","type":"OPERATOR_ESCALATION","target":"work:m1","at":2}\n')
    return path


def test_decompile_gives_the_hash_back(wellposed: Command, folder: Path) -> None:
    built = wellposed("build", "hello.scenario", "race.scenario", "--out", "built").out
    for name in ("hello", "race"):
        result = wellposed("decompile", f"built/{name}")
        assert (result.status, result.err) == (0, "")
        assert wellposed("decompile", f"built/{name}/bundle.json").out == result.out
        raw = (folder / "built" / name / "bundle.json").read_bytes()
        assert wellposed("decompile", "-", stdin=raw).out == result.out
        written = wellposed("decompile", f"built/{name}", "--out", f"empty/{name}.scenario")
        assert (written.status, written.out, written.err) == (0, "", "")
        assert (folder / "empty" / f"{name}.scenario").read_text() == result.out
        assert wellposed("decompile", f"built/{name}", "--output-file", "x").out == ""
        assert (folder / "x").read_text() == result.out
    assert wellposed("build", "empty", "--out", "again").out == built


def test_decompile_as_json(wellposed: Command, folder: Path) -> None:
    wellposed("build", "hello.scenario", "--out", "built")
    report = json.loads(wellposed("decompile", "built/hello", "--format", "json").out)
    assert [one["id"] for one in report["scenarios"]] == ["hello"]
    assert report["findings"] == []
    wellposed("decompile", "built/hello", "--format", "json", "--out", "again.scenario")
    assert (folder / "again.scenario").read_text().startswith("scenario hello {")


def test_decompile_says_what_has_no_source(wellposed: Command) -> None:
    sealed = BY_ID["WP760"].bad.raw
    result = wellposed("decompile", "-", "--out", "x.scenario", stdin=sealed)
    assert result.status == 1
    assert result.out.startswith("error[WP760]: no source says this: a seal is put on a bundle, it is not written\n")
    assert "--> stdin.json#/seal" in result.out
    assert not Path("x.scenario").exists()


def test_decompile_needs_one_whole_bundle(wellposed: Command, folder: Path) -> None:
    wellposed("build", "hello.scenario", "race.scenario", "--out", "built")
    assert wellposed("decompile", "built").err == (
        "wellposed: error[WP004]: built holds several bundles, and one is due here\n"
    )
    assert wellposed("decompile", "hello.scenario").status == 2
    assert wellposed("decompile", "nowhere").status == 2
    assert wellposed("decompile", "-", stdin=b"{}").status == 1
    (folder / "built" / "hello" / "mode.json").write_text("{}")
    broken = wellposed("decompile", "built/hello")
    assert (broken.status, "WP753" in broken.out, "scenario hello" in broken.out) == (1, True, False)
    # The map is no part of the bundle: without it there is a warning, and the source all the same.
    (folder / "built" / "race" / "bundle.map.json").write_text("{}")
    warned = wellposed("decompile", "built/race")
    assert warned.status == 0
    assert warned.out.startswith("scenario race {")
    assert warned.err.startswith("wellposed: built/race/bundle.map.json: warning[WP756]: ")
    assert wellposed("decompile", "built/race", "-q").err == ""
    assert wellposed("decompile", "built/race", "--deny", "warnings").status == 1


def test_adopt_prints_the_source_and_the_report(wellposed: Command, fixture: Path, folder: Path) -> None:
    result = wellposed("adopt", "l4-stop")
    assert result.status == 0
    assert result.out.startswith("# Adopted from the fixture folder l4-stop.\n")
    assert "scenario l4-stop {\n  level   L4\n  horizon 22\n  invariants only expect\n" in result.out
    lines = result.err.splitlines()
    assert "wellposed: taken: inbox.jsonl: 1 record" in lines
    assert "wellposed: l4-stop: note[WP775]: the level is L4, as in the name of the folder" in lines
    assert wellposed("adopt", "l4-stop", "-q").err == ""
    written = wellposed("adopt", "l4-stop/", "--out", "adopted.scenario")
    assert (written.status, written.out) == (0, "")
    assert (folder / "adopted.scenario").read_text() == result.out
    assert wellposed("check", "--no-verify", "adopted.scenario").status == 0


def test_adopt_is_the_same_from_inside(wellposed: Command, fixture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = wellposed("adopt", "l4-stop").out
    monkeypatch.chdir(fixture)
    assert wellposed("adopt", ".").out == outside
    assert wellposed("adopt", str(fixture)).out == outside


def test_what_is_dropped_is_a_warning(wellposed: Command, fixture: Path) -> None:
    (fixture / "inbox.jsonl").write_text(MAIL.replace("{", '{"priority":1,'))
    result = wellposed("adopt", "l4-stop")
    assert (result.status, "#   `priority` has no meaning here (inbox.jsonl:1)\n" in result.out) == (0, True)
    assert "l4-stop/inbox.jsonl:1:13: warning[WP774]: `priority` has no meaning here" in result.err
    assert wellposed("adopt", "l4-stop", "--deny", "warnings").status == 1
    report = json.loads(wellposed("adopt", "l4-stop", "--format", "json").out)
    assert {one["code"] for one in report["findings"]} == {"WP774", "WP775"}


def test_adopt_refuses_at_the_line(wellposed: Command, fixture: Path) -> None:
    (fixture / "inbox.jsonl").write_text(MAIL + "\n" + MAIL.replace('"m1"', '"m2"').replace('"at":0', '"at":"0"'))
    result = wellposed("adopt", "l4-stop", "--format", "concise")
    assert result.status == 1
    assert result.out == "l4-stop/inbox.jsonl:3:100: error[WP772]: `at` is a whole number, 0 or more\n"
    quoted = wellposed("adopt", "l4-stop").out
    assert '3 | {"id":"m2"' in quoted
    assert quoted.rstrip().endswith("^^^")


def test_adopt_without_a_fixture(wellposed: Command, folder: Path) -> None:
    assert wellposed("adopt", "empty").out.startswith("error[WP770]: there is no inbox.jsonl in this folder")
    assert wellposed("adopt", "empty").status == 1
    assert wellposed("adopt", "hello.scenario").out.startswith("error[WP752]: a file where a folder is due")
    for path in ("nowhere", "", "a\0b", "hello.scenario/x"):
        result = wellposed("adopt", path)
        assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
        assert "does not exist" in result.err


def test_a_built_folder_is_the_business_of_decompile(wellposed: Command, folder: Path) -> None:
    wellposed("build", "race.scenario", "--out", "built")
    result = wellposed("adopt", "built/race")
    assert (result.status, "`wellposed decompile` gives its source" in result.out) == (1, True)
    (folder / "built" / "race" / "bundle.json").unlink()
    adopted = wellposed("adopt", "built/race")
    assert adopted.status == 0
    (folder / "adopted.scenario").write_text(adopted.out)
    ours = json.loads(wellposed("check", "adopted.scenario", "--format", "json").out)["scenarios"][0]
    theirs = json.loads(wellposed("check", "race.scenario", "--format", "json").out)["scenarios"][0]
    # Only the title and the horizon are in no file but the bundle.
    assert (ours["verdict"], ours["levels"]) == (theirs["verdict"], theirs["levels"])


def test_the_example_of_the_page(wellposed: Command, folder: Path) -> None:
    page = (ROOT / "docs" / "adopting.md").read_text()
    inbox, signals, invariants = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    path = folder / "l4-operator-escalation"
    path.mkdir()
    for name, text in (("inbox.jsonl", inbox), ("signals.jsonl", signals), ("invariants.json", invariants)):
        (path / name).write_text(text)
    (due,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    assert wellposed("adopt", "l4-operator-escalation").out == due
