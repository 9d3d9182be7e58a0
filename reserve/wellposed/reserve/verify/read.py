"""Step 1: the lines, each strict, canonical, of a known type, numbered and chained."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wellposed.reserve.gitblobs import GitTree, Repository
from wellposed.reserve.lines import LEDGER, MAX_LEDGER, read_chain
from wellposed.reserve.report import at_file
from wellposed.reserve.trees import Folder, NotReadable
from wellposed.reserve.verify.case import Case, Options

NO_LEDGER = "WP809"


@contextmanager
def read(options: Options) -> Iterator[Case]:
    """The case, with the lines of the ledger. Raises GitError where a revision is asked for and cannot be read."""
    if options.revision is None:
        yield _read(Case(options, None, None, Folder(options.place)))
        return
    with Repository(options.place) as repository:
        commit = repository.resolve(options.revision)
        yield _read(Case(options, repository, commit, GitTree(repository, repository.commit(commit).tree)))


def _read(case: Case) -> Case:
    path = case.path(LEDGER)
    try:
        raw = case.tree.read(path, MAX_LEDGER)
    except NotReadable as problem:
        help = "a reserve begins with `wellposed reserve publish`" if str(problem) == "is missing" else None
        case.findings.append(at_file(NO_LEDGER, f"the ledger {problem}", path, help))
        case.readable = False
        return case
    case.chain = read_chain(raw, path)
    case.findings += case.chain.findings
    if case.chain.lines:
        where = f"in commit {case.revision[:12]}" if case.revision else "in the files of the folder"
        case.checked.append(f"{len(case.chain.lines)} lines {where}: canonical, numbered, chained by hash")
    elif not case.chain.findings:
        case.findings.append(at_file(NO_LEDGER, "the ledger is empty", path))
        case.readable = False
    return case
