"""The brute-force kill matrix: cells derived by hand, and its logs and claims against the other formulations."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, product
from random import Random
from typing import Any

import pytest
from tests.oracle import Budgets, TooLarge, explore, faulty_logs, faulty_runs
from tests.oracle.basics import Document, MessageTrace
from tests.oracle.claims import Claim, atom_of, atoms_in, referenced
from tests.oracle.declarative_claims import Story as Judged
from tests.oracle.declarative_rows import breaches
from tests.oracle.document import Message
from tests.oracle.faulty import cells, escapes
from tests.oracle.faulty_claims import truth
from tests.oracle.faulty_facts import plain
from tests.oracle.faulty_logs import Log, in_force, logs_of
from tests.oracle.faulty_runs import Reply
from tests.oracle.faulty_systems import SYSTEMS
from tests.oracle.faulty_worlds import Story, World
from tests.oracle.generate import random_budgets, random_document
from tests.oracle.regime import FIRST_LEVEL
from tests.oracle.scenes import ONLY_NORMAL, OPEN, Entry, claim, decide, deliver, escalate, fault, kill, scene, sent

ONE = Budgets(admit=1, lag=1, draft=1, reply=1, send=1, crash=2, death=1, claims=1, terminal=1)
SLOW_DRAFT = Budgets(admit=1, lag=1, draft=2, reply=1, send=1, crash=2, death=1, claims=1, terminal=1)
SLOW_CLAIMS = Budgets(admit=1, lag=1, draft=1, reply=1, send=1, crash=2, death=1, claims=2, terminal=1)
SLOW_REPLY = Budgets(admit=1, lag=1, draft=1, reply=2, send=1, crash=2, death=1, claims=1, terminal=1)

NEVER_SENT = [claim("never-sent", "m1")]
SENT = [sent("m1")]
ONCE = [sent("m1", once=True)]
M1 = deliver("m1", 0)
M2 = deliver("m2", 0, "refund", "bob", "refund")
BOB = {"field": "message.from", "op": "is", "value": "bob"}
LIKE_M1 = deliver("m2", 0, "refund", "bob")
AFTER_M1 = deliver("m2", 0, subject="refund")
IN_ORDER = claim("reply-in", "m1", conversation="order")
OWN_ANCHOR = claim("reply-anchor", "m2", conversation="refund")
SETTLES = claim("claims-settle", "m1", within=1)
ANCHORS = {"order": "ORD-1", "refund": "REF-2"}
ONLY_BOB = [{"name": "bob", "rules": [{"id": "bob", "effect": "admit", "when": [BOB]}]}]
GO_EARLY = decide("m1", 1, "go")
GO = decide("m1", 2, "go")
NO = decide("m1", 2, "no", "reject")
TWO_RULES: list[dict[str, Any]] = [
    {"name": "shut", "rules": []},
    {"name": "open", "rules": [{"id": "all", "effect": "admit", "when": []}]},
]


def forge(at: int, message: str | None, decision: str = "approve") -> Entry:
    """A forged decision: with a wrong hash on a message, dangling without one."""
    record: dict[str, Any] = {"approval_id": "fake", "decision": decision, "forged": "dangling", "draft_id": "ghost"}
    if message is not None:
        record |= {"forged": "wrong-hash", "match": {"work_id": f"work:{message}"}}
    return {"at": at, "channel": "approvals", "record": record}


def normal_from_2(level: int, delivery: Entry) -> Document:
    """The rule admits in posture normal only, which is in force from 2 on."""
    schedule = [fault("posture", 2, posture="normal"), delivery]
    return scene(level, 6, schedule, [], ONLY_NORMAL, posture="maintenance")


def maintenance_from_2(delivery: Entry) -> Document:
    """The same with posture normal before 2 only, and never sent as the only question."""
    return lenient(2, 6, [fault("posture", 2, posture="maintenance"), delivery], NEVER_SENT, rules=ONLY_NORMAL)


def open_from_2(level: int, delivery: Entry) -> Document:
    """The rules admit nothing before 2, and everything from then on."""
    return scene(level, 6, [fault("rules", 2, rules="open"), delivery], [], TWO_RULES)


def shut_from_2(delivery: Entry) -> Document:
    """The reverse, with never sent as the only question."""
    return lenient(2, 6, [fault("rules", 2, rules="shut"), delivery], NEVER_SENT, rules=TWO_RULES[::-1])


def refusing(level: int, horizon: int, schedule: list[Entry]) -> Document:
    """A scenario that admits nothing, from level 2 on."""
    return scene(level, horizon, schedule, NEVER_SENT, ONLY_NORMAL, posture="maintenance")


def lenient(level: int, horizon: int, schedule: list[Entry], expect: list[Claim], **more: Any) -> Document:
    """A scenario with ``invariants only expect``."""
    return scene(level, horizon, schedule, expect, only_expect=True, **more)


# Where a comment says "nothing is admitted", every log of a system that may not break L2.only is without a record, and
# no row then demands anything of the refused message. "Shows" means: breaks a row that the system is judged by. While
# the standing obligations are judged, no log that shows passes, so the cell is K as soon as every log shows.
# With ONE, at level 0, m1 of tick 0 is to be drafted and sent by 1; from level 2 on it is to be admitted and drafted by
# 1 and sent within 1 of an approval.
CELLS: list[tuple[str, str, Document, Budgets]] = [
    # Nobody drafts m1 by 1. / It is not asked about: never sent is true. / Nothing is due.
    ("idle", "K", scene(0, 2, [M1], SENT), ONE),
    ("idle", ".", lenient(0, 2, [M1], NEVER_SENT), ONE),
    ("idle", "-", refusing(2, 2, [M1]), ONE),
    # The deadline of the draft lies beyond the horizon.
    ("idle", "-", scene(0, 0, [M1], NEVER_SENT), ONE),
    # The same; m1 may be admitted or not. Asked for an admission, only the admitted logs pass.
    ("admits-never-drafts", "K", scene(0, 2, [M1], SENT), ONE),
    ("admits-never-drafts", ".", lenient(0, 2, [M1], NEVER_SENT), ONE),
    ("admits-never-drafts", "k", lenient(0, 2, [M1], [claim("admitted", "m1", within=None)]), ONE),
    ("admits-never-drafts", "-", refusing(2, 2, [M1]), ONE),
    # m1, which must be drafted if it is not admitted, is admitted, and abandoned without a cause.
    ("abandons-everything", "K", scene(0, 2, [M1], SENT), ONE),
    # What shows is abandoned, for whichever of four reasons.
    ("abandons-everything", ".", lenient(0, 2, [M1], [claim("abandoned", "m1", reason=None)]), ONE),
    ("abandons-everything", "k", lenient(0, 2, [M1], [claim("abandoned", "m1", reason="crash")]), ONE),
    ("abandons-everything", "-", refusing(2, 2, [M1]), ONE),
    # After an escalation at 0 an abandonment is lawful; for another reason than the escalation it still shows.
    ("abandons-everything", "k", scene(4, 1, [escalate("m1", 0), M1], NEVER_SENT), ONE),
    # L0.draft stands, so m1 is admitted, hence completed without a send.
    ("completes-unsent", "K", scene(0, 2, [M1], SENT), ONE),
    ("completes-unsent", ".", lenient(0, 2, [M1], [claim("completed", "m1")]), ONE),
    ("completes-unsent", "-", refusing(2, 2, [M1]), ONE),
    # Drafted, as it must be, and then nothing: the reply is due at 1. / Without an approval no send is due.
    ("silent-abandon", "K", scene(0, 2, [M1], SENT), ONE),
    ("silent-abandon", ".", lenient(0, 2, [M1], NEVER_SENT), ONE),
    ("silent-abandon", "-", scene(2, 2, [M1], NEVER_SENT), ONE),
    # Approved at 2, neither sent by 3 nor (level 3) resolved by the end.
    ("silent-abandon", "K", scene(3, 3, [M1, GO], SENT), ONE),
    # It sends by 1 what nobody approved. / An approval of 0 fires behind the draft: of 0, the send of 1 is lawful.
    ("sends-without-approval", "K", scene(2, 2, [M1], NEVER_SENT), ONE),
    ("sends-without-approval", ".", lenient(2, 2, [M1], [sent("m1", 1)]), ONE),
    ("sends-without-approval", "k", scene(2, 2, [M1, decide("m1", 0, "go")], []), ONE),
    ("sends-without-approval", "-", scene(1, 2, [M1], SENT), ONE),
    # Escalated by the deadline of 1 it has no cause to send.
    ("sends-without-approval", "-", scene(4, 2, [M1, escalate("m1", 1)], NEVER_SENT), ONE),
    ("sends-without-approval", "K", scene(4, 2, [M1, escalate("m1", 2)], []), ONE),
    # Drafted by 1, so the forgery at 2 finds the draft, and m1 is sent by 3 without an approval.
    ("trusts-dangling", "K", scene(2, 3, [M1, forge(2, None)], NEVER_SENT), ONE),
    # Drafted at 1, it is not found by the forgery of 1, and waits.
    ("trusts-dangling", "k", scene(2, 3, [M1, forge(1, None)], NEVER_SENT), ONE),
    # A forged rejection is no approval, and a wrong hash does not dangle.
    ("trusts-dangling", "-", scene(2, 3, [M1, forge(2, None, "reject")], NEVER_SENT), ONE),
    ("trusts-dangling", "-", scene(2, 3, [M1, forge(2, "m1")], NEVER_SENT), ONE),
    ("trusts-dangling", ".", lenient(2, 3, [M1, forge(2, None)], SENT), ONE),
    ("trusts-dangling", "-", refusing(2, 3, [M1, forge(2, None)]), ONE),
    ("trusts-dangling", "-", scene(1, 3, [M1, forge(2, None)], SENT), ONE),
    # The forgery of 1 waits for a draft of 1 and fires at 2; so it always finds one, and m1 is sent by 3.
    ("trusts-wrong-hash", "K", scene(2, 3, [M1, forge(1, "m1")], NEVER_SENT), ONE),
    ("trusts-wrong-hash", ".", lenient(2, 3, [M1, forge(1, "m1")], SENT), ONE),
    ("trusts-wrong-hash", "-", scene(2, 3, [M1, forge(1, None)], NEVER_SENT), ONE),
    ("trusts-wrong-hash", "-", scene(1, 3, [M1, forge(1, "m1")], SENT), ONE),
    # The horizon is before the deadline of a forgery at 2, so a silent log has the time to wait.
    ("trusts-wrong-hash", "k", scene(2, 2, [M1, forge(2, "m1")], NEVER_SENT), ONE),
    # Found open at 2 (it may not be sent before), what is sent by 3 is a draft of 2 or 3, which no decision binds.
    ("sends-unapproved-redraft", "K", scene(2, 4, [M1, GO], SENT), ONE),
    ("sends-unapproved-redraft", ".", lenient(2, 4, [M1, GO], SENT), ONE),
    # A second approval, which binds the draft of 2, asks for yet another draft.
    ("sends-unapproved-redraft", "K", scene(2, 4, [M1, GO, decide("m1", 3, "too")], SENT), ONE),
    # A rejection by the deadline is an excuse. / So is a crash at 1, if the draft of 0 was approved before; the approval
    # of a draft of 1 waits, and fires at 2.
    ("sends-unapproved-redraft", "-", scene(2, 4, [M1, GO, decide("m1", 3, "no", "reject")], NEVER_SENT), ONE),
    ("sends-unapproved-redraft", "k", scene(2, 4, [M1, GO_EARLY, fault("crash", 1)], []), ONE),
    ("sends-unapproved-redraft", "-", scene(1, 4, [M1, GO], SENT), SLOW_REPLY),
    # The approval and the rejection of 2 bind one draft, and it is sent by 3, or another one that has no decision.
    ("ignores-reject", "K", scene(2, 3, [M1, GO, NO], NEVER_SENT), ONE),
    ("ignores-reject", ".", lenient(2, 3, [M1, GO, NO], SENT), ONE),
    # The send at 2 is lawful, that at 3 comes after the rejection of 3.
    ("ignores-reject", "k", scene(2, 3, [M1, GO, decide("m1", 3, "no", "reject")], SENT), ONE),
    # Nothing is rejected, or too late. / Not asked at level 1.
    ("ignores-reject", "-", scene(2, 3, [M1, GO], SENT), ONE),
    ("ignores-reject", "-", scene(2, 4, [M1, GO, decide("m1", 4, "no", "reject")], SENT), ONE),
    ("ignores-reject", "-", scene(1, 3, [M1, GO, NO], NEVER_SENT), ONE),
    # Approved and escalated at 2, and not sent before; it is sent at 2 or 3. / Escalated at 3: the send of 2 is lawful.
    ("sends-after-escalation", "K", scene(4, 4, [M1, GO, escalate("m1", 2)], NEVER_SENT), ONE),
    ("sends-after-escalation", "k", scene(4, 4, [M1, GO, escalate("m1", 3)], SENT), ONE),
    ("sends-after-escalation", ".", lenient(4, 4, [M1, GO, escalate("m1", 2)], SENT), ONE),
    ("sends-after-escalation", "-", scene(4, 4, [M1, GO], SENT), ONE),
    ("sends-after-escalation", "-", scene(3, 4, [M1, GO, escalate("m1", 2)], NEVER_SENT), ONE),
    # Escalated at 4, when all is sent (by 3).
    ("sends-after-escalation", "-", scene(4, 4, [M1, GO, escalate("m1", 4)], SENT), ONE),
    # Admitted by 1 and unsent, m1 is completed at 1 or later, not abandoned. (Before 1 it had no cause to.)
    ("completes-after-escalation", "K", scene(4, 2, [M1, escalate("m1", 1)], NEVER_SENT), ONE),
    ("completes-after-escalation", ".", lenient(4, 2, [M1, escalate("m1", 1)], NEVER_SENT), ONE),
    ("completes-after-escalation", "-", scene(4, 2, [M1], NEVER_SENT), ONE),
    # Approved at 2 and escalated at 3, it may be sent lawfully at 2.
    ("completes-after-escalation", "k", scene(4, 4, [M1, GO, escalate("m1", 3)], []), ONE),
    ("drops-escalated-silently", "K", scene(4, 2, [M1, escalate("m1", 1)], NEVER_SENT), ONE),
    ("drops-escalated-silently", ".", lenient(4, 2, [M1, escalate("m1", 1)], [claim("open", "m1")]), ONE),
    ("drops-escalated-silently", "k", scene(4, 4, [M1, GO, escalate("m1", 3)], []), ONE),
    ("drops-escalated-silently", "-", scene(4, 2, [M1], NEVER_SENT), ONE),
    # Sent by 1, and again at 1 or 2. / A second send is still a send, but not exactly one.
    ("duplicates-on-redelivery", "K", scene(0, 2, [M1, deliver("m1", 1)], SENT), ONE),
    ("duplicates-on-redelivery", ".", lenient(0, 2, [M1, deliver("m1", 1)], SENT), ONE),
    ("duplicates-on-redelivery", "K", lenient(0, 2, [M1, deliver("m1", 1)], ONCE), ONE),
    # Neither without a redelivery, nor if there is an escalation, even in the last tick.
    ("duplicates-on-redelivery", "-", scene(0, 2, [M1], SENT), ONE),
    ("duplicates-on-redelivery", "-", scene(0, 2, [M1, deliver("m1", 1), escalate("m1", 2)], []), ONE),
    ("duplicates-on-redelivery", "-", refusing(2, 2, [M1, deliver("m1", 1)]), ONE),
    # Sent at 2 or 3, and again at 3 or 4.
    ("resends-on-repeated-approval", "K", scene(2, 4, [M1, GO, decide("m1", 3, "go")], SENT), ONE),
    ("resends-on-repeated-approval", ".", lenient(2, 4, [M1, GO, decide("m1", 3, "go")], SENT), ONE),
    ("resends-on-repeated-approval", "-", scene(2, 4, [M1, GO, deliver("m1", 1)], SENT), ONE),
    # What is repeated at 1, before the draft of 1, comes behind its original at 2. At level 1 a send may come before.
    ("resends-on-repeated-approval", "K", scene(2, 4, [M1, GO_EARLY, decide("m1", 1, "go")], SENT), ONE),
    ("resends-on-repeated-approval", "-", refusing(2, 4, [M1, GO, decide("m1", 3, "go")]), ONE),
    # Sent by 1 and again at 2 or 3. / At a crash of 1 a send of 1 is none before it.
    ("resends-on-crash", "K", scene(0, 3, [M1, fault("crash", 2)], SENT), ONE),
    ("resends-on-crash", "k", scene(0, 3, [M1, fault("crash", 1)], SENT), ONE),
    ("resends-on-crash", ".", lenient(0, 3, [M1, fault("crash", 2)], SENT), ONE),
    ("resends-on-crash", "-", scene(0, 3, [M1, fault("crash", 0)], SENT), ONE),
    ("resends-on-crash", "-", refusing(2, 3, [M1, fault("crash", 2)]), ONE),
    # Whatever is done with m1, which is to be drafted, there are two items of it.
    ("forks-on-redelivery", "K", scene(0, 2, [M1, deliver("m1", 1)], SENT), ONE),
    ("forks-on-redelivery", ".", lenient(0, 2, [M1, deliver("m1", 1)], SENT), ONE),
    ("forks-on-redelivery", "-", scene(0, 2, [M1], SENT), ONE),
    ("forks-on-redelivery", "-", refusing(2, 2, [M1, deliver("m1", 1)]), ONE),
    # Admitted by 1 and unapproved at 2, m1 is forgotten, and not sent by 4.
    ("forgets-on-crash", "K", scene(2, 4, [M1, fault("crash", 2), decide("m1", 3, "go")], SENT), ONE),
    ("forgets-on-crash", ".", lenient(2, 4, [M1, fault("crash", 2), decide("m1", 3, "go")], NEVER_SENT), ONE),
    # Admitted at 1, it is not known at the crash of 1 and goes on as it should.
    ("forgets-on-crash", "k", scene(0, 3, [M1, fault("crash", 1)], SENT), ONE),
    # No crash. / Sent by 1, it is not live at 2; what is not, shows, as if it had known.
    ("forgets-on-crash", "-", scene(0, 3, [M1], SENT), ONE),
    ("forgets-on-crash", "k", scene(0, 3, [M1, fault("crash", 2)], SENT), ONE),
    ("forgets-on-crash", "-", refusing(2, 4, [M1, fault("crash", 2)]), ONE),
    # Approved and pending at 2, and sent by 4 of a draft of 2 or later; sent before 2 it is not approved either.
    ("restarts-step-on-crash", "K", scene(2, 4, [M1, GO, fault("crash", 2)], SENT), ONE),
    ("restarts-step-on-crash", ".", lenient(2, 4, [M1, GO, fault("crash", 2)], SENT), ONE),
    # The send of 2 is made before the crash of 3.
    ("restarts-step-on-crash", "k", scene(2, 5, [M1, GO, fault("crash", 3)], SENT), ONE),
    # Not approved, it is not pending. / Escalated by the deadline, it has an excuse. / Not asked at level 1.
    ("restarts-step-on-crash", "-", scene(2, 4, [M1, fault("crash", 2)], NEVER_SENT), ONE),
    ("restarts-step-on-crash", "-", scene(2, 4, [M1, GO, fault("crash", 2), escalate("m1", 4)], []), ONE),
    ("restarts-step-on-crash", "-", scene(1, 4, [M1, GO, fault("crash", 2)], SENT), ONE),
    # What is in force at 4 admits m1 beyond doubt, what was in force at 0 does not; so it is not admitted by 5.
    ("stale-posture", "K", normal_from_2(2, deliver("m1", 4)), ONE),
    # The other way round it is admitted by 5 as nothing allows. / At 2 either is lawful. / Nothing ever changes.
    ("stale-posture", ".", maintenance_from_2(deliver("m1", 4)), ONE),
    ("stale-posture", "-", normal_from_2(2, deliver("m1", 2)), ONE),
    ("stale-posture", "-", scene(2, 6, [deliver("m1", 4)], NEVER_SENT, ONLY_NORMAL), ONE),
    ("stale-posture", "-", normal_from_2(1, deliver("m1", 4)), ONE),
    ("stale-rules", "K", open_from_2(2, deliver("m1", 4)), ONE),
    ("stale-rules", ".", shut_from_2(deliver("m1", 4)), ONE),
    ("stale-rules", "-", open_from_2(2, deliver("m1", 2)), ONE),
    # Both versions admit m1.
    (
        "stale-rules",
        "-",
        scene(2, 6, [fault("rules", 2, rules="open"), deliver("m1", 4)], [], [*OPEN, TWO_RULES[1]]),
        ONE,
    ),
    ("stale-rules", "-", open_from_2(1, deliver("m1", 4)), ONE),
    ("stale-rules", "-", normal_from_2(2, deliver("m1", 4)), ONE),
    ("stale-posture", "-", open_from_2(2, deliver("m1", 4)), ONE),
    # m2, which is required, is not admitted, hence not drafted by 1.
    ("merges-by-subject", "K", scene(0, 2, [M1, LIKE_M1], SENT), ONE),
    ("merges-by-subject", ".", lenient(0, 2, [M1, LIKE_M1], [claim("not-admitted", "m2")]), ONE),
    ("merges-by-subject", "-", refusing(2, 2, [M1, LIKE_M1]), ONE),
    ("ignores-follow-ups", "K", scene(0, 2, [M1, AFTER_M1], SENT), ONE),
    ("ignores-follow-ups", ".", lenient(0, 2, [M1, AFTER_M1], [claim("not-admitted", "m2")]), ONE),
    ("ignores-follow-ups", "-", refusing(2, 2, [M1, AFTER_M1]), ONE),
    # A message of the same conversation may have another subject, and the reverse.
    ("merges-by-subject", "-", scene(0, 2, [M1, AFTER_M1], [sent("m2")]), ONE),
    ("ignores-follow-ups", "-", scene(0, 2, [M1, LIKE_M1], [sent("m2")]), ONE),
    # The first one, of ada, is refused, so that the second, of bob, is none too many. / The reverse: bob has the first.
    ("merges-by-subject", "-", scene(2, 2, [M1, LIKE_M1], [], ONLY_BOB), ONE),
    ("merges-by-subject", "-", scene(2, 2, [LIKE_M1, M1], [], ONLY_BOB), ONE),
    ("merges-by-subject", "K", scene(2, 2, [LIKE_M1, deliver("m3", 0, "third", "bob"), M1], [], ONLY_BOB), ONE),
    # Both are drafted by 1, each in the conversation of the other. / Only one conversation. / Not asked below level 5.
    ("replies-in-wrong-conversation", "K", scene(5, 1, [M1, M2], NEVER_SENT), ONE),
    ("replies-in-wrong-conversation", ".", lenient(5, 1, [M1, M2], NEVER_SENT), ONE),
    ("replies-in-wrong-conversation", "K", lenient(5, 3, [M1, GO, M2], [IN_ORDER]), ONE),
    ("replies-in-wrong-conversation", "-", scene(5, 1, [M1], NEVER_SENT), ONE),
    ("replies-in-wrong-conversation", "-", scene(4, 1, [M1, M2], NEVER_SENT), ONE),
    # m2 is drafted by 1 with the anchor of m1's conversation. / That of m1's is right. / Not asked at level 0.
    ("stuffs-context", "K", scene(1, 1, [M1, M2], SENT, anchors=ANCHORS), ONE),
    ("stuffs-context", ".", lenient(1, 1, [M1, M2], SENT, anchors=ANCHORS), ONE),
    ("stuffs-context", "K", lenient(1, 1, [M1, M2], [OWN_ANCHOR], anchors=ANCHORS), ONE),
    ("stuffs-context", "-", scene(1, 1, [M1], SENT, anchors=ANCHORS), ONE),
    ("stuffs-context", "-", scene(0, 1, [M1, M2], SENT, anchors=ANCHORS), ONE),
    ("stuffs-context", "-", scene(1, 1, [M1, M2], SENT), ONE),
    # Admitted by 1, m1 has a holder at 2, and nothing follows until 3.
    ("drops-dead-agents-work", "K", scene(3, 3, [M1, kill("m1", 2)], NEVER_SENT), ONE),
    ("drops-dead-agents-work", ".", lenient(3, 3, [M1, kill("m1", 2)], NEVER_SENT), ONE),
    # Admitted at 1, m1 has none at 1. / The deadline is beyond the horizon. / Nobody dies.
    ("drops-dead-agents-work", "k", scene(3, 3, [M1, kill("m1", 1)], NEVER_SENT), ONE),
    ("drops-dead-agents-work", "-", scene(3, 2, [M1, kill("m1", 2)], NEVER_SENT), ONE),
    ("drops-dead-agents-work", "-", scene(3, 3, [M1], NEVER_SENT), ONE),
    # Claimed at the horizon, it need not settle by the horizon.
    *((name, "k", scene(3, 2, [M1], NEVER_SENT), ONE) for name in ("double-owner", "no-stand-down")),
    *((name, ".", lenient(3, 2, [M1], NEVER_SENT), ONE) for name in ("double-owner", "no-stand-down")),
    *((name, "k", lenient(3, 2, [M1], [SETTLES]), ONE) for name in ("double-owner", "no-stand-down")),
    *((name, "-", scene(2, 2, [M1], NEVER_SENT), ONE) for name in ("double-owner", "no-stand-down")),
    # With a settlement due 2 behind the claim, and the horizon at 1, it is never due.
    *((name, "-", scene(3, 1, [M1], NEVER_SENT), SLOW_CLAIMS) for name in ("double-owner", "no-stand-down")),
    # reply: sent at 2. (draft: drafted at 2, so not sent by 1. The other rows are not in force, or have no cause.)
    ("late-by-one", "K", scene(0, 2, [M1], SENT), ONE),
    ("late-by-one", ".", lenient(0, 2, [M1], SENT), ONE),
    ("late-by-one", "K", lenient(0, 2, [M1], [sent("m1", 1)]), ONE),
    # admit: admitted and drafted at 2, whatever is claimed. draft: drafted at 3.
    ("late-by-one", "k", lenient(2, 3, [M1], [claim("admitted", "m1", within=1)]), SLOW_DRAFT),
    ("late-by-one", "k", lenient(2, 3, [M1], [claim("drafted", "m1", within=2)]), SLOW_DRAFT),
    # A draft at the horizon is not late; an admission is not, either.
    ("late-by-one", "-", scene(2, 0, [M1], NEVER_SENT), ONE),
    ("late-by-one", "-", refusing(2, 3, [M1]), ONE),
    # crash: drafted at 0 and pending at 1, m1 is sent at 4 only; else it is drafted in time at 1 and sent at 2 (reply).
    ("late-by-one", "k", lenient(1, 4, [M1, fault("crash", 1)], [sent("m1", 3)]), ONE),
    # death: reassigned or ended at 4. claims: settled 2 behind a claim, or never if that is at 3. (Nothing to be sent.)
    ("late-by-one", "K", scene(3, 4, [M1, kill("m1", 2)], NEVER_SENT), ONE),
    ("late-by-one", "k", lenient(3, 4, [M1], [SETTLES]), ONE),
    # Approved at 2, sent at 4. / By L0.reply too it is due at 3. / The end comes before.
    ("back-dates", "K", scene(2, 4, [M1, GO], SENT), SLOW_REPLY),
    ("back-dates", ".", lenient(2, 4, [M1, GO], SENT), SLOW_REPLY),
    ("back-dates", "K", lenient(2, 4, [M1, GO], [sent("m1", 1, "go")]), SLOW_REPLY),
    ("back-dates", "-", scene(2, 4, [M1, GO], SENT), ONE),
    ("back-dates", "-", scene(2, 2, [M1, GO], SENT), SLOW_REPLY),
    ("back-dates", "-", scene(1, 4, [M1, GO], SENT), SLOW_REPLY),
    ("state-lies", "K", scene(3, 1, [M1], NEVER_SENT), ONE),
    ("state-lies", ".", lenient(3, 1, [M1], NEVER_SENT), ONE),
    ("state-lies", "K", lenient(3, 1, [M1], [{"claim": "state-agrees"}]), ONE),
    ("state-lies", "-", scene(2, 1, [M1], NEVER_SENT), ONE),
]


def title(case: tuple[str, str, Document, Budgets]) -> str:
    """The name of a hand-made cell."""
    return f"{case[0]} {case[1]}"


@pytest.mark.parametrize("case", CELLS, ids=title)
def test_a_cell_derived_by_hand(case: tuple[str, str, Document, Budgets]) -> None:
    name, cell, document, budgets = case
    assert cells(document, budgets)[name] == cell


def test_every_system_has_cells_of_each_sort() -> None:
    known = {(name, cell) for name, cell, _, _ in CELLS}
    for name in SYSTEMS:
        assert {(name, "-"), (name, ".")} <= known
        assert (name, "K") in known or (name, "k") in known


LENIENT = [case for case in CELLS if case[2]["invariants"] == [] and case[1] in ("K", ".")]


@pytest.mark.parametrize("case", LENIENT, ids=title)
def test_what_escapes_is_what_the_expectations_let_pass(case: tuple[str, str, Document, Budgets]) -> None:
    name, cell, document, budgets = case
    assert (name in escapes(document, budgets)) == (cell == ".")


def test_escapes() -> None:
    # The standing obligations catch the idle system, the expectation alone does not.
    assert "idle" in escapes(scene(0, 2, [M1], NEVER_SENT), ONE)
    assert "idle" not in escapes(scene(0, 2, [M1], SENT), ONE)
    # Some logs that abandon everything do so because of a crash.
    document = lenient(0, 2, [M1], [claim("abandoned", "m1", reason="crash")])
    assert cells(document, ONE)["abandons-everything"] == "k"
    assert "abandons-everything" in escapes(document, ONE)
    # Some logs with two owners satisfy the claim: those in which the settlement is not due, which is then no fault.
    document = lenient(3, 2, [M1], [SETTLES])
    assert cells(document, ONE)["double-owner"] == "k"
    assert "double-owner" not in escapes(document, ONE)


# -- against the other formulations ----------------------------------------------------------------------------------


def small(seed: int, messages: int, horizon: int) -> tuple[Document, Budgets]:
    """A generated document with few logs."""
    rng = Random(seed)
    budgets = random_budgets(rng)
    return random_document(rng, budgets, messages, horizon), budgets


def told(run: MessageTrace, level: int) -> tuple[object, ...]:
    """What the logs here tell of a run: of its drafts the first and the sent one, the rules where they matter."""
    rules = run.rules if level >= FIRST_LEVEL["L2.only"] else None
    send = None if run.send is None else (run.send[0], run.drafts[run.send[1]])
    return run.admitted, rules, run.drafts[:1], send, run.resolution, run.won, run.held


def read(document: Document, budgets: Budgets) -> tuple[Story, list[World]]:
    """A document with all its worlds."""
    story = Story.read(document, budgets)
    return story, list(story.worlds(referenced(story.scenario, story.scenario.expect), 200))


@pytest.mark.parametrize(
    ("messages", "horizon", "seeds"),
    [
        (1, 4, range(25)),
        (2, 3, range(40, 50)),
        pytest.param(1, 5, range(1000, 1100), marks=pytest.mark.slow),
        pytest.param(2, 4, range(1100, 1160), marks=pytest.mark.slow),
    ],
)
def test_logs_that_break_nothing_are_the_conforming_runs(messages: int, horizon: int, seeds: range) -> None:
    compared = 0
    for seed in seeds:
        document, budgets = small(seed, messages, horizon)
        level = document["level"]
        lawful: set[tuple[tuple[object, ...], ...]] = set()
        try:
            explored = explore(document, budgets, max_drafts=3, max_traces=60_000)
            story, worlds = read(document, budgets)
            for world in worlds:
                logs = [logs_of(world, message, 5000) for message in story.scenario.messages]
                kept = [{told(log.item.run, level) for log in item if not log.broken} for item in logs]
                lawful |= set(product(*kept))
        except TooLarge:
            continue
        assert lawful == {tuple(told(run, level) for run in trace) for trace in explored}, seed
        compared += len(lawful)
    assert compared > 800


@pytest.mark.parametrize("messages", [1, 2])
def test_rows_and_claims_of_single_logs(messages: int) -> None:
    """Any logs of all messages together, as long as K holds, without a second send."""
    rng = Random(messages)
    compared = 0
    for seed in range(100, 125):
        document, budgets = small(seed, messages, 4)
        try:
            story, worlds = read(document, budgets)
            world = rng.choice(worlds)
            items = [logs_of(world, message, 5000) for message in story.scenario.messages]
        except TooLarge:
            continue
        scenario = story.scenario
        plausible = [[log for log in item if log.second is None and _keeps_kernel(log)] for item in items]
        for _ in range(60 if all(plausible) else 0):
            logs = [rng.choice(item) for item in plausible]
            trace = tuple(log.item.run for log in logs)
            broken = {row for row, _, _ in breaches(scenario, budgets, trace) if in_force(row, scenario.level)}
            assert frozenset().union(*(log.broken for log in logs)) - {"L2.forged"} == broken
            judged = Judged(scenario, budgets, trace)
            choice: dict[str, Any] = {"agrees ": True}
            known = {atom_of({"claim": "state-agrees"}): True}
            for log in logs:
                facts = replace(plain(log), contention=_contention(rng, log))
                name = log.item.message.id
                choice |= {f"conversation {name}": facts.conversation, f"anchors {name}": facts.anchors}
                choice |= {f"contention {name}": facts.contention}
                own = [c for e in scenario.expect for c in atoms_in(e) if c.get("of") == name]
                known |= {atom_of(c): truth(c, log, facts) for c in own}
            for claim_ in scenario.expect:
                for atom in atoms_in(claim_):
                    if atom["claim"] != "distinct":
                        assert judged.holds(atom, choice) == known[atom_of(atom)], (seed, atom, trace)
                        compared += 1
    assert compared > 400


def _keeps_kernel(log: Log) -> bool:
    """Whether a log is one for the other formulation too, which knows no other versions than those of the window."""
    window = {log.item.clock.versions[u] for u in log.item.decisive()}
    return not log.broken & {"K.reason", "K.completed"} and (log.item.admitted is None or log.item.run.rules in window)


def _contention(rng: Random, log: Log) -> tuple[int, int | None] | None:
    if log.item.admitted is None or rng.random() < 0.3:
        return None
    first = rng.randint(log.item.admitted, log.item.last)
    return first, rng.choice((None, rng.randint(first, log.item.last)))


def _all_replies(world: World, message: Message, admitted: int) -> Iterator[Reply]:
    """Every set of at most three drafts, at any ticks, and every send."""
    ticks = range(admitted, world.last + 1)
    for drafts in chain.from_iterable(combinations(ticks, count) for count in range(4)):
        yield drafts, None
        for position, declared in enumerate(drafts):
            for send in range(declared, world.last + 1):
                yield drafts, (send, position)


@pytest.mark.parametrize("seeds", [range(300, 308), pytest.param(range(308, 360), marks=pytest.mark.slow)])
def test_drafts_that_are_left_out_change_no_cell(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    told_apart = set()
    for seed in seeds:
        document, budgets = small(seed, 1, 4)
        try:
            few = cells(document, budgets)
            with monkeypatch.context() as patch:
                patch.setattr(faulty_runs, "_replies", _all_replies)
                patch.setattr(faulty_logs, "_next_draft_matters", lambda item, send: True)
                assert cells(document, budgets) == few, seed
        except TooLarge:
            continue
        told_apart |= set(few.items())
    assert len(told_apart) > 45
