"""Which bracket a missing closing one belongs to: the one use that is made of layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lark import Token

from wellposed.dsl.lexing import CLOSERS, OPENERS


class Brackets:
    """The brackets that are open along the tokens of a file, each with the indentation of the line that it is on."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._next = 0
        self._line, self._indentation = 0, 0
        self._open: list[tuple[Token, int]] = []
        self._misplaced: Token | None = None

    def follow(self, end: int) -> None:
        """Go on to the token `end`, which is not looked at itself."""
        for token in self._tokens[self._next : end]:
            begins_line = self._read_line(token)
            if token.type in OPENERS:
                self._open.append((token, self._indentation))
            elif token.type in CLOSERS and self._open:
                opener, indentation = self._open.pop()
                if not self._open:
                    self._misplaced = None  # everything is closed: it was layout only
                elif begins_line and self._indentation < indentation and opener.type == "LBRACE":
                    self._misplaced = self._misplaced or opener
        self._next = max(self._next, end)

    def resume(self, brackets: Iterable[Token], at: int) -> None:
        """Go on at a token with these brackets open, whatever stands before it."""
        known = {id(bracket): indentation for bracket, indentation in self._open}
        self._open = [(bracket, known.get(id(bracket), 0)) for bracket in brackets]
        self._misplaced = None
        for token in self._tokens[self._next : at]:
            self._read_line(token)
        self._next = at

    def _read_line(self, token: Token) -> bool:
        if token.line == self._line:
            return False
        self._line, self._indentation = token.line or 1, token.column or 1
        return True

    @property
    def open(self) -> list[Token]:
        """The brackets that are open, outermost first."""
        return [bracket for bracket, _ in self._open]

    @property
    def innermost(self) -> Token | None:
        """The innermost bracket that is open."""
        return self._open[-1][0] if self._open else None

    def never_closed(self, at: Token | None, before: Token | None) -> Token | None:
        """The open `{` to blame when a `}` is missing before `at`, or at the end of the file (None).

        A `}` that stands first on its line and left of the line that its `{` begins was meant for a block further out,
        so that `{` is to blame. Else it is the innermost one that is indented no less than `at`, else the innermost.
        """
        if not self._open:
            return None
        if self._misplaced is not None:
            return self._misplaced
        if at is not None and before is not None and at.line != before.line:
            for bracket, indentation in reversed(self._open):
                if indentation >= (at.column or 1):
                    return bracket
        return self._open[-1][0]
