"""The stub model knows nothing but the request (seed section 2, model contract)."""

from __future__ import annotations

import pytest
from tests.simulator.scenes import scene

from wellposed.verifier.amr.simulator.sandbox import Sandbox, carried
from wellposed.verifier.amr.simulator.stub import Stub


@pytest.mark.parametrize(
    ("request_text", "reply"),
    [
        ("Where is ORD-1001?", "Order ORD-1001."),
        ("And REF-2002?", "Refund REF-2002."),
        ("REF-2002 after ORD-1001", "Order ORD-1001."),
        ("Where is it?", "Order ."),
    ],
)
def test_it_answers_with_the_first_anchor_in_the_fixtures_order(request_text: str, reply: str) -> None:
    assert Stub.of(scene()).reply(request_text) == reply


def test_a_call_is_logged() -> None:
    box = Sandbox(Stub.of(scene()), "normal", tick=7)
    assert box.ask("REF-2002") == ("call-1", "Refund REF-2002.")
    assert box.calls == [{"at": 7, "call_id": "call-1", "reply": "Refund REF-2002.", "request": "REF-2002"}]


def test_a_piece_of_a_longer_anchor_is_not_carried() -> None:
    anchors = ("ORD-1", "ORD-10")
    assert carried("About ORD-10.", anchors) == {"ORD-10"}
    assert carried("About ORD-10 and ORD-1.", anchors) == {"ORD-1", "ORD-10"}
