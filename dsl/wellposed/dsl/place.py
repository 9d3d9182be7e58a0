"""The wrong token, what stands around it, and what could have stood there instead."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from lark import Token

from wellposed.dsl.brackets import Brackets
from wellposed.dsl.constructs import is_between
from wellposed.dsl.findings import Finding, Label, Severity, Span
from wellposed.dsl.grammar import END, Grammar
from wellposed.dsl.lexing import REFUSED, span_between
from wellposed.dsl.source import SourceFile
from wellposed.dsl.wording import either, expected_words, rule_beginning

# What begins a block, before its `{`.
_HEADS = frozenset(
    {
        *("SCENARIO", "FAMILY", "RULES", "SKIN", "CONVERSATION", "AT", "WHEN", "EXPECT", "STUB", "FOR", "ANY", "OR"),
        "WITH",
    }
)

_LONGEST_HEAD = 40
"""How many tokens are looked at before the `{` of a block."""


class WrongToken:
    """The wrong token `tokens[wrong]`, what stands around it, and what could have stood there.

    `stacks` are the states before the wrong token, before the one before it, and so on, as far as they are known.
    `possible` has the terminals that could have stood here, with the rule of `wording.RULES` that each would begin.
    """

    def __init__(
        self,
        grammar: Grammar,
        source: SourceFile,
        tokens: Sequence[Token],
        wrong: int,
        stacks: Sequence[Sequence[int]],
        brackets: Brackets,
    ) -> None:
        self.grammar = grammar
        self.source = source
        self.tokens = tokens
        self.wrong = wrong
        self.stacks = stacks
        self.brackets = brackets
        self.token = tokens[wrong]
        self.before = tokens[wrong - 1] if wrong else None
        self.possible = {
            terminal: rule_beginning(grammar, state, terminal)
            for terminal in grammar.possible(stacks[0])
            if (state := grammar.shifting_state(stacks[0], terminal)) is not None
        }
        self.rules = frozenset(rule for rule in self.possible.values() if rule is not None)

    @property
    def same_line(self) -> bool:
        """Whether the wrong token follows another one on its line."""
        return self.before is not None and self.before.line == self.token.line and self.token.type != END

    @property
    def between_constructs(self) -> bool:
        """Whether what stands before is complete, so that a construct or the end of its block was due."""
        return is_between(self.grammar, self.stacks[0])

    def fits(self, *terminals: str, stack: Sequence[int] | None = None) -> bool:
        """Whether these terminals could all follow, here or on another stack."""
        trial = list(self.stacks[0] if stack is None else stack)
        return all(self.grammar.advance(trial, terminal) for terminal in terminals)

    def following(self, count: int) -> list[str]:
        """The types of up to `count` tokens from the wrong one on, without those that are refused."""
        ahead = self.tokens[self.wrong + 1 : self.wrong + count]
        return [self.token.type, *(token.type for token in ahead if token.type != REFUSED)]

    def on_line(self, count: int) -> list[str]:
        """As `following`, but only those on the line of the wrong token."""
        ahead = self.tokens[self.wrong : self.wrong + count]
        return [token.type for token in ahead if token.line == self.token.line and token.type not in (REFUSED, END)]

    def head_of(self, opener: Token) -> str:
        """What is written before the `{` of a block, from the word that begins it."""
        index = bisect_left(self.tokens, opener.start_pos or 0, key=lambda token: token.start_pos or 0)
        for first in range(index - 1, max(index - _LONGEST_HEAD, -1), -1):
            if self.tokens[first].type in _HEADS:
                return self.source.text[self.tokens[first].start_pos or 0 : self.tokens[index - 1].end_pos or 0]
        return str(opener)

    def span(self, token: Token) -> Span:
        """The span of a token; of one of several lines, a string, that of its opening quotes."""
        if token.line != token.end_line:
            return self.source.span(token.start_pos or 0, (token.start_pos or 0) + 3)
        return span_between(token, token, self.source.path)

    def end_of(self, token: Token) -> Span:
        """The empty span right behind a token."""
        return self.source.span(token.end_pos or 0, token.end_pos or 0)

    def error(
        self,
        code: str,
        message: str,
        at: Span | None = None,
        label: tuple[Token, str] | None = None,
        help: str | None = None,
    ) -> Finding:
        """A finding at the wrong token, or `at` another place, with a label at a second token."""
        labels = () if label is None else (Label(self.span(label[0]), label[1]),)
        return Finding(code, Severity.ERROR, message, at or self.span(self.token), labels, help=help)

    def is_word(self) -> bool:
        """Whether the wrong token is a word of the language."""
        return is_word(self.token)

    @property
    def expected(self) -> str:
        """What could have stood here, in the author's words."""
        return either(expected_words(self.grammar, self.possible.items(), brief=not self.same_line))

    def one_before(self) -> WrongToken | None:
        """The token before this one, as if it were the wrong one; None where it was not read as it stands."""
        if len(self.stacks) < 2:
            return None
        return WrongToken(self.grammar, self.source, self.tokens, self.wrong - 1, self.stacks[1:], self.brackets)


def is_word(token: Token) -> bool:
    """Whether a token is a word of the language."""
    return str(token)[:1].isalpha() and token.type not in ("NAME", "DOTTED", "REFUSED")
