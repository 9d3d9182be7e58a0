"""WP325: a message that quotes the anchor of another conversation."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found, shown
from wellposed.compiler.lint.substrings import Words
from wellposed.compiler.scenario import Conversation
from wellposed.dsl.findings import Finding

CODE = "WP325"


def check(fixture: Fixture) -> Iterator[Finding]:
    """Subjects and bodies with a sibling's anchor; one that the message's own anchor contains is WP324's."""
    own = {one.id: one.anchor or "" for one in fixture.scenario.conversations}
    owners: dict[str, Conversation] = {}
    for one in fixture.scenario.conversations:
        if one.anchor is not None:
            owners.setdefault(one.anchor, one)
    words = Words(owners)
    for mail in fixture.mails:
        texts = (mail.delivery.subject, mail.delivery.body)
        quoted = dict.fromkeys(word for text in texts for word in words.inside(text))
        strange = [owners[word] for word in quoted if word not in own[mail.delivery.conversation]]
        if strange:
            yield found(
                CODE,
                mail.event.span,
                f"`{mail.delivery.message}` quotes {shown(strange[0].anchor or '')}, the anchor of `{strange[0].id}`",
                labels=[(other.anchor_span, f"the anchor of `{other.id}`") for other in strange],
                notes=("the stub model answers with the first anchor, in its order, that a request carries",),
                help=f"leave it out, or deliver the message in `{strange[0].id}`",
            )
