"""How values are spelt in the language: ids, strings and text in triple quotes, so that reading them gives the value.

What nobody could see in a source text is spelt `\\u{…}`, and so is what a CI runner would take for a command.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from wellposed.dsl.grammar import load

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")
_PLACEHOLDER = re.compile(r"\{(?=[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*\})")
# Whatever may be unprintable, and the marks that are, but would be drawn over the quotation mark before them.
_SUSPECT = re.compile(r"[^\n\x20-\x7e]")
_MARK = re.compile(r"(?<=##)\[")
_COMMAND = re.compile(r"(\s*):(?=:)")
_WORD_CHARACTER = re.compile(r"\w")


@cache
def _words() -> frozenset[str]:
    """The words of the language, which cannot be names."""
    return frozenset(text for text in load().patterns.values() if text is not None and _NAME.fullmatch(text))


def is_name(id: str) -> bool:
    """Whether an id can be written as it stands: it is no word of the language, has no dots, no digit in front."""
    return _NAME.fullmatch(id) is not None and id not in _words()


def name(id: str) -> str:
    """An id as a name, in backquotes where it would not be one."""
    return id if is_name(id) else f"`{id}`"


def literal(text: str) -> str:
    """A string in which nothing is replaced, such as those of rules: braces stand as they are."""
    return _quoted(_visible(text.replace("\\", "\\\\")))


def pieces(text: str, anchor: str | None = None) -> list[str]:
    """The text cut at each occurrence of the anchor that touches no further letter or digit."""
    if not anchor:
        return [text]
    before = r"(?<!\w)" if _WORD_CHARACTER.match(anchor[0]) else ""
    after = r"(?!\w)" if _WORD_CHARACTER.match(anchor[-1]) else ""
    return re.split(f"{before}{re.escape(anchor)}{after}", text)


def string(parts: Sequence[str]) -> str:
    """A string on one line, with `{anchor}` between the pieces."""
    return _quoted(_inside(parts))


def lines(parts: Sequence[str]) -> list[str]:
    """The lines of a string with `{anchor}` between the pieces: more than one, between triple quotes, where it has any."""
    inside = _inside(parts)
    if "\n" not in inside:
        return [_quoted(inside)]
    return ['"""', *map(_whole_line, inside.replace('"""', '\\"\\"\\"').split("\n")), '"""']


def _quoted(inside: str) -> str:
    escaped = inside.replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _whole_line(line: str) -> str:
    """A line of text, which neither loses its end to an editor nor begins like a command."""
    kept = f"{line[:-1]}\\u{{20}}" if line.endswith(" ") else line
    return _COMMAND.sub(r"\1\\u{3A}", kept, count=1) if _COMMAND.match(kept) else kept


def _inside(parts: Sequence[str]) -> str:
    """The whole text with everything escaped but quotation marks and line feeds."""
    return "{anchor}".join(_visible(_PLACEHOLDER.sub(r"\\{", one.replace("\\", "\\\\"))) for one in parts)


def _visible(text: str) -> str:
    text = _MARK.sub(_escaped, text)
    return text if text.isascii() and text.isprintable() else _SUSPECT.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    character = match.group()
    if character == "\t":
        return "\\t"
    kind = unicodedata.category(character)[0]
    alone = match.start() == 0 or match.string[match.start() - 1] == "\n"
    return _escaped(match) if kind in "CZ" or (kind == "M" and alone) else character


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{{{ord(match.group()):X}}}"
