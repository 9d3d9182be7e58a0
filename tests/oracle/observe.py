"""What happens in some conforming run: exercised levels, living stimuli, excuses that are used."""

from dataclasses import dataclass, field
from itertools import combinations

from tests.oracle.document import Scenario
from tests.oracle.environment import Environment
from tests.oracle.graph import Graph


@dataclass
class Observations:
    """Facts gathered over all environments that have a conforming run.

    ``finds_live`` and ``finds_item`` hold the statements that fire while some message admitted in the run is
    neither sent nor resolved, respectively is admitted at all; ``finds_delivered`` those that moreover find the message
    delivered.
    """

    labels: set[tuple[str, str]] = field(default_factory=set)
    finds_live: set[str] = field(default_factory=set)
    finds_item: set[str] = field(default_factory=set)
    finds_delivered: set[str] = field(default_factory=set)
    admitted: set[str] = field(default_factory=set)
    admitted_pairs: set[tuple[str, str]] = field(default_factory=set)

    def look(self, environment: Environment, graphs: list[Graph]) -> None:
        """Add what the (non-empty) graphs of one environment show."""
        together = [g.item.name for g in graphs if any(f.admitted >= 0 for f, _ in g.finishes.values())]
        self.admitted.update(together)
        self.admitted_pairs.update(combinations(together, 2))
        for graph in graphs:
            for layer in graph.layers:
                for steps in layer.values():
                    for step in steps:
                        self.labels.update(step.labels)
            for _, labels in graph.finishes.values():
                self.labels.update(labels)
        for statement in environment.scenario.statements:
            index = environment.fires[statement.id]
            if index is None or statement.kind not in ("escalate", "crash", "dangling"):
                continue
            for graph in graphs:
                if statement.kind == "escalate" and statement.target != graph.item.name:
                    continue
                if graph.admits[index]:
                    self.finds_item.add(statement.id)
                if any(not state.closed for state in graph.admits[index]):
                    self.finds_live.add(statement.id)
                    if index >= graph.item.item.arrival:
                        self.finds_delivered.add(statement.id)

    def happened(self, kind: str) -> set[str]:
        """The subjects of all labels of a kind."""
        return {name for label, name in self.labels if label == kind}


def exercised(scenario: Scenario, seen: Observations) -> frozenset[int]:
    """The levels up to the scenario's own that some conforming run exercises (C28)."""
    messages = {m.id: m for m in scenario.messages}
    escalations = {s.id for s in scenario.statements if s.kind == "escalate"}
    levels = {
        0: bool(seen.admitted or seen.happened("required")),
        1: bool(
            scenario.duplicates or seen.happened("pending") or len(scenario.messages) >= 2 or len(scenario.anchors) >= 2
        ),
        2: bool(scenario.messages),
        3: bool(seen.happened("touched")),
        4: bool(seen.finds_live & escalations),
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
