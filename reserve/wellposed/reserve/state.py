"""What the ledger comes to: batches, their entries, and what was done with each.

An entry is sealed, then announced, applied and revealed. Until it is revealed it can be reported leaked, and forfeited;
revealed and forfeited are final.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Protocol

from wellposed.reserve.dates import day
from wellposed.reserve.lines import Line

SEALED, ANNOUNCED, APPLIED, LEAKED, REVEALED, FORFEITED = (
    "sealed", "announced", "applied", "leaked", "revealed", "forfeited",
)  # fmt: skip
LIVE = (SEALED, ANNOUNCED, APPLIED)
"""States in which an entry is still secret, as far as the ledger knows."""
OPEN = (*LIVE, LEAKED)
"""States in which an entry still has to be revealed or forfeited."""
STATES = (*OPEN, REVEALED, FORFEITED)
OPEN_LOGS_DAYS = 14
"""Under the policy that publishes logs at once, an entry is burned by them and revealed within so many days."""


class Tell(Protocol):
    """Reports a finding at the line that is looked at."""

    def __call__(self, code: str, message: str, help: str | None = None) -> None: ...


@dataclass(slots=True)
class Result:
    """One application of an entry to a submission; `voided` is the line that takes it back."""

    line: Line
    voided: Line | None = None
    voided_after_reveal: bool = False


@dataclass(slots=True)
class Entry:
    """A commitment and what became of it."""

    commit: str
    batch: Batch
    state: str = SEALED
    results: list[Result] = field(default_factory=list)
    reveal: Line | None = None
    leak: Line | None = None
    forfeit: Line | None = None

    def of(self, submission: str) -> list[Result]:
        """The results of one submission, voided ones too, in order."""
        return [one for one in self.results if one.line.body["submission"] == submission]

    def due(self, logs: str) -> date:
        """The day by which the entry has to be revealed or forfeited, under a policy for logs."""
        by = day(self.batch.line.body["reveal_by"])
        if logs == "open" and self.results:
            return min(by, day(self.results[-1].line.t) + timedelta(days=OPEN_LOGS_DAYS))
        return by


@dataclass(slots=True)
class Batch:
    """Entries that were sealed together, by one line."""

    name: str
    line: Line
    entries: list[Entry] = field(default_factory=list)
    announce: Line | None = None

    @property
    def pool(self) -> frozenset[str]:
        """What was announced."""
        return frozenset() if self.announce is None else frozenset(self.announce.body["pool"])

    @property
    def submissions(self) -> Mapping[str, Mapping[str, Any]]:
        """The submissions that were announced, by name."""
        return {} if self.announce is None else {one["name"]: one for one in self.announce.body["submissions"]}


@dataclass(slots=True)
class State:
    """Everything the lines so far say; grows line by line while they are replayed."""

    lines: list[Line] = field(default_factory=list)
    genesis: Line | None = None
    batches: dict[str, Batch] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)
    anchors: list[Line] = field(default_factory=list)

    @property
    def policy(self) -> Mapping[str, Any]:
        """The policy of the genesis line; without one, the strictest."""
        if self.genesis is None:
            return {"max_reveal_days": 1, "logs": "committed", "anchor": "required"}
        policy: Mapping[str, Any] = self.genesis.body["policy"]
        return policy

    def entry(self, line: Line, tell: Tell) -> Entry | None:
        """The entry that a line is about; told where there is none."""
        found = self.entries.get(line.body["commit"])
        if found is None:
            tell("WP836", f"{short(line.body['commit'])} was never sealed in this ledger")
        return found

    def count(self, *states: str) -> int:
        """How many entries are in one of these states."""
        return sum(one.state in states for one in self.entries.values())


def short(hash: str) -> str:
    """A hash as messages show it: enough of it to find it."""
    return hash[: len("sha256:") + 16] + "…"
