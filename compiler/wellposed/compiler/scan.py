"""The strict reader that says why a text is refused: the first violation of the profile, its byte and its pointer.

`canonical.decode` takes the fast road through the C parser and comes here only when that road ends; this reader is
iterative, so no nesting can exhaust a stack, and its messages do not depend on the version of Python.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from wellposed.compiler.profile import (
    DUPLICATE_KEY,
    FLOAT,
    INTEGER_RANGE,
    MAX_DEPTH,
    NEGATIVE_ZERO,
    NOT_A_NUMBER,
    NOT_CANONICAL,
    NOT_JSON,
    TOO_DEEP,
    CanonicalError,
    integer_fault,
    key_fault,
    pointer_to,
    string_fault,
)

_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(
    r"(?P<mark>[\[\]{},:])"
    # Possessive: what was read is never tried otherwise, so nothing is kept for that.
    r'|(?P<string>"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?P<part>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?))(?![0-9])"
    r"|(?P<word>true|false|null)"
    r"|(?P<nan>NaN|-?Infinity)"
)
# What may come next.
_VALUE, _FIRST_ITEM, _KEY, _FIRST_KEY, _COLON, _MORE, _END = range(7)
_WANTED = {
    _VALUE: "a value",
    _FIRST_ITEM: "a value or ]",
    _KEY: "a member name in double quotes",
    _FIRST_KEY: "a member name in double quotes or }",
    _COLON: "a colon",
    _END: "the end of the file",
}


@dataclass(slots=True)
class _Frame:
    """An object or array that is still open: the member names seen, and the name or index of the current element."""

    is_object: bool
    at: str | int
    names: set[str] = field(default_factory=set)


def _byte_of(text: str, index: int) -> int:
    return len(text[:index].encode())


class _Scanner:
    """One pass over one text; `fault` is the first violation, or None when the text is JSON of the profile."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.index = 0
        self.frames: list[_Frame] = []
        self.wanted = _VALUE

    def _refuse(self, code: str, message: str) -> CanonicalError:
        steps = [frame.at for frame in self.frames if frame.at != ""]
        return CanonicalError(code, message, pointer_to(steps), _byte_of(self.text, self.index))

    def fault(self) -> CanonicalError | None:
        """Read the whole text."""
        while True:
            space = _SPACE.match(self.text, self.index)
            self.index = space.end() if space is not None else self.index
            if self.index == len(self.text):
                return (
                    None
                    if self.wanted == _END
                    else self._refuse(NOT_JSON, f"the file ends where {self._expected()} is due")
                )
            token = _TOKEN.match(self.text, self.index)
            found = self._unreadable() if token is None else self._take(token)
            if found is not None:
                return found
            if token is not None:
                self.index = token.end()

    def _expected(self) -> str:
        if self.wanted == _MORE:
            return "a comma or }" if self.frames[-1].is_object else "a comma or ]"
        return _WANTED[self.wanted]

    def _unreadable(self) -> CanonicalError:
        if self.text[self.index] == '"':
            return self._refuse(
                NOT_JSON, "a string that does not end, or holds a bare control character or an unknown escape"
            )
        shown = ascii(self.text[self.index])
        return self._refuse(NOT_JSON, f"not JSON: {shown} where {self._expected()} is due")

    def _take(self, token: re.Match[str]) -> CanonicalError | None:
        kind = token.lastgroup if token.lastgroup != "part" else "number"
        text = token.group()
        if kind == "mark":
            return self._mark(text)
        if kind == "string" and self.wanted in (_KEY, _FIRST_KEY):
            return self._name(text)
        if self.wanted not in (_VALUE, _FIRST_ITEM):
            return self._refuse(NOT_JSON, f"not JSON: a value where {self._expected()} is due")
        wrong = self._scalar(kind, text, token)
        if wrong is not None:
            return self._refuse(*wrong)
        self._done()
        return None

    def _scalar(self, kind: str | None, text: str, token: re.Match[str]) -> tuple[str, str] | None:
        if kind == "string":
            return string_fault(json.loads(text))
        if kind == "nan":
            return NOT_A_NUMBER, f"{text} is not JSON"
        if kind == "number":
            if token.group("part"):
                return FLOAT, f"{text[:40]} is not an integer: no fractions and no exponents"
            if text == "-0":
                return NEGATIVE_ZERO, "-0 is written 0"
            if len(text) > 17:  # longer than 2^53-1 with its sign: int() would be asked to read any number of digits
                return INTEGER_RANGE, "an integer beyond 2^53-1: other readers of JSON would round it"
            return integer_fault(int(text))
        return None

    def _name(self, text: str) -> CanonicalError | None:
        name: str = json.loads(text)
        frame = self.frames[-1]
        wrong = string_fault(name) or key_fault(name)
        if wrong is not None:
            frame.at = ""
            return self._refuse(*wrong)
        frame.at = name
        if name in frame.names:
            return self._refuse(DUPLICATE_KEY, f"the member {name} stands twice in one object")
        frame.names.add(name)
        self.wanted = _COLON
        return None

    def _mark(self, mark: str) -> CanonicalError | None:
        wanted = self.wanted
        if mark in "[{" and wanted in (_VALUE, _FIRST_ITEM):
            if len(self.frames) == MAX_DEPTH:
                return self._refuse(TOO_DEEP, f"objects and arrays nested more than {MAX_DEPTH} deep")
            self.frames.append(_Frame(True, "") if mark == "{" else _Frame(False, 0))
            self.wanted = _FIRST_KEY if mark == "{" else _FIRST_ITEM
            return None
        if mark == ":" and wanted == _COLON:
            self.wanted = _VALUE
            return None
        inside = self.frames[-1] if self.frames else None
        if inside is not None and wanted == _MORE and mark == ",":
            if isinstance(inside.at, int):
                inside.at += 1
            self.wanted = _KEY if inside.is_object else _VALUE
            return None
        closes = inside is not None and mark == ("}" if inside.is_object else "]")
        if closes and wanted in (_MORE, _FIRST_KEY, _FIRST_ITEM):
            self.frames.pop()
            self._done()
            return None
        return self._refuse(NOT_JSON, f"not JSON: {mark} where {self._expected()} is due")

    def _done(self) -> None:
        self.wanted = _MORE if self.frames else _END


def fault_of(text: str) -> CanonicalError | None:
    """The first violation of the profile in this text, or None when it is JSON of the profile, canonical or not."""
    return _Scanner(text).fault()


def first_difference(one: bytes, other: bytes) -> int:
    """The offset of the first byte in which two texts differ, or the length of the shorter one."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # bisection over slices: comparing byte by byte in Python is slow on 16 MiB
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def deviation(raw: bytes, canonical: bytes) -> CanonicalError:
    """How `raw`, a text of the profile, departs from its own canonical file: the first byte that differs."""
    offset = first_difference(raw, canonical)
    here = raw[offset : offset + 1]
    if here == b"":
        what = "the final newline is missing"
    elif here in b" \t\r\n":
        what = "white space that the canonical form does not have"
    else:
        what = "a string is escaped otherwise, or the members of an object are not in the order of their names"
    return CanonicalError(NOT_CANONICAL, f"not in canonical form: {what}", "", offset)
