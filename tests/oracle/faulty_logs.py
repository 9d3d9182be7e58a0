"""Every log of one message, lawful or not, and the rows that it breaks.

A *world* is the environment of a run once the few records that it waits for have been guessed; within a world the
messages do not see each other. All ticks are indices of visible ticks, as in the declarative formulation, whose
reading of the rows is used here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, product
from math import prod

from tests.oracle.basics import ABANDON_REASONS, ESCALATED, Budgets, Document, MessageTrace, TooLarge
from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import BEHIND_ALL, Clock, Order, Unseen, clock_of
from tests.oracle.declarative_rows import Found, _approvals, _crashes, _deaths, _ends, _escalations, _permissions, _work
from tests.oracle.document import Message, Scenario, Trigger, read_document, work_message
from tests.oracle.regime import FIRST_LEVEL

ROWS: tuple[Callable[[ItemLog], Found], ...]
ROWS = (_work, _approvals, _crashes, _permissions, _escalations, _deaths, _ends)

BLANK = MessageTrace(None, None, (), None, None, (), ())
RECORDS = ("admitted", "drafted", "sent")
Fact = tuple[str, str]
"""(record, message): the tick of its first such record; ("found", id): whether a death finds the holder it aims at."""
Guess = dict[Fact, int | None]
"""The real tick of a first record (None: never); 0 or 1 for ``found``."""
Copy = tuple[int | None, Trigger | None]
"""When a record is delivered once more: its tick, or the record that it waits for."""


def in_force(row: str, level: int) -> bool:
    """Whether a row, physics included, binds a scenario of a level."""
    return FIRST_LEVEL.get(row, 0) <= level


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


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """One message in one log: its records, a second send of the same draft, and the rows in force that it breaks.

    What is not in here (a second admission, contention, the reply's conversation and anchors) is a fact of its own.
    """

    world: World
    item: ItemLog
    second: int | None
    broken: frozenset[str]

    @property
    def sends(self) -> list[int]:
        """The ticks of all sends."""
        return [tick for tick in (self.item.sent, self.second) if tick is not None]


def logs_of(world: World, message: Message, max_logs: int) -> list[Log]:
    """All logs of one message in one world that tell different stories."""
    found: list[Log] = []
    for run in _runs(world, message):
        item = world.item(message, run)
        level = world.story.scenario.level
        kernel = _broken_kernel(item)
        if kernel is None:
            continue
        rows = {row for rows in ROWS for row, _ in rows(item) if in_force(row, level)}
        if _next_draft_matters(item, item.sent):
            found.append(Log(world, item, None, frozenset(rows | kernel | _forged(world, item, item.sent))))
        if item.sent is not None:
            for second in range(item.sent, (item.last if item.resolved is None else item.resolved) + 1):
                if _next_draft_matters(item, second):
                    broken = rows | kernel | _broken_by_second(item, second)
                    broken |= _forged(world, item, item.sent) | _forged(world, item, second)
                    found.append(Log(world, item, second, frozenset(broken)))
        if len(found) > max_logs:
            raise TooLarge(f"more than {max_logs} logs of {message.id}")
    return found


def _broken_kernel(item: ItemLog) -> set[str] | None:
    """The rows of K that a run made here can break; None if a sent item ends as none can."""
    if item.outcome is None or item.resolved is None:
        return set()
    word, reason = item.outcome
    if word == "completed":
        return set() if item.sent is not None else {"K.completed"}
    causes = {
        ESCALATED: [order[0] for order, _ in item.escalations],
        "rejected": [order[0] for order, _, kind, _ in item.decisions if kind == "reject"],
        "agent_death": [order[0] for order, _ in item.deaths],
        "crash": [order[0] for order, _ in item.crashes],
    }
    happened = any(cause <= item.resolved for cause in causes[str(reason)])
    if item.sent is not None and not (reason == ESCALATED and happened):
        return None
    return set() if happened else {"K.reason"}


def _approved(item: ItemLog, send: int) -> bool:
    """L2.authority for one send."""
    return item.run.send is not None and item.approved(item.run.send[1], (send, BEHIND_ALL))


def _forged(world: World, item: ItemLog, send: int | None) -> set[str]:
    """L2.forged: a send without authority at or after a forged approval of this item, or a dangling one."""
    if send is None or not in_force("L2.forged", world.story.scenario.level) or _approved(item, send):
        return set()
    return {"L2.forged"} if any(p <= send for p, _ in forged_approvals(world, item)) else set()


def forged_approvals(world: World, item: ItemLog) -> list[tuple[int, str]]:
    """(fire tick, kind) of every forged approval that is dangling, or has a wrong hash for this item and fires."""
    found = []
    for name in world.story.forged_approvals:
        statement = world.story.scenario.by_id[name]
        if statement.kind == "dangling":
            order = world.clock.fired.get(name)
        else:
            order = item.fires(statement) if statement.target == item.message.id else None
        if order is not None:
            found.append((order[0], statement.kind))
    return found


def _broken_by_second(item: ItemLog, second: int) -> set[str]:
    """What a second send breaks."""
    rows = {"L1.once"}
    if not _approved(item, second):
        rows.add("L2.authority")
    if any(order[0] <= second for order, _ in item.escalations):
        rows.add("L4.stop")
    return {row for row in rows if in_force(row, item.scenario.level)}


# -- enumeration -----------------------------------------------------------------------------------------------------

Reply = tuple[tuple[int, ...], tuple[int, int] | None]
"""Drafts, and a send with the position of its draft."""


def _runs(world: World, message: Message) -> Iterator[MessageTrace]:
    """Every run of one message with at most three drafts (the first, the sent one, the next) and its first send."""
    real = world.clock.real
    for _ in _helds(world, message, None, []):
        if _as_guessed(world, message, None, ((), None)):
            yield BLANK
    for admitted in range(world.clock.fired[message.id][0], world.last + 1):
        for drafts, send in _replies(world, message, admitted):
            if not _as_guessed(world, message, admitted, (drafts, send)):
                continue
            earliest = max(admitted, *drafts, send[0] if send else 0)
            for resolved in (None, *range(earliest, world.last + 1)):
                ends = [tick for tick in (send and send[0], resolved) if tick is not None]
                for held in _helds(world, message, admitted, ends):
                    for won, rules, outcome in product(
                        _wons(world, held, resolved), _versions(world, admitted), _outcomes(resolved, send is not None)
                    ):
                        yield MessageTrace(
                            real[admitted],
                            rules,
                            tuple(real[d] for d in drafts),
                            None if send is None else (real[send[0]], send[1]),
                            None if resolved is None else (real[resolved], *outcome),
                            tuple(real[w] for w in won),
                            held,
                        )


def _as_guessed(world: World, message: Message, admitted: int | None, reply: Reply) -> bool:
    """Whether the first records are those that the world was guessed for."""
    drafts, send = reply
    firsts = (admitted, drafts[0] if drafts else None, send[0] if send else None)
    for record, first in zip(RECORDS, firsts, strict=True):
        tick = None if first is None else world.clock.real[first]
        if world.guess.get((record, message.id), tick) != tick:
            return False
    return True


def _replies(world: World, message: Message, admitted: int) -> Iterator[Reply]:
    """Every way to draft and send. Without a send the first draft alone says everything that rows and claims look at."""
    ticks = range(admitted, world.last + 1)
    yield (), None
    for first in ticks:
        yield (first,), None
        fires = _fires(world, message, first)
        for sent_draft in range(first, world.last + 1):
            drafts = (first,) if first == sent_draft else (first, sent_draft)
            later_drafts: list[tuple[int, ...]] = [(), *((n,) for n in _next_drafts(fires, sent_draft))]
            for send in range(sent_draft, world.last + 1):
                for later in later_drafts:
                    yield (*drafts, *later), (send, len(drafts) - 1)


def _fires(world: World, message: Message, first: int) -> set[int]:
    """The ticks at which genuine decisions fire, given the first draft."""
    item = world.item(message, MessageTrace(None, None, (world.clock.real[first],), None, None, (), ()))
    return {order[0] for order, _, _, _ in item.decisions}


def _next_drafts(fires: set[int], sent_draft: int) -> list[int]:
    """The earliest next draft for each way to divide the decisions between the sent draft and those behind it."""
    starts = sorted({sent_draft + 1, *(fire for fire in fires if fire > sent_draft)})
    return [n for n in starts if any(fire > n for fire in fires)]


def _next_draft_matters(item: ItemLog, send: int | None) -> bool:
    """Whether some decision falls between the draft behind the sent one, if there is one, and a send."""
    if item.run.send is None or len(item.drafts) == item.run.send[1] + 1:
        return True
    return any(item.drafts[-1] < order[0] <= (send or 0) for order, _, _, _ in item.decisions)


def _helds(world: World, message: Message, admitted: int | None, ends: list[int]) -> Iterator[tuple[str, ...]]:
    """The deaths that touch the item: one that aims at it and finds its holder does, others may."""
    options: list[tuple[bool, ...]] = []
    fired = world.clock.fired
    deaths = [s for s in world.story.scenario.statements if s.kind in ("kill", "kill-literal") and s.id in fired]
    deaths.sort(key=lambda s: fired[s.id])
    for death in deaths:
        tick = fired[death.id][0]
        live = admitted is not None and admitted < tick and all(end >= tick for end in ends)
        if death.target == message.id:
            if bool(world.guess.get(("found", death.id), live)) != live:
                return
            options.append((live,))
        else:
            found = death.kind == "kill-literal" or bool(world.guess[("found", death.id)])
            options.append((False, True) if live and found else (False,))
    for chosen in product(*options):
        yield tuple(death.id for death, touches in zip(deaths, chosen, strict=True) if touches)


def _wons(world: World, held: tuple[str, ...], resolved: int | None) -> Iterator[tuple[int, ...]]:
    """After each death that touches the item at most one reassignment, before the next one and the end."""
    starts = [world.clock.fired[name][0] for name in held]
    stops = [x - 1 for x in starts[1:]] + [world.last]
    slots: list[list[int | None]] = []
    for start, stop in zip(starts, stops, strict=False):
        slots.append([None, *range(start, min(stop, world.last if resolved is None else resolved) + 1)])
    for chosen in product(*slots):
        yield tuple(won for won in chosen if won is not None)


def _versions(world: World, admitted: int) -> list[str]:
    """The rules versions that an admission can cite: from level 2 on those of its window, and that of tick 0."""
    versions = world.clock.versions
    if world.story.scenario.level < FIRST_LEVEL["L2.only"]:
        return [versions[admitted]]
    window = versions[world.clock.back(admitted, world.story.budgets.lag) : admitted + 1]
    return list(dict.fromkeys([*window, versions[0]]))


def _outcomes(resolved: int | None, sent: bool) -> list[tuple[str, str | None]]:
    """The ways to end; which of them K allows is looked at in the finished run."""
    if resolved is None:
        return [("", None)]
    reasons = (ESCALATED,) if sent else ABANDON_REASONS
    return [("completed", None), *(("abandoned", reason) for reason in reasons)]
