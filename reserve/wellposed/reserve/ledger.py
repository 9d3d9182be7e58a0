"""The ledger that an operator writes: lines are only ever added, and only such as a reader will accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wellposed.dsl.findings import Finding
from wellposed.reserve.dates import stamp
from wellposed.reserve.disk import Busy, locked, make_folder, write_whole
from wellposed.reserve.lines import LEDGER, MAX_LEDGER, Chain, head_of, line_bytes, read_chain
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.rules import replay
from wellposed.reserve.shapes import CHECKPOINT_FORMAT
from wellposed.reserve.state import State
from wellposed.reserve.trees import Folder, NotReadable

NO_LEDGER, BUSY = "WP809", "WP890"
Record = tuple[str, Mapping[str, Any]]
"""A line that is to be written: its type and body."""


@dataclass(frozen=True, slots=True)
class Appended:
    """What was written: the lines' bytes, and where the ledger now ends."""

    raw: bytes
    ledger: str
    seq: int
    head: str

    @property
    def checkpoint(self) -> str:
        """What to print in reports and releases, so that others remember it."""
        return f"{CHECKPOINT_FORMAT} {self.ledger} {self.seq} {self.head}"


class Ledger:
    """The ledger in a folder of the work tree."""

    def __init__(self, folder: Path, now: datetime | None = None) -> None:
        self.folder = folder
        self._now = now or datetime.now(UTC)
        self._path = (folder / LEDGER).as_posix()

    @property
    def now(self) -> str:
        """The time that a line written now has."""
        return stamp(self._now)

    def raw(self) -> bytes:
        """The bytes of the ledger, none where there is no ledger. Raises Refusal."""
        try:
            return Folder(self.folder).read(LEDGER, MAX_LEDGER)
        except NotReadable as problem:
            if str(problem) == "is missing":
                return b""
            raise Refusal(at_file(NO_LEDGER, f"the ledger {problem}", self._path)) from problem

    def state(self) -> State:
        """What the ledger comes to. Raises Refusal where it is missing or not sound, and nothing can be added to it."""
        raw = self.raw()
        if not raw:
            help = "the first `wellposed reserve publish` begins it"
            raise Refusal(at_file(NO_LEDGER, "there is no ledger here", self._path, help))
        _, state, findings = self._examined(raw)
        if findings:
            raise Refusal(*findings)
        return state

    def _examined(self, raw: bytes) -> tuple[Chain, State, tuple[Finding, ...]]:
        chain = read_chain(raw, self._path)
        state, findings = replay(chain.lines, self._path)
        return chain, state, (*chain.findings, *findings)

    def append(self, records: Sequence[Record]) -> Appended:
        """Write lines, all of them or none. Raises Refusal for what no reader would accept, and OSError."""
        make_folder(self.folder)
        try:
            with locked(self.folder):
                return self._append(records)
        except Busy as busy:
            raise Refusal(at_file(BUSY, str(busy), self._path)) from busy

    def _append(self, records: Sequence[Record]) -> Appended:
        before = self.raw()
        chain, _, findings = self._examined(before)
        if findings:
            raise Refusal(*findings)
        seq, prev = len(chain.lines), chain.head
        added = b""
        for kind, body in records:
            line = line_bytes(seq, prev, self.now, kind, body)
            seq, prev, added = seq + 1, head_of(line), added + line
        _, state, findings = self._examined(before + added)
        if findings:
            raise Refusal(*findings)
        write_whole(self.folder / LEDGER, before + added)
        ledger = "" if state.genesis is None else state.genesis.body["ledger"]
        return Appended(added, ledger, seq - 1, prev)
