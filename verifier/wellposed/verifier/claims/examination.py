"""What every kind of claim is examined with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.load import finding
from wellposed.dsl.findings import Finding, Label
from wellposed.verifier.claims.claim import UNDECIDED, Claim, ClaimResult
from wellposed.verifier.claims.files import ClaimFiles
from wellposed.verifier.claims.subject import Known
from wellposed.verifier.report import Verification

NOT_DECIDED = "WP933"

Verify = Callable[[Bundle], Verification]


@dataclass(frozen=True, slots=True)
class Examination:
    """A claim with what it is examined by. `budget` is in work units, for each question; `verify` keeps to it."""

    claim: Claim
    files: ClaimFiles
    known: Sequence[Known]
    budget: int
    verify: Verify

    def finding(
        self,
        code: str,
        member: str,
        text: str,
        help: str | None = None,
        labels: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        detail: tuple[str, ...] = (),
    ) -> Finding:
        """A finding about a member of the claim."""
        told = finding(code, text, self.claim.place(member))
        return replace(told, help=help, labels=labels, notes=notes, detail=detail)

    def result(
        self, verdict: str, told: str, findings: Sequence[Finding] = (), bundle: Bundle | None = None
    ) -> ClaimResult:
        """The result of this claim."""
        return ClaimResult(self.claim.path, self.claim, verdict, told, tuple(findings), bundle)

    def undecided(self, what: str, bundle: Bundle | None = None) -> ClaimResult:
        """The result where the budget ran out before `what` was known."""
        told = self.finding(NOT_DECIDED, "kind", f"undecided within the budget: {what}", "a larger `--budget` may help")
        return self.result(UNDECIDED, f"undecided: {what}", (told,), bundle)
