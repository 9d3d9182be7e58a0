"""A scenario as faulty systems see it, and its worlds.

A *world* is the environment of a run once the few records that it waits for have been guessed; within a world the
messages do not see each other. All ticks are indices of visible ticks, as in the declarative formulation.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, product
from math import prod

from tests.oracle.basics import Budgets, Document, MessageTrace, TooLarge
from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import Clock, Order, Unseen, clock_of
from tests.oracle.document import Message, Scenario, Trigger, read_document, work_message

BLANK = MessageTrace(None, None, (), None, None, (), ())
RECORDS = ("admitted", "drafted", "sent")
Fact = tuple[str, str]
"""(record, message): the tick of its first such record; ("found", id): whether a death finds the holder it aims at."""
Guess = dict[Fact, int | None]
"""The real tick of a first record (None: never); 0 or 1 for ``found``."""
Copy = tuple[int | None, Trigger | None]
"""When a record is delivered once more: its tick, or the record that it waits for."""


@dataclass(frozen=True)
class Story:
    """A scenario with what its reading leaves out: forged approvals, and when records are delivered once more."""

    scenario: Scenario
    budgets: Budgets
    forged_approvals: tuple[str, ...]
    copies: dict[str, list[Copy]]

    @staticmethod
    def read(document: Document, budgets: Budgets) -> "Story":
        """Read a document under the base answers."""
        forged: list[str] = []
        copies: dict[str, list[Copy]] = {}
        for entry in sorted(document["schedule"], key=lambda e: e["seq"]):
            record = entry["record"]
            name = next(record[k] for k in ("approval_id", "signal_id", "fault_id", "id") if k in record)
            when = entry.get("when")
            trigger = (when["event"], work_message(when["work_id"])) if when else None
            if name in copies:
                copies[name].append((entry.get("at"), trigger))
            copies.setdefault(name, [])
            if record.get("forged") and record["decision"] == "approve":
                forged.append(name)
        return Story(read_document(document), budgets, tuple(forged), copies)

    def facts(self, references: set[tuple[str, str]]) -> list[Fact]:
        """What is to be guessed; ``references`` has (message, name) of every window of a claim that begins at a name."""
        facts: dict[Fact, None] = {}
        triggers = [s.trigger for s in self.scenario.statements]
        triggers += [trigger for _, trigger in chain.from_iterable(self.copies.values())]
        facts.update(dict.fromkeys(trigger for trigger in triggers if trigger))
        facts.update({("admitted", str(s.target)): None for s in self.scenario.statements if s.deferred})
        for message, name in sorted(references):
            named = self.scenario.by_id[name]
            if named.kind in ("approve", "reject", "wrong-hash") and named.target not in (None, message):
                facts[("drafted", str(named.target))] = None
        if len(self.scenario.messages) > 1:
            facts.update({("found", s.id): None for s in self.scenario.statements if s.kind == "kill"})
        return list(facts)

    def worlds(self, references: set[tuple[str, str]], max_worlds: int) -> Iterator["World"]:
        """Every world; no run lies in two of them."""
        facts = self.facts(references)
        ticks = [None, *range(self.scenario.horizon + 1)]
        domains: list[list[int | None]] = [[0, 1] if kind == "found" else ticks for kind, _ in facts]
        if prod(map(len, domains)) > max_worlds:
            raise TooLarge(f"more than {max_worlds} worlds")
        for values in product(*domains):
            guess = dict(zip(facts, values, strict=True))
            clock = clock_of(self.scenario, tuple(self._first_records(guess, m) for m in self.scenario.messages))
            if all(t is None or k[0] == "found" or t in clock.real for k, t in guess.items()):
                yield World(self, clock, guess)

    def _first_records(self, guess: Guess, message: Message) -> MessageTrace:
        admitted, drafted, sent = (guess.get((record, message.id)) for record in RECORDS)
        drafts = () if drafted is None else (drafted,)
        return MessageTrace(admitted, None, drafts, None if sent is None else (sent, 0), None, (), ())


class Item(ItemLog):
    """A finished run of one message. Whether its message matches, which no record changes, is worked out only once."""

    def __init__(self, world: "World", message: Message, run: MessageTrace, clock: Clock) -> None:
        super().__init__(world.story.scenario, world.story.budgets, clock, message, run, Unseen())
        self.matches = world.matches(message, clock)

    def admits_at(self, tick: int) -> bool:
        """The match under what is in force at a visible tick."""
        return self.matches[tick]


@dataclass(frozen=True)
class World:
    """One environment: what fires when, given the guessed records."""

    story: Story
    clock: Clock
    guess: Guess
    _matches: dict[tuple[str, int], tuple[bool, ...]] = field(default_factory=dict, repr=False)

    @property
    def last(self) -> int:
        """The index of the horizon."""
        return len(self.clock.real) - 1

    @cached_property
    def old_posture(self) -> Clock:
        """The clock as if the posture of tick 0 had never changed."""
        return replace(self.clock, postures=self.clock.postures[:1] * len(self.clock.postures))

    @cached_property
    def old_rules(self) -> Clock:
        """The clock as if the rules version of tick 0 had never changed."""
        return replace(self.clock, versions=self.clock.versions[:1] * len(self.clock.versions))

    def matches(self, message: Message, clock: Clock) -> tuple[bool, ...]:
        """Per tick whether the message matches under a clock of this world."""
        key = (message.id, id(clock))
        if key not in self._matches:
            item = ItemLog(self.story.scenario, self.story.budgets, clock, message, BLANK, Unseen())
            self._matches[key] = tuple(map(item.admits_at, range(self.last + 1)))
        return self._matches[key]

    def item(self, message: Message, run: MessageTrace) -> Item:
        """One message in one run."""
        return Item(self, message, run, self.clock)

    def blanks(self) -> list[ItemLog]:
        """All messages, without any record."""
        return [self.item(message, BLANK) for message in self.story.scenario.messages]

    def copies(self, name: str) -> list[int]:
        """The ticks at which a record comes once more."""
        found = []
        for at, trigger in self.story.copies[name]:
            if at is None and trigger is not None:
                since = self.guess[trigger]
                index = self.last + 1 if since is None else self.clock.real.index(since) + 1
            else:
                index = next(i for i, tick in enumerate(self.clock.real) if tick >= (at or 0))
            if index <= self.last:
                found.append(index)
        return found

    def foreign_order(self, name: str) -> Order | None:
        """When a decision on another message than that of a claim fires: a matter of that message's first draft."""
        decision = self.story.scenario.by_id[name]
        drafted = self.guess[("drafted", str(decision.target))]
        message = next(m for m in self.story.scenario.messages if m.id == decision.target)
        drafts = () if drafted is None else (drafted,)
        return self.item(message, MessageTrace(None, None, drafts, None, None, (), ())).fires(decision)
