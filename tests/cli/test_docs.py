"""docs/cli.md has a section for every verb, with every option that it takes."""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from wellposed.cli.main import VERBS
from wellposed.cli.skeletons.faults import FAULTS, lowest_level
from wellposed.cli.status import CLEAN, ERRORS, INTERNAL, INTERRUPTED, UNDECIDED, UNUSABLE
from wellposed.cli.usage import Parser

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
COMMON, *SECTIONS = PAGE.split("\n## `")


def section(verb: str) -> str:
    found = [text for text in SECTIONS if re.match(rf"{verb}\b", text)]
    assert len(found) == 1, verb
    return found[0]


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Every option of a parser and of those below it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from options(below)
        else:
            yield from action.option_strings


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_described(verb: str) -> None:
    parser = Parser(prog=f"wellposed {verb}")
    importlib.import_module(f"wellposed.cli.commands.{verb.replace('-', '_')}").add_arguments(parser)
    for option in options(parser):
        if option not in ("-h", "--help"):
            assert f"`{option}" in section(verb) or f"`{option}" in COMMON, option


def test_verbs_stand_in_the_order_of_the_help() -> None:
    assert [re.match(r"[\w-]+", text)[0] for text in SECTIONS] == list(VERBS)  # type: ignore[index]


def test_statuses() -> None:
    statuses = [int(number) for number in re.findall(r"^\| (\d+) \|", COMMON, re.MULTILINE)]
    assert statuses == [CLEAN, ERRORS, UNUSABLE, UNDECIDED, INTERNAL, INTERRUPTED]


def test_every_fault_is_described() -> None:
    rows = re.findall(r"^\| `(\w+)` \| from L(\d) on \| (.*) \|$", section("new"), re.MULTILINE)
    listed = {fault.name: fault.what for fault in FAULTS}
    assert rows == [(name, str(lowest_level(name)), what) for name, what in listed.items()]
