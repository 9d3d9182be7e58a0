"""The Async Message Responder as a theory for the kernel: which items constrain each other, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

from wellposed.dsl.vocabulary import OBLIGATION_BY_ID
from wellposed.verifier.amr.admission import Admissions
from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.checker import EXPECT, check_run
from wellposed.verifier.amr.claims import Json, mentions, parts, text
from wellposed.verifier.amr.components import Builder, Members, Schedule
from wellposed.verifier.amr.environment import Death, Environment, Trigger, unfold
from wellposed.verifier.amr.faulty import SYSTEMS, FaultySystem
from wellposed.verifier.amr.faulty.build import suspects
from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.run import Run
from wellposed.verifier.formula import negate
from wellposed.verifier.mutants import ABSENT, KILLED, SURVIVES
from wellposed.verifier.prover import Prover
from wellposed.verifier.solver import Budget
from wellposed.verifier.theory import Case, Component, FreeClaims, Mutants, Pairing, Suspects, Theory

IDLE = next(system for system in SYSTEMS if system.id == "idle")
FURTHER_CASE = 10
"""Work units for a variable or formula of every case but the first."""
T = TypeVar("T")
MAX_SPLIT = 6
"""How many deaths, at most, are split into those that find their target and those that do not."""


def theory(
    document: Mapping[str, Any],
    budget: Budget,
    answers: Answers = BASE,
    all_drafts: bool = False,
    copies: int = 1,
) -> Theory:
    """The theory of a bundle document. `all_drafts` keeps apart runs that differ only in drafts nothing rests on.

    Logs have as many sends of each message as the claims ask for, and `copies` at least. Raises OutOfBudget, also where
    triggered jumps, postures and rules unfold in too many ways.
    """
    unfoldings = [_Unfolding(environment, answers, all_drafts, copies) for environment in unfold(document, answers)]
    claims = _claims(unfoldings[0].environment)
    level = int(document["level"])
    idle_passes, idle = _idle(document, answers, unfoldings[0].owes_admission())
    cases = tuple(_afforded((unfolding.case(claims, budget) for unfolding in unfoldings), _size, budget))
    return Theory(
        cases=cases,
        claims=tuple(text(claim) for claim in document["expect"]),
        free=lambda: (free for unfolding in unfoldings for free in unfolding.free(claims)),
        levels=tuple(f"L{number}" for number in range(level + 1)),
        stimuli=_stimuli(unfoldings[0].environment),
        only_expect=not document["invariants"],
        idle_passes=idle_passes,
        top=f"L{level}",
        catches=tuple(document["catches"]),
        mutants=lambda: mutants(document, budget, answers),
        idle={IDLE.id: idle},
        copies=max((len(item.sends) for case in cases for item in _items(case)), default=1),
    )


def _afforded(cases: Iterable[T], size: Callable[[T], int], budget: Budget) -> Iterator[T]:
    """The cases, of which every further one costs work by its size: their number is the author's, and is multiplied.

    Raises OutOfBudget.
    """
    for number, case in enumerate(cases):
        budget.spend(FURTHER_CASE * size(case) if number else 0)
        yield case


def _size(case: Case) -> int:
    """How many variables and formulas a case has."""
    return sum(len(one.space.lows) + len(one.physics) + len(one.standing) + len(one.claims) for one in case.components)


def _size_with_suspects(suspected: tuple[Case, tuple[Suspects, ...]]) -> int:
    case, suspects = suspected
    variants = (variant for one in suspects for variants in one.systems.values() for variant in variants)
    return _size(case) + sum(len(variant.runs) + len(variant.attacked) for variant in variants)


def _items(case: Case) -> Iterator[Item]:
    for component in case.components:
        assert isinstance(component.payload, Members)
        yield from component.payload.items.values()


def mutants(
    document: Mapping[str, Any],
    budget: Budget,
    answers: Answers = BASE,
    table: Sequence[FaultySystem] = SYSTEMS,
) -> Mutants:
    """The scenario with every faulty system of a table. Raises OutOfBudget where it unfolds in too many ways."""
    unfoldings = [_Unfolding(environment, answers, True) for environment in unfold(document, answers)]
    claims = _claims(unfoldings[0].environment)
    suspected = (case for unfolding in unfoldings for case in unfolding.suspects(claims, table))
    cases = tuple(_afforded(suspected, _size_with_suspects, budget))
    return Mutants(tuple(dict.fromkeys(system.id for system in table)), cases, not document["invariants"])


def _idle(document: Mapping[str, Any], answers: Answers, owes_admission: bool) -> tuple[bool, str]:
    """Whether the empty log breaks nothing that the scenario expects, and the cell of the system that has no other log."""
    if owes_admission:
        return False, KILLED
    broken = {violation.obligation for violation in check_run(document, Run(items={}), answers)}
    judged = bool(document["invariants"])
    passes = not broken if judged else EXPECT not in broken
    if not broken.intersection(IDLE.attacks):
        return passes, ABSENT
    return passes, KILLED if judged or EXPECT in broken else SURVIVES


def _claims(environment: Environment) -> list[tuple[int, Json]]:
    """The expectations by index, each as often as it has parts."""
    expected = enumerate(environment.document["expect"])
    return [part for index, claim in expected for part in parts(index, claim, environment.messages)]


def _stimuli(environment: Environment) -> tuple[str, ...]:
    """The events that must be able to find what they aim at, in schedule order; repeats are not asked again."""
    return tuple(event.pointer for event in environment.events)


class _Unfolding:
    """One environment, with what all of its components share."""

    def __init__(self, environment: Environment, answers: Answers, all_drafts: bool, copies: int = 1) -> None:
        self.environment = environment
        self._copies = copies
        self._answers = answers
        self._all_drafts = all_drafts
        self._schedule = Schedule(environment)
        self._admissions = Admissions(environment, answers)

    def owes_admission(self) -> bool:
        """Whether doing nothing breaks an obligation: an admission is due that nothing excuses."""
        environment, answers = self.environment, self._answers
        last = environment.clock.horizon - answers.admit
        judged = bool(environment.document["invariants"]) and environment.level >= OBLIGATION_BY_ID["L2.admit"].level
        return judged and any(self._admissions.of(m).required and m.at <= last for m in environment.messages.values())

    def case(self, claims: Sequence[tuple[int, Json]], budget: Budget) -> Case:
        """The components of this unfolding. Raises OutOfBudget."""
        environment = self.environment
        groups = _Groups(environment, claims)
        certain: set[str] = set()
        if len(environment.messages) > 1:
            for death in environment.deaths:
                when, target = death.event.when, death.message
                if isinstance(when, Trigger) or (target is None) is not self._answers.one_item_per_agent:
                    continue
                if target is None:
                    groups.couple(when)
                elif _always_found(self._builder((), certain).component(groups.members(target)), death.event.pointer, budget):
                    certain.add(death.event.id)
                elif when is not None and environment.messages[target].at < when:
                    groups.couple(when)
        components = [
            self._builder(own, certain).component(messages) for messages, own in groups.components()
        ]
        return Case(
            tuple(components),
            frozenset(_exercised(environment)),
            _pairings(environment, components),
            environment.clock.tick,
            environment,
            tuple(dict.fromkeys(trigger.message for trigger in environment.fixed)),
        )

    def suspects(
        self, claims: Sequence[tuple[int, Json]], table: Sequence[FaultySystem]
    ) -> Iterator[tuple[Case, tuple[Suspects, ...]]]:
        """The components of this unfolding with the faulty systems let loose in them.

        A death that finds its target in every conforming run need not find it in a faulty system's: whether it does is
        split into cases, so that the items that its agent may hold stay apart.
        """
        environment = self.environment
        split = []
        for death in environment.deaths:
            when, target = death.event.when, death.message
            if isinstance(when, int) and target is not None and environment.messages[target].at < when:
                split.append(death.event.id)
        if len(environment.messages) == 1 or len(split) > MAX_SPLIT:
            split = []
        for found in product((True, False), repeat=len(split)):
            yield self._let_loose(claims, table, dict(zip(split, found, strict=True)))

    def _let_loose(
        self, claims: Sequence[tuple[int, Json]], table: Sequence[FaultySystem], found: Mapping[str, bool]
    ) -> tuple[Case, tuple[Suspects, ...]]:
        """One case; `found` says of deaths whether they find their target."""
        environment = self.environment
        groups = _Groups(environment, claims)
        for copy in environment.copies:
            if isinstance(copy.event.when, Trigger) and copy.message is not None:
                groups.join([copy.event.when.message, copy.message])
        for death in environment.deaths:
            when, target = death.event.when, death.message
            if isinstance(when, int) and target is not None and death.event.id not in found:
                groups.couple(when if environment.messages[target].at < when else None)
        parts = (part for part in groups.components() if any(part))
        loose = tuple(suspects(self._builder(own, (), found), messages, table) for messages, own in parts)
        components = tuple(one.component for one in loose)
        return Case(components, frozenset(), (), environment.clock.tick, environment), loose

    def free(self, claims: Sequence[tuple[int, Json]]) -> Iterator[FreeClaims]:
        """The claims over all well-formed logs, those about the same messages together."""
        for messages, own in _Groups(self.environment, claims).components():
            if own:
                yield self._builder(own, ()).free_claims(messages)

    def _builder(
        self, claims: Sequence[tuple[int, Json]], certain: Iterable[str], found: Mapping[str, bool] | None = None
    ) -> Builder:
        return Builder(
            self._schedule,
            self._admissions,
            self._answers,
            claims,
            frozenset(certain),
            self._all_drafts,
            found or {},
            self._copies,
        )


def _always_found(target: Component, pointer: str, budget: Budget) -> bool:
    """Whether a death finds its target in every conforming run of the target's own component."""
    found = target.stimuli[pointer][0]
    return Prover(target, budget).conforming_with(negate(found)) is None


class _Groups:
    """Which messages belong to one component: a union-find over message ids and the snapshots."""

    def __init__(self, environment: Environment, claims: Sequence[tuple[int, Json]]) -> None:
        self._environment = environment
        self._claims = claims
        self._parent: dict[str, str] = {identity: identity for identity in environment.messages}
        self._mentioned = [mentions(claim, environment) for _, claim in claims]
        for mentioned in self._mentioned:
            self.join(sorted(mentioned))
        self._join_triggers()

    def _find(self, node: str) -> str:
        parent = self._parent.setdefault(node, node)
        while parent != node:
            self._parent[node] = self._parent[parent]
            node, parent = parent, self._parent[parent]
        return node

    def join(self, nodes: Sequence[str]) -> None:
        """These belong together."""
        for node in nodes:
            self._parent[self._find(node)] = self._find(nodes[0])

    def _join_triggers(self) -> None:
        environment = self._environment
        everything = list(environment.messages)
        for entry in environment.aimed:
            if isinstance(entry.event.when, Trigger):
                target = entry.message
                self.join([entry.event.when.message, *([target] if target is not None else everything)])
                if isinstance(entry, Death):
                    self.join(everything)
        for crash in environment.crashes:
            if isinstance(crash.when, Trigger):
                self.join([crash.when.message, *everything])

    def couple(self, tick: int | None) -> None:
        """A death at `tick` ties together every item that its agent may hold."""
        if tick is not None:
            self.join([message.id for message in self._environment.messages.values() if message.at < tick])

    def members(self, message: str) -> list[str]:
        root = self._find(message)
        return [other for other in self._environment.messages if self._find(other) == root]

    def components(self) -> Iterator[tuple[list[str], list[tuple[int, Json]]]]:
        """The messages of each component in order of delivery, with the claims that mention them."""
        messages: dict[str, list[str]] = {}
        for message in self._environment.messages:
            messages.setdefault(self._find(message), []).append(message)
        claims: dict[str, list[tuple[int, Json]]] = {}
        for part, mentioned in zip(self._claims, self._mentioned, strict=True):
            claims.setdefault(self._find(min(mentioned)), []).append(part)
        for root in dict.fromkeys((*messages, *claims)):
            yield messages.get(root, []), claims.get(root, [])


def _exercised(environment: Environment) -> Iterator[str]:
    """The levels that the schedule exercises whatever the run does."""
    if environment.copies or len(environment.messages) > 1 or len(environment.anchored) > 1:
        yield "L1"
    if environment.messages:
        yield "L2"


def _pairings(environment: Environment, components: Sequence[Component]) -> tuple[Pairing, ...]:
    """L5: two admitted messages of different conversations with one subject or one sender."""
    alike: dict[tuple[str, str], list[tuple[int, str, Any]]] = {}
    for place, component in enumerate(components):
        assert isinstance(component.payload, Members)
        for identity, item in component.payload.items.items():
            message = environment.messages[identity]
            for field in ("message.subject", "message.from"):
                member = (place, message.conversation, item.happens(item.admitted))
                alike.setdefault((field, message.text[field]), []).append(member)
    return tuple(Pairing("L5", tuple(members)) for members in alike.values() if len(members) > 1)
