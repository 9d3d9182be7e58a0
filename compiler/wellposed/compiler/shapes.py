"""The closed table of shapes: the bundle document, its schedule entries and the lines of the derived files.

Source: the bundle format. Every member is written, defaults included; nothing else is allowed. What cannot be said of one
value alone (references, order, equality) is in `meaning`.
"""

from __future__ import annotations

from collections.abc import Mapping

from wellposed.compiler.shape import (
    ByKind,
    Flag,
    Having,
    Integer,
    ListOf,
    Named,
    Nullable,
    OneOf,
    Record,
    Shape,
    Tagged,
    Text,
    Yes,
)
from wellposed.dsl.vocabulary import (
    BUNDLE_FORMAT,
    FAULTY_SYSTEMS,
    GHOST_PREFIX,
    LEVELS,
    MAX_HORIZON,
    NUMBER_FIELDS,
    NUMBER_OPERATORS,
    OBLIGATIONS,
    POSTURES,
    READINGS,
    REASONS,
    SPEC,
    TEXT_FIELDS,
    TEXT_OPERATORS,
    TRIGGERS,
)

MAX_ENTRIES = 100_000
"""Schedule entries of one bundle."""

CHANNELS = ("inbox", "approvals", "signals", "faults")
WORK_PREFIX = "work:"

_ID = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
ANY_TEXT = Text()
ID = Text("an id (1 to 128 of A-Z a-z 0-9 _ . -, starting with none of the last two)", _ID)
# A derived id is a written one and an ending such as `.approve.1`.
RECORD_ID = Text("the id of a record (1 to 160 of A-Z a-z 0-9 _ . -)", "[A-Za-z0-9_][A-Za-z0-9_.-]{0,159}")
WORK_ID = Text("a work id, `work:` and the id of a message", WORK_PREFIX + _ID)
GHOST_ID = Text(f"an id that starts with `{GHOST_PREFIX}`", GHOST_PREFIX + "[A-Za-z0-9_.-]{0,121}")
TICK = Integer(0, MAX_HORIZON)
COUNT = Integer()

POSTURE = OneOf(POSTURES)
DECISION = OneOf(("approve", "reject"))
TRIGGER = Record("a trigger", {"event": OneOf(TRIGGERS), "work_id": WORK_ID})
MATCH = Record("a match", {"work_id": WORK_ID})
DRAFT_MATCH = Record(
    "a match", {"work_id": WORK_ID, "draft": OneOf(("oldest",))}, optional=frozenset({"draft"})
)


def _message(name: str, timed: bool) -> Record:
    members: dict[str, Shape] = {
        "id": ID,
        "conversation_id": ID,
        "from": ANY_TEXT,
        "subject": ANY_TEXT,
        "body": ANY_TEXT,
    }
    return Record(name, {**members, "at": TICK} if timed else members)


def _signal(timed: bool) -> Tagged:
    at: dict[str, Shape] = {"at": TICK} if timed else {}
    escalation: dict[str, Shape] = {
        "signal_id": RECORD_ID,
        "signal_type": OneOf(("OPERATOR_ESCALATION",)),
        "target": WORK_ID,
    }
    holder = Record("the target of an agent's death", {"holder_of": WORK_ID})
    death: dict[str, Shape] = {"signal_id": RECORD_ID, "signal_type": OneOf(("AGENT_DEATH",))}
    # Only what is about an item can wait for it. A triggered record with this member repeats a timed one.
    waits: dict[str, Shape] = {"deferred": Yes()}
    cases: dict[str, Shape] = {
        "OPERATOR_ESCALATION": Record("an escalation", {**escalation, **waits, **at}, optional=frozenset(waits)),
        "AGENT_DEATH": Having(
            "deferred",
            Record("a deferred agent's death", {**death, "target": holder, **waits, **at}),
            Record("an agent's death", {**death, "target": ByKind(string=ID, record=holder), **at}),
        ),
    }
    return Tagged("a signal", "signal_type", cases)


_FORGED: dict[str, Shape] = {"approval_id": RECORD_ID, "decision": DECISION}
_DANGLING = Record("a dangling forgery", {**_FORGED, "forged": OneOf(("dangling",)), "draft_id": GHOST_ID})
_WRONG_HASH = Record("a forgery with a wrong hash", {**_FORGED, "forged": OneOf(("wrong-hash",)), "match": MATCH})
APPROVAL = Having(
    "forged",
    Tagged("a forged decision", "forged", {"dangling": _DANGLING, "wrong-hash": _WRONG_HASH}),
    Record("a decision", {"approval_id": RECORD_ID, "match": DRAFT_MATCH, "decision": DECISION}),
)


def _fault(timed: bool) -> Tagged:
    def one(name: str, fault: str, **more: Shape) -> Record:
        return Record(name, {"fault_id": RECORD_ID, "fault": OneOf((fault,)), **more})

    to = one("a jump", "jump", to=TICK)
    cases: dict[str, Shape] = {
        "crash": one("a crash", "crash"),
        "jump": to if timed else Having("by", one("a relative jump", "jump", by=Integer(1, MAX_HORIZON)), to),
        "posture": one("a change of posture", "posture", posture=POSTURE),
        "rules": one("a change of rules", "rules", rules=ID),
    }
    if timed:
        cases |= {"hold": one("a hold of effects", "hold"), "release": one("a release of effects", "release")}
    return Tagged("a fault", "fault", cases)


RECORDS: Mapping[tuple[str, bool], Shape] = {
    ("inbox", True): _message("an inbox record", True),
    ("inbox", False): _message("a triggered inbox record", False),
    ("approvals", True): APPROVAL,
    ("approvals", False): APPROVAL,
    ("signals", True): _signal(True),
    ("signals", False): _signal(False),
    ("faults", True): _fault(True),
    ("faults", False): _fault(False),
}
"""The shape of a record by its channel and by whether its entry has a written tick."""


def _entry(channel: str) -> Having:
    first: dict[str, Shape] = {"seq": Integer(0, MAX_ENTRIES)}
    last: dict[str, Shape] = {"channel": OneOf((channel,))}
    return Having(
        "when",
        Record("a triggered entry", {**first, "when": TRIGGER, **last, "record": RECORDS[channel, False]}),
        Record("a schedule entry", {**first, "at": TICK, **last, "record": RECORDS[channel, True]}),
    )


ENTRY = Tagged("a schedule entry", "channel", {channel: _entry(channel) for channel in CHANNELS})


def _condition(fields: tuple[str, ...], single: tuple[str, ...], value: Shape, several: bool) -> Tagged:
    """Conditions on these fields: operators that compare with one value, and, with `several`, `in` and `not-in`."""
    what = "a condition"
    one = Record(what, {"field": OneOf(fields), "op": OneOf(single), "value": value})
    cases: dict[str, Shape] = dict.fromkeys(single, one)
    if several:
        many: dict[str, Shape] = {
            "field": OneOf(fields),
            "op": OneOf(("in", "not-in")),
            "value": ListOf(value, least=1),
        }
        cases |= dict.fromkeys(("in", "not-in"), Record(what, many))
    return Tagged(what, "op", cases)


_TEXTS = tuple(TEXT_FIELDS.values())
_TEXT_OPS = tuple(op for op in TEXT_OPERATORS.values() if op not in ("in", "not-in"))
CONDITION = Tagged(
    "a condition",
    "field",
    {
        **dict.fromkeys(_TEXTS, _condition(_TEXTS, _TEXT_OPS, ANY_TEXT, several=True)),
        **dict.fromkeys(NUMBER_FIELDS, _condition(NUMBER_FIELDS, NUMBER_OPERATORS, COUNT, several=False)),
        "posture": _condition(("posture",), ("is", "is-not"), POSTURE, several=True),
    },
)
RULE = Record("a rule", {"id": ID, "effect": OneOf(("admit", "refuse")), "when": ListOf(CONDITION)})
VERSION = Record("a rules version", {"name": ID, "rules": ListOf(RULE, least=1)})

STUB = Record(
    "the stub",
    {
        "anchors": ListOf(Record("an anchor", {"anchor": ANY_TEXT, "conversation_id": ID})),
        "replies": ListOf(
            Record(
                "a reply",
                {
                    "conversation_id": ID,
                    "parts": ListOf(
                        ByKind(
                            string=Text("a piece of text", least=1), record=Record("an anchor part", {"anchor": Yes()})
                        )
                    ),
                },
            )
        ),
    },
)

_CLAIM = Named("claim")


def _claim(form: str, **members: Shape) -> Record:
    return Record(f"the claim `{form}`", {"claim": OneOf((form,)), **members})


WITHIN = Nullable(COUNT)
# `from` is no Python name for an argument.
_SENT: dict[str, Shape] = {"of": ID, "once": Flag(), "within": WITHIN, "from": RECORD_ID}
_IF: dict[str, Shape] = {"if": _CLAIM, "then": _CLAIM, "else": _CLAIM}
CLAIM = Tagged(
    "a claim",
    "claim",
    {
        "admitted": _claim("admitted", of=ID, within=WITHIN),
        "drafted": _claim("drafted", of=ID, within=WITHIN),
        "not-admitted": _claim("not-admitted", of=ID),
        "never-sent": _claim("never-sent", of=ID),
        "completed": _claim("completed", of=ID),
        "open": _claim("open", of=ID),
        "reassigned-or-orphaned": _claim("reassigned-or-orphaned", of=ID),
        "sent": _claim("sent", **_SENT),
        "not-sent-after": _claim("not-sent-after", of=ID, after=RECORD_ID),
        "abandoned": _claim("abandoned", of=ID, reason=Nullable(OneOf(REASONS))),
        "reply-in": _claim("reply-in", of=ID, conversation=ID),
        "reply-anchor": _claim("reply-anchor", of=ID, conversation=ID),
        "distinct": _claim("distinct", of=ListOf(ID, least=2, most=2)),
        "only-sent": _claim("only-sent", of=ListOf(ID, least=1), ordered=Flag()),
        "claims-settle": _claim("claims-settle", of=ID, within=COUNT),
        "state-agrees": _claim("state-agrees"),
        "any": _claim("any", of=ListOf(ListOf(_CLAIM, least=1), least=2)),
        "if": _claim("if", **_IF),
    },
)
DEFINITIONS: Mapping[str, Shape] = {"claim": CLAIM}

SEAL = Record(
    "the seal", {"alg": OneOf(("reserve-seal/1",)), "nonce": Text("64 lowercase hexadecimal digits", "[0-9a-f]{64}")}
)

BUNDLE = Record(
    "a bundle",
    {
        "format": OneOf((BUNDLE_FORMAT,)),
        "spec": OneOf((SPEC,)),
        "readings": OneOf((READINGS,)),
        "id": ID,
        "title": ANY_TEXT,
        "level": Integer(0, len(LEVELS) - 1),
        "skin": ID,
        "horizon": TICK,
        "mode": Record("the mode", {"changed_at": OneOf((0,)), "posture": POSTURE}),
        "rules": ListOf(VERSION, least=1),
        "stub": STUB,
        "schedule": ListOf(ENTRY, most=MAX_ENTRIES),
        "invariants": ListOf(OneOf(tuple(row.id for row in OBLIGATIONS))),
        "expect": ListOf(_CLAIM),
        "catches": ListOf(OneOf(FAULTY_SYSTEMS)),
        "seal": SEAL,
    },
    optional=frozenset({"seal"}),
)


def _line(shape: Shape, timed: bool) -> Shape:
    """A record's shape as a line of a derived file: the same members, and `seq` with `at` or `when`."""
    more: dict[str, Shape] = {"seq": Integer(0, MAX_ENTRIES), **({"at": TICK} if timed else {"when": TRIGGER})}
    match shape:
        case Record():
            return Record(shape.name, {**shape.members, **more}, shape.optional)
        case Tagged():
            return Tagged(shape.name, shape.tag, {tag: _line(case, timed) for tag, case in shape.cases.items()})
        case Having():
            return Having(shape.member, _line(shape.present, timed), _line(shape.absent, timed))
        case _:
            raise TypeError(f"a record is not {type(shape).__name__}")


LINES: Mapping[str, Shape] = {
    channel: Having("when", _line(RECORDS[channel, False], False), _line(RECORDS[channel, True], True))
    for channel in CHANNELS
}
"""The shape of a line of `<channel>.jsonl`."""
