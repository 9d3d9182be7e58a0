"""Conversations and the messages delivered in them: senders, subjects, bodies and anchors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wellposed.compiler.reporting import Reporter
from wellposed.compiler.scenario import Conversation, Delivery
from wellposed.compiler.texts import filled, plain
from wellposed.dsl import tree
from wellposed.dsl.findings import Span

ANCHOR = "anchor"


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation with its texts; `sender` and `subject` are None where it has no such line."""

    conversation: Conversation
    sender: str | None
    subject: str | None
    name_span: Span


def threads_of(nodes: Iterable[tree.Conversation], reporter: Reporter) -> dict[str, Thread]:
    """The conversations by name, in order of declaration; unknown placeholders are reported."""
    return {node.name.text: _thread(node, reporter) for node in nodes}


def _thread(node: tree.Conversation, reporter: Reporter) -> Thread:
    fields = _fields(node.fields)
    anchor = fields.get(ANCHOR)
    anchor_text = None if anchor is None else plain(anchor, reporter, "anchor")
    if anchor is not None and anchor_text == "":
        reporter.add(
            "WP215", anchor.span, "an anchor has at least one character", help="remove the line, or name an anchor"
        )
    conversation = Conversation(node.name.text, anchor_text, None if anchor is None else anchor.span, node.span)
    thread = Thread(conversation, None, None, node.name.span)
    sender, subject = fields.get("from"), fields.get("subject")
    return Thread(
        conversation,
        None if sender is None else plain(sender, reporter, "sender"),
        None if subject is None else _with_anchor(subject, thread, reporter),
        node.name.span,
    )


def delivery(statement: tree.Deliver, thread: Thread, reporter: Reporter) -> Delivery | None:
    """The message that a statement delivers, or None after reporting that it has no sender or no subject."""
    own = _fields(statement.overrides)
    body = _with_anchor(statement.body, thread, reporter)
    sender = plain(own["from"], reporter, "sender") if "from" in own else thread.sender
    subject = _with_anchor(own["subject"], thread, reporter) if "subject" in own else thread.subject
    for word, what, text in (("from", "sender", sender), ("subject", "subject", subject)):
        if text is None:
            reporter.add(
                "WP224",
                statement.message.span,
                f"the message `{statement.message.text}` has no {what}",
                labels=((thread.name_span, f"this conversation has no `{word}` line"),),
                help=f'add `{word} "…"` to the conversation, or `with {{ {word} "…" }}` to the delivery',
            )
    if sender is None or subject is None:
        return None
    return Delivery(statement.message.text, thread.conversation.id, sender, subject, body)


def _fields(nodes: Iterable[tree.Field]) -> Mapping[str, tree.Text]:
    """The lines by word; the parser refuses a word given twice."""
    return {node.word: node.value for node in nodes}


def _with_anchor(text: tree.Text, thread: Thread, reporter: Reporter) -> str:
    anchor = thread.conversation.anchor
    if anchor is not None:
        return filled(text, {ANCHOR: anchor}, reporter)
    missing = [part for part in text.parts if isinstance(part, tree.Placeholder) and part.name == ANCHOR]
    for part in missing:
        report_no_anchor(thread, part.span, reporter, "write \\{ for a brace that is meant literally")
    return filled(text, {ANCHOR: ""} if missing else {}, reporter)


def report_no_anchor(thread: Thread, place: Span, reporter: Reporter, otherwise: str) -> None:
    """Report that the anchor of a conversation is needed at `place`, where it has none; `otherwise` is other advice."""
    reporter.add(
        "WP215",
        place,
        f"the conversation `{thread.conversation.id}` declares no anchor",
        labels=((thread.name_span, "this conversation"),),
        help=f'declare one: `anchor "ORD-1001"`, or {otherwise}',
    )
