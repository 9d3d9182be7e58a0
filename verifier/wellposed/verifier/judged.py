"""What the judge says of runs: plain data, for whoever renders it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from wellposed.dsl.findings import Finding

PASS, FAIL, UNTESTED, INCONCLUSIVE, ANNULLED = "pass", "fail", "untested", "inconclusive", "annulled"
RUNS_FOR_A_PASS = 5
"""Source: specification section 5, "five consecutive scored runs"."""

MECHANISM, ADAPTER, FIXTURE_DEFECT = "mechanism", "adapter", "fixture-defect"
CLASSES = (MECHANISM, ADAPTER, FIXTURE_DEFECT)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A line of a log: its file, number and tick, and what it records."""

    file: str
    line: int
    tick: int | None
    what: str


@dataclass(frozen=True, slots=True)
class Breach:
    """An obligation (or `expect`, `well-formed`, `form`) that is broken, the levels that fail by it, and why."""

    obligation: str
    levels: tuple[str, ...]
    message: str | None
    pointer: str
    text: str


@dataclass(frozen=True, slots=True)
class RunFailure:
    """One failure of one run: the root, what follows from it, and the lines of the logs that it is about.

    `told` says that a finding about the line of the log tells it already.
    """

    id: str
    root: Breach
    follows: tuple[Breach, ...]
    evidence: tuple[Evidence, ...]
    told: bool = False

    @property
    def levels(self) -> frozenset[str]:
        """The levels that fail by it."""
        return frozenset(level for one in (self.root, *self.follows) for level in one.levels)


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One run directory, judged. A run with `harness` errors is annulled: it says nothing about the system.

    `exercised` are the levels that something in this run exercised, `expectations` whether each holds (None: not judged).
    `recorded` says that a timeline was there; without it every tick is the system's own word. `identity` is that of the
    folder, so that no run counts twice; `content` is a digest of all that was read, equal for copies.
    """

    path: str
    identity: tuple[int, int]
    recorded: bool = False
    forced_advances: int = 0
    origin: str | None = None
    lines: int = 0
    exercised: frozenset[str] = frozenset()
    failures: tuple[RunFailure, ...] = ()
    expectations: tuple[bool | None, ...] = ()
    harness: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    content: bytes = b""

    @property
    def annulled(self) -> bool:
        return bool(self.harness)


@dataclass(frozen=True, slots=True)
class Classified:
    """What a submission says of a failure: its class, and why it is that."""

    failure: str
    kind: str
    justification: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure of a scenario: the first run's account of it, the runs (by number) that show it, and its class."""

    first: RunFailure
    runs: tuple[int, ...]
    kind: str = MECHANISM
    justification: str | None = None

    @property
    def id(self) -> str:
        return self.first.id


@dataclass(frozen=True, slots=True)
class LevelResult:
    """A level over all runs: the result, and the result of each run in order."""

    result: str
    runs: tuple[str, ...]

    def count(self, result: str) -> int:
        """How many runs have this result."""
        return self.runs.count(result)


def level_result(results: Sequence[str]) -> str:
    """What the results of several runs come to.

    Annulled and inconclusive runs count for nothing: they neither make up the five nor break them.
    """
    if FAIL in results:
        return FAIL
    if results.count(PASS) >= RUNS_FOR_A_PASS:
        return PASS
    return UNTESTED if UNTESTED in results and PASS not in results else INCONCLUSIVE


def combined(results: Collection[str]) -> str:
    """What the results of one level in several scenarios come to: failed by one is failed, all that test it must pass."""
    return next(one for one in (FAIL, INCONCLUSIVE, PASS, UNTESTED) if one in results)


def same_as(contents: Sequence[bytes]) -> tuple[int | None, ...]:
    """Of each run the first one, by number, with the same content; None for that one itself, and where there is none."""
    first: dict[bytes, int] = {}
    found = [first.setdefault(content, number) for number, content in enumerate(contents)]
    return tuple(earlier if contents[number] and earlier < number else None for number, earlier in enumerate(found))


@dataclass(frozen=True, slots=True)
class JudgedScenario:
    """All runs of one scenario. `expectations` are their results over the runs, as for levels, in the bundle's order."""

    runs: tuple[JudgedRun, ...]
    levels: Mapping[str, LevelResult] = field(default_factory=dict)
    expectations: tuple[LevelResult, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def origin(self) -> str | None:
        """How the runs that count drafted: model-based, model-free or mixed; None if nothing was drafted."""
        found = {run.origin for run in self.runs if run.origin is not None and not run.annulled}
        return next(iter(found)) if len(found) == 1 else "mixed" if found else None

    @property
    def copies(self) -> tuple[int | None, ...]:
        """Of each run the number of an earlier one with the same logs, byte for byte, if there is one."""
        return same_as([b"" if run.annulled else run.content for run in self.runs])

    @property
    def forced_advances(self) -> int:
        return sum(run.forced_advances for run in self.runs)
