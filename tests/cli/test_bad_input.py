"""Whatever a file, a folder or a bundle is: coded findings or exit 2 with one sentence, soon, and never a traceback."""

from __future__ import annotations

import json
import os
import random
import socket
import string
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

SECONDS = 20
"""Far above what any of these takes, far below a hang."""


def _survives(wellposed: Command, *paths: str, status: int | None = None) -> None:
    """Every format answers, in time, with 1 or 2; JSON is JSON."""
    start = time.monotonic()
    for form in ("json", "text", "concise"):
        result = wellposed("check", *paths, "--format", form)
        assert result.status in ((1, 2) if status is None else (status,)), result.err
        assert not any(ord(character) < 32 and character != "\n" for character in result.out + result.err)
        if form == "json":
            assert json.loads(result.out)["findings"]
        if result.status == 2:
            assert "wellposed: error[WP00" in result.err
    assert time.monotonic() - start < SECONDS


NAMES = ("x.scenario", "x.rules", "x.skin", "x.json", "bundle.json")
JUNK = {
    "empty": b"",
    "nul": b"\0" * 100,
    "binary": bytes(range(256)) * 40,
    "latin-1": "scenario caf\u00e9 {}".encode("latin-1"),
    "utf-16": "scenario x {}".encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbfscenario x {}",
    "surrogate": b"\xed\xa0\x80",
    "carriage returns": b"scenario x {\r\r}\r",
    "one long line": b"a" * 500_000,
    "many lines": b"scenario x {\n" * 50_000,
    "open brackets": b"scenario x { expect { " + b"any of { " * 20_000,
    "closed brackets": b"}" * 100_000,
    "deep arrays": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "operators": b"scenario x { level L0 horizon " + b"1 + " * 50_000 + b"1 }",
    "open string": b'scenario x { title "' + b"x" * 100_000,
    "digits": b"scenario x { level L0 horizon " + b"9" * 100_000 + b" }",
    "json digits": b'{"format":' + b"9" * 100_000 + b"}",
    "escapes": b'scenario x { title "' + b"\\u{1b}" * 5_000 + b'" }',
    "not a number": b'{"format":NaN}',
    "duplicate": b'{"format":"wellposed-bundle/1","format":"wellposed-bundle/1"}\n',
    "wrong types": b'{"format":"wellposed-bundle/1","schedule":{"a":[{}]},"level":"6","rules":[[[]]]}\n',
    "workflow": b"::set-env name=A::b\n##[error]x\n",
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=list(JUNK))
@pytest.mark.parametrize("name", NAMES)
def test_junk_files(wellposed: Command, folder: Path, name: str, junk: bytes) -> None:
    (folder / name).write_bytes(junk)
    _survives(wellposed, name)


@pytest.mark.parametrize("name", ["x.scenario", "x.json"])
def test_five_megabytes(wellposed: Command, folder: Path, name: str) -> None:
    (folder / name).write_bytes(random.Random(5).randbytes(5_000_000))
    _survives(wellposed, name)
    (folder / name).write_bytes(b'scenario x { title "y" }\n' * 200_000)
    _survives(wellposed, name)


@pytest.mark.slow
def test_a_source_of_the_largest_size(wellposed: Command, folder: Path) -> None:
    """Just below the limit, an error in every line: all of them are told, in time that grows with the text only."""
    (folder / "x.scenario").write_text("scenario x {\n" + "  at 1 approve m\n" * 60_000 + "}\n")
    result = wellposed("check", "x.scenario", "--format", "concise")
    assert result.status == 1
    assert result.out.count("WP301") == 60_000


def test_random_edits_of_a_scenario(wellposed: Command, folder: Path) -> None:
    generator = random.Random(7)
    text = (folder / "race.scenario").read_text()
    words = [*text.split(), "}", "{", '"', "9", "#", "\\", "\t", "\u202e", "```", "rejected", "when", "jump to"]
    for _ in range(60):
        pieces = list(text)
        for _ in range(generator.randint(1, 4)):
            at = generator.randrange(len(pieces))
            pieces[at : at + generator.randint(0, 6)] = generator.choice(words)
        (folder / "x.scenario").write_text("".join(pieces))
        result = wellposed("check", "x.scenario", "--format", "json")
        assert result.status in (0, 1, 2, 3)
        json.loads(result.out)


def test_random_edits_of_a_bundle(wellposed: Command, folder: Path) -> None:
    generator = random.Random(11)
    wellposed("build", "race.scenario", "--out", "built")
    raw = (folder / "built" / "race" / "bundle.json").read_bytes()
    for _ in range(120):
        edited = bytearray(raw)
        for _ in range(generator.randint(1, 3)):
            at = generator.randrange(len(edited))
            edited[at : at + generator.randint(0, 3)] = generator.choice(
                [b"0", b"-1", b"null", b"[]", b"{}", b'"', b"m9", b"true", b"99999999999999999999", b"a", b","]
            )
        (folder / "x.json").write_bytes(bytes(edited))
        result = wellposed("check", "x.json", "--format", "json")
        assert result.status in (0, 1, 3)
        json.loads(result.out)


def test_folders_in_the_place_of_files(wellposed: Command, folder: Path) -> None:
    for name in ("x.scenario", "bundle.json", "x.json"):
        (folder / name).mkdir()
        _survives(wellposed, name, status=2)


def test_special_files(wellposed: Command, folder: Path) -> None:
    os.mkfifo(folder / "pipe.scenario")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.scenario")
        for name in ("pipe.scenario", "socket.scenario", "/dev/null", "/dev/zero", "/proc/self/mem"):
            _survives(wellposed, name, status=2)
        (folder / "hello.scenario").unlink()
        (folder / "race.scenario").unlink()
        _survives(wellposed, ".", status=2)


def test_links_are_not_followed(wellposed: Command, folder: Path) -> None:
    (folder / "tree").mkdir()
    (folder / "tree" / "link.scenario").symlink_to(folder / "hello.scenario")
    (folder / "tree" / "loop").symlink_to(folder / "tree")
    (folder / "tree" / "nowhere.scenario").symlink_to("nowhere")
    (folder / "x.scenario").symlink_to("hello.scenario")
    for name in ("tree", "tree/link.scenario", "tree/nowhere.scenario", "x.scenario"):
        _survives(wellposed, name, status=2)


def test_imports_stay_inside(wellposed: Command, folder: Path) -> None:
    secret = folder / "secret.rules"
    secret.write_text("PASSWORD")
    (folder / "tree").mkdir()
    (folder / "tree" / "link.rules").symlink_to(secret)
    for path in ("../secret.rules", str(secret), "link.rules", "nope.rules", "x.scenario", "\\u{0}.rules", "tree"):
        (folder / "tree" / "x.scenario").write_text(f'import "{path}"\nscenario x {{ level L0 horizon 5 }}\n')
        result = wellposed("check", "tree/x.scenario")
        assert result.status == 1
        assert "PASSWORD" not in result.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_files(wellposed: Command, folder: Path) -> None:
    (folder / "hello.scenario").chmod(0)
    (folder / "empty").chmod(0)
    for name in ("hello.scenario", "empty"):
        _survives(wellposed, name, status=2)


def test_files_that_fail_while_they_are_read(wellposed: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def failing(path: str | os.PathLike[str], *rest: int, **more: int) -> int:
        if str(path).endswith("hello.scenario"):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **more)

    monkeypatch.setattr(os, "open", failing)
    _survives(wellposed, "hello.scenario", status=2)
    assert "hello.scenario cannot be read: permission denied" in wellposed("check", ".").err


def test_deep_and_wide_folders(wellposed: Command, folder: Path) -> None:
    deep = folder / "deep"
    for _ in range(60):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "x.scenario").write_text("scenario x {}")
    _survives(wellposed, "deep", status=2)
    wide = folder / "wide"
    wide.mkdir()
    for number in range(2_000):
        (wide / f"{number}.txt").touch()
    _survives(wellposed, "wide", status=2)


def test_names_that_are_no_text(wellposed: Command, folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9\x1b[31m\n##[error].scenario")
    (folder / "tree").mkdir()
    (folder / "tree" / name).write_text("scenario x {")
    _survives(wellposed, "tree", status=1)
    _survives(wellposed, f"tree/{name}", status=1)
    _survives(wellposed, f"nope/{name}", status=2)


def test_long_and_odd_arguments(wellposed: Command) -> None:
    for path in ("x" * 5_000, "a\0b", "/" * 3_000 + "x", "x/" * 3_000, "~", "$(id)", "*.scenario", "hello.scenario/x"):
        _survives(wellposed, path, status=2)


def test_many_arguments(wellposed: Command) -> None:
    result = wellposed("check", *["hello.scenario"] * 3_000)
    assert result.status == 0
    assert "1 scenario: 1 well-posed" in result.out


def test_broken_bundle_folders(wellposed: Command, folder: Path) -> None:
    """Every file of a folder replaced by each kind of thing that it must not be."""
    wellposed("build", "race.scenario", "--out", "built")
    names = sorted(path.name for path in (folder / "built" / "race").iterdir())
    assert "bundle.json" in names
    for name in names:
        for kind in ("missing", "empty", "junk", "folder", "link", "pipe"):
            wellposed("build", "race.scenario", "--out", "fresh")
            path = folder / "fresh" / "race" / name
            path.unlink()
            match kind:
                case "empty":
                    path.touch()
                case "junk":
                    path.write_bytes(bytes(range(256)))
                case "folder":
                    path.mkdir()
                case "link":
                    path.symlink_to(folder / "built" / "race" / name)
                case "pipe":
                    os.mkfifo(path)
            for command in (("check", "fresh/race"), ("bundle", "check", "fresh/race")):
                result = wellposed(*command)
                harmless = name == "bundle.map.json" or (kind == "empty" and name == "faults.jsonl")
                if harmless:  # the map is no part of the bundle, and without faults their file is empty
                    assert "WP75" not in result.out or name == "bundle.map.json", (name, kind, result)
                else:
                    assert result.status in (1, 2), (name, kind, command, result)
            for leftover in (folder / "fresh").iterdir():
                _remove(leftover)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        for below in path.iterdir():
            _remove(below)
        path.rmdir()
    else:
        path.unlink()


def test_standard_input(wellposed: Command, folder: Path) -> None:
    text = (folder / "race.scenario").read_bytes()
    result = wellposed("check", "-", stdin=text)
    assert result.status == 1
    assert "--> stdin.scenario:8:12" in result.out
    result = wellposed("check", "-", "--stdin-filename", "sub/other.scenario", stdin=text)
    assert "--> sub/other.scenario:8:12" in result.out
    (folder / "desk.rules").write_text("rules desk { admit everyone when posture is normal }\n")
    importing = b'import "desk.rules"\n' + text.replace(b"horizon 40", b"horizon 40\n  rules desk")
    result = wellposed("check", "-", "--stdin-filename", "x.scenario", stdin=importing)
    assert "WP221" not in result.out
    assert wellposed("check", "-", stdin=b"").status == 2
    assert wellposed("check", "-", stdin=b"\xff").status == 1
    for name in ("x.txt", "x", "", "a\0.scenario"):
        result = wellposed("check", "-", "--stdin-filename", name, stdin=text)
        assert (result.status, result.err.count("\n")) == (2, 1)


def test_a_bundle_on_standard_input(wellposed: Command, folder: Path) -> None:
    wellposed("build", "hello.scenario", "--out", "built")
    raw = (folder / "built" / "hello" / "bundle.json").read_bytes()
    result = wellposed("check", "-", "--stdin-filename", "x.json", stdin=raw)
    assert result.status == 0
    assert "well-posed" in result.out


def test_every_printable_thing_in_a_scenario_is_escaped(wellposed: Command, folder: Path) -> None:
    """Every control and format character, raw and escaped, in every place that ends up in output."""
    characters = [
        chr(code) for code in (*range(1, 32), 127, *range(128, 160), 0xAD, 0x200B, 0x202E, 0x2028, 0xFEFF, 0xE0001)
    ]
    allowed = set(string.printable) - set("\t\r\x0b\x0c")
    for character in characters:
        title, why = f"a{character}b", f"c\\u{{{ord(character):x}}}d"
        text = f'scenario x {{ title "{title}" level L0 horizon 5 rejected vacuous "{why}" }}\n'
        (folder / "x.scenario").write_text(text, newline="")
        for form in ("text", "json", "concise"):
            result = wellposed("check", "-v", "x.scenario", "--format", form)
            assert set(result.out + result.err) <= allowed | set("…"), repr(character)
