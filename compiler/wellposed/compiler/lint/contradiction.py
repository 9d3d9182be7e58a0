"""WP326: a rule whose conditions no message can satisfy together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wellposed.compiler.lint.domains import CONSTANTS, by_field, constants, contradict, values
from wellposed.compiler.lint.found import found
from wellposed.compiler.scenario import Condition, Rule, RuleSet
from wellposed.dsl.findings import Finding

CODE = "WP326"
_MESSAGES, _CONVERSATIONS = "sender.messages", "sender.conversations"


def check(rules: RuleSet) -> Iterator[Finding]:
    """Rules that match nothing, whatever the message."""
    for rule in rules.rules:
        culprits = contradiction(rule)
        if culprits and rule.span is not None:
            alone = len(culprits) == 1
            clash = "never holds" if alone else f"contradicts the other{'s' if len(culprits) > 2 else ''}"
            yield found(
                CODE,
                rule.span,
                f"no message satisfies {'this condition' if alone else 'these conditions together'}, so "
                f"`{rule.id}` never matches",
                labels=[(one.span, clash) for one in culprits],
                help="all conditions of a rule hold together; write alternatives as rules of their own",
            )


def contradiction(rule: Rule) -> tuple[Condition, ...]:
    """The conditions of a rule that contradict each other, none where some message satisfies them all."""
    if sum(len(constants(one)) for one in rule.conditions) > CONSTANTS:
        return ()
    fields = by_field(rule.conditions)
    for field, conditions in fields.items():
        if contradict(field, conditions):
            alone = [one for one in conditions if contradict(field, (one,))]
            return tuple(alone[:1]) or conditions
    return _counts(fields)


def _counts(fields: Mapping[str, Sequence[Condition]]) -> tuple[Condition, ...]:
    """A sender has written in one conversation at least once he has written, and in no more than he has messages."""
    messages, conversations = fields.get(_MESSAGES, ()), fields.get(_CONVERSATIONS, ())
    both = (*messages, *conversations)
    many = values(_MESSAGES, messages, both) or ()
    distinct = values(_CONVERSATIONS, conversations, both) or ()
    possible = any(
        isinstance(one, int) and isinstance(two, int) and two <= one and (one > 0) == (two > 0)
        for one in many
        for two in distinct
    )
    return () if possible else both
