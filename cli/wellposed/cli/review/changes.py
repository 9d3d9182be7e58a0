"""What a pull request does to scenarios: each one that was added, changed, renamed or removed, verified and compared.

**When expectations are loosened.** Both sides have the same level, horizon, schedule, rules, mode and stub: they differ in
nothing that decides which runs there are (`compare.OF_THE_JUDGEMENT`). Then the expectations are loosened if

- a conforming run passes after and failed before, or
- some well-formed log, conforming or not, passes all expectations after and failed one before, or
- a standing obligation is no longer in force (`invariants only expect`).

Where the schedule or the level changes as well, runs come and go for other reasons, so this is not asked; which levels and
faulty systems the scenario then no longer tests is told instead, and which expectations are gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wellposed.cli.report import ScenarioResult
from wellposed.cli.review.diff import Difference, difference_of, side_of
from wellposed.cli.review.pairing import Pair
from wellposed.verifier.loosened import no_longer_demanded
from wellposed.verifier.mutants import KILLED
from wellposed.verifier.solver import OutOfBudget

ADDED, CHANGED, RENAMED, REMOVED, MOVED = "added", "changed", "renamed", "removed", "moved"
_EXERCISED = "exercised"


@dataclass(frozen=True, slots=True)
class Lost:
    """What a scenario tested and no longer does: its level, levels exercised, faulty systems always caught, expectations."""

    level: tuple[int, int] | None = None
    exercised: tuple[str, ...] = ()
    caught: tuple[str, ...] = ()
    catches: tuple[str, ...] = ()
    expectations: tuple[str, ...] = ()
    obligations: tuple[str, ...] = ()

    @property
    def weaker(self) -> bool:
        """Whether it tests less, whatever its expectations say."""
        return self.level is not None or bool(self.exercised or self.caught)


@dataclass(frozen=True, slots=True)
class ScenarioChange:
    """One scenario of a pull request.

    `difference` is None where one side is missing or was not verified. `loosened` are the expectations of before that are
    no longer demanded, None where that was not asked or not decided; `because` are the imported files whose change is
    the only one that it has.
    """

    kind: str
    before: ScenarioResult | None
    after: ScenarioResult | None
    difference: Difference | None = None
    loosened: tuple[str, ...] | None = None
    undecided: bool = False
    lost: Lost = field(default_factory=Lost)
    because: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id that it has now, or had."""
        one = self.after or self.before
        assert one is not None, "one side is there"
        return one.id

    @property
    def source(self) -> str:
        """The file that it is in now, or was in."""
        one = self.after or self.before
        assert one is not None, "one side is there"
        return one.source

    @property
    def is_loosened(self) -> bool:
        """Whether its expectations accept what they rejected."""
        allowed = self.difference is not None and self.difference.comparison.allowed is not None
        return allowed or bool(self.loosened) or bool(self.loosened is not None and self.lost.obligations)


def kind_of(pair: Pair) -> str | None:
    """What was done to the scenario; None where nothing was."""
    before, after = pair.before, pair.after
    if before is None or after is None:
        return ADDED if before is None else REMOVED
    if before.id != after.id:
        return RENAMED
    same = before.bundle is not None and after.bundle is not None and before.bundle.hash == after.bundle.hash
    if not same:
        return CHANGED
    return MOVED if before.source != after.source else None


def change_of(
    kind: str, before: ScenarioResult | None, after: ScenarioResult | None, because: Sequence[str], budget: int
) -> ScenarioChange:
    """The change with all that was found out about it; both sides are verified where they can be. Raises WitnessRejected."""
    change = ScenarioChange(kind, before, after, because=tuple(because))
    if kind == MOVED or before is None or after is None:
        return change
    sides = side_of(before, budget), side_of(after, budget)
    if sides[0] is None or sides[1] is None:
        return change
    difference = difference_of(sides[0], sides[1], budget)
    loosened, undecided = None, difference.comparison.undecided
    if difference.comparison.same_runs and not undecided:
        try:
            loosened = _loosened(difference, budget)
        except OutOfBudget:
            undecided = True
    lost = _lost(difference)
    return ScenarioChange(kind, before, after, difference, loosened, undecided, lost, change.because)


def _loosened(difference: Difference, budget: int) -> tuple[str, ...]:
    """The expectations of before that are no longer demanded, as they were written. Raises OutOfBudget."""
    before, after = difference.before, difference.after
    indexes = set(no_longer_demanded(before.bundle.document, after.bundle.document, budget))
    if difference.comparison.allowed is not None:
        indexes |= set(difference.comparison.allowed.failed)
    texts = [one.text for one in before.verification.expectations]
    return tuple(texts[index] for index in sorted(indexes))


def _lost(difference: Difference) -> Lost:
    before, after = difference.before, difference.after
    had, has = before.bundle.document, after.bundle.document
    kept = [one.text for one in after.verification.expectations]
    return Lost(
        level=(had["level"], has["level"]) if has["level"] < had["level"] else None,
        exercised=tuple(_gone(before.verification.levels, after.verification.levels, _EXERCISED)),
        caught=tuple(_gone(before.cells or {}, after.cells, KILLED)) if after.cells is not None else (),
        catches=tuple(one for one in had["catches"] if one not in has["catches"]),
        expectations=tuple(one.text for one in before.verification.expectations if one.text not in kept),
        obligations=tuple(one for one in had["invariants"] if one not in has["invariants"])
        if had["level"] == has["level"]
        else (),
    )


def _gone(before: Mapping[str, str], after: Mapping[str, str], value: str) -> Iterator[str]:
    """The names that had this value and have it no more."""
    return (name for name, had in before.items() if had == value and after.get(name) != value)
