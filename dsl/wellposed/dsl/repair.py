"""Where to go on behind a token that cannot stand where it stands.

Edits of a token or two, and going on at the next word that begins a construct in the innermost block that can hold it,
are tried on the tokens that follow. The one that lets most of them be read for the least change is taken. It decides
only what is read next: what an author is told does not depend on it, and a construct with a repair in it is not in the
tree. The work for one repair is bounded, whatever the input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from lark import Token

from wellposed.dsl.grammar import END, Grammar
from wellposed.dsl.lexing import CLOSERS, OPENERS, REFUSED

Node = tuple[int, Any, Token, Any]
"""A stack: the state on top, the value that led to it, the first token of that value, and the stack below or None."""

_AHEAD = 40
"""How many tokens a repair is tried on."""

_NEAR = 10
"""How many of them count in full; the rest decides between equals."""

# What a repair costs, in tokens that it must let be read to be worth it. A token put in costs 1, one left out 2, two
# that change places 1.5; a word that begins a construct is not left out lightly, nor is a brace.
_REPLACED = 2.5
_SWAPPED = 1.5
_PAIR = 2.5
_CONTEXT = 2.0
_RESUMED = 1.5
_POPPED = 0.25
_LOST_BLOCK = 4.0
_AGAIN = 1.5
"""For a second edit near the first: two mistakes are less likely than one."""

_DELETED = 4
_SYNCS = 5
_SKIPPED = 60
_CLOSERS = 3
"""Bounds: tokens left out, places to go on at, what may be skipped on the way, and `}` put in."""

BRACES = frozenset({"LBRACE", "RBRACE"})
"""What a repair can put in without any harm to the construct: braces have no meaning of their own."""

_BLOCK_LINES = (
    *("import", "declaration", "header", "item", "part", "expectation", "rule", "skin_entry"),
    *("conversation_line", "override", "stub_line"),
)
# What opens a construct in which the wrong token may have been meant.
_CONTEXTS = (
    ("IF", "NAME", "OPEN"),
    ("AT", "NUMBER"),
    ("AT", "NUMBER", "LBRACE"),
    ("EXPECT", "LBRACE"),
    ("SCENARIO", "NAME", "LBRACE"),
)

# The shortest contents of blocks that cannot be empty.
_FILLERS = (
    (),
    ("CRASH",),
    ("NAME", "OPEN"),
    ("CATCHES", "NAME"),
    ("REPLY", "NAME", "STRING"),
    ("REFUSE", "REST"),
    ("NAME", "STRING"),
)


class Virtual(Token):
    """A token that a repair has put in, or the value of a construct that has one; it is not in the tree."""


DAMAGED = Virtual("DAMAGED", "")


class Repair(NamedTuple):
    """Go on with this stack, as if these terminals came before the token `at`."""

    stack: Node
    inserted: tuple[str, ...]
    at: int


_Candidate = tuple[float, Repair, list[int]]
"""What a repair costs, the repair, and the states of its stack."""


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


def blocks_of(tokens: Sequence[Token]) -> dict[int, int]:
    """From the index of each `{` that is closed to that of its `}`."""
    blocks: dict[int, int] = {}
    still_open: list[int] = []
    for index, token in enumerate(tokens):
        if token.type == "LBRACE":
            still_open.append(index)
        elif token.type == "RBRACE" and still_open:
            blocks[still_open.pop()] = index
    return blocks


def find_repair(
    grammar: Grammar, tokens: Sequence[Token], blocks: Mapping[int, int], wrong: int, stacks: Sequence[Node]
) -> Repair:
    """The best way to go on at `tokens[wrong]`; `stacks` are those before it, before the token before it, and so on.

    It always leads to the end of the file: the index of the wrong token grows from one repair to the next.
    """
    return _Search(grammar, tokens, blocks, wrong, stacks).best()


class _Search:
    def __init__(
        self,
        grammar: Grammar,
        tokens: Sequence[Token],
        blocks: Mapping[int, int],
        wrong: int,
        stacks: Sequence[Node],
    ) -> None:
        self._grammar = grammar
        self._tokens = tokens
        self._blocks = blocks
        self._wrong = wrong
        self._stacks = stacks
        self._states = states_of(stacks[0])
        self._best: Repair | None = None
        self._score = 0.0
        self._words = _starts(grammar) - {"RBRACE", END}

    def best(self) -> Repair:
        if self._tokens[self._wrong].type == REFUSED:
            self._try(self._refused())
        else:
            self._try(self._edits())
            self._try(self._skips())
            if self._score < _score(_AHEAD, _PAIR):
                self._try(self._pairs())
        if self._best is not None:
            return self._best
        if self._wrong + 1 < len(self._tokens):
            return Repair(self._stacks[0], (), self._wrong + 1)
        return next(repair for _, repair, _ in self._resumed(self._wrong, 0.0))

    def _try(self, candidates: Iterator[_Candidate]) -> None:
        for cost, repair, states in candidates:
            start = self._start(repair)
            gain = self._reach(states, repair.inserted, repair.at, start) - start
            if gain <= 0:
                continue
            score = _score(gain, cost)
            if gain < _NEAR and self._score < _score(_AHEAD, cost + _AGAIN + 1):
                score = max(score, self._again(states, repair, gain, cost))
            if self._best is None or score > self._score:
                self._best, self._score = repair, score

    def _start(self, repair: Repair) -> int:
        """Where the tokens begin that are read on account of a repair; an edit has its share in those that it reads."""
        return self._wrong if repair.at <= self._wrong + 2 else repair.at

    def _reach(self, states: list[int], inserted: tuple[str, ...], at: int, start: int) -> int:
        """The first token that cannot be read, but the wrong one and few behind it, or behind the start, are tried."""
        advance = self._grammar.advance
        trial = list(states)
        for terminal in inserted:
            if not advance(trial, terminal):
                return 0
        for index in range(at, min(start + _AHEAD, len(self._tokens))):
            kind = self._tokens[index].type
            if kind != REFUSED and not advance(trial, kind):
                return index
        return start + _AHEAD

    def _again(self, states: list[int], repair: Repair, gain: int, cost: float) -> float:
        """The score with a second mistake near the first, which takes one more edit."""
        wrong = self._start(repair) + gain
        trial = list(states)
        for terminal in (*repair.inserted, *(self._tokens[index].type for index in range(repair.at, wrong))):
            if terminal != REFUSED:
                self._grammar.advance(trial, terminal)
        best = 0.0
        for more, inserted, skipped in (
            *((1.0, (terminal,), 0) for terminal in self._grammar.possible(trial)),
            (2.0, (), 1),
        ):
            reach = self._reach(trial, inserted, wrong + skipped, wrong)
            if reach > wrong:
                best = max(best, _score(min(reach - wrong + gain, _AHEAD), cost + more + _AGAIN))
        return best

    def _dropped(self, token: Token) -> float:
        return 3.0 if token.type in BRACES else 2.0 if token.type in self._words else 1.0

    def _edits(self) -> Iterator[_Candidate]:
        """One token more, fewer or other, or two in the other order, here or a little before."""
        tokens = self._tokens
        for back, stack in enumerate(self._stacks):
            at, cost = self._wrong - back, 0.25 * back
            here = tokens[at].type
            states = states_of(stack) if back else self._states
            possible = self._grammar.possible(states)
            for terminal in possible:
                yield cost + 1, Repair(stack, (terminal,), at), states
            if here == END:
                continue
            behind = tokens[at + 1].type
            if behind != END:
                yield cost + _SWAPPED, Repair(stack, (behind, here), at + 2), states
            if here in self._words:
                cost += 1
            yield cost + 2, Repair(stack, (), at + 1), states
            for terminal in possible:
                if terminal != here:
                    yield cost + _REPLACED, Repair(stack, (terminal,), at + 1), states
        for context in _CONTEXTS:
            yield _CONTEXT, Repair(self._stacks[0], context, self._wrong), self._states

    def _skips(self) -> Iterator[_Candidate]:
        """A few tokens fewer, or what follows up to where a construct may begin."""
        last = len(self._tokens) - 1
        cost = 1.0
        for index in range(self._wrong, min(self._wrong + _DELETED, last)):
            cost += self._dropped(self._tokens[index])
            yield cost, Repair(self._stacks[0], (), index + 1), self._states
        for jumps in (False, True):
            found, index, cost = 0, self._wrong, _RESUMED
            if jumps and self._tokens[index].type == "FOR":
                index = self._loop_block()
            while found < _SYNCS and cost < _SKIPPED and index <= last:
                if self._begins(index):
                    yield from self._resumed(index, cost)
                    found += 1
                if jumps and index in self._blocks:
                    index, cost = self._blocks[index], cost + 2
                else:
                    cost += self._dropped(self._tokens[index])
                index += 1

    def _loop_block(self) -> int:
        ahead = range(self._wrong, min(self._wrong + _AHEAD, len(self._tokens)))
        return next((index for index in ahead if self._tokens[index].type == "LBRACE"), self._wrong)

    def _pairs(self) -> Iterator[_Candidate]:
        """Two tokens more."""
        kind = self._tokens[self._wrong].type
        for first in self._grammar.possible(self._states):
            states = list(self._states)
            self._grammar.advance(states, first)
            for second in self._grammar.possible(states):
                trial = list(states)
                if self._grammar.advance(trial, second) and self._grammar.advance(trial, kind):
                    yield _PAIR, Repair(self._stacks[0], (first, second), self._wrong), self._states

    def _refused(self) -> Iterator[_Candidate]:
        for terminals in ((), ("NAME",), ("STRING",), ("NUMBER",)):
            yield 0.5 * len(terminals), Repair(self._stacks[0], terminals, self._wrong + 1), self._states

    def _begins(self, index: int) -> bool:
        kind = self._tokens[index].type
        if kind == "NAME" or kind == "BACKQUOTED":
            following = self._tokens[index + 1].type
            return following in ("COLON", "COMMA", "LSQB") or following in self._grammar.first["predicate"]
        return kind in _starts(self._grammar)

    def _resumed(self, index: int, cost: float) -> Iterator[_Candidate]:
        """Drop what is begun down to the innermost blocks that the token at `index` can go on in, closed or not."""
        kind = self._tokens[index].type
        node: Node | None = self._stacks[0]
        states = list(self._states)
        found = closed = 0
        while node is not None and found < 2:
            value = node[1]
            is_brace = isinstance(value, Token) and value.type == "LBRACE"
            for filler in _FILLERS if is_brace else ((),):
                closers = self._closers(states, filler, kind)
                if closers is not None:
                    yield cost + len(closers) + 0.5 * bool(filler), Repair(node, filler + closers, index), list(states)
                    found += 1
                    break
            if isinstance(value, Token):
                closed += {"RBRACE": 1, "LBRACE": -1}.get(value.type, 0)
                cost += _LOST_BLOCK if closed < 0 else _POPPED
                closed = max(closed, 0)
            node = node[3]
            states.pop()

    def _closers(self, states: list[int], filler: tuple[str, ...], kind: str) -> tuple[str, ...] | None:
        """The least number of `}` behind a filler that `kind` can follow."""
        advance = self._grammar.advance
        trial = list(states)
        if not all(advance(trial, terminal) for terminal in filler):
            return None
        for count in range(_CLOSERS + 1):
            if advance(list(trial), kind):
                return ("RBRACE",) * count
            if not advance(trial, "RBRACE"):
                return None
        return None


def _score(gain: int, cost: float) -> float:
    return min(gain, _NEAR) + 2 * gain / _AHEAD - cost


@cache
def _starts(grammar: Grammar) -> frozenset[str]:
    words = frozenset[str]().union(*(grammar.first[rule] for rule in _BLOCK_LINES))
    return (words | {"RBRACE", END}) - {"NAME", "BACKQUOTED"}
