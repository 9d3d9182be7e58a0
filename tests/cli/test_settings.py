"""`wellposed.toml`, `show-config` and `completion`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Result

from wellposed.cli.commands.completion import SHELLS
from wellposed.cli.main import VERBS, whole_parser
from wellposed.cli.settings import CHOICES, MOST_BYTES

Command = Callable[..., Result]


@pytest.fixture
def race(folder: Path) -> Path:
    (folder / "empty").mkdir(exist_ok=True)
    return folder


def test_without_a_file_everything_is_the_default(race: Path, wellposed: Command) -> None:
    assert wellposed("show-config").out == "".join(
        f'{f"{name} = {chr(34)}{choices[0]}{chr(34)}":24} # default\n' for name, choices in CHOICES.items()
    )


@pytest.mark.parametrize(
    ("name", "text", "source"),
    [
        ("wellposed.toml", 'format = "concise"\n', "wellposed.toml"),
        ("pyproject.toml", '[tool.wellposed]\nformat = "concise"\n', "pyproject.toml [tool.wellposed]"),
    ],
)
def test_a_setting_holds_where_nothing_is_given(race: Path, wellposed: Command, name: str, text: str, source: str) -> None:
    plain = wellposed("check", "race.scenario")
    concise = wellposed("check", "race.scenario", "--format", "concise")
    assert plain.out != concise.out
    (race / name).write_text(text)
    assert wellposed("show-config").out.splitlines()[0] == f'format = "concise"       # {source}'
    assert wellposed("check", "race.scenario") == concise
    assert wellposed("check", "race.scenario", "--format", "text") == plain
    assert wellposed("check", "race.scenario", "--isolated") == plain
    assert "default" in wellposed("show-config", "--isolated").out


def test_the_own_file_outweighs_the_shared_one(race: Path, wellposed: Command) -> None:
    (race / "pyproject.toml").write_text('[tool.wellposed]\nformat = "json"\ncolor = "always"\n')
    (race / "wellposed.toml").write_text('color = "never"\n')
    assert wellposed("show-config").out.split("\n")[:2] == ['format = "text"          # default', 'color = "never"          # wellposed.toml']


def test_a_shared_file_without_the_table_sets_nothing(race: Path, wellposed: Command) -> None:
    (race / "pyproject.toml").write_text('[project]\nname = "theirs"\n')
    assert wellposed("check", "hello.scenario").status == 0


def test_volume(race: Path, wellposed: Command) -> None:
    said = {option: wellposed("check", "hello.scenario", *([option] if option else [])).out for option in ("-q", "", "-v")}
    assert len(set(said.values())) == 3
    for volume, option in (("quiet", "-q"), ("normal", ""), ("verbose", "-v")):
        (race / "wellposed.toml").write_text(f'volume = "{volume}"\n')
        assert wellposed("check", "hello.scenario").out == said[option]
        for given in ("-q", "-v"):
            assert wellposed("check", "hello.scenario", given).out == said[given]


def test_a_format_that_a_verb_has_not_is_not_for_it(race: Path, wellposed: Command) -> None:
    before = wellposed("coverage", "hello.scenario")
    (race / "wellposed.toml").write_text('format = "sarif"\n')
    assert wellposed("coverage", "hello.scenario") == before
    assert json.loads(wellposed("check", "hello.scenario").out)["version"] == "2.1.0"
    build = wellposed("build", "hello.scenario", "--out", "built")
    assert json.loads(build.out)["version"] == "2.1.0"
    assert json.loads(wellposed("bundle", "check", "built/hello").out)["version"] == "2.1.0"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("format = \n", "is not TOML"),
        ('format = "pretty"\n', "none of text, concise"),
        ("format = 1\n", "none of text, concise"),
        ("format = [[1]]\n", "none of text, concise"),
        ("quiet = true\n", "no setting `quiet`; there are format, color, volume"),
        ('"\x1b[2J" = 1\n', "is not TOML"),
        ('"\\u001b[2J" = 1\n', "no setting"),
        ("x = " + "[" * 5_000 + "\n", "is not TOML"),
        ("#" * (MOST_BYTES + 1), f"larger than {MOST_BYTES} bytes"),
        ("\ufffe = 1", "is not TOML"),
    ],
)
def test_a_wrong_file_is_an_error(race: Path, wellposed: Command, text: str, why: str) -> None:
    (race / "wellposed.toml").write_text(text)
    for command in (["check", "hello.scenario"], ["show-config"], ["explain", "WP001"]):
        result = wellposed(*command)
        assert result.status == 2
        assert "error[WP009]" in result.err and why in result.err, result.err
        assert "\x1b" not in result.err + result.out
    (finding,) = json.loads(wellposed("check", "hello.scenario", "--format", "json").out)["findings"]
    assert finding["code"] == "WP009"
    assert wellposed("check", "hello.scenario", "--isolated").status == 0


def test_bytes_that_are_no_text(race: Path, wellposed: Command) -> None:
    (race / "wellposed.toml").write_bytes(b'format = "\xff"\n')
    assert "WP009" in wellposed("check", "hello.scenario").err


def test_what_is_no_table(race: Path, wellposed: Command) -> None:
    (race / "pyproject.toml").write_text("[tool]\nwellposed = 1\n")
    assert "pyproject.toml [tool.wellposed] is not a table" in wellposed("check", "hello.scenario").err


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_only_a_regular_file_is_read(race: Path, wellposed: Command, kind: str) -> None:
    place = race / "wellposed.toml"
    if kind == "link":
        (race / "theirs").write_text('format = "json"\n')
        place.symlink_to(race / "theirs")
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()
    result = wellposed("check", "hello.scenario")
    assert result.status == 2 and "WP009" in result.err


@pytest.mark.parametrize("verb", ["reserve", "pr"])
def test_who_looks_at_trees_of_strangers_reads_no_settings(race: Path, wellposed: Command, verb: str) -> None:
    (race / "wellposed.toml").write_text("nonsense")
    arguments = {"reserve": ["status"], "pr": ["--base", "main"]}[verb]
    assert "WP009" not in wellposed(verb, *arguments).err


# -- completion ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_knows_every_verb(folder: Path, wellposed: Command, shell: str) -> None:
    script = wellposed("completion", shell)
    assert script.status == 0
    assert [verb for verb in VERBS if verb not in script.out] == []
    program = shutil.which(shell)
    if program is not None:
        assert subprocess.run([program, "-n"], input=script.out, text=True, capture_output=True, check=True).stderr == ""


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("wellposed expl", {"explain"}),
        ("wellposed check --form", {"--format"}),
        ("wellposed check --format js", {"json"}),
        ("wellposed check hel", {"hello.scenario"}),
        ("wellposed reserve ver", {"verify"}),
    ],
)
def test_bash_completes(folder: Path, wellposed: Command, typed: str, found: set[str]) -> None:
    (folder / "script").write_text(wellposed("completion", "bash").out)
    words = typed.split()
    ask = (
        f"source ./script; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; "
        "_shtab_wellposed; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(["bash", "--norc", "-c", ask], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == found


def test_the_whole_parser_has_every_verb() -> None:
    help = whole_parser().format_help()
    assert all(f"    {verb}" in help for verb in VERBS)
