"""apply --announce: which submissions, at which commits, a batch is going to be applied to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wellposed.reserve.ledger import Appended, Ledger
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.shapes import RUNS
from wellposed.reserve.state import SEALED, State


@dataclass(frozen=True, slots=True)
class Submission:
    """A system as it is frozen: the commit and its tree, in a repository that others can look into."""

    name: str
    repo: str
    commit: str
    tree: str


def announce(ledger: Ledger, batch: str, submissions: Sequence[Submission], harness: str, until: str) -> Appended:
    """Add an announce line with every live entry of the batch. Raises Refusal."""
    state = ledger.state()
    known = state.batches.get(batch)
    if known is not None and state.policy["anchor"] == "required" and _last_anchored(state) < known.line.seq:
        what = f"the sealing of batch {batch} has no time anchor yet, and this ledger requires one before it is announced"
        help = "stamp the last line and record the proof with `wellposed reserve anchor`"
        raise Refusal(at_file("WP821", what, str(ledger.folder), help))
    live = [] if known is None else [entry.commit for entry in known.entries if entry.state == SEALED]
    listed = sorted(submissions, key=lambda one: one.name)
    body = {
        "batch": batch,
        "pool": sorted(live),
        "submissions": [
            {"name": one.name, "repo": one.repo, "commit": one.commit, "tree": one.tree} for one in listed
        ],
        "harness": harness,
        "runs": RUNS,
        "until": until,
    }
    return ledger.append([("announce", body)])


def _last_anchored(state: State) -> int:
    return max((line.body["of"] for line in state.anchors), default=-1)
