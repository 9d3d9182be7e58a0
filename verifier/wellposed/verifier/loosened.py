"""Whether the expectations of one scenario accept a log that those of another reject, over all well-formed logs.

A run that conforms is only one kind of log: expectations are also there to fail systems that do not, and an expectation
that every conforming run meets may still be the only one that fails a faulty system.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellposed.verifier.formula import all_of, negate
from wellposed.verifier.models import MODELS
from wellposed.verifier.solver import Budget, Conflict, solve


def no_longer_demanded(before: Mapping[str, Any], after: Mapping[str, Any], budget: int) -> tuple[int, ...]:
    """The indexes of the expectations of `before` that a well-formed log can fail which passes all of `after`.

    Both documents must be alike but for how runs are judged. Items that no expectation joins are looked at one by one:
    that the others pass as well is taken for granted. Raises OutOfBudget.
    """
    own = len(before["expect"])
    together = {**before, "expect": [*before["expect"], *after["expect"]]}
    work = Budget(budget)
    found: set[int] = set()
    for free in MODELS[before["spec"]].theory(together, work).free():
        passed = [claim.formula for claim in free.claims if claim.index >= own]
        for index in sorted({claim.index for claim in free.claims if claim.index < own} - found):
            failed = negate(all_of(claim.formula for claim in free.claims if claim.index == index))
            questions = [(0, formula) for formula in (*free.harness, *passed, failed)]
            if not isinstance(solve(free.space, questions, work), Conflict):
                found.add(index)
    return tuple(sorted(found))
