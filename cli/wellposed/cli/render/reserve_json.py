"""`wellposed-reserve/1`: what a verification of a reserve found, as members of a JSON document."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellposed.reserve.verify import Verified


def members(found: Verified) -> dict[str, object]:
    """In the documented order; every member is always there."""
    head = found.head
    return {
        "revision": found.revision,
        "ledger": found.ledger,
        "head": None if head is None else {"seq": head[0], "hash": head[1]},
        "as_of": found.options.as_of.isoformat(),
        "checked": list(found.checked),
        "unchecked": list(found.unchecked),
        "caveats": list(found.caveats),
        "figures": dict(found.figures),
        "forfeits": dict(found.forfeits),
        "batches": [dict(one) for one in found.batches],
        "anchors": [{"of": one.seq, "kind": one.kind, "time": one.time} for one in found.anchored],
    }
