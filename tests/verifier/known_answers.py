"""The known answers of the model page, as bundle documents with what must come out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from wellposed.dsl.vocabulary import obligations_of_level

Event = tuple[Any, ...]


class Known(NamedTuple):
    name: str
    document: dict[str, Any]
    verdict: str
    cores: tuple[frozenset[str], ...] = ()


def document(
    level: int,
    events: list[Event],
    expect: list[dict[str, Any]],
    *,
    horizon: int = 40,
    messages: tuple[tuple[str, int], ...] = (("m1", 0),),
    posture: str = "normal",
    rules: list[dict[str, Any]] | None = None,
    only_expect: bool = False,
) -> dict[str, Any]:
    """A bundle of messages in conversations of their own and events `(tick, kind, argument, name)`."""
    entries: list[tuple[int, str, dict[str, Any]]] = []
    for message, at in messages:
        record = {"id": message, "conversation_id": f"c-{message}", "from": f"{message}@example.test"}
        entries.append((at, "inbox", {**record, "subject": "order", "body": "Hello?", "at": at}))
    for number, (at, kind, *rest) in enumerate(events):
        argument = rest[0] if rest else None
        name = rest[1] if len(rest) > 1 else f"{kind}.{number}"
        entries.append((at, *_record(at, kind, argument, name)))
    entries.sort(key=lambda entry: entry[0])
    return {
        "format": "wellposed-bundle/1",
        "spec": "amr/0.14",
        "id": "known",
        "title": "known",
        "level": level,
        "skin": "support-desk",
        "horizon": horizon,
        "mode": {"changed_at": 0, "posture": posture},
        "rules": rules or [{"name": "all", "rules": [{"effect": "admit", "id": "all", "when": []}]}],
        "stub": {
            "anchors": [],
            "replies": [{"conversation_id": f"c-{message}", "parts": ["Noted."]} for message, _ in messages],
        },
        "schedule": [
            {"seq": seq, "at": at, "channel": channel, "record": record}
            for seq, (at, channel, record) in enumerate(entries)
        ],
        "invariants": [] if only_expect else list(obligations_of_level(level)),
        "expect": expect,
        "catches": [],
        "readings": "amr/0.14-base.1",
    }


def _record(at: int, kind: str, argument: Any, name: str) -> tuple[str, dict[str, Any]]:
    work = f"work:{argument}"
    if kind in ("approve", "reject"):
        return "approvals", {"approval_id": name, "match": {"work_id": work}, "decision": kind}
    if kind == "escalate":
        return "signals", {"signal_id": name, "signal_type": "OPERATOR_ESCALATION", "target": work, "at": at}
    if kind == "kill":
        return "signals", {"signal_id": name, "signal_type": "AGENT_DEATH", "target": {"holder_of": work}, "at": at}
    if kind == "crash":
        return "faults", {"fault_id": name, "fault": "crash"}
    if kind == "jump":
        return "faults", {"fault_id": name, "fault": "jump", "to": argument}
    return "faults", {"fault_id": name, "fault": kind, kind: argument}


def sent(once: bool = False, within: int | None = None, of: str | None = None, message: str = "m1") -> dict[str, Any]:
    return {"claim": "sent", "of": message, "once": once, "within": within, "from": of}


def never_sent(message: str = "m1") -> dict[str, Any]:
    return {"claim": "never-sent", "of": message}


def abandoned(reason: str | None = None, message: str = "m1") -> dict[str, Any]:
    return {"claim": "abandoned", "of": message, "reason": reason}


def either(*alternatives: dict[str, Any]) -> dict[str, Any]:
    return {"claim": "any", "of": [[claim] for claim in alternatives]}


BY_POSTURE = [
    {
        "name": "office",
        "rules": [{"effect": "admit", "id": "open", "when": [{"field": "posture", "op": "is", "value": "normal"}]}],
    }
]


def known_answers() -> Iterator[Known]:
    """Model page, Known answers (base readings)."""
    yield Known("l0 single reply", document(0, [], [sent(True, 10)]), "well-posed")
    redelivered = document(2, [(12, "approve", "m1", "go"), (15, "approve", "m1", "go")], [sent(True, 5, "go")])
    yield Known("l2 approval redelivery", redelivered, "well-posed")
    l4 = document(4, [(2, "escalate", "m1"), (5, "approve", "m1")], [never_sent(), abandoned("operator_escalation")])
    yield Known("l4 operator escalation", l4, "well-posed")
    for gap in range(14):
        l6 = document(6, [(12, "approve", "m1"), (12 + gap, "escalate", "m1")], [never_sent()])
        name = f"l6 escalated {gap} after the approval"
        if gap == 0:
            yield Known(name, l6, "well-posed")
        elif gap <= 5:
            yield Known(name, l6, "ambiguous")
        else:
            cores = [frozenset({"expectation", "L0.draft", "L2.send"})]
            if gap >= 11:
                cores.append(frozenset({"expectation", "L0.draft", "L0.reply"}))
            yield Known(name, l6, "unsatisfiable", tuple(cores))
    for at in range(12):
        for gap in range(1, 19):
            late = document(
                6, [(12, "approve", "m1"), (12 + gap, "escalate", "m1")], [never_sent()], messages=(("m1", at),)
            )
            verdict = "ambiguous" if gap <= max(5, at + 4) else "unsatisfiable"
            yield Known(f"l6 delivered at {at}, escalated {gap} after the approval", late, verdict)
    same_tick = document(4, [(12, "approve", "m1"), (12, "escalate", "m1")], [sent(True)])
    core = frozenset({"expectation", "L4.stop", "L2.authority"})
    yield Known("approved and escalated at 12, one send expected", same_tick, "unsatisfiable", (core,))
    fleet = document(
        3,
        [(14, "kill", "m1"), (30, "approve", "m1"), (30, "approve", "m2")],
        [sent(True), sent(True, message="m2")],
        horizon=60,
        messages=(("m1", 0), ("m2", 0)),
    )
    yield Known("a fleet with one death, one send each", fleet, "ambiguous")
    late_approval = document(2, [(20, "crash"), (105, "approve", "m1")], [sent()], horizon=130)
    yield Known("crash at 20, approved at 105", late_approval, "well-posed")
    revised = document(2, [(12, "reject", "m1"), (20, "approve", "m1", "go")], [either(sent(False, 5, "go"), abandoned())])
    yield Known("rejected at 12, approved at 20", revised, "well-posed")
    lifted = document(
        2,
        [(30, "posture", "normal")],
        [{"claim": "not-admitted", "of": "m1"}],
        messages=(("m1", 4),),
        posture="maintenance",
        rules=BY_POSTURE,
    )
    yield Known("maintenance lifted at 30", lifted, "ambiguous")
    yield Known("L3, one message, one approve", document(3, [(12, "approve", "m1")], [sent()]), "vacuous")
    unborn = document(3, [(0, "kill", "m1"), (20, "approve", "m1")], [either(sent(), abandoned())])
    yield Known("kill at 0, approve at 20, L3", unborn, "vacuous")
    waits = document(
        1, [(12, "crash"), (50, "approve", "m1", "go")], [either(sent(False, 10, "go"), sent(False, 32))], horizon=80
    )
    yield Known("L1, a governed system may wait", waits, "ambiguous")
    thrice = document(
        1, [(12, "approve", "m1"), (13, "reject", "m1"), (30, "approve", "m1")], [either(sent(), abandoned())], horizon=60
    )
    yield Known("L1, approved, rejected, approved", thrice, "vacuous")
    hasty = document(
        2,
        [(12, "approve", "m1"), (14, "reject", "m1"), (15, "approve", "m1", "g2")],
        [sent(False, 2, "g2")],
    )
    yield Known("sent within 2 of the second approval", hasty, "ambiguous")
    gone = document(3, [(12, "approve", "m1"), (20, "kill", "m1")], [sent(True)])
    yield Known("L3, approved at 12, killed at 20", gone, "vacuous")
    sticky = document(4, [(1, "escalate", "m1")], [never_sent(), abandoned()], messages=(("m1", 3),))
    yield Known("escalated at 1, delivered at 3", sticky, "well-posed")
    yield Known("approved at 0, sent within 16", document(2, [(0, "approve", "m1")], [sent(False, 16)]), "well-posed")
