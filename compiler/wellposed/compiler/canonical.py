"""The canonical form `bundle-json/1`: the one place that turns values into JSON text and hashes it.

In this profile the C encoder of the standard library already writes canonical JSON (RFC 8785); what it lets pass and the
profile does not (floats, wide integers, odd keys, other types) is refused by one flat walk over the values before it.
Source: the bundle format, section "Canonical profile".
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from itertools import chain
from typing import Any, NoReturn

from wellposed.compiler.profile import (
    BYTE_ORDER_MARK,
    FLOAT,
    KEY,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_VALUES,
    NOT_A_NUMBER,
    NOT_JSON,
    NOT_UTF8,
    SURROGATE,
    TOO_DEEP,
    TOO_LARGE,
    CanonicalError,
    integer_fault,
    key_fault,
    pointer_to,
    string_fault,
)
from wellposed.compiler.scan import deviation, fault_of
from wellposed.dsl.vocabulary import MAX_INTEGER

__all__ = ["CanonicalError", "Json", "decode", "encode", "file_bytes", "pretty", "sha256"]

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

# Circles are found by the walk (they are too deep), so the encoder need not look for them.
_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False, allow_nan=False
)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def encode(value: object) -> bytes:
    """The canonical bytes of a value, without a final newline.

    Raises `CanonicalError` for a value outside the profile and `TypeError` for a Python value that is not JSON at all
    (tuples, subclasses of str and int, keys that are not strings).
    """
    _admit(value)
    text = _ENCODER.encode(value)
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        _explain(value)
    # The encoder writes U+0000 as \u0000; an escaped backslash before u0000 looks alike, so the walk decides.
    if "\\u0000" in text:
        _explain_if_faulty(value)
    if len(raw) >= MAX_BYTES:
        raise CanonicalError(TOO_LARGE, f"the document is larger than {MAX_BYTES} bytes")
    return raw


def file_bytes(value: object) -> bytes:
    """The canonical file of a value: its canonical bytes and one LF. Raises as `encode`."""
    return encode(value) + b"\n"


def decode(raw: bytes) -> Json:
    """The value of a canonical file.

    Raises `CanonicalError` with the code, byte offset and JSON pointer of the first violation: of the encoding, of JSON, of
    the profile; and, when there is none but the bytes are not the canonical ones, of the canonical form.
    """
    text = _text(raw)
    _bound(raw)
    try:
        value: Json = json.loads(text)
        canonical = file_bytes(value)
    except ValueError as error:  # not JSON, or outside the profile: the scanner knows where
        raise fault_of(text) or CanonicalError(NOT_JSON, f"not JSON: {error}") from None
    if canonical == raw:
        return value
    raise fault_of(text) or deviation(raw, canonical)


def sha256(raw: bytes) -> str:
    """`sha256:` and the lowercase hex digest, the spelling of every hash in a bundle or report."""
    return "sha256:" + hashlib.sha256(raw).hexdigest()


def pretty(value: object) -> str:
    """JSON for reports, not canonical: members in the order given, one space of indentation, no final newline.

    Lone surrogates (undecodable file names) are escaped, so that the text can always be written. Raises `ValueError` for
    NaN and infinities.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1)
    return SURROGATE.sub(lambda half: f"\\u{ord(half.group()):04x}", text)


def _admit(value: object) -> None:
    """Refuse what is outside the profile, level by level: keys, types, integers, depth and number of values.

    Strings are only looked at afterwards, as one text. Written for speed; `_explain` repeats it with pointers.
    """
    names: set[Any] = set()
    depth = -1
    size = 0
    items: Iterable[Any] = (value,)
    objects: list[dict[Any, Any]]
    arrays: list[list[Any]]
    while True:
        objects, arrays = [], []
        for item in items:
            kind = type(item)
            if kind is str:
                pass
            elif kind is int:
                if not -MAX_INTEGER <= item <= MAX_INTEGER:
                    _explain(value)
            elif kind is dict:
                objects.append(item)
            elif kind is list:
                arrays.append(item)
            elif item is not None and kind is not bool:
                _explain(value)
        depth += 1
        if not objects and not arrays:
            break
        size += sum(map(len, objects)) + sum(map(len, arrays)) + objects.count({}) + arrays.count([])
        if size > MAX_VALUES:
            raise CanonicalError(TOO_LARGE, f"more than {MAX_VALUES} values")
        if depth == MAX_DEPTH:
            _explain(value)
        names.update(*objects)
        items = chain(chain.from_iterable(map(dict.values, objects)), chain.from_iterable(arrays))
    for name in names:
        if type(name) is not str or KEY.fullmatch(name) is None:
            _explain(value)


def _explain_if_faulty(value: object) -> None:
    """Raise for the first violation of a value, in the order of its members as they stand."""
    stack: list[tuple[list[str | int], Any]] = [([], value)]
    size = 0
    while stack:
        steps, item = stack.pop()
        fault: tuple[str, str] | None = None
        if type(item) is str:
            fault = string_fault(item)
        elif type(item) is int:
            fault = integer_fault(item)
        elif isinstance(item, float):
            finite = item - item == 0.0
            fault = (FLOAT, f"{item!r} is not an integer") if finite else (NOT_A_NUMBER, f"{item!r} is not JSON")
        elif type(item) is dict or type(item) is list:
            size += len(item) or 1
            if len(steps) == MAX_DEPTH:
                fault = (TOO_DEEP, f"objects and arrays nested more than {MAX_DEPTH} deep")
            elif size > MAX_VALUES:
                fault = (TOO_LARGE, f"more than {MAX_VALUES} values")
            else:
                members = list(item.items()) if type(item) is dict else list(enumerate(item))
                for key, _ in members:
                    if type(key) is not str and type(item) is dict:
                        raise TypeError(f"a member name of type {type(key).__name__} at {pointer_to(steps)!r}")
                    fault = fault or (key_fault(key) if type(key) is str else None)
                stack += [([*steps, key], below) for key, below in reversed(members)]
        elif item is not None and type(item) is not bool:
            raise TypeError(f"a value of type {type(item).__name__} at {pointer_to(steps)!r} is not JSON")
        if fault is not None:
            raise CanonicalError(*fault, pointer_to(steps))


def _explain(value: object) -> NoReturn:
    _explain_if_faulty(value)
    raise AssertionError("a value was refused that has no fault")


def _text(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        raise CanonicalError(TOO_LARGE, f"the file has {len(raw)} bytes; at most {MAX_BYTES} are read", "", MAX_BYTES)
    if raw.startswith(b"\xef\xbb\xbf"):
        raise CanonicalError(BYTE_ORDER_MARK, "the file begins with a byte order mark", "", 0)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise CanonicalError(
            NOT_UTF8, f"the byte 0x{raw[error.start]:02x} is not UTF-8 here", "", error.start
        ) from None


def _bound(raw: bytes) -> None:
    """Refuse, before anything is parsed, what would exhaust memory or a stack.

    Without the escapes, every second piece between double quotes lies outside strings; there the brackets are peeled from
    the innermost outwards, one level in each turn.
    """
    outside = b"".join(raw.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    brackets = outside.translate(None, _NOT_BRACKETS)
    if outside.count(b",") + brackets.count(b"[") + brackets.count(b"{") > MAX_VALUES:
        raise CanonicalError(TOO_LARGE, f"more than {MAX_VALUES} values")
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    if brackets:
        raise fault_of(raw.decode()) or CanonicalError(NOT_JSON, "not JSON: the brackets do not match")
