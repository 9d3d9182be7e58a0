"""apply --void, leak and forfeit: a result is taken back, an entry became known, an entry will never be opened."""

from __future__ import annotations

from wellposed.reserve.ledger import Appended, Ledger
from wellposed.reserve.operations.find import entry as find


def void(ledger: Ledger, entry: str, submission: str, justification: str) -> Appended:
    """Add a void line. Raises Refusal."""
    known = find(ledger.state(), entry)
    announce = known.batch.announce
    body = {
        "announce": 0 if announce is None else announce.seq,
        "commit": known.commit,
        "submission": submission,
        "class": "fixture-defect",
        "justification": justification,
    }
    return ledger.append([("void", body)])


def leak(ledger: Ledger, entry: str, justification: str) -> Appended:
    """Add a leak line. Raises Refusal."""
    known = find(ledger.state(), entry)
    return ledger.append([("leak", {"commit": known.commit, "justification": justification})])


def forfeit(ledger: Ledger, entry: str, kind: str, justification: str) -> Appended:
    """Add a forfeit line of one of the classes. Raises Refusal."""
    known = find(ledger.state(), entry)
    return ledger.append([("forfeit", {"commit": known.commit, "class": kind, "justification": justification})])
