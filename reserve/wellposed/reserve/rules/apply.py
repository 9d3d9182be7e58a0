"""apply: the result of one submission on one entry."""

from __future__ import annotations

from wellposed.reserve.dates import day
from wellposed.reserve.lines import Line
from wellposed.reserve.state import ANNOUNCED, APPLIED, Batch, Result, State, Tell, short

UNANNOUNCED, LATE, OTHER, SECOND, WRONG_STATE = "WP840", "WP842", "WP843", "WP844", "WP850"


def take(state: State, line: Line, tell: Tell) -> None:
    """It was announced, of the frozen commit, in time, and is the only one that is not voided."""
    entry = state.entry(line, tell)
    if entry is None:
        return
    name, commit = line.body["submission"], entry.commit
    batch = announced(state, line, tell)
    if batch is None:
        return
    frozen = batch.submissions.get(name)
    if frozen is None or commit not in batch.pool:
        what = f"submission {name}" if frozen is None else short(commit)
        tell(UNANNOUNCED, f"{what} is not in the announcement of line {line.body['announce'] + 1}")
        return
    if entry.state not in (ANNOUNCED, APPLIED):
        tell(WRONG_STATE, f"{short(commit)} is {entry.state} and cannot be applied any more")
        return
    until = batch.announce.body["until"] if batch.announce is not None else line.t
    if _after(line.t, until):
        tell(LATE, f"the result of {name} on {short(commit)} is of {line.t[:10]}, and was due until {until}")
    if line.body["impl"] != frozen["commit"]:
        tell(
            OTHER,
            f"{name} ran at {line.body['impl'][:12]}, and {frozen['commit'][:12]} was announced: it was changed in between",
        )
    standing = [one for one in entry.of(name) if one.voided is None]
    if standing:
        tell(
            SECOND,
            f"second result of {name} on {short(commit)} and no void between them: the first is line {standing[-1].line.number}",
        )
    entry.results.append(Result(line))
    entry.state = APPLIED


def announced(state: State, line: Line, tell: Tell) -> Batch | None:
    """The batch of the announcement that a line refers to; told where it is not one of its entry's batch."""
    entry = state.entries[line.body["commit"]]
    announce = entry.batch.announce
    if announce is None or announce.seq != line.body["announce"]:
        tell(UNANNOUNCED, f"line {line.body['announce'] + 1} does not announce batch {entry.batch.name}")
        return None
    return entry.batch


def _after(t: str, until: str) -> bool:
    try:
        return day(t) > day(until)
    except ValueError:  # told where it was announced
        return False
