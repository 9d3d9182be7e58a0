"""WP327: a rule that an earlier one leaves nothing to decide."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.lint.contradiction import contradiction
from wellposed.compiler.lint.domains import by_field, constants, follows
from wellposed.compiler.lint.found import found
from wellposed.compiler.scenario import Rule, RuleSet
from wellposed.dsl.findings import Finding

CODE = "WP327"
STEPS = 1_000_000
"""Comparisons of constants that one rules version may cost; what is beyond is not compared."""


def check(rules: RuleSet) -> Iterator[Finding]:
    """Rules whose every message matches one and the same earlier rule."""
    steps = STEPS
    sizes = [1 + sum(len(constants(one)) for one in rule.conditions) for rule in rules.rules]
    able: list[tuple[int, Rule]] = []
    for size, rule in zip(sizes, rules.rules, strict=True):
        if contradiction(rule):
            continue
        for other, earlier in able:
            steps -= size * other
            if steps < 0:
                return
            if _covers(earlier, rule) and rule.span is not None:
                yield found(
                    CODE,
                    rule.span,
                    f"`{rule.id}` decides nothing: what it matches, `{earlier.id}` has matched before",
                    labels=((earlier.span, f"`{earlier.id}` comes first"),),
                    notes=("the first rule that matches decides",),
                    help=f"move it above `{earlier.id}`, or remove it",
                )
                break
        able.append((size, rule))


def _covers(earlier: Rule, rule: Rule) -> bool:
    fields = by_field(rule.conditions)
    return all(follows(one, fields.get(one.field, ())) for one in earlier.conditions)
