"""Pairs of generated scenarios that share a beginning, and by plain enumeration whether they share a run of it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from tests.oracle import Budgets, MessageTrace, explore
from tests.oracle.basics import Document
from tests.oracle.declarative_claims import Story
from tests.oracle.document import read_document
from tests.oracle.generate import sample
from tests.oracle.generate_claims import ClaimMaker
from tests.oracle.regime import FIRST_LEVEL

Entry = dict[str, Any]
Draw = Callable[[int, int | None], tuple[Document, Budgets]]
CHOSEN = ("reply-in", "reply-anchor", "claims-settle", "state-agrees")
"""Claims about choices that are no part of a trace."""


def pair(rng: Random, seed: int, draw: Draw = sample) -> tuple[Document, Document, Budgets]:
    """Two documents with a common beginning, without expectations."""
    base, budgets = draw(seed, rng.choice((None, 1, 1)))
    base["expect"] = []
    one, other = copy.deepcopy(base), copy.deepcopy(base)
    for document in (one, other):
        if rng.random() < 0.3:
            document["level"] = min(6, max(0, document["level"] + rng.choice((-2, -1, 1, 2))))
        document["invariants"] = sorted(row for row, first in FIRST_LEVEL.items() if first <= document["level"])
    other["schedule"] = _changed(rng, base)
    if rng.random() < 0.2:
        last = max([entry["at"] for entry in other["schedule"] if "at" in entry])
        jumps = [e["record"].get("to", 0) for e in other["schedule"] if e["record"].get("fault") == "jump"]
        other["horizon"] = max(last, *jumps, other["horizon"] - rng.choice((1, 2)), 1)
    return one, other, budgets


def _changed(rng: Random, base: Document) -> list[Entry]:
    """The schedule, with something else from a tick on, or nothing."""
    schedule = copy.deepcopy(base["schedule"])
    first = next(entry["at"] for entry in schedule if entry["channel"] == "inbox")
    cut = min(base["horizon"], first + rng.choice((1, 2, 2, 3, 3, 4, 5, 6)))
    originals = {entry["record"]["id"] for entry in schedule if entry["channel"] == "inbox" and entry.get("at", 0) < cut}
    draw = rng.random()
    if draw < 0.35:
        schedule = [e for e in schedule if "when" in e or e["at"] < cut or e["channel"] == "inbox" or _is_rules(e)]
    if draw < 0.15 or draw > 0.95:
        schedule = [e for e in schedule if "when" not in e]
    if 0.1 < draw < 0.75:
        of = rng.choice(sorted(originals))
        for number in range(rng.choice((1, 1, 2))):
            schedule.append(_statement(rng, of, cut + number, f"new.{number}"))
    horizon = base["horizon"]
    schedule = [e for e in schedule if "when" in e or e["at"] <= horizon]
    timed = sorted((e for e in schedule if "at" in e), key=lambda e: int(e["at"]))
    ordered = [*timed, *(e for e in schedule if "when" in e)]
    return [{**entry, "seq": seq} for seq, entry in enumerate(ordered)]


def _is_rules(entry: Entry) -> bool:
    """Every version has to stay in use."""
    return entry["record"].get("fault") == "rules"


def _statement(rng: Random, of: str, at: int, name: str) -> Entry:
    work = f"work:{of}"
    kind = rng.choice(("approve", "approve", "reject", "escalate", "escalate", "crash", "kill"))
    if kind in ("approve", "reject"):
        record: Entry = {"approval_id": name, "match": {"work_id": work}, "decision": kind}
        return {"at": at, "channel": "approvals", "record": record}
    if kind == "escalate":
        record = {"signal_id": name, "signal_type": "OPERATOR_ESCALATION", "target": work, "at": at}
        return {"at": at, "channel": "signals", "record": record}
    if kind == "kill":
        record = {"signal_id": name, "signal_type": "AGENT_DEATH", "target": {"holder_of": work}, "at": at}
        return {"at": at, "channel": "signals", "record": record}
    return {"at": at, "channel": "faults", "record": {"fault_id": name, "fault": kind}}


def conforming(document: Document, budgets: Budgets, drafts: int, limit: int) -> list[Story]:
    """The conforming runs. Raises TooLarge."""
    scenario = read_document(document)
    runs = sorted(explore(document, budgets, max_drafts=drafts, max_traces=limit), key=str)
    return [Story(scenario, budgets, run) for run in runs]


def claims_of(rng: Random, document: Document, budgets: Budgets, run: Story) -> list[Entry]:
    """Up to three claims that hold in the run given."""
    maker = ClaimMaker(rng, budgets, document["level"], document["horizon"], document["schedule"])
    maker.conversations = [entry["conversation_id"] for entry in document["stub"]["replies"]]
    found = [claim for _ in range(12) for claim in maker.claims()]
    plain = [claim for claim in found if not any(kind in str(claim) for kind in CHOSEN) and run.holds(claim, {})]
    return rng.sample(plain, min(len(plain), rng.choice((1, 2, 3, 4))))


def parting(one: Document, other: Document) -> int:
    """The first tick at which the documents show something else, at most the one behind the earlier horizon."""
    one, other = nameless(one), nameless(other)
    end = min(one["horizon"], other["horizon"]) + 1
    if (one["mode"], one["rules"], one["stub"]) != (other["mode"], other["rules"], other["stub"]):
        return 0
    return next((tick for tick in range(end) if shown(one, tick) != shown(other, tick)), end)


def nameless(document: Document) -> Document:
    """The document with its decisions, signals and faults numbered as they stand, triggered ones apart."""
    numbers: dict[str, tuple[bool, int]] = {}
    schedule = []
    for entry in document["schedule"]:
        record, triggered = dict(entry["record"]), "when" in entry
        before = sum(also == triggered for also, _ in numbers.values())
        for name in {"approval_id", "signal_id", "fault_id"} & record.keys():
            record[name] = numbers.setdefault(record[name], (triggered, before))
        schedule.append({**entry, "record": record})
    return {**document, "schedule": schedule}


def shown(document: Document, tick: int) -> list[Any]:
    """The entries of a tick; triggered ones from the first tick at which they can fire."""
    schedule = document["schedule"]
    due = [(entry["channel"], entry["record"]) for entry in schedule if entry.get("at") == tick]
    first = {e["record"]["id"]: e["at"] for e in reversed(schedule) if e["channel"] == "inbox" and "at" in e}
    chances = [(first[entry["when"]["work_id"].removeprefix("work:")] + 1, entry) for entry in schedule if "when" in entry]
    if any(chance == tick for chance, _ in chances):
        due += [(e["when"], e["channel"], e["record"]) for chance, e in chances if chance <= tick]
    return due


def beginning(run: Story, until: int) -> frozenset[Any]:
    """What a run writes before a tick, item by item, for the items that are there by then."""
    found = set()
    for name, log in run.logs.items():
        real = log.clock.real
        if real[log.arrival] < until:
            fired = {death: real[order[0]] for death, order in log.clock.fired.items()}
            found.add((name, _early(log.run, until, fired)))
    return frozenset(found)


def beginnings(document: Document, runs: list[Story], until: int) -> set[frozenset[Any]]:
    """The beginnings of the runs that pass."""
    return {beginning(run, until) for run in runs if all(run.holds(claim, {}) for claim in document["expect"])}


def _early(item: MessageTrace, until: int, fired: dict[str, int]) -> tuple[Any, ...]:
    admitted = item.admitted is not None and item.admitted < until
    send = item.send if item.send is not None and item.send[0] < until else None
    return (
        (item.admitted, item.rules) if admitted else None,
        tuple(draft for draft in item.drafts if draft < until),
        (send[0], item.drafts[send[1]]) if send is not None else None,
        item.resolution if item.resolution is not None and item.resolution[0] < until else None,
        tuple(won for won in item.won if won < until),
        tuple(death for death in item.held if fired[death] < until),
    )
