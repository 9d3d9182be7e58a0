"""Going on behind an error: one message per independent error, in source order, next to what is damaged.

Every file of the library is broken in every way that one token too few, or two in the wrong order, can break it; with
its layout and with the whole file on one line.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from lark import Token

from wellposed.dsl import tree
from wellposed.dsl.findings import Span
from wellposed.dsl.grammar import load
from wellposed.dsl.parser import parse, parse_tolerantly
from wellposed.dsl.source import SourceFile

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = (
    *sorted((ROOT / "scenarios").rglob("*.scenario")),
    *sorted((ROOT / "scenarios").rglob("*.rules")),
    *sorted((ROOT / "tests" / "library" / "known").glob("*.scenario")),
    Path(__file__).with_name("everything.scenario"),
)
EVERY = 5
"""One in so many breakages is tried when time is short."""


def nodes_of(node: Any) -> Iterator[Any]:
    """All nodes with a span under one, itself included."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes_of(part)
    elif is_dataclass(node) and hasattr(node, "span"):
        yield node
        for field in fields(node):
            yield from nodes_of(getattr(node, field.name))


def is_construct(node: Any) -> bool:
    """Whether a node is a statement in the widest sense: not a part of one, such as a name."""
    parts = (tree.File, tree.Name, tree.Number, tree.Operation, tree.Text, tree.Placeholder, tree.Range)
    return not isinstance(node, (*parts, tree.Parameter, tree.Condition))


class Original:
    """A right file: its tokens and where its constructs are."""

    def __init__(self, path: Path, one_line: bool) -> None:
        text = path.read_text("utf-8")
        self.one_line = one_line
        if one_line:
            text = " ".join(map(str, load().tokens(text)))
        self.source = SourceFile(path.name, text)
        file, findings = parse(self.source)
        assert findings == ()
        self.constructs = [node.span for node in nodes_of(file) if is_construct(node)]
        self.tokens: list[Token] = list(load().tokens(text))

    def damaged(self, token: Token) -> tuple[int, int]:
        """The smallest construct that a token belongs to.

        Where no layout tells, the lack of a `}` shows only when the blocks around it end: its declaration is damaged.
        """
        around = sorted((span for span in self.constructs if self._within(token, span)), key=lambda s: s.end - s.start)
        wider = token.type == "RBRACE" and self.one_line
        return around[0].start, around[-1 if wider else 0].end

    def _within(self, token: Token, span: Span) -> bool:
        return span.start <= (token.start_pos or 0) and (token.end_pos or 0) <= span.end

    def widened(self, start: int, end: int) -> tuple[int, int]:
        """One token more on either side."""
        before = [token.start_pos or 0 for token in self.tokens if (token.end_pos or 0) <= start]
        behind = [token.end_pos or 0 for token in self.tokens if (token.start_pos or 0) >= end]
        return max(before, default=0), min(behind, default=len(self.source.text))


@dataclass(frozen=True)
class Breakage:
    """A broken text, and where an underline may be."""

    what: str
    source: SourceFile
    start: int
    end: int


def breakages(original: Original) -> Iterator[Breakage]:
    text, path = original.source.text, original.source.path
    for first, second in zip(original.tokens, [*original.tokens[1:], None], strict=True):
        start, end = first.start_pos or 0, first.end_pos or 0
        low, high = original.widened(*original.damaged(first))
        without = SourceFile(path, text[:start] + text[end:])
        yield Breakage(f"without {first} at {start}", without, low, high - (end - start))
        if second is None or str(first) == str(second):
            continue
        begin, stop = second.start_pos or 0, second.end_pos or 0
        also = original.damaged(second)
        damaged = original.damaged(first)
        low, high = original.widened(min(damaged[0], also[0]), max(damaged[1], also[1]))
        swapped = text[:start] + str(second) + text[end:begin] + str(first) + text[stop:]
        yield Breakage(f"swapped {first} {second} at {start}", SourceFile(path, swapped), low, high)


def check_breakages(one_line: bool, every: int) -> None:
    broken = messages = 0
    for path in LIBRARY:
        for index, breakage in enumerate(breakages(Original(path, one_line))):
            if index % every:
                continue
            _, findings = parse(breakage.source)
            if not findings:
                continue
            broken += 1
            messages += len(findings)
            place = findings[0].place
            assert isinstance(place, Span)
            assert breakage.start <= place.start <= place.end <= breakage.end, (path.name, breakage.what, findings)
    assert broken > 7_000 / every / 2
    assert messages <= 1.02 * broken


@pytest.mark.parametrize("one_line", [False, True], ids=["with its layout", "on one line"])
def test_one_token_is_one_message_next_to_it(one_line: bool) -> None:
    check_breakages(one_line, EVERY)


@pytest.mark.slow
@pytest.mark.parametrize("one_line", [False, True], ids=["with its layout", "on one line"])
def test_every_token_is_one_message_next_to_it(one_line: bool) -> None:
    check_breakages(one_line, 1)


@pytest.mark.parametrize("one_line", [False, True], ids=["with its layout", "on one line"])
def test_two_errors_are_two_messages(one_line: bool) -> None:
    chance = random.Random(7)
    counts: Counter[int] = Counter()
    for path in LIBRARY:
        original = Original(path, one_line)
        text, tokens = original.source.text, original.tokens
        for _ in range(12):
            first, second = sorted(chance.sample(range(len(tokens)), 2))
            if second - first < 15:
                continue
            ends = [(tokens[index].start_pos or 0, tokens[index].end_pos or 0) for index in (first, second)]
            both = text[: ends[0][0]] + text[ends[0][1] : ends[1][0]] + text[ends[1][1] :]
            each = [text[:start] + text[end:] for start, end in ends]
            if all(parse(SourceFile(path.name, one))[1] for one in each):
                counts[len(parse(SourceFile(path.name, both))[1])] += 1
    assert counts.total() > 100
    assert counts[2] >= 0.95 * counts.total()


HEAD = "scenario s {\n"
MISTAKES = {
    "operands missing one line after the other": (
        "at 1 {\napprove\nescalate\nreject m\n}\nat 2 crash\n}",
        [(3, "expected a message name after `approve`"), (4, "expected a message name after `escalate`")],
    ),
    "misspelt words": (
        'conversation c { form "a" }\nat 1 { aprove m }\nexpect { m snet }\n}',
        [
            (2, "expected `from`, `subject`, `anchor` or `}`, found `form`"),
            (3, "expected a statement such as `approve m1`, found `aprove`"),
            (4, "expected an expectation word such as `sent` after `m`, found `snet`"),
        ],
    ),
    "a swallowed operand and another error": (
        "expect {\nm abandoned because\nm sent\nn never\no open\n}\n}",
        [(3, "expected a reason such as `operator_escalation` after `because`"), (5, "expected `sent` after `never`")],
    ),
    "a block that nobody knows": (
        "every 3 {\ncrash\ncrash\n}\nat 1 {\nescalate\n}\n}",
        [(2, "expected a header line such as `title`, an item such as `at` or `}`, found `every`"), (7, None)],
    ),
    "statements without a tick": (
        "at 1 crash\nescalate m\nescalate n\nat 2 approve\n}",
        [(3, None), (4, None), (5, "expected a message name after `approve`")],
    ),
    "a block without its opening brace": (
        "at 1\ncrash\nescalate m\n}\nat 2 approve\n}",
        [(4, None), (6, "expected a message name after `approve`")],
    ),
    "blocks without their closing braces": (
        'conversation c {\n  from "a"\n  at 1 {\n    crash\n  expect {\n    m open\n  }\n}',
        [(4, "a `}` is missing before `at`"), (6, "a `}` is missing before `expect`")],
    ),
    "one brace too many": (
        "at 1 { crash } }\nat 2 approve\n}",
        [
            (3, "expected a declaration (`scenario`, `family`, `rules` or `skin`) or the end of the file, found `at`"),
            (3, "expected a message name after `approve`"),
        ],
    ),
    "errors in several declarations": (
        "at crash\n}\nrules r {\n  admit when x is y\n  refuse rest\n}\nskin k {\n  message\n}",
        [(2, None), (5, "expected a rule name or `rest` after `admit`, found `when`"), (9, None)],
    ),
    "signs, strings and names": (
        "at 1 { approve café }\nat 2 deliver m in c \"x\nat 3 @ crash\nat 4 { approve m; escalate m }\ntitle 'x'\n}",
        [(2, None), (3, None), (4, None), (5, None), (6, None), (6, None)],
    ),
    "a loop with its parts missing": (
        "for i 1..3 {\nat i crash\n}\nfor j in 3 {\nat j crash\n}\nat 4 { for k in 1..2 approve m }\n}",
        [(2, "expected `in` after `i`, found `1`"), (5, "expected `..` after `3`, found `{`"), (8, None)],
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_messages_in_source_order(name: str) -> None:
    text, expected = MISTAKES[name]
    source = SourceFile("a.scenario", HEAD + text)
    file, findings = parse(source)
    assert file is None
    found = [(finding.place.line, finding.message) for finding in findings if isinstance(finding.place, Span)]
    assert [line for line, _ in found] == [line for line, _ in expected], found
    assert all(message is None or message == told for (_, message), (_, told) in zip(expected, found, strict=True))


def test_a_limit_ends_the_run_and_earlier_errors_are_told() -> None:
    text = "scenario s { at crash at 1 { approve m } at " + "(" * 40 + " at crash"
    _, findings = parse(SourceFile("a.scenario", text))
    assert [finding.code for finding in findings] == ["WP120", "WP115"]


def test_findings_are_bounded() -> None:
    text = "scenario s {\n" + "at approve m\n" * 300 + "}"
    assert len(parse(SourceFile("a.scenario", text))[1]) == 100
    assert len(parse(SourceFile("a.scenario", text), most=7)[1]) == 7
    assert len(parse(SourceFile("a.scenario", text), most=1000)[1]) == 300


# What is left of a file


def test_what_is_right_is_in_the_tree() -> None:
    text = """import "a.rules"
scenario one {
  level L0
  horizon
  conversation c { from "f" subjet "s" anchor "a" }
  at 0 deliver m in c "x"
  at 1 { crash aprove m escalate m reject m }
  allow WP501 "why" at 2 approve
  allow WP501 "why" at 3 approve m
  expect { m open m sent exactly within 5 n never sent }
}
rules r { admit a when refuse rest }
scenario two { at 1 crash }
"""
    file, findings = parse_tolerantly(SourceFile("a.scenario", text))
    assert len(findings) == 6
    assert [declaration.name.text for declaration in file.declarations] == ["one", "r", "two"]
    one, rules, _ = file.declarations
    assert isinstance(one, tree.Scenario)
    assert isinstance(rules, tree.Rules)
    assert [line.word for line in one.headers] == ["level"]
    conversation, first, second, third, expect = one.items
    assert isinstance(conversation, tree.Conversation)
    assert [field.word for field in conversation.fields] == ["from", "anchor"]
    assert isinstance(first, tree.At)
    assert isinstance(second, tree.At)
    assert [type(statement) for statement in second.statements][:1] == [tree.Crash]
    assert [type(statement) for statement in second.statements][-1:] == [tree.Decide]
    assert isinstance(third, tree.At)
    assert [allow.covers for allow in file.allows] == [third.span]
    assert isinstance(expect, tree.Expect)
    assert [type(claim) for claim in expect.claims] == [tree.Plain, tree.Plain]
    assert [rule.name for rule in rules.rules] == [None]


def test_a_right_file_has_the_same_tree() -> None:
    for path in LIBRARY:
        source = SourceFile(path.name, path.read_text("utf-8"))
        assert parse_tolerantly(source) == parse(source)


def test_no_construct_is_in_the_tree_twice_or_with_another_text(tree_of: Callable[..., tree.File]) -> None:
    original = Original(LIBRARY[-1], one_line=False)
    whole = Counter(
        original.source.text_of(node.span) for node in nodes_of(tree_of(original.source.text)) if is_statement(node)
    )
    kept = total = 0
    for index, breakage in enumerate(breakages(original)):
        if index % 7:
            continue
        file, findings = parse_tolerantly(breakage.source)
        if not findings:
            continue
        found = Counter(breakage.source.text_of(node.span) for node in nodes_of(file) if is_statement(node))
        assert (found - whole).total() <= 2, breakage.what
        kept += (found & whole).total()
        total += whole.total()
    assert kept > 0.85 * total


def is_statement(node: Any) -> bool:
    return isinstance(node, tree.Statement | tree.Claim | tree.Header | tree.Field | tree.Rule | tree.Reply)


# Any input at all


def soup(chance: random.Random, length: int) -> str:
    words = [pattern for pattern in load().patterns.values() if pattern is not None]
    others = [
        "m",
        "x-1",
        "7",
        "007",
        '"s"',
        '"open',
        "`at`",
        "`",
        "é",
        "$",
        ";",
        "'q'",
        "..",
        '"""',
        "\n",
        "\n  ",
        "# c\n",
    ]
    return " ".join(chance.choice(others) if chance.random() < 0.4 else chance.choice(words) for _ in range(length))


def test_any_words_in_any_order() -> None:
    chance = random.Random(3)
    for _ in range(150):
        source = SourceFile("a.scenario", soup(chance, chance.choice([1, 3, 10, 50, 200])))
        file, findings = parse_tolerantly(source)
        assert list(findings) == sorted(findings, key=lambda one: one.place.start)  # type: ignore[union-attr]
        assert len(set(findings)) == len(findings)
        assert file.span.end == len(source.text)


def broken_lines(count: int) -> SourceFile:
    lines = [
        'at {} deliver m in "x"',
        "at {} {{ aprove m }}",
        "at approve m{}",
        'conversation c{} {{ form "a" }}',
        "at {} {{ approve }}",
        "when m{} {{ crash }}",
        "at {} 007 crash",
        'at {} deliver m in c "x',
    ]
    body = "\n".join(lines[index % len(lines)].format(index) for index in range(count))
    return SourceFile("a.scenario", f"scenario s {{\n{body}\n}}\n")


def test_time_is_linear_in_the_number_of_errors() -> None:
    def seconds(count: int) -> float:
        source = broken_lines(count)
        best = float("inf")
        for _ in range(2):
            began = time.process_time()
            _, findings = parse(source, most=count + 1)
            best = min(best, time.process_time() - began)
            assert len(findings) == count
        return best

    seconds(10)
    assert seconds(1000) < 30 * seconds(100)


def test_ten_thousand_broken_lines() -> None:
    began = time.process_time()
    _, findings = parse(broken_lines(10_000))
    assert len(findings) == 100
    assert time.process_time() - began < 5
