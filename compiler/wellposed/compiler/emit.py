"""Emission: from a Scenario to the bundle document and the places of its elements in the source."""

from __future__ import annotations

from typing import Any

from wellposed.compiler.scenario import (
    AgentDeath,
    Claim,
    ClaimValue,
    Crash,
    DanglingForgery,
    Decision,
    Delivery,
    Escalation,
    Event,
    Hold,
    HolderDeath,
    Jump,
    PostureChange,
    Redelivery,
    Release,
    Repetition,
    RulesChange,
    RuleSet,
    Scenario,
    Stub,
    WrongHashForgery,
)
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import BUNDLE_FORMAT, READINGS, SPEC, obligations_of_level

Json = Any
"""A value of the canonical profile: objects, arrays, strings, integers, booleans and null."""


def document_of(scenario: Scenario) -> dict[str, Json]:
    """The bundle document: every member is written, defaults included, so that one meaning has one form."""
    return {
        "format": BUNDLE_FORMAT,
        "spec": SPEC,
        "readings": READINGS,
        "id": scenario.id,
        "title": scenario.title,
        "level": scenario.level,
        "skin": scenario.skin.name,
        "horizon": scenario.horizon,
        "mode": {"changed_at": 0, "posture": scenario.posture},
        "rules": [_rules(rules) for rules in scenario.rules],
        "stub": _stub(scenario.stub),
        "schedule": [_entry(seq, event) for seq, event in enumerate(scenario.events)],
        "invariants": [] if scenario.only_expectations else list(obligations_of_level(scenario.level)),
        "expect": [_claim(claim) for claim in scenario.claims],
        "catches": [system for system, _ in scenario.catches],
    }


def places_of(scenario: Scenario) -> dict[str, Span]:
    """The span of every bundle element that a finding may point at, by JSON pointer."""
    spans = dict(scenario.places)
    for index, rules in enumerate(scenario.rules):
        if rules.span is not None:
            spans[f"/rules/{index}"] = rules.span
        for number, rule in enumerate(rules.rules):
            if rule.span is not None:
                spans[f"/rules/{index}/rules/{number}"] = rule.span
    if scenario.stub.span is not None:
        spans["/stub"] = scenario.stub.span
    for index, conversation in enumerate(scenario.stub.anchors):
        if conversation.anchor_span is not None:
            spans[f"/stub/anchors/{index}"] = conversation.anchor_span
    for index, reply in enumerate(scenario.stub.replies):
        spans[f"/stub/replies/{index}"] = reply.span
    for index, (_, span) in enumerate(scenario.catches):
        spans[f"/catches/{index}"] = span
    for seq, event in enumerate(scenario.events):
        spans[f"/schedule/{seq}"] = event.span
        spans[f"/schedule/{seq}/{'at' if event.trigger is None else 'when'}"] = event.timing
    for index, claim in enumerate(scenario.claims):
        _claim_places(f"/expect/{index}", claim, spans)
    return spans


def _rules(rules: RuleSet) -> Json:
    return {
        "name": rules.name,
        "rules": [
            {
                "id": rule.id,
                "effect": rule.effect,
                "when": [
                    {
                        "field": one.field,
                        "op": one.operator,
                        "value": list(one.value) if isinstance(one.value, tuple) else one.value,
                    }
                    for one in rule.conditions
                ],
            }
            for rule in rules.rules
        ],
    }


def _stub(stub: Stub) -> Json:
    return {
        "anchors": [{"anchor": one.anchor, "conversation_id": one.id} for one in stub.anchors],
        "replies": [
            {
                "conversation_id": one.conversation,
                "parts": [{"anchor": True} if part is None else part for part in one.parts],
            }
            for one in stub.replies
        ],
    }


def _entry(seq: int, event: Event) -> Json:
    channel, record = _record(event)
    if event.trigger is None:
        return {"seq": seq, "at": event.at, "channel": channel, "record": record}
    when = {"event": event.trigger.event, "work_id": _work(event.trigger.message)}
    return {"seq": seq, "when": when, "channel": channel, "record": record}


def _record(event: Event) -> tuple[str, Json]:
    """The channel and the record of an event; inbox and signal records carry their tick where it is written."""
    action = event.action.original if isinstance(event.action, Repetition) else event.action
    stamp = {} if event.at is None else {"at": event.at}
    match action:
        case Delivery():
            return "inbox", _message(action) | stamp
        case Redelivery():
            return "inbox", _message(action.original) | stamp
        case Decision() | DanglingForgery() | WrongHashForgery():
            return "approvals", _decision(event.id, action)
        case Escalation():
            return "signals", _signal(event.id, "OPERATOR_ESCALATION", _work(action.message), action.deferred) | stamp
        case HolderDeath():
            target = {"holder_of": _work(action.message)}
            return "signals", _signal(event.id, "AGENT_DEATH", target, action.deferred) | stamp
        case AgentDeath():
            return "signals", _signal(event.id, "AGENT_DEATH", action.agent, False) | stamp
        case Crash():
            return "faults", {"fault_id": event.id, "fault": "crash"}
        case Jump():
            length = {"by": action.by} if action.to is None else {"to": action.to}
            return "faults", {"fault_id": event.id, "fault": "jump"} | length
        case PostureChange():
            return "faults", {"fault_id": event.id, "fault": "posture", "posture": action.posture}
        case RulesChange():
            return "faults", {"fault_id": event.id, "fault": "rules", "rules": action.rules}
        case Hold():
            return "faults", {"fault_id": event.id, "fault": "hold"}
        case Release():
            return "faults", {"fault_id": event.id, "fault": "release"}


def _message(delivery: Delivery) -> dict[str, Json]:
    return {
        "id": delivery.message,
        "conversation_id": delivery.conversation,
        "from": delivery.sender,
        "subject": delivery.subject,
        "body": delivery.body,
    }


def _decision(id: str, action: Decision | DanglingForgery | WrongHashForgery) -> Json:
    record: dict[str, Json] = {"approval_id": id, "decision": action.decision}
    match action:
        case Decision():
            which = {} if action.draft == "newest" else {"draft": action.draft}
            return record | {"match": {"work_id": _work(action.message)} | which}
        case DanglingForgery():
            return record | {"forged": "dangling", "draft_id": action.draft}
        case WrongHashForgery():
            return record | {"forged": "wrong-hash", "match": {"work_id": _work(action.message)}}


def _signal(id: str, kind: str, target: Json, deferred: bool) -> dict[str, Json]:
    waits = {"deferred": True} if deferred else {}
    return {"signal_id": id, "signal_type": kind, "target": target} | waits


def _work(message: str) -> str:
    return f"work:{message}"


def _claim(claim: Claim) -> Json:
    return {"claim": claim.form} | {name: _value(value) for name, value in claim.members}


def _value(value: ClaimValue) -> Json:
    if isinstance(value, Claim):
        return _claim(value)
    if isinstance(value, tuple):
        return [one if isinstance(one, str) else [_claim(claim) for claim in one] for one in value]
    return value


def _claim_places(pointer: str, claim: Claim, spans: dict[str, Span]) -> None:
    spans[pointer] = claim.span
    for name, value in claim.members:
        if isinstance(value, Claim):
            _claim_places(f"{pointer}/{name}", value, spans)
        elif isinstance(value, tuple):
            for index, alternative in enumerate(value):
                if isinstance(alternative, tuple):
                    for number, inner in enumerate(alternative):
                        _claim_places(f"{pointer}/{name}/{index}/{number}", inner, spans)
