"""The stub model: a deterministic stand-in for a language model that knows nothing but the request.

It answers with the reply of the first anchor, in the fixture's order, that the request contains; without one, with the
first reply, the anchor left out. Source: seed section 2, model contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Stub:
    """`anchors` are pairs of conversation and anchor, in the order looked for; `replies` the parts of each reply."""

    anchors: tuple[tuple[str, str], ...]
    replies: Mapping[str, Sequence[Any]]

    @staticmethod
    def of(document: Mapping[str, Any]) -> Stub:
        """The stub that a bundle describes."""
        stub = document["stub"]
        return Stub(
            tuple((row["conversation_id"], row["anchor"]) for row in stub["anchors"]),
            {row["conversation_id"]: row["parts"] for row in stub["replies"]},
        )

    def reply(self, request: str) -> str:
        """The answer to a request; the empty text if no conversation is declared."""
        for conversation, anchor in self.anchors:
            if anchor in request and conversation in self.replies:
                return _filled(self.replies[conversation], anchor)
        return _filled(next(iter(self.replies.values()), ()), "")


def _filled(parts: Sequence[Any], anchor: str) -> str:
    return "".join(part if isinstance(part, str) else anchor for part in parts)
