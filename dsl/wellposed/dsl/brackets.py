"""Which bracket a missing closing one belongs to: the one use that is made of layout."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from wellposed.dsl.lexing import CLOSERS, OPENERS


def open_brackets(tokens: Sequence[Token]) -> list[Token]:
    """The brackets that are still open behind the tokens, outermost first."""
    return [bracket for bracket, _ in _open(tokens)[0]]


def never_closed(tokens: Sequence[Token], at: Token | None) -> Token | None:
    """The open `{` to blame when a `}` is missing before `at`, or at the end of the file (None).

    A `}` that stands first on its line and left of the line that its `{` begins was meant for a block further out, so
    that `{` is to blame. Else it is the innermost one that is indented no less than `at`, else the innermost.
    """
    still_open, misplaced = _open(tokens)
    if not still_open:
        return None
    if misplaced is not None:
        return misplaced
    if at is not None and tokens and at.line != tokens[-1].line:
        for bracket, indentation in reversed(still_open):
            if indentation >= (at.column or 1):
                return bracket
    return still_open[-1][0]


def _open(tokens: Sequence[Token]) -> tuple[list[tuple[Token, int]], Token | None]:
    stack: list[tuple[Token, int]] = []
    misplaced = None
    line, indentation = 0, 0
    for token in tokens:
        begins_line = token.line != line
        if begins_line:
            line, indentation = token.line or 1, token.column or 1
        if token.type in OPENERS:
            stack.append((token, indentation))
        elif token.type in CLOSERS and stack:
            opener, opener_indentation = stack.pop()
            if begins_line and indentation < opener_indentation and misplaced is None and opener.type == "LBRACE":
                misplaced = opener
    return stack, misplaced
