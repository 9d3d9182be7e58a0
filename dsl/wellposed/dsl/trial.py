"""How much of what follows can be read after a repair.

A repair is as good as what it lets be read. Behind it there may be errors that are not its fault: at one of them a
trial goes on where the next construct may begin, so that a repair which spoils what follows is worth less than one
behind which other mistakes happen to stand. What lies between is lost, and each such error costs a little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lark import Token

from wellposed.dsl.brackets import Pairing
from wellposed.dsl.constructs import (
    begins_at,
    begins_line,
    block_below,
    block_states,
    is_between,
    misspelt,
    resumed,
    starts,
)
from wellposed.dsl.grammar import Grammar
from wellposed.dsl.lexing import REFUSED

AHEAD = 40
"""How many tokens a repair is tried on."""

_NEAR = 10
"""How many of them count in full; the rest decides between equals."""

_FAR = 0.05
"""What each of them all counts."""

MOST = _NEAR + AHEAD * _FAR
"""What a repair is worth behind which everything can be read."""

# What an error costs that is found behind a repair. In another construct it is a mistake of its own, and of what is
# lost there only a part is held against the repair; in the same one, the repair is to blame.
_ERROR_APART = 1.0
_LOST_APART = 0.5
_ERROR = 3.0
_LOST_LINE = 2.0
"""For each further line among what is lost that begins with the word of a construct."""

_ERRORS = 3
"""Bound: how many errors are looked past."""


class _Read(NamedTuple):
    """What can be read from one error to the next, which is in a construct that begins behind the first, or `apart`."""

    begin: int
    stop: int
    apart: bool


_Point = tuple[int, tuple[int, ...]]
"""A token, and the states before it."""


class Trial:
    """Tries of the tokens around one wrong token, none of them behind `stop`."""

    def __init__(self, grammar: Grammar, tokens: Sequence[Token], pairing: Pairing, wrong: int, stop: int) -> None:
        self._grammar = grammar
        self._tokens = tokens
        self._blocks = pairing.blocks
        self._closers = 0 if "LBRACE" in pairing.even else 1
        self._wrong = wrong
        self._stop = min(stop, len(tokens))
        self._read: dict[tuple[int, tuple[int, ...], int], tuple[_Read, ...]] = {}
        self._next: dict[_Point, _Point | None] = {}

    def worth(self, states: Sequence[int], inserted: Sequence[str], at: int) -> float | None:
        """What it is worth to go on at `at` as if `inserted` came before it; None if that leads no further.

        An edit near the wrong token has its share in those that it reads; where more is left out, it has none.
        """
        onto = list(states)
        if not all(self._grammar.advance(onto, terminal) for terminal in inserted):
            return None
        start = self._wrong if at <= self._wrong + 2 else at
        reads = self._reads(at, tuple(onto), _ERRORS)
        if reads[0].stop <= start and (inserted or at <= self._wrong or not begins_line(self._tokens, at)):
            return None
        last = min(start + AHEAD, len(self._tokens))
        until, share, worth = max(start, at), 1.0, MOST
        for read in reads:
            worth -= share * self._lost(until, min(read.begin, last), start)
            until = max(until, min(read.stop, last))
            if until < last:
                worth -= _ERROR_APART if read.apart else _ERROR
                share = _LOST_APART if read.apart else 1.0
        if until < last:
            enough = len(reads) > _ERRORS
            worth -= _LOST_APART * self._lost(until, last, start) if enough else _ERROR + self._lost(until, last, start)
        return worth

    def _reads(self, begin: int, states: tuple[int, ...], errors: int) -> tuple[_Read, ...]:
        key = begin, states, errors
        if key not in self._read:
            read, behind = self._straight(begin, list(states), errors)
            self._read[key] = (read,) if behind is None else (read, *self._reads(*behind, errors - 1))
        return self._read[key]

    def _straight(self, begin: int, states: list[int], errors: int) -> tuple[_Read, _Point | None]:
        """Read up to an error, and find where to go on behind it."""
        tokens, advance, blocks = self._tokens, self._grammar.advance, block_states(self._grammar)
        line, at_line = begin, list(states)
        begun: dict[int, int] = {}
        for index in range(begin, self._stop):
            kind = tokens[index].type
            if begins_line(tokens, index):
                line, at_line = index, list(states)
            if kind == REFUSED:
                continue
            if not advance(states, kind):
                break
            if states[-2] in blocks:
                begun[len(states) - 1] = index
        else:
            return _Read(begin, self._stop, True), None
        if not errors:
            return _Read(begin, index, True), None
        states = at_line  # those at the error are spoilt
        behind = self._at_line_start(line, at_line) if begin < line < index else None
        for done in range(line, index):
            if tokens[done].type != REFUSED:
                advance(states, tokens[done].type)
        behind = behind or self._behind(index, states)
        stop = index if behind is None else min(index, behind[0])
        apart = errors < _ERRORS or is_between(self._grammar, states)
        if not apart and (first := begun.get(len(block_below(self._grammar, states)))) is not None:
            apart = self._is_apart(begin, first)
        return _Read(begin, stop, apart), behind

    def _is_apart(self, begin: int, index: int) -> bool:
        """Whether a construct that begins at `index` is none of the damage, if it is read from `begin` on."""
        if index == self._wrong:
            return begins_at(self._grammar, self._tokens, index)
        return index > max(begin, self._wrong) or begins_line(self._tokens, index)

    def _at_line_start(self, line: int, states: list[int]) -> _Point | None:
        """The line in which an error is, if its first token was read as a part of the construct before."""
        onto = resumed(self._grammar, states, self._tokens[line].type)
        return None if onto is None or len(onto) >= len(states) else (line, tuple(onto))

    def _behind(self, index: int, states: list[int]) -> _Point | None:
        key = index, tuple(states)
        if key not in self._next:
            self._next[key] = self._find_behind(index, states)
        return self._next[key]

    def _find_behind(self, index: int, states: list[int]) -> _Point | None:
        """Where a construct of the innermost block begins, in correct or wrong spelling, or the block ends."""
        grammar, tokens = self._grammar, self._tokens
        block = block_below(grammar, states)
        words = frozenset(grammar.possible(block))
        known: dict[str, list[int] | None] = {}
        while index < min(self._stop, len(tokens) - 1):
            kind = tokens[index].type
            if begins_at(grammar, tokens, index) or begins_line(tokens, index):
                if kind not in known:
                    known[kind] = resumed(grammar, states, kind, self._closers)
                onto = known[kind]
                if onto is not None:
                    return index, tuple(onto)
            word = misspelt(grammar, tokens[index], words)
            if word is not None:
                grammar.advance(block, word)
                return index + 1, tuple(block)
            index = self._blocks.get(index, index) + 1
        return None

    def _lost(self, begin: int, end: int, start: int) -> float:
        """What is lost with the tokens that are not read: the lines among them that begin a construct, besides."""
        lost = max(0, min(end, start + _NEAR) - begin) + max(0, end - begin) * _FAR
        index = begin + 1
        while index < end:
            if begins_line(self._tokens, index) and self._tokens[index].type in starts(self._grammar):
                lost += _LOST_LINE
            index = self._blocks.get(index, index) + 1
        return lost
