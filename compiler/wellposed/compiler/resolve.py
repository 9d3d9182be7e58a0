"""From a scenario's tree and a library to an immutable Scenario: every name known, every value in its range."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from wellposed.compiler.checks import check_schedule, check_size
from wellposed.compiler.claims import Claims
from wellposed.compiler.headers import Headers
from wellposed.compiler.library import Library
from wellposed.compiler.messages import Thread, threads_of
from wellposed.compiler.rejection import rejection
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.scenario import Claim, Event, RejectedMark, RulesChange, RuleSet, Scenario
from wellposed.compiler.schedule import Schedule
from wellposed.compiler.scope import Scope, scope_of
from wellposed.compiler.suggest import Suggester
from wellposed.compiler.texts import check_file_name
from wellposed.compiler.times import Times
from wellposed.dsl import tree
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.vocabulary import BUILT_IN_RULES, BUILT_IN_SKIN


@dataclass(frozen=True, slots=True)
class Resolved:
    """What became of a scenario's text; `scenario` is None where there are errors, `uses` are names of the library."""

    scenario: Scenario | None
    rejected: RejectedMark | None
    uses: frozenset[tuple[str, str]]
    findings: tuple[Finding, ...]


_MISSING = {
    tree.Allow: "`allow`",
    tree.Catches: "`catches`",
    tree.Family: "`family`",
    tree.For: "a `for` loop",
    tree.Stub: "`stub`",
}


def unsupported(file: tree.File) -> tuple[Finding, ...]:
    """WP129 for what the parser knows and this compiler does not; a file that has any cannot be resolved."""
    reporter = Reporter(Suggester())
    reported = set()
    for node in _nodes(file):
        what = _MISSING.get(type(node))
        if isinstance(node, tree.Name) and node.indices:
            what = "an indexed name"
        if what is not None and what not in reported:
            reported.add(what)
            reporter.add("WP129", node.span, f"{what} is not supported by this version")
    return reporter.findings()


def _nodes(node: Any) -> Iterator[Any]:
    if isinstance(node, tuple):
        for part in node:
            yield from _nodes(part)
    elif is_dataclass(node) and hasattr(node, "span"):
        yield node
        for field in fields(node):
            yield from _nodes(getattr(node, field.name))


def resolve(node: tree.Scenario, library: Library, suggester: Suggester) -> Resolved:
    """Resolve one scenario against the rules and skins that its file can use."""
    reporter = Reporter(suggester, node.name.text)
    check_file_name(node.name, reporter, "id of a scenario")
    scope = scope_of(node, reporter)
    times = Times(scope)
    headers = Headers(node, library, times, reporter)
    threads = threads_of(scope.conversations.values(), reporter)
    schedule = Schedule(scope, times, threads, library)
    check_size(schedule.events, node.name, reporter)
    check_schedule(schedule.events, headers.horizon, headers.span("horizon"), reporter)
    claims = _claims(node, Claims(scope, times))
    only = _only_expectations(node, reporter)
    rejected = rejection(node, reporter)
    rules = _versions(headers.rules, schedule.events, library)
    if not reporter.failed:  # a name that is written wrongly elsewhere is not unused
        _report_unused(scope, reporter)
    scenario = None
    if not reporter.failed:
        scenario = _built(node, headers, rules, threads, schedule.events, claims, only)
    return Resolved(scenario, rejected, _uses(node), reporter.findings())


def _built(
    node: tree.Scenario,
    headers: Headers,
    rules: tuple[RuleSet | None, ...],
    threads: Mapping[str, Thread],
    events: tuple[Event, ...],
    claims: tuple[Claim, ...],
    only: bool,
) -> Scenario | None:
    """The Scenario of a text without errors; None where what it uses has some, which are reported there."""
    level, horizon, posture, skin = headers.level, headers.horizon, headers.posture, headers.skin
    versions = tuple(one for one in rules if one is not None)
    if level is None or horizon is None or posture is None or skin is None or len(versions) < len(rules):
        return None
    return Scenario(
        id=node.name.text,
        title=headers.title,
        level=level,
        horizon=horizon,
        posture=posture,
        skin=skin,
        rules=versions,
        conversations=tuple(one.conversation for one in threads.values()),
        events=events,
        claims=claims,
        only_expectations=only,
        places=_places(node, headers),
    )


def _claims(node: tree.Scenario, claims: Claims) -> tuple[Claim, ...]:
    found = [
        claims.claim(one)
        for item in node.items
        if isinstance(item, tree.Expect)
        for one in item.claims
        if not isinstance(one, tree.For)
    ]
    return tuple(one for one in found if one is not None)


def _only_expectations(node: tree.Scenario, reporter: Reporter) -> bool:
    lines = [item for item in node.items if isinstance(item, tree.InvariantsOnlyExpect)]
    for second in lines[1:]:
        reporter.add(
            "WP219",
            second.span,
            "`invariants only expect` is given twice",
            labels=((lines[0].span, "first given here"),),
            help="keep one of the two lines",
        )
    return bool(lines)


def _versions(first: RuleSet | None, events: tuple[Event, ...], library: Library) -> tuple[RuleSet | None, ...]:
    """The rules versions in order of first use, None for one with an error."""
    names = [event.action.rules for event in events if isinstance(event.action, RulesChange)]
    later = dict.fromkeys(name for name in names if first is None or name != first.name)
    return (first, *(library.rules.get(name) for name in later))


def _uses(node: tree.Scenario) -> frozenset[tuple[str, str]]:
    """The names of rules and skins that a scenario mentions, as (kind, name)."""
    used = [("rules", BUILT_IN_RULES), ("skin", BUILT_IN_SKIN)]
    for line in node.headers:
        if line.word in ("rules", "skin") and isinstance(line.value, tree.Name):
            used.append((line.word, line.value.text))
    for item in node.items:
        if isinstance(item, tree.At | tree.When):
            used += [("rules", one.rules.text) for one in item.statements if isinstance(one, tree.ChangeRules)]
    return frozenset(used)


def _places(node: tree.Scenario, headers: Headers) -> tuple[tuple[str, Span], ...]:
    pointers = {
        "title": "/title",
        "level": "/level",
        "horizon": "/horizon",
        "rules": "/rules",
        "posture": "/mode",
        "skin": "/skin",
    }
    written = tuple((pointers[word], span) for word, span in headers.spans.items())
    return (("", node.name.span), ("/id", node.name.span), *written)


def _report_unused(scope: Scope, reporter: Reporter) -> None:
    for name, conversation in scope.conversations.items():
        if ("conversation", name) not in scope.used:
            reporter.add(
                "WP310",
                conversation.name.span,
                f"no message is delivered in the conversation `{name}` and no expectation names it",
                help="remove it, or deliver a message in it",
            )
    for name, placed in scope.records.items():
        label = placed.statement.label
        if label is not None and label.text == name and ("record", name) not in scope.used:
            reporter.add(
                "WP313",
                label.span,
                f"nothing refers to the name `{name}`",
                help="remove it; the record then has an id that is derived from what it is about",
            )
