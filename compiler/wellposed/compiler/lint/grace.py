"""WP331: a delivery so near a change of posture or rules that it may lawfully go either way."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found
from wellposed.dsl.findings import Finding

CODE = "WP331"


def check(fixture: Fixture) -> Iterator[Finding]:
    """Messages delivered from 5 ticks before to 4 ticks after a change that alters whether the rules admit them."""
    for mail in fixture.mails:
        regime = fixture.altered_by(mail)
        if regime is None:
            continue
        name = mail.delivery.message
        yield found(
            CODE,
            mail.event.span,
            f"whether `{name}` is admitted is open: a change this near, which alters it, excuses either",
            labels=[(event.span, f"this alters whether `{name}` is admitted") for event in regime.changes],
            help="deliver it further from every such change: more than 5 ticks before it, or more than 4 after it",
        )

