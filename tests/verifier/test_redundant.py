"""Redundant expectations: implied by the others in every well-formed log, the obligations left out."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import BY_SENDER, abandoned, document, either, never_sent, only, sent

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.verify import verify

APPROVED = [(12, "approve", "m1", "go")]
ESCALATED = [(12, "approve", "m1", "go"), (12, "escalate", "m1", "stop")]

CASES: dict[str, tuple[int, list[Any], list[Any], set[int]]] = {
    "nothing": (2, APPROVED, [sent(True, 5, "go")], set()),
    "a wider window": (2, APPROVED, [sent(True, 5, "go"), sent(True, 9, "go")], {1}),
    "the same twice: the first stays": (2, APPROVED, [sent(True, 5, "go"), sent(True, 5, "go")], {1}),
    "exactly this send implies one": (2, APPROVED, [only("m1"), sent()], {1}),
    "one send in time implies exactly this one": (2, APPROVED, [only("m1"), sent(True, 5, "go")], {0}),
    "one alternative more": (2, APPROVED, [either(sent(True, 5, "go"), abandoned(None)), sent(True, 5, "go")], {0}),
    "the obligations imply it, the expectations do not": (6, ESCALATED, [never_sent(), abandoned("operator_escalation")], set()),
    "a reason implies an abandonment": (6, ESCALATED, [abandoned(None), abandoned("operator_escalation")], {0}),
}


@pytest.mark.parametrize("name", CASES)
def test_redundant(name: str) -> None:
    level, events, expect, redundant = CASES[name]
    found = verify(bundle_of(document(level, events, expect), None, "bench"))
    assert {row.index for row in found.expectations if row.verdict == "redundant"} == redundant
    assert {finding.place for finding in found.findings if finding.code == "WP608"} == {
        bundle_of(document(level, events, expect), None, "bench").place(f"/expect/{index}") for index in redundant
    }
    assert found.verdict == "well-posed"


def test_exactly_these_sends_are_redundant_if_every_part_is() -> None:
    """Nothing else says that the third message is not sent, before somebody does."""
    messages = {"messages": (("m1", 0), ("m2", 0), ("m3", 0)), "rules": BY_SENDER}
    each = [sent(True, 5, "go"), never_sent("m2")]
    for expect, redundant in (([*each, only("m1")], [1]), ([*each, never_sent("m3"), only("m1")], [3])):
        found = verify(bundle_of(document(2, APPROVED, expect, **messages), None, "bench"))
        assert [row.index for row in found.expectations if row.verdict == "redundant"] == redundant
