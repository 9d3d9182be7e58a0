"""reveal: an entry is opened, with the logs of everything it was applied to."""

from __future__ import annotations

from wellposed.reserve.lines import Line
from wellposed.reserve.state import OPEN, REVEALED, State, Tell, short

WRONG_STATE, LOGS, PATH = "WP850", "WP868", "WP869"


def take(state: State, line: Line, tell: Tell) -> None:
    """It was not opened or given up before, lies where its hash says, and all its logs come with it."""
    entry = state.entry(line, tell)
    if entry is None:
        return
    if entry.state not in OPEN:
        tell(WRONG_STATE, f"{short(entry.commit)} is {entry.state} already")
        return
    entry.state, entry.reveal = REVEALED, line
    if line.body["path"] != revealed_path(entry.commit):
        tell(PATH, f"{line.body['path']} is not the place of {short(entry.commit)}, {revealed_path(entry.commit)}")
    applied = [one.line.seq for one in entry.results]
    given = [one["apply"] for one in line.body["logs"]]
    if given != applied:
        lines = ", ".join(str(seq + 1) for seq in applied) or "none"
        tell(LOGS, f"{short(entry.commit)} is revealed with the logs of other lines than those of its results: {lines}")
    for one in line.body["logs"]:
        if one["path"] != logs_path(entry.commit, one["apply"]):
            tell(PATH, f"{one['path']} is not the place of these logs, {logs_path(entry.commit, one['apply'])}")


def revealed_path(commit: str) -> str:
    """Where the document of an entry is revealed, below the reserve's folder."""
    return f"revealed/{_digits(commit)}.json"


def logs_path(commit: str, seq: int) -> str:
    """The folder of the logs of an apply line, below the reserve's folder."""
    return f"logs/{_digits(commit)}/{seq}"


def _digits(commit: str) -> str:
    return commit.removeprefix("sha256:")[:16]
