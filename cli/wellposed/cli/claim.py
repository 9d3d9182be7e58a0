"""From paths to examined claims: their files, the scenarios of their repository, and what each comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from wellposed.cli.claim_files import Found, claims_at, lying
from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.report import Report, ScenarioResult, in_order
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.inputs import display_path
from wellposed.dsl.findings import Finding, Pointer, Severity
from wellposed.dsl.source import SourceFile, read_source
from wellposed.verifier.claims import CLAIM_FILE, UNDECIDED, ClaimResult, examine_claim, read_claim, unreadable_claim
from wellposed.verifier.claims.mechanism import NO_FILE
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify

SCENARIOS = "scenarios"


@dataclass(frozen=True, slots=True)
class ClaimsReport(Report):
    """A report on claims; its exit status also tells of claims that are undecided."""

    claims: tuple[ClaimResult, ...] = field(default=(), kw_only=True)

    @property
    def undecided(self) -> bool:
        """Whether some claim is undecided."""
        return any(one.verdict == UNDECIDED for one in self.claims)

    def as_cases(self) -> Report:
        """The same with a claim in the place of each scenario, for formats that have one case for each of these."""
        of = {finding: claim.path for claim in self.claims for finding in claim.findings}
        cases = tuple(ScenarioResult(one.path, one.path, None, one.verdict) for one in self.claims)
        told = tuple(replace(finding, scenario=of.get(finding, finding.scenario)) for finding in self.findings)
        return Report(cases, told, sources=self.sources)


def examine_paths(paths: Sequence[str], scenarios: Sequence[str], budget: int) -> tuple[ClaimsReport, tuple[str, ...]]:
    """Examine the claims that paths stand for, and remarks for stderr.

    `scenarios` are the paths of those that claims may be about; without any, it is the folder `scenarios` beside `claims`.
    Raises WitnessRejected.
    """
    found, problems = claims_at(paths)
    desk = _Desk(tuple(scenarios), budget)
    results = [desk.result(one) for one in found]
    findings = in_order((*problems, *(finding for one in results for finding in one.findings)))
    return ClaimsReport(findings=findings, sources=desk.sources, claims=tuple(results)), tuple(desk.notices)


class _Desk:
    """Compiles the scenarios of each repository once, and verifies each of them at most once."""

    def __init__(self, scenarios: tuple[str, ...], budget: int) -> None:
        self._scenarios = scenarios
        self._budget = budget
        self._compiled: dict[tuple[str, ...], Report] = {}
        self._verified: dict[bytes, Verification] = {}
        self.sources: dict[str, SourceFile] = {}
        self.notices: list[str] = []

    def result(self, found: Found) -> ClaimResult:
        path = f"{found.path}/{CLAIM_FILE}"
        there = lying(found)
        if there.findings or CLAIM_FILE not in there.files.files:
            text = f"there is no {CLAIM_FILE} in this folder"
            missing = (Finding(NO_FILE, Severity.ERROR, text, Pointer(found.path, "")),)
            return unreadable_claim(path, there.findings or missing)
        raw = there.files.files[CLAIM_FILE]
        source, _ = read_source(path, raw)
        if source is not None:
            self.sources[path] = source
        claim, findings = read_claim(raw, path)
        if claim is None:
            return unreadable_claim(path, findings)
        known = self._known(found.root)
        result = examine_claim(claim, there.files, known.scenarios, self._budget, self._verify)
        return replace(result, findings=(*findings, *result.findings))

    def _known(self, root: Path) -> Report:
        paths = self._scenarios or (display_path(root / SCENARIOS, Path.cwd()),)
        if paths not in self._compiled:
            gathered = gather(paths, "")
            self._compiled[paths] = examine(gathered, None)
            self.sources |= dict(self._compiled[paths].sources)
            self.notices += [*gathered.notices, *(finding.message for finding in gathered.findings)]
        return self._compiled[paths]

    def _verify(self, bundle: Bundle) -> Verification:
        if bundle.raw not in self._verified:
            self._verified[bundle.raw] = verify(bundle, self._budget)
        return self._verified[bundle.raw]
