"""announce: a batch, as a whole, is going to be applied to submissions whose commits are fixed here."""

from __future__ import annotations

from wellposed.reserve.dates import day
from wellposed.reserve.lines import Line
from wellposed.reserve.state import ANNOUNCED, SEALED, Batch, State, Tell

CHOSEN, AGAIN, DAY, NO_BATCH, NAMES = "WP830", "WP833", "WP835", "WP836", "WP834"


def take(state: State, line: Line, tell: Tell) -> None:
    """The pool is every live entry, the batch was not announced before, and the results are due before the reveal."""
    name = line.body["batch"]
    batch = state.batches.get(name)
    if batch is None:
        tell(NO_BATCH, f"batch {name} was never sealed in this ledger")
        return
    if batch.announce is not None:
        tell(
            AGAIN,
            f"batch {name} was announced already, by line {batch.announce.number}: applying it again would be a second try",
        )
        return
    _check_pool(batch, line, tell)
    names = [one["name"] for one in line.body["submissions"]]
    if names != sorted(set(names)):
        tell(NAMES, f"the submissions of batch {name} are not in order of distinct names")
    elif len({one.lower() for one in names}) < len(names):
        tell(NAMES, f"two submissions of batch {name} differ in upper and lower case only: whoever reads results would mix them up")
    until, by = line.body["until"], batch.line.body["reveal_by"]
    try:
        fits = day(line.t) <= day(until) <= day(by)
    except ValueError:
        fits = False
    if not fits:
        tell(DAY, f"until {until} is not between the announcement on {line.t[:10]} and the reveal by {by}")
    batch.announce = line
    for entry in batch.entries:
        if entry.state == SEALED and entry.commit in batch.pool:
            entry.state = ANNOUNCED


def _check_pool(batch: Batch, line: Line, tell: Tell) -> None:
    live = sorted(entry.commit for entry in batch.entries if entry.state == SEALED)
    pool = line.body["pool"]
    if pool == live:
        return
    listed = set(pool)
    if len(listed) != len(pool) or pool != sorted(pool):
        tell(CHOSEN, f"the pool of batch {batch.name} is not in order of distinct commitments")
    strange, missing = listed - set(live), set(live) - listed
    if strange:
        tell(CHOSEN, f"the announcement lists {len(strange)} that are not live entries of batch {batch.name}")
    elif missing:
        tell(
            CHOSEN,
            f"the announcement lists {len(listed)} of the {len(live)} live entries of batch {batch.name}: "
            "applying a chosen part is not allowed",
        )
