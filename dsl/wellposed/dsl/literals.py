"""Numbers, strings and names in backquotes: from the token as written to its value."""

from __future__ import annotations

import re

from lark import Token

from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.dsl.source import SourceFile
from wellposed.dsl.tree import Placeholder, Text
from wellposed.dsl.vocabulary import MAX_INTEGER
from wellposed.dsl.wording import quoted

_PIECE = re.compile(
    r"""\\(?: u\{(?P<code>[^}"\\]*)\}
          | (?P<escape>["\\nt{}])
          | u(?:\{\w*)?
          | .
          | $ )
      | \{(?P<name>[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)\}""",
    re.VERBOSE,
)
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_ESCAPES = {"n": "\n", "t": "\t"}
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{1,6}")
_ESCAPE_HELP = r"""the escapes are \" \\ \n \t \{ \} and \u{…} with a code point in hexadecimal"""


def wrong_number(token: Token, source: SourceFile) -> Finding | None:
    """WP113 or WP114 where what begins like a number at `token` is not a number of the language."""
    written = str(token)
    if written.isdigit() and (written[0] != "0" or len(written) == 1):
        if len(written) < len(str(MAX_INTEGER)) or (
            len(written) == len(str(MAX_INTEGER)) and int(written) <= MAX_INTEGER
        ):
            return None
        message = f"this number is larger than {MAX_INTEGER}"
        notes = ("larger integers are not exact in every JSON reader",)
        return Finding("WP114", Severity.ERROR, message, _span(token, source), notes=notes)
    message, advice = _wrong_number(written)
    return Finding("WP113", Severity.ERROR, message, _span(token, source), help=advice)


def _span(token: Token, source: SourceFile) -> Span:
    return source.span(token.start_pos or 0, token.end_pos or 0)


def _wrong_number(written: str) -> tuple[str, str]:
    shown = written if len(written) <= 40 else written[:39] + "…"
    if written.isdigit():
        return f"`{shown}` has leading zeros", f"write `{shown.lstrip('0') or '0'}`"
    if "." in written:
        return f"`{shown}` is not a whole number", "ticks and counts are whole numbers"
    if written[:2] in ("0x", "0X", "0b", "0B", "0o", "0O"):
        return f"`{shown}` is not a decimal number", "write it with the digits 0 to 9"
    if re.fullmatch(r"[0-9]+[eE][0-9]+", written):
        return f"`{shown}` has an exponent", "write all digits"
    if re.fullmatch(r"[0-9_]+", written):
        return f"`{shown}` has underscores between its digits", f"write `{shown.replace('_', '')}`"
    return f"`{shown}` is neither a number nor a name", "a name starts with a letter, a number has digits only"


def read_id(token: Token, source: SourceFile, findings: list[Finding]) -> str:
    """The name at `token`, which may stand in backquotes; WP110 where no id can look like that."""
    written = str(token)
    if not written.startswith("`"):
        return written
    id = written[1:-1]
    if _ID.fullmatch(id) is None:
        message = f"{quoted(id)} cannot be a name" if id else "there is no name between these backquotes"
        help_text = "names in backquotes are made of the letters a to z and A to Z, digits, `_`, `-` and `.`"
        findings.append(Finding("WP110", Severity.ERROR, message, _span(token, source), help=help_text))
    return id


def read_string(token: Token, source: SourceFile, findings: list[Finding]) -> Text:
    """The text at `token` with its escapes decoded and its placeholders found; WP112 for every wrong escape.

    WP119 where a string in triple quotes does not stand in lines of its own.
    """
    start, end = token.start_pos or 0, token.end_pos or 0
    span = source.span(start, end)
    if token.startswith('"""'):
        lines = _long_lines(str(token), start, source, findings)
    else:
        lines = [(start + 1, str(token)[1:-1])]
    parts: list[str | Placeholder] = []
    text: list[str] = []
    for number, (offset, line) in enumerate(lines):
        if number:
            text.append("\n")
        if "\\" in line or "{" in line:
            _read_line(line, offset, parts, text, source, findings)
        else:
            text.append(line)
    return Text((*parts, *_joined(text)), span)


def _read_line(
    line: str,
    offset: int,
    parts: list[str | Placeholder],
    text: list[str],
    source: SourceFile,
    findings: list[Finding],
) -> None:
    done = 0
    for match in _PIECE.finditer(line):
        text.append(line[done : match.start()])
        done = match.end()
        place = source.span(offset + match.start(), offset + match.end())
        if match["name"] is not None:
            parts += _joined(text)
            parts.append(Placeholder(match["name"], place))
            text.clear()
        elif match["escape"] is not None:
            text.append(_ESCAPES.get(match["escape"], match["escape"]))
        else:
            character = None if match["code"] is None else _scalar(match["code"])
            if character is None:
                message = f"`{match.group()}` is not an escape"
                findings.append(Finding("WP112", Severity.ERROR, message, place, help=_ESCAPE_HELP))
            else:
                text.append(character)
    text.append(line[done:])


def _long_lines(written: str, start: int, source: SourceFile, findings: list[Finding]) -> list[tuple[int, str]]:
    """The lines between triple quotes without the indentation of the closing ones, each with its offset."""
    lines: list[tuple[int, str]] = []
    offset = start + 3
    for line in written[3:-3].split("\n"):
        lines.append((offset, line.removesuffix("\r")))
        offset += len(line) + 1
    first, last = lines[0][1], lines[-1][1]

    def wrong(message: str, place: Span, help_text: str) -> list[tuple[int, str]]:
        findings.append(Finding("WP119", Severity.ERROR, message, place, help=help_text))
        return []

    if first.strip(" \t") or len(lines) == 1:
        place = source.span(start, start + 3)
        return wrong('`"""` ends its line; the text begins on the next one', place, "begin a new line behind it")
    if last.strip(" \t"):
        place = source.span(offset - 1, offset + 2)
        return wrong('`"""` stands on a line of its own behind the text', place, "begin a new line before it")
    inner = []
    for offset, line in lines[1:-1]:
        if not line.strip(" \t"):
            line = line.removeprefix(last) if line.startswith(last) else ""
        elif line.startswith(last):
            line = line[len(last) :]
        else:
            place = source.span(offset, offset + len(line) - len(line.lstrip(" \t")) + 1)
            return wrong(
                'this line is indented less than the `"""` that closes the string, or with other characters',
                place,
                'indent it as that `"""`: what stands before the quotes is removed from every line',
            )
        inner.append((offset + len(last), line))
    return inner


def read_plain_string(token: Token, source: SourceFile, findings: list[Finding]) -> Text:
    """As `read_string`, for strings in which nothing is replaced: braces are text."""
    text = read_string(token, source, findings)
    whole = "".join(part if isinstance(part, str) else f"{{{part.name}}}" for part in text.parts)
    return Text((whole,) if whole else (), text.span)


def _joined(text: list[str]) -> list[str]:
    whole = "".join(text)
    return [whole] if whole else []


def _scalar(code: str) -> str | None:
    # U+0000 and surrogates cannot stand in a bundle, so they have no escape either.
    if not _HEXADECIMAL.fullmatch(code):
        return None
    value = int(code, 16)
    return chr(value) if 0 < value <= 0x10FFFF and not 0xD800 <= value <= 0xDFFF else None
