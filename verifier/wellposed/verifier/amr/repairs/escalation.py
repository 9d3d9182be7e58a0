"""An escalation some ticks after an approval: by then a quick system has sent. In the approval's own tick none has."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Replace
from wellposed.verifier.amr.repairs.case import Case, Json, Proposal, message_of


def repairs(case: Case) -> Iterator[Proposal]:
    """The escalation in the tick of the last approval before it, or that approval in the tick of the escalation."""
    for one in case.timed("signals"):
        if one["record"]["signal_type"] == "OPERATOR_ESCALATION":
            message = message_of(one["record"]["target"])
            before = [each for each in case.approvals(message) if each["at"] < one["at"]]
            if before and message in case.concerned:
                yield from _together(case, message, before[-1], one)


def _together(case: Case, message: str, approval: Json, escalation: Json) -> Iterator[Proposal]:
    name, pointer = case.names.record(message), case.concerned[message]
    words = f"escalate {name} at {approval['at']}, in the tick of its approval"
    yield Proposal(words, pointer, (Replace(f"/schedule/{escalation['seq']}/at", approval["at"]),))
    words = f"approve {name} at {escalation['at']}, in the tick of its escalation"
    yield Proposal(words, pointer, (Replace(f"/schedule/{approval['seq']}/at", escalation["at"]),))
