"""Claims of the kinds new-scenario and scenario-change: the scenario compiles, has the hash, and is well-posed."""

from __future__ import annotations

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Label
from wellposed.verifier.claims.claim import HOLDS, REFUTED, ClaimResult
from wellposed.verifier.claims.examination import Examination

NOT_WELL_POSED = "WP922"


def examine_scenario(examination: Examination, bundle: Bundle) -> ClaimResult:
    """Verify the scenario. That a change begins at the bundle which it names is for whoever has both sides."""
    verification = examination.verify(bundle)
    if verification.verdict == "undecided":
        return examination.undecided(f"whether {bundle.id} is well-posed", bundle)
    if verification.verdict != "well-posed":
        labels = tuple(
            Label(one.place, one.message)
            for one in verification.findings
            if one.place is not None and one.severity.value == "error"
        )
        text = f"{bundle.id} is {verification.verdict}, so no system can be judged by it"
        told = examination.finding(NOT_WELL_POSED, "scenario", text, "`wellposed check` tells more", labels)
        return examination.result(REFUTED, f"{bundle.id} is {verification.verdict}", (told,), bundle)
    return examination.result(HOLDS, f"{bundle.id} compiles to this hash and is well-posed", (), bundle)
