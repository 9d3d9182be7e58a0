"""Source texts: strict decoding, and the one place that turns code point offsets into lines and columns."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from wellposed.dsl.findings import Finding, Severity, Span

MAX_SOURCE_BYTES = 1 << 20
"""The largest source file that is read, in bytes (1 MiB)."""

_BOM = b"\xef\xbb\xbf"
# A superset of what is invisible, cheap to search for; the Unicode database decides. The characters left out are U+0000
# (WP105), tab and line ends, printable ASCII, and the stretches below U+0600 that are known to be visible.
_SUSPECT = re.compile(r"[^\0\t\n\r\x20-\x7e\xa0-\xac\xae-\u05ff]")
_INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A decoded source text under its display path.

    Line ends are kept as written (LF or CRLF). Lines and columns are 1-based and count Unicode code points, offsets are
    0-based code points. A text of n line feeds has n + 1 lines, the last of which may be empty.
    """

    path: str
    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = (0, *(match.end() for match in re.finditer("\n", self.text)))
        object.__setattr__(self, "_starts", starts)

    @property
    def line_count(self) -> int:
        """How many lines the text has."""
        return len(self._starts)

    def line_text(self, number: int) -> str:
        """Line `number` (1-based) without its line end; raises IndexError where there is no such line."""
        if not 1 <= number <= len(self._starts):
            raise IndexError(f"{self.path} has no line {number}")
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].removesuffix("\r")

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of a code point offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span of `text[start:end]`."""
        line, column = self.position(start)
        end_line, end_column = self.position(end)
        return Span(self.path, start, end, line, column, end_line, end_column)

    def text_of(self, span: Span) -> str:
        """What is written at `span`."""
        return self.text[span.start : span.end]


def read_source(path: str, raw: bytes) -> tuple[SourceFile | None, tuple[Finding, ...]]:
    """Decode the bytes of a source file: strict UTF-8, no byte order mark, LF or CRLF, no U+0000, at most 1 MiB.

    `path` is the display path, relative and POSIX. Gives no text, and WP101 to WP105, where the bytes are not such a
    text. Invisible characters are found by `parse`, which all texts pass.
    """
    if len(raw) > MAX_SOURCE_BYTES:
        message = f"this file is {len(raw):,} bytes long; a source file has at most {MAX_SOURCE_BYTES:,}"
        return None, (_error("WP101", message, _at_start(path), help="split it into several files"),)
    if raw.startswith(_BOM):
        message = "this file begins with a byte order mark"
        return None, (_error("WP103", message, _at_start(path), help="save it as UTF-8 without a byte order mark"),)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        before = SourceFile(path, raw[: problem.start].decode("utf-8"))
        place = before.span(len(before.text), len(before.text))
        message = f"the byte 0x{raw[problem.start]:02X} is not UTF-8 here ({problem.reason})"
        return None, (_error("WP102", message, place, help="save the file as UTF-8"),)
    source = SourceFile(path, text)
    findings = (*_bare_returns(source), *_nulls(source))
    return (None if findings else source), findings


def invisible_characters(source: SourceFile) -> Iterator[Finding]:
    """A WP106 finding for every control, format, line or paragraph separator character that stands raw in the text."""
    for match in _SUSPECT.finditer(source.text):
        character = match.group()
        if unicodedata.category(character) in _INVISIBLE:
            message = f"{describe_character(character)} is invisible and can make a text read as what it is not"
            help_text = f"remove it; inside a string it can be written as \\u{{{ord(character):X}}}"
            yield _error("WP106", message, source.span(match.start(), match.end()), help=help_text)


def is_invisible(character: str) -> bool:
    """Whether WP106 refuses this character."""
    return _SUSPECT.match(character) is not None and unicodedata.category(character) in _INVISIBLE


def describe_character(character: str) -> str:
    """`U+202E RIGHT-TO-LEFT OVERRIDE`: code point and name of a character that must not be printed as it is."""
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X} {name}".rstrip()


def _bare_returns(source: SourceFile) -> Iterator[Finding]:
    matches = [match.start() for match in re.finditer(r"\r(?!\n)", source.text)]
    if matches:
        message = "a carriage return stands here without a line feed"
        help_text = "end lines with LF or CRLF; inside a string, write \\u{D}"
        notes = (f"the file has {len(matches):,} of them",) if len(matches) > 1 else ()
        yield _error("WP104", message, source.span(matches[0], matches[0] + 1), notes=notes, help=help_text)


def _nulls(source: SourceFile) -> Iterator[Finding]:
    count = source.text.count("\0")
    if count:
        start = source.text.index("\0")
        notes = (f"the file has {count:,} of them",) if count > 1 else ()
        yield _error("WP105", "U+0000 cannot stand in a source text", source.span(start, start + 1), notes=notes)


def _at_start(path: str) -> Span:
    return Span(path, 0, 0, 1, 1, 1, 1)


def _error(code: str, message: str, place: Span, notes: tuple[str, ...] = (), help: str | None = None) -> Finding:
    return Finding(code, Severity.ERROR, message, place, notes=notes, help=help)
