"""Schedules near a given one: one event some ticks earlier or later, or one more event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from wellposed.compiler.references import record_id
from wellposed.dsl.vocabulary import GHOST_PREFIX
from wellposed.verifier.amr.repairs.case import WORK, Case, Json

FARTHEST = 5
"""How many ticks an event is moved at most."""

STIRRED_BY: Mapping[str, tuple[str, ...]] = {
    "trusts-dangling": ("dangling",),
    "trusts-wrong-hash": ("wrong hash",),
    "sends-unapproved-redraft": ("approve",),
    "ignores-reject": ("reject",),
    "sends-after-escalation": ("escalate",),
    "completes-after-escalation": ("escalate",),
    "drops-escalated-silently": ("escalate",),
    "duplicates-on-redelivery": ("redeliver",),
    "forks-on-redelivery": ("redeliver",),
    "resends-on-repeated-approval": ("repeat",),
    "resends-on-crash": ("crash",),
    "forgets-on-crash": ("crash",),
    "restarts-step-on-crash": ("crash",),
    "drops-dead-agents-work": ("kill",),
}
"""The kinds of events by which a faulty system may be made to err; for the others mail is enough."""


def schedules(case: Case, system: str) -> Iterator[tuple[str, Json]]:
    """What is changed, in words, with the whole document; smaller moves first, then new events for a faulty system."""
    yield from _moved(case)
    kinds = STIRRED_BY.get(system, ("deliver",))
    for tick in _ticks(case):
        for kind, words, channel, record in _events(case, tick):
            if kind in kinds:
                entry = {"at": tick, "channel": channel, "record": record}
                yield f"add `at {tick} {words}`", _with(case, case.document["schedule"], entry)


def _moved(case: Case) -> Iterator[tuple[str, Json]]:
    for distance in range(1, FARTHEST + 1):
        for entry in case.document["schedule"]:
            if "at" not in entry:
                continue
            for tick in (entry["at"] - distance, entry["at"] + distance):
                if 0 <= tick <= case.horizon:
                    record = {**entry["record"], **({"at": tick} if "at" in entry["record"] else {})}
                    others = [one for one in case.document["schedule"] if one is not entry]
                    words = f"move `{case.statement(entry)}` from {entry['at']} to {tick}"
                    yield words, _with(case, others, {**entry, "at": tick, "record": record})


def _with(case: Case, others: Any, entry: Json) -> Json:
    """The document with the entry behind the others of its tick."""
    timed = [one for one in others if "at" in one and one["at"] <= entry["at"]]
    later = [one for one in others if not ("at" in one and one["at"] <= entry["at"])]
    schedule = [{**one, "seq": seq} for seq, one in enumerate((*timed, entry, *later))]
    return {**case.document, "schedule": schedule}


def _ticks(case: Case) -> list[int]:
    """Those of the other events, and those right behind what lawful runs do."""
    found = {case.clock.index(entry["at"]) for entry in case.document["schedule"] if "at" in entry}
    for message in case.deliveries:
        for span in (case.window(message, "admitted"), case.window(message, "drafted"), case.outcome(message, "sent")):
            if span is not None:
                found.add(span.last + 1)
    return sorted({case.clock.tick(index) for index in found if index <= case.clock.horizon})


def _events(case: Case, tick: int) -> Iterator[tuple[str, str, str, Json]]:
    """Events for a tick: the kind, the statement, its channel and record."""
    yield "crash", "crash", "faults", {"fault": "crash", "fault_id": _fresh(case, "crash.")}
    forged, ghost = _fresh(case, "forged-"), _fresh(case, f"{GHOST_PREFIX}draft-")
    record: Json = {"approval_id": forged, "decision": "approve", "draft_id": ghost, "forged": "dangling"}
    yield "dangling", f'forge approval "{forged}" for draft "{ghost}"', "approvals", record
    seen = set()
    for entry in case.timed("approvals"):
        id = entry["record"]["approval_id"]
        if entry["at"] <= tick and id not in seen:
            seen.add(id)
            yield "repeat", f"repeat {case.names.record(id)}", "approvals", entry["record"]
    for message, delivery in case.deliveries.items():
        yield from _of_item(case, tick, message, delivery)


def _of_item(case: Case, tick: int, message: str, delivery: Json) -> Iterator[tuple[str, str, str, Json]]:
    name, work = case.names.record(message), WORK + message
    own = delivery["record"]
    if delivery["at"] <= tick:
        yield "redeliver", f"redeliver {name}", "inbox", {**own, "at": tick}
    record: Json = {**own, "id": _fresh(case, "other-"), "at": tick}
    yield "deliver", case.statement({"at": tick, "channel": "inbox", "record": record}), "inbox", record
    for decision in ("approve", "reject"):
        id = _fresh(case, f"{message}.{decision}.")
        yield (
            decision,
            f"{decision} {name}",
            "approvals",
            {"approval_id": id, "decision": decision, "match": {"work_id": work}},
        )
    record = {
        "approval_id": _fresh(case, "forged-"),
        "decision": "approve",
        "forged": "wrong-hash",
        "match": {"work_id": work},
    }
    yield "wrong hash", f'forge approval "{record["approval_id"]}" for {name} with wrong hash', "approvals", record
    record = {
        "signal_id": _fresh(case, f"{message}.escalate."),
        "signal_type": "OPERATOR_ESCALATION",
        "target": work,
        "at": tick,
    }
    yield "escalate", f"escalate {name}", "signals", record
    target = {"holder_of": work}
    record = {
        "signal_id": _fresh(case, f"{message}.death."),
        "signal_type": "AGENT_DEATH",
        "target": target,
        "at": tick,
    }
    yield "kill", f"kill agent of {name}", "signals", record


def _fresh(case: Case, stem: str) -> str:
    """An id that nothing has."""
    taken = {record_id(entry)[1] for entry in case.document["schedule"]}
    return next(id for number in count(1) if (id := f"{stem}{number}") not in taken)
