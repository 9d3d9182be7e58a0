"""`new scenario` and `new rules`: every starting point is well-posed, laid out, and asked for where it is not told."""

from __future__ import annotations

import json
import os
import pty
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from wellposed.cli.skeletons import rules, scenario
from wellposed.cli.skeletons.faults import FAULTS, lowest_level, offered
from wellposed.cli.skeletons.levels import SHAPES
from wellposed.cli.starting import _laid_out
from wellposed.dsl.vocabulary import LEVELS

Command = Callable[..., Any]
NUMBERS = [level.number for level in LEVELS]


def selections(level: int) -> list[tuple[str, ...]]:
    """Every combination of the faults that a level offers."""
    names = list(offered(level))
    return [chosen for size in range(len(names) + 1) for chosen in combinations(names, size)]


def test_a_shape_for_every_level_and_a_level_for_every_fault() -> None:
    assert len(SHAPES) == len(LEVELS)
    assert {fault.name for level in NUMBERS for fault in offered(level).values()} == {fault.name for fault in FAULTS}
    for fault in FAULTS:
        assert all(name in offered(level) for level, shape in enumerate(SHAPES) for name in shape.faults)
        # Once offered, offered at every higher level.
        first = lowest_level(fault.name)
        assert first is not None and all(fault.name in offered(level) for level in NUMBERS if level >= first)


@pytest.mark.parametrize("level", NUMBERS)
def test_every_combination_is_well_posed(wellposed: Command, folder: Path, level: int) -> None:
    for number, faults in enumerate(selections(level)):
        (folder / "empty" / f"{number}.scenario").write_text(scenario.skeleton(f"s{number}", level, faults))
    result = wellposed("check", "empty", "--deny", "warnings", "--format", "json")
    assert (result.status, result.err) == (0, "")
    report = json.loads(result.out)
    assert len(report["scenarios"]) == len(selections(level))
    assert all(one["levels"][f"L{level}"] == "exercised" for one in report["scenarios"])
    # What is not a note about untested lower levels, or of a fault that a quick system lawfully escapes, has no place in a
    # starting point. Some differ in their names only.
    assert {finding["code"] for finding in report["findings"]} <= {"WP606", "WP609", "WP613"}


@pytest.mark.parametrize("level", NUMBERS)
def test_the_layout_is_that_of_fmt(wellposed: Command, level: int) -> None:
    for faults in dict.fromkeys(((), *((name,) for name in offered(level)), tuple(offered(level)))):
        name = f"l{level}-{len(faults)}-{faults[0] if faults else 'none'}"
        assert wellposed("new", "scenario", name, "--level", f"L{level}", "--faults", ",".join(faults)).status == 0
    result = wellposed("fmt", "--check", ".", "--format", "json")
    changed = {finding["path"] for finding in json.loads(result.out)["findings"]}
    assert changed <= {"hello.scenario", "race.scenario"}
    assert all(len(line) <= 120 for path in Path().glob("l*.scenario") for line in path.read_text().splitlines())


def test_every_fault_is_seen_in_the_script() -> None:
    for level in NUMBERS:
        bare = scenario.skeleton("s", level, ())
        for name, fault in offered(level).items():
            text = scenario.skeleton("s", level, (name,))
            assert (text != bare) == (name not in SHAPES[level].faults)
            assert all(one.text.split()[0] in text for one in fault.statements)


def test_defaults_where_nobody_can_be_asked(wellposed: Command, folder: Path) -> None:
    result = wellposed("new", "scenario", "mine")
    assert (result.status, result.out, result.err) == (0, "wrote mine.scenario: level L2\n", "")
    result = wellposed("new", "scenario", "fleet", "--faults", "crash,death, crash")
    assert result.out == "wrote fleet.scenario: level L3 with death and crash\n"
    result = wellposed("new", "scenario", "low", "--level", "1", "--out", "empty/x.scenario")
    assert result.out == "wrote empty/x.scenario: level L1\n"
    assert "scenario low {" in (folder / "empty" / "x.scenario").read_text()
    result = wellposed("new", "rules", "desk")
    assert (result.status, result.out) == (0, "wrote desk.rules: rules by posture and subject\n")


def test_to_standard_output(wellposed: Command, folder: Path) -> None:
    result = wellposed("new", "scenario", "mine", "--level", "l6", "--faults", "none", "--out", "-")
    assert (result.status, result.err) == (0, "")
    assert wellposed("check", "-", stdin=result.out.encode()).status == 0
    assert not (folder / "mine.scenario").exists()


def test_a_word_of_the_language_as_a_name(wellposed: Command, folder: Path) -> None:
    assert wellposed("new", "scenario", "at").status == 0
    assert "scenario `at` {" in (folder / "at.scenario").read_text()
    assert wellposed("check", "at.scenario").status == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["scenario", "hello"],
            "error[WP005]: cannot write hello.scenario: it exists already, and nothing is overwritten",
        ),
        (
            ["scenario", "x", "--out", "nowhere/x.scenario"],
            "error[WP005]: cannot write nowhere/x.scenario: no such file or directory",
        ),
        (["scenario", "x", "--out", "x.txt"], "--out x.txt does not end in .scenario, so that no check would find it"),
        (
            ["rules", "x", "--out", "x.scenario"],
            "--out x.scenario does not end in .rules, so that no check would find it",
        ),
        (["scenario", "x", "--level", "L7"], "'L7' is not a level; there are L0 to L6"),
        (["scenario", "x", "--level", ""], "'' is not a level; there are L0 to L6"),
        (["scenario", "x", "--level", "L1", "--faults", "death"], "death has no place at level L1, only from L3 on"),
        (["rules", "x", "--by", ""], "rules that look at nothing admit nothing"),
        (["rules", "all"], "the rules `all` are built in, they admit every message"),
        (["scenario", "con"], "`con` cannot be the id of a scenario, for some systems allow no file to be called so"),
        (["scenario", "x" * 65], "this id of a scenario has 65 characters, at most 64 are possible"),
    ],
)
def test_refusals_are_one_sentence(wellposed: Command, folder: Path, arguments: list[str], sentence: str) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    result = wellposed("new", *arguments)
    assert (result.status, result.out, result.err) == (2, "", f"wellposed: {sentence}\n")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["", "1st", "a--b", "a-", "a/b", "../a", "a.b", "a b", "ä", "\x1b[31m", "a\0", "x\n"])
def test_names_that_are_none(wellposed: Command, folder: Path, name: str) -> None:
    for what in ("scenario", "rules"):
        result = wellposed("new", what, name)
        assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
        assert "\x1b" not in result.err
    assert sorted(path.name for path in folder.iterdir()) == ["empty", "hello.scenario", "race.scenario"]


def test_unknown_faults(wellposed: Command) -> None:
    result = wellposed("new", "scenario", "x", "--faults", "crash,crush")
    assert result.status == 2
    assert result.err.startswith("wellposed: 'crush' is not a fault; there are redelivery, crash, ")


def test_links_are_not_written_through(wellposed: Command, folder: Path) -> None:
    (folder / "x.scenario").symlink_to("elsewhere")
    assert wellposed("new", "scenario", "x").status == 2
    assert not (folder / "elsewhere").exists()


# For each choice a mail that its rule admits, and the posture in which it does.
ADMITTED = {
    "sender": ("normal", "eve@partner.test", "Hello"),
    "posture": ("vip-only", "ceo@example.test", "Hello"),
    "subject": ("normal", "ada@example.test", "My order"),
    "history": ("normal", "ada@example.test", "Hello"),
}
USER = """\
import "desk.rules"
scenario user-{number} {{
  level L2
  horizon 40
  rules desk
  posture {posture}
  conversation order {{ from "{sender}" subject "{subject}" }}
  at 0 deliver m1 in order "Hello."
  at 1 deliver m2 in order "Hello?"
  at 2 deliver m3 in order "Is anybody there?"
  at 20 approve m3
  expect {{ m3 sent exactly once within 23 }}
}}
"""


def test_every_choice_of_rules(wellposed: Command, folder: Path) -> None:
    names = [choice.name for choice in rules.CHOICES]
    for chosen in [chosen for size in range(1, len(names) + 1) for chosen in combinations(names, size)]:
        target = folder / "empty" / "-".join(chosen)
        target.mkdir()
        result = wellposed("new", "rules", "desk", "--by", ",".join(chosen), "--out", str(target / "desk.rules"))
        assert result.status == 0
        for number, name in enumerate(chosen):
            posture, sender, subject = ADMITTED[name]
            text = USER.format(number=number, posture=posture, sender=sender, subject=subject)
            (target / f"{name}.scenario").write_text(text)
        result = wellposed("check", str(target), "--deny", "warnings")
        assert result.status == 0, result.out
        text = (target / "desk.rules").read_text()
        assert _laid_out(text, "desk.rules") == text


def session(folder: Path, answers: list[str], *arguments: str) -> tuple[int, str]:
    """Runs `new` on a terminal of its own and types the answers, each when it is asked for one."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execv(sys.executable, [sys.executable, "-m", "wellposed", "new", *arguments])
    seen = b""
    waiting = list(answers)
    while True:
        try:
            read = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if not read:
            break
        seen += read
        if waiting and seen.endswith(b"]: "):
            os.write(terminal, waiting.pop(0).encode())
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), seen.decode().replace("\r\n", "\n")


def test_questions_on_a_terminal(folder: Path) -> None:
    status, seen = session(folder, ["9\n", "3\n", "crush\n", "crash, jump\n"], "scenario", "asked")
    assert status == 0
    assert "  L3  operate: a fleet under observation" in seen
    assert "'9' is not a level; there are L0 to L6\nLevel [L2]: " in seen
    assert "'crush' is not a fault; there are " in seen
    assert seen.endswith("wrote asked.scenario: level L3 with death, crash and jump\n")
    assert (folder / "asked.scenario").read_text() == _laid_out(
        scenario.skeleton("asked", 3, ("crash", "jump")), "asked.scenario"
    )


def test_only_what_is_missing_is_asked(folder: Path) -> None:
    status, seen = session(folder, ["\n"], "scenario", "one", "--faults", "death")
    assert status == 0 and "Level [L3]: " in seen and "Faults" not in seen
    status, seen = session(folder, ["\n"], "scenario", "two", "--level", "L0")
    assert status == 0 and "Faults, separated by commas [none]: " in seen and "Level" not in seen
    status, seen = session(folder, [], "scenario", "three", "--level", "L4", "--faults", "none")
    assert (status, seen) == (0, "wrote three.scenario: level L4\n")
    status, seen = session(folder, ["history\n"], "rules", "desk")
    assert status == 0 and seen.endswith("wrote desk.rules: rules by history\n")
    # Before anybody answers in vain.
    status, seen = session(folder, [], "scenario", "three")
    assert status == 2 and "it exists already" in seen


def test_the_end_of_the_input_and_ctrl_c(folder: Path) -> None:
    status, seen = session(folder, ["\x04", "\x04"], "scenario", "eof")
    assert status == 0 and seen.endswith("wrote eof.scenario: level L2\n")
    status, seen = session(folder, ["\x03"], "scenario", "stopped")
    assert status == 130 and "Traceback" not in seen
    assert not (folder / "stopped.scenario").exists()
