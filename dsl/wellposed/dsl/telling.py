"""Which wrong tokens are errors of their own, and which only what an earlier one has left behind."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from lark import Token

from wellposed.dsl.constructs import begins_line, block_states, is_between, misspelt
from wellposed.dsl.grammar import END, Grammar
from wellposed.dsl.lexing import REFUSED
from wellposed.dsl.stack import Node, Virtual, construct_begun, states_of

_QUIET = 3
"""How many tokens must have been read behind an error before the next one is an error of its own."""


class Telling:
    """What is known about the errors of a file while it is read."""

    def __init__(self, grammar: Grammar, tokens: Sequence[Token], complete: bool, noted: Sequence[int]) -> None:
        """`noted` are the places of what is told about tokens; `complete` says whether the tokens are all of a file."""
        self._grammar = grammar
        self._tokens = tokens
        self._complete = complete
        self._noted = noted
        self._at = self._resumed = -_QUIET
        self._guessed: list[Token] = []

    def repaired(self, at: int, resumed: int, made_up: Sequence[Virtual]) -> None:
        """The run goes on at a token, with some made up before it; up to `resumed` not all stand as they are read."""
        self._at, self._resumed = at, resumed
        if len(made_up) > 1 or self._tokens[at].type == "FOR":  # of a block that is made up, not only its `{`
            self._guessed += [token for token in made_up if token.type == "LBRACE"]

    def is_new(self, wrong: int, stack: Node, innermost: Token | None) -> bool:
        """Whether the token that cannot follow on a stack is an error that is not told yet.

        It is if some tokens have been read behind the last repair, or if the construct that it is in begins there. A
        construct that begins a line is none of the damage, even if the line was read as something else at first.
        """
        token, states = self._tokens[wrong], states_of(stack)
        if token.type == REFUSED or (token.type == END and not self._complete):
            return False
        begun = construct_begun(stack)
        if self._is_noted(wrong, begun or token) or self._ends_guess(states, token.type, innermost):
            return False
        if wrong - self._resumed >= _QUIET:
            return True
        if is_between(self._grammar, states):
            if token.type == "RBRACE" and states[-1] in block_states(self._grammar):
                return self._tokens[wrong - 1].type == "LBRACE"  # else something is left out of a block, not missing
            possible = self._grammar.possible(states)
            if begins_line(self._tokens, wrong) or misspelt(self._grammar, token, possible) is not None:
                return wrong >= self._at
        if begun is None or isinstance(begun, Virtual):
            return False
        first = self._index(begun)
        return first >= self._at

    def _is_noted(self, wrong: int, first: Token) -> bool:
        """Whether there is a finding about a token right before the wrong one, in the same construct."""
        since = max(self._tokens[max(wrong - 2, 0)].start_pos or 0, first.start_pos or 0)
        noted = bisect_left(self._noted, since)
        return noted < len(self._noted) and self._noted[noted] < (self._tokens[wrong].end_pos or 0)

    def _ends_guess(self, states: list[int], kind: str, innermost: Token | None) -> bool:
        """Whether the token comes behind a block of which nothing is written."""
        if not any(innermost is brace for brace in self._guessed):
            return False
        trial = list(states)
        return all(self._grammar.advance(trial, terminal) for terminal in ("RBRACE", kind))

    def _index(self, token: Token) -> int:
        return bisect_left(self._tokens, token.start_pos or 0, key=lambda one: one.start_pos or 0)
