"""The closed list of words under which a fixture may say what the language knows.

The first name of each member is that of the specification or of the bundle format; the others are spellings of the same.
Words are compared with their case, and `-` for `_`, left aside.
"""

from __future__ import annotations

from collections.abc import Mapping

from wellposed.dsl.vocabulary import POSTURES

Names = Mapping[str, tuple[str, ...]]

AT = ("at", "tick", "fire_at")
INBOX: Names = {
    "id": ("id", "message_id"),
    "conversation_id": ("conversation_id", "conversation", "thread_id", "thread"),
    "from": ("from", "sender"),
    "subject": ("subject",),
    "body": ("body", "text"),
    "at": (*AT, "deliver_at", "delivered_at"),
}
APPROVALS: Names = {
    "approval_id": ("approval_id", "id"),
    "decision": ("decision", "verdict"),
    "match": ("match",),
    "work_id": ("work_id", "work_item", "work_item_id"),
    "message_id": ("message_id",),
    "conversation_id": ("conversation_id",),
    "draft_id": ("draft_id",),
    "content_hash": ("content_hash", "hash"),
    "forged": ("forged",),
    "at": (*AT, "decided_at"),
}
SIGNALS: Names = {
    "signal_id": ("signal_id", "id"),
    "signal_type": ("signal_type", "type", "signal"),
    "target": ("target",),
    "work_id": ("work_id", "work_item", "work_item_id"),
    "message_id": ("message_id",),
    "holder_of": ("holder_of",),
    "agent_id": ("agent_id", "agent"),
    "deferred": ("deferred",),
    "at": AT,
}
FAULTS: Names = {
    "fault_id": ("fault_id", "id"),
    "fault": ("fault", "type", "kind", "fault_type"),
    "to": ("to", "to_tick", "target_tick"),
    "by": ("by", "ticks", "delta"),
    "posture": ("posture", "mode"),
    "rules": ("rules", "rules_version", "version"),
    "message_id": ("message_id", "message"),
    "at": AT,
}
DRAFT = ("draft",)
"""Which draft a decision is about, in its `match`."""
OURS: Names = {"seq": ("seq",), "when": ("when",)}
"""What the files of a bundle folder have besides: one order over all of them, and triggers."""

DECISIONS = {"approve": "approve", "approved": "approve", "reject": "reject", "rejected": "reject"}
DRAFTS = {"newest": "newest", "oldest": "oldest"}
SIGNAL_TYPES = {"agent_death": "AGENT_DEATH", "operator_escalation": "OPERATOR_ESCALATION"}
FAULT_KINDS = {
    "crash": "crash",
    "restart": "crash",
    "sigkill": "crash",
    "jump": "jump",
    "tick_jump": "jump",
    "clock_jump": "jump",
    "posture": "posture",
    "posture_change": "posture",
    "mode_change": "posture",
    "rules": "rules",
    "rules_change": "rules",
    "hold": "hold",
    "hold_effects": "hold",
    "release": "release",
    "release_effects": "release",
    "duplicate": "redelivery",
    "duplicate_delivery": "redelivery",
    "redelivery": "redelivery",
    "forged_approval": "forgery",
    "dangling_approval": "forgery",
}
POSTURE_WORDS = {one.replace("-", "_"): one for one in POSTURES}
FORGERIES = {"dangling": "dangling", "wrong_hash": "wrong-hash"}

RULE: Names = {
    "id": ("id", "name", "rule_id"),
    "effect": ("effect", "action"),
    "admit": ("admit",),
    "when": ("when", "conditions", "if", "all"),
}
CONDITION: Names = {"field": ("field", "attribute"), "op": ("op", "operator"), "value": ("value", "values")}
EFFECTS = {
    "admit": "admit",
    "accept": "admit",
    "allow": "admit",
    "refuse": "refuse",
    "reject": "refuse",
    "deny": "refuse",
}
FIELDS = {
    "message.from": "message.from",
    "from": "message.from",
    "sender": "message.from",
    "message.subject": "message.subject",
    "subject": "message.subject",
    "message.body": "message.body",
    "body": "message.body",
    "message.conversation_id": "message.conversation_id",
    "conversation_id": "message.conversation_id",
    "thread.length": "thread.length",
    "thread_length": "thread.length",
    "sender.messages": "sender.messages",
    "sender_messages": "sender.messages",
    "sender.conversations": "sender.conversations",
    "sender_conversations": "sender.conversations",
    "posture": "posture",
    "mode.posture": "posture",
}
TEXT_OPS = {
    "is": "is",
    "eq": "is",
    "equals": "is",
    "=": "is",
    "==": "is",
    "is_not": "is-not",
    "ne": "is-not",
    "not_equals": "is-not",
    "!=": "is-not",
    "in": "in",
    "not_in": "not-in",
    "contains": "contains",
    "starts_with": "starts-with",
    "ends_with": "ends-with",
}
NUMBER_OPS = {
    "=": "=",
    "==": "=",
    "eq": "=",
    "equals": "=",
    "!=": "!=",
    "ne": "!=",
    "<": "<",
    "lt": "<",
    "<=": "<=",
    "lte": "<=",
    ">": ">",
    "gt": ">",
    ">=": ">=",
    "gte": ">=",
}

ANCHORS: Names = {"anchors": ("anchors",), "replies": ("replies", "responses")}
ANCHOR: Names = {"anchor": ("anchor", "value"), "conversation_id": INBOX["conversation_id"]}
REPLY: Names = {
    "conversation_id": INBOX["conversation_id"],
    "parts": ("parts",),
    "text": ("reply", "text", "body", "template"),
}
MODE: Names = {"posture": ("posture", "mode"), "changed_at": ("changed_at",)}
FRAME: Names = {
    "id": ("id", "scenario", "scenario_id"),
    "title": ("title", "name"),
    "level": ("level", "top_level"),
    "horizon": ("horizon", "tick_horizon"),
    "expect": ("expect", "expectations"),
    "invariants": ("invariants", "checks"),
}
