"""WP324: an anchor that stands inside another one."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found, shown
from wellposed.compiler.lint.substrings import Words
from wellposed.compiler.scenario import Conversation
from wellposed.dsl.findings import Finding

CODE = "WP324"


def check(fixture: Fixture) -> Iterator[Finding]:
    """Conversations whose anchor carries that of another one, or is equal to an earlier one's."""
    owners: dict[str, Conversation] = {}
    for one in fixture.scenario.conversations:
        if one.anchor is not None:
            owners.setdefault(one.anchor, one)
    words = Words(owners)
    for one in fixture.scenario.conversations:
        others = [owners[word] for word in words.inside(one.anchor or "") if owners[word] is not one]
        if others and one.anchor is not None:
            equal = others[0].anchor == one.anchor
            yield found(
                CODE,
                one.anchor_span or one.span,
                f"the anchor {shown(one.anchor)} of `{one.id}` "
                + ("is" if equal else "contains")
                + f" that of `{others[0].id}`",
                labels=[(other.anchor_span, f"the anchor of `{other.id}`") for other in others],
                notes=("a text that carries the one carries the other: nobody can tell whose reply it is",),
                help="choose anchors of which none stands in another, such as numbers of one length",
            )
