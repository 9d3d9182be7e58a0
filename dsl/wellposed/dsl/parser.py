"""`parse`: from a source text to its syntax tree, or to everything that is wrong with it.

The checked tokens (`lexing.py`) are run through the LALR(1) table (`grammar.py`), and nodes are built as rules complete
(`build.py`). At a token that cannot stand where it stands, the mistake is told (`mistakes.py`) and the run goes on from
the cheapest repair (`repair.py`). No step recurses, whatever the input.

The stack is a linked list, so that where the run stood a few tokens ago is still there when it turns out that the
mistake was made there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from lark import Token

from wellposed.dsl import tree
from wellposed.dsl.asked import INEXPRESSIBLE
from wellposed.dsl.brackets import Brackets, Pairing, pairing_of
from wellposed.dsl.build import Builder, builders
from wellposed.dsl.constructs import begins_at, begins_line, block_below, is_between, misspelt, opens_line, resumption
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.form import check_form
from wellposed.dsl.grammar import END, Grammar, Reduction, load
from wellposed.dsl.lexing import REFUSED, checked_tokens, span_between
from wellposed.dsl.mistakes import explain
from wellposed.dsl.place import is_word
from wellposed.dsl.repair import find_repair
from wellposed.dsl.source import SourceFile, invisible_characters
from wellposed.dsl.stack import BRACES, DAMAGED, Node, Spliced, Virtual, brackets_on, states_of
from wellposed.dsl.telling import Telling

MAX_FINDINGS = 100
"""How many findings are reported of one text."""


def parse(source: SourceFile, most: int = MAX_FINDINGS) -> tuple[tree.File | None, tuple[Finding, ...]]:
    """The syntax tree of a text, or None and what is wrong with it, in source order.

    The suffix of the path decides what the file may hold: `.rules` and `.skin` only their kind, anything else all.
    Reports every independent error, up to `most`: of characters (WP106), of tokens, strings and numbers (WP110 to
    WP119) and of syntax (WP120 to WP129). There is a tree exactly when there is no finding.
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
        self._tokens, complete = checked_tokens(grammar.tokens(source.text), source, findings)
        self._telling = Telling(grammar, self._tokens, complete, sorted(_start(finding)[0] for finding in findings))
        self._brackets = Brackets(self._tokens)
        self._make = builders(source, findings)
        self._begin = 0
        self._right = True

    def file(self) -> tree.File:
        """The tree; findings are added to the list on the way."""
        top: Node = (self._grammar.start, None, self._tokens[0], None)
        index = 0
        while True:
            index, stacks, file = self._straight(self._tokens, top, index)
            if file is not None:
                return file
            top, index = self._repaired(*self._at_line_start(index, stacks))

    def _straight(self, tokens: Sequence[Token], top: Node, begin: int) -> tuple[int, list[Node], tree.File | None]:
        """Read on up to a token that cannot follow, the end of the tokens, or that of the file.

        Gives the index of that token, the stacks before it and before up to three that were read last, and the tree.
        """
        table, make, accept = self._grammar.table, self._make, self._grammar.accept
        path, right = self._source.path, self._right
        last = tokens[begin - 1] if begin else tokens[0]
        stack = one_before = two_before = three_before = top
        self._begin = begin
        self._line = self._line_before = begin, top
        for index in range(begin, len(tokens)):
            token = tokens[index]
            kind = token.type
            if token.line != last.end_line:
                self._line_before, self._line = self._line, (index, top)
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

    def _at_line_start(self, wrong: int, stacks: list[Node]) -> tuple[int, list[Node]]:
        """The first token of the line instead of the wrong one, where the construct of the line before swallowed it.

        It did if a word is the last of that line and wants an operand, and the first of this one can begin a construct.
        """
        grammar, tokens = self._grammar, self._tokens
        line, stack = self._line if self._line[0] < wrong else self._line_before
        if not self._begin < line < wrong or not (is_word(tokens[line - 1]) or tokens[line - 1].type == "COMPARISON"):
            return wrong, stacks
        if any(token.type in BRACES for token in tokens[line:wrong]):
            return wrong, stacks
        wants_construct = not grammar.table[stack[0]].keys().isdisjoint(("action", "claim"))
        states = states_of(stack)
        if wants_construct or is_between(grammar, states):
            return wrong, stacks
        block = block_below(grammar, states)
        return (line, [stack]) if opens_line(grammar, tokens, line, block) else (wrong, stacks)

    def _misspelt(self, index: int, states: list[int]) -> bool:
        token = self._tokens[index]
        return token.type == "NAME" and misspelt(self._grammar, token, self._grammar.possible(states)) is not None

    def _repaired(self, wrong: int, stacks: list[Node]) -> tuple[Node, int]:
        """Report the token that cannot follow, unless that is told already, and find where to go on."""
        grammar, tokens = self._grammar, self._tokens
        self._brackets.follow(wrong)
        asked = None
        if self._left > 0 and self._telling.is_new(wrong, stacks[0], self._brackets.innermost):
            self._left -= 1
            states = [states_of(stack) for stack in stacks]
            told = explain(grammar, self._source, tokens, wrong, states, self._brackets)
            self._findings.append(told)
            asked = told.place if told.code in INEXPRESSIBLE else None
        self._right = False
        self._repairs_left -= 1
        if self._left <= 0 or self._repairs_left <= 0:
            wrong, stacks = len(tokens) - 1, stacks[:1]  # enough: what is open is closed, the rest is not looked at
        elif isinstance(asked, Span) and (behind := self._behind_asked(asked, wrong, stacks[0])) is not None:
            return behind
        elif (anew := self._anew(wrong, stacks[0])) is not None:
            return anew, wrong
        repair = find_repair(grammar, tokens, self._pairing, wrong, stacks)
        made_up = [self._virtual(terminal, repair.at) for terminal in repair.inserted]
        top = self._straight(made_up, repair.stack, 0)[1][0] if made_up else repair.stack
        self._brackets.resume(brackets_on(top), repair.at)
        self._telling.repaired(repair.at, max(repair.at, wrong), made_up)
        return top, repair.at

    def _anew(self, wrong: int, stack: Node) -> Node | None:
        """The block, if the construct is not complete and the wrong token is a name where another one should begin."""
        grammar, tokens, states = self._grammar, self._tokens, states_of(stack)
        size = len(block_below(grammar, states))
        if size == len(states) or tokens[wrong].type != "NAME" or is_between(grammar, states):
            return None
        if resumption(grammar, states[:size], "NAME", 0) is not None or self._misspelt(wrong, states):
            return None  # it may be none of these
        if not begins_line(tokens, wrong) and not self._misspelt(wrong, states[:size]):
            return None
        if not opens_line(grammar, tokens, wrong, states[:size]):
            return None
        for _ in states[size:]:
            stack = stack[3]
        self._brackets.resume(brackets_on(stack), wrong)
        self._telling.repaired(wrong, wrong, ())
        return stack

    def _behind_asked(self, asked: Span, wrong: int, stack: Node) -> tuple[Node, int] | None:
        """Behind the words that ask for what cannot be expressed, and what belongs to them, the next construct."""
        grammar, tokens, states = self._grammar, self._tokens, states_of(stack)
        block = block_below(grammar, states)
        index = wrong
        while (tokens[index].start_pos or 0) < asked.end or (
            tokens[index].end_line == asked.line and not self._goes_on_at(index, block)
        ):
            if tokens[index].type == END:
                return None
            index = self._pairing.blocks.get(index, index) + 1
        inserted = resumption(grammar, block, tokens[index].type, 0)
        if inserted is None:
            return None
        for _ in states[len(block) :]:
            stack = stack[3]
        made_up = [self._virtual(terminal, index) for terminal in inserted]
        top = self._straight(made_up, stack, 0)[1][0] if made_up else stack
        self._brackets.resume(brackets_on(top), index)
        self._telling.repaired(index, index, made_up)
        return top, index

    def _goes_on_at(self, index: int, block: Sequence[int]) -> bool:
        """Whether a construct of a block begins at a token in the middle of a line, or the block ends there."""
        grammar, tokens, states = self._grammar, self._tokens, list(block)
        inserted = resumption(grammar, states, tokens[index].type, 0)
        if inserted is None or not begins_at(grammar, tokens, index):
            return False
        count = {"FOR": 3, "NAME": 2, "BACKQUOTED": 2}.get(tokens[index].type, 1)  # as many as decide what it is
        kinds = (token.type for token in tokens[index : index + count] if token.type != REFUSED)
        return all(grammar.advance(states, kind) for kind in (*inserted, *kinds))

    @cached_property
    def _pairing(self) -> Pairing:
        return pairing_of(self._tokens)

    def _virtual(self, terminal: str, index: int) -> Virtual:
        token = self._tokens[index - 1] if index else self._tokens[0]
        end, line, column = token.end_pos, token.end_line, token.end_column
        return Virtual(terminal, "", end, line, column, line, column, end)


def _is_damaged(parts: Sequence[object]) -> bool:
    return any(isinstance(part, Virtual) and part.type not in BRACES for part in parts)


def _reduced(
    action: Reduction, parts: Sequence[Any], first: Token, last: Token, path: str, make: Mapping[str, Builder]
) -> object:
    if action.rule is None and not action.spliced:
        return parts[action.kept[0]]
    grown = parts[0] if action.spliced and parts and parts[0].__class__ is Spliced else None
    arguments: list[object] = []
    for index in action.kept if grown is None else action.kept[1:]:
        part = parts[index]
        if part.__class__ is Spliced:
            arguments += part.values()
        elif part.__class__ is not Virtual:
            arguments.append(part)
        elif not action.repeats:
            return DAMAGED
    if grown is not None:
        return grown.with_more(arguments)
    if action.rule is None:
        return Spliced(arguments)
    return make[action.rule](*arguments, span_between(first, last, path))


def _start(finding: Finding) -> tuple[int, str]:
    return (finding.place.start if isinstance(finding.place, Span) else 0), finding.code
