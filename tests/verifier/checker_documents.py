"""Tiny builders of bundle documents and runs for the tests of the log checker.

Message `m1` is in conversation `c1`, `m2` in `c2`; both declare an anchor. A `when` is written in place of a tick:
`crash(when("drafted", "m1"))`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from wellposed.dsl.vocabulary import READINGS, SPEC, obligations_of_level
from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.checker import EXPECT, check_run
from wellposed.verifier.amr.run import Contention, Draft, ItemRun, Run

Entry = dict[str, Any]
When = int | dict[str, str]


def when(event: str, message: str) -> dict[str, str]:
    return {"event": event, "work_id": f"work:{message}"}


def entry(at: When, channel: str, record: Mapping[str, Any]) -> Entry:
    return {("at" if isinstance(at, int) else "when"): at, "channel": channel, "record": dict(record)}


def conversation_of(message: str) -> str:
    return message.replace("m", "c")


def deliver(
    at: When,
    message: str = "m1",
    conversation: str = "",
    sender: str = "ada@example.test",
    subject: str = "Where is my order?",
    body: str = "Hello.",
) -> Entry:
    record = {"id": message, "conversation_id": conversation or conversation_of(message), "from": sender}
    record |= {"subject": subject, "body": body}
    return entry(at, "inbox", record)


redeliver = deliver


def approve(at: When, message: str = "m1", name: str = "go", decision: str = "approve") -> Entry:
    match = {"work_id": f"work:{message}"}
    return entry(at, "approvals", {"approval_id": name, "match": match, "decision": decision})


def repeat(at: When, message: str = "m1", name: str = "go", decision: str = "approve") -> Entry:
    """The same record again: a decision whose id is already in the schedule is a repeat."""
    return approve(at, message, name, decision)


def reject(at: When, message: str = "m1", name: str = "no") -> Entry:
    return approve(at, message, name, "reject")


def dangling(at: When, name: str = "ghost", decision: str = "approve") -> Entry:
    record = {"approval_id": name, "decision": decision, "forged": "dangling", "draft_id": "ghost-1"}
    return entry(at, "approvals", record)


def wrong_hash(at: When, message: str = "m1", name: str = "forged", decision: str = "approve") -> Entry:
    match = {"work_id": f"work:{message}"}
    return entry(at, "approvals", {"approval_id": name, "decision": decision, "forged": "wrong-hash", "match": match})


def escalate(at: When, message: str = "m1", name: str = "stop") -> Entry:
    record = {"signal_id": name, "signal_type": "OPERATOR_ESCALATION", "target": f"work:{message}"}
    return entry(at, "signals", record)


def kill(at: When, message: str = "m1", name: str = "death") -> Entry:
    target = {"holder_of": f"work:{message}"}
    return entry(at, "signals", {"signal_id": name, "signal_type": "AGENT_DEATH", "target": target})


def oldest(decision: Entry) -> Entry:
    """The decision on the first draft of its item."""
    record = decision["record"]
    return decision | {"record": record | {"match": record["match"] | {"draft": "oldest"}}}


def deferred(signal: Entry) -> Entry:
    """The signal as one that waits for its item."""
    return signal | {"record": signal["record"] | {"deferred": True}}


def hold(at: int, name: str = "hold.1") -> Entry:
    return entry(at, "faults", {"fault_id": name, "fault": "hold"})


def release(at: int, name: str = "release.1") -> Entry:
    return entry(at, "faults", {"fault_id": name, "fault": "release"})


def kill_agent(at: When, agent: str = "a1", name: str = "death") -> Entry:
    return entry(at, "signals", {"signal_id": name, "signal_type": "AGENT_DEATH", "target": agent})


def crash(at: When, name: str = "crash.1") -> Entry:
    return entry(at, "faults", {"fault_id": name, "fault": "crash"})


def jump(at: When, to: int | None = None, by: int | None = None, name: str = "jump.1") -> Entry:
    target = {"to": to} if to is not None else {"by": by}
    return entry(at, "faults", {"fault_id": name, "fault": "jump", **target})


def posture(at: When, word: str, name: str = "posture.1") -> Entry:
    return entry(at, "faults", {"fault_id": name, "fault": "posture", "posture": word})


def rules(at: When, version: str, name: str = "rules.1") -> Entry:
    return entry(at, "faults", {"fault_id": name, "fault": "rules", "rules": version})


def condition(field: str, op: str, value: str | int | list[str]) -> dict[str, Any]:
    return {"field": field, "op": op, "value": value}


def rule(effect: str, *conditions: Mapping[str, Any]) -> dict[str, Any]:
    return {"effect": effect, "id": "rule", "when": list(conditions)}


ALL = {"all": [{"effect": "admit", "id": "all", "when": []}]}


def scenario(
    level: int,
    *schedule: Entry,
    horizon: int = 60,
    expect: tuple[Mapping[str, Any], ...] = (),
    versions: Mapping[str, list[dict[str, Any]]] = ALL,
    mode: str = "normal",
    anchors: tuple[str, ...] = ("c1", "c2", "c3"),
) -> dict[str, Any]:
    """A bundle document; the schedule is sorted as the compiler sorts it: by tick, `when` entries last."""
    ordered = sorted(schedule, key=lambda item: item.get("at", horizon + 1))
    replies = [{"conversation_id": name, "parts": ["Noted."]} for name in ("c1", "c2", "c3")]
    return {
        "format": "wellposed-bundle/1",
        "spec": SPEC,
        "id": "test",
        "title": "test",
        "level": level,
        "skin": "support-desk",
        "horizon": horizon,
        "mode": {"changed_at": 0, "posture": mode},
        "rules": [{"name": name, "rules": list(version)} for name, version in versions.items()],
        "stub": {"anchors": [{"anchor": f"A-{c}", "conversation_id": c} for c in anchors], "replies": replies},
        "schedule": [{"seq": number, **item} for number, item in enumerate(ordered)],
        "invariants": list(obligations_of_level(level)),
        "expect": [dict(claim) for claim in expect],
        "catches": [],
        "readings": READINGS,
    }


def at_level(level: int, *schedule: Entry, **other: Any) -> dict[str, Any]:
    """A scenario whose message comes at 0."""
    return scenario(level, deliver(0), *schedule, **other)


NORMAL_ONLY = {"all": [rule("admit", condition("posture", "is", "normal"))]}
REFUSING: dict[str, list[dict[str, Any]]] = {"all": []}


@dataclass(frozen=True)
class Does:
    """What the system does with one message. A plain tick in `drafts` is an orderly draft; a send is of the latest."""

    admitted: int | None = None
    drafts: tuple[int | Draft, ...] = ()
    sends: tuple[int | tuple[int, int], ...] = ()
    resolution: tuple[int, str, str | None] | None = None
    won: tuple[int, ...] = ()
    contention: Contention | None = None
    rules: str = "all"
    claimed: int | None = None

    def item(self, message: str) -> ItemRun:
        own = conversation_of(message)
        drafts = tuple(
            draft if isinstance(draft, Draft) else Draft(draft, own, frozenset({own})) for draft in self.drafts
        )
        sends = []
        for send in self.sends:
            if isinstance(send, tuple):
                sends.append(send)
            else:
                sends.append((send, max((n for n, draft in enumerate(drafts) if draft.tick <= send), default=0)))
        cited = None if self.admitted is None else self.rules
        return ItemRun(
            self.admitted, cited, drafts, tuple(sends), self.resolution, self.won, self.contention, self.claimed
        )


def does(
    admitted: int | None = None,
    drafts: int | tuple[int | Draft, ...] = (),
    sends: int | tuple[int | tuple[int, int], ...] = (),
    resolution: tuple[int, str, str | None] | None = None,
    won: tuple[int, ...] = (),
    contention: Contention | None = None,
    rules: str = "all",
    claimed: int | None = None,
) -> Does:
    drafts = (drafts,) if isinstance(drafts, int) else drafts
    sends = (sends,) if isinstance(sends, int) else sends
    return Does(admitted, drafts, sends, resolution, won, contention, rules, claimed)


def completed(at: int) -> tuple[int, str, None]:
    return (at, "completed", None)


def abandoned(at: int, reason: str | None = "operator_escalation") -> tuple[int, str, str | None]:
    return (at, "abandoned", reason)


def run(
    m1: Does = Does(), *, held: Mapping[str, set[str]] | None = None, state_agrees: bool = True, **others: Does
) -> Run:
    items = {name: does.item(name) for name, does in {"m1": m1, **others}.items()}
    return Run(items, {name: frozenset(held) for name, held in (held or {}).items()}, state_agrees)


def broken(document: Mapping[str, Any], finished: Run, answers: Answers = BASE) -> set[str]:
    """The ids of the obligations that a run breaks; expectations left out."""
    return verdicts(document, finished, answers) - {EXPECT}


Row = tuple[str, dict[str, Any], Does | Run, set[str], set[str]]
"""A title, a scenario, a run, what the run breaks under the base answers, and what under others."""

Text = tuple[str, dict[str, Any], Run, str, str, str]
"""A flag, a scenario, a run, and what it breaks under the other answer: obligation, pointer and text."""


def other(flag: str) -> Answers:
    """The base answers with one flag the other way round."""
    return replace(BASE, **{flag: not getattr(BASE, flag)})


def verdicts(document: Mapping[str, Any], finished: Run, answers: Answers = BASE) -> set[str]:
    """The ids of everything that a run breaks, `well-formed` and `expect` among them."""
    return {found.obligation for found in check_run(document, finished, answers)}


def told(
    document: Mapping[str, Any], finished: Run, obligation: str, answers: Answers = BASE
) -> list[tuple[str, str | None, str]]:
    """Pointer, message and text of the violations of one obligation (or of the expectations)."""
    found = check_run(document, finished, answers)
    return [(item.pointer, item.message, item.text) for item in found if item.obligation == obligation]
