"""Claims of the kind fixture-defect: a run that shows the scenario to be wrong, checked, found, or found not to exist.

A conforming run that the scenario rejects breaks no obligation of its levels and fails an expectation. A violating run that
it accepts breaks one, and the scenario's own criteria pass it; while the standing obligations are judged there is none, by
definition. Source: specification section 5, `fixture-defect`, "the easiest lever for a self-interested author to pull".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from wellposed.compiler.bundle import Bundle, bundle_of
from wellposed.compiler.canonical import CanonicalError, read
from wellposed.dsl.findings import Label
from wellposed.dsl.vocabulary import OBLIGATION_BY_ID, obligations_of_level
from wellposed.verifier.claims.claim import HOLDS, REFUTED, UNPROVEN, ClaimResult
from wellposed.verifier.claims.examination import Examination
from wellposed.verifier.claims.files import Unreadable
from wellposed.verifier.claims.mechanism import NO_FILE, judged_runs
from wellposed.verifier.claims.members import REJECTS_CONFORMING
from wellposed.verifier.findings import Reporter
from wellposed.verifier.judged import JudgedRun
from wellposed.verifier.judgement import Judgement
from wellposed.verifier.models import MODELS
from wellposed.verifier.mutants import kill_matrix
from wellposed.verifier.replay import NotThisRun
from wellposed.verifier.report import Trace
from wellposed.verifier.solver import Budget, OutOfBudget

NO_RUN = "WP930"
SHOWS_NOTHING = "WP931"
NOT_SHOWN = "WP932"
FOUND = "WP934"


@dataclass(frozen=True, slots=True)
class _Run:
    """What a run breaks of the obligations, and which expectations it fails; `trace` where the run can be told."""

    broken: frozenset[str]
    failed: frozenset[int]
    trace: Trace = ()


class _Unfit(Exception):
    """The witness is no run of the scenario: the result says so."""

    def __init__(self, result: ClaimResult) -> None:
        super().__init__(result.told)
        self.result = result


def examine_defect(examination: Examination, bundle: Bundle) -> ClaimResult:
    """Check the witness that the claim gives; where it gives none, look for one."""
    claim = examination.claim
    if claim.witness is None:
        return _search(examination, bundle)
    try:
        run = _given(examination, bundle, claim.witness)
    except _Unfit as unfit:
        return unfit.result
    why_not = _why_not(examination, bundle, run)
    if why_not is None:
        return _holds(examination, bundle, run, f"its witness is {_what(examination, bundle, run)}")
    text = f"the witness does not show what the claim says: {why_not}"
    told = examination.finding(SHOWS_NOTHING, "witness", text, _DUE[claim.shows == REJECTS_CONFORMING])
    return examination.result(REFUTED, f"its witness shows nothing: {why_not}", (told,), bundle)


_DUE = {
    True: "due is a run that breaks no obligation of the scenario's levels and fails an expectation; without a `witness` the tool looks for one",
    False: "due is a run that breaks an obligation of the scenario's levels and passes; without a `witness` the tool looks for one",
}


def _holds(examination: Examination, bundle: Bundle, run: _Run, told: str) -> ClaimResult:
    return replace(examination.result(HOLDS, told, (), bundle), witness=run.trace, broken=tuple(sorted(run.broken)))


def _what(examination: Examination, bundle: Bundle, run: _Run) -> str:
    if examination.claim.shows == REJECTS_CONFORMING:
        return f"a conforming run that fails `{_expectation(examination, bundle, run)}`"
    return f"a run that breaks {', '.join(sorted(run.broken))} and passes"


def _expectation(examination: Examination, bundle: Bundle, run: _Run) -> str:
    """The text of the first expectation that a run fails; its number where nobody verified it."""
    number = min(run.failed)
    rows = examination.verify(bundle).expectations
    return rows[number].text if number < len(rows) else f"expectation {number + 1}"


def _why_not(examination: Examination, bundle: Bundle, run: _Run) -> str | None:
    """Why a run is not what the claim says; None if it is."""
    claim = examination.claim
    if claim.shows == REJECTS_CONFORMING:
        if run.broken:
            return f"the run does not conform, it breaks {', '.join(sorted(run.broken))}"
        return None if run.failed else "the run conforms, and it passes"
    if not run.broken:
        return "the run breaks no obligation"
    if bundle.document["invariants"]:
        return f"the scenario rejects the run for {', '.join(sorted(run.broken))}, which stands in it"
    if run.failed:
        return f"the scenario rejects the run, it fails `{_expectation(examination, bundle, run)}`"
    missing = [one for one in claim.obligations if one not in run.broken]
    return f"the run does not break {', '.join(missing)}" if missing else None


# A witness that the claim gives


def _given(examination: Examination, bundle: Bundle, path: str) -> _Run:
    if path.endswith(".json"):
        return _told(examination, bundle, path)
    # Conforming is what meets the obligations, whether the scenario judges them or not.
    standing = {**bundle.document, "invariants": list(obligations_of_level(bundle.level))}
    runs, findings = judged_runs(examination, bundle_of(standing, bundle.source_map, bundle.path), [("witness", path)])
    if not runs or runs[0].annulled:
        raise _Unfit(examination.result(UNPROVEN, "its witness cannot be judged", findings, bundle))
    return _of_logs(runs[0])


def _of_logs(run: JudgedRun) -> _Run:
    breaches = [one for failure in run.failures for one in (failure.root, *failure.follows)]
    broken = frozenset(one.obligation for one in breaches) - {"expect"}
    failed = frozenset(number for number, holds in enumerate(run.expectations) if holds is False)
    return _Run(broken, failed)


def _told(examination: Examination, bundle: Bundle, path: str) -> _Run:
    """A run as reports tell it, judged by the log checker."""
    try:
        raw = examination.files.read(path)
    except Unreadable as problem:
        told = examination.finding(
            NO_FILE, "witness", f"{path} {problem}", "a witness is a run directory or a trace of the claim"
        )
        raise _Unfit(examination.result(UNPROVEN, "its witness cannot be read", (told,), bundle)) from None
    try:
        events: Any = read(raw)
    except CanonicalError as error:
        raise _unfit(examination, bundle, f"{path} is no JSON of the profile: {error.message}") from None
    if not isinstance(events, list) or not all(isinstance(one, dict) for one in events):
        raise _unfit(examination, bundle, f"{path} is no list of events, as a report's `witnesses` are")
    try:
        witness = MODELS[bundle.document["spec"]].replayed(bundle.document, events)
    except NotThisRun as wrong:
        raise _unfit(examination, bundle, f"{path} is no run of this scenario: {wrong.message}") from None
    return _Run(witness.broken, witness.failed, witness.trace)


def _unfit(examination: Examination, bundle: Bundle, text: str) -> _Unfit:
    help = "copy a run from `wellposed check --format json`, or give a run directory"
    told = examination.finding(NO_RUN, "witness", text, help)
    return _Unfit(examination.result(UNPROVEN, "its witness is no run of the scenario", (told,), bundle))


# A witness that the tool looks for


def _search(examination: Examination, bundle: Bundle) -> ClaimResult:
    """Look for a run of the kind that the claim speaks of; if there is none, that is proved, not guessed."""
    look = _rejected if examination.claim.shows == REJECTS_CONFORMING else _accepted
    try:
        return look(examination, bundle)
    except OutOfBudget:
        return examination.undecided(
            f"whether {bundle.id} {(examination.claim.shows or '').replace('-', ' a ')} run", bundle
        )


def _rejected(examination: Examination, bundle: Bundle) -> ClaimResult:
    verification = examination.verify(bundle)
    if verification.verdict == "undecided":
        raise OutOfBudget("the verdict")
    if verification.verdict == "ambiguous":
        return _found(examination, bundle, _judged(bundle, verification.failing))
    if verification.verdict == "unsatisfiable":
        # Every conforming run is rejected, if there is one: with nothing expected it passes.
        free = examination.verify(bundle_of({**bundle.document, "expect": [], "catches": []}, None, bundle.path))
        if free.verdict == "undecided":
            raise OutOfBudget("whether a run conforms")
        if free.passing:
            return _found(examination, bundle, _judged(bundle, free.passing))
        text = f"no run of {bundle.id} conforms at all: {', '.join(dict.fromkeys(one.obligation for one in free.core))} contradict each other"
        told = examination.finding(
            FOUND, "shows", text, labels=tuple(Label(bundle.place(one.pointer), one.text) for one in free.core)
        )
        return examination.result(HOLDS, "no run conforms at all, so every system is rejected", (told,), bundle)
    text = f"every conforming run of {bundle.id} passes: it is {verification.verdict}, which is a proof over all runs"
    return _none(examination, bundle, REFUTED, text)


def _accepted(examination: Examination, bundle: Bundle) -> ClaimResult:
    if bundle.document["invariants"]:
        text = f"the obligations of L0 to L{bundle.level} stand in {bundle.id}, so a run that breaks one is rejected"
        return _none(examination, bundle, REFUTED, text)
    runs = _survivors(examination, bundle, examination.claim.obligations)
    showing = [run for run in runs if _why_not(examination, bundle, run) is None]
    if showing:  # the one that goes wrong in the fewest ways says most
        return _found(examination, bundle, min(showing, key=lambda run: len(run.broken)))
    which = ", ".join(examination.claim.obligations) or "an obligation"
    return _none(examination, bundle, UNPROVEN, f"no run of {bundle.id} was found that breaks {which} and passes")


def _survivors(examination: Examination, bundle: Bundle, obligations: Collection[str]) -> Iterator[_Run]:
    """Runs that pass and break an obligation, for each obligation that a log can be looked for of."""
    model = MODELS[bundle.document["spec"]]
    violators = model.violators(bundle.document, Budget(examination.budget))
    wanted = [
        one
        for one in violators.systems
        if OBLIGATION_BY_ID[one].level <= bundle.level and (not obligations or one in obligations)
    ]
    reporter = Reporter(bundle, model, Judgement(), (), "")
    for system in wanted:
        for cell in kill_matrix(violators, Budget(examination.budget), (system,)).values():
            if cell.survivor is not None and cell.shown:
                witness = reporter.survivor(cell)
                yield _Run(_in_force(bundle, witness.broken), witness.failed, witness.trace)


def _in_force(bundle: Bundle, broken: Collection[str]) -> frozenset[str]:
    return frozenset(broken) & frozenset(obligations_of_level(bundle.level))


def _judged(bundle: Bundle, trace: Trace) -> _Run:
    """A run of the engine's, told and judged again as if somebody else had written it."""
    witness = MODELS[bundle.document["spec"]].replayed(bundle.document, [event.data for event in trace])
    return _Run(witness.broken, witness.failed, witness.trace)


def _found(examination: Examination, bundle: Bundle, run: _Run) -> ClaimResult:
    what = _what(examination, bundle, run)
    told = examination.finding(
        FOUND,
        "shows",
        f"the claim gives no witness, and there is one: {what}",
        detail=tuple(f"{event.tick:>5}  {event.text}" for event in run.trace),
    )
    return replace(_holds(examination, bundle, run, f"the tool found {what}"), findings=(told,))


def _none(examination: Examination, bundle: Bundle, verdict: str, text: str) -> ClaimResult:
    told = examination.finding(
        NOT_SHOWN,
        "shows",
        f"the claim gives no witness, and none was found: {text}",
        "withdraw the claim, or show the run",
    )
    return examination.result(verdict, f"no witness: {text}", (told,), bundle)
