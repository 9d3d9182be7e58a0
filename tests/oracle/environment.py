"""The environment of a run, once the few facts that couple it to the run have been guessed.

A *fact* is something a run does that the environment or another message depends on: the tick of the first record a
``when`` statement waits for, the admission that a deferred signal waits for, whether a death finds the holder of its target (only with two or more messages), and
the fire tick of a decision that a claim about another message refers to; and the item that a named agent holds, where
agents hold one item only. For every combination of guesses the
environment is a plain timed schedule, and each message is explored on its own against it; an exploration keeps only
the runs that do exactly what was guessed. Guesses exclude each other, so the runs of a scenario are the disjoint union
over the guesses of the products over its messages.

All ticks inside are INDICES of visible ticks: 0 is tick 0, and a jump makes the next index a later real tick.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod

from tests.oracle.basics import Budgets, TooLarge
from tests.oracle.document import Message, Scenario, Statement
from tests.oracle.rules import admits, fields_of

Fact = tuple[str, str]
"""("admitted" | "drafted" | "sent", message id), ("found" | "hits", signal id) or ("fired", approval id)."""
Guess = dict[Fact, int | bool | str | None]
"""Real tick (None: never) of a record or a firing; True or False for found; for hits a message id, None for nobody's."""

DECISIONS = ("approve", "reject", "wrong-hash")
"""What waits for a draft."""

MAX_GUESSES = 20_000


@dataclass(frozen=True)
class Environment:
    """A fully timed environment. ``fires`` maps statement ids to the index at which they are due, None for never.

    For a decision ``fires`` is the tick it is scheduled for; the tick at which it binds a draft is the run's business.
    ``waited`` are the deferred signals that fire behind the admission, ``held`` says per tick whether the outbox is
    closed at its end.
    """

    scenario: Scenario
    budgets: Budgets
    guess: Guess
    real: tuple[int, ...]
    fires: dict[str, int | None]
    postures: tuple[str, ...]
    versions: tuple[str, ...]
    held: tuple[bool, ...]
    waited: frozenset[str]

    @property
    def last(self) -> int:
        """The index of the horizon."""
        return len(self.real) - 1

    def index(self, fact: Fact) -> int | None:
        """The index of a guessed tick, which is visible."""
        tick = self.guess[fact]
        return None if tick is None else self.real.index(int(tick))

    def until(self, index: int, budget: int) -> int:
        """The index at which a window of so many ticks behind a tick ends; beyond ``last`` when it ends unseen."""
        if not self.scenario.answers.jumps_cost_all:
            return index + budget
        end = self.real[index] + budget
        return len(self.real) if end > self.real[-1] else max(i for i, tick in enumerate(self.real) if tick <= end)

    def open_until(self, index: int, budget: int) -> int:
        """The same for a window of sends, which counts no held ticks; those behind the horizon count."""
        if budget <= 0:
            return self.until(index, budget)
        real, left = self.real, budget
        for place in range(index + 1, len(real)):
            skipped = real[place] - real[place - 1] - 1 if self.scenario.answers.jumps_cost_all else 0
            if left <= skipped:
                return place - 1
            left -= skipped
            left -= not self.held[place]
            if left == 0:
                return place
        return self.last + left

    def since(self, index: int, budget: int) -> int:
        """The index of what is in force where a window of so many ticks before a tick begins.

        At a removed tick it is what was in force before the jump.
        """
        if not self.scenario.answers.jumps_cost_all:
            return max(0, index - budget)
        begin = max(0, self.real[index] - budget)
        return max(i for i, tick in enumerate(self.real) if tick <= begin)


def facts_of(scenario: Scenario, referenced: set[tuple[str, str]]) -> list[Fact]:
    """The facts to guess; ``referenced`` holds (message of a claim, statement id its window refers to)."""
    facts: dict[Fact, None] = {}
    alone = len(scenario.messages) == 1
    for statement in scenario.statements:
        if statement.trigger:
            facts[statement.trigger] = None
        if statement.deferred:
            facts[("admitted", str(statement.target))] = None
        if scenario.answers.one_item_per_agent:
            if statement.kind == "kill-literal" and not alone:
                facts[("hits", statement.id)] = None
        elif statement.kind == "kill" and not alone:
            facts[("found", statement.id)] = None
    for message, name in sorted(referenced):
        named = scenario.by_id[name]
        if named.kind in DECISIONS and named.target != message:
            facts[("fired", name)] = None
    return list(facts)


def _timeline(scenario: Scenario, budgets: Budgets, guess: Guess) -> Environment | None:
    """Walk the clock under a guess; None when a guessed tick turns out to be jumped over."""
    real: list[int] = []
    fires: dict[str, int | None] = {s.id: None for s in scenario.statements}
    postures: list[str] = []
    versions: list[str] = []
    posture, version = scenario.posture, scenario.first_rules
    held: list[bool] = []
    waited: set[str] = set()
    closed = False
    previous, tick = -1, 0
    while True:
        index = len(real)
        real.append(tick)
        following = tick + 1
        for statement in _due(scenario, guess, previous, tick):
            fires[statement.id] = index
            if statement.at is not None and statement.at <= previous:
                waited.add(statement.id)
            if statement.kind in ("hold", "release"):
                closed = statement.kind == "hold"
            elif statement.kind == "posture":
                posture = statement.value
            elif statement.kind == "rules":
                version = statement.value
            elif statement.kind == "jump":
                following = max(following, statement.value)
        postures.append(posture)
        versions.append(version)
        held.append(closed)
        if tick == scenario.horizon:
            break
        if following > scenario.horizon:
            raise ValueError("a jump removes the horizon")
        previous, tick = tick, following
    for fact, value in guess.items():
        if fact[0] not in ("found", "hits") and value is not None and value not in real:
            return None
    in_force = tuple(postures), tuple(versions)
    return Environment(scenario, budgets, guess, tuple(real), fires, *in_force, tuple(held), frozenset(waited))


def _due(scenario: Scenario, guess: Guess, previous: int, tick: int) -> list[Statement]:
    """The statements due at a visible tick in order: timed ones by seq, signals that waited, triggered ones by seq."""

    def admitted(statement: Statement) -> int:
        tick = guess[("admitted", str(statement.target))] if statement.deferred else -1
        return scenario.horizon if tick is None else int(tick)

    written = [s for s in scenario.statements if s.at is not None]
    timed = [s for s in written if previous < (s.at or 0) <= tick and admitted(s) < tick]
    waiting = [s for s in written if s.deferred and (s.at or 0) <= previous == admitted(s)]
    triggered = [s for s in scenario.statements if s.trigger and previous >= 0 and guess[s.trigger] == previous]
    return [s for part in (timed, waiting, triggered) for s in sorted(part, key=lambda s: s.seq)]


def environments(
    scenario: Scenario, budgets: Budgets, referenced: set[tuple[str, str]], lawful: bool = True
) -> Iterator[Environment]:
    """Every environment that some guess gives; the first guess is that nothing ever happens.

    ``lawful`` runs satisfy K: a sent message was drafted, a drafted one admitted, in this order.
    """
    facts = facts_of(scenario, referenced)
    delivered = {s.id: s.at or 0 for s in scenario.statements if s.kind == "deliver"}
    domains: list[list[int | bool | str | None]] = []
    for kind, name in facts:
        if kind == "found":
            domains.append([False, True])
        elif kind == "hits":
            domains.append([None, *(message.id for message in scenario.messages)])
        else:
            start = delivered[name] if kind != "fired" else 0
            domains.append([None, *range(start, scenario.horizon + 1)])
    if prod(map(len, domains)) > MAX_GUESSES:
        raise TooLarge(f"more than {MAX_GUESSES} guesses")
    for values in product(*domains):
        guess = dict(zip(facts, values, strict=True))
        if lawful and not all(_in_order(guess, message.id) for message in scenario.messages):
            continue
        environment = _timeline(scenario, budgets, guess)
        if environment is not None:
            yield environment


def _in_order(guess: Guess, message: str) -> bool:
    """Whether the guessed first admission, draft and send of a message can follow each other."""
    known = [guess[(kind, message)] for kind in ("admitted", "drafted", "sent") if (kind, message) in guess]
    for earlier, later in pairwise(known):
        if later is not None and (earlier is None or int(earlier) > int(later)):
            return False
    return True


@dataclass(frozen=True)
class ItemEnvironment:
    """What the environment means for one message; ``arrival`` is the index of its first delivery.

    ``lawful`` are per tick the rules versions under which an admission satisfies L2.only, ``possible`` those that an
    admission can name at all. The statements that concern the message are ``timed``, ``waiting`` (deferred signals
    behind the admission) or ``triggered``.
    """

    environment: Environment
    message: Message
    arrival: int
    required: bool
    altered: bool
    matches: tuple[bool, ...]
    lawful: tuple[frozenset[str], ...]
    possible: tuple[frozenset[str], ...]
    gated: bool
    timed: tuple[tuple[Statement, ...], ...]
    waiting: tuple[tuple[Statement, ...], ...]
    triggered: tuple[tuple[Statement, ...], ...]
    decisions: tuple[tuple[int, Statement], ...]
    escalated_from: int


def concerns(statement: Statement, message: str) -> bool:
    """Whether a statement, other than a delivery, does anything to a message."""
    everybody = statement.kind in ("kill", "kill-literal", "crash", "dangling")
    return everybody or (statement.target == message and statement.kind != "deliver")


def item_environment(environment: Environment, message: Message) -> ItemEnvironment:
    """Work out admission and the statements that concern one message."""
    scenario, budgets, last = environment.scenario, environment.budgets, environment.last
    due = environment.fires
    arrival = due[message.id]
    assert arrival is not None, "every message is delivered by the horizon"
    answers = scenario.answers
    before = [m for m in scenario.messages if (due[m.id] or 0) < arrival]
    fields = fields_of(message, before)
    pairs = list(zip(environment.versions, environment.postures, strict=True))
    matches = tuple(admits(scenario.rules[version], fields, posture) for version, posture in pairs)
    if answers.item_per_conversation and not _opens_conversation(environment, message):
        matches = (False,) * len(pairs)
    begin, end = environment.since(arrival, budgets.lag), min(last, environment.until(arrival, budgets.admit))
    altered = not answers.arrival_decides and any(matches[u] != matches[u - 1] for u in range(begin + 1, end + 1))
    looks = [range(environment.since(t, budgets.lag), t + 1) for t in range(last + 1)]
    if answers.arrival_decides:
        looks = [range(arrival, arrival + 1)] * (last + 1)
    timed: list[list[Statement]] = [[] for _ in range(last + 1)]
    waiting: list[list[Statement]] = [[] for _ in range(last + 1)]
    triggered: list[list[Statement]] = [[] for _ in range(last + 1)]
    escalated_from = last + 1
    for statement in sorted(scenario.statements, key=lambda s: s.seq):
        index = due[statement.id]
        if index is None or not concerns(statement, message.id):
            continue
        part = waiting if statement.id in environment.waited else triggered if statement.trigger else timed
        part[index].append(statement)
        if statement.kind == "escalate":
            escalated_from = min(escalated_from, index)
    decisions = [(due[s.id], s) for s in scenario.decisions_on(message.id)]
    return ItemEnvironment(
        environment=environment,
        message=message,
        arrival=arrival,
        required=matches[arrival] and not altered,
        altered=altered,
        matches=matches,
        lawful=tuple(frozenset(pairs[u][0] for u in look if matches[u]) for look in looks),
        possible=tuple(frozenset(pairs[u][0] for u in look) for look in looks),
        gated=scenario.gated(message.id),
        timed=tuple(map(tuple, timed)),
        waiting=tuple(map(tuple, waiting)),
        triggered=tuple(map(tuple, triggered)),
        decisions=tuple((p, s) for p, s in decisions if p is not None),
        escalated_from=escalated_from,
    )


def _opens_conversation(environment: Environment, message: Message) -> bool:
    """Whether no other message of its conversation was delivered first before it."""

    def order(other: Message) -> tuple[int, int]:
        return environment.fires[other.id] or 0, other.first

    mates = (m for m in environment.scenario.messages if m.conversation == message.conversation)
    return min(mates, key=order).id == message.id
