"""Claims: `claims/<name>/claim.yaml`, what somebody says about a scenario, and whether it is so.

The door of the package, which touches no file system:

    read_claim(raw: bytes, path: str) -> tuple[Claim | None, tuple[Finding, ...]]
        `path` is the display path of the claim.yaml, `…/claims/<name>/claim.yaml`. Never raises, whatever the bytes are.
        A claim is given only where nothing is wrong with its text (WP900 to WP917).

    examine_claim(claim: Claim, files: ClaimFiles, known: Sequence[Known], budget: int = …, verify: Verify | None = None)
            -> ClaimResult
        `files` are the files of the claim's own folder (`names()` as POSIX paths below that folder, sorted; `read(path)`
        raises `Unreadable`); `MappingFiles({path: bytes})` is one. `known` are the scenarios that the claim may be about,
        as they were compiled: anything with `id`, `source` and `bundle` (None where it does not compile), such as the
        `ScenarioResult` of the command line. `verify` may remember what it verified.

    unreadable_claim(path: str, findings) -> ClaimResult
        The result for a claim.yaml that is none.

    ClaimResult: `path`, `claim`, `verdict`, `told`, `findings`, `bundle`, `witness`, `flips`; see there.
        `verdict` is one of VERDICTS: holds, refuted, unproven, undecided, malformed. Whatever does not hold has a finding
        of error severity, but for undecided, which has the warning WP933 (exit status 3, as for a verdict).

    claim_folders(paths: Iterable[str]) -> tuple[str, ...]
        Of the paths of a tree, the folders below `claims/`, sorted: `claims/<name>`.

Nothing that a claim's author wrote is trusted: its runs are judged again, its scenario is compiled and verified again.
What the members of each kind are is one table, `members`.
"""

from __future__ import annotations

from wellposed.verifier.claims.claim import (
    HOLDS,
    MALFORMED,
    REFUTED,
    UNDECIDED,
    UNPROVEN,
    VERDICTS,
    Claim,
    ClaimResult,
    Flip,
)
from wellposed.verifier.claims.examination import Verify
from wellposed.verifier.claims.examine import examine_claim
from wellposed.verifier.claims.files import CLAIM_FILE, ClaimFiles, MappingFiles, Unreadable
from wellposed.verifier.claims.members import KINDS
from wellposed.verifier.claims.read import claim_folders, read_claim, unreadable_claim
from wellposed.verifier.claims.subject import Known

__all__ = [
    "CLAIM_FILE",
    "HOLDS",
    "KINDS",
    "MALFORMED",
    "REFUTED",
    "UNDECIDED",
    "UNPROVEN",
    "VERDICTS",
    "Claim",
    "ClaimFiles",
    "ClaimResult",
    "Flip",
    "Known",
    "MappingFiles",
    "Unreadable",
    "Verify",
    "claim_folders",
    "examine_claim",
    "read_claim",
    "unreadable_claim",
]
