"""The canonical form `bundle-json/1`: the one place that turns values into JSON text and hashes it.

The bytes are those of RFC 8785, which in this profile are also those of the standard library's encoder with sorted keys
and no white space; tests hold the writer below to both.
Source: the bundle format, section "Canonical profile".
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice, repeat
from json.encoder import encode_basestring
from operator import itemgetter
from types import NoneType
from typing import Any

from wellposed.compiler.explain import explain
from wellposed.compiler.profile import (
    BYTE_ORDER_MARK,
    KEY,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_VALUES,
    NOT_JSON,
    NOT_UTF8,
    SURROGATE,
    TOO_LARGE,
    CanonicalError,
)
from wellposed.compiler.scan import deviation, fault_of
from wellposed.dsl.vocabulary import MAX_INTEGER

__all__ = ["CanonicalError", "Json", "decode", "encode", "file_bytes", "lines", "pretty", "read", "sha256"]

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

_NO_MARKS = bytes(set(range(256)) - set(b'[]{},"'))


def encode(value: object) -> bytes:
    """The canonical bytes of a value, without a final newline.

    Raises `CanonicalError` for a value outside the profile and `TypeError` for a Python value that is not JSON at all
    (tuples, subclasses of str and int, keys that are not strings).
    """
    try:
        raw = _Writer().texts([value], 0)[0].encode()
    except (_Outside, UnicodeEncodeError):
        explain(value)
    if len(raw) >= MAX_BYTES:
        raise CanonicalError(TOO_LARGE, f"the document is larger than {MAX_BYTES} bytes")
    return raw


def file_bytes(value: object) -> bytes:
    """The canonical file of a value: its canonical bytes and one LF. Raises as `encode`."""
    return encode(value) + b"\n"


def lines(values: Sequence[object]) -> bytes:
    """The bytes of a JSON Lines file: each value's canonical bytes and one LF. Raises as `encode`."""
    try:
        return "".join([f"{text}\n" for text in _Writer().texts(values, 0)]).encode()
    except (_Outside, UnicodeEncodeError):
        explain(list(values))


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
    except CanonicalError as error:  # outside the profile: the scanner knows where
        raise fault_of(text) or error from None
    except ValueError as error:
        raise fault_of(text) or CanonicalError(NOT_JSON, f"not JSON: {error}") from None
    if canonical == raw:
        return value
    raise fault_of(text) or deviation(raw, canonical)


def read(raw: bytes) -> Json:
    """The value of a text of the profile that need not be in canonical form: white space and the order of members are free.

    Raises `CanonicalError` as `decode` does, but never for the form.
    """
    text = _text(raw)
    _bound(raw)
    try:
        value: Json = json.loads(text, object_pairs_hook=_once_each, parse_int=_integer)
        encode(value)
    except CanonicalError as error:
        raise fault_of(text) or error from None
    except ValueError as error:
        raise fault_of(text) or CanonicalError(NOT_JSON, f"not JSON: {error}") from None
    return value


def _once_each(members: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(members)
    if len(value) < len(members):
        raise ValueError("a member stands twice in one object")
    return value


def _integer(digits: str) -> int:
    if digits == "-0":
        raise ValueError("-0 is written 0")
    return int(digits)


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


class _Outside(Exception):
    """Something is outside the profile; `explain` says what."""


class _Writer:
    """Writes many values of one kind at once, column by column, and looks at each of them on the way.

    A bundle is thousands of records of a few shapes. Taking one member of all records of a shape together lets the checks
    and the writing run over whole lists inside the interpreter, which makes validating and writing together cheaper than
    the standard encoder alone, let alone with a validating walk before it.
    """

    def __init__(self) -> None:
        self._size = 0

    def texts(self, values: Sequence[Any], depth: int) -> Sequence[str]:
        """The canonical text of each value; `depth` objects and arrays are around them."""
        mark, texts = self._column(values, depth)
        return [f'"{text}"' for text in texts] if mark else texts

    def _column(self, values: Sequence[Any], depth: int) -> tuple[str, Sequence[str]]:
        """The texts of the values, and the quotation mark that still has to be put around each, or nothing."""
        kinds = set(map(type, values))
        if len(kinds) > 1:
            return "", self._each(values, list(map(type, values)), lambda part: self.texts(part, depth))
        kind = kinds.pop() if kinds else str
        if kind is str:
            return _strings(values)
        if kind is int:
            if min(values) < -MAX_INTEGER or max(values) > MAX_INTEGER:
                raise _Outside
            return "", list(map(repr, values))
        if kind is dict:
            return "", self._objects(values, depth + 1)
        if kind is list:
            return "", self._arrays(values, depth + 1)
        if kind is bool:
            return "", ["true" if value else "false" for value in values]
        if kind is NoneType:
            return "", ["null"] * len(values)
        raise _Outside

    def _each(self, values: Sequence[Any], shapes: list[Any], write: Callable[[list[Any]], Sequence[str]]) -> list[str]:
        """Write the values of each shape together, and give the texts in the order of the values."""
        groups: dict[Any, list[Any]] = {}
        for shape, value in zip(shapes, values, strict=True):
            if shape in groups:
                groups[shape].append(value)
            else:
                groups[shape] = [value]
        written = {shape: iter(write(own)) for shape, own in groups.items()}
        return list(map(next, map(written.__getitem__, shapes)))

    def _enter(self, lengths: list[int], depth: int) -> None:
        self._size += sum(lengths) + lengths.count(0)
        if self._size > MAX_VALUES:
            raise CanonicalError(TOO_LARGE, f"more than {MAX_VALUES} values")
        if depth > MAX_DEPTH:
            raise _Outside

    def _arrays(self, values: Sequence[list[Any]], depth: int) -> list[str]:
        lengths = list(map(len, values))
        self._enter(lengths, depth)
        items = iter(self.texts(list(chain.from_iterable(values)), depth))
        if len(values) > 1 and lengths.count(lengths[0]) == len(lengths) and lengths[0] > 0:
            joined: Iterable[str] = map(",".join, zip(*[items] * lengths[0], strict=True))
        else:
            joined = (",".join(islice(items, length)) for length in lengths)
        return [f"[{text}]" for text in joined]

    def _objects(self, values: Sequence[dict[Any, Any]], depth: int) -> list[str]:
        lengths = list(map(len, values))
        self._enter(lengths, depth)
        if lengths.count(lengths[0]) == len(lengths):
            return self._alike(values, depth)
        return self._each(values, lengths, lambda part: self._alike(part, depth))

    def _alike(self, values: Sequence[dict[Any, Any]], depth: int) -> list[str]:
        """Objects with one number of members; where these are not the same ones, they are parted by their names."""
        names = list(values[0])
        if not all(type(name) is str and KEY.fullmatch(name) for name in names):
            raise _Outside
        names.sort()
        if not names:
            return ["{}"] * len(values)
        try:
            # One list per member: a tuple per object would keep the garbage collector busy.
            columns = [list(map(itemgetter(name), values)) for name in names]
        except KeyError:
            return self._each(values, list(map(tuple, values)), lambda part: self._alike(part, depth))
        pieces: list[Iterable[str]] = []
        before = "{"
        for name, column in zip(names, columns, strict=True):
            mark, texts = self._column(column, depth)
            pieces += [repeat(f'{before}"{name}":{mark}'), texts]
            before = mark + ","
        return list(map("".join, zip(*pieces, repeat(before[:-1] + "}"))))


def _strings(values: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Strings as `_column` gives them: as they are where no character of any is escaped, which one look at all finds out."""
    together = ",".join(values)
    if len(encode_basestring(together)) == len(together) + 2:
        return '"', values
    if "\0" in together:
        raise _Outside
    return "", list(map(encode_basestring, values))


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

    Without escaped backslashes and quotes, every second piece between double quotes lies outside strings; there the
    brackets are peeled from the innermost outwards, one level in each turn.
    """
    marks = raw.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _NO_MARKS)
    outside = b"".join(marks.split(b'"')[::2])
    brackets = outside.translate(None, b",")
    if len(outside) - brackets.count(b"]") - brackets.count(b"}") > MAX_VALUES:
        raise CanonicalError(TOO_LARGE, f"more than {MAX_VALUES} values")
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    if brackets:
        raise fault_of(raw.decode()) or CanonicalError(NOT_JSON, "not JSON: the brackets do not match")
