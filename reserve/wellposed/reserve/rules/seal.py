"""seal: a batch of commitments, as a whole, with the day by which all of them are opened."""

from __future__ import annotations

from wellposed.reserve.dates import day, later
from wellposed.reserve.lines import Line
from wellposed.reserve.state import Batch, Entry, State, Tell, short

UNSOUND, TWICE = "WP831", "WP832"


def take(state: State, line: Line, tell: Tell) -> None:
    """The list is what it says it is, nothing in it was sealed before, and the day is neither past nor too far away."""
    name, commits = line.body["batch"], line.body["commits"]
    if name in state.batches:
        tell(UNSOUND, f"batch {name} is sealed already, by line {state.batches[name].line.number}")
        return
    twin = next((one for one in state.batches if one.lower() == name.lower()), None)
    if twin is not None:
        tell(UNSOUND, f"batch {name} differs from batch {twin} in upper and lower case only: whoever reads results would mix them up")
    if line.body["count"] != len(commits):
        tell(UNSOUND, f"batch {name} says {line.body['count']} entries and lists {len(commits)}")
    if commits != sorted(commits):
        tell(UNSOUND, f"the commitments of batch {name} are not in order")
    _check_day(state, line, tell)
    batch = state.batches[name] = Batch(name, line)
    for commit in commits:
        before = state.entries.get(commit)
        if before is not None:
            where = "twice in this batch" if before.batch is batch else f"in batch {before.batch.name} already"
            tell(TWICE, f"{short(commit)} is sealed {where}: one scenario would count twice")
            continue
        state.entries[commit] = entry = Entry(commit, batch)
        batch.entries.append(entry)


def _check_day(state: State, line: Line, tell: Tell) -> None:
    by, most = line.body["reveal_by"], state.policy["max_reveal_days"]
    try:
        due = day(by)
    except ValueError:
        tell(UNSOUND, f"reveal_by {by} is on no calendar")
        return
    if not day(line.t) < due <= later(line.t, most):
        tell(UNSOUND, f"reveal_by {by} is not within {most} days after the sealing on {line.t[:10]}")
