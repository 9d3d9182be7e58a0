"""What a run of the tool found, before it is rendered: scenarios and their results, findings, sources to quote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Finding, Pointer, Severity, Span
from wellposed.dsl.source import SourceFile
from wellposed.verifier.report import Verification

UNDECIDED_CODE = "WP403"


@dataclass(frozen=True, slots=True)
class Rejection:
    """`rejected ambiguous WP501 "…"` in a scenario, and whether exactly that came out. `code` is None if none is named."""

    verdict: str
    code: str | None
    holds: bool


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """One scenario. `verdict` is None where nobody asked for one (`build`, `--no-verify`) and nothing ruled one out."""

    id: str
    source: str
    bundle: Bundle | None
    verdict: str | None
    rejection: Rejection | None = None
    verification: Verification | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run found, in the order in which it is shown.

    `suppressed` findings are reported but count for nothing: those that an `allow` covers, and those of a scenario that
    is rejected on purpose and came out as announced.
    `sources` maps display paths to texts, for quoting.
    """

    scenarios: tuple[ScenarioResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Finding, ...] = ()
    sources: Mapping[str, SourceFile] = field(default_factory=dict)

    def with_findings(self, more: Iterable[Finding]) -> Report:
        """The same report with further findings, in order."""
        return replace(self, findings=in_order((*self.findings, *more)))

    @property
    def undecided(self) -> bool:
        """Whether some verdict, of one scenario or of several together, is undecided and not announced to be."""
        return any(finding.code == UNDECIDED_CODE for finding in self.findings) or any(
            one.verdict == "undecided" and not (one.rejection and one.rejection.holds) for one in self.scenarios
        )

    def count(self, severity: Severity) -> int:
        """How many findings of this severity count."""
        return sum(finding.severity is severity for finding in self.findings)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by file and position, then code; a finding without a place comes first, equal ones are shown once."""
    return tuple(sorted(dict.fromkeys(findings), key=_position))


def _position(finding: Finding) -> tuple[object, ...]:
    place = finding.place
    if isinstance(place, Span):
        where: tuple[object, ...] = (1, place.path, place.line, place.column, "")
    elif isinstance(place, Pointer):
        where = (1, place.path, 0, 0, place.pointer)
    else:
        where = (0, "", 0, 0, "")
    return (*where, finding.code, finding.scenario or "", finding.message)
