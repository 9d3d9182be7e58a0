"""Finished runs of all messages together: which truth values of the expectations they reach."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise, product
from typing import NamedTuple

from tests.oracle.basics import Budgets
from tests.oracle.claims import (
    SPANNING,
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


class Ending(NamedTuple):
    """For one message: the truth of its atoms, whether it was admitted, whether something remembered was breached.

    The number of ``sends`` and the tick of the first are told where a claim counts or compares them.
    """

    truth: tuple[bool, ...]
    admitted: bool
    broken: bool
    sends: int = 0
    sent_at: int = -1


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
        counted = any(c["claim"] == "only-sent" for c in chain.from_iterable(map(atoms_in, self.expect)))
        found: set[Ending] = set()
        for finish in finished:
            sends = (len(finish.sends), finish.sent_at) if counted else (0, -1)
            for truth in truths_of(item.item, item.claims, finish, free):
                found.add(Ending(truth, finish.admitted >= 0, finish.broken is not None, *sends))
        return found

    def outcomes(self, messages: list[ItemClaims], endings: list[set[Ending]]) -> set[Outcome]:
        """The outcomes of one environment: every combination of endings, and the choices that span messages."""
        found: set[Outcome] = set()
        agrees = (True,) if self.regime.status(("L3.state", "*", "*")) != OFF else (True, False)
        spanning = [c for c in chain.from_iterable(map(atoms_in, self.expect)) if c["claim"] in SPANNING]
        shared = [c for c in spanning if c["claim"] == "distinct"]
        names = [m.id for m in self.scenario.messages]
        for combination in product(*endings):
            truth: dict[Atom, bool] = {}
            for claims, ending in zip(messages, combination, strict=True):
                truth.update(zip(map(atom_of, claims.atoms), ending.truth, strict=True))
            together = dict(zip(names, combination, strict=True))
            truth.update({atom_of(c): _only_sent(c, together) for c in spanning if c["claim"] == "only-sent"})
            admitted = {name for name, ending in together.items() if ending.admitted}
            broken = any(ending.broken for ending in combination)
            merges = (False,) if self.regime.lawful or not shared else (False, True)
            for agree, merged in product(agrees, merges):
                truth[STATE_AGREES] = agree
                truth.update({atom_of(c): admitted.issuperset(c["of"]) and not merged for c in shared})
                found.add((tuple(holds(claim, truth) for claim in self.expect), broken))
        return found


def _only_sent(claim: Claim, endings: dict[str, Ending]) -> bool:
    """Whether exactly the named messages are sent, each once; in this order, if it is asked for."""
    if any(ending.sends != (name in claim["of"]) for name, ending in endings.items()):
        return False
    ticks = [endings[name].sent_at for name in claim["of"]]
    return not claim["ordered"] or all(first <= second for first, second in pairwise(ticks))


STATE_AGREES = atom_of({"claim": "state-agrees"})
