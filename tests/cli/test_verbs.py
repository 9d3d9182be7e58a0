"""`build`, `bundle check`, `explain`, `spec` and the options of `check`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wellposed.dsl.codes import TABLE
from wellposed.dsl.vocabulary import LEVELS, OBLIGATIONS

Command = Callable[..., Any]


def _hash(path: Path) -> str:
    return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()


def test_build_writes_folders_and_prints_hashes(wellposed: Command, folder: Path) -> None:
    result = wellposed("build", "hello.scenario", "race.scenario", "--out", "built/here")
    assert (result.status, result.err) == (0, "")
    built = folder / "built" / "here"
    lines = [f"{_hash(built / name / 'bundle.json')}  {name}\n" for name in ("hello", "race")]
    assert result.out == "".join(lines)
    assert sorted(path.name for path in built.iterdir()) == ["hello", "race"]
    # What was built lies among the sources now; it has the same ids, and the same contents.
    assert wellposed("build", ".", "--out", "built/here").out == result.out
    (folder / "race.scenario").write_text((folder / "race.scenario").read_text().replace("at 13", "at 12"))
    stale = wellposed("build", ".", "--out", "elsewhere", "--format", "concise")
    assert (stale.status, stale.out.count("error[WP225]")) == (1, 1)
    assert not (folder / "elsewhere").exists()


def test_build_is_the_same_from_anywhere(wellposed: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = wellposed("build", "race.scenario", "--out", "one").out
    (folder / "crlf.scenario").write_bytes((folder / "race.scenario").read_bytes().replace(b"\n", b"\r\n"))
    crlf = wellposed("build", "crlf.scenario", "--out", "two").out
    monkeypatch.chdir(folder / "empty")
    assert wellposed("build", "../race.scenario", "--out", "three").out == here
    assert wellposed("build", str(folder / "race.scenario"), "--out", "three").out == here
    assert crlf == here


def test_build_writes_nothing_where_there_are_errors(wellposed: Command, folder: Path) -> None:
    (folder / "bad.scenario").write_text("scenario bad { level L9 horizon 5 }\n")
    result = wellposed("build", "hello.scenario", "bad.scenario", "--out", "built")
    assert result.status == 1
    assert "WP206" in result.out
    assert "sha256" not in result.out
    assert result.err == "wellposed: nothing was built\n"
    assert not (folder / "built").exists()


def test_build_leaves_out_what_is_rejected_on_purpose(wellposed: Command, folder: Path) -> None:
    text = (folder / "race.scenario").read_text()
    (folder / "race.scenario").write_text(text.replace("horizon 40", 'horizon 40 rejected ambiguous WP501 "a race"'))
    result = wellposed("build", "hello.scenario", "race.scenario", "--out", "built")
    assert (result.status, result.err) == (0, "wellposed: race is rejected on purpose and is not built\n")
    assert [path.name for path in (folder / "built").iterdir()] == ["hello"]


def test_build_check(wellposed: Command, folder: Path) -> None:
    sources = ("hello.scenario", "race.scenario")
    built = wellposed("build", *sources, "--out", "built")
    same = wellposed("build", *sources, "--check", "built")
    assert (same.status, same.out) == (0, built.out)
    (folder / "built" / "hello" / "mode.json").write_bytes(b"{}\n")
    changed = wellposed("build", *sources, "--check", "built", "--format", "concise")
    assert changed.status == 1
    assert changed.out.startswith("built/hello/mode.json: error[WP753]: line 1 is not what the bundle derives")
    wellposed("build", *sources, "--out", "built")
    text = (folder / "race.scenario").read_text().replace("at 13", "at 12")
    (folder / "race.scenario").write_text(text)
    assert "error[WP755]" in wellposed("build", *sources, "--check", "built").out
    fewer = wellposed("build", "hello.scenario", "--check", "built", "--format", "concise")
    assert fewer.out == "built/race: error[WP007]: this folder belongs to no scenario of the sources\n"
    missing = wellposed("build", "hello.scenario", "--check", "empty", "--format", "concise")
    assert missing.out == "empty/hello: error[WP007]: the folder of `hello` is missing\n"
    nowhere = wellposed("build", "hello.scenario", "--check", "nowhere")
    assert (nowhere.status, nowhere.err) == (2, "wellposed: error[WP002]: nowhere does not exist\n")


@pytest.mark.parametrize("target", ["hello.scenario", "hello.scenario/x", "/proc/nope", "a\0b", "/dev/null"])
def test_build_where_nothing_can_be_written(wellposed: Command, target: str) -> None:
    result = wellposed("build", "hello.scenario", "--out", target)
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert "error[WP005]: cannot write " in result.err


def test_build_replaces_bundle_folders_only(wellposed: Command, folder: Path) -> None:
    (folder / "built" / "hello").mkdir(parents=True)
    (folder / "built" / "hello" / "thesis.txt").write_text("years of work")
    result = wellposed("build", "hello.scenario", "--out", "built")
    assert result.status == 1
    assert "is not replaced" in result.out
    assert (folder / "built" / "hello" / "thesis.txt").read_text() == "years of work"


def test_build_as_json(wellposed: Command, folder: Path) -> None:
    report = json.loads(wellposed("build", "race.scenario", "--out", "built", "--format", "json").out)
    assert [one["bundle"] for one in report["scenarios"]] == [_hash(folder / "built" / "race" / "bundle.json")]
    assert report["scenarios"][0]["verdict"] is None
    assert report["findings"] == []


def test_bundle_check(wellposed: Command, folder: Path) -> None:
    built = wellposed("build", "hello.scenario", "race.scenario", "--out", "built").out
    assert wellposed("bundle", "check", "built").out == built
    assert wellposed("bundle", "check", "built/race", "built/hello").out == built
    with (folder / "built" / "race" / "inbox.jsonl").open("ab") as stream:
        stream.write(b"\n")
    result = wellposed("bundle", "check", "built")
    assert result.status == 1
    assert "error[WP753]" in result.out
    assert [line.split()[1] for line in result.out.splitlines() if line.startswith("sha256")] == ["hello"]
    assert wellposed("bundle", "check", "empty").status == 1
    assert wellposed("bundle", "check", "nope").status == 2
    assert wellposed("bundle", "check", "hello.scenario").status == 2


def test_a_bundle_and_its_source_have_one_verdict(wellposed: Command, folder: Path) -> None:
    wellposed("build", "race.scenario", "--out", "built")
    ours = json.loads(wellposed("check", "race.scenario", "--format", "json").out)["scenarios"][0]
    for path in ("built/race", "built/race/bundle.json"):
        theirs = json.loads(wellposed("check", path, "--format", "json").out)["scenarios"][0]
        for member in ("id", "bundle", "level", "verdict", "levels", "outcomes", "witnesses"):
            assert theirs[member] == ours[member]
    # With the map beside it the folder points at source lines, and the text is quoted no more than it can be read.
    assert " --> race.scenario:8:12" in wellposed("check", "built/race").out
    assert " --> built/race/bundle.json#/expect/0" in wellposed("check", "built/race/bundle.json").out


def test_explain(wellposed: Command) -> None:
    for row in TABLE:
        result = wellposed("explain", row.id)
        assert (result.status, result.err) == (0, "")
        assert result.out.startswith(f"{row.id} {row.slug} ({row.severity.value}): {row.title}\n\n")
    both = wellposed("explain", "wp001", "internal-error").out
    assert both.count("WP001 internal-error") == 2


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("WP9999", "unknown code 'WP9999'"),
        ("ambigous", "unknown code 'ambigous'; did you mean WP501?"),
        ("", "unknown code ''; what can be explained: codes (WP501), verdicts, obligations (`wellposed spec levels`), readings (`spec readings`), faulty systems (`spec mutants`)"),
        ("x" * 100_000, "unknown code 'xxx"),
        ("\x1b[31m", "unknown code '\\x1b[31m'"),
    ],
)
def test_explain_knows_what_was_meant(wellposed: Command, word: str, sentence: str) -> None:
    result = wellposed("explain", "WP001", word)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("wellposed: " + sentence)
    assert result.err.count("\n") == 1


def test_spec_levels(wellposed: Command) -> None:
    result = wellposed("spec", "levels")
    assert (result.status, result.err) == (0, "")
    for level in LEVELS:
        assert f"L{level.number} {level.name}: {level.demands}" in result.out
    for row in OBLIGATIONS:
        assert result.out.count(f"  {row.id} ") == 1


def test_quiet_and_verbose(wellposed: Command, folder: Path) -> None:
    text = (folder / "hello.scenario").read_text()
    (folder / "hello.scenario").write_text(text.replace("at 0", 'conversation idle { from "a" subject "b" }\n  at 0'))
    assert "warning[WP310]" in wellposed("check", "hello.scenario").out
    assert wellposed("check", "hello.scenario", "-q").out == ""
    assert wellposed("check", "hello.scenario", "--deny", "warnings").status == 1
    assert "sha256:" in wellposed("check", "hello.scenario", "-v").out
    assert "note[WP606]" in wellposed("check", "race.scenario", "-v").out
    assert "note[WP606]" not in wellposed("check", "race.scenario").out
    quiet = wellposed("check", "race.scenario", "-q").out
    assert quiet.startswith("error[WP501]") and "1 scenario" not in quiet


def test_no_verify(wellposed: Command) -> None:
    result = wellposed("check", "race.scenario", "--no-verify")
    assert "1 scenario: 1 not verified" in result.out


def test_the_order_of_paths_changes_nothing(wellposed: Command) -> None:
    outputs = {
        wellposed("check", *paths).out
        for paths in (("hello.scenario", "race.scenario"), ("race.scenario", "hello.scenario"), (".",))
    }
    assert len(outputs) == 1


def test_one_id_in_two_files(wellposed: Command, folder: Path) -> None:
    (folder / "other.scenario").write_text(
        (folder / "hello.scenario").read_text().replace("scenario hello", "scenario Hello")
    )
    result = wellposed("check", "other.scenario", "hello.scenario", "--format", "concise")
    assert result.status == 1
    assert result.out.startswith("other.scenario:1:10: error[WP225]: ")


def test_many_items_are_summed_up(wellposed: Command, folder: Path) -> None:
    lines = [
        f'  conversation c{n} {{ from "u{n}@example.test" subject "s" }}\n  at {n} deliver m{n} in c{n} "x"'
        for n in range(12)
    ]
    text = "scenario many {\n  level L0\n  horizon 40\n" + "\n".join(lines) + "\n  expect { m0 sent }\n}\n"
    (folder / "many.scenario").write_text(text)
    assert "and 4 more items, all with -v" in wellposed("check", "many.scenario").out
    assert "m11: sent 11..21" in wellposed("check", "-v", "many.scenario").out
