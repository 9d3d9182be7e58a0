"""WP329: a constant of a rule that fits no message and nearly fits one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wellposed.compiler.lint.domains import constants
from wellposed.compiler.lint.fixture import Fixture, Mail
from wellposed.compiler.lint.found import found, shown
from wellposed.compiler.lint.matching import holds
from wellposed.compiler.lint.nearness import NEAR, apart, pieces
from wellposed.compiler.scenario import Condition
from wellposed.dsl.findings import Finding
from wellposed.dsl.vocabulary import TEXT_FIELDS

CODE = "WP329"
STEPS = 500_000
"""Texts and letters that one scenario may compare; what is beyond is believed to be fine."""
_WORDS = {field: "sender" if word == "from" else word for word, field in TEXT_FIELDS.items()}
_POSITIVE = {"is-not": "is", "not-in": "in"}


@dataclass(slots=True)
class _Work:
    """What is left of STEPS; a comparison that would cost more than that is not made."""

    left: int

    def afford(self, cost: int) -> bool:
        self.left -= cost
        return self.left >= 0


def check(fixture: Fixture) -> Iterator[Finding]:
    """Text conditions none of whose constants occurs, with the nearest text that does."""
    texts: dict[str, dict[str, Mail]] = {field: {} for field in _WORDS}
    for mail in fixture.mails:
        for field, first in texts.items():
            first.setdefault(str(mail.fields[field]), mail)
    work = _Work(STEPS)
    conditions = (one for rules in fixture.scenario.rules for rule in rules.rules for one in rule.conditions)
    for condition in conditions:
        best = _nearest(condition, texts[condition.field], work) if condition.field in texts else None
        if best is None or condition.span is None:
            continue
        how_far, constant, piece, mail = best
        yield found(
            CODE,
            condition.span,
            f"{shown(constant)} fits the {_WORDS[condition.field]} of no message, but nearly that of "
            f"`{mail.delivery.message}`",
            labels=((mail.event.span, f"has {shown(piece)}"),),
            notes=() if how_far else ("texts are compared as they are written, in upper and lower case",),
            help=f"did you mean {shown(piece)}?",
        )


def _nearest(condition: Condition, texts: dict[str, Mail], work: _Work) -> tuple[int, str, str, Mail] | None:
    """Distance, constant, piece of a text and its message; None where a constant fits, or none is near."""
    operator = _POSITIVE.get(condition.operator, condition.operator)
    wanted = Condition(condition.field, operator, condition.value)
    if not work.afford(len(texts) * len(constants(condition))) or any(holds(wanted, text) for text in texts):
        return None
    best: tuple[int, str, str, Mail] | None = None
    for constant in map(str, constants(condition)):
        for text, mail in texts.items():
            if not work.afford(len(text)):
                return best
            for piece in pieces(operator, constant, text):
                if abs(len(piece) - len(constant)) <= NEAR and work.afford(len(piece) * len(constant)):
                    how_far = apart(constant, piece)
                    if how_far is not None and (best is None or how_far < best[0]):
                        best = (how_far, constant, piece, mail)
    return best
