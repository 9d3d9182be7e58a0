"""Where to go on behind a token that cannot stand where it stands.

Edits of a token or two, and going on where the next construct begins in the innermost block that can hold it, are tried
on the tokens that follow (`trial.py`). The one that lets most of them be read for the least change is taken. It decides
only what is read next: what an author is told does not depend on it, and a construct with a repair in it is not in the
tree. The work for one repair is bounded, whatever the input.

Line breaks mean nothing in the language, but they do here: nobody writes a line whose first token belongs to the line
before if it could begin a construct. So a repair that leaves one out, or joins it to what stands before, costs more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lark import Token

from wellposed.dsl.brackets import Pairing
from wellposed.dsl.constructs import (
    begins,
    begins_at,
    begins_line,
    block_states,
    is_between,
    misspelt,
    resumed,
    resumption,
    starts,
)
from wellposed.dsl.grammar import END, Grammar
from wellposed.dsl.lexing import OPENERS, REFUSED
from wellposed.dsl.place import is_word
from wellposed.dsl.stack import BRACES, Node, Spliced, states_of
from wellposed.dsl.trial import AHEAD, MOST, Trial

# What a repair costs, in tokens that it must let be read to be worth it. First the edits of a token, each more for every
# token that it lies before the wrong one; a word that begins a construct is not left out lightly, nor is a brace.
_INSERTED = 1.0
_LEFT_OUT = 2.0
_REPLACED = 2.5
_WORD_AS_NAME = 1.0
_SWAPPED = 1.5
_PAIR = 2.5
_CONTEXT = 2.0
_BACK = 0.25

# Then going on elsewhere: with the next construct, in the middle of a line, with less on the stack, behind a block,
# behind the line, and with something in a block that would be empty.
_RESUMED = 1.5
_MID_LINE = 1.0
_POPPED = 0.25
_JUMPED = 2.0
_LINE_LESS = 3.0
_FILLED = 0.5

# And what makes either implausible: a block that is left although nothing closes it, going on before the constructs of a
# block that are complete, the first token of a line that is left out or read as part of the line before, and one bracket
# more or less in a file that has as many opening as closing ones.
_LOST_BLOCK = 4.0
_LOST = 6.0
_LINE = 4.5
_UNEVEN = 4.0

_DELETED = 4
_SYNCS = 5
_SKIPPED = 60
_CLOSERS = 3
_BLOCKS = 4
"""Bounds: tokens left out, places to go on at, what may be skipped on the way, `}` put in, and blocks to go on in."""

# What opens a construct in which the wrong token may have been meant.
_CONTEXTS = (
    ("IF", "NAME", "OPEN"),
    ("AT", "NUMBER"),
    ("AT", "NUMBER", "LBRACE"),
    ("EXPECT", "LBRACE"),
    ("SCENARIO", "NAME", "LBRACE"),
)


class Repair(NamedTuple):
    """Go on with this stack, as if these terminals came before the token `at`."""

    stack: Node
    inserted: tuple[str, ...]
    at: int


_Candidate = tuple[float, Repair, list[int]]
"""What a repair costs, the repair, and the states of its stack."""


def find_repair(
    grammar: Grammar, tokens: Sequence[Token], pairing: Pairing, wrong: int, stacks: Sequence[Node]
) -> Repair:
    """The best way to go on at `tokens[wrong]`; `stacks` are those before it, before the token before it, and so on.

    It always leads to the end of the file: the index of the wrong token grows from one repair to the next.
    """
    return _Search(grammar, tokens, pairing, wrong, stacks).best()


class _Search:
    def __init__(
        self,
        grammar: Grammar,
        tokens: Sequence[Token],
        pairing: Pairing,
        wrong: int,
        stacks: Sequence[Node],
    ) -> None:
        self._grammar = grammar
        self._tokens = tokens
        self._pairing = pairing
        self._wrong = wrong
        self._stacks = stacks
        self._states = states_of(stacks[0])
        self._trial = Trial(grammar, tokens, pairing, wrong, wrong + _SKIPPED + AHEAD)
        self._words = starts(grammar)
        self._inside = not is_between(grammar, self._states)  # a construct is begun and not complete
        self._best: Repair | None = None
        self._score = 0.0

    def best(self) -> Repair:
        if self._tokens[self._wrong].type == REFUSED:
            self._try(self._refused())
        elif (spelt := self._spelt()) is not None:
            return spelt
        else:
            self._try(self._edits())
            self._try(self._line_less())
            self._try(self._skips())
            if self._score < MOST - _PAIR:
                self._try(self._pairs())
        if self._best is not None:
            return self._best
        if self._wrong + 1 < len(self._tokens):
            return Repair(self._stacks[0], (), self._wrong + 1)
        return next(repair for _, repair, _ in self._resumed(self._wrong, 0.0))

    def _spelt(self) -> Repair | None:
        """The wrong token, or the name before it, as the word that it is a misspelling of, if what follows fits."""
        for back, stack in enumerate(self._stacks[:2]):
            at, states = self._wrong - back, states_of(stack)
            word = misspelt(self._grammar, self._tokens[at], self._grammar.possible(states))
            if word is not None and all(self._grammar.advance(states, kind) for kind in (word, self._kind(at + 1))):
                return Repair(stack, (word,), at + 1)
        return None

    def _try(self, candidates: Iterator[_Candidate]) -> None:
        for cost, repair, states in candidates:
            if self._best is not None and MOST - cost <= self._score:
                continue
            worth = self._trial.worth(states, repair.inserted, repair.at)
            if worth is None:
                continue
            score = worth - cost - _LINE * self._joins(repair, states)
            if self._best is None or score > self._score:
                self._best, self._score = repair, score

    def _joins(self, repair: Repair, states: Sequence[int]) -> bool:
        """Whether a line that could begin a construct is read as part of the one before it."""
        if not repair.inserted or not begins_line(self._tokens, repair.at):
            return False
        onto = list(states)
        for terminal in repair.inserted:
            self._grammar.advance(onto, terminal)
        kind = self._tokens[repair.at].type
        if self._grammar.shifting_state(onto, kind) in block_states(self._grammar):
            return False
        block = resumed(self._grammar, onto, kind)
        return block is not None and len(block) < len(onto)

    def _insertable(self, states: Sequence[int]) -> list[str]:
        return [terminal for terminal in self._grammar.possible(states) if terminal != END]

    def _kind(self, index: int) -> str:
        return self._tokens[index].type if index < len(self._tokens) else END

    def _left_out(self, index: int) -> float:
        """What it costs to skip a token on the way to where the run goes on."""
        kind = self._tokens[index].type
        cost = 3.0 if kind in BRACES else 2.0 if kind in self._words else 1.0
        lines = begins_line(self._tokens, index) and (index > self._wrong or self._inside)
        return cost + _LINE * lines

    def _uneven(self, inserted: Sequence[str], removed: str = "") -> float:
        kinds = [
            opener
            for opener, closer in OPENERS.items()
            if inserted.count(opener) - (removed == opener) != inserted.count(closer) - (removed == closer)
        ]
        return _UNEVEN * bool(self._pairing.even.intersection(kinds))

    def _edits(self) -> Iterator[_Candidate]:
        """One token more, fewer or other, or two in the other order, here or a little before."""
        tokens = self._tokens
        for back, stack in enumerate(self._stacks):
            at, cost = self._wrong - back, _BACK * back
            token, here = tokens[at], tokens[at].type
            states = states_of(stack) if back else self._states
            possible = self._insertable(states)
            for terminal in possible:
                yield cost + _INSERTED + self._uneven((terminal,)), Repair(stack, (terminal,), at), states
            if here == END:
                continue
            begun = begins_line(tokens, at) and (back > 0 or self._inside)
            behind = tokens[at + 1].type
            if behind not in (END, here):
                lost = (begun and not back) or self._loses_line(at)
                yield cost + _SWAPPED + _LINE * lost, Repair(stack, (behind, here), at + 2), states
            first = begun or (here in self._words and begins_line(tokens, at))
            if "NAME" in possible and is_word(token):
                yield cost + _WORD_AS_NAME + _LINE * first, Repair(stack, ("NAME",), at + 1), states
            cost += 2.0 * (here in self._words or here in BRACES) + _LINE * first
            yield cost + _LEFT_OUT + self._uneven((), here), Repair(stack, (), at + 1), states
            for terminal in possible:
                if terminal != here:
                    uneven = self._uneven((terminal,), here)
                    yield cost + _REPLACED + uneven, Repair(stack, (terminal,), at + 1), states
        for context in _CONTEXTS:
            yield _CONTEXT, Repair(self._stacks[0], context, self._wrong), self._states

    def _loses_line(self, at: int) -> bool:
        """Whether the token behind `at` begins a line, which would be none if the two changed places."""
        if not begins_line(self._tokens, at + 1):
            return False
        behind = self._tokens[at + 1]
        return (
            not begins(self._grammar, self._tokens[at].type, self._kind(at + 2))
            or misspelt(self._grammar, behind, self._words) is not None
        )

    def _line_less(self) -> Iterator[_Candidate]:
        """All of a line that cannot stand here, with the blocks that begin in it; unless a `}` is missing before it."""
        if self._inside or not begins_line(self._tokens, self._wrong) or "LBRACE" not in self._pairing.even:
            return
        index = self._wrong
        while index < len(self._tokens):
            index = self._pairing.blocks.get(index, index) + 1
            if index < len(self._tokens) and begins_line(self._tokens, index):
                yield _LINE_LESS, Repair(self._stacks[0], (), index), self._states
                return

    def _skips(self) -> Iterator[_Candidate]:
        """A few tokens fewer, or what follows up to where a construct may begin."""
        last = len(self._tokens) - 1
        cost = 1.0
        for index in range(self._wrong, min(self._wrong + _DELETED, last)):
            cost += self._left_out(index)
            yield cost, Repair(self._stacks[0], (), index + 1), self._states
        for jumps in (False, True):
            found, cost = 0, _RESUMED
            index = self._behind_loop() if jumps else self._wrong
            while found < _SYNCS and cost < _SKIPPED and index <= last:
                first = begins_line(self._tokens, index)
                if first or begins_at(self._grammar, self._tokens, index):
                    yield from self._resumed(index, cost + _MID_LINE * (index == self._wrong and not first))
                    found += 1
                if jumps and index in self._pairing.blocks:
                    index, cost = self._pairing.blocks[index], cost + _JUMPED
                else:
                    cost += self._left_out(index)
                index += 1

    def _behind_loop(self) -> int:
        """The wrong token; if it is the `for` of a loop on its line, the token behind the loop."""
        if self._tokens[self._wrong].type != "FOR":
            return self._wrong
        for index in range(self._wrong + 1, min(self._wrong + AHEAD, len(self._tokens))):
            if self._tokens[index].type == "LBRACE":
                return self._pairing.blocks.get(index, self._wrong - 1) + 1
            if self._tokens[index].type in self._words or begins_line(self._tokens, index):
                break
        return self._wrong

    def _pairs(self) -> Iterator[_Candidate]:
        """Two tokens more."""
        kind = self._tokens[self._wrong].type
        for first in self._insertable(self._states):
            states = list(self._states)
            self._grammar.advance(states, first)
            for second in self._insertable(states):
                trial = list(states)
                if self._grammar.advance(trial, second) and self._grammar.advance(trial, kind):
                    pair = (first, second)
                    yield _PAIR + self._uneven(pair), Repair(self._stacks[0], pair, self._wrong), self._states

    def _refused(self) -> Iterator[_Candidate]:
        for terminals in ((), ("NAME",), ("STRING",), ("NUMBER",)):
            yield 0.5 * len(terminals), Repair(self._stacks[0], terminals, self._wrong + 1), self._states

    def _resumed(self, index: int, cost: float) -> Iterator[_Candidate]:
        """Drop what is begun down to the innermost blocks that the token at `index` can go on in, closed or not."""
        kind, blocks = self._tokens[index].type, block_states(self._grammar)
        node: Node | None = self._stacks[0]
        states = list(self._states)
        found = closed = dropped = 0  # `}` that are dropped, less `{`: all, and those of blocks that are left closed
        passed: Node | None = None
        while node is not None and found < _BLOCKS:
            if node[0] in blocks:
                complete = passed is not None and (isinstance(passed[1], Spliced) or not self._inside)
                cost += _LOST * complete
                passed = node
            inserted = resumption(self._grammar, states, kind, _CLOSERS)
            if inserted is not None:
                count = inserted.count("RBRACE")
                uneven = count != dropped and "LBRACE" in self._pairing.even
                more = count + _FILLED * (len(inserted) > count) + _UNEVEN * uneven
                yield cost + more, Repair(node, inserted, index), list(states)
                found += 1
            brace = node[1].type if isinstance(node[1], Token) and node[1].type in BRACES else None
            cost += _LOST_BLOCK if brace == "LBRACE" and not closed else _POPPED
            if brace is not None:
                step = 1 if brace == "RBRACE" else -1
                dropped, closed, passed = dropped + step, max(closed + step, 0), None
            node = node[3]
            states.pop()
