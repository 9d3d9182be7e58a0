"""The scope of a scenario: its conversations, its messages and its named statements, and looking them up by kind.

Messages and named statements share one space of names, for either can be used as a time; conversations have their own.
A forgery is named by the id that its string gives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from wellposed.compiler.duplicates import Names
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.texts import check_id, check_name, check_real, literal, spelled, subtraction
from wellposed.dsl import tree
from wellposed.dsl.findings import Span


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement and the block it stands in; `order` counts the statements of the scenario in file order."""

    order: int
    statement: tree.Statement
    block: tree.At | tree.When

    @property
    def name_span(self) -> Span:
        """Where the name stands by which others refer to the statement; the whole of it where it has none."""
        statement = self.statement
        if isinstance(statement, tree.Deliver):
            return statement.message.span
        if isinstance(statement, tree.ForgeDangling | tree.ForgeWrongHash):
            return statement.id.span
        return statement.span if statement.label is None else statement.label.span


@dataclass(slots=True)
class Scope:
    """What the names of one scenario mean. `records` holds first deliveries and named statements by name."""

    reporter: Reporter
    blocks: tuple[tree.At, ...]
    triggers: tuple[tree.When, ...]
    placed: tuple[Placed, ...]
    conversations: dict[str, tree.Conversation]
    records: dict[str, Placed]
    used: set[tuple[str, str]] = field(default_factory=set)
    """(kind, name) of what something refers to; kinds are "conversation" and "record"."""

    def message(self, name: tree.Name) -> Placed | None:
        """The first delivery of a message, or None after reporting that `name` is not one."""
        found = self.records.get(name.text)
        if found is not None and isinstance(found.statement, tree.Deliver):
            self.used.add(("record", name.text))
            return found
        if found is not None:
            about = getattr(found.statement, "message", None)
            help = None if about is None else f"write `{spelled(about.text)}`, the message that it is about"
            self._wrong_kind(name, "a message", "a statement", found, help=help)
        elif name.text in self.conversations:
            self._wrong_kind(name, "a message", "a conversation", self.conversations[name.text])
        else:
            known = (key for key, one in self.records.items() if isinstance(one.statement, tree.Deliver))
            self.reporter.add(
                "WP301",
                name.span,
                f"no message `{name.text}` is ever delivered",
                help=self._meant(name.text, known, f"deliver it: `at 0 deliver {spelled(name.text)} in …`"),
            )
        return None

    def conversation(self, name: tree.Name) -> tree.Conversation | None:
        """A conversation, or None after reporting that `name` is not one."""
        found = self.conversations.get(name.text)
        if found is not None:
            self.used.add(("conversation", name.text))
        elif name.text in self.records:
            other = self.records[name.text]
            kind = "a message" if isinstance(other.statement, tree.Deliver) else "a statement"
            self._wrong_kind(name, "a conversation", kind, other)
        else:
            self.reporter.add(
                "WP201",
                name.span,
                f"there is no conversation `{name.text}`",
                help=self._meant(
                    name.text,
                    self.conversations,
                    f"declare it: `conversation {spelled(name.text)} {{ from … subject … }}`",
                ),
            )
        return found

    def time(self, name: tree.Name) -> Placed | None:
        """The message or statement that `name` means as a time, or None after reporting that it means neither."""
        found = self.records.get(name.text)
        if found is not None:
            self.used.add(("record", name.text))
        elif name.text in self.conversations:
            help = "name a message or a named statement, or write a number"
            self._wrong_kind(name, "a time", "a conversation", self.conversations[name.text], help=help)
        else:
            self.reporter.add(
                "WP201",
                name.span,
                f"nothing that happens is called `{name.text}`",
                help=subtraction(name.text, self.records)
                or subtraction(name.text, self.reporter.variables)
                or self._meant(
                    name.text,
                    (*self.records, *self.reporter.variables),
                    f"name a statement: `approve m1 as {spelled(name.text)}`",
                ),
            )
        return found

    def original(self, name: tree.Name) -> Placed | None:
        """The decision, genuine or forged, or signal that can be repeated, or None after reporting that there is none."""
        found = self.records.get(name.text)
        if found is None:
            known = (key for key, one in self.records.items() if isinstance(one.statement, REPEATABLE))
            self.reporter.add(
                "WP201",
                name.span,
                f"no decision or signal is called `{name.text}`",
                help=self._meant(name.text, known, f"name what is repeated: `approve m1 as {spelled(name.text)}`"),
            )
            return None
        if isinstance(found.statement, REPEATABLE):
            self.used.add(("record", name.text))
            return found
        is_message = isinstance(found.statement, tree.Deliver)
        self._wrong_kind(
            name,
            "a decision or signal",
            "a message" if is_message else "another statement",
            found,
            help=f"write `redeliver {spelled(name.text)}`"
            if is_message
            else "decisions, escalations and deaths are repeated, nothing else",
        )
        return None

    def _meant(self, word: str, known: Iterable[str], otherwise: str) -> str:
        return self.reporter.meant(word, known, otherwise, spelled)

    def _wrong_kind(
        self, name: tree.Name, wanted: str, kind: str, found: Placed | tree.Conversation, help: str | None = None
    ) -> None:
        at = found.name.span if isinstance(found, tree.Conversation) else found.name_span
        self.reporter.add(
            "WP204",
            name.span,
            f"`{name.text}` is {kind}, here {wanted} is needed",
            labels=((at, f"`{name.text}` is declared here"),),
            help=help or f"name {wanted}",
        )


_FORGERIES = (tree.ForgeDangling, tree.ForgeWrongHash)
REPEATABLE = (tree.Decide, *_FORGERIES, tree.Escalate, tree.KillAgentOf, tree.KillAgent)
_UNNAMEABLE = (tree.Deliver, tree.Redeliver, tree.Repeat, *_FORGERIES)


def scope_of(node: tree.Scenario, reporter: Reporter) -> Scope:
    """Enter everything that the expanded scenario declares; duplicates and unusable or misplaced names are reported."""
    conversations: Names[tree.Conversation] = Names(reporter)
    records: Names[Placed] = Names(reporter)
    placed = tuple(Placed(order, *pair) for order, pair in enumerate(_statements(node)))
    for item in node.items:
        if isinstance(item, tree.Conversation):
            check_name(item.name, reporter, "name of a conversation")
            check_real(item.name.text, item.name.span, reporter, "conversation")
            conversations.declare("conversation", item.name.text, item.name.span, item)
    for one in placed:
        _declare(one, records, reporter)
    blocks = tuple(item for item in node.items if isinstance(item, tree.At))
    triggers = tuple(item for item in node.items if isinstance(item, tree.When))
    return Scope(reporter, blocks, triggers, placed, conversations.entries, records.entries)


def _statements(node: tree.Scenario) -> Iterator[tuple[tree.Statement, tree.At | tree.When]]:
    for item in node.items:
        if isinstance(item, tree.At | tree.When):
            for statement in item.statements:
                assert not isinstance(statement, tree.For), "loops are unrolled before names are resolved"
                yield statement, item


def _declare(one: Placed, records: Names[Placed], reporter: Reporter) -> None:
    statement = one.statement
    label = statement.label
    if label is not None and isinstance(statement, _UNNAMEABLE):
        reporter.add("WP217", label.span, "this statement cannot be given a name", help=_why_unnameable(statement))
    elif label is not None:
        check_name(label, reporter, "name of a statement")
        check_real(label.text, label.span, reporter, "statement")
        records.declare("statement", label.text, label.span, one)
    if isinstance(statement, tree.Deliver):
        name = statement.message
        check_name(name, reporter, "name of a message")
        check_real(name.text, name.span, reporter, "message")
        help = f"to deliver the same message again write `redeliver {spelled(name.text)}`; another message needs another name"
        records.declare("message", name.text, name.span, one, code="WP304", help=help)
    elif isinstance(statement, tree.ForgeDangling | tree.ForgeWrongHash):
        forged = literal(statement.id)
        if check_id(forged, statement.id.span, reporter, "id of a forgery"):
            records.declare("statement", forged, statement.id.span, one)


def _why_unnameable(statement: tree.Statement) -> str:
    if isinstance(statement, tree.Deliver):
        return f"a delivery is called by its message: write `{spelled(statement.message.text)}` where its time is meant"
    if isinstance(statement, tree.ForgeDangling | tree.ForgeWrongHash):
        return f"a forgery is called by its own id: write `{literal(statement.id)}` where its time is meant"
    return "a repeated record has the id of its original, it cannot be named"
