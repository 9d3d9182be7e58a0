"""The stub model of a scenario: the order in which it looks for anchors, and its reply in each conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.messages import ANCHOR, Thread, report_no_anchor
from wellposed.compiler.reporting import Reporter, listed
from wellposed.compiler.scenario import Conversation, Stub, StubReply
from wellposed.compiler.scope import Scope
from wellposed.compiler.texts import check_length, unknown_placeholder
from wellposed.dsl import tree

_NAMED = 8
"""Conversations that a message lists by name."""


def stub_of(node: tree.Scenario, scope: Scope, threads: Mapping[str, Thread]) -> Stub:
    """The stub of an expanded scenario: what its `stub` blocks say, and the defaults for what they leave out."""
    blocks = [item for item in node.items if isinstance(item, tree.Stub)]
    lines = [line for block in blocks for line in block.lines]
    replies = dict(_replies(lines, scope, threads))
    return Stub(
        anchors=_anchors(lines, scope, threads),
        replies=tuple(replies.get(name) or _default(one.conversation) for name, one in threads.items()),
        span=blocks[0].span if blocks else None,
    )


def _anchors(lines: Sequence[object], scope: Scope, threads: Mapping[str, Thread]) -> tuple[Conversation, ...]:
    reporter = scope.reporter
    lists = [line for line in lines if isinstance(line, tree.StubAnchors)]
    anchored = [one.conversation for one in threads.values() if one.conversation.anchor is not None]
    if not lists:
        return tuple(anchored)
    seen: dict[str, tree.Name] = {}
    for name in (name for line in lists for name in line.conversations):
        if scope.conversation(name) is None:
            continue
        first = seen.setdefault(name.text, name)
        if first is not name:
            message = f"the anchor of `{name.text}` is in the list already"
            labels = ((first.span, "it stands here"),)
            reporter.add("WP219", name.span, message, labels=labels, help="remove one of the two")
        elif threads[name.text].conversation.anchor is None:
            report_no_anchor(threads[name.text], name.span, reporter, "take it off the list")
    missing = [one for one in anchored if one.id not in seen]
    if missing:
        shown = listed((one.id for one in missing[:_NAMED]), "and")
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        reporter.add(
            "WP234",
            lists[0].span,
            f"this list leaves out the {'anchors' if len(missing) > 1 else 'anchor'} of {shown}{more}",
            labels=[(one.span, "this conversation has an anchor") for one in missing[: LIMITS.chain_labels]],
            help="list all of them, in the order in which the stub looks for them",
        )
    known = (threads[name].conversation for name in seen if name in threads)
    return tuple(one for one in known if one.anchor is not None)


def _replies(lines: Sequence[object], scope: Scope, threads: Mapping[str, Thread]) -> Iterator[tuple[str, StubReply]]:
    seen: dict[str, tree.Reply] = {}
    for line in lines:
        if not isinstance(line, tree.Reply) or scope.conversation(line.conversation) is None:
            continue
        name = line.conversation.text
        first = seen.setdefault(name, line)
        if first is line:
            yield name, StubReply(name, _parts(line.text, threads[name], scope.reporter), line.span)
        else:
            message = f"the stub has a reply in `{name}` already"
            labels = ((first.conversation.span, "it stands here"),)
            scope.reporter.add("WP219", line.conversation.span, message, labels=labels, help="remove one of the two")


def _parts(text: tree.Text, thread: Thread, reporter: Reporter) -> tuple[str | None, ...]:
    """The reply in pieces, None for its anchor; no piece is empty and no two texts follow each other."""
    check_length(sum(len(piece) for piece in text.parts if isinstance(piece, str)), text, reporter)
    parts: list[str | None] = []
    for is_anchor, pieces in groupby(text.parts, lambda piece: isinstance(piece, tree.Placeholder)):
        if not is_anchor:
            parts += filter(None, ["".join(piece for piece in pieces if isinstance(piece, str))])
            continue
        for piece in pieces:
            assert isinstance(piece, tree.Placeholder)
            if piece.name != ANCHOR:
                unknown_placeholder(piece, (ANCHOR,), reporter, "a reply")
            elif thread.conversation.anchor is None:
                report_no_anchor(thread, piece.span, reporter, "write \\{ for a brace that is meant literally")
            parts.append(None)
    return tuple(parts)


def _default(conversation: Conversation) -> StubReply:
    parts = ("Noted.",) if conversation.anchor is None else ("Regarding ", None, ".")
    return StubReply(conversation.id, parts, conversation.span)
