"""Random files, written token by token with any space and comments between: every node has exactly its own text.

The writer keeps a record of each construct that it writes; the parser must find the same constructs at the same places
with the same values, and each statement and expectation, cut out, must read the same again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wellposed.dsl import tree
from wellposed.dsl.grammar import load
from wellposed.dsl.lexing import MAX_OPERATORS
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile, is_invisible

WORDS = frozenset(pattern for pattern in load().patterns.values() if pattern is not None)
GAPS = (" ", "  ", "\n", "\r\n", "\t", " # 中 { \" ' é\n", "\n\n    ", " #\r\n")
PLAIN_NAME = r"[A-Za-z][A-Za-z0-9_]{0,4}(-[A-Za-z0-9_]{1,3}){0,2}"
NAMES = st.from_regex(PLAIN_NAME, fullmatch=True).filter(lambda name: name not in WORDS)
VISIBLE = st.characters(codec="utf-8", exclude_characters="\0\r\n").filter(lambda one: not is_invisible(one))
CHARACTERS = st.one_of(st.sampled_from('"\\\n\t{}#a中𝄞'), VISIBLE)
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "{": "\\{"}

Record = tuple[str, int, int, tuple[Any, ...]]


class Writer:
    """Writes tokens and remembers which construct stands where."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.text = ""
        self.records: list[Record] = []
        self._begun: list[int] = []
        self._operators = 0

    def pick(self, *choices: Any) -> Any:
        return self.data.draw(st.sampled_from(choices))

    def some(self, write: Callable[[], None], least: int = 1, most: int = 3) -> None:
        for _ in range(self.data.draw(st.integers(least, most))):
            write()

    def write(self, *tokens: str) -> None:
        for token in tokens:
            self.text += self.pick(*GAPS)
            self._begun = [len(self.text) if start < 0 else start for start in self._begun]
            self.text += token

    @contextmanager
    def node(self, kind: str, *value: Any) -> Iterator[None]:
        self._begun.append(-1)
        yield
        self.records.append((kind, self._begun.pop(), len(self.text), value))

    def name(self, *others: str) -> None:
        """A name that stands without backquotes and indices, or one of some words."""
        name = self.pick(*others) if others and self.pick(True, False) else self.data.draw(NAMES)
        with self.node("Name", name):
            self.write(name)

    def id(self, *others: str) -> None:
        """A name that may stand in backquotes, or one of some words."""
        if self.pick(True, True, True, False):
            self.name(*others)
        else:
            name = self.pick("at", "m.3", "0-1", "for", self.data.draw(NAMES))
            with self.node("Name", name):
                self.write(f"`{name}`")

    def reference(self, depth: int = 1) -> None:
        """A name that may have indices."""
        if depth == 0 or self.pick(True, True, False):
            self.id()
            return
        name = self.pick("when", self.data.draw(NAMES))
        with self.node("Name", name):
            self.write(f"`{name}`" if name == "when" else name)
            for _ in range(self.pick(1, 1, 2)):
                self.write("[")
                self.expression(0)
                self.write("]")

    def allowed(self, write: Callable[[], None]) -> None:
        """A construct with some `allow`s before it."""
        allows = []
        for _ in range(self.pick(0, 0, 0, 0, 1, 2)):
            self._begun.append(-1)
            self.write("allow")
            self.name()
            self.string(plain=True)
            allows.append((self._begun.pop(), len(self.text)))
        self._begun.append(-1)
        write()
        covers = (self._begun.pop(), len(self.text))
        self.records += [("Allow", start, end, covers) for start, end in allows]

    def loop(self, write: Callable[[int], None], depth: int) -> None:
        with self.node("For"):
            self.write("for")
            self.id()
            self.write("in")
            self.expression(0)
            self.write("..")
            self.expression(0)
            self.write("{")
            self.some(lambda: write(depth - 1), most=2)
            self.write("}")

    def maybe_loop(self, write: Callable[[], None], depth: int, allows: bool = True) -> None:
        """A construct, or a loop of some, up to so many deep; either may have `allow`s before it."""

        def one() -> None:
            if depth and self.pick(True, False, False, False):
                self.loop(lambda deeper: self.maybe_loop(write, deeper, allows), depth)
            else:
                write()

        if allows:
            self.allowed(one)
        else:
            one()

    def number(self) -> None:
        number = self.data.draw(st.integers(0, 2**53 - 1))
        with self.node("Number", number):
            self.write(str(number))

    def string(self, plain: bool = False) -> None:
        if self.pick(True, False, False, False):
            self.long_string(plain)
            return
        written, parts = '"', [""]
        for _ in range(self.data.draw(st.integers(0, 6))):
            if self.pick(True, False, False):
                name = self.data.draw(NAMES)
                written += f"{{{name}}}"
                parts += [("placeholder", name), ""] if not plain else []
                parts[-1] += f"{{{name}}}" if plain else ""
            else:
                character = self.data.draw(CHARACTERS)
                written += self._written(character)
                parts[-1] += character
        with self.node("Text", *[part for part in parts if part]):
            self.write(written + '"')

    def long_string(self, plain: bool) -> None:
        indentation, end = self.pick("", "  ", "\t ", "      "), self.pick("\n", "\r\n")
        lines = []
        for _ in range(self.pick(0, 1, 2, 3)):
            meant = self.data.draw(st.text(CHARACTERS, max_size=5)).replace("\n", "").replace("{", "(")
            lines.append((meant, "".join(ESCAPES[one] if one in '"\\' else one for one in meant)))
        parts: list[Any] = ["\n".join(meant for meant, _ in lines)]
        if lines and self.pick(True, False):
            lines[-1] = ("", lines[-1][1] + "{i}")
            parts = [f"{parts[0]}{{i}}"] if plain else [parts[0], ("placeholder", "i")]
        body = "".join(f"{indentation if line or self.pick(True, False) else ''}{line}{end}" for _, line in lines)
        with self.node("Text", *[part for part in parts if part]):
            self.write(f'"""{self.pick("", " ")}{end}{body}{indentation}"""')

    def _written(self, character: str) -> str:
        must_escape = character in ESCAPES and character != "\t"
        if character in ESCAPES and (must_escape or self.pick(True, False)):
            return ESCAPES[character]
        return f"\\u{{{ord(character):x}}}" if self.pick(True, False, False) else character

    def expression(self, depth: int = 2) -> None:
        """A sum of products; a whole one, with its brackets and indices, has no more operators than are allowed."""
        if depth == 2:
            self._operators = 0
        self._chain(lambda: self._chain(lambda: self._atom(depth), "*"), "+", "-")
        if depth == 2:
            self._operators = 0

    def _chain(self, operand: Callable[[], None], *operators: str) -> None:
        self._begun.append(-1)
        operand()
        for _ in range(self.pick(0, 0, 1, 2)):
            if self._operators == MAX_OPERATORS:
                break
            self._operators += 1
            operator = self.pick(*operators)
            self.write(operator)
            operand()
            self.records.append(("Operation", self._begun[-1], len(self.text), (operator,)))
        self._begun.pop()

    def _atom(self, depth: int) -> None:
        kind = self.pick("name", "number", "brackets" if depth else "number")
        if kind == "brackets":
            self.write("(")
            self.expression(depth - 1)
            self.write(")")
        elif kind == "name":
            self.reference(min(depth, 1))
        else:
            self.number()

    def field(self, *words: str) -> None:
        word = self.pick(*words)
        with self.node("Field", word):
            self.write(word)
            self.string()

    def statement(self) -> None:
        kind = self.pick(*STATEMENTS)
        value, write = STATEMENTS[kind]
        label = self.pick("before", "behind", "none")
        with self.node(kind.partition(" ")[0], *value):
            if label == "before":
                self.reference()
                self.write(":")
            write(self)
            if label == "behind":
                self.write("as")
                self.reference()

    def body(self) -> None:
        if self.pick(True, False):
            self.allowed(self.statement)
        else:
            self.write("{")
            self.some(lambda: self.maybe_loop(self.statement, 2))
            self.write("}")

    def claim(self, depth: int = 2) -> None:
        kind = self.pick(*(CLAIMS if depth else [name for name in CLAIMS if name not in ("AnyOf", "If")]))
        value, write = CLAIMS[kind]
        with self.node(kind.partition(" ")[0], *value):
            write(self, depth)

    def claims(self, depth: int) -> None:
        self.write("{")
        self.some(lambda: self.allowed(lambda: self.claim(depth)), most=2)
        self.write("}")

    def any_of(self, depth: int) -> None:
        self.write("any", "of")
        self.claims(depth - 1)
        for _ in range(self.pick(1, 2)):
            self.write("or")
            self.claims(depth - 1)

    def conditional(self, depth: int) -> None:
        for word in ("if", "then", "else"):
            self.write(word)
            self.claim(depth - 1)

    def item(self) -> None:
        kind = self.pick(
            *("At", "When", "Expect", "Conversation", "InvariantsOnlyExpect", "Rejected", "Stub", "Catches")
        )
        event = self.pick("admitted", "drafted", "sent")
        with self.node(kind, *([event] if kind == "When" else [])):
            if kind == "At":
                self.write("at")
                self.expression()
                self.body()
            elif kind == "When":
                self.write("when")
                self.reference()
                self.write(event)
                self.body()
            elif kind == "Expect":
                self.write("expect", "{")
                self.some(lambda: self.maybe_loop(self.claim, 2))
                self.write("}")
            elif kind == "Stub":
                self.write("stub", "{")
                self.some(lambda: self.maybe_loop(self.stub_line, 1, allows=False))
                self.write("}")
            elif kind == "Catches":
                self.write("catches")
                self.several(self.name)
            elif kind == "Conversation":
                self.write("conversation")
                self.reference()
                self.write("{")
                for word in self.data.draw(st.permutations(["from", "subject", "anchor"]))[: self.pick(0, 1, 2, 3)]:
                    self.field(word)
                self.write("}")
            elif kind == "InvariantsOnlyExpect":
                self.write("invariants", "only", "expect")
            else:
                self.write("rejected")
                self.name()
                if self.pick(True, False):
                    self.name()
                self.string(plain=True)

    def several(self, write: Callable[[], None]) -> None:
        write()
        for _ in range(self.pick(0, 1, 2)):
            self.write(",")
            write()

    def stub_line(self) -> None:
        kind = self.pick("StubAnchors", "Reply")
        with self.node(kind):
            if kind == "Reply":
                self.write("reply")
                self.reference()
                self.string()
            else:
                self.write("anchors", "[")
                self.several(self.reference)
                self.write("]")

    def header(self, word: str) -> None:
        with self.node("Header", word):
            self.write(word)
            if word == "title":
                self.string()
            elif word == "horizon":
                self.expression()
            elif word in ("rules", "skin"):
                self.id(word)
            else:
                self.name(word)

    def parameter(self) -> None:
        with self.node("Parameter"):
            self.id("level", "posture", "rules", "skin")
            self.write("in")
            if self.pick(True, False):
                self.write("[")
                self.several(self.pick(self.id, self.number))
                self.write("]")
            else:
                with self.node("Range"):
                    self.expression(1)
                    self.write("..")
                    self.expression(1)

    def scenario(self) -> None:
        kind = self.pick("Scenario", "Scenario", "Family")
        with self.node(kind):
            self.write(kind.lower())
            self.id()
            if kind == "Family":
                self.write("(")
                self.several(self.parameter)
                self.write(")")
            self.write("{")
            words = ["title", "level", "horizon", "rules", "posture", "skin"]
            for word in self.data.draw(st.permutations(words))[: self.pick(0, 1, 6)]:
                self.header(word)
            self.some(lambda: self.maybe_loop(self.item, 2), least=self.pick(0, 3, 3), most=6)
            self.write("}")

    def condition(self) -> None:
        operator = self.pick(
            "is", "is not", "contains", "starts with", "ends with", "in", "not in", "=", "!=", "<", ">="
        )
        field = self.pick("from", "subject", "body", "conversation", "posture", "sender.messages", "thread.length")
        with self.node("Condition", operator):
            with self.node("Name", field):
                self.write(field)
            self.write(*operator.split())
            if operator.endswith("in"):
                self.write("[")
                self.value()
                for _ in range(self.pick(0, 2)):
                    self.write(",")
                    self.value()
                self.write("]")
            else:
                self.value()

    def value(self) -> None:
        self.pick(lambda: self.string(plain=True), self.id, self.number)()

    def rule(self) -> None:
        effect = self.pick("admit", "refuse")
        with self.node("Rule", effect):
            self.write(effect)
            if self.pick(True, False):
                self.write("rest")
            else:
                self.name()
                self.write("when")
                self.condition()
                for _ in range(self.pick(0, 1)):
                    self.write("and")
                    self.condition()

    def rules(self) -> None:
        with self.node("Rules"):
            self.write("rules")
            self.name()
            self.write("{")
            self.some(lambda: self.allowed(self.rule))
            self.write("}")

    def skin(self) -> None:
        with self.node("Skin"):
            self.write("skin")
            self.name()
            self.write("{")
            with self.node("SkinEntry"):
                self.name("message", "work-item", "approval")
                self.string(plain=True)
            self.write("}")

    def declaration(self) -> None:
        if self.pick(True, False, False, False):
            self.skin()
        else:
            self.allowed(self.pick(self.scenario, self.scenario, self.rules))

    def file(self) -> None:
        for _ in range(self.pick(0, 0, 2)):
            with self.node("Import"):
                self.write("import")
                self.string(plain=True)
        self.some(self.declaration, least=self.pick(0, 1, 2))
        self.text += self.pick("", *GAPS)


def _deliver(writer: Writer) -> None:
    writer.write("deliver")
    writer.reference()
    writer.write("in")
    writer.reference()
    writer.string()
    if writer.pick(True, False):
        writer.write("with", "{")
        writer.field("from", "subject")
        writer.write("}")


def _words(*parts: str) -> Callable[..., None]:
    """Write words; NAME, WORD (a name without index), STRING and TIME stand for what they say."""

    def write(writer: Writer, *_: int) -> None:
        for part in parts:
            special = {
                "NAME": writer.reference,
                "WORD": writer.name,
                "STRING": writer.string,
                "TIME": writer.expression,
            }.get(part)
            if special is None:
                writer.write(part)
            else:
                special()

    return write


STATEMENTS: dict[str, tuple[tuple[Any, ...], Callable[..., None]]] = {
    "Deliver": ((), _deliver),
    "Redeliver": ((), _words("redeliver", "NAME")),
    "Decide yes": (("approve", "newest"), _words("approve", "NAME")),
    "Decide no": (("reject", "newest"), _words("reject", "NAME")),
    "Decide newest": (("approve", "newest"), _words("approve", "newest", "draft", "of", "NAME")),
    "Decide oldest": (("reject", "oldest"), _words("reject", "oldest", "draft", "of", "NAME")),
    "Repeat": ((), _words("repeat", "NAME")),
    "ForgeDangling": (("approve",), _words("forge", "approval", "STRING", "for", "draft", "STRING")),
    "ForgeWrongHash": (("reject",), _words("forge", "rejection", "STRING", "for", "NAME", "with", "wrong", "hash")),
    "Escalate": ((False,), _words("escalate", "NAME")),
    "Escalate later": ((True,), _words("escalate", "NAME", "deferred")),
    "KillAgentOf": ((False,), _words("kill", "agent", "of", "NAME")),
    "KillAgentOf later": ((True,), _words("kill", "agent", "of", "NAME", "deferred")),
    "KillAgent": ((), _words("kill", "agent", "STRING")),
    "Crash": ((), _words("crash")),
    "Jump to": ((False,), _words("jump", "to", "TIME")),
    "Jump by": ((True,), _words("jump", "by", "TIME")),
    "ChangePosture": ((), _words("posture", "WORD")),
    "ChangeRules": ((), _words("rules", "WORD")),
    "HoldEffects": ((), _words("hold", "effects")),
    "ReleaseEffects": ((), _words("release", "effects")),
}
CLAIMS: dict[str, tuple[tuple[Any, ...], Callable[..., None]]] = {
    "Admitted": ((), _words("NAME", "admitted")),
    "Admitted within": ((), _words("NAME", "admitted", "within", "TIME")),
    "Drafted within": ((), _words("NAME", "drafted", "within", "TIME")),
    "Sent": ((False,), _words("NAME", "sent")),
    "Sent once": ((True,), _words("NAME", "sent", "exactly", "once")),
    "Sent within": ((False,), _words("NAME", "sent", "within", "TIME")),
    "Sent of": ((True,), _words("NAME", "sent", "exactly", "once", "within", "TIME", "of", "NAME")),
    "NotSentAfter": ((), _words("NAME", "not", "sent", "after", "NAME")),
    "Abandoned": ((), _words("NAME", "abandoned")),
    "Abandoned because": ((), _words("NAME", "abandoned", "because", "WORD")),
    "Plain 1": (("not-admitted",), _words("NAME", "not", "admitted")),
    "Plain 2": (("never-sent",), _words("NAME", "never", "sent")),
    "Plain 3": (("completed",), _words("NAME", "completed")),
    "Plain 4": (("open",), _words("NAME", "open")),
    "Plain 5": (("reassigned-or-orphaned",), _words("NAME", "reassigned", "or", "orphaned")),
    "ReplyIn": ((), _words("NAME", "reply", "in", "NAME")),
    "ReplyAnchor": ((), _words("NAME", "reply", "carries", "anchor", "of", "NAME")),
    "Distinct": ((), _words("NAME", ",", "NAME", "distinct")),
    "OnlySent": ((False,), _words("only", "NAME", "sent")),
    "OnlySent in any order": ((False,), _words("only", "NAME", ",", "NAME", ",", "NAME", "sent")),
    "OnlySent in order": ((True,), _words("only", "NAME", "then", "NAME", "then", "NAME", "sent")),
    "ClaimsSettle": ((), _words("claims", "on", "NAME", "settle", "within", "TIME")),
    "StateAgrees": ((), _words("state", "agrees")),
    "AnyOf": ((), lambda writer, depth: writer.any_of(depth)),
    "If": ((), lambda writer, depth: writer.conditional(depth)),
}


def value_of(node: Any) -> tuple[Any, ...]:
    """What a node says beside its parts, as the writer records it."""
    if isinstance(node, tree.Text):
        return tuple(part if isinstance(part, str) else ("placeholder", part.name) for part in node.parts)
    if isinstance(node, tree.Allow):
        return (node.covers.start, node.covers.end)
    values = [getattr(node, field.name) for field in fields(node)]
    return tuple(value for value in values if isinstance(value, str | int))


def nodes_of(node: Any) -> Iterator[Any]:
    """All nodes with a span under one, itself included."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes_of(part)
    elif is_dataclass(node) and hasattr(node, "span") and not isinstance(node, type):
        yield node
        for field in fields(node):
            yield from nodes_of(getattr(node, field.name))


def shape(node: Any) -> list[Any]:
    """A node without its spans."""
    return [(type(part).__name__, value_of(part)) for part in nodes_of(node)]


def check(data: st.DataObject) -> None:
    writer = Writer(data)
    writer.file()
    source = SourceFile("a.scenario", writer.text)
    file, findings = parse(source)
    assert findings == ()
    assert file is not None
    nodes = [
        node
        for node in nodes_of((file.imports, file.declarations, file.allows))
        if not isinstance(node, tree.Placeholder)
    ]
    found = Counter((type(node).__name__, node.span.start, node.span.end, value_of(node)) for node in nodes)
    assert found == Counter(writer.records)
    for node in nodes_of(file):
        assert node.span == source.span(node.span.start, node.span.end)
        if isinstance(node, tree.Placeholder):
            assert source.text_of(node.span) == f"{{{node.name}}}"
        elif isinstance(node, tree.Statement):
            _reads_the_same(node, f"scenario s {{ at 0 {source.text_of(node.span)}\n}}")
        elif isinstance(node, tree.Claim):
            _reads_the_same(node, f"scenario s {{ expect {{ {source.text_of(node.span)}\n}} }}")


def _reads_the_same(node: Any, text: str) -> None:
    file, findings = parse(SourceFile("a.scenario", text))
    assert findings == ()
    assert file is not None
    (again,) = [one for one in nodes_of(file) if type(one) is type(node)][:1]
    assert shape(again) == shape(node)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_every_node_has_its_own_text(data: st.DataObject) -> None:
    check(data)
