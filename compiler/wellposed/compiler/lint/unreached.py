"""WP328: rules that no message of any scenario of the invocation can reach, one note for each file that has some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from wellposed.compiler.lint import contradiction, shadowed
from wellposed.compiler.lint.budgets import LAG
from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found
from wellposed.compiler.lint.matching import decides
from wellposed.compiler.reporting import listed
from wellposed.compiler.scenario import PostureChange, Rule, RulesChange, RuleSet
from wellposed.dsl.findings import Finding, Span

CODE = "WP328"
STEPS = 2_000_000
"""Rules that may be tried on messages; where that does not suffice, nothing is said."""
_NAMED = 5


def check(fixtures: Sequence[Fixture]) -> Iterator[Finding]:
    """Rules with conditions, of versions that are in use, by which no message is ever decided.

    A rule without conditions is what is left: nothing is wrong with it when nothing is. One that could not decide
    anything whatever the messages has a finding of its own.
    """
    versions = {rules.span: rules for fixture in fixtures for rules in fixture.scenario.rules}
    used: dict[Span, Rule] = {}
    for version in versions.values():
        dead = {one.place for one in (*contradiction.check(version), *shadowed.check(version))}
        able = (rule for rule in version.rules if rule.conditions and rule.span not in dead)
        used |= {rule.span: rule for rule in able if rule.span is not None}
    reached = _reached(fixtures, set(used))
    if reached is None:
        return
    missing = sorted(used.keys() - reached, key=lambda span: (span.path, span.start))
    for _, spans in groupby(missing, key=lambda span: span.path):
        places = list(spans)
        names = [used[span].id for span in places]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield found(
            CODE,
            places[0],
            f"no message of the scenarios that are checked here can reach {listed(names[:_NAMED])}{more}",
            labels=[(span, "nor this one") for span in places[1:]],
            help="if a message is meant to, compare the conditions with it; else check more scenarios that use the rules",
        )


def _reached(fixtures: Iterable[Fixture], wanted: set[Span]) -> set[Span] | None:
    """The wanted rules that decide some message, None where finding out costs too much."""
    steps, reached, tried = STEPS, set[Span](), set[tuple[object, ...]]()
    for fixture in fixtures:
        pairs = _pairs(fixture)
        for mail in fixture.mails if wanted - reached else ():
            for last, posture, rules in pairs:
                key = (posture, rules.span, *mail.fields.values())
                fresh = last >= mail.at - LAG and key not in tried
                steps -= 1 + fresh * len(rules.rules)
                if steps < 0:
                    return None
                if not fresh:
                    continue
                tried.add(key)
                rule = decides(rules, mail.fields, posture)
                if rule is not None and rule.span is not None:
                    reached.add(rule.span)
    return reached


def _pairs(fixture: Fixture) -> tuple[tuple[int, str, RuleSet], ...]:
    """Each posture and rules version in force together, with the last instant at which they are.

    Where a change waits for the system, any pair may be in force at any time.
    """
    scenario = fixture.scenario
    if any(isinstance(one.action, PostureChange | RulesChange) for one in scenario.events if one.at is None):
        changes = (one.action.posture for one in scenario.events if isinstance(one.action, PostureChange))
        postures = dict.fromkeys((scenario.posture, *changes))
        return tuple((fixture.last, posture, rules) for rules in scenario.rules for posture in postures)
    pairs: dict[tuple[str, str], tuple[int, str, RuleSet]] = {}
    ends = [one.first - 1 for one in fixture.regimes[1:]] + [fixture.last]
    for end, regime in zip(ends, fixture.regimes, strict=True):
        pairs[regime.posture, regime.rules.name] = (end, regime.posture, regime.rules)
    return tuple(pairs.values())
