"""Which brackets belong together, and to which one a missing closing one belongs: the one use made of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lark import Token

from wellposed.dsl.grammar import END
from wellposed.dsl.lexing import CLOSERS, OPENERS


@dataclass(frozen=True, slots=True)
class Pairing:
    """The brackets of a file as they stand.

    `blocks` leads from the index of each `{` that is closed to that of its `}`; `even` has the opening brackets of which
    there are as many as of closing ones.
    """

    blocks: Mapping[int, int]
    even: frozenset[str]


def pairing_of(tokens: Sequence[Token]) -> Pairing:
    """The brackets of all tokens of a file."""
    blocks: dict[int, int] = {}
    still_open: list[int] = []
    surplus = dict.fromkeys(OPENERS, 0)
    for index, token in enumerate(tokens):
        if token.type in OPENERS:
            surplus[token.type] += 1
        elif token.type in CLOSERS:
            surplus[CLOSERS[token.type]] -= 1
        if token.type == "LBRACE":
            still_open.append(index)
        elif token.type == "RBRACE" and still_open:
            blocks[still_open.pop()] = index
    return Pairing(blocks, frozenset(opener for opener, more in surplus.items() if not more))


class Brackets:
    """The brackets that are open along the tokens of a file, each with the indentation of the line that it is on."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._next = 0
        self._line, self._indentation = 0, 0
        self._open: list[_Bracket] = []
        self._misplaced: _Bracket | None = None

    def follow(self, end: int) -> None:
        """Go on to the token `end`, which is not looked at itself."""
        for index in range(self._next, end):
            token = self._tokens[index]
            begins_line = self._read_line(token)
            if token.type in OPENERS:
                self._open.append(_Bracket(token, index, self._indentation))
            elif token.type in CLOSERS and self._open:
                bracket = self._open.pop()
                if not self._open:
                    self._misplaced = None  # everything is closed: it was layout only
                elif begins_line and self._indentation < bracket.indentation and bracket.token.type == "LBRACE":
                    self._misplaced = self._misplaced or bracket
        self._next = max(self._next, end)

    def resume(self, brackets: Iterable[Token], at: int) -> None:
        """Go on at a token with these brackets open, whatever stands before it."""
        known = {id(bracket.token): bracket for bracket in self._open}
        self._open = [known.get(id(token), _Bracket(token, at, 0)) for token in brackets]
        self._misplaced = None
        for index in range(self._next, at):
            self._read_line(self._tokens[index])
        self._next = at

    def _read_line(self, token: Token) -> bool:
        if token.line == self._line:
            return False
        self._line, self._indentation = token.line or 1, token.column or 1
        return True

    @property
    def open(self) -> list[Token]:
        """The brackets that are open, outermost first."""
        return [bracket.token for bracket in self._open]

    @property
    def innermost(self) -> Token | None:
        """The innermost bracket that is open."""
        return self._open[-1].token if self._open else None

    def never_closed(self, at: int) -> tuple[Token, Token] | None:
        """The open `{` to blame when a `}` is missed at the token `at`, and the token before which it was forgotten.

        A `}` that stands first on its line and left of the line that its `{` begins was meant for a block further out,
        so that `{` is to blame. Else it is the innermost one that is indented no less than `at`, else the innermost.
        Its block ended before the first line that is not indented more than the line of the `{`.
        """
        if not self._open:
            return None
        blamed = self._misplaced or self._open[-1]
        token, before = self._tokens[at], self._tokens[at - 1]
        if self._misplaced is None and token.type != END and token.line != before.line:
            column = token.column or 1
            blamed = next((one for one in reversed(self._open) if one.indentation >= column), blamed)
        line = blamed.token.line
        for index in range(blamed.index + 1, at):
            token = self._tokens[index]
            if token.line != line and (token.column or 1) <= blamed.indentation:
                return blamed.token, token
            line = token.line
        return blamed.token, self._tokens[at]


@dataclass(frozen=True, slots=True)
class _Bracket:
    token: Token
    index: int
    indentation: int
