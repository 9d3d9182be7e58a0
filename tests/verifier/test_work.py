"""How much work a verdict costs, as counts of work units: what only makes the verifier slower fails here, on any machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from tests.verifier.known_answers import abandoned, document, either, never_sent, sent

from wellposed.verifier.amr.model import mutants, theory
from wellposed.verifier.formula import Formula, Literal, Space, any_of, constant
from wellposed.verifier.solver import Budget, Conflict, OutOfBudget, solve
from wellposed.verifier.verdict import judge

PLENTY = 1_000_000


class Shape(NamedTuple):
    """A shape of the library for any number of messages: an event without an item stands once, any other once per message.

    `units` is the most that one message of it may cost, a quarter above what it cost when it was written down.
    """

    level: int
    events: tuple[tuple[Any, ...], ...]
    expect: Callable[[str], dict[str, Any]]
    units: int

    def document(self, messages: int, horizon: int) -> dict[str, Any]:
        names = [f"m{number}" for number in range(messages)]
        events = [(*event, name) if event[1] != "crash" else event for event in self.events for name in names]
        return document(
            self.level,
            list(dict.fromkeys(events)),
            [self.expect(name) for name in names],
            horizon=horizon,
            messages=tuple((name, 0) for name in names),
        )


def ended(name: str) -> dict[str, Any]:
    return either(sent(message=name), abandoned(message=name))


SHAPES = {
    "a reply": Shape(0, (), lambda name: sent(True, 10, message=name), 24),
    "a crash": Shape(1, ((4, "crash"),), lambda name: sent(True, 30, message=name), 322),
    "an approval": Shape(2, ((12, "approve"),), lambda name: sent(True, 17, message=name), 122),
    "a reject and an approval": Shape(2, ((12, "reject"), (20, "approve")), ended, 325),
    "an escalation": Shape(4, ((2, "escalate"), (5, "approve")), lambda name: never_sent(name), 166),
    "an approval taken back": Shape(6, ((12, "approve"), (13, "escalate")), lambda name: never_sent(name), 145),
}
TOGETHER = {"a death": Shape(3, ((12, "kill"), (20, "approve")), ended, 466)}
"""One death may touch every item, so these are solved together."""


def units(shape: Shape, messages: int, horizon: int) -> int:
    """What a whole verdict costs."""
    work = Budget(PLENTY)
    judgement = judge(theory(shape.document(messages, horizon), work), work)
    assert judgement.verdict in ("well-posed", "ambiguous") and judgement.example is not None
    return PLENTY - work.left


@pytest.mark.parametrize("name", [*SHAPES, *TOGETHER])
def test_work_does_not_depend_on_the_horizon(name: str) -> None:
    shape = {**SHAPES, **TOGETHER}[name]
    assert len({units(shape, 1, horizon) for horizon in (50, 60, 500, 100_000)}) == 1
    assert units(shape, 3, 60) == units(shape, 3, 5_000)


@pytest.mark.parametrize("name", SHAPES)
def test_work_grows_with_the_messages_and_no_faster(name: str) -> None:
    one = units(SHAPES[name], 1, 60)
    assert [units(SHAPES[name], messages, 60) for messages in (2, 5, 20)] == [2 * one, 5 * one, 20 * one]


@pytest.mark.parametrize("name", [*SHAPES, *TOGETHER])
def test_work_stays_what_it_is(name: str) -> None:
    shape = {**SHAPES, **TOGETHER}[name]
    assert shape.units * 2 // 3 <= units(shape, 1, 60) <= shape.units


def refuted(beside: int, choices: int) -> tuple[Conflict, int]:
    """A contradiction that some choices on one variable are tried for, with others beside it that have no part in it."""
    space = Space()
    constraints: list[tuple[int, Formula]] = []
    for number in range(beside):
        x = space.variable(f"x{number}", 0, 9)
        constraints.append((0, any_of((space.le(x, constant(1)), space.le(x, constant(2))))))
    y = space.variable("y", 0, 9)
    constraints.append((1, any_of(space.le(y, constant(number)) for number in range(choices))))
    constraints.append((2, any_of(Literal(0, y.var, -number) for number in (choices, choices + 1))))
    constraints.append((4, space.le(y, constant(9))))
    work = Budget(PLENTY)
    found = solve(space, constraints, work)
    assert isinstance(found, Conflict)
    return found, PLENTY - work.left


def test_a_contradiction_is_not_tried_again_under_every_other_choice() -> None:
    """Each choice beside it costs one choice and one bound, twenty of them not a million times as much."""
    (conflict, alone), (_, few), (_, many) = refuted(0, 3), refuted(1, 3), refuted(20, 3)
    assert conflict == Conflict(3, 0)
    assert few - alone == 2 and many - alone == 2 * 20


def unfolding(*triggered: tuple[str, str, int]) -> dict[str, Any]:
    """A document in which the clock jumps when something is first done about a message: (event, message, ticks)."""
    made = document(2, [(12, "approve", "m1")], [never_sent("m1")], horizon=20, messages=(("m1", 0), ("m2", 0)))
    for number, (event, message, ticks) in enumerate(triggered):
        record = {"fault": "jump", "fault_id": f"jump.{number}", "by": ticks}
        when = {"event": event, "work_id": f"work:{message}"}
        made["schedule"].append({"channel": "faults", "record": record, "seq": len(made["schedule"]), "when": when})
    return made


def test_every_further_case_is_paid_for() -> None:
    """Triggered jumps unfold in as many ways as they can fall together, and no bound on the events bounds that."""
    triggers = (("admitted", "m1", 2), ("drafted", "m1", 2), ("admitted", "m2", 2), ("drafted", "m2", 2))
    spent = []
    for count in range(len(triggers) + 1):
        work = Budget(PLENTY)
        try:
            cases = len(theory(unfolding(*triggers[:count]), work).cases)
        except OutOfBudget:
            break
        assert PLENTY - work.left >= 100 * (cases - 1)
        spent.append(cases)
    assert spent[0] == 1 and spent[1] > 1 and spent[-1] > 100
    for asked in (theory, mutants):
        with pytest.raises(OutOfBudget):
            asked(unfolding(*triggers), Budget(PLENTY // 100))
