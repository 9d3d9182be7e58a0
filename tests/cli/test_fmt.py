"""`fmt`: rewriting, `--check`, `--diff`, standard input, and what happens to files that have no layout."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wellposed.cli import rewrite
from wellposed.dsl import format as formatter

Command = Callable[..., Any]

FORMATTED = """\
scenario hello {
  level   L0
  horizon 20
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  expect { m1 sent exactly once within 10 }
}
"""
BROKEN = "scenario broken {\n   level L0 horizon }\n"


@pytest.fixture
def hello(folder: Path) -> Path:
    """The only source of the working directory, not yet laid out."""
    (folder / "race.scenario").unlink()
    return folder / "hello.scenario"


def test_files_are_rewritten_and_named(wellposed: Command, hello: Path, folder: Path) -> None:
    (folder / "rules").mkdir()
    (folder / "rules" / "desk.rules").write_text("rules desk { admit  rest }\n")
    (folder / "done.scenario").write_text(FORMATTED)
    before = (folder / "done.scenario").stat()
    result = wellposed("fmt", ".")
    assert (result.status, result.out) == (0, "laid out hello.scenario\nlaid out rules/desk.rules\n")
    assert result.err == "wellposed: 2 of 3 files laid out anew\n"
    assert hello.read_text() == FORMATTED
    assert (folder / "rules" / "desk.rules").read_text() == "rules desk { admit rest }\n"
    after = (folder / "done.scenario").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    again = wellposed("fmt", ".", "-q")
    assert (again.status, again.out, again.err) == (0, "", "")


def test_rules_and_skins_alone_are_enough(wellposed: Command, folder: Path) -> None:
    (folder / "empty" / "desk.rules").write_text("rules desk{admit rest}")
    (folder / "empty" / "clinic.skin").write_text('skin clinic{message "letter"}')
    assert wellposed("fmt", "empty", "empty/desk.rules").status == 0
    assert (folder / "empty" / "desk.rules").read_text() == "rules desk { admit rest }\n"
    assert (folder / "empty" / "clinic.skin").read_text() == 'skin clinic { message "letter" }\n'


def test_check_writes_nothing(wellposed: Command, hello: Path) -> None:
    before = hello.read_bytes()
    result = wellposed("fmt", "--check", "hello.scenario")
    assert result.status == 1
    assert result.out == (
        "error[WP008]: this file is not laid out in the canonical way\n"
        " --> hello.scenario:2:3\n"
        "  |\n"
        "2 |   level L0\n"
        "  |   ^^^^^^^^\n"
        "  |\n"
        "  = help: `wellposed fmt hello.scenario` rewrites it; with `--diff` it only shows what would change\n"
    )
    assert hello.read_bytes() == before
    (finding,) = json.loads(wellposed("fmt", "--check", ".", "--format", "json").out)["findings"]
    assert (finding["code"], finding["path"], finding["line"]) == ("WP008", "hello.scenario", 2)
    hello.write_text(FORMATTED)
    clean = wellposed("fmt", "--check", ".")
    assert (clean.status, clean.out, clean.err) == (0, "", "wellposed: 0 of 1 file would be laid out anew\n")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("\n" + FORMATTED, "1:1"),
        (FORMATTED + "\n", "8:1"),
        (FORMATTED.rstrip("\n"), "7:1"),
        (FORMATTED.replace("}\n", "}  \n"), "4:3"),
        (FORMATTED.replace("\n", "\r\n"), "1:1"),
        ("\n", "1:1"),
    ],
)
def test_the_first_difference_is_shown(wellposed: Command, hello: Path, text: str, place: str) -> None:
    hello.write_bytes(text.encode())
    result = wellposed("fmt", "--check", "hello.scenario", "--format", "concise")
    assert result.out == f"hello.scenario:{place}: error[WP008]: this file is not laid out in the canonical way\n"
    assert ("CRLF" in wellposed("fmt", "--check", "hello.scenario").out) == ("\r" in text)


def test_diff(wellposed: Command, hello: Path) -> None:
    before = hello.read_bytes()
    result = wellposed("fmt", "--diff", "hello.scenario")
    assert result.status == 0
    assert result.out.splitlines()[:6] == [
        "--- hello.scenario",
        "+++ hello.scenario",
        "@@ -1,5 +1,5 @@",
        " scenario hello {",
        "-  level L0",
        "+  level   L0",
    ]
    assert hello.read_bytes() == before
    hello.write_text(FORMATTED.rstrip("\n"))
    assert wellposed("fmt", "--diff", "hello.scenario").out.endswith("-}\n\\ No newline at end of file\n+}\n")
    hello.write_bytes(FORMATTED.replace("\n", "\r\n").encode())
    assert "-scenario hello {\\u{d}\n" in wellposed("fmt", "--diff", "hello.scenario").out
    hello.write_text(FORMATTED)
    assert wellposed("fmt", "--diff", "hello.scenario").out == ""


def test_standard_input(wellposed: Command, hello: Path) -> None:
    given = hello.read_bytes()
    result = wellposed("fmt", "-", stdin=given)
    assert (result.status, result.out, result.err) == (0, FORMATTED, "")
    assert hello.read_bytes() == given
    rules = wellposed("fmt", "-", "--stdin-filename", "rules/desk.rules", stdin=b"rules desk{admit rest}")
    assert (rules.status, rules.out) == (0, "rules desk { admit rest }\n")
    wrong = wellposed("fmt", "-", "--stdin-filename", "desk.rules", "--format", "concise", stdin=given)
    assert (wrong.status, wrong.out.startswith("desk.rules:1:10: error[WP127]")) == (1, True)
    assert wellposed("fmt", "-", "--check", stdin=given).status == 1
    assert wellposed("fmt", "-", "--check", stdin=FORMATTED.encode()).status == 0
    assert "+  level   L0\n" in wellposed("fmt", "-", "--diff", stdin=given).out
    assert wellposed("fmt", "-", "--output-file", "out.scenario", stdin=given).out == ""
    assert Path("out.scenario").read_text() == FORMATTED


def test_what_a_runner_takes_for_commands_is_kept_in_a_file(wellposed: Command) -> None:
    text = "# ##[error] and\n#\n::x"
    assert wellposed("fmt", "-", stdin=text.encode()).status == 1
    source = "# ##[error]\nscenario s {}\n"
    assert wellposed("fmt", "-", stdin=source.encode()).out == source


@pytest.mark.parametrize("arguments", [("-", "hello.scenario"), ("--check", "--diff", "hello.scenario"), ("nowhere",)])
def test_wrong_use(wellposed: Command, hello: Path, arguments: tuple[str, ...]) -> None:
    before = hello.read_bytes()
    result = wellposed("fmt", *arguments, stdin=before)
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") >= 1
    assert hello.read_bytes() == before


def test_no_source_files(wellposed: Command, folder: Path) -> None:
    wellposed("build", "hello.scenario", "--out", "built")
    for path in ("empty", "built", "built/hello/bundle.json"):
        result = wellposed("fmt", path)
        assert result.status == 2
        assert f"error[WP003]: no source files found in {path}\n" in result.err


def test_a_file_with_errors_is_left_alone(wellposed: Command, hello: Path, folder: Path) -> None:
    """And the others are not."""
    (folder / "broken.scenario").write_text(BROKEN)
    (folder / "bytes.scenario").write_bytes(b"\xff")
    result = wellposed("fmt", ".", "--format", "concise")
    assert result.status == 1
    assert "broken.scenario:2:21: error[WP120]" in result.out
    assert "bytes.scenario:1:1: error[WP102]" in result.out
    assert "laid out hello.scenario\n" in result.out
    assert (folder / "broken.scenario").read_text() == BROKEN
    assert (folder / "bytes.scenario").read_bytes() == b"\xff"
    assert hello.read_text() == FORMATTED
    piped = wellposed("fmt", "-", "--format", "concise", stdin=BROKEN.encode())
    assert (piped.status, piped.out.startswith("stdin.scenario:2:21: error[WP120]")) == (1, True)


def test_a_rewritten_file_keeps_its_permissions(wellposed: Command, hello: Path) -> None:
    hello.chmod(0o640)
    assert wellposed("fmt", "hello.scenario").status == 0
    assert hello.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in hello.parent.iterdir()) == ["empty", "hello.scenario"]


def test_a_file_that_cannot_be_written_is_what_it_was(
    wellposed: Command, hello: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hello.read_bytes()

    def refuse(source: object, target: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    result = wellposed("fmt", "hello.scenario")
    assert (result.status, result.out) == (2, "")
    assert "error[WP005]: cannot write hello.scenario: permission denied\n" in result.err
    assert hello.read_bytes() == before
    assert sorted(path.name for path in hello.parent.iterdir()) == ["empty", "hello.scenario"]


def test_a_file_that_changes_in_the_meantime_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.scenario"
    path.write_bytes(b"new")
    with pytest.raises(rewrite.RewriteError, match="it has changed in the meantime"):
        rewrite.rewrite(path, b"old", b"laid out")
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(rewrite.RewriteError):
        rewrite.rewrite(tmp_path / "link", b"new", b"laid out")
    assert path.read_bytes() == b"new"


def test_a_layout_that_would_change_a_file_is_a_crash(
    wellposed: Command, hello: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It cannot happen; if it does, no file has been touched."""
    before = hello.read_bytes()
    monkeypatch.setattr(formatter, "text_of", lambda lines: "scenario hello {}\n")
    result = wellposed("fmt", "hello.scenario")
    assert result.status == 70
    assert "would change what it says" in result.err
    assert hello.read_bytes() == before
