"""A send among the events of its tick, under the reading in which it may lie there."""

from __future__ import annotations

from tests.verifier.known_answers import document, sent
from tests.verifier.rows import component, lawful, values

from wellposed.verifier.amr.answers import Answers

DRAFT = {"admitted": 0, "draft": 5}
INTERLEAVED = Answers(interleaved=True)


def test_a_send_among_the_events_of_its_tick() -> None:
    """Where it may lie there, it lies in one place for all of them: before the escalation, then before the reject behind it."""
    approved, rejected, escalated = (12, "approve", "m1"), (14, "reject", "m1"), (14, "escalate", "m1")
    log = {**DRAFT, "send.0": 14, "resolved": 14}
    for events in ([approved, rejected], [approved, escalated], [approved, rejected, escalated]):
        assert lawful(document(4, events, []), log, INTERLEAVED)
        assert not lawful(document(4, events, []), log)
    assert lawful(document(4, [approved, escalated], []), {**log, "send.0": 13, "resolved": 13}, INTERLEAVED)
    assert not lawful(document(4, [approved, escalated], []), {**log, "send.0": 15, "resolved": 15}, INTERLEAVED)
    assert not lawful(document(4, [(14, "approve", "m1"), escalated], []), {**log, "send.0": 13, "resolved": 13}, INTERLEAVED)
    assert lawful(document(4, [(14, "approve", "m1"), escalated], []), log, INTERLEAVED)
    assert not lawful(document(4, [escalated, (14, "approve", "m1")], []), log, INTERLEAVED)
    assert lawful(document(4, [(14, "reject", "m1"), (14, "approve", "m1")], []), log, INTERLEAVED)
    assert lawful(document(4, [approved, escalated, (20, "escalate", "m1")], []), log, INTERLEAVED)
    same_tick = {"admitted": 0, "draft": 14, "send.0": 14, "resolved": 14}
    assert not lawful(document(4, [approved, escalated], []), same_tick, INTERLEAVED)


def test_a_send_lies_before_an_event_of_its_tick_only_behind_the_tick_of_its_draft() -> None:
    made = component(document(0, [(9, "crash", None, "c")], [{"claim": "not-sent-after", "of": "m1", "after": "c"}]), INTERLEAVED)
    (claim,) = made.claims
    for drafted, possible in ((8, True), (9, False)):
        log = {"admitted": 0, "draft": drafted, "send.0": 9}
        assert (values(made, log, [claim.formula]) is not None) is possible


def test_two_sends_lie_in_their_ticks_each_for_itself() -> None:
    """The first is of the tick before; the second lies before both escalations of its tick."""
    events = [(12, "approve", "m1"), (14, "escalate", "m1", "one"), (14, "escalate", "m1", "two")]
    made = component(document(4, events, [sent(False, 5)]), INTERLEAVED)
    log = {**DRAFT, "send.0": 13, "send.1": 14, "resolved": 14}
    others = [row.formula for row in made.standing if row.obligation != "L1.once"]
    assert values(made, log, others) is not None
    late = {**log, "send.1": 15, "resolved": 15}
    assert values(made, late, others) is None
    others = [row.formula for row in made.standing if row.obligation not in ("L1.once", "L4.stop")]
    assert values(made, {**late, "send.0": 14}, others) is not None


def test_where_a_send_lies_in_its_tick_belongs_to_the_record_of_that_send() -> None:
    made = component(document(4, [(12, "approve", "m1", "go"), (14, "escalate", "m1", "stop")], [sent(False, 5)]), INTERLEAVED)
    records = [{made.space.names[variable] for variable in record} for record in made.records]
    for send in ("m1.send.0", "m1.send.1"):
        assert {send, f"{send}.before.go", f"{send}.before.stop"} in records
