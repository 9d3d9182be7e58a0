"""`drafts.jsonl`, `outbox.jsonl` and `model-calls.jsonl`: what was declared, what has left, and what it was made by."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b, sha256
from typing import Any

from wellposed.verifier.amr.judge.folder import CALLS, DRAFTS, OUTBOX, RunFiles
from wellposed.verifier.amr.judge.lines import Record
from wellposed.verifier.amr.judge.logs import DraftLine, Logs, Sent
from wellposed.verifier.amr.judge.stamps import Stamps
from wellposed.verifier.amr.judge.stream import records
from wellposed.verifier.amr.judge.told import HASH, ID_AGAIN, ORIGIN, SHAPE, UNKNOWN_ID, Broken, Told

MODEL_FREE = "model-free"
_TEXTS = ("draft_id", "work_id", "conversation_id", "content_hash")


class Anchors:
    """Which anchors a text contains. Of anchors that overlap in the text, the longer one counts."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._conversations: dict[str, set[str]] = {}
        for row in document["stub"]["anchors"]:
            self._conversations.setdefault(row["anchor"], set()).add(row["conversation_id"])
        longest_first = sorted(self._conversations, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def carried(self, body: str) -> frozenset[str]:
        """The conversations whose anchors the body contains."""
        if self._pattern is None:
            return frozenset()
        found = set(self._pattern.findall(body))
        return frozenset().union(*(self._conversations[anchor] for anchor in found)) if found else frozenset()


class DraftReader:
    """Reads the drafts into `logs`. `known` are the conversations of the bundle."""

    def __init__(
        self,
        logs: Logs,
        stamps: Stamps,
        told: Told,
        anchors: Anchors,
        known: frozenset[str],
    ) -> None:
        self._logs = logs
        self._stamps = stamps
        self._told = told
        self._anchors = anchors
        self._known = known
        self._orphans = 0

    def read(self, folder: RunFiles) -> None:
        for line, record in records(folder, DRAFTS, self._told):
            self._logs.lines += 1
            tick = self._stamps.of(line, record.get("declared_at"), "declared_at")
            origin = self._origin(line, record)
            if tick is None or origin is _WRONG or not self._texts(line, record):
                continue
            self._declare(line, tick, record, None if origin is None else tuple(origin))

    def _texts(self, line: int, record: Record) -> bool:
        most = self._told.limits.id_length
        wrong = [name for name in _TEXTS if type(record.get(name)) is not str or not 0 < len(record[name]) <= most]
        if type(record.get("body")) is not str:
            wrong.append("body")
        if wrong:
            text = f"a draft has {', '.join(f'`{name}`' for name in wrong)}, a text"
            self._told.unreadable(SHAPE, text, DRAFTS, line)
        return not wrong

    def _origin(self, line: int, record: Record) -> Any:
        """The ids of calls, None for `model-free`, `_WRONG` for anything else."""
        origin = record.get("origin")
        if origin == MODEL_FREE:
            return None
        most = self._told.limits.id_length
        if (
            type(origin) is list
            and 0 < len(origin) <= self._told.limits.calls_per_draft
            and all(type(call) is str and len(call) <= most for call in origin)
        ):
            return origin
        text = f"`origin` of a draft is `{MODEL_FREE}` or the list of the ids of its model calls"
        self._told.unreadable(SHAPE, text, DRAFTS, line)
        return _WRONG

    def _declare(self, line: int, tick: int, record: Record, origin: tuple[str, ...] | None) -> None:
        identity, work, body = record["draft_id"], record["work_id"], record["body"]
        raw = body.encode()
        content = _content(raw, work, record["conversation_id"], record["content_hash"], origin)
        known = self._logs.drafts.get(identity)
        if known is not None:
            if known.content != content:
                text = f"the draft {identity} is declared again, with other content than in line {known.line}"
                self._told.breaks(ID_AGAIN, "K.redeclare", self._logs.message_of(known), text, DRAFTS, line)
            return
        items, limits = self._logs.works.get(work, ()), self._told.limits
        if any(len(item.drafts) >= limits.drafts_per_item for item in items):
            self._told.unreadable(SHAPE, f"more than {limits.drafts_per_item} drafts of one item", DRAFTS, line)
            return
        conversation = record["conversation_id"]
        if conversation not in self._known:
            text = f"a draft in the conversation {conversation}, which the scenario does not have"
            self._told.breaks(UNKNOWN_ID, "well-formed", None, text, DRAFTS, line)
        digest = record["content_hash"]
        if digest.startswith("sha256:") and digest != "sha256:" + sha256(raw).hexdigest():
            self._told.say(HASH, "`content_hash` begins with sha256: and is not that of the body", DRAFTS, line)
        carried = self._anchors.carried(body)
        draft = DraftLine(tick, line, work, conversation, carried, digest, origin, content)
        if items or self._orphans < limits.orphans:
            self._logs.drafts[identity] = draft
        self._logs.declared += 1
        self._logs.model_free += origin is None
        if not items:
            self._orphans += 1
            text = f"a draft of the work item {work}, which was never admitted"
            self._told.breaks(UNKNOWN_ID, "K.admitted", None, text, DRAFTS, line)
        for item in items:
            item.drafts.append(identity)


_WRONG: Any = object()


def _content(body: bytes, work: str, conversation: str, digest: str, origin: tuple[str, ...] | None) -> bytes:
    told = blake2b(body, digest_size=16)
    for part in (work, conversation, digest, *(origin or (MODEL_FREE,))):
        told.update(b"\0" + part.encode())
    return told.digest()


def read_outbox(folder: RunFiles, logs: Logs, stamps: Stamps, told: Told) -> None:
    """The effects: each sends a declared draft, and has an id of its own."""
    effects: set[str] = set()
    orphans = 0
    for line, record in records(folder, OUTBOX, told):
        logs.lines += 1
        tick = stamps.of(line, record.get("sent_at"), "sent_at")
        effect, identity = record.get("effect_id"), record.get("draft_id")
        most = told.limits.id_length
        if type(effect) is not str or type(identity) is not str or not (0 < len(effect) <= most >= len(identity) > 0):
            told.unreadable(SHAPE, "an effect has `effect_id` and `draft_id`, two texts", OUTBOX, line)
            continue
        if tick is None:
            continue
        if effect in effects:
            text = f"the effect id {effect} stands in the outbox already"
            told.breaks(ID_AGAIN, "well-formed", None, text, OUTBOX, line)
        draft = logs.drafts.get(identity)
        items = () if draft is None else logs.works.get(draft.work, ())
        if any(len(item.sends) >= told.limits.sends_per_item for item in items):
            text = f"more than {told.limits.sends_per_item} effects of one item"
            told.unreadable(SHAPE, text, OUTBOX, line)
            continue
        orphans += not items
        if orphans < told.limits.orphans:
            effects.add(effect)
        if draft is None:
            text = f"an orphaned line of the outbox: the draft {identity} was never declared"
            told.breaks(UNKNOWN_ID, "K.declared", None, text, OUTBOX, line)
        for item in items:
            item.sends.append(Sent(tick, line, identity))


def trace_origins(folder: RunFiles, logs: Logs, stamps: Stamps, told: Told) -> None:
    """Every origin is the log of the stub's, by the tick of the draft. A draft that was sent breaks K.declared otherwise."""
    named = {call for draft in logs.drafts.values() for call in draft.origin or ()}
    called: dict[str, int] = {}
    for line, record in records(folder, CALLS, told):
        logs.lines += 1
        call, tick = record.get("call_id"), stamps.of(line, record.get("at"), "at")
        if type(call) is not str or not 0 < len(call) <= told.limits.id_length:
            told.unreadable(SHAPE, "a model call has a `call_id`, a text", CALLS, line)
        elif call in named and tick is not None:
            if call in called:
                told.breaks(ID_AGAIN, "well-formed", None, f"the call id {call} is used again", CALLS, line)
            else:
                called[call] = tick
    sent = {send.draft for item in logs.items.values() for send in item.sends}
    for identity, draft in logs.drafts.items():
        lost = [call for call in draft.origin or () if called.get(call, draft.tick + 1) > draft.tick]
        if not lost:
            continue
        text = f"the origin of the draft {identity} names {lost[0]}, which no model call has by then"
        if identity in sent:
            told.breach(Broken("K.declared", logs.message_of(draft), text, "/level", DRAFTS, draft.line))
        else:
            told.say(ORIGIN, text, DRAFTS, draft.line)
