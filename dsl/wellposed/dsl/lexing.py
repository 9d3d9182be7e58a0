"""The token pass: what is no token of the language, and what is nested too deeply.

Everything that later steps might recurse on is bounded here, before they see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import Token

from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.dsl.grammar import END
from wellposed.dsl.literals import wrong_number
from wellposed.dsl.source import SourceFile, describe_character, is_invisible
from wellposed.dsl.vocabulary import MAX_IFS
from wellposed.dsl.wording import quoted

MAX_BRACKETS = 32
MAX_OPERATORS = 64
MAX_LOOPS = 4

REFUSED = "REFUSED"
"""The type of a token about which the token pass has reported already: it may stand for anything or nothing."""

OPENERS = {"LBRACE": "RBRACE", "LPAR": "RPAR", "LSQB": "RSQB"}
CLOSERS = {"RBRACE": "LBRACE", "RPAR": "LPAR", "RSQB": "LSQB"}

_NAME_HELP = "names are made of the letters a to z and A to Z, digits, `_` and single hyphens, and start with a letter"
_QUOTES = "'‘’‚‛“”„‟«»‹›"
_CLOSED = re.compile(r'"""[^"\\]*(?:(?:\\(?s:.)|"(?!""))[^"\\]*)*"""')
_ALL_QUOTES = re.compile(f'[{_QUOTES}"]')


def span_between(first: Token, last: Token, path: str) -> Span:
    """The span from the start of one token to the end of another."""
    return Span(
        path,
        first.start_pos or 0,
        last.end_pos or 0,
        first.line or 1,
        first.column or 1,
        last.end_line or 1,
        last.end_column or 1,
    )


def checked_tokens(stream: Iterator[Token], source: SourceFile, findings: list[Finding]) -> tuple[list[Token], bool]:
    """The tokens of a file with `$END` behind them, and whether these are all.

    Where a limit is exceeded they end: the rest is not looked at. What is no token is REFUSED; signs, quotation marks
    and letters that belong to one mistake are one such token. Findings are of WP110, WP111 and WP113 to WP118.
    """
    limits = _Limits(source)
    tokens: list[Token] = []
    complete, done = True, 0
    for token in stream:
        if (token.start_pos or 0) < done:
            continue  # a part of what is refused
        if token.type in _PROBLEMS and (problem := _PROBLEMS[token.type](token, source)) is not None:
            start, done, finding = problem
            while tokens and (tokens[-1].start_pos or 0) >= start:
                tokens.pop()
            tokens.append(_token(REFUSED, source, start, done))
            if finding is not None:
                findings.append(finding)
            continue
        if token.type == "NUMBER" and (wrong := wrong_number(token, source)) is not None:
            findings.append(wrong)
        exceeded = limits.exceeded(token)
        if exceeded is not None:
            findings.append(exceeded)
            complete = False
            break
        tokens.append(token)
    end = len(source.text) if complete or not tokens else tokens[-1].end_pos or 0
    tokens.append(_token(END, source, end, end))
    return tokens, complete


def _token(kind: str, source: SourceFile, start: int, end: int) -> Token:
    place = source.span(start, end)
    written = source.text[start:end]
    return Token(kind, written, start, place.line, place.column, place.end_line, place.end_column, end)


class _Limits:
    """Counts brackets, operators, `if`s and loops along the tokens."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._before = ""
        self._operators = 0
        self._ifs: list[str] = []
        self._brackets: list[tuple[int, int]] = []
        self._loops = 0
        self._loop_begun = False
        self._forged = False

    def exceeded(self, token: Token) -> Finding | None:
        """The finding for the limit that this token exceeds, if it does."""
        kind, before = token.type, self._before
        self._before = kind
        # `forge approval "f" for …` has a `for` that begins no loop.
        forged, self._forged = self._forged, before in ("APPROVAL", "REJECTION") and kind in ("STRING", "LONG_STRING")
        if kind in OPENERS:
            self._brackets.append((len(self._ifs), self._loops))
            if len(self._brackets) > MAX_BRACKETS:
                return self._finding("WP115", f"brackets are nested more than {MAX_BRACKETS} deep here", token)
        elif kind in CLOSERS and self._brackets:
            ifs, self._loops = self._brackets.pop()
            del self._ifs[ifs:]
        if kind in _EXPRESSION:
            return self._operator(token, before)
        self._operators = 0
        if kind == "LBRACE" or kind == "FOR":
            return self._loop(token, forged)
        return self._if(token, before) if kind in ("IF", "THEN", "ELSE") else None

    def _loop(self, token: Token, forged: bool) -> Finding | None:
        # The next `{` behind `for` is that of the loop.
        self._loops += token.type == "LBRACE" and self._loop_begun
        self._loop_begun = token.type == "FOR" and not forged
        if self._loop_begun and self._loops >= MAX_LOOPS:
            return self._finding("WP118", f"`for` is nested more than {MAX_LOOPS} deep here", token)
        return None

    def _operator(self, token: Token, before: str) -> Finding | None:
        if token.type in _OPERATORS:
            self._operators += 1
            if self._operators > MAX_OPERATORS:
                message = f"an expression has at most {MAX_OPERATORS} operators"
                return self._finding("WP116", message, token)
        elif before in _OPERAND_ENDS and token.type not in _CONTINUING:
            self._operators = 0  # two operands in a row: the second begins something else
        return None

    def _if(self, token: Token, before: str) -> Finding | None:
        # An `if` is in its condition, its `then` or its `else` part; with a token that cannot continue the innermost,
        # that one is complete.
        base = self._brackets[-1][0] if self._brackets else 0
        if token.type == "IF":
            if before not in ("IF", "THEN", "ELSE"):
                del self._ifs[base:]
            self._ifs.append("IF")
            if len(self._ifs) > MAX_IFS:
                return self._finding("WP117", f"`if` is nested more than {MAX_IFS} deep here", token)
            return None
        while len(self._ifs) > base and self._ifs[-1] == "ELSE":
            self._ifs.pop()
        if len(self._ifs) > base:
            self._ifs[-1] = token.type
        return None

    def _finding(self, code: str, message: str, token: Token) -> Finding:
        return Finding(code, Severity.ERROR, message, span_between(token, token, self._source.path))


_OPERATORS = frozenset({"PLUS", "MINUS", "STAR"})
_OPERAND_ENDS = frozenset({"NAME", "BACKQUOTED", "NUMBER", "RPAR", "RSQB"})
# The operators of an index count with those around it.
_CONTINUING = frozenset({"RPAR", "LSQB", "RSQB"})
_EXPRESSION = _OPERATORS | _OPERAND_ENDS | {"LPAR", "LSQB"}

_Problem = tuple[int, int, Finding | None]
"""What is refused, from where to where, and the finding, unless there is one already."""


def _stray(token: Token, source: SourceFile) -> _Problem:
    text = source.text
    start, end = token.start_pos or 0, token.end_pos or 0
    character = text[start]
    shown = len(token)
    message, help_text = f"{_visible(token)} has no meaning in this language", None
    if _in_word(character):
        end = start + 1
        while start > 0 and _in_word(text[start - 1]):
            start -= 1
        while end < len(text) and _in_word(text[end]):
            end += 1
        message, help_text = f"{_visible(text[start:end])} is neither a name nor a number", _NAME_HELP
        shown = end - start
        if any(map(is_invisible, text[start:end])) and all(map(_plain_or_invisible, text[start:end])):
            return start, end, None  # reported as WP106
    elif character.isspace():
        message, help_text = f"{describe_character(character)} cannot stand here", "write an ordinary space"
    elif character in _QUOTES:
        closing = _ALL_QUOTES.search(text, end, _end_of_line(text, end))
        end = closing.end() if closing is not None else _end_of_line(text, end)
        message = f"`{character}` does not begin a string"
        help_text = 'strings stand in straight double quotes: "…"'
    elif character == ";":
        message, help_text = "`;` has no meaning in this language", "nothing separates statements: each ends by itself"
    elif character == "/":
        message, help_text = "`/` has no meaning in this language", "a comment begins with `#`"
        if text[start : start + 2] in ("//", "/*"):
            end = _end_of_line(text, end)
    place = source.span(start, start + shown)
    return start, end, Finding("WP110", Severity.ERROR, message, place, help=help_text)


def _visible(written: str) -> str:
    return quoted("".join(character for character in written if not is_invisible(character)))


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    return end - (text[end - 1] == "\r" and end > start)


def _in_word(character: str) -> bool:
    return character.isalnum() or character in "_-" or is_invisible(character)


def _plain_or_invisible(character: str) -> bool:
    return (character.isascii() and character.isalnum()) or character in "_-" or is_invisible(character)


def _open_string(token: Token, source: SourceFile) -> _Problem:
    help_text = 'close it with `"` on the line it begins; a line break inside is written \\n, a quote \\"'
    return _unclosed(token, source, "this string is not closed on its line", help_text, len(token))


def _long_string(token: Token, source: SourceFile) -> _Problem | None:
    if _CLOSED.fullmatch(token):
        return None
    return _unclosed(token, source, "this string is never closed", 'close it with `"""` on a line of its own', 3)


def _backquoted(token: Token, source: SourceFile) -> _Problem | None:
    if len(token) > 1 and token.endswith("`"):
        return None
    message = "this name in backquotes is not closed"
    return _unclosed(token, source, message, "close it with a backquote on its line", len(token), "WP110")


def _unclosed(
    token: Token, source: SourceFile, message: str, help_text: str, shown: int, code: str = "WP111"
) -> _Problem:
    start, end = token.start_pos or 0, token.end_pos or 0
    place = source.span(start, start + shown)
    return start, end, Finding(code, Severity.ERROR, message, place, help=help_text)


_PROBLEMS = {"STRAY": _stray, "OPEN_STRING": _open_string, "LONG_STRING": _long_string, "BACKQUOTED": _backquoted}
