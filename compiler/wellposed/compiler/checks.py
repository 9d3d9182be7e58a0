"""Checks of the schedule: what has no meaning, whichever system runs the scenario."""

from __future__ import annotations

from wellposed.compiler.clock import Clock
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.scenario import Delivery, Event, Hold, Jump, Redelivery, Release, Repetition, Stub
from wellposed.dsl import tree
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import TRIGGERS


def check_size(events: tuple[Event, ...], stub: Stub, name: tree.Name, reporter: Reporter) -> None:
    """Report a schedule that a bundle could not hold, before it is written out."""
    if len(events) > LIMITS.records:
        reporter.add(
            "WP226",
            events[LIMITS.records].span,
            f"this schedule has {len(events)} entries, at most {LIMITS.records} are possible",
            help="split the scenario",
        )
    mails = (event.action for event in events if isinstance(event.action, Delivery | Redelivery))
    messages = (mail if isinstance(mail, Delivery) else mail.original for mail in mails)
    size = sum(len(one.sender) + len(one.subject) + len(one.body) for one in messages)
    size += sum(len(part) for reply in stub.replies for part in reply.parts if part is not None)
    if size > LIMITS.bundle_bytes:
        message = (
            f"the strings of `{name.text}` have {size} characters, a bundle has at most {LIMITS.bundle_bytes} bytes"
        )
        reporter.add("WP226", name.span, message, help="shorten the messages, or deliver fewer")


def check_schedule(
    events: tuple[Event, ...], horizon: int | None, horizon_span: Span | None, reporter: Reporter
) -> None:
    """Report events after the horizon, jumps that lead nowhere or over it, copies before their originals, misplaced holds.

    `horizon` is None where it has an error of its own.
    """
    clock = Clock(events)
    for event, fires in clock.idle:
        reporter.add(
            "WP309",
            event.span,
            f"at tick {fires} this jump does not lead forward",
            labels=() if event.at == fires else ((event.timing, f"an earlier jump moves this to tick {fires}"),),
            help=f"jump to a tick after {fires}",
        )
    for event in events:
        if isinstance(event.action, Jump) and event.action.by == 0:
            reporter.add("WP309", event.span, "this jump does not lead forward", help="jump by at least 1")
    if horizon is not None and horizon_span is not None:
        _check_horizon(events, clock, horizon, horizon_span, reporter)
    _check_originals(events, clock, reporter)
    _check_holds(events, reporter)


def _check_horizon(
    events: tuple[Event, ...], clock: Clock, horizon: int, horizon_span: Span, reporter: Reporter
) -> None:
    reported: set[tuple[Span, int]] = set()
    for event in events:
        if event.at is not None and event.at > horizon and (event.timing, event.at) not in reported:
            reported.add((event.timing, event.at))
            reporter.add(
                "WP305",
                event.timing,
                f"tick {event.at} is after the horizon {horizon}, so this never happens",
                labels=((horizon_span, f"the last tick is {horizon}"),),
                help=f"choose an earlier tick, or write `horizon {event.at}` or more",
            )
    for event in events:
        target = _target(event, horizon)
        if target is not None:
            reporter.add(
                "WP308",
                event.span,
                f"this jump leads to tick {target}, over the horizon {horizon}",
                labels=((horizon_span, "the last tick has to be one that is seen"),),
                help=f"jump at most to {horizon}, or write `horizon {target}` or more",
            )


def _target(event: Event, horizon: int) -> int | None:
    """The tick a jump leads to at least, where that is after the horizon; a triggered one fires at tick 1 or later."""
    if not isinstance(event.action, Jump):
        return None
    target = event.action.to if event.action.to is not None else 1 + (event.action.by or 0)
    return target if target > horizon and (event.at is None or event.at <= horizon) else None


def _check_originals(events: tuple[Event, ...], clock: Clock, reporter: Reporter) -> None:
    firsts: dict[str, tuple[int, Event]] = {}
    for index, event in enumerate(events):
        if not isinstance(event.action, Redelivery | Repetition):
            firsts.setdefault(event.id, (index, event))
    delivered = {event.id: event for _, event in firsts.values() if isinstance(event.action, Delivery)}
    for index, event in enumerate(events):
        if not isinstance(event.action, Redelivery | Repetition) or event.id not in firsts:
            continue
        place, first = firsts[event.id]
        if _follows(event, index, first, place, delivered, clock):
            continue
        is_mail = isinstance(event.action, Redelivery)
        reporter.add(
            "WP302" if is_mail else "WP303",
            event.span,
            (f"`{event.id}` is redelivered" if is_mail else f"`{event.id}` is repeated")
            + (
                " before it first happens"
                if _both_timed(event, first)
                else " at a tick that may come before it first happens"
            ),
            labels=((first.span, "the original"),),
            help="put it after the original",
        )


def _both_timed(event: Event, first: Event) -> bool:
    return event.at is not None and first.at is not None


def _follows(event: Event, index: int, first: Event, place: int, delivered: dict[str, Event], clock: Clock) -> bool:
    """Whether a copy comes after its original in every run in which it comes at all."""
    if event.trigger is None:
        return first.trigger is None and place < index
    if first.trigger is not None:
        same = first.trigger.message == event.trigger.message
        return place < index and same and TRIGGERS.index(first.trigger.event) <= TRIGGERS.index(event.trigger.event)
    trigger = delivered.get(event.trigger.message)
    if trigger is None or trigger.at is None or first.at is None:
        return True
    return clock.lands(first.at) <= clock.next_after(clock.lands(trigger.at))


def _check_holds(events: tuple[Event, ...], reporter: Reporter) -> None:
    """Holds and releases take turns, in the order of the schedule, which jumps do not change."""
    last: Event | None = None
    for event in events:
        if not isinstance(event.action, Hold | Release):
            continue
        if isinstance(event.action, Release) and not (last and isinstance(last.action, Hold)):
            reporter.add(
                "WP314",
                event.span,
                "effects are released, but nothing holds them" + (" any more" if last else ""),
                labels=() if last is None else ((last.span, "they are released here already"),),
                help="remove it, or write `hold effects` before it",
            )
        elif isinstance(event.action, Hold) and last and isinstance(last.action, Hold):
            reporter.add(
                "WP314",
                event.span,
                "effects are held that are held already",
                labels=((last.span, "they are held from here on"),),
                help="remove it, or write `release effects` before it",
            )
        last = event
