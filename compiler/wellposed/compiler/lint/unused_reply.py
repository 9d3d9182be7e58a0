"""WP333: a written reply of the stub model that no request can get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found, shown
from wellposed.compiler.lint.substrings import Words
from wellposed.compiler.scenario import Conversation, Scenario
from wellposed.dsl.findings import Finding, Span

CODE = "WP333"


def check(fixtures: Sequence[Fixture]) -> Iterator[Finding]:
    """Replies that are given in none of the scenarios that they are written for, of families and in loops too.

    The first reply answers every request without an anchor. Any other one is given where a request carries its anchor,
    and a request can carry what some text of the scenario does: a message, or another reply.
    """
    unused: dict[Span, tuple[Scenario, Conversation]] = {}
    used: set[Span] = set()
    for fixture in fixtures:
        for span, conversation, is_used in _written(fixture):
            if is_used:
                used.add(span)
            else:
                unused.setdefault(span, (fixture.scenario, conversation))
    for span in sorted(unused.keys() - used, key=lambda one: (one.path, one.start)):
        scenario, conversation = unused[span]
        first = scenario.conversations[0]
        if conversation.anchor is None:
            why = f"`{conversation.id}` has no anchor that a request could carry"
            help_text = f"remove it, give `{conversation.id}` an anchor and quote it, or declare it before `{first.id}`"
        else:
            why = f"no text carries {shown(conversation.anchor)}, the anchor of `{conversation.id}`"
            help_text = f"remove it, or quote the anchor in a message of `{conversation.id}`: `{{anchor}}`"
        yield found(
            CODE,
            span,
            f"the stub never gives this reply: {why}",
            labels=[(conversation.anchor_span, f"the anchor of `{conversation.id}`")],
            notes=(f"a request that carries no anchor is answered with the first reply, that of `{first.id}`",),
            help=help_text,
        )


def _written(fixture: Fixture) -> Iterator[tuple[Span, Conversation, bool]]:
    """The replies that are written, each with whether it can be given."""
    scenario = fixture.scenario
    own = {one.id: one for one in scenario.conversations}
    written = [one for one in scenario.stub.replies if one.span != own[one.conversation].span]
    if not written:
        return
    words = Words(one.anchor for one in scenario.conversations if one.anchor is not None)
    carried = {word for text in _texts(scenario, fixture) for word in words.inside(text)}
    for one in written:
        conversation = own[one.conversation]
        first = conversation is scenario.conversations[0]
        yield one.span, conversation, first or conversation.anchor in carried or not words.found_all


def _texts(scenario: Scenario, fixture: Fixture) -> Iterator[str]:
    """What a system can have read, and show the stub."""
    for mail in fixture.mails:
        yield from (mail.delivery.sender, mail.delivery.subject, mail.delivery.body)
    for reply in scenario.stub.replies:
        yield from (part for part in reply.parts if part is not None)
