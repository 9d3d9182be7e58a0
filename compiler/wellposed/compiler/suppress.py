"""`allow CODE "reason"`: findings that the author accepts at one place, reported as suppressed and never silently lost.

A finding is allowed where it has the code and lies in the construct that the `allow` stands before. What says that a
text has no meaning cannot be allowed, and neither can a verdict that is not reached or cannot be met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from wellposed.compiler.reporting import Reporter, source_order
from wellposed.compiler.suggest import Suggester
from wellposed.compiler.texts import literal
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.dsl.tree import Allow

UNUSED = "WP233"

_LINT = "WP3"
_VERDICTS = ("WP5", "WP6")
_WHY_NOT = {
    "WP0": "it is about the tool, not about a scenario",
    "WP1": "a text with this error has no meaning",
    "WP2": "a text with this error has no meaning",
    _LINT: "a schedule with this error has no meaning",
    "WP4": "no system can pass such a scenario, or it is not known whether one can",
    "WP7": "it is about bundles, which have no `allow`",
}


def possible(allows: Iterable[Allow], reporter: Reporter) -> tuple[Allow, ...]:
    """Those that can suppress something; unknown codes and codes that cannot be allowed are reported."""
    return tuple(one for one in allows if _is_possible(one, reporter))


def _is_possible(allow: Allow, reporter: Reporter) -> bool:
    code = allow.code.text
    row = BY_ID.get(code)
    if row is None:
        help = reporter.meant(code, BY_ID, "`wellposed explain` tells what a code is about")
        reporter.add("WP232", allow.code.span, f"there is no code `{code}`", help=help)
        return False
    if not any(isinstance(part, str) and part.strip() for part in allow.reason.parts):
        help = "write what makes the finding acceptable here, for whoever reads it next"
        reporter.add("WP232", allow.reason.span, f"{code} is allowed without a reason", help=help)
        return False
    if code.startswith(_VERDICTS) or (code.startswith(_LINT) and row.severity is not Severity.ERROR):
        return True
    why = _WHY_NOT.get(code[:3], "it is not about a scenario")
    help = "repair what it points at; only lint, ambiguity and what tests nothing can be allowed"
    reporter.add("WP232", allow.code.span, f"{code} cannot be allowed", notes=(why,), help=help)
    return False


def needs_verdict(allow: Allow) -> bool:
    """Whether only verification can find what it allows."""
    return allow.code.text.startswith(_VERDICTS)


def suppress(
    findings: Iterable[Finding],
    allows: Sequence[Allow],
    judged: Callable[[Allow], bool] = lambda allow: True,
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings, with the reason where one is allowed, and a finding for each `allow` that nothing needs.

    Of several that cover a finding the innermost counts. `judged` says whether everything has been looked at that could
    need an `allow`; where it has not, nothing is said about it.
    """
    by_code: dict[tuple[str, str], list[Allow]] = {}
    for one in sorted(allows, key=lambda one: (one.covers.end - one.covers.start, one.span.start)):
        by_code.setdefault((one.covers.path, one.code.text), []).append(one)
    used: set[int] = set()
    marked = []
    for finding in findings:
        place = finding.place
        if isinstance(place, Span):
            allow = next((one for one in by_code.get((place.path, finding.code), ()) if _covers(one, place)), None)
            if allow is not None:
                used.add(id(allow))
                reason = literal(allow.reason)
                finding = replace(finding, suppressed=reason, notes=(*finding.notes, f'allowed: "{reason}"'))
        marked.append(finding)
    unused = [_unused(one) for one in allows if id(one) not in used and judged(one)]
    return tuple(marked), tuple(sorted(unused, key=source_order))


def _covers(allow: Allow, place: Span) -> bool:
    return allow.covers.start <= place.start and place.end <= allow.covers.end


def _unused(allow: Allow) -> Finding:
    reporter = Reporter(Suggester())
    message = f"there is no {allow.code.text} to allow here"
    help = "remove this line, so that it allows nothing that comes later"
    reporter.add(UNUSED, allow.span, message, labels=((allow.covers, "in this"),), help=help)
    return reporter.findings()[0]
