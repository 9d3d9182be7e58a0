"""No traps: whatever a system has done without breaking anything, it can go on without breaking anything.

A trap is a conforming prefix without a conforming continuation. Obligations that look ahead make traps: under the
reading in which an escalation condemns what was finished before it, a system that sends in time is caught in one.
"""

from collections.abc import Callable
from dataclasses import replace

from tests.oracle.answers import BASE, Answers
from tests.oracle.basics import Budgets, Document, TooLarge
from tests.oracle.claims import NO_CLAIMS
from tests.oracle.document import read_document
from tests.oracle.environment import environments, item_environment
from tests.oracle.generate import sample
from tests.oracle.generate_features import sample_features
from tests.oracle.graph import _steps
from tests.oracle.item import Item
from tests.oracle.regime import conforming
from tests.oracle.state import State

ENOUGH_DRAFTS = 4
MAX_STEPS = 20_000
Draw = Callable[[int], tuple[Document, Budgets]]
Place = tuple[int, State]
"""A tick, and a state at its beginning."""


def traps(document: Document, budgets: Budgets, answers: Answers = BASE) -> list[State] | None:
    """The states at the beginning of a tick that no conforming run goes on from.

    None where what one message does is guessed for another one. With one message, what is guessed is its own doing: a
    state is no trap if it can be gone on from under some guess.
    """
    scenario = read_document(document, answers)
    worlds = list(environments(scenario, budgets, set()))
    if len(worlds) > 1 and len(scenario.messages) > 1:
        return None
    found: list[State] = []
    for message in scenario.messages:
        regime = conforming(scenario.level, answers)
        items = [Item(item_environment(world, message), regime, NO_CLAIMS, ENOUGH_DRAFTS) for world in worlds]
        reached, living = set[Place](), set[Place]()
        for item in items:
            states, alive = _states(item)
            reached |= states
            living |= alive
        found += [state for _, state in reached - living if not _is_broken(state)]
    return found


def _states(item: Item) -> tuple[set[Place], set[Place]]:
    """The states that are reached at the beginning of each tick, and those of them that a run goes on from."""
    layers: list[dict[State, list[State]]] = []
    frontier = {item.start}
    count = 0
    for index in range(item.last + 1):
        layers.append({state: [step.after for step in _steps(item, state, index)] for state in frontier})
        frontier = {after for steps in layers[-1].values() for after in steps}
        count += sum(map(len, layers[-1].values()))
        if count > MAX_STEPS:
            raise TooLarge("too many steps")
    alive = {state for state in frontier if item.finish(state, []) is not None}
    living: set[Place] = set()
    for index in reversed(range(len(layers))):
        alive = {state for state, steps in layers[index].items() if not alive.isdisjoint(steps)}
        living |= {(item.item.environment.real[index], state) for state in alive}
    reached = {(item.item.environment.real[index], state) for index, layer in enumerate(layers) for state in layer}
    return reached, living


def _is_broken(state: State) -> bool:
    """A resolution is final: one that an escalation demands otherwise has broken that obligation already."""
    demanded = any(row in ("L4.resolve", "L6.stop") for row, _ in state.owed)
    return demanded and state.resolution is not None and state.resolution[1] != "operator_escalation"


def _scenarios_with_traps(seeds: range, answers: Answers, draw: Draw = sample) -> tuple[int, int]:
    asked = caught = 0
    for seed in seeds:
        document, budgets = draw(seed)
        try:
            found = traps(document, budgets, answers)
        except TooLarge:
            continue
        if found is not None:
            asked += 1
            caught += bool(found)
    return asked, caught


def test_there_are_no_traps() -> None:
    asked, caught = _scenarios_with_traps(range(700_000, 700_150), BASE)
    assert asked > 60
    assert caught == 0


def test_there_are_no_traps_with_features() -> None:
    """Nor where effects are held, signals wait for the item, or decisions are on the oldest draft."""
    asked, caught = _scenarios_with_traps(
        range(700_000, 700_200), BASE, lambda seed: sample_features(seed, expecting=False)
    )
    assert asked > 60
    assert caught == 0


def test_a_reading_that_looks_back_makes_traps() -> None:
    _, caught = _scenarios_with_traps(range(700_000, 700_060), replace(BASE, condemns_finished=True))
    assert caught > 0
