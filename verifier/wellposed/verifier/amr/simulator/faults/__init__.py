"""THE table of simulated faulty systems, by the names of `docs/mutants.md`; several classes of one name are its variants."""

from __future__ import annotations

from collections.abc import Mapping

from wellposed.verifier.amr.simulator.faults import (
    authority,
    claims,
    copies,
    escalation,
    recovery,
    threads,
    timing,
    work,
)
from wellposed.verifier.amr.simulator.faults.faulty import Faulty, Trial

FAULTS: Mapping[str, tuple[type[Faulty], ...]] = {
    "idle": (work.Idle,),
    "admits-never-drafts": (work.NeverDrafts,),
    "abandons-everything": (work.AbandonsEverything,),
    "completes-unsent": (work.CompletesUnsent,),
    "silent-abandon": (work.SilentAbandon,),
    "state-lies": (work.StateLies,),
    "sends-without-approval": (authority.SendsWithoutApproval,),
    "trusts-dangling": (authority.TrustsDangling,),
    "trusts-wrong-hash": (authority.TrustsWrongHash,),
    "sends-unapproved-redraft": (authority.SendsUnapprovedRedraft,),
    "ignores-reject": (authority.IgnoresReject,),
    "sends-after-escalation": (escalation.SendsAfterEscalation,),
    "completes-after-escalation": (escalation.CompletesAfterEscalation,),
    "drops-escalated-silently": (escalation.DropsEscalated,),
    "duplicates-on-redelivery": (copies.DuplicatesOnRedelivery,),
    "forks-on-redelivery": (copies.ForksOnRedelivery,),
    "resends-on-repeated-approval": (copies.ResendsOnRepeatedApproval,),
    "resends-on-crash": (copies.ResendsOnCrash,),
    "forgets-on-crash": (recovery.ForgetsOnCrash,),
    "restarts-step-on-crash": (recovery.RestartsStepOnCrash,),
    "drops-dead-agents-work": (recovery.DropsDeadAgentsWork,),
    "stale-posture": (timing.StalePosture,),
    "stale-rules": (timing.StaleRules,),
    "late-by-one": timing.LATE,
    "back-dates": (timing.BackDates,),
    "double-owner": (claims.DoubleOwner,),
    "no-stand-down": (claims.NoStandDown,),
    "merges-by-subject": (threads.MergesBySubject,),
    "ignores-follow-ups": (threads.IgnoresFollowUps,),
    "replies-in-wrong-conversation": (threads.RepliesInWrongConversation,),
    "stuffs-context": (threads.StuffsContext,),
}

__all__ = ["FAULTS", "Faulty", "Trial"]
