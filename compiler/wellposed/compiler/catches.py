"""`catches a, b`: the faulty systems that a scenario is meant to fail."""

from __future__ import annotations

from wellposed.compiler.reporting import Reporter
from wellposed.dsl import tree
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import FAULTY_SYSTEMS


def catches_of(node: tree.Scenario, reporter: Reporter) -> tuple[tuple[str, Span], ...]:
    """The systems in the order written, each once; unknown ones are reported."""
    lines = [item for item in node.items if isinstance(item, tree.Catches)]
    known: dict[str, Span] = {}
    for name in (name for line in lines for name in line.systems):
        if name.text not in FAULTY_SYSTEMS:
            otherwise = "`catches` names faulty systems of the benchmark, such as `sends-after-escalation`"
            help = reporter.meant(name.text, FAULTY_SYSTEMS, otherwise)
            reporter.add("WP205", name.span, f"there is no faulty system `{name.text}`", help=help)
        elif name.text in known:
            message, labels = f"`{name.text}` is listed already", ((known[name.text], "it stands here"),)
            reporter.add("WP219", name.span, message, labels=labels, help="remove one of the two")
        known.setdefault(name.text, name.span)
    return tuple(known.items())
