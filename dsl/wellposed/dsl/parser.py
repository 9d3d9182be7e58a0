"""`parse`: from a source text to its syntax tree, or to everything that is wrong with it.

The checked tokens (`lexing.py`) are run through the LALR(1) table (`grammar.py`), and nodes are built as rules complete
(`build.py`). At a token that cannot stand where it stands, the mistake is told (`mistakes.py`) and the run goes on from
the cheapest repair (`repair.py`). No step recurses, whatever the input.

The stack is a linked list, so that where the run stood a few tokens ago is still there when it turns out that the
mistake was made there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from lark import Token

from wellposed.dsl import tree
from wellposed.dsl.brackets import Brackets
from wellposed.dsl.build import Builder, builders
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.form import check_form
from wellposed.dsl.grammar import END, Grammar, Reduction, load
from wellposed.dsl.lexing import REFUSED, checked_tokens, span_between
from wellposed.dsl.mistakes import explain
from wellposed.dsl.repair import BRACES, DAMAGED, Node, Virtual, blocks_of, brackets_on, find_repair, states_of
from wellposed.dsl.source import SourceFile, invisible_characters

MAX_FINDINGS = 100
"""How many findings are reported of one text."""

_QUIET = 3
"""How many tokens must have been read behind an error before the next one is an error of its own."""


class _Spliced:
    """The first `count` of some values, which become values of their own in whatever is built from them.

    A repetition grows in place, so that it is linear in its length: longer ones share their list with the shorter ones
    that they came from, which may still be on a stack from before a mistake.
    """

    __slots__ = ("_values", "count")

    def __init__(self, values: list[object]) -> None:
        self._values = values
        self.count = len(values)

    def with_more(self, values: list[object]) -> _Spliced:
        own = self._values if len(self._values) == self.count else self.values()
        own += values
        return _Spliced(own)

    def values(self) -> list[object]:
        return self._values[: self.count]


def parse(source: SourceFile, most: int = MAX_FINDINGS) -> tuple[tree.File | None, tuple[Finding, ...]]:
    """The syntax tree of a text, or None and what is wrong with it, in source order.

    The suffix of the path decides what the file may hold: `.rules` and `.skin` only their kind, anything else all.
    Reports every independent error, up to `most`: of characters (WP106), of tokens, strings and numbers (WP110 to
    WP119) and of syntax (WP120 to WP127). There is a tree exactly when there is no finding.
    """
    file, findings = parse_tolerantly(source, most)
    return (None if findings else file), findings


def parse_tolerantly(source: SourceFile, most: int = MAX_FINDINGS) -> tuple[tree.File, tuple[Finding, ...]]:
    """As `parse`, but there is always a tree: of what could be read around the errors.

    A construct with an error in it is left out; one around it is not. For tools that help while a text is written.
    """
    findings: list[Finding] = []
    file = _Run(source, load(), findings, most).file()
    findings += check_form(file)
    findings += islice(invisible_characters(source), most)
    return file, tuple(sorted(dict.fromkeys(findings), key=_start)[:most])


class _Run:
    """One run over the tokens of a file."""

    def __init__(self, source: SourceFile, grammar: Grammar, findings: list[Finding], most: int) -> None:
        self._source = source
        self._grammar = grammar
        self._findings = findings
        self._left = most
        self._repairs_left = 4 * most  # not every repair has a finding
        self._tokens, self._complete = checked_tokens(grammar.tokens(source.text), source, findings)
        self._noted = sorted(_start(finding)[0] for finding in findings)
        self._brackets = Brackets(self._tokens)
        self._make = builders(source, findings)
        self._resumed = -_QUIET  # where the run went on last
        self._guessed: list[Virtual] = []  # braces of blocks of which a repair has made up more than the brace
        self._right = True

    def file(self) -> tree.File:
        """The tree; findings are added to the list on the way."""
        top: Node = (self._grammar.start, None, self._tokens[0], None)
        index = 0
        while True:
            index, stacks, file = self._straight(self._tokens, top, index)
            if file is not None:
                return file
            top, index = self._repaired(index, stacks)

    def _straight(self, tokens: Sequence[Token], top: Node, begin: int) -> tuple[int, list[Node], tree.File | None]:
        """Read on up to a token that cannot follow, the end of the tokens, or that of the file.

        Gives the index of that token, the stacks before it and before up to three that were read last, and the tree.
        """
        table, make, accept = self._grammar.table, self._make, self._grammar.accept
        path, right = self._source.path, self._right
        last = tokens[begin - 1] if begin else tokens[0]
        stack = one_before = two_before = three_before = top
        for index in range(begin, len(tokens)):
            token = tokens[index]
            kind = token.type
            three_before, two_before, one_before, stack = two_before, one_before, stack, top
            while True:
                action = table[top[0]].get(kind)
                if isinstance(action, int):
                    top = (action, token, token, top)
                    last = token
                    break
                if action is None:
                    known = [stack, one_before, two_before, three_before]
                    return index, known[: index - begin + 1], None
                first = token
                parts: list[Any] = []
                for _ in range(action.size):
                    _, value, first, top = top
                    parts.append(value)
                parts.reverse()
                if right or action.repeats or not _is_damaged(parts):
                    value = _reduced(action, parts, first, last, path, make)
                else:
                    value = DAMAGED
                goto = table[top[0]][action.origin]
                assert isinstance(goto, int)
                if goto == accept:
                    assert isinstance(value, tree.File)
                    return index, [], value
                top = (goto, value, first, top)
        return len(tokens), [top], None

    def _repaired(self, wrong: int, stacks: list[Node]) -> tuple[Node, int]:
        """Report the token that cannot follow, unless that is told already, and find where to go on."""
        grammar, tokens = self._grammar, self._tokens
        self._brackets.follow(wrong)
        if self._left > 0 and not self._is_told(wrong, stacks[0]):
            self._left -= 1
            states = [states_of(stack) for stack in stacks]
            self._findings.append(explain(grammar, self._source, tokens, wrong, states, self._brackets))
        self._repairs_left -= 1
        if self._left <= 0 or self._repairs_left <= 0:
            wrong, stacks = len(tokens) - 1, stacks[:1]  # enough: what is open is closed, the rest is not looked at
        repair = find_repair(grammar, tokens, self._blocks, wrong, stacks)
        self._right = False
        made_up = [self._virtual(terminal, repair.at) for terminal in repair.inserted]
        if len(made_up) > 1 or tokens[repair.at].type == "FOR":
            self._guessed += [token for token in made_up if token.type == "LBRACE"]
        top = self._straight(made_up, repair.stack, 0)[1][0] if made_up else repair.stack
        self._brackets.resume(brackets_on(top), repair.at)
        self._resumed = max(repair.at, wrong)
        return top, repair.at

    @cached_property
    def _blocks(self) -> dict[int, int]:
        return blocks_of(self._tokens)

    def _is_told(self, wrong: int, stack: Node) -> bool:
        token = self._tokens[wrong]
        if token.type == REFUSED or (token.type == END and not self._complete):
            return True
        begun = _construct_begun(stack)
        start = (begun or token).start_pos or 0
        noted = bisect_left(self._noted, max(self._tokens[max(wrong - 2, 0)].start_pos or 0, start))
        if noted < len(self._noted) and self._noted[noted] < (token.end_pos or 0):
            return True  # there is a finding about a token right before it, in the same construct
        inner = self._brackets.innermost
        if any(inner is brace for brace in self._guessed) and self._fits(stack, "RBRACE", token.type):
            return True  # the end of a block of which nothing is written
        if wrong - self._resumed >= _QUIET:
            return False
        return begun is None or start < (self._tokens[self._resumed].start_pos or 0)

    def _fits(self, stack: Node, *terminals: str) -> bool:
        trial = states_of(stack)
        return all(self._grammar.advance(trial, terminal) for terminal in terminals)

    def _virtual(self, terminal: str, index: int) -> Virtual:
        token = self._tokens[index - 1] if index else self._tokens[0]
        end, line, column = token.end_pos, token.end_line, token.end_column
        return Virtual(terminal, "", end, line, column, line, column, end)


def _construct_begun(stack: Node) -> Token | None:
    """The first token of the construct that the stack is in; None between two."""
    node: Node | None = stack
    begun = None
    while node is not None and not isinstance(node[1], _Spliced | tuple):  # those are complete
        if isinstance(node[1], Token) and node[1].type == "LBRACE":
            break
        begun = node[2]
        node = node[3]
    return begun


def _is_damaged(parts: Sequence[object]) -> bool:
    return any(isinstance(part, Virtual) and part.type not in BRACES for part in parts)


def _reduced(
    action: Reduction, parts: Sequence[Any], first: Token, last: Token, path: str, make: Mapping[str, Builder]
) -> object:
    if action.rule is None and not action.spliced:
        return parts[action.kept[0]]
    grown = parts[0] if action.spliced and parts and parts[0].__class__ is _Spliced else None
    arguments: list[object] = []
    for index in action.kept if grown is None else action.kept[1:]:
        part = parts[index]
        if part.__class__ is _Spliced:
            arguments += part.values()
        elif part.__class__ is not Virtual:
            arguments.append(part)
        elif not action.repeats:
            return DAMAGED
    if grown is not None:
        return grown.with_more(arguments)
    if action.rule is None:
        return _Spliced(arguments)
    return make[action.rule](*arguments, span_between(first, last, path))


def _start(finding: Finding) -> tuple[int, str]:
    return (finding.place.start if isinstance(finding.place, Span) else 0), finding.code
