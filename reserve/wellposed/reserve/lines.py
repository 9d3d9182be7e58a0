"""The lines of a ledger: canonical, of a known type, numbered, and each with the hash of the one above.

Reading ends at the first line that does not fit: what stands below it is not part of the chain, and is not judged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from wellposed.compiler import canonical
from wellposed.compiler.canonical import CanonicalError
from wellposed.compiler.shape import Checker
from wellposed.dsl.findings import Finding
from wellposed.reserve.dates import moment_of
from wellposed.reserve.plain import plain
from wellposed.reserve.report import at_line
from wellposed.reserve.shapes import LEDGER_FORMAT, LINE

LEDGER = "ledger.jsonl"
MAX_LEDGER = 64 << 20
MAX_LINE = 1 << 20
"""Bytes: of a ledger, and of one line of it without its line feed. A larger line is refused before it is looked at."""
MAX_LINES = 200_000
ZERO = "sha256:" + "0" * 64
"""What the first line has in the place of the hash of a line above."""
_PLAIN = {kind: plain(case) for kind, case in LINE.cases.items()}
_FORM, _KIND, _NUMBER, _CHAIN, _CLOCK = "WP801", "WP802", "WP803", "WP804", "WP805"


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `number` counts from 1, `seq` from 0; `head` is the hash of the line without its line feed."""

    number: int
    seq: int
    t: str
    type: str
    body: Mapping[str, Any] = field(repr=False)
    head: str


@dataclass(frozen=True, slots=True)
class Chain:
    """The lines that fit, from the first on, and what was wrong with the next one, if anything."""

    lines: tuple[Line, ...]
    findings: tuple[Finding, ...]

    @property
    def head(self) -> str:
        """The hash of the last line."""
        return self.lines[-1].head if self.lines else ZERO


def read_chain(raw: bytes, path: str) -> Chain:
    """The chain in the bytes of a ledger. Never raises for any bytes."""
    pieces = raw.split(b"\n")
    torn = pieces.pop()
    if len(raw) > MAX_LEDGER or len(pieces) > MAX_LINES:
        what = f"the ledger has {len(raw)} bytes and {len(pieces)} lines; at most {MAX_LEDGER} and {MAX_LINES} are read"
        return Chain((), (at_line(_FORM, what, path, 1),))
    values, unreadable = _values(pieces, path)
    reader = _Reader(path)
    for value, piece in zip(values, pieces, strict=False):
        found = reader.take(value, piece)
        if found is not None:
            return Chain(tuple(reader.lines), (found,))
    if unreadable is None and torn:
        what = "the last line has no line feed: it is torn, or something was added by hand"
        unreadable = at_line(_FORM, what, path, len(pieces) + 1, help="restore the ledger from the last commit")
    return Chain(tuple(reader.lines), () if unreadable is None else (unreadable,))


def line_bytes(seq: int, prev: str, t: str, kind: str, body: Mapping[str, Any]) -> bytes:
    """A line as it is appended, with its line feed. Raises `CanonicalError` and `TypeError` as `canonical.encode`."""
    return canonical.file_bytes(
        {"format": LEDGER_FORMAT, "seq": seq, "prev": prev, "t": t, "type": kind, "body": dict(body)}
    )


def head_of(line: bytes) -> str:
    """The hash of a line, which may have its line feed."""
    return canonical.sha256(line.removesuffix(b"\n"))


def _values(pieces: Sequence[bytes], path: str) -> tuple[list[Any], Finding | None]:
    """The value of each line up to the first that is not canonical, and what is wrong with that one.

    All lines are parsed and written again together, which is the cheapest proof that every one is canonical; only where
    that fails are they looked at one by one.
    """
    if max(map(len, pieces), default=0) <= MAX_LINE:
        try:
            values = list(map(json.loads, map(bytes.decode, pieces)))
            if canonical.lines(values) == b"".join([piece + b"\n" for piece in pieces]):
                return values, None
        except (CanonicalError, ValueError, TypeError, RecursionError):
            pass
    values = []
    for number, piece in enumerate(pieces, 1):
        if len(piece) > MAX_LINE:
            what = f"a line of {len(piece)} bytes; at most {MAX_LINE} are read"
            return values, at_line(_FORM, what, path, number)
        try:
            values.append(canonical.decode(piece + b"\n"))
        except CanonicalError as error:
            end = "a line ends in CR LF: " if piece.endswith(b"\r") else ""
            where = "" if error.offset is None else f" (byte {error.offset} of the line)"
            help = "a ledger is never edited: restore it from the last commit"
            return values, at_line(_FORM, f"{end}{error.message}{where}", path, number, help=help)
    return values, None


class _Reader:
    """Follows the chain line by line."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.lines: list[Line] = []
        self._prev = ZERO
        self._t = ""
        self._told: list[str] = []
        self._checker = Checker({}, lambda _, message, pointer: self._told.append(f"{message} (at {pointer or '/'})"))

    def take(self, value: Any, piece: bytes) -> Finding | None:
        """Add the next line, or say why it is not one."""
        number = len(self.lines) + 1
        known = _PLAIN.get(value["type"]) if type(value) is dict and type(value.get("type")) is str else None
        if known is None or known.fullmatch(piece) is None:
            self._checker.check(LINE, value)
        if self._told:
            more = f"; and {len(self._told) - 1} more" if len(self._told) > 1 else ""
            return self._finding(_KIND, f"not a line that is known here: {self._told[0]}{more}")
        if value["seq"] != number - 1:
            return self._finding(
                _NUMBER, f"seq is {value['seq']} and {number - 1} is due: a line was removed, inserted or said twice"
            )
        if value["prev"] != self._prev:
            above = "no line is above it" if number == 1 else f"line {number - 1} hashes to {self._prev}"
            return self._finding(_CHAIN, f"prev is not the hash of the line above: {above}")
        wrong = self._clock(value["t"])
        if wrong is not None:
            return self._finding(_CLOCK, wrong)
        self._prev, self._t = "sha256:" + sha256(piece).hexdigest(), value["t"]
        self.lines.append(Line(number, value["seq"], value["t"], value["type"], value["body"], self._prev))
        return None

    def _clock(self, t: str) -> str | None:
        if t == self._t:
            return None
        if t < self._t:
            return f"the time {t} is before that of the line above, {self._t}"
        try:
            moment_of(t)
        except ValueError:
            return f"the time {t} is on no calendar"
        return None

    def _finding(self, code: str, what: str) -> Finding:
        last = f"the last good head is seq {len(self.lines) - 1} {self._prev}" if self.lines else "no line above is good"
        return at_line(
            code, what, self._path, len(self.lines) + 1, notes=(f"{last}; nothing below is judged",),
            help="compare with a clone or checkpoint from before; a ledger only grows",
        )  # fmt: skip
