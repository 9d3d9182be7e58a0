"""Claims of the kind spec-reading: which of the published scenarios are judged otherwise under another answer."""

from __future__ import annotations

from dataclasses import replace

from wellposed.dsl.vocabulary import READINGS, SPEC
from wellposed.verifier.claims.claim import HOLDS, UNPROVEN, ClaimResult, Flip
from wellposed.verifier.claims.examination import Examination
from wellposed.verifier.models import MODELS, READING_TABLES
from wellposed.verifier.verify import verify_as

UNKNOWN_READING = "WP935"
FLIPS_NOTHING = "WP936"
FLIPS = "WP937"
SHOWN = 20


def examine_reading(examination: Examination) -> ClaimResult:
    """Verify every scenario under the answer, as far as the model can take it."""
    claim = examination.claim
    rows = {row.id: row for row in READING_TABLES[READINGS]}
    row = rows.get(claim.reading or "")
    if row is None:
        return _unknown(
            examination, "reading", f"there is no reading `{claim.reading}`", "`wellposed spec readings` lists them"
        )
    answers = [one.id.partition("=")[2] for one in row.alternatives]
    if claim.answer not in answers:
        known = (
            f"the other answers are {', '.join(answers)}"
            if answers
            else "the model takes no other answer to it, so nothing can be computed"
        )
        return _unknown(examination, "answer", f"`{row.id}` has no answer `{claim.answer}`", known)
    return _reread(examination, f"{row.id}={claim.answer}")


def _unknown(examination: Examination, member: str, text: str, help: str) -> ClaimResult:
    told = examination.finding(UNKNOWN_READING, member, text, help)
    return examination.result(UNPROVEN, text, (told,))


def _reread(examination: Examination, identity: str) -> ClaimResult:
    other = next(model for one, _, model in MODELS[SPEC].alternatives() if one == identity)
    flips, undecided, count = [], [], 0
    for one in examination.known:
        if one.bundle is None:
            continue
        count += 1
        base, found = examination.verify(one.bundle), verify_as(other, one.bundle, examination.budget)
        if "undecided" in (base.verdict, found.verdict):
            undecided.append(one.id)
        elif (found.verdict, found.expectations) != (base.verdict, base.expectations):
            flips.append(Flip(one.id, base.verdict, found.verdict))
    if undecided:
        return examination.undecided(f"what becomes of {', '.join(undecided[:SHOWN])} under {identity}")
    told = f"under {identity}, verdicts change in {len(flips)} of {count} scenarios"
    if flips:
        notes = tuple(f"{flip.scenario}: {flip.before}, then {flip.after}" for flip in flips)
        finding = examination.finding(FLIPS, "answer", told, notes=notes)
    else:
        finding = examination.finding(
            FLIPS_NOTHING, "answer", told, "add the scenario that tells the two answers apart"
        )
    return replace(examination.result(HOLDS, told, (finding,)), flips=tuple(flips))
