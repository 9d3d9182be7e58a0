"""`parse`: from a source text to its syntax tree, or to everything that is wrong with it.

The checked tokens (`lexing.py`) are run through the LALR(1) table (`grammar.py`), and nodes are built as rules complete
(`build.py`). At a token that cannot stand where it stands, the mistake is told (`mistakes.py`) and the run goes on from
the cheapest repair (`repair.py`). No step recurses, whatever the input.

The stack is a linked list, so that where the run stood a few tokens ago is still there when it turns out that the
mistake was made there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from lark import Token

from wellposed.dsl import tree
from wellposed.dsl.brackets import Brackets
from wellposed.dsl.build import Builder, builders
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.form import check_form
from wellposed.dsl.grammar import END, Grammar, Reduction, load
from wellposed.dsl.lexing import REFUSED, checked_tokens, span_between
from wellposed.dsl.mistakes import explain
from wellposed.dsl.repair import DAMAGED, Node, Repair, brackets_on, find_repair, states_of
from wellposed.dsl.source import SourceFile, invisible_characters

MAX_FINDINGS = 100
"""How many findings are reported of one text."""

_QUIET = 3
"""How many tokens must have been read behind an error before the next one is an error of its own."""


class _Spliced(list[object]):
    """Values that become values of their own in whatever is built from them."""


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
        self._tokens, self._complete = checked_tokens(grammar.tokens(source.text), source, findings)
        self._brackets = Brackets(self._tokens)
        self._make = builders(source, findings)
        self._resumed = -_QUIET
        self._quiet = False

    def file(self) -> tree.File:
        """The tree; findings are added to the list on the way."""
        top: Node = (self._grammar.start, None, self._tokens[0], None)
        index = 0
        while True:
            index, stacks, file = self._straight(top, index)
            if file is not None:
                return file
            top, index = self._repaired(index, stacks)

    def _straight(self, top: Node, index: int) -> tuple[int, list[Node], tree.File | None]:
        """Read on up to a token that cannot follow: its index and the stacks before it and the last ones before it."""
        table, make, accept = self._grammar.table, self._make, self._grammar.accept
        tokens, path, first_index = self._tokens, self._source.path, index
        last = tokens[index - 1] if index else tokens[0]
        stack, before, long_before = top, top, top
        for index in range(index, len(tokens)):
            token = tokens[index]
            kind = token.type
            long_before, before, stack = before, stack, top
            while True:
                action = table[top[0]].get(kind)
                if action.__class__ is int:
                    top = (action, token, token, top)
                    last = token
                    break
                if action is None:
                    known = min(index - first_index + 1, 3)
                    return index, [stack, before, long_before][:known], None
                first, parts = token, []
                for _ in range(action.size):
                    _, value, first, top = top
                    parts.append(value)
                parts.reverse()
                value = _reduced(action, parts, first, last, path, make)
                goto = table[top[0]][action.origin]
                if goto == accept:
                    return index, [], value
                top = (goto, value, first, top)
        raise AssertionError("the run ends at the end of the file at the latest")
