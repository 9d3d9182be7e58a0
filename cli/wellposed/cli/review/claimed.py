"""The claims of a pull request: each that it brings or edits, read and examined as the head has it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from wellposed.cli.pipeline import Verify
from wellposed.cli.report import ScenarioResult
from wellposed.cli.review.changes import ScenarioChange
from wellposed.cli.review.finding import at
from wellposed.cli.review.objects import Changed
from wellposed.cli.review.sources import Side
from wellposed.compiler.limits import LIMITS
from wellposed.dsl.findings import Finding
from wellposed.verifier.claims import (
    ClaimResult,
    Unreadable,
    claim_folders,
    examine_claim,
    read_claim,
    unreadable_claim,
)
from wellposed.verifier.claims.claim import HOLDS
from wellposed.verifier.claims.files import CLAIM_FILE
from wellposed.verifier.claims.members import CHANGE, DEFECT, NEW

EDITED, DECIDE, UNJUDGED = "WP980", "WP981", "WP976"
_SHORT = 120


class GitFiles:
    """The files of a claim's folder in a commit; see `ClaimFiles`."""

    def __init__(self, side: Side, folder: str) -> None:
        self._side = side
        self._folder = folder
        self._read = 0
        below = f"{folder}/"
        self._names = sorted(path.removeprefix(below) for path in side.files if path.startswith(below))

    def names(self) -> Sequence[str]:
        """The paths of all regular files, sorted."""
        return self._names

    def read(self, path: str) -> bytes:
        """The bytes of the file at this path. Raises Unreadable, GitError."""
        if path not in self._names:
            raise Unreadable("does not exist")
        if len(self._names) > LIMITS.claim_files:
            raise Unreadable(f"lies among {len(self._names)} files; the folder of a claim has at most {LIMITS.claim_files}")
        raw = self._side.read(f"{self._folder}/{path}", LIMITS.bundle_bytes)
        if raw is None:
            raise Unreadable(f"is larger than {LIMITS.bundle_bytes} bytes")
        self._read += len(raw)
        if self._read > LIMITS.claim_folder_bytes:
            raise Unreadable(f"is one too many: at most {LIMITS.claim_folder_bytes} bytes are read for one claim")
        return raw


def folders_of(changed: Iterable[Changed]) -> tuple[str, ...]:
    """The folders of the claims that a pull request touches."""
    return claim_folders(one.path for one in changed)


def examine(after: Side, folder: str, known: Sequence[ScenarioChange], library: Sequence[ScenarioResult], budget: int, verify: Verify) -> ClaimResult | None:
    """A claim as it now stands; None where it was removed. `library` are the scenarios that nobody touched. Raises GitError."""
    path = posixpath.join(folder, CLAIM_FILE)
    raw = after.read(path, LIMITS.bundle_bytes)
    if raw is None:
        return None
    claim, findings = read_claim(raw, path)
    if claim is None:
        return unreadable_claim(path, findings)
    old = [one.before for one in known if one.before is not None]
    new = [one.after for one in known if one.after is not None]
    # A defect is one of what is published: where a claim names it by its id, what the pull request makes of it comes second.
    touched = (*old, *new) if claim.kind == DEFECT else (*new, *old)
    return examine_claim(claim, GitFiles(after, folder), (*touched, *library), budget=budget, verify=verify)


def findings_of(before: Side, folder: str, result: ClaimResult | None) -> Iterator[Finding]:
    """What is wrong with a claim, and what of it is for a person to decide."""
    path = posixpath.join(folder, CLAIM_FILE)
    published = before.read(path, LIMITS.bundle_bytes) is not None
    if published:
        what = "removed" if result is None else "edited"
        help = "leave it as it was decided, and make a new claim"
        yield at(EDITED, f"the published claim {posixpath.basename(folder)} was {what}", path, help=help)
    elif result is None:
        yield at(UNJUDGED, f"there is no {CLAIM_FILE} here, so these files belong to no claim", folder, help="`wellposed new claim` writes one")
    if result is None:
        return
    yield from result.findings
    if result.verdict == HOLDS and result.claim is not None and result.claim.kind != NEW and not published:
        yield at(
            DECIDE, f"the claim {result.name} ({result.claim.kind}, {result.claim.subject}) was examined: {result.told}; "
            f'its reason: "{_one_line(result.claim.justification, _SHORT)}"', result.claim.place("kind"),
            notes=[f'its reason: "{_one_line(result.claim.justification)}"', *_disclosed(result)],
            help="whether the reason holds, and whether the logs are those of the system, no tool can know" if result.claim.logs
            else "whether the reason holds, no tool can know",
        )  # fmt: skip


def speaking_for(results: Iterable[ClaimResult], changes: Sequence[ScenarioChange]) -> Mapping[str, str]:
    """By the id of a changed scenario, the path of a claim that was examined, holds, and is about just this change."""
    found: dict[str, str] = {}
    for result in results:
        claim = result.claim
        if claim is None or result.verdict != HOLDS or claim.kind not in (CHANGE, DEFECT):
            continue
        for change in changes:
            old, new = (None if one is None or one.bundle is None else one.bundle.hash for one in (change.before, change.after))
            about = result.bundle.hash if result.bundle is not None else claim.bundle
            if (claim.kind == DEFECT and about == old) or (claim.kind == CHANGE and (claim.previous, claim.bundle) == (old, new)):
                found.setdefault(change.id, result.path)
    return found


def _disclosed(result: ClaimResult) -> list[str]:
    text = None if result.claim is None else result.claim.disclosure
    return [f'disclosed: "{_one_line(text)}"'] if text else []


def _one_line(text: str, most: int = 600) -> str:
    words = " ".join(text.split())
    return words if len(words) <= most else words[: most - 1] + "…"
