"""A pull request under review: both sides as git objects, what is between them, and what a person has to decide about it.

The head is compared with the place where its history parts from the base's (the merge base), so that what was added to the
base since does not look as if the pull request took it away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wellposed.cli.report import Report, in_order
from wellposed.cli.review.changes import ScenarioChange
from wellposed.cli.review.finding import at
from wellposed.cli.review.inspect import Inspection
from wellposed.cli.review.objects import Changed, Objects, TooMany
from wellposed.cli.review.sources import Side
from wellposed.cli.review.suppressions import Suppression
from wellposed.cli.status import UNUSABLE_CODES
from wellposed.compiler.limits import Limits
from wellposed.dsl.findings import Finding, Severity
from wellposed.reserve.gitblobs import GitError, MissingObject
from wellposed.verifier.claims import ClaimResult

ACCEPT, PERSON, REJECT, NONE = "accept", "needs a person", "reject", "no verdict"
REVISION, UNRELATED, CUT, SEVERAL, NOTHING, MISSING = "WP940", "WP941", "WP942", "WP943", "WP948", "WP949"
_LIMITS = {
    "changed_files": ("WP944", "split the pull request, or raise the limit with --max-files"),
    "entries": ("WP944", "split the pull request"),
    "changed_bytes": ("WP945", "keep large files out of the repository, or raise the limit with --max-bytes"),
    "changed_scenarios": ("WP946", "split the pull request, or raise the limit with --max-scenarios"),
    "changed_commits": ("WP947", "squash the commits, or raise the limit with --max-commits"),
    "history": ("WP947", "name a base from which the head was branched"),
    "folder_depth": ("WP977", "move the files up"),
}


@dataclass(frozen=True, slots=True)
class Options:
    """What is reviewed and how far. `skipped` are folders whose sources are no part of the published scenarios."""

    repository: Path
    base: str
    head: str
    budget: int
    limits: Limits
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pull:
    """What was found. The commits are None as far as they could not be found; `files` are paths by what they are."""

    options: Options
    base: str | None = None
    head: str | None = None
    ancestor: str | None = None
    commits: int = 0
    scenarios: tuple[ScenarioChange, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    claims: tuple[ClaimResult, ...] = ()
    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    report: Report = field(default_factory=Report)

    @property
    def verdict(self) -> str:
        """The word that the findings come to."""
        severities = {one.severity for one in self.report.findings}
        if any(one.code in UNUSABLE_CODES for one in self.report.findings):
            return NONE
        if Severity.ERROR in severities:
            return REJECT
        return PERSON if Severity.WARNING in severities or self.report.undecided else ACCEPT


def review(options: Options) -> Pull:
    """Look at a pull request. Raises WitnessRejected, a fault of the verifier; everything else becomes a finding."""
    found = Pull(options)
    try:
        with Objects(options.repository) as objects:
            return _reviewed(objects, options)
    except MissingObject as missing:
        help = "fetch the whole history of both sides; nothing is fetched from here"
        problem = at(MISSING, f"{missing}, so the pull request cannot be judged", None, help=help)
    except GitError as error:
        problem = Finding("WP004", Severity.ERROR, str(error))
    return _with(found, [problem])


def _reviewed(objects: Objects, options: Options) -> Pull:
    ids = []
    for name, revision in (("base", options.base), ("head", options.head)):
        try:
            ids.append(objects.resolve(revision))
        except GitError as error:
            help = "name a branch, a tag or a commit that is in this repository; in CI, fetch it first"
            return _with(Pull(options), [at(REVISION, f"the {name} is not there: {error}", None, help=help)])
    base, head = ids
    try:
        parting = objects.parting(base, head, options.limits.history)
    except TooMany as over:
        return _with(Pull(options, base, head), [_over(over)])
    if not parting.ancestors:
        why = "part of the history is missing here: fetch more of it" if parting.cut else "they have no common commit"
        help = "fetch the whole history" if parting.cut else "a pull request begins at a commit of its base"
        return _with(Pull(options, base, head), [at(UNRELATED, f"base and head cannot be compared: {why}", None, help=help)])
    notes = _about(objects, parting.ancestors, parting.cut)
    ancestor = parting.ancestors[0]
    before, after = (Side(objects, objects.commit(id).tree) for id in (ancestor, head))
    found = Pull(options, base, head, ancestor)
    changed: list[Changed] = []
    try:
        changed.extend(objects.changes(before.tree, after.tree, options.limits.changed_files))
        commits, more = objects.own_commits(head, base, options.limits.changed_commits)
        inspection = Inspection(objects, before, after, Side(objects, objects.commit(base).tree), options.budget, options.limits)
        inspection.look(changed, commits, more, options.skipped)
    except TooMany as over:
        return _with(found, [*notes, _over(over)])
    notes += [_over(over) for over in inspection.over]
    if not changed and not inspection.findings and not notes:
        help = "push what is to be reviewed, or name another head"
        notes.append(at(NOTHING, "the head changes nothing against its merge base with the base", None, help=help))
    return Pull(
        options,
        base,
        head,
        ancestor,
        len(commits),
        tuple(inspection.scenarios),
        tuple(inspection.suppressions),
        tuple(inspection.claims),
        inspection.files,
        inspection.report.with_findings([*notes, *inspection.findings]),
    )


def _about(objects: Objects, ancestors: tuple[str, ...], cut: bool) -> list[Finding]:
    """What is to be said about the histories themselves."""
    found = []
    if len(ancestors) > 1:
        message = f"the histories part at {len(ancestors)} places; compared with {ancestors[0][:12]}, one of them"
        help = "have the pull request rebased onto its base: what was merged back and forth can hide what it changes"
        found.append(at(SEVERAL, message, None, help=help))
    if cut:
        message = "part of the history is not in this clone; what is here was compared"
        found.append(at(CUT, message, None, help="fetch the whole history, if the merge base matters"))
    if objects.replaced():
        message = "replace refs show other readers of this clone other objects; they were passed over here"
        found.append(at("WP811", message, None, help="remove the refs below refs/replace/"))
    return found


def _over(over: TooMany) -> Finding:
    code, help = _LIMITS[over.limit]
    return at(code, str(over), None, help=help)


def _with(found: Pull, findings: Sequence[Finding]) -> Pull:
    return Pull(found.options, found.base, found.head, found.ancestor, report=Report(findings=in_order(findings)))
