"""The canonical profile `bundle-json/1`: its limits, its codes, and the error that refuses what is outside it.

The profile is RFC 8785 (JCS) narrowed to what every reader of JSON reads alike: objects, arrays, strings, integers, true,
false and null; ASCII keys, so that UTF-16 order, code point order and byte order are one; no floats.
"""

from __future__ import annotations

import re

from wellposed.dsl.vocabulary import MAX_INTEGER

PROFILE = "bundle-json/1"
MAX_BYTES = 16 * 1024 * 1024
"""Largest file, its final newline included."""
MAX_DEPTH = 32
"""Objects and arrays inside one another; a document without either has depth 0."""
MAX_VALUES = 1_000_000
"""Commas and opening brackets outside strings: a bound on memory that can be counted before anything is parsed."""

KEY = re.compile(r"[A-Za-z0-9_./:-]{1,128}")
SURROGATE = re.compile("[\ud800-\udfff]")

NOT_UTF8 = "WP701"
BYTE_ORDER_MARK = "WP702"
NOT_JSON = "WP703"
NOT_CANONICAL = "WP704"
DUPLICATE_KEY = "WP705"
FLOAT = "WP706"
NEGATIVE_ZERO = "WP707"
INTEGER_RANGE = "WP708"
NOT_A_NUMBER = "WP709"
BAD_KEY = "WP710"
NUL = "WP711"
LONE_SURROGATE = "WP712"
TOO_DEEP = "WP713"
TOO_LARGE = "WP714"


class CanonicalError(ValueError):
    """A value or a text that the profile refuses.

    `code` is a WP7xx code, `pointer` the JSON pointer of the offending value ("" for the document itself), `offset` the
    byte at which a text goes wrong, or None when a value was refused that never was a text.
    """

    def __init__(self, code: str, message: str, pointer: str = "", offset: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.pointer = pointer
        self.offset = offset


def pointer_to(steps: list[str | int]) -> str:
    """The JSON pointer (RFC 6901) that follows these member names and indices from the document's root."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def integer_fault(number: int) -> tuple[str, str] | None:
    """The code and message that refuse this integer, or None."""
    if -MAX_INTEGER <= number <= MAX_INTEGER:
        return None
    return INTEGER_RANGE, "an integer beyond 2^53-1: other readers of JSON would round it"


def string_fault(text: str) -> tuple[str, str] | None:
    """The code and message that refuse this string, or None."""
    if "\0" in text:
        return NUL, "a string holds the character U+0000"
    surrogate = SURROGATE.search(text)
    if surrogate is not None:
        return LONE_SURROGATE, f"a string holds half a character: the lone surrogate U+{ord(surrogate.group()):04X}"
    return None


def key_fault(key: str) -> tuple[str, str] | None:
    """The code and message that refuse this member name, or None."""
    if KEY.fullmatch(key) is not None:
        return None
    shown = ascii(key[:40]) + ("…" if len(key) > 40 else "")
    return BAD_KEY, f"the member name {shown} is not of 1 to 128 characters A-Z a-z 0-9 _ . / : -"
