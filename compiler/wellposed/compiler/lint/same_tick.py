"""WP330: messages of one tick that would be treated otherwise if they came one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from wellposed.compiler.lint.fixture import Fixture, Mail
from wellposed.compiler.lint.found import found
from wellposed.compiler.lint.matching import decides
from wellposed.dsl.findings import Finding

CODE = "WP330"
_SHARED = {"message.from": "the sender", "message.conversation_id": "the conversation"}


def check(fixture: Fixture) -> Iterator[Finding]:
    """Messages that another rule would decide about if earlier ones of their tick counted in their history."""
    for _, together in groupby(fixture.mails, key=lambda mail: mail.at):
        before: dict[tuple[str, str | int], Mail] = {}
        for mail in together:
            regime = fixture.regime_at(mail.at)
            rule = decides(regime.rules, mail.fields, regime.posture)
            if mail.in_turn != mail.fields and decides(regime.rules, mail.in_turn, regime.posture) is not rule:
                shared = next(one for one in _SHARED.items() if (one[0], mail.fields[one[0]]) in before)
                yield _told(mail, before[shared[0], mail.fields[shared[0]]], shared[1])
            for name in _SHARED:
                before.setdefault((name, mail.fields[name]), mail)


def _told(mail: Mail, first: Mail, shared: str) -> Finding:
    name, other = mail.delivery.message, first.delivery.message
    return found(
        CODE,
        mail.event.span,
        f"`{name}` shares {shared} and the tick with `{other}`, so neither counts as an earlier message of the other",
        labels=((first.event.span, f"`{other}` is delivered here"),),
        notes=(f"if `{other}` counted, another rule would decide about `{name}`",),
        help="deliver them at different ticks if the one is meant to come first",
    )
