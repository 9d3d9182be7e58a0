"""What the repairs look at: a bundle document, what its verification says, and its clock."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from wellposed.compiler.bundle_edits import BundleEdit
from wellposed.compiler.decompile.names import Names
from wellposed.compiler.decompile.schedule import statement_of
from wellposed.dsl.findings import Pointer
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.claims import atoms, spoken_of
from wellposed.verifier.amr.clock import Clock
from wellposed.verifier.amr.outbox import Outbox
from wellposed.verifier.report import Outcome, Verification

BUDGETS = Budgets()
WORK = "work:"

Json = Mapping[str, Any]

# Ids that nobody wrote: a source has no name for such a record.
_DERIVED = re.compile(r"(?:.*\.(?:approve|reject|escalate|death)|crash|jump|posture|rules|hold|release)\.\d+")


class Proposal(NamedTuple):
    """What to do, the element of the bundle whose finding it answers, and the edits."""

    words: str
    pointer: str
    edits: tuple[BundleEdit, ...]


class Span(NamedTuple):
    """The first and the last visible tick at which something can happen, as indexes."""

    first: int
    last: int


@dataclass(frozen=True)
class Case:
    """One document with the result of its verification, windows included. Ticks are real, indexes count visible ticks."""

    document: Json
    verification: Verification

    @cached_property
    def clock(self) -> Clock:
        """The clock as the timed jumps make it."""
        jumps = ((one["at"], one["record"]["to"]) for one in self.timed("faults") if one["record"]["fault"] == "jump")
        return Clock(self.horizon, jumps)

    @cached_property
    def outbox(self) -> Outbox:
        """When effects are held."""
        faults = ((self.clock.index(one["at"]), one["seq"], one["record"]["fault"]) for one in self.timed("faults"))
        switches = ((index, fault == "hold") for index, _, fault in sorted(faults) if fault in ("hold", "release"))
        return Outbox.of(switches, self.clock)

    @cached_property
    def names(self) -> Names:
        """How the source spells the names."""
        return Names(self.document)

    @property
    def horizon(self) -> int:
        """The last tick."""
        return int(self.document["horizon"])

    @property
    def level(self) -> int:
        """The top level."""
        return int(self.document["level"])

    # What was found

    @cached_property
    def failing(self) -> tuple[int, ...]:
        """The expectations that are ambiguous or belong to a contradiction."""
        wrong = ("ambiguous", "unsatisfiable")
        return tuple(one.index for one in self.verification.expectations if one.verdict in wrong)

    def text(self, index: int) -> str:
        """An expectation, quoted."""
        return f"`{self.verification.expectations[index].text}`"

    def found(self, code: str) -> Iterator[str]:
        """The elements of the bundle that findings of this code point at."""
        for finding in self.verification.findings:
            if finding.code == code and isinstance(finding.place, Pointer):
                yield finding.place.pointer

    @cached_property
    def concerned(self) -> dict[str, str]:
        """The messages of which failing expectations speak, each with the place of the first that does."""
        found: dict[str, str] = {}
        for index in self.failing:
            claim = self.document["expect"][index]
            exact = any(atom["claim"] == "only-sent" for atom in atoms(claim))
            for message in (*spoken_of(claim), *(self.deliveries if exact else ())):
                found.setdefault(message, f"/expect/{index}")
        return found

    # What the schedule has

    def statement(self, entry: Json) -> str:
        """An entry as it is written, without its tick."""
        return " ".join(statement_of(entry, self.document))

    def timed(self, channel: str) -> Iterator[Json]:
        """The entries of a channel that are written for a tick."""
        return (one for one in self.document["schedule"] if one["channel"] == channel and "at" in one)

    def approvals(self, message: str) -> list[Json]:
        """The genuine approvals of an item that are written for a tick, without repeats."""
        found: dict[str, Json] = {}
        for one in self.timed("approvals"):
            record = one["record"]
            genuine = "forged" not in record and record["decision"] == "approve"
            if genuine and record["match"]["work_id"] == WORK + message:
                found.setdefault(record["approval_id"], one)
        return list(found.values())

    @property
    def deaths(self) -> int:
        """How many deaths there are, repeats left out."""
        signals = (one["record"] for one in self.document["schedule"] if one["channel"] == "signals")
        return len({one["signal_id"] for one in signals if one["signal_type"] == "AGENT_DEATH"})

    @cached_property
    def deliveries(self) -> dict[str, Json]:
        """The first delivery of each message."""
        found: dict[str, Json] = {}
        for one in self.timed("inbox"):
            found.setdefault(one["record"]["id"], one)
        return found

    # Times

    def outcome(self, message: str, outcome: str) -> Span | None:
        """When an item can end in this way, for whatever reason; None where it cannot."""
        ends = [one for one in self.outcomes(message) if one.outcome == outcome]
        ticks = [(one.first, one.last) for one in ends if one.first is not None and one.last is not None]
        if not ticks:
            return None
        return Span(
            min(self.clock.index(first) for first, _ in ticks), max(self.clock.index(last) for _, last in ticks)
        )

    def outcomes(self, message: str) -> Sequence[Outcome]:
        """How an item can end."""
        return self.verification.outcomes.get(message, ())

    def window(self, message: str, record: str) -> Span | None:
        """When an item can be admitted or drafted, or an event (by its pointer) that hangs on it can happen."""
        for one in self.verification.windows:
            if one.item == message and one.record == record:
                return Span(self.clock.index(one.first), self.clock.index(one.last))
        return None

    def happens(self, name: str) -> Span | None:
        """When what a name stands for can happen; None where that is not known."""
        for one in self.document["schedule"]:
            if name in (one["record"].get(member) for member in ("id", "approval_id", "signal_id", "fault_id")):
                pointer = f"/schedule/{one['seq']}"
                found = [each for each in self.verification.windows if each.record == pointer]
                if found:
                    return Span(self.clock.index(found[0].first), self.clock.index(found[0].last))
                if "at" in one:
                    index = self.clock.index(one["at"])
                    return Span(index, index)
                return None
        return None


def is_written(name: str) -> bool:
    """Whether a source names the record, so that an expectation can count from it."""
    return _DERIVED.fullmatch(name) is None


def message_of(work_id: str) -> str:
    """The message of a symbolic work id."""
    return work_id.removeprefix(WORK)
