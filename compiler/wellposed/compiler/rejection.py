"""`rejected verdict code "why"`: the mark of a scenario that is wrong on purpose."""

from __future__ import annotations

from collections.abc import Iterable

from wellposed.compiler.reporting import Reporter, listed
from wellposed.compiler.scenario import RejectedMark
from wellposed.compiler.texts import literal
from wellposed.dsl import tree
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.vocabulary import VERDICTS

_FINE = "well-posed"


def rejection(items: Iterable[object], reporter: Reporter) -> RejectedMark | None:
    """The mark among a scenario's items, or None where it has none or one with an error; a second one is reported."""
    marks = [item for item in items if isinstance(item, tree.Rejected)]
    for second in marks[1:]:
        reporter.add(
            "WP219",
            second.span,
            "a scenario is rejected for one reason",
            labels=((marks[0].span, "first given here"),),
            help="keep one of the two lines",
        )
    return _mark(marks[0], reporter) if marks else None


def _mark(node: tree.Rejected, reporter: Reporter) -> RejectedMark | None:
    verdict, code = node.verdict, node.code
    wrong = [verdict for verdict in VERDICTS if verdict != _FINE]
    known = verdict.text in wrong
    if not known:
        reporter.add(
            "WP218",
            verdict.span,
            "a well-posed scenario is not rejected"
            if verdict.text == _FINE
            else f"there is no verdict `{verdict.text}`",
            help=reporter.meant(verdict.text, wrong, f"a scenario can be rejected as {listed(wrong)}"),
        )
    if code is not None and code.text not in BY_ID:
        reporter.add(
            "WP218",
            code.span,
            f"there is no code `{code.text}`",
            help=reporter.meant(code.text, BY_ID, "`wellposed explain` lists the codes"),
        )
        known = False
    if not known:
        return None
    return RejectedMark(verdict.text, None if code is None else code.text, literal(node.reason), node.span)
