"""The token pass: what is no token of the language, what this version does not know, and what is nested too deeply.

Everything that later steps might recurse on is bounded here, before they see it.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token

from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.dsl.grammar import END
from wellposed.dsl.source import SourceFile, describe_character, is_invisible

MAX_BRACKETS = 32
MAX_OPERATORS = 64
MAX_IFS = 8
MAX_LOOPS = 4

REFUSED = "REFUSED"
"""The type of a token about which the token pass has reported already; nothing follows it."""

OPENERS = {"LBRACE": "RBRACE", "LPAR": "RPAR", "LSQB": "RSQB"}
CLOSERS = {"RBRACE": "LBRACE", "RPAR": "LPAR", "RSQB": "LSQB"}

_NAME_HELP = "names are made of the letters a to z and A to Z, digits, `_` and single hyphens, and start with a letter"
_QUOTES = "'‘’‚‛“”„‟«»‹›"


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


def checked_tokens(stream: Iterator[Token], source: SourceFile, findings: list[Finding]) -> Iterator[Token]:
    """The tokens of a file up to `$END`, or up to a REFUSED one, which comes with its finding.

    That is one of WP110, WP111 and WP115 to WP118.
    """
    limits = _Limits(source)
    for token in stream:
        kind = token.type
        if kind in _PROBLEMS:
            found = _PROBLEMS[kind](token, stream, source)
            if found is not None:
                findings += found
                yield token.update(type=REFUSED)
                return
        exceeded = limits.exceeded(token)
        if exceeded is not None:
            findings.append(exceeded)
            yield token.update(type=REFUSED)
            return
        yield token
    line, column = source.position(len(source.text))
    yield Token(END, "", len(source.text), line, column, line, column, len(source.text))


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

    def exceeded(self, token: Token) -> Finding | None:
        """The finding for the limit that this token exceeds, if it does."""
        kind, before = token.type, self._before
        self._before = kind
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
            return self._loop(token)
        return self._if(token, before) if kind in ("IF", "THEN", "ELSE") else None

    def _loop(self, token: Token) -> Finding | None:
        # The next `{` behind `for` is that of the loop.
        self._loops += token.type == "LBRACE" and self._loop_begun
        self._loop_begun = token.type == "FOR"
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

_Problem = list[Finding] | None


def _stray(token: Token, stream: Iterator[Token], source: SourceFile) -> _Problem:
    start, end = token.start_pos or 0, token.end_pos or 0
    for following in stream:  # one finding for a run of them
        if following.type != "STRAY" or following.start_pos != end:
            break
        end = following.end_pos or 0
    if all(map(is_invisible, source.text[start:end])):
        return []  # reported as WP106
    character = source.text[start]
    if _in_word(character):
        while start > 0 and _in_word(source.text[start - 1]):
            start -= 1
        while end < len(source.text) and _in_word(source.text[end]):
            end += 1
    written = source.text[start:end]
    shown = f"`{written}`" if len(written) <= 40 else f"`{written[:39]}…`"
    if character.isspace():
        message, help_text = f"{describe_character(character)} cannot stand here", "write an ordinary space"
    elif _in_word(character):
        message, help_text = f"{shown} is neither a name nor a number", _NAME_HELP
    elif character in _QUOTES:
        message, help_text = f"`{character}` does not begin a string", 'strings stand in straight double quotes: "…"'
    elif character == ";":
        message, help_text = "`;` has no meaning in this language", "nothing separates statements: each ends by itself"
    elif character == "/":
        message, help_text = "`/` has no meaning in this language", "a comment begins with `#`"
    else:
        message, help_text = f"{shown} has no meaning in this language", None
    return [Finding("WP110", Severity.ERROR, message, source.span(start, end), help=help_text)]


def _in_word(character: str) -> bool:
    return character.isalnum() or character in "_-"


def _open_string(token: Token, stream: Iterator[Token], source: SourceFile) -> _Problem:
    help_text = 'close it with `"` on the line it begins; a line break inside is written \\n, a quote \\"'
    place = span_between(token, token, source.path)
    return [Finding("WP111", Severity.ERROR, "this string is not closed on its line", place, help=help_text)]


def _long_string(token: Token, stream: Iterator[Token], source: SourceFile) -> _Problem:
    if len(token) >= 6 and token.endswith('"""'):
        return None
    start = token.start_pos or 0
    help_text = 'close it with `"""` on a line of its own'
    place = source.span(start, start + 3)
    return [Finding("WP111", Severity.ERROR, "this string is never closed", place, help=help_text)]


def _backquoted(token: Token, stream: Iterator[Token], source: SourceFile) -> _Problem:
    if len(token) > 1 and token.endswith("`"):
        return None
    place = span_between(token, token, source.path)
    help_text = "close it with a backquote on its line"
    return [Finding("WP110", Severity.ERROR, "this name in backquotes is not closed", place, help=help_text)]


_PROBLEMS = {"STRAY": _stray, "OPEN_STRING": _open_string, "LONG_STRING": _long_string, "BACKQUOTED": _backquoted}
