"""What a model hands to the kernel: components of constraints, and the questions to ask about them.

A *case* is one way in which the environment can unfold (almost always there is exactly one); a *component* is a group of
items that constrain each other. All conforming runs of a scenario are: some case, and in it a solution for every component.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wellposed.verifier.formula import Formula, Space, Term


@dataclass(frozen=True, slots=True)
class Constraint:
    """An instance of an obligation on an item: the element of the bundle that causes it, and its argument in ticks.

    `due` marks a demand for a response; the others prohibit.
    """

    obligation: str
    item: str
    pointer: str
    formula: Formula
    text: str
    due: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """An expectation of the author: its index in the bundle, its formula and text.

    A conjunction may stand as several claims of one index and text, so that it ties no components together.
    """

    index: int
    formula: Formula
    text: str


@dataclass(frozen=True, slots=True)
class OutcomeForm:
    """A way in which an item can end: when it holds, and the term whose first and last tick are reported."""

    item: str
    outcome: str
    reason: str | None
    formula: Formula
    tick: Term | None


@dataclass(frozen=True, slots=True)
class WindowForm:
    """Something that stands in a run at a tick of the run's own: when it does, and the term of its tick.

    `item` is None for what concerns every item; `record` is the model's word for it, or the pointer of an event.
    """

    item: str | None
    record: str
    formula: Formula
    tick: Term


@dataclass(frozen=True, slots=True)
class Component:
    """Items that are solved together. `physics` holds in every log and is never part of a core.

    `causes` are, per level, formulas of which one must be possible for the level to be exercised; `stimuli` likewise per
    event of the schedule (by pointer) for the event not to be dead. `records` are the variables that make up one record,
    that of its tick first; `quiet` says of each that it does not exist. `windows` are only looked at on request.
    `loose` are variables on which nothing rests in a run in which the formula holds: such a run might as well have the
    value of another one, if that is not beyond the term.
    """

    space: Space
    items: tuple[str, ...]
    physics: tuple[Formula, ...]
    standing: tuple[Constraint, ...]
    claims: tuple[Claim, ...]
    causes: Mapping[str, Sequence[Formula]]
    stimuli: Mapping[str, Sequence[Formula]]
    outcomes: tuple[OutcomeForm, ...]
    records: tuple[tuple[int, ...], ...]
    quiet: tuple[Formula, ...]
    payload: object
    windows: tuple[WindowForm, ...] = ()
    loose: Mapping[int, tuple[Formula, Term]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A level exercised by two members of different kinds together; a member is (component, kind, formula)."""

    level: str
    members: tuple[tuple[int, str, Formula], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One unfolding of the environment: its components, and the levels exercised whatever the run does.

    `real` turns a value of a time variable into the tick that the author knows; `hinges` are the items by whose records
    it is this case.
    """

    components: tuple[Component, ...]
    exercised: frozenset[str]
    pairings: tuple[Pairing, ...]
    real: Callable[[int], int]
    payload: object
    hinges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FreeClaims:
    """Expectations over well-formed logs that owe nothing: the space of such logs and what always holds in it.

    Expectations that speak of the same items stand together.
    """

    space: Space
    harness: tuple[Formula, ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """What a faulty system may do in one component: its runs, and the constraints that it attacks and that are in force.

    `shows` says that each of its logs breaks one of those, in some component.
    """

    runs: tuple[Formula, ...]
    attacked: tuple[Constraint, ...]
    shows: bool


@dataclass(frozen=True, slots=True)
class Suspects:
    """A component in which faulty systems are let loose, each with its variants; `physics` is what they have in common."""

    component: Component
    systems: Mapping[str, tuple[Variant, ...]]


@dataclass(frozen=True, slots=True)
class Mutants:
    """A scenario for the kill matrix: the faulty systems by id in the order of their table, and per case its suspects.

    `only_expect` says that a run is judged by the expectations alone.
    """

    systems: tuple[str, ...]
    cases: tuple[tuple[Case, tuple[Suspects, ...]], ...]
    only_expect: bool


@dataclass(frozen=True, slots=True)
class Theory:
    """A scenario, ready to be verified.

    `catches` are the ids of the faulty systems that the author says it fails; `mutants` is the scenario for the kill matrix.
    `free` yields the expectations over all well-formed logs, group by group, for every case; `only_expect` says that the
    standing obligations are no part of the expectations; `top` is the scenario's top level; `idle_passes` whether doing nothing passes.
    `idle` is the cell of the system that does nothing, by its id: it needs no search, as that system has one log.
    `copies` says how often at most its logs hold what a conforming run holds once.
    """

    cases: tuple[Case, ...]
    claims: tuple[str, ...]
    free: Callable[[], Iterable[FreeClaims]]
    levels: tuple[str, ...]
    stimuli: tuple[str, ...]
    only_expect: bool
    idle_passes: bool
    top: str
    catches: tuple[str, ...]
    mutants: Callable[[], Mutants]
    idle: Mapping[str, str] = field(default_factory=dict)
    copies: int = 1
