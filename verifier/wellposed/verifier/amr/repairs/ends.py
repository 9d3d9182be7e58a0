"""How an item lawfully ends, as claims that accept nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.repairs.case import BUDGETS, Case, Json, is_written

MOST = 3
"""With more lawful ends than this, to accept them all would say nothing."""


def sent(case: Case, message: str) -> Iterator[Json]:
    """`m sent exactly once within N …` with all lawful sends in the window, counted from a named approval if one will do."""
    last = case.outcome(message, "sent")
    if last is None:
        return
    names = [one["record"]["approval_id"] for one in reversed(case.approvals(message))]
    for name in (*filter(is_written, names), message):
        start = case.happens(name)
        if start is None:
            continue
        # From a start that hangs on the run, the window is a budget, or as long as it may take.
        budgets = (BUDGETS.send, BUDGETS.reply) if start.first < start.last else ()
        for within in sorted({*budgets, case.outbox.open_between(start.first, last.last)}):
            if last.last >= start.first:
                yield {"claim": "sent", "of": message, "once": True, "within": within, "from": name}


def others(case: Case, message: str) -> list[list[Json]]:
    """The ends without a send, each as the claims that hold together in it."""
    found: list[list[Json]] = []
    ends = case.outcomes(message)
    waits = any(end.outcome == "open" for end in ends)
    for end in ends:
        if end.outcome == "not-admitted" and waits:
            continue  # that is open, too
        if end.outcome == "abandoned":
            never_sent = {"claim": "never-sent", "of": message}
            found.append([never_sent, {"claim": "abandoned", "of": message, "reason": end.reason}])
        elif end.outcome != "sent":
            found.append([{"claim": end.outcome, "of": message}])
    return found


def accepting(case: Case, message: str) -> Iterator[Json]:
    """Claims that hold in every lawful end of an item, the most telling first."""
    alternatives = others(case, message)
    sends = list(sent(case, message))
    if sends and not alternatives:
        yield from sends
    elif not sends and len(alternatives) == 1:
        yield alternatives[0][-1]
    elif 1 < len(alternatives) + bool(sends) <= MOST:
        for sending in [[[send]] for send in sends] or [[]]:
            yield {"claim": "any", "of": [*sending, *alternatives]}
