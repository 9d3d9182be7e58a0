"""Scalars: quoted, plain and literal texts, exactly as every reader of YAML takes them."""

from __future__ import annotations

import re
from typing import NoReturn

from wellposed.compiler.plain_yaml.lines import FEATURE, FLOW, FORM, LITERAL, QUOTE_IT, TYPED, Line, Lines
from wellposed.compiler.plain_yaml.nodes import Members, Node, Text, Texts

FEATURES = {
    "&": "an anchor",
    "*": "an alias",
    "!": "a tag",
    ">": "a folded text",
    "?": "a key of its own line",
}
"""What a character means at the beginning of a value that this part of YAML does not have."""
WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<"))
"""Words, in any case, that are no texts to some readers."""
_ESCAPE = re.compile(r'\\(?:["\\/nt]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.?)')
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "n": "\n", "t": "\t"}
_QUOTED = {'"': re.compile(r'"((?:[^"\\]|\\.)*)"'), "'": re.compile(r"'((?:[^']|'')*)'")}
_NUMBER_LIKE = re.compile(r"[-+]?\.?[0-9]|[-+]?\.(?:inf|nan)$", re.IGNORECASE | re.ASCII)


class Scalars(Lines):
    """Reads one scalar at a time."""

    def scalar(self, line: Line, column: int, indent: int) -> Node:
        """The value that begins in this column; leaves the reader at the line behind it."""
        first = line.text[column]
        if first == "|":
            return self._literal(line, column, indent)
        if first in "\"'":
            value, end = self._quoted(line, column, first)
            if not re.fullmatch(r" *| +#.*", line.text[end:]):
                self.refuse(
                    FORM, line.start + end, line.start + len(line.text), "something stands behind the closing quote"
                )
            self.at += 1
            return Text(value, self.span(line, column, end))
        text = self._before_comment(line, column)
        end = column + len(text)
        if text in ("[]", "{}"):
            self.at += 1
            span = self.span(line, column, end)
            return Texts((), span) if text == "[]" else Members({}, span)
        self._plain(line, column, text)
        self.at += 1
        below = self.next()
        if below is not None and below.indent > indent:
            self.refuse_line(FORM, below, "goes on with the text of the line above", LITERAL)
        return Text(text, self.span(line, column, end))

    def _before_comment(self, line: Line, column: int) -> str:
        cut = line.text.find(" #", column)
        return line.text[column : cut if cut >= 0 else len(line.text)].rstrip(" ")

    def _plain(self, line: Line, column: int, text: str) -> None:
        """Refuses what is no plain text, or is one that not everybody reads as a text."""
        start, end = line.start + column, line.start + column + len(text)
        first = text[0]
        if first in FEATURES:
            self.feature(line, column)
        if first in "[{":
            self.refuse(
                FLOW, start, end, "a collection in brackets", "write each item on a line of its own, behind `- `"
            )
        if _NUMBER_LIKE.match(text) or text.lower() in WORDS:
            self.refuse(
                TYPED,
                start,
                end,
                f"`{text}` is a number, a time, a truth value or nothing to some readers of YAML, and a text to others",
                QUOTE_IT,
            )
        if first in "-:,]}#%@`":
            self.refuse(FORM, start, end, f"a text that begins with `{first}`", QUOTE_IT)
        if ": " in text or text.endswith(":"):
            self.refuse(FORM, start, end, "a text that holds `: ` or ends with `:`", QUOTE_IT)

    def feature(self, line: Line, column: int) -> NoReturn:
        start = line.start + column
        what = FEATURES[line.text[column]]
        self.refuse(
            FEATURE,
            start,
            start + 1,
            f"{what}, which this part of YAML does not have",
            QUOTE_IT if what != "a folded text" else LITERAL,
        )

    def _quoted(self, line: Line, column: int, quote: str) -> tuple[str, int]:
        """The text between quotes and the column behind them."""
        found = _QUOTED[quote].match(line.text, column)
        if found is None:
            self.refuse(
                FORM,
                line.start + column,
                line.start + len(line.text),
                "the closing quote is missing on this line",
                LITERAL,
            )
        if quote == "'":
            return found.group(1).replace("''", "'"), found.end()
        return _ESCAPE.sub(lambda match: self._unescaped(line.start + column + 1, match), found.group(1)), found.end()

    def _unescaped(self, start: int, match: re.Match[str]) -> str:
        escape = match.group()[1:]
        if escape in _ESCAPED:
            return _ESCAPED[escape]
        code = int(escape[1:], 16) if len(escape) > 1 else 0
        if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            place = start + match.start()
            text = f"`{match.group()}` is no character of a text"
            self.refuse(
                FORM, place, place + len(match.group()), text, r"there are \" \\ \/ \n \t \uXXXX and \UXXXXXXXX"
            )
        return chr(code)

    def _literal(self, line: Line, column: int, indent: int) -> Text:
        """A text behind `|` or `|-`: the lines below that are indented more, without that indentation."""
        header = self._before_comment(line, column)
        if header not in ("|", "|-"):
            self.refuse(
                FEATURE,
                line.start + column,
                line.start + column + len(header),
                f"`{header}` as the head of a text",
                "write `|`, or `|-` for a text without a last line feed",
            )
        self.at += 1
        first = self.at
        while self.at < len(self.lines) and self.lines[self.at].indent == len(self.lines[self.at].text):
            self.at += 1
        inner = self.lines[self.at].indent if self.at < len(self.lines) else 0
        if inner <= indent:
            self.at = first
            return Text("", self.span(line, column, column + len(header)))
        for above in self.lines[first : self.at]:
            if above.indent > inner:
                self.refuse(
                    FORM,
                    above.start,
                    above.start + above.indent,
                    "an empty line with more spaces than the text below it",
                )
        while self.at < len(self.lines):
            below = self.lines[self.at]
            if below.indent < inner and below.indent < len(below.text):
                break
            self.at += 1
        return self._text_of(first, self.at, inner, strip=header == "|-")

    def _text_of(self, first: int, behind: int, inner: int, strip: bool) -> Text:
        lines = [line.text[inner:] for line in self.lines[first:behind]]
        last = behind
        while lines and not lines[-1]:
            lines.pop()
            last -= 1
        ended = last < len(self.lines) and not strip
        start = self.lines[first].start + min(inner, len(self.lines[first].text))
        end = self.lines[last - 1].start + len(self.lines[last - 1].text)
        return Text("\n".join(lines) + ("\n" if ended else ""), self.source.span(start, end))
