"""Finished runs of all messages together: which truth values of the expectations they reach."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product

from tests.oracle.basics import Budgets
from tests.oracle.claims import (
    Atom,
    Claim,
    Finish,
    ItemClaims,
    atom_of,
    atoms_in,
    claims_on,
    freedom,
    holds,
    referenced,
    truths_of,
)
from tests.oracle.document import Message, Scenario
from tests.oracle.environment import Environment, environments, item_environment
from tests.oracle.item import Item
from tests.oracle.regime import OFF, Regime

Outcome = tuple[tuple[bool, ...], bool]
"""The truth of every expectation, and whether something remembered was breached."""
Ending = tuple[tuple[bool, ...], bool, bool]
"""For one message: the truth of its atoms, whether it was admitted, whether something remembered was breached."""


@dataclass(frozen=True)
class Setting:
    """A scenario with the budgets (visible ticks), the constraints and the claims of one question."""

    scenario: Scenario
    budgets: Budgets
    regime: Regime
    expect: tuple[Claim, ...]
    max_drafts: int

    def environments(self) -> Iterator[Environment]:
        """Every guessed environment."""
        named = referenced(self.scenario, self.expect)
        return environments(self.scenario, self.budgets, named, self.regime.lawful)

    def item(self, environment: Environment, message: Message) -> Item:
        """One message in one environment."""
        claims = claims_on(self.scenario, message.id, self.expect)
        return Item(item_environment(environment, message), self.regime, claims, self.max_drafts)

    def endings(self, item: Item, finished: set[Finish]) -> set[Ending]:
        """What the finished runs of a message, with every free choice, mean for its atoms."""
        bound = {name: item.status(name, item.name) != OFF for name in ("L1.anchor", "L5.identity", "L3.claims")}
        free = freedom(item.item, bound["L1.anchor"], bound["L5.identity"], bound["L3.claims"], self.regime.lawful)
        return {
            (truth, finish.admitted >= 0, finish.broken is not None)
            for finish in finished
            for truth in truths_of(item.item, item.claims, finish, free)
        }

    def outcomes(self, messages: list[ItemClaims], endings: list[set[Ending]]) -> set[Outcome]:
        """The outcomes of one environment: every combination of endings, and the choices that span messages."""
        found: set[Outcome] = set()
        agrees = (True,) if self.regime.status(("L3.state", "*", "*")) != OFF else (True, False)
        shared = [c for c in chain.from_iterable(map(atoms_in, self.expect)) if c["claim"] == "distinct"]
        names = [m.id for m in self.scenario.messages]
        for combination in product(*endings):
            truth: dict[Atom, bool] = {}
            for claims, (vector, _, _) in zip(messages, combination, strict=True):
                truth.update(zip(map(atom_of, claims.atoms), vector, strict=True))
            admitted = {name for name, ending in zip(names, combination, strict=True) if ending[1]}
            broken = any(ending[2] for ending in combination)
            merges = (False,) if self.regime.lawful or not shared else (False, True)
            for agree, merged in product(agrees, merges):
                truth[STATE_AGREES] = agree
                truth.update({atom_of(c): admitted.issuperset(c["of"]) and not merged for c in shared})
                found.add((tuple(holds(claim, truth) for claim in self.expect), broken))
        return found


STATE_AGREES = atom_of({"claim": "state-agrees"})
