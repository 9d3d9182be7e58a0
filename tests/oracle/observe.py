"""What happens in some conforming run: exercised levels, stimuli that find something or nothing, excuses that are used."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain, combinations

from tests.oracle.document import Scenario, Statement
from tests.oracle.environment import DECISIONS, Environment
from tests.oracle.graph import Graph, Step

STIMULI = (*DECISIONS, "escalate", "kill", "kill-literal", "crash", "dangling")


@dataclass
class Observations:
    """Facts gathered over all environments that have a conforming run.

    ``of_admitted`` are the labels of messages that are admitted in the run, at whatever tick; ``finds_item`` the
    escalations that fire on such a message, ``finds_delivered`` the statements that find it delivered and neither sent
    nor resolved. ``missed`` are the stimuli that in some conforming run do not find what they are aimed at.
    """

    labels: set[tuple[str, str]] = field(default_factory=set)
    of_admitted: set[tuple[str, str]] = field(default_factory=set)
    finds_item: set[str] = field(default_factory=set)
    finds_delivered: set[str] = field(default_factory=set)
    admitted: set[str] = field(default_factory=set)
    admitted_pairs: set[tuple[str, str]] = field(default_factory=set)
    missed: set[str] = field(default_factory=set)

    def look(self, environment: Environment, graphs: list[Graph]) -> None:
        """Add what the (non-empty) graphs of one environment show."""
        together = [g.item.name for g in graphs if g.admits[-1]]
        self.admitted.update(together)
        self.admitted_pairs.update(combinations(together, 2))
        for graph in graphs:
            for index, layer in enumerate(graph.layers):
                for step in chain.from_iterable(layer.values()):
                    self.labels.update(step.labels)
                    if step.after in graph.admits[index + 1]:
                        self.of_admitted.update(step.labels)
                        if index >= graph.item.item.arrival:
                            self.finds_delivered.update(name for label, name in step.labels if label == "live")
            for _, labels in graph.finishes.values():
                self.labels.update(labels)
        for s in environment.scenario.statements:
            if s.kind == "escalate" and environment.fires[s.id] is not None and s.target in together:
                self.finds_item.add(s.id)
            if s.kind in STIMULI and s.id not in self.missed and all(_may_miss(s, environment, g) for g in graphs):
                self.missed.add(s.id)

    def happened(self, kind: str) -> set[str]:
        """The subjects of all labels of a kind."""
        return {name for label, name in self.labels if label == kind}


def _may_miss(stimulus: Statement, environment: Environment, graph: Graph) -> bool:
    """Whether some run of a message gives a stimulus nothing to find in it."""
    name = stimulus.id
    if stimulus.kind == "escalate":
        aimed = stimulus.target == graph.item.name and environment.fires[name] is not None
        return not aimed or any(state.admitted < 0 for state in graph.finishes)
    if stimulus.kind in DECISIONS:
        return _some_run(graph, lambda step, _: ("fired", name) not in step.labels)
    if stimulus.kind in ("kill", "kill-literal"):
        return _some_run(graph, lambda step, _: ("touched", name) not in step.labels)
    arrival = graph.item.item.arrival
    unadmitted = any(state.admitted < 0 for state in graph.finishes)
    return unadmitted or _some_run(graph, lambda step, index: index < arrival or ("live", name) not in step.labels)


def _some_run(graph: Graph, keeps: Callable[[Step, int], bool]) -> bool:
    """Whether every step of some run satisfies a condition, which is given its tick as well."""
    alive = set(graph.finishes)
    for index in reversed(range(len(graph.layers))):
        layer = graph.layers[index].items()
        alive = {state for state, steps in layer if any(step.after in alive and keeps(step, index) for step in steps)}
    return bool(alive)


def exercised(scenario: Scenario, seen: Observations) -> frozenset[int]:
    """The levels up to the scenario's own that some conforming run exercises (C28)."""
    messages = {m.id: m for m in scenario.messages}
    levels = {
        0: bool(seen.admitted or seen.happened("owed")),
        1: bool(
            scenario.duplicates or seen.happened("pending") or len(scenario.messages) >= 2 or len(scenario.anchors) >= 2
        ),
        2: bool(scenario.messages),
        3: bool(seen.admitted if scenario.answers.claims_always else seen.happened("touched")),
        4: any(label == "finds-live" for label, _ in seen.of_admitted),
        5: any(
            messages[a].conversation != messages[b].conversation
            and (messages[a].subject == messages[b].subject or messages[a].sender == messages[b].sender)
            for a, b in seen.admitted_pairs
        ),
        6: bool(seen.happened("finds-approved")),
    }
    return frozenset(level for level, is_exercised in levels.items() if is_exercised and level <= scenario.level)


def dead_stimuli(scenario: Scenario, seen: Observations) -> list[str]:
    """The stimuli that in no conforming run find what they are aimed at (C29), in seq order."""
    alive = {
        "approve": seen.happened("fired"),
        "reject": seen.happened("fired"),
        "wrong-hash": seen.happened("fired"),
        "escalate": seen.finds_item,
        "kill": seen.happened("touched"),
        "kill-literal": seen.happened("touched"),
        "crash": seen.finds_delivered,
        "dangling": seen.finds_delivered,
    }
    return [s.id for s in scenario.statements if s.kind in alive and s.id not in alive[s.kind]]


def findings(scenario: Scenario, seen: Observations) -> dict[str, str]:
    """Per stimulus whether it finds what it is aimed at in conforming runs: always, sometimes or never."""
    dead = dead_stimuli(scenario, seen)
    ids = [s.id for s in scenario.statements if s.kind in STIMULI]
    return {i: "never" if i in dead else "sometimes" if i in seen.missed else "always" for i in ids}
