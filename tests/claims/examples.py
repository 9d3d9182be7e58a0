"""What the examples of kind `claim` stand in: a repository with three scenarios, and beside the claim what its text names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from tests.cli.conftest import HELLO, RACE
from tests.judge.runs import bundle_of

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.codes import Example
from wellposed.verifier.models import SIMULATORS
from wellposed.verifier.verify import verify

LENIENT = """\
scenario lenient {
  level L0
  horizon 20
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  invariants only expect
  expect { m1 sent }
}
"""
CONTRADICTION = """\
scenario contradiction {
  level L0
  horizon 20
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  expect { m1 never sent }
}
"""
SCENARIOS = {"hello": HELLO, "race": RACE, "lenient": LENIENT}
PLACE = re.compile(r"# (claims/\S+)\n")
BUDGET = re.compile(r"# (--budget) (\d+)\n")


@cache
def bundle(name: str) -> Bundle:
    """The bundle of one of the scenarios."""
    return bundle_of({**SCENARIOS, "contradiction": CONTRADICTION}[name])


def logs(name: str, system: str, seed: int) -> dict[str, bytes]:
    """The nine files of a simulated run."""
    return dict(SIMULATORS["amr/0.14"].run(bundle(name).document, system, seed).written())


def trace(name: str, which: str) -> bytes:
    """A run of a scenario as its report has it; `which` is `passing` or `failing`."""
    events = getattr(verify(bundle(name)), which)
    return json.dumps([event.data for event in events]).encode()


BESIDE: dict[str, Callable[[], dict[str, bytes]]] = {
    **{f"runs/{seed}": lambda seed=seed: logs("hello", "reference", seed) for seed in range(1, 7)},  # type: ignore[misc]
    "late/1": lambda: logs("hello", "idle", 1),
    "copies/1": lambda: logs("hello", "reference", 9),
    "copies/2": lambda: logs("hello", "reference", 9),
    "idle/1": lambda: logs("race", "idle", 1),
    "foreign/1": lambda: logs("race", "reference", 1),
    "failing.json": lambda: {"": trace("race", "failing")},
    "passing.json": lambda: {"": trace("race", "passing")},
    "notes.txt": lambda: {"": b"Nobody needs this.\n"},
}


def beside(text: str) -> Iterator[tuple[str, bytes]]:
    """The files that a claim names, by their paths below its folder."""
    for name, make in BESIDE.items():
        if name in text and name != "runs/6":
            for file, raw in make().items():
                yield f"{name}/{file}" if file else name, raw


def filled(text: str) -> str:
    """The text with the hashes that its words stand for."""
    for word in ("hello", "race"):
        text = text.replace(f" {word.upper()}\n", f" {bundle(word).hash}\n")
    return text


def put(folder: Path, files: dict[str, bytes]) -> None:
    """Write files below a folder."""
    for name, raw in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)


def prepare(example: Example, folder: Path) -> list[str]:
    """Write the repository and return the command that examines the claim."""
    placed, budget = PLACE.match(example.text), BUDGET.match(example.text)
    path = placed.group(1) if placed is not None else "claims/example/claim.yaml"
    put(folder / "scenarios", {f"{name}.scenario": text.encode() for name, text in SCENARIOS.items()})
    claim = (folder / path).parent
    put(claim, {"claim.yaml": filled(example.text).encode(), **dict(beside(example.text))})
    return ["claim", str(claim.relative_to(folder)), *(budget.groups() if budget is not None else ())]
