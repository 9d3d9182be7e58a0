"""The windows that a scenario opens: stretches of visible ticks in which a response is due, or an expectation looks.

Only what is certain from the text is listed. A decision that may be deferred opens its window no earlier than here,
and an agent's death or a `when` block is left out where it depends on the system what it finds, or when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.obligations import duties
from wellposed.compiler.scenario import Claim, Decision, WrongHashForgery
from wellposed.dsl.findings import Span

EXPECTATION = ""


@dataclass(frozen=True, slots=True)
class Window:
    """Opened at the instant `start` by what stands at `span`, for `length` further visible ticks.

    `duty` is the id of an obligation, or EXPECTATION.
    """

    start: int
    length: int
    duty: str
    span: Span

    @property
    def end(self) -> int:
        """The last instant of the window, which may come after the horizon."""
        return self.start + self.length


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
                yield Window(at, length, EXPECTATION, claim.span)
        for value in members.values():
            if isinstance(value, Claim):
                yield from _expected(fixture, delivered, (value,))
            elif isinstance(value, tuple):
                for inner in value:
                    if isinstance(inner, tuple):
                        yield from _expected(fixture, delivered, inner)


def _start(fixture: Fixture, delivered: dict[str, int], name: str) -> int | None:
    """The instant of a message or a named statement; a decision waits for its message at least."""
    event = fixture.records[name]
    at = fixture.instant(event)
    if at is not None and isinstance(event.action, Decision | WrongHashForgery):
        return max(at, delivered[event.action.message])
    return at
