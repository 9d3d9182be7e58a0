"""What a hostile input is, and the command lines of the verbs that read its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wellposed.cli.commands import timeline

TIMELINES = tuple(timeline.FORMATS)
REPORTS = ("text", "concise", "json", "sarif", "github", "junit")
BUDGET = ("--budget", "20000")
Command = tuple[str, ...]

GOOD = """\
scenario good {
  level L6
  horizon 40
  conversation order { from "ada@example.test" subject "Where is my order?" anchor "ORD-1001" }
  at 0 deliver m1 in order "Hello, where is {anchor}?"
  at 12 approve m1
  at 12 escalate m1
  expect { m1 never sent }
}
"""


@dataclass(frozen=True)
class Hostile:
    """One input of a class of the threat model.

    `put` writes it below an empty folder that already holds `good.scenario`. `kind` is a key of VERBS. What is `heavy` takes some
    seconds for all verbs together.
    """

    group: str
    name: str
    kind: str
    put: Callable[[Path], object]
    heavy: bool = False

    def __str__(self) -> str:
        return f"{self.group}: {self.name}"


def in_formats(command: Command, forms: Sequence[str] = REPORTS) -> list[Command]:
    """The command once in every format."""
    return [(*command, "--format", form) for form in forms]


def _reading(path: str) -> list[Command]:
    """Every verb that takes a scenario or a bundle, in every format that it has."""
    return [
        *in_formats(("check", path, *BUDGET), ("json", "text", "concise", "sarif", "github", "junit")),
        ("check", path, *BUDGET, "-v"),
        *in_formats(("build", path, "--out", "built"), ("json",)),
        *in_formats(("timeline", path, *BUDGET), TIMELINES),
        *in_formats(("mutants", path, *BUDGET), ("text", "json", "html")),
        *in_formats(("coverage", path, *BUDGET), ("text", "json", "html")),
        *in_formats(("diff", path, "good.scenario", *BUDGET), ("text", "json")),
        *in_formats(("diff", "good.scenario", path, *BUDGET), ("text",)),
        ("simulate", path, "--system", "reference", "--out", "made"),
        *in_formats(("judge", path, "run", *BUDGET, "--report", "judged.json"), ("json", "sarif")),
    ]


VERBS: dict[str, list[Command]] = {
    "source": [
        *_reading("x.scenario"),
        *in_formats(("fmt", "--check", "x.scenario")),
        ("fmt", "--diff", "x.scenario"),
        ("check", "x.scenario", "--fix", *BUDGET),
    ],
    "bundle": [
        *_reading("x.json"),
        *in_formats(("decompile", "x.json"), ("text", "json", "sarif")),
        *in_formats(("bundle", "check", "folder")),
        *in_formats(("board", "x.json", "--out", "board"), ("json", "text")),
    ],
    "fixture": [
        *in_formats(("adopt", "fixture"), ("json", "text", "concise", "sarif", "github", "junit")),
        ("adopt", "fixture", "--out", "adopted.scenario"),
    ],
    "log": [
        *in_formats(("judge", "good.scenario", "run", "--report", "judged.json"), REPORTS[2:]),
        *in_formats(("judge", "good.scenario", "run", "--report", "judged.json"), REPORTS[:2]),
        ("judge", "good.scenario", "run", "--report", "judged.json", "--baseline", "judged.json"),
        *in_formats(("board", "judged.json", "--out", "board"), ("json", "text")),
    ],
    "ledger": [
        *in_formats(
            ("reserve", "status", "--as-of", "2026-01-10"), ("json", "text", "concise", "sarif", "github", "junit")
        ),
        *in_formats(("reserve", "verify", "--as-of", "2026-01-10")),
        *in_formats(("reserve", "audit"), ("json", "text")),
    ],
    "tree": [
        *in_formats(("check", "tree", *BUDGET), ("json", "text", "concise", "sarif", "github", "junit")),
        *in_formats(("bundle", "check", "tree"), ("json", "text")),
        *in_formats(("build", "tree", "--out", "built"), ("json",)),
        *in_formats(("fmt", "--check", "tree"), ("json", "text")),
        *in_formats(("mutants", "tree", *BUDGET), ("json",)),
        ("timeline", "tree", *BUDGET),
        *in_formats(("adopt", "tree"), ("json", "text")),
        *in_formats(("judge", "good.scenario", "tree", "--report", "judged.json"), ("json",)),
        *in_formats(("judge", "--submission", "tree", "good.scenario", "--report", "judged.json"), ("json",)),
        *in_formats(("board", "tree/report.json", "--out", "board"), ("json",)),
        *in_formats(("reserve", "audit", "--readable", "tree"), ("json",)),
    ],
}
"""By kind, what is run on an input: the first command's findings are counted, the output of all is looked at."""
