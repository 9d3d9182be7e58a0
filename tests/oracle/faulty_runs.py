"""Every run of one message in one world, lawful or not, as far as rows and claims can tell runs apart."""

from collections.abc import Iterator
from itertools import product

from tests.oracle.basics import ABANDON_REASONS, ESCALATED, MessageTrace
from tests.oracle.document import Message
from tests.oracle.faulty_worlds import BLANK, RECORDS, World
from tests.oracle.regime import FIRST_LEVEL

Reply = tuple[tuple[int, ...], tuple[int, int] | None]
"""Drafts, and a send with the position of its draft."""


def runs_of(world: World, message: Message) -> Iterator[MessageTrace]:
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
            for send in open_ticks(world, sent_draft, world.last):
                for later in later_drafts:
                    yield (*drafts, *later), (send, len(drafts) - 1)


def open_ticks(world: World, first: int, last: int) -> list[int]:
    """The ticks of a range, both ends included, at which a send can stand."""
    return [tick for tick in range(first, last + 1) if not world.clock.held[tick]]


def _fires(world: World, message: Message, first: int) -> set[int]:
    """The ticks at which genuine decisions fire, given the first draft."""
    item = world.item(message, MessageTrace(None, None, (world.clock.real[first],), None, None, (), ()))
    return {order[0] for order, _, _, _ in item.decisions}


def _next_drafts(fires: set[int], sent_draft: int) -> list[int]:
    """The earliest next draft for each way to divide the decisions between the sent draft and those behind it."""
    starts = sorted({sent_draft + 1, *(fire for fire in fires if fire > sent_draft)})
    return [n for n in starts if any(fire > n for fire in fires)]


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
    """The rules versions that an admission can cite: from level 2 on, where it matters, those of its window."""
    versions = world.clock.versions
    if world.story.scenario.level < FIRST_LEVEL["L2.only"]:
        return [versions[admitted]]
    window = versions[world.clock.back(admitted, world.story.budgets.lag) : admitted + 1]
    return list(dict.fromkeys(window))


def _outcomes(resolved: int | None, sent: bool) -> list[tuple[str, str | None]]:
    """The ways to end; which of them K allows is looked at in the finished run."""
    if resolved is None:
        return [("", None)]
    reasons = (ESCALATED,) if sent else ABANDON_REASONS
    return [("completed", None), *(("abandoned", reason) for reason in reasons)]
