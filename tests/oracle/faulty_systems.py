"""The faulty systems: which rows each one may break by what it does, and which of them it is judged by."""

from dataclasses import dataclass

from tests.oracle import faulty_facts as facts
from tests.oracle import faulty_policies as does
from tests.oracle.faulty_facts import Besides, only_plain
from tests.oracle.faulty_policies import Policy, always
from tests.oracle.regime import RESPONSES


@dataclass(frozen=True)
class System:
    """One faulty system, or one variant of it.

    ``without`` are the rows, physics included, that an item with a cause need not keep. Of these ``late`` is kept with
    a budget that is one tick longer, and broken.
    """

    attacks: frozenset[str]
    without: frozenset[str]
    policy: Policy = always
    besides: Besides = only_plain
    late: str | None = None


def _system(attacks: str, without: str, policy: Policy, besides: Besides = only_plain) -> System:
    return System(frozenset(attacks.split()), frozenset(without.split()), policy, besides)


def _late(row: str, further: str = "", besides: Besides = only_plain) -> System:
    return System(frozenset([row]), frozenset([row, *further.split()]), always, besides, row)


UNSENT = "L0.draft L0.reply L1.crash L2.send"
UNHEEDED = "L4.resolve L6.stop"
AUTHORITY = "L2.authority L2.forged"

SYSTEMS: dict[str, tuple[System, ...]] = {
    "idle": (System(frozenset(("L0.draft", "L0.reply", "L2.admit")), RESPONSES, does.idle),),
    "admits-never-drafts": (_system("L0.draft", f"{UNSENT} L3.terminal", does.never_drafts),),
    "abandons-everything": (
        _system("L0.abandon K.reason", f"L0.abandon {UNSENT} {UNHEEDED} K.reason", does.ends_unsent("abandoned")),
    ),
    "completes-unsent": (
        _system("K.completed", f"L0.reply L1.crash L2.send {UNHEEDED} K.completed", does.ends_unsent("completed")),
    ),
    "silent-abandon": (
        _system(
            "L0.reply L1.crash L2.send L3.terminal",
            f"L0.reply L1.crash L2.send L3.death L3.terminal {UNHEEDED}",
            does.silently_abandons,
        ),
    ),
    "sends-without-approval": (_system("L2.authority", AUTHORITY, does.sends_without_approval),),
    "trusts-dangling": (_system(AUTHORITY, AUTHORITY, does.trusts("dangling")),),
    "trusts-wrong-hash": (_system(AUTHORITY, AUTHORITY, does.trusts("wrong-hash")),),
    "sends-unapproved-redraft": (_system("L2.authority", f"{AUTHORITY} L2.send L0.reply", does.sends_redraft),),
    "ignores-reject": (_system("L2.authority", f"{AUTHORITY} L2.send L0.reply", does.ignores_reject),),
    "sends-after-escalation": (
        _system("L4.stop L6.stop", f"L4.stop {UNHEEDED} L0.reply L2.send L1.crash", does.sends_after_escalation),
    ),
    "completes-after-escalation": (_system(UNHEEDED, f"{UNHEEDED} K.completed", does.completes_escalated),),
    "drops-escalated-silently": (_system(UNHEEDED, f"{UNHEEDED} L3.death L3.terminal", does.drops_escalated),),
    "duplicates-on-redelivery": (_system("L1.once", "L1.once", does.duplicates),),
    "resends-on-repeated-approval": (_system("L1.once", "L1.once", does.resends_on_repeat),),
    "resends-on-crash": (_system("L1.once", "L1.once", does.resends_on_crash),),
    "forks-on-redelivery": (_system("L1.fork", "L1.fork", does.redelivered, facts.forked),),
    "forgets-on-crash": (_system(UNSENT, f"{UNSENT} L3.death L3.terminal {UNHEEDED}", does.forgets),),
    "restarts-step-on-crash": (_system("L2.authority", AUTHORITY, does.restarts_step),),
    "stale-posture": (
        _system(
            "L2.admit L2.only", "L2.admit L2.only L0.draft L0.reply", does.follows(lambda world: world.old_posture)
        ),
    ),
    "stale-rules": (
        _system("L2.admit L2.only", "L2.admit L2.only L0.draft L0.reply", does.follows(lambda world: world.old_rules)),
    ),
    "merges-by-subject": (
        _system(
            "L2.admit L0.draft L0.reply",
            "L2.admit L0.draft L0.reply",
            does.swallows(lambda a, b: a.message.subject == b.message.subject),
        ),
    ),
    "ignores-follow-ups": (
        _system(
            "L2.admit L0.draft L0.reply",
            "L2.admit L0.draft L0.reply",
            does.swallows(lambda a, b: a.message.conversation == b.message.conversation),
        ),
    ),
    "replies-in-wrong-conversation": (_system("L5.identity", "L5.identity", does.two_conversations, facts.elsewhere),),
    "stuffs-context": (_system("L1.anchor", "L1.anchor", does.some_anchor, facts.first_anchor),),
    "drops-dead-agents-work": (_system("L3.death", f"{UNSENT} L3.death L3.terminal {UNHEEDED}", does.drops_dead),),
    "double-owner": (_system("L3.claims", "L3.claims", does.if_admitted(lambda log: True), facts.never_settled),),
    "no-stand-down": (_system("L3.claims", "L3.claims", does.if_admitted(lambda log: True), facts.never_settled),),
    "late-by-one": (
        _late("L2.admit"),
        _late("L0.draft"),
        _late("L0.reply", "L2.send"),
        _late("L2.send"),
        _late("L1.crash"),
        _late("L3.death"),
        _late("L3.claims", besides=facts.contended),
    ),
    "back-dates": (_late("L2.send"),),
    "state-lies": (_system("L3.state", "L3.state", always, facts.disagreeing),),
}
