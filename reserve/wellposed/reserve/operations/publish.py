"""publish: the commitments of a batch go into the ledger; the first time, with the rules of the ledger before them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from wellposed.compiler.load import load_bundle
from wellposed.reserve.ledger import Appended, Ledger, Record
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.state import short
from wellposed.reserve.store import Store


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules under which a ledger is begun; they stand in its first line and never change."""

    title: str
    holders: Sequence[str]
    max_reveal_days: int = 365
    logs: str = "committed"
    anchor: str = "optional"


def publish(ledger: Ledger, batch: str, reveal_by: str, commits: Sequence[str], rules: Rules | None) -> Appended:
    """Add a seal line. Raises Refusal: without a ledger and `rules` to begin one, too, and with both."""
    records: list[Record] = []
    if ledger.raw():
        if rules is not None:
            raise Refusal(at_file("WP806", "the ledger has begun already, and its rules never change", str(ledger.folder)))
    elif rules is None:
        what = "there is no ledger here yet: name its title and who holds the scenarios"
        raise Refusal(at_file("WP809", what, str(ledger.folder), "add --title TEXT and --holder NAME, once for each"))
    else:
        records.append(("genesis", _genesis(rules)))
    listed = sorted(commits)
    body = {"batch": batch, "count": len(listed), "commits": listed, "reveal_by": reveal_by}
    return ledger.append([*records, ("seal", body)])


def check_stored(commits: Sequence[str], store: Store) -> None:
    """Each commitment is of a sealed document in the store: a hash that was made by hand may hide nothing. Raises Refusal."""
    for commit in commits:
        bundle, findings = load_bundle(store.get(commit), str(store.path))
        if bundle is None:
            raise Refusal(at_file("WP888", f"the stored entry is no bundle: {findings[0].message}", str(store.path)))
        if "seal" not in bundle.document:
            what = f"{short(commit)} is the plain hash of {bundle.id}: whoever can guess the scenario knows that it is sealed"
            raise Refusal(at_file("WP860", what, str(store.path), "seal it with `wellposed reserve seal`, which adds a nonce"))


def _genesis(rules: Rules) -> dict[str, object]:
    policy = {"max_reveal_days": rules.max_reveal_days, "logs": rules.logs, "anchor": rules.anchor}
    return {"ledger": secrets.token_hex(16), "title": rules.title, "policy": policy, "holders": list(rules.holders)}
