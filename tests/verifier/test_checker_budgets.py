"""A check of the tests themselves: every budget is pinned from both sides.

Each entry is a run at the bound of one budget and a run one tick beyond it. With the budget one tick shorter the first
breaks the row; with the budget one tick longer the second keeps it. So no bound can shift unnoticed.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from tests.verifier.checker_documents import (
    Does,
    abandoned,
    approve,
    broken,
    completed,
    condition,
    crash,
    deliver,
    does,
    kill,
    posture,
    rule,
    run,
    scenario,
)

from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.run import Contention

NORMAL_ONLY = {"all": [rule("admit", condition("posture", "is", "normal"))]}
CHANGED = [posture(30, "maintenance")]

# Where a row reads its budget: the field, the row, the bundle, the run at the bound, the run one tick beyond it.
BOUNDS: list[tuple[str, str, dict[str, Any], Does, Does]] = [
    ("admit", "L2.admit", scenario(2, deliver(0)), does(5, 9), does(6, 9)),
    ("lag", "L2.only", scenario(2, deliver(28), *CHANGED, versions=NORMAL_ONLY), does(34, 38), does(35, 38)),
    ("draft", "L0.draft", scenario(0, deliver(0)), does(0, 10, 10), does(0, 11, 11)),
    ("reply", "L0.reply", scenario(0, deliver(0)), does(0, 5, 10), does(0, 5, 11)),
    ("reply", "L0.reply", scenario(0, deliver(0), approve(20)), does(0, 5, 30), does(0, 5, 31)),
    ("send", "L2.send", scenario(2, deliver(0), approve(12)), does(0, 5, 17), does(0, 5, 18)),
    ("crash", "L1.crash", scenario(1, deliver(0), crash(8)), does(0, 5, 28), does(0, 5, 29)),
    (
        "crash",
        "L0.abandon",
        scenario(1, deliver(0), crash(8)),
        does(0, 5, (), abandoned(28, "crash")),
        does(0, 5, (), abandoned(29, "crash")),
    ),
    ("death", "L3.death", scenario(3, deliver(0), kill(12)), does(0, 5, won=(17,)), does(0, 5, won=(18,))),
    (
        "death",
        "L0.abandon",
        scenario(3, deliver(0), kill(12)),
        does(0, 5, (), abandoned(17, "agent_death")),
        does(0, 5, (), abandoned(18, "agent_death")),
    ),
    (
        "claims",
        "L3.claims",
        scenario(3, deliver(0)),
        does(0, 5, contention=Contention(4, 9)),
        does(0, 5, contention=Contention(4, 10)),
    ),
]

SHUT = {at: scenario(2, deliver(at), *CHANGED, versions=NORMAL_ONLY) for at in (24, 25)}
OPENED = {
    at: scenario(2, deliver(at), posture(30, "normal"), versions=NORMAL_ONLY, mode="maintenance") for at in (34, 35)
}
DECIDED = {at: scenario(3, deliver(0), approve(at)) for at in (50, 51)}

# Where a budget decides whether a row is asked at all: the change of the budget that turns the answer around.
EDGES: list[tuple[str, int, str, dict[str, Any], Does]] = [
    ("terminal", +1, "L3.terminal", DECIDED[50], does(0, 5, 52)),
    ("terminal", -1, "L3.terminal", DECIDED[51], does(0, 5, 52)),
    ("lag", +1, "L2.admit", OPENED[35], does()),
    ("lag", -1, "L2.admit", OPENED[34], does()),
    ("admit", +1, "L2.admit", SHUT[24], does()),
    ("admit", -1, "L2.admit", SHUT[25], does()),
]


def altered(field: str, by: int) -> Answers:
    return replace(BASE, **{field: getattr(BASE, field) + by})


@pytest.mark.parametrize(
    ("field", "row", "document", "at", "beyond"), BOUNDS, ids=[f"{row[0]}-{row[1]}" for row in BOUNDS]
)
def test_bound(field: str, row: str, document: dict[str, Any], at: Does, beyond: Does) -> None:
    assert row not in broken(document, run(at))
    assert row in broken(document, run(beyond))
    assert row in broken(document, run(at), altered(field, -1))
    assert row not in broken(document, run(beyond), altered(field, +1))


@pytest.mark.parametrize(
    ("field", "by", "row", "document", "system"), EDGES, ids=[f"{row[0]}{row[1]:+d}" for row in EDGES]
)
def test_edge(field: str, by: int, row: str, document: dict[str, Any], system: Does) -> None:
    broken_at_base = by > 0
    assert (row in broken(document, run(system))) is broken_at_base
    assert (row in broken(document, run(system), altered(field, -by))) is broken_at_base
    assert (row in broken(document, run(system), altered(field, by))) is not broken_at_base


def test_crash_budget_of_l3_terminal() -> None:
    """L3.terminal: a crash budget that ends at the horizon excuses nothing; one tick more and it does."""
    document = scenario(3, deliver(0), approve(39), crash(40))
    assert broken(document, run(does(0, 5, 42))) == {"L3.terminal"}
    assert broken(document, run(does(0, 5, 42)), altered("crash", +1)) == set()


def test_every_budget_is_pinned() -> None:
    assert {field.name for field in fields(Budgets)} == {row[0] for row in BOUNDS} | {row[0] for row in EDGES}


def test_base_budgets() -> None:
    """The budgets of the model, in visible ticks."""
    assert BASE == Answers(admit=5, lag=5, draft=10, reply=10, send=5, crash=20, death=5, claims=5, terminal=10)


def test_scaled_down_budgets() -> None:
    """A whole scenario at small scale: every bound of it is exact."""
    small = Answers(admit=1, lag=1, draft=2, reply=3, send=1, crash=3, death=1, claims=1, terminal=2)
    document = scenario(3, deliver(0), approve(3), horizon=5)
    assert broken(document, run(does(1, 2, 4, completed(5))), small) == set()
    assert broken(document, run(does(2, 2, 4, completed(5))), small) == {"L2.admit"}
    assert broken(document, run(does(1, 3, 5, completed(5))), small) == {"L0.draft"}
    assert broken(document, run(does(1, 2, 5, completed(5))), small) == {"L2.send"}
    assert broken(document, run(does(1, 2, 4)), small) == {"L3.terminal"}
