"""An escalation some ticks after an approval: with effects held in between, no system can have sent by then."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Insert
from wellposed.verifier.amr.repairs.case import Case, Json, Proposal, message_of


def repairs(case: Case) -> Iterator[Proposal]:
    """Effects held from the tick of the first approval to that of the escalation."""
    for one in case.timed("signals"):
        if one["record"]["signal_type"] == "OPERATOR_ESCALATION":
            message = message_of(one["record"]["target"])
            before = [each["at"] for each in case.approvals(message) if each["at"] < one["at"]]
            if before and message in case.concerned:
                words = f"hold effects from {before[0]} to {one['at']}, from the approval of {case.names.record(message)} to its escalation"
                edits = (_switch("hold", before[0]), _switch("release", one["at"]))
                yield Proposal(words, case.concerned[message], edits)


def _switch(fault: str, at: int) -> Insert:
    record: Json = {"fault": fault, "fault_id": f"{fault}.1"}
    return Insert("/schedule", {"at": at, "channel": "faults", "record": record})
