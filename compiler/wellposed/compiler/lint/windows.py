"""The windows that a scenario opens: stretches of ticks in which a response is due, or an expectation looks.

Those for a send count open ticks, all others visible ones.

Only what is certain from the text is listed. A decision or signal that may wait opens its window no earlier than here,
and an agent's death or a `when` block is left out where it depends on the system what it finds, or when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import ticks
from wellposed.compiler.lint.obligations import duties
from wellposed.compiler.scenario import Claim, Decision, Escalation, HolderDeath, WrongHashForgery
from wellposed.dsl.findings import Span

EXPECTATION = ""


@dataclass(frozen=True, slots=True)
class Window:
    """Opened at the instant `start` by what stands at `span`, for `length` further ticks, to the instant `end`.

    `end` may come after the horizon. `duty` is the id of an obligation, or EXPECTATION.
    """

    start: int
    length: int
    end: int
    duty: str
    span: Span

    @property
    def is_longer(self) -> bool:
        """Whether held effects move its end."""
        return self.end > self.start + self.length

    @property
    def counted(self) -> str:
        """`5 ticks`, or `5 open ticks` where held ones lie between."""
        return ticks(self.length).replace(" ", " open ", self.is_longer)


def windows(fixture: Fixture) -> tuple[Window, ...]:
    """Those of the obligations, then those of the expectations."""
    delivered = {mail.delivery.message: mail.at for mail in fixture.mails}
    due = (Window(*duty) for duty in duties(fixture))
    return (*due, *_expected(fixture, delivered, fixture.scenario.claims))


def _expected(fixture: Fixture, delivered: dict[str, int], claims: Iterable[Claim]) -> Iterator[Window]:
    for claim in claims:
        members = dict(claim.members)
        length, start = members.get("within"), members.get("from", members.get("of"))
        if isinstance(length, int) and isinstance(start, str) and claim.form != "claims-settle":
            at = _start(fixture, delivered, start)
            if at is not None:
                end = fixture.outbox.until(at, length) if claim.form == "sent" else at + length
                yield Window(at, length, end, EXPECTATION, claim.span)
        for value in members.values():
            if isinstance(value, Claim):
                yield from _expected(fixture, delivered, (value,))
            elif isinstance(value, tuple):
                for inner in value:
                    if isinstance(inner, tuple):
                        yield from _expected(fixture, delivered, inner)


def _start(fixture: Fixture, delivered: dict[str, int], name: str) -> int | None:
    """The instant of a message or a named statement; what waits for a draft or an item waits for its message at least."""
    event = fixture.records[name]
    at = fixture.instant(event)
    match event.action:
        case Decision(message=message) | WrongHashForgery(message=message) if at is not None:
            return max(at, delivered[message])
        case Escalation(message=message, deferred=True) | HolderDeath(message=message, deferred=True) if at is not None:
            return max(at, delivered[message])
    return at
