"""JSON Lines, strictly and in pieces: one object of the profile per line, an LF behind each, nothing else.

Almost every line of a log is plain: its members are few, known and not nested. So a whole piece of a file goes through
the C scanner, and counts over the piece show that nothing in it can be outside the profile: as many `":` as members (so
no member stands twice), no digits in a row beyond what every reader holds, no escape that makes a NUL or half a
character, not enough brackets for deep nesting, only names seen before. Where a count does not come out, the lines are
looked at one by one, and the few that are still in doubt are read by the canonical form's own reader.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wellposed.compiler.canonical import CanonicalError, read
from wellposed.compiler.profile import KEY, MAX_DEPTH, NOT_UTF8
from wellposed.verifier.amr.judge.limits import JudgeLimits

Record = dict[str, Any]

_DIGITS = bytes(ord("0") if 48 <= byte <= 57 else ord(" ") for byte in range(256))
_LONG = b"0" * 16  # 2**53 - 1 has 16 digits
_ESCAPES = ("\\u0000", "\\ud", "\\uD")
_SPACED = (" :", "\t:", "\r:")
_ZEROS = (":-0", ",-0", "[-0", " -0", "\t-0", "\r-0")
_DOUBTFUL = (*_ESCAPES, *_SPACED, *_ZEROS)
_WHITE = " \t\r"
_MANY_KEYS = 10_000
"""Names that are remembered as good ones."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive lines: the number of the first, and the object on each; None for a line that is none.

    `text` is what the piece was read from, lines that are no object included.
    """

    first: int
    records: Sequence[Record | None]
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a line as a line."""

    line: int
    text: str


class _NotPlain(ValueError):
    """A number that only the strict reader may judge."""


def _refuse(token: str) -> Any:
    raise _NotPlain(token)


_scan: Callable[[str, int], tuple[Any, int]] = vars(json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse))[
    "scan_once"
]


class LineReader:
    """Reads one file. `faults` holds what was wrong with the lines of the last piece; take it before the next.

    `torn` is, at the end, the number of the last line if no LF ends it, else None. It is read like any other.
    """

    def __init__(self, chunks: Iterator[bytes], limits: JudgeLimits) -> None:
        self._chunks = chunks
        self._limits = limits
        self._known: set[str] = set()
        self._line = 1
        self.faults: list[Fault] = []
        self.torn: int | None = None

    def pieces(self) -> Iterator[Piece]:
        """The file, piece by piece; at most one chunk and one line are in memory."""
        for raw in self._blocks():
            self.faults = []
            yield self._piece(raw)
            self._line += raw.count(b"\n")

    def _blocks(self) -> Iterator[bytes]:
        """Whole lines, each with its LF; the last line of the file gets one if it has none, and a fault."""
        held: list[bytes] = []
        size = 0
        for chunk in self._chunks:
            end = chunk.rfind(b"\n") + 1
            if end == 0:
                size += len(chunk)
                if size <= self._limits.line_bytes:
                    held.append(chunk)
                continue
            yield self._joined(held, size, chunk[:end])
            rest = chunk[end:]
            held, size = [rest] if rest else [], len(rest)
        if size:
            self.torn = self._line
            yield self._joined(held, size, b"") + b"\n"

    def _joined(self, held: list[bytes], size: int, tail: bytes) -> bytes:
        """What was held back and the rest of it. Of a line that is too long only so much is kept that this shows."""
        return (
            b"".join(held) + tail if size <= self._limits.line_bytes else b"\xff" * (self._limits.line_bytes + 1) + tail
        )

    def _piece(self, raw: bytes) -> Piece:
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            return self._apart(raw)
        records = self._scanned(text)
        if records is None or not self._plain(raw, text, records):
            return self._apart(raw)
        return Piece(self._line, records, text)

    def _scanned(self, text: str) -> list[Record] | None:
        """The object on each line, by the C scanner; None where any line is something else."""
        scan, find, records = _scan, text.find, list[Record]()
        position, end = 0, len(text)
        try:
            while position < end:
                record, after = scan(text, position)
                if after != find("\n", position) or type(record) is not dict:
                    return None
                records.append(record)
                position = after + 1
        except (ValueError, StopIteration, RecursionError):
            return None
        return records

    def _plain(self, raw: bytes, text: str, records: Sequence[Record]) -> bool:
        """Whether counts show that every line of the piece is within the profile."""
        if any(mark in text for mark in _DOUBTFUL) or _LONG in raw.translate(_DIGITS):
            return False
        names = set[str]().union(*records)
        if sum(map(len, records)) == text.count('":') and raw.count(b"[") + raw.count(b"{") - len(records) < MAX_DEPTH:
            return self._are_known(names)
        members, depth = _inside(records, names)
        return members == text.count('":') and depth <= MAX_DEPTH and self._are_known(names)

    def _are_known(self, names: set[str]) -> bool:
        """Whether all of these may be names of members; those that may are remembered."""
        fresh = names - self._known
        if not fresh:
            return True
        if not all(KEY.fullmatch(name) for name in fresh):
            return False
        if len(self._known) < _MANY_KEYS:
            self._known |= fresh
        return True

    def _apart(self, raw: bytes) -> Piece:
        """The lines one by one."""
        records: list[Record | None] = []
        for number, line in enumerate(raw[:-1].split(b"\n"), start=self._line):
            try:
                records.append(self._one(line))
            except CanonicalError as error:
                where = f" (byte {error.offset} of the line)" if error.offset else ""
                self.faults.append(Fault(number, f"{error.message}{where}"))
                records.append(None)
        return Piece(self._line, records, raw.decode(errors="replace"))

    def _one(self, line: bytes) -> Record:
        """The object on a line. Raises CanonicalError for anything else."""
        if len(line) > self._limits.line_bytes:
            raise CanonicalError(NOT_UTF8, f"the line is longer than {self._limits.line_bytes} bytes")
        if not line.strip(b" \t\r"):
            raise CanonicalError(NOT_UTF8, "an empty line; a line is one JSON object")
        value: Any = self._quick(line)
        if value is None:
            value = read(line)
        if type(value) is not dict:
            raise CanonicalError(NOT_UTF8, "the line is JSON, but no object")
        return value

    def _quick(self, line: bytes) -> Record | None:
        """The object on a line, where looking at it makes sure that it is within the profile; else None."""
        try:
            text = line.decode().strip(_WHITE)
            record, after = _scan(text, 0)
        except (ValueError, StopIteration, RecursionError):
            return None
        if after != len(text) or type(record) is not dict or any(mark in text for mark in _DOUBTFUL):
            return None
        if _LONG in line.translate(_DIGITS):
            return None
        names = set(record)
        members, depth = _inside((record,), names)
        plain = members == text.count('":') and depth <= MAX_DEPTH and self._are_known(names)
        return record if plain else None


def _inside(records: Sequence[Record], names: set[str]) -> tuple[int, int]:
    """How many members the objects have, those inside counted too, and how deep they are; names are added to `names`."""
    count = deepest = 0
    waiting: list[tuple[int, Any]] = []
    for record in records:
        count += len(record)
        waiting.extend((2, value) for value in record.values() if type(value) is dict or type(value) is list)
        while waiting:
            depth, value = waiting.pop()
            deepest = max(deepest, depth)
            if type(value) is dict:
                count += len(value)
                names.update(value)
                value = value.values()
            waiting.extend((depth + 1, one) for one in value if type(one) is dict or type(one) is list)
    return count, max(deepest, 1)
