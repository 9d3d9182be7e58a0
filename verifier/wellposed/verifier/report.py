"""What a verification says: verdict, expectations, levels, outcomes, core and witness runs. Domain-neutral data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wellposed.dsl.findings import Finding


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One line of a run: its tick, who acts ("environment" or "system"), the item concerned and what happens.

    `data` is the JSON object of the trace schema; `text` is the same in words.
    """

    tick: int
    actor: str
    item: str | None
    text: str
    data: Mapping[str, object]


Trace = tuple[TraceEvent, ...]


@dataclass(frozen=True, slots=True)
class CoreMember:
    """A constraint of a minimal core: obligation id (or "expectation"), its element in the bundle, and its argument in ticks."""

    obligation: str
    pointer: str
    text: str


@dataclass(frozen=True, slots=True)
class ExpectationReport:
    """One expectation: its index in the bundle, its text, and its own verdict.

    `verdict` is proved, ambiguous, unsatisfiable, vacuous, redundant or undecided; `rests_on` names the logs it is about.
    """

    index: int
    text: str
    verdict: str
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A lawful end of an item: sent, abandoned, open or not-admitted, with the first and last tick at which it can fall.

    `first` and `last` are None for the outcomes that have no tick (open, not-admitted).
    """

    outcome: str
    reason: str | None
    first: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class Window:
    """The first and last tick at which a record of an item, or an event whose tick hangs on the run, can stand.

    `item` is None for what concerns every item; `record` is the model's word for it, or the event's element in the bundle.
    """

    item: str | None
    record: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """What becomes of a scenario under another reading: its id, what is read instead, and the verdict then.

    `flips` says that the verdict, or that of some expectation, is not the one under the base readings.
    """

    id: str
    answer: str
    flips: bool
    verification: Verification


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of verifying one bundle under one readings set. `windows` and `readings` are there where asked for.

    `cells` are those of the kill matrix that the verdict needed, by faulty system: that of the system that does nothing,
    those that the author names, and all where the expectations alone count and no simpler wrong run passes. There are none
    where some conforming run fails.
    """

    verdict: str
    levels: Mapping[str, str] = field(default_factory=dict)
    expectations: tuple[ExpectationReport, ...] = ()
    outcomes: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)
    core: tuple[CoreMember, ...] = ()
    passing: Trace = ()
    failing: Trace = ()
    findings: tuple[Finding, ...] = ()
    windows: tuple[Window, ...] = ()
    readings: tuple[ReadingReport, ...] = ()
    stimuli: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[str, str] = field(default_factory=dict)
