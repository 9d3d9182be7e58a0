"""Step 2: the ledger only ever grew, and what the reader remembers is still in it."""

from __future__ import annotations

from wellposed.dsl.findings import Finding
from wellposed.reserve.gitblobs import Commit, MissingObject, Repository
from wellposed.reserve.lines import LEDGER
from wellposed.reserve.report import at_file, at_line
from wellposed.reserve.verify.case import Case

CHECKPOINT, NOT_GROWN, ATTRIBUTES, REPLACED = "WP807", "WP808", "WP810", "WP811"
_FILES = ("100644", "100755")
_SHOWN = 10


def check(case: Case) -> None:
    """Checkpoints first, as they need no repository."""
    for seq, head in case.options.since:
        _check_point(case, seq, head)
    if case.repository is None or case.revision is None:
        case.unchecked.append("the history: these are the files of a folder, not of a commit")
        return
    _Walk(case, case.repository).run(case.revision)
    _check_repository(case, case.repository)


def _check_point(case: Case, seq: int, head: str) -> None:
    lines = case.chain.lines
    if seq < len(lines) and lines[seq].head == head:
        case.checked.append(f"the checkpoint {seq}:{head[:23]}… is on this chain")
        return
    path = case.path(LEDGER)
    what = f"the checkpoint {seq}:{head} is not on this chain ({len(lines)} lines here)"
    help = "the history was rewritten or cut after this checkpoint was taken; keep the clone that shows it"
    case.findings.append(at_line(CHECKPOINT, what, path, min(seq, len(lines)) + 1, help=help))


class _Walk:
    """Along first parents, from the newest commit to the oldest: each older ledger begins the newer one."""

    def __init__(self, case: Case, repository: Repository) -> None:
        self._case = case
        self._repository = repository
        self._path = case.path(LEDGER)
        self._newer: tuple[str, str, bytes] | None = None  # commit, blob, bytes
        self._without: str | None = None  # the oldest commit without a ledger behind the newer one
        self._broken: list[Finding] = []
        self._grown: list[tuple[int, str]] = []
        self._newest = b""
        self._merged: list[str] = []  # further parents, whose histories are looked at as well
        self._seen: set[str] = set()
        self._begin: set[str] = set()  # blobs that begin the newest ledger

    def run(self, newest: str) -> None:
        count, cut = 0, None
        try:
            for commit in self._repository.first_parents(newest):
                self._seen.add(commit.id)
                self._merged += commit.parents[1:]
                self._look(commit)
                count += 1
            self._look_at_merged()
        except MissingObject as missing:
            cut = str(missing)
        self._case.findings += reversed(self._broken[:_SHOWN])
        self._case.introduced += sorted(self._grown)
        if not self._broken:
            what = f"{count} commits along first parents: the ledger only grew"
            self._case.checked.append(what if count != 1 else "one commit: there is no older ledger in this history")
        if cut is not None:
            self._case.unchecked.append(f"the history before these {count} commits: {cut}")

    def _look(self, commit: Commit) -> None:
        found = self._repository.entry(commit.tree, self._path)
        if found is None:
            self._without = commit.id
            return
        mode, blob = found
        if self._newer is not None and self._newer[1] == blob and self._without is None:
            self._newer = (commit.id, blob, self._newer[2])
            if self._grown:
                self._grown[-1] = (self._grown[-1][0], commit.id)
            return
        if mode not in _FILES:
            self._tell(commit.id, "is not a regular file in this commit")
            return
        raw = self._repository.blob(blob)
        self._newest = self._newest or raw
        if self._newer is not None:
            newer, _, grown = self._newer
            if self._without is not None:
                self._tell(self._without, f"is missing here, and was there in its ancestor {commit.id[:12]}")
            elif not grown.startswith(raw):
                self._tell(newer, f"does not begin with the {len(raw)} bytes of its parent {commit.id[:12]}")
        self._newer, self._without = (commit.id, blob, raw), None
        self._grown.append((raw.count(b"\n"), commit.id))

    def _look_at_merged(self) -> None:
        """A merge cannot bury another ledger either, however deep: any that was ever there begins the newest one."""
        while self._merged:
            id = self._merged.pop()
            if id in self._seen:
                continue
            self._seen.add(id)
            commit = self._repository.commit(id)
            self._merged += commit.parents
            found = self._repository.entry(commit.tree, self._path)
            if found is None or found[1] in self._begin:
                continue
            if found[0] not in _FILES or not self._newest.startswith(self._repository.blob(found[1])):
                self._tell(id, "does not begin the newest one, and is in a history which was merged")
                return
            self._begin.add(found[1])

    def _tell(self, commit: str, what: str) -> None:
        message = f"commit {commit[:12]}: the ledger {what}"
        help = "a ledger only grows; compare with an older clone"
        self._broken.append(at_file(NOT_GROWN, message, self._path, help))


def _check_repository(case: Case, repository: Repository) -> None:
    for ref in repository.replaced()[:_SHOWN]:
        what = f"{ref} shows other readers another object than the one that is named; it was not followed"
        case.findings.append(at_file(REPLACED, what, None))
    top = repository.entry(repository.commit(case.revision or "").tree, case.options.folder)
    if top is None or top[0] != "40000":
        return
    for path, _ in repository.files(top[1], case.options.folder):
        if path.rsplit("/", 1)[-1] == ".gitattributes":
            what = "attributes inside the reserve: a checkout of these files can hold other bytes than those that are hashed"
            help = "the one `.gitattributes` that counts is at the top: `reserve/** -text`"
            case.findings.append(at_file(ATTRIBUTES, what, path, help))
