"""WP332: an escalation below the level that asks for something after one."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found
from wellposed.compiler.scenario import Escalation
from wellposed.dsl.findings import Finding
from wellposed.dsl.vocabulary import OBLIGATION_BY_ID

CODE = "WP332"
LEVEL = OBLIGATION_BY_ID["L4.stop"].level


def check(fixture: Fixture) -> Iterator[Finding]:
    """Escalations in scenarios whose level has no obligation that starts with one."""
    level = fixture.scenario.level
    if level >= LEVEL:
        return
    for event in fixture.scenario.events:
        if isinstance(event.action, Escalation):
            yield found(
                CODE,
                event.span,
                f"at level {level} this escalation obliges nobody, it only excuses replies that are missing",
                labels=((fixture.place("/level"), f"obligations after an escalation begin at level {LEVEL}"),),
                help=f"write `level L{LEVEL}` or more, or remove the escalation",
            )
