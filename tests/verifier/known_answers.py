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
    ends: tuple[tuple[str, int, int], ...] = ()
    """Of m1: ways in which it can end, each with the first and the last tick."""


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
    """A bundle of messages in conversations of their own and events `(tick, kind, argument, name)`.

    A decision of kind `approve oldest` is one on the oldest draft; `escalate deferred` and `kill deferred` are signals that
    wait for their item. An event with the name of another is that one repeated.
    """
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
    kind, _, how = kind.partition(" ")
    if kind in ("approve", "reject"):
        match = {"work_id": work, "draft": "oldest"} if how == "oldest" else {"work_id": work}
        return "approvals", {"approval_id": name, "match": match, "decision": kind}
    waits = {"deferred": True} if how == "deferred" else {}
    if kind == "escalate":
        return "signals", {"signal_id": name, "signal_type": "OPERATOR_ESCALATION", "target": work, "at": at} | waits
    if kind == "kill":
        target = {"holder_of": work}
        return "signals", {"signal_id": name, "signal_type": "AGENT_DEATH", "target": target, "at": at} | waits
    if kind in ("crash", "hold", "release"):
        return "faults", {"fault_id": name, "fault": kind}
    if kind == "jump":
        return "faults", {"fault_id": name, "fault": "jump", "to": argument}
    return "faults", {"fault_id": name, "fault": kind, kind: argument}


def sent(once: bool = False, within: int | None = None, of: str | None = None, message: str = "m1") -> dict[str, Any]:
    return {"claim": "sent", "of": message, "once": once, "within": within, "from": of}


def never_sent(message: str = "m1") -> dict[str, Any]:
    return {"claim": "never-sent", "of": message}


def abandoned(reason: str | None = None, message: str = "m1") -> dict[str, Any]:
    return {"claim": "abandoned", "of": message, "reason": reason}


def only(*messages: str, ordered: bool = False) -> dict[str, Any]:
    return {"claim": "only-sent", "of": list(messages), "ordered": ordered}


def either(*alternatives: dict[str, Any]) -> dict[str, Any]:
    return {"claim": "any", "of": [[claim] for claim in alternatives]}


BY_POSTURE = [
    {
        "name": "office",
        "rules": [{"effect": "admit", "id": "open", "when": [{"field": "posture", "op": "is", "value": "normal"}]}],
    }
]


BY_SENDER = [
    {
        "name": "customers",
        "rules": [
            {"effect": "admit", "id": "m1", "when": [{"field": "message.from", "op": "is", "value": "m1@example.test"}]}
        ],
    }
]


def known_answers() -> Iterator[Known]:
    """What can be decided by hand, under the base readings."""
    yield from of_the_model_page()
    yield from of_holds()
    yield from of_oldest_drafts()
    yield from of_signals()
    yield from of_exact_sends()


def of_the_model_page() -> Iterator[Known]:
    """Model page, Known answers."""
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


def of_holds() -> Iterator[Known]:
    """Model page, Holding effects."""
    stopped = [never_sent(), abandoned("operator_escalation")]
    for release, verdict in ((16, "well-posed"), (14, "well-posed"), (13, "ambiguous")):
        # Open before the escalation is only what comes from the release on: nothing, nothing, the tick 13.
        events: list[Event] = [(12, "hold"), (12, "approve", "m1"), (14, "escalate", "m1"), (release, "release")]
        yield Known(f"held from the approval at 12 to {release}, escalated at 14", document(6, events, stopped), verdict)
    # The open ticks behind 12 are 13 and, behind the hold, 20, 21, 22 and 23.
    held: list[Event] = [(12, "approve", "m1", "go"), (14, "hold"), (20, "release")]
    for within, of, verdict in ((5, "go", "well-posed"), (4, "go", "ambiguous"), (17, None, "well-posed"), (16, None, "ambiguous")):
        name = f"approved at 12, held 14 to 19, sent within {within} of {of or 'm1'}"
        yield Known(name, document(2, held, [sent(True, within, of)]), verdict, ends=(("sent", 12, 23),))
    behind: list[Event] = [(12, "approve", "m1", "go"), (18, "hold"), (30, "release")]
    yield Known("held behind the window", document(2, behind, [sent(True, 5, "go")]), "well-posed", ends=(("sent", 12, 17),))
    last = [(12, "approve", "m1", "go"), (17, "hold"), (30, "release")]
    yield Known("held at the last tick of the window", document(2, last, [sent(True, 4, "go")]), "ambiguous", ends=(("sent", 12, 30),))
    never: list[Event] = [(12, "approve", "m1", "go"), (13, "hold"), (13, "release")]
    yield Known("held at no tick", document(2, never, [sent(True, 5, "go")]), "well-posed", ends=(("sent", 12, 17),))
    closed: list[Event] = [(12, "hold"), (12, "approve", "m1")]
    yield Known("held from 12 to the end, never sent", document(2, closed, [never_sent()]), "well-posed")
    core = frozenset({"expectation", "L2.authority"})
    yield Known("held from 12 to the end, sent", document(2, closed, [sent()]), "unsatisfiable", (core,))
    # The open ticks behind 0 begin at 12, so the tenth is 21.
    arrives: list[Event] = [(0, "hold"), (12, "release")]
    yield Known("held over the delivery, L0", document(0, arrives, [sent(True, 10)]), "well-posed", ends=(("sent", 12, 21),))
    yield Known("held over the delivery, L0, sent within 9", document(0, arrives, [sent(True, 9)]), "ambiguous")
    # Held from 13 on; the jump takes 15 to 29 away and moves the release to 30; then come 30, 31, 32, 33 and 34.
    jumped: list[Event] = [(12, "approve", "m1", "go"), (13, "hold"), (14, "jump", 30), (20, "release")]
    yield Known("released inside a jump", document(2, jumped, [sent(True, 5, "go")]), "well-posed", ends=(("sent", 12, 34),))
    # Nothing can have left at 14. Behind the crash, twenty open ticks begin at 20 and end at 39, for an end of either kind.
    crashed: list[Event] = [(12, "hold"), (12, "approve", "m1", "go"), (14, "crash"), (20, "release")]
    for within, verdict in ((20, "well-posed"), (19, "ambiguous")):
        claim = either(sent(False, within, "go"), abandoned("crash"))
        yield Known(
            f"crashed at 14, held 12 to 19, sent within {within}",
            document(2, crashed, [claim], horizon=60),
            verdict,
            ends=(("sent", 20, 39), ("abandoned", 14, 39)),
        )
    # The decision of 32 leaves ten ticks to the horizon, but six open ones.
    for events, verdict in (([], "vacuous"), ([(33, "hold"), (37, "release")], "ambiguous")):
        decided = document(3, [(32, "approve", "m1"), *events], [{"claim": "completed", "of": "m1"}], horizon=42)
        yield Known(f"approved at 32, with {len(events)} switches, completed by 42", decided, verdict)
    # The fifth open tick behind 12 is 24: up to there an escalation excuses.
    for at, verdict in ((24, "ambiguous"), (25, "unsatisfiable")):
        late: list[Event] = [(12, "hold"), (12, "approve", "m1"), (20, "release"), (at, "escalate", "m1")]
        cores = (frozenset({"expectation", "L0.draft", "L2.send"}),) if verdict == "unsatisfiable" else ()
        yield Known(f"held 12 to 19, escalated at {at}", document(6, late, [never_sent()]), verdict, cores)


def of_oldest_drafts() -> Iterator[Known]:
    """Model page, Binding: a decision on the oldest draft."""
    # Of two drafts the older is rejected and the newer approved, which may be sent. If the newest is rejected, none may.
    for how, verdict in (("reject", "well-posed"), ("reject oldest", "ambiguous")):
        events: list[Event] = [(12, "approve", "m1"), (12, how, "m1")]
        yield Known(f"approve, then {how}, never sent", document(2, events, [never_sent()]), verdict)
    both: list[Event] = [(12, "reject oldest", "m1"), (12, "approve", "m1", "go")]
    yield Known("reject oldest, then approve", document(2, both, [sent(True, 5, "go")]), "well-posed")
    # Whatever was rejected at 11, the first draft is approved at 13.
    again: list[Event] = [(11, "reject", "m1"), (13, "approve oldest", "m1", "go")]
    yield Known("reject, then approve oldest", document(2, again, [either(sent(True, 5, "go"), abandoned("rejected"))]), "well-posed")
    waits = document(2, [(0, "approve oldest", "m1")], [sent(False, 16)])
    yield Known("the oldest draft approved at 0", waits, "well-posed", ends=(("sent", 1, 16),))


def of_signals() -> Iterator[Known]:
    """Model page, Binding: signals that wait for their item, and repeated ones."""
    ended = [either(sent(), abandoned())]
    for at, how, verdict in (
        (0, "kill", "vacuous"),  # there is no item yet
        (0, "kill deferred", "well-posed"),
        (3, "kill deferred", "well-posed"),
        (12, "kill deferred", "well-posed"),
    ):
        killed = document(3, [(at, how, "m1"), (20, "approve", "m1")], ended)
        yield Known(f"{how} at {at}, approved at 20, L3", killed, verdict)
    early: list[Event] = [(0, "escalate deferred", "m1"), (12, "approve", "m1")]
    stopped = [never_sent(), abandoned("operator_escalation")]
    # It fires behind the admission, from 1 on, and no approval is in force before 12.
    yield Known("deferred escalation at 0, L4", document(4, early, stopped), "well-posed", ends=(("abandoned", 1, 40),))
    yield Known("deferred escalation at 0, L6", document(6, early, stopped), "vacuous")
    for at, verdict in ((12, "well-posed"), (13, "ambiguous")):
        later = document(6, [(12, "approve", "m1"), (at, "escalate deferred", "m1")], [never_sent()])
        yield Known(f"approved at 12, deferred escalation at {at}", later, verdict)
    # Both wait for an admission after 20, and may fire in one tick: then their order in the schedule counts.
    for first, second, verdict in (("approve", "escalate deferred", "well-posed"), ("escalate deferred", "approve", "vacuous")):
        waiting = document(
            6,
            [(12, first, "m1"), (13, second, "m1"), (20, "posture", "normal")],
            [never_sent(), {"claim": "admitted", "of": "m2", "within": 5}],
            messages=(("m1", 4), ("m2", 25)),
            posture="maintenance",
            rules=BY_POSTURE,
        )
        yield Known(f"{first} and {second} wait together", waiting, verdict)
    # The second one is no escalation: none meets an approval.
    repeated = document(6, [(5, "escalate", "m1", "e"), (12, "approve", "m1"), (13, "escalate", "m1", "e")], [never_sent()])
    yield Known("an escalation repeated behind the approval", repeated, "vacuous")
    twice: list[Event] = [(12, "approve", "m1"), (12, "escalate", "m1", "e"), (20, "escalate", "m1", "e")]
    yield Known("an escalation repeated", document(6, twice, stopped), "well-posed", ends=(("abandoned", 12, 40),))
    # Within 5 of the death the work may be given up. When it is told again, nobody dies.
    died: list[Event] = [(14, "kill", "m1", "d"), (30, "kill", "m1", "d"), (50, "approve", "m1")]
    yield Known("a death repeated", document(3, died, ended, horizon=80), "well-posed", ends=(("sent", 50, 55), ("abandoned", 14, 19)))
    for extra, verdict in (([], "vacuous"), ([(22, "escalate", "m1", "e")], "well-posed")):
        exercised = document(1, [(20, "escalate", "m1", "e"), *extra], [sent(True, 10)])
        yield Known(f"L1, an escalation and {len(extra)} repeats", exercised, verdict)


def of_exact_sends() -> Iterator[Known]:
    """Model page, What an expectation claims: `only m1, m2 sent`."""
    two, three = (("m1", 0), ("m2", 0)), (("m1", 0), ("m2", 0), ("m3", 0))
    yield Known("only the one message", document(0, [], [only("m1")]), "well-posed")
    yield Known("only both messages", document(0, [], [only("m1", "m2")], messages=two), "well-posed")
    core = frozenset({"expectation", "L0.reply"})
    yield Known("only one of two that are owed a reply", document(0, [], [only("m1")], messages=two), "unsatisfiable", (core,))
    refused = document(2, [(12, "approve", "m1")], [only("m1")], messages=two, rules=BY_SENDER)
    yield Known("only one, the other is refused", refused, "well-posed")
    third: list[Event] = [(12, "approve", name) for name in ("m1", "m2", "m3")]
    taken = document(4, [*third, (14, "escalate", "m3")], [only("m1", "m2")], messages=three)
    yield Known("only two, the third may be sent before it is taken away", taken, "ambiguous")
    apart = document(4, [*third, (12, "escalate", "m3")], [only("m2", "m1")], messages=three)
    yield Known("only two, the third is taken away in time", apart, "well-posed")
    for at, order, verdict in (
        (12, ("m1", "m2"), "ambiguous"),
        (16, ("m1", "m2"), "ambiguous"),
        (17, ("m1", "m2"), "well-posed"),  # both may be sent at 17
        (18, ("m1", "m2"), "well-posed"),
        (18, ("m2", "m1"), "unsatisfiable"),
    ):
        ordered = document(2, [(12, "approve", "m1"), (at, "approve", "m2")], [only(*order, ordered=True)], messages=two)
        cores = (frozenset({"expectation", "L0.draft", "L2.authority", "L2.send"}),) if verdict == "unsatisfiable" else ()
        yield Known(f"only {' then '.join(order)}, approved at 12 and {at}", ordered, verdict, cores)
    either_way = either(only("m1"), only("m1", "m2"))
    maybe = document(4, [(12, "approve", "m1"), (12, "approve", "m2"), (14, "escalate", "m2")], [either_way], messages=two)
    yield Known("only the one, or only both", maybe, "well-posed")
