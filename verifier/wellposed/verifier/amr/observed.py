"""What each form of expectation rests on: an effect that the harness sees, or what the system says about itself.

Records count at the tick at which the harness first saw them, so no window rests on a stamp of the system's own. But that
an item was admitted, or abandoned and why, is a statement of the system under test; a line in the outbox is the effect
itself, and a declared draft is the very text that is sent (seed section 2; hazards H-10 and H-11 of the readings).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellposed.verifier.amr.claims import atoms

EFFECTS = ("outbox", "drafts")
"""The logs that hold what the system did, not what it says that it did."""

RESTS_ON: Mapping[str, str] = {
    "sent": "outbox",
    "never-sent": "outbox",
    "not-sent-after": "outbox",
    "only-sent": "outbox",
    "reply-in": "drafts",
    "reply-anchor": "drafts",
    "drafted": "drafts",
    "admitted": "audit",
    "not-admitted": "audit",
    "completed": "audit",
    "abandoned": "audit",
    "open": "audit",
    "distinct": "audit",
    "claims-settle": "audit",
    "reassigned-or-orphaned": "audit",
    "state-agrees": "state",
}


def rests_on(claim: Mapping[str, Any]) -> tuple[str, ...]:
    """The logs that an expectation is about, each once, in alphabetical order."""
    return tuple(sorted({RESTS_ON[atom["claim"]] for atom in atoms(claim)}))
