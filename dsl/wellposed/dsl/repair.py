"""Where to go on behind a token that cannot stand where it stands.

A few edits of one token, and skipping to the next word that begins a construct, are tried on the tokens that follow;
the one with the best account of them is taken. It decides only what is read next: what an author is told does not
depend on it, and a construct with a repair in it is not in the tree. All work is bounded, whatever the input.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from lark import Token

from wellposed.dsl.grammar import END, Grammar
from wellposed.dsl.lexing import CLOSERS, OPENERS, REFUSED

Node = tuple[int, Any, Token, Any]
"""A stack: the state on top, the value that led to it, the first token of that value, and the stack below or None."""

_AHEAD = 10
"""How many tokens a repair is tried on."""

_SYNCS = 5
_SKIPPED = 60
_CLOSERS = 3

_BLOCK_LINES = (
    *("import", "declaration", "header", "item", "part", "expectation", "rule", "skin_entry"),
    *("conversation_line", "override", "stub_line"),
)
_CONTEXTS = (
    ("AT", "NUMBER"),
    ("AT", "NUMBER", "LBRACE"),
    ("EXPECT", "LBRACE"),
    ("SCENARIO", "NAME", "LBRACE"),
)


class Virtual(Token):
    """A token that a repair has put in, or the value of a construct that has one; it is not in the tree."""


DAMAGED = Virtual("DAMAGED", "")


class Repair(NamedTuple):
    """Go on with this stack, as if these terminals came before the token at `index`."""

    stack: Node
    inserted: tuple[str, ...]
    index: int


def states_of(stack: Node) -> list[int]:
    """The states on a stack, the bottom one first."""
    states = []
    node: Node | None = stack
    while node is not None:
        states.append(node[0])
        node = node[3]
    states.reverse()
    return states


def brackets_on(stack: Node) -> list[Token]:
    """The brackets that are open on a stack, the outermost first."""
    still_open: list[Token] = []
    closed = 0
    node: Node | None = stack
    while node is not None:
        value = node[1]
        if isinstance(value, Token):
            if value.type in CLOSERS:
                closed += 1
            elif value.type in OPENERS and closed:
                closed -= 1
            elif value.type in OPENERS:
                still_open.append(value)
        node = node[3]
    still_open.reverse()
    return still_open


def find_repair(grammar: Grammar, tokens: Sequence[Token], wrong: int, stacks: Sequence[Node]) -> Repair:
    """The best way to go on at `tokens[wrong]`; `stacks` are those before it, before the token before it, and so on.

    It always leads to the end of the file: the index of the wrong token grows from one repair to the next.
    """
    return _Search(grammar, tokens, wrong, stacks).best()


class _Search:
    def __init__(self, grammar: Grammar, tokens: Sequence[Token], wrong: int, stacks: Sequence[Node]) -> None:
        self._grammar = grammar
        self._tokens = tokens
        self._wrong = wrong
        self._stacks = stacks

    def best(self) -> Repair:
        best, best_score = None, 0.0
        for cost, repair, states in self._candidates():
            gain = self._gain(states, repair)
            if gain and (best is None or gain - cost > best_score):
                best, best_score = repair, gain - cost
        if best is None:
            last = len(self._tokens) - 1
            best = Repair(self._stacks[0], (), self._wrong + 1)
            if self._wrong == last:
                best = next(repair for _, repair, _ in self._resumed(last, 0.0))
        return best

    def _gain(self, states: list[int], repair: Repair) -> int:
        """How many tokens from the wrong one on, or from where it goes on, can be read."""
        advance = self._grammar.advance
        trial = list(states)
        for terminal in repair.inserted:
            if not advance(trial, terminal):
                return 0
        start = max(self._wrong, repair.index)
        end = min(start + _AHEAD, len(self._tokens))
        for index in range(repair.index, end):
            kind = self._tokens[index].type
            if kind != REFUSED and not advance(trial, kind):
                return max(index - start, 0)
        return _AHEAD

    def _candidates(self) -> Iterator[tuple[float, Repair, list[int]]]:
        for back, stack in enumerate(self._stacks):
            states = states_of(stack)
            yield from self._edits(self._wrong - back, stack, states, 0.25 * back)
        stack = self._stacks[0]
        states = states_of(stack)
        for context in _CONTEXTS:
            yield 2.0, Repair(stack, context, self._wrong), states
        for index, cost in self._syncs():
            yield from self._resumed(index, cost)

    def _edits(
        self, at: int, stack: Node, states: list[int], cost: float
    ) -> Iterator[tuple[float, Repair, list[int]]]:
        tokens = self._tokens
        here = tokens[at].type
        possible = self._grammar.possible(states)
        for terminal in possible:
            yield cost + 1, Repair(stack, (terminal,), at), states
        if here == END:
            return
        behind = tokens[at + 1].type
        if behind != END:
            yield cost + 1.5, Repair(stack, (behind, here), at + 2), states
        yield cost + 2, Repair(stack, (), at + 1), states
        for terminal in possible:
            if terminal != here:
                yield cost + 2.5, Repair(stack, (terminal,), at + 1), states

    def _syncs(self) -> Iterator[tuple[int, float]]:
        """Where a construct may begin, with what it costs to skip to there."""
        for jumps in (False, True):
            found, index, skipped = 0, self._wrong, 0
            while found < _SYNCS and skipped < _SKIPPED and index < len(self._tokens):
                if self._begins(index):
                    yield index, 1.5 + skipped
                    found += 1
                index += 1
                skipped += 1

    def _begins(self, index: int) -> bool:
        kind = self._tokens[index].type
        if kind == "NAME" or kind == "BACKQUOTED":
            following = self._tokens[index + 1].type
            return following in ("COLON", "COMMA", "LSQB") or following in self._grammar.first["predicate"]
        return kind in _starts(self._grammar)

    def _resumed(self, index: int, cost: float) -> Iterator[tuple[float, Repair, list[int]]]:
        """Pop to the innermost blocks that the token at `index` can go on in, closed or not."""
        kind = self._tokens[index].type
        node: Node | None = self._stacks[0]
        states = states_of(self._stacks[0])
        found = 0
        while node is not None and found < 2:
            trial = list(states)
            for closers in range(_CLOSERS + 1):
                if self._grammar.advance(list(trial), kind):
                    yield cost + closers, Repair(node, ("RBRACE",) * closers, index), list(states)
                    found += 1
                    break
                if not self._grammar.advance(trial, "RBRACE"):
                    break
            value = node[1]
            if isinstance(value, Token):
                cost += 4 if value.type == "LBRACE" else 0.5
            node = node[3]
            states.pop()


@cache
def _starts(grammar: Grammar) -> frozenset[str]:
    words = frozenset[str]().union(*(grammar.first[rule] for rule in _BLOCK_LINES))
    return (words | {"RBRACE", END}) - {"NAME", "BACKQUOTED"}
