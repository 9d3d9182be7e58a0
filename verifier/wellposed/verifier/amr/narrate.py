"""A run told event by event: the environment's part as the log checker replays it, then the system's records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.checker import Happening, environment
from wellposed.verifier.amr.run import Draft, ItemRun, Run
from wellposed.verifier.report import Trace, TraceEvent

_ENVIRONMENT, _SYSTEM = "environment", "system"


def trace(document: Mapping[str, Any], run: Run, answers: Answers = BASE) -> Trace:
    """The events of a run in order: per tick the environment first, then each item's records."""
    happenings = environment(document, run, answers)
    told = [(happening.tick, 0, 0, _happened(happening)) for happening in happenings]
    own = {happening.message: happening.record["conversation_id"] for happening in happenings if happening.kind == "deliver"}
    anchored = {entry["conversation_id"] for entry in document["stub"]["anchors"]}
    for identity, item in run.items.items():
        plain = (own.get(identity), frozenset({own.get(identity)} & anchored))
        told.extend((event.tick, 1, rank, event) for rank, event in _records(identity, item, plain))
    if not run.state_agrees:
        told.append((document["horizon"], 1, 5, _disagrees(document["horizon"])))
    return tuple(event for _, _, _, event in sorted(told, key=lambda entry: entry[:3]))


def _disagrees(tick: int) -> TraceEvent:
    """A snapshot that contradicts the logs; told at the last tick, as a run does not say which one it is."""
    data = {"tick": tick, "actor": _SYSTEM, "item": None, "event": "snapshot", "agrees": False}
    return TraceEvent(tick, _SYSTEM, None, "a state snapshot disagrees with the logs", data)


def _happened(happening: Happening) -> TraceEvent:
    item = None if happening.kind == "death" else happening.message  # a death concerns whatever the agent held
    data: dict[str, object] = {
        "tick": happening.tick,
        "actor": _ENVIRONMENT,
        "item": item,
        "event": happening.kind,
        "id": happening.name,
        "seq": happening.seq,
    }
    if happening.deferred:
        data["deferred_from"] = happening.scheduled
    if happening.draft is not None:
        data["draft"] = happening.draft + 1
    if happening.kind == "death":
        data["held"] = sorted(happening.touched)
    return TraceEvent(happening.tick, _ENVIRONMENT, item, _words(happening), data)


def _words(happening: Happening) -> str:
    message, record, again = happening.message, happening.record, " again" if happening.again else ""
    late = f" (deferred from {happening.scheduled})" if happening.deferred else ""
    if happening.kind == "deliver":
        return f"deliver {message}{again}"
    if happening.kind in ("approve", "reject"):
        which = f" {record['match']['draft']} draft of" if "draft" in record["match"] else ""
        return f"{happening.kind}{which} {message}{again}{late}"
    if happening.kind == "forged":
        return f"forged {record['decision']} {happening.name}"
    if happening.kind == "escalation":
        return f"escalate {message}{again}{late}"
    if happening.kind == "death":
        held = ", ".join(sorted(happening.touched)) or "nothing"
        return f"the death of an agent is told again{late}" if happening.again else f"agent dies, holding {held}{late}"
    if happening.kind == "jump":
        return "jump" if happening.landing is None else f"jump to {happening.landing}"
    if happening.kind in ("posture", "rules"):
        return f"{happening.kind} {record[happening.kind]}"
    if happening.kind in ("hold", "release"):
        return f"{happening.kind} effects"
    return happening.kind


def _records(
    identity: str, item: ItemRun, plain: tuple[str | None, frozenset[str | None]]
) -> Iterator[tuple[int, TraceEvent]]:
    """The records of one item, each with its rank within a tick; a reply unlike `plain` says what it is like."""

    def told(rank: int, tick: int, event: str, words: str, **data: object) -> tuple[int, TraceEvent]:
        members = {"tick": tick, "actor": _SYSTEM, "item": identity, "event": event, **data}
        return rank, TraceEvent(tick, _SYSTEM, identity, words, members)

    if item.admitted is not None:
        yield told(0, item.admitted, "admission", f"admits {identity}", rules=item.rules)
    if item.forked and item.admitted is not None:
        yield told(0, item.admitted, "admission", f"admits {identity} a second time, at some tick", rules=item.rules)
    if item.claimed is not None:
        yield told(1, item.claimed, "claimed-first", f"an agent wins {identity}")
    if item.contention is not None:
        yield told(1, item.contention.claimed, "claimed", f"two agents claim {identity}")
        if item.contention.settled is not None:
            yield told(1, item.contention.settled, "settled", f"one agent wins {identity}, the other stands down")
    for tick in item.won:
        yield told(1, tick, "reassignment", f"reassigns {identity}")
    for number, draft in enumerate(item.drafts, start=1):
        which = f" (draft {number})" if len(item.drafts) > 1 else ""
        carries = sorted(draft.carries)
        words = f"drafts a reply to {identity}{which}"
        yield told(2, draft.tick, "draft", words, draft=number, conversation=draft.conversation, carries=carries)
    for tick, index in item.sends:
        draft = item.drafts[index]
        which = f" (draft {index + 1})" if len(item.drafts) > 1 else ""
        unlike = "" if (draft.conversation, draft.carries) == plain else _unlike(draft)
        yield told(3, tick, "send", f"sends the reply to {identity}{which}{unlike}", draft=index + 1)
    if item.resolution is not None:
        tick, outcome, reason = item.resolution
        words = f"completes {identity}" if reason is None else f"abandons {identity} ({reason})"
        yield told(4, tick, "resolution", words, outcome=outcome, reason=reason)


def _unlike(draft: Draft) -> str:
    anchors = ", ".join(sorted(draft.carries)) or "no conversation"
    return f" in conversation {draft.conversation}, with the anchor of {anchors}"
