"""The mutants that survive, each with the reason why it is no fault: `equivalent.toml`."""

from __future__ import annotations

import re
import tomllib
from typing import NamedTuple

from tests.verifier.mutation.sources import EQUIVALENT, Name, definitions, text


class Argument(NamedTuple):
    """Why some mutants change nothing that counts."""

    why: str
    mutants: tuple[Name, ...]


def arguments() -> tuple[Argument, ...]:
    """Every argument, in the order of the file."""
    found = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return tuple(
        Argument(argument["why"], tuple(Name(*mutant) for mutant in argument["mutants"])) for argument in found["equivalent"]
    )


def argued() -> dict[Name, str]:
    """The reason of every mutant that has one."""
    return {mutant: argument.why for argument in arguments() for mutant in argument.mutants}


def stands(name: Name) -> bool:
    """Whether the text that a mutant changes still stands in its definition."""
    source = text(name.module)
    scopes = definitions(source)
    lines = [line for number, line in enumerate(source.splitlines(), start=1) if scopes[number] == name.definition]
    return name.before in re.sub(r"\s+", " ", " ".join(lines))
