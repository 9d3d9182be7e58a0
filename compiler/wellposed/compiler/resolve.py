"""From a scenario's tree and a library to an immutable Scenario: every name known, every value in its range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wellposed.compiler.catches import catches_of
from wellposed.compiler.checks import check_schedule, check_size
from wellposed.compiler.claims import Claims
from wellposed.compiler.headers import Headers
from wellposed.compiler.library import Library
from wellposed.compiler.messages import threads_of
from wellposed.compiler.rejection import rejection
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.scenario import Claim, Event, RejectedMark, RulesChange, RuleSet, Scenario
from wellposed.compiler.schedule import Schedule
from wellposed.compiler.scope import Scope, scope_of
from wellposed.compiler.stub import stub_of
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


def resolve(
    node: tree.Scenario, library: Library, suggester: Suggester, variables: frozenset[str] = frozenset()
) -> Resolved:
    """Resolve one expanded scenario against the rules and skins that its file can use.

    `variables` are the names that were replaced in it, for advice.
    """
    reporter = Reporter(suggester, node.name.text, variables)
    check_file_name(node.name, reporter, "id of a scenario")
    scope = scope_of(node, reporter)
    times = Times(scope)
    headers = Headers(node, library, times, reporter)
    threads = threads_of(scope.conversations.values(), reporter)
    schedule = Schedule(scope, times, threads, library)
    stub = stub_of(node, scope, threads)
    check_size(schedule.events, stub, node.name, reporter)
    check_schedule(schedule.events, headers.horizon, headers.span("horizon"), reporter)
    claims = _claims(node, Claims(scope, times))
    only = _only_expectations(node, reporter)
    rejected = rejection(node.items, reporter)
    catches = catches_of(node, reporter)
    rules = _versions(headers.rules, schedule.events, library)
    if not reporter.failed:  # a name that is written wrongly elsewhere is not unused
        _report_unused(scope, reporter)
    scenario = None
    level, horizon, posture, skin = headers.level, headers.horizon, headers.posture, headers.skin
    versions = tuple(one for one in rules if one is not None)
    # What has no value here without an error above is wrong where it is declared, and reported there.
    fine = not reporter.failed and len(versions) == len(rules)
    if fine and level is not None and horizon is not None and posture is not None and skin is not None:
        scenario = Scenario(
            id=node.name.text,
            title=headers.title,
            level=level,
            horizon=horizon,
            posture=posture,
            skin=skin,
            rules=versions,
            conversations=tuple(one.conversation for one in threads.values()),
            events=schedule.events,
            claims=claims,
            only_expectations=only,
            stub=stub,
            catches=catches,
            places=_places(node, headers),
        )
    return Resolved(scenario, rejected, _uses(node), reporter.findings())


def _claims(node: tree.Scenario, claims: Claims) -> tuple[Claim, ...]:
    found = []
    for item in node.items:
        if isinstance(item, tree.Expect):
            for one in item.claims:
                assert not isinstance(one, tree.For), "loops are unrolled before claims are resolved"
                found.append(claims.claim(one))
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
    """Conversations and names of statements that nothing names; what a loop repeats is used where one of it is."""
    for name, span in _unused(
        (name, one.name.span, ("conversation", name) in scope.used) for name, one in scope.conversations.items()
    ):
        message = f"no message is delivered in the conversation `{name}` and no expectation names it"
        reporter.add("WP310", span, message, help="remove it, or deliver a message in it")
    labels = ((name, one.statement.label) for name, one in scope.records.items())
    for name, span in _unused(
        (name, label.span, ("record", name) in scope.used)
        for name, label in labels
        if label is not None and label.text == name
    ):
        help = "remove it; the record then has an id that is derived from what it is about"
        reporter.add("WP313", span, f"nothing refers to the name `{name}`", help=help)


def _unused(named: Iterable[tuple[str, Span, bool]]) -> Iterator[tuple[str, Span]]:
    """The names whose text is nowhere used, of (name, where it is written, whether it is used)."""
    every = tuple(named)
    used = {span for _, span, is_used in every if is_used}
    return ((name, span) for name, span, _ in every if span not in used)
