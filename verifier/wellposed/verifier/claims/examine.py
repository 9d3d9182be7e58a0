"""Examining a claim: what it says, checked by whoever knows its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Finding
from wellposed.verifier.claims.claim import UNPROVEN, Claim, ClaimResult
from wellposed.verifier.claims.defect import examine_defect
from wellposed.verifier.claims.examination import Examination, Verify
from wellposed.verifier.claims.files import CLAIM_FILE, ClaimFiles
from wellposed.verifier.claims.mechanism import examine_mechanism
from wellposed.verifier.claims.members import CHANGE, DEFECT, FAILS, NEW, PASSES, READING
from wellposed.verifier.claims.reading import examine_reading
from wellposed.verifier.claims.scenario import examine_scenario
from wellposed.verifier.claims.subject import Known, subject
from wellposed.verifier.verify import DEFAULT_BUDGET
from wellposed.verifier.verify import verify as verify_bundle

UNNAMED = "WP916"
SHOWN = 5

_ABOUT: Mapping[str, Callable[[Examination, Bundle], ClaimResult]] = {
    PASSES: examine_mechanism,
    FAILS: examine_mechanism,
    DEFECT: examine_defect,
    NEW: examine_scenario,
    CHANGE: examine_scenario,
}


def examine_claim(
    claim: Claim,
    files: ClaimFiles,
    known: Sequence[Known],
    budget: int = DEFAULT_BUDGET,
    verify: Verify | None = None,
) -> ClaimResult:
    """Examine a claim by the files of its folder and the scenarios that there are. `budget` is in work units.

    Raises WitnessRejected where the log checker refutes a run of the engine, which is an error of this tool.
    """
    examination = Examination(claim, files, known, budget, verify or partial(verify_bundle, budget=budget))
    result = _examined(examination)
    return replace(result, findings=(*result.findings, *_unnamed(examination)))


def _examined(examination: Examination) -> ClaimResult:
    claim = examination.claim
    if claim.kind == READING:
        return examine_reading(examination)
    bundle, findings = subject(claim, examination.known)
    if bundle is None:
        return examination.result(UNPROVEN, findings[0].message, findings)
    return _ABOUT[claim.kind](examination, bundle)


def _unnamed(examination: Examination) -> list[Finding]:
    """Files that no member names: a reviewer looks at what is merged, so what nobody needs is told."""
    claim = examination.claim
    named = [*claim.logs, *([] if claim.witness is None else [claim.witness])]
    stray = [
        path
        for path in examination.files.names()
        if path != CLAIM_FILE and not any(path == one or path.startswith(f"{one}/") for one in named)
    ]
    if not stray:
        return []
    more = f" and {len(stray) - SHOWN} more" if len(stray) > SHOWN else ""
    text = f"no member of the claim names {', '.join(stray[:SHOWN])}{more}"
    return [examination.finding(UNNAMED, "kind", text, "name it under `logs` or `witness`, or leave it out")]
