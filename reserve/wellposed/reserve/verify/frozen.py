"""Step 7: the commits that were frozen are in the repositories of the submissions, with the trees that were named."""

from __future__ import annotations

from wellposed.reserve.gitblobs import GitError, Repository
from wellposed.reserve.lines import LEDGER
from wellposed.reserve.report import at_line
from wellposed.reserve.verify.case import Case

CODE = "WP874"


def check(case: Case) -> None:
    """Where a clone of a submission is given; the others are named as not looked at."""
    named: set[str] = set()
    for batch in case.state.batches.values():
        for name, frozen in batch.submissions.items():
            clone = case.options.clones.get(name)
            if clone is None:
                named.add(name)
                continue
            try:
                with Repository(clone) as repository:
                    tree = repository.commit(frozen["commit"]).tree if repository.has(frozen["commit"]) else None
            except GitError as problem:
                case.unchecked.append(f"the commit of {name}: {problem}")
                continue
            if tree == frozen["tree"]:
                case.checked.append(f"the frozen commit of {name} is in the clone that was given")
                continue
            what = (
                f"commit {frozen['commit'][:12]} of {name} is not in the clone that was given"
                if tree is None
                else f"commit {frozen['commit'][:12]} of {name} has the tree {tree[:12]}, announced was {frozen['tree'][:12]}"
            )
            number = batch.announce.number if batch.announce is not None else 1
            case.findings.append(at_line(CODE, what, case.path(LEDGER), number))
    if named:
        listed = ", ".join(sorted(named))
        case.unchecked.append(f"that the frozen commits exist: {listed} (give a clone with --clone NAME=DIR)")
