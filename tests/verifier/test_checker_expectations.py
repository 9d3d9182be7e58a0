"""Every form of expectation, true and false, with its window at the bound and one tick beyond."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.checker_documents import (
    Does,
    abandoned,
    approve,
    completed,
    deliver,
    does,
    escalate,
    jump,
    kill,
    reject,
    repeat,
    run,
    scenario,
    told,
    when,
)

from wellposed.verifier.amr.checker import check_run
from wellposed.verifier.amr.run import Contention, Draft

Claim = dict[str, Any]


def claim(form: str, of: Any = "m1", **parts: Any) -> Claim:
    return {"claim": form, "of": of, **parts}


def sent(once: bool = False, within: int | None = None, since: str | None = None) -> Claim:
    return claim("sent", once=once, within=within, **{"from": since})


def only(*of: str, ordered: bool = False) -> Claim:
    return claim("only-sent", list(of), ordered=ordered)


# Delivered at 3; approved as `go` at 12, rejected as `no` at 30; `late` hangs on a second draft's send.
SCHEDULE = [
    deliver(3),
    deliver(4, "m2"),
    approve(12),
    reject(30),
    kill(40),
    escalate(50),
    approve(when("sent", "m1"), name="late"),
]
CROSSED = (Draft(5, "c2", frozenset({"c2"})),)
ORPHAN = abandoned(41, "agent_death")

TABLE: list[tuple[Claim, Does, bool]] = [
    (claim("admitted", within=None), does(60), True),
    (claim("admitted", within=None), does(), False),
    (claim("admitted", within=5), does(8), True),
    (claim("admitted", within=5), does(9), False),
    (claim("admitted", within=100), does(), False),
    (claim("not-admitted"), does(), True),
    (claim("not-admitted"), does(60), False),
    (claim("drafted", within=None), does(3, 60), True),
    (claim("drafted", within=None), does(3), False),
    (claim("drafted", within=4), does(3, (7, 9)), True),
    (claim("drafted", within=4), does(3, 8), False),
    (sent(), does(3, 5, 60), True),
    (sent(), does(3, 5), False),
    (sent(), does(3, 5, (9, 12)), True),
    (sent(within=10), does(3, 5, 13), True),
    (sent(within=10), does(3, 5, 14), False),
    (sent(within=10), does(3, 5, (13, 20)), True),
    (sent(within=5, since="go"), does(3, 5, 12), True),
    (sent(within=5, since="go"), does(3, 5, 17), True),
    (sent(within=5, since="go"), does(3, 5, 18), False),
    (sent(within=5, since="go"), does(3, 5, 11), False),
    (sent(within=5, since="go"), does(3, 5, (11, 17)), True),
    (sent(within=5, since="go"), does(3, 14, 20), True),
    (sent(within=5, since="go"), does(3, 14, 21), False),
    (sent(within=5, since="go"), does(3), False),
    (sent(within=50, since="late"), does(3, 5, 9), False),
    (sent(within=50, since="late"), does(3, 5, (9, 60)), True),
    (sent(within=5, since="m2"), does(3, 5, 9), True),
    (sent(within=5, since="m2"), does(3, 5, 10), False),
    (sent(once=True), does(3, 5, 60), True),
    (sent(once=True), does(3, 5, (9, 10)), False),
    (sent(once=True), does(3, 5), False),
    (sent(once=True, within=10), does(3, 5, 13), True),
    (sent(once=True, within=10), does(3, 5, 14), False),
    (sent(once=True, within=10), does(3, 5, (13, 20)), False),
    (claim("never-sent"), does(3, 5), True),
    (claim("never-sent"), does(3, 5, 9), False),
    (claim("not-sent-after", after="go"), does(3, 5, 11), True),
    (claim("not-sent-after", after="go"), does(3, 5, 12), False),
    (claim("not-sent-after", after="go"), does(3, 5, (11, 13)), False),
    (claim("not-sent-after", after="late"), does(3, 5), True),
    (claim("not-sent-after", after="late"), does(3, 5, 9), True),
    (claim("not-sent-after", after="late"), does(3, 5, (9, 10)), False),
    (claim("not-sent-after", after="m1"), does(3, 5, 9), False),
    (claim("completed"), does(3, 5, 9, completed(9)), True),
    (claim("completed"), does(3, 5, (), ORPHAN), False),
    (claim("completed"), does(3, 5, 9), False),
    (claim("abandoned", reason=None), does(3, 5, (), ORPHAN), True),
    (claim("abandoned", reason="agent_death"), does(3, 5, (), ORPHAN), True),
    (claim("abandoned", reason="rejected"), does(3, 5, (), ORPHAN), False),
    (claim("abandoned", reason=None), does(3, 5, 9, completed(9)), False),
    (claim("abandoned", reason=None), does(3, 5), False),
    (claim("open"), does(3, 5), True),
    (claim("open"), does(), True),
    (claim("open"), does(3, 5, 9), False),
    (claim("open"), does(3, 5, (), ORPHAN), False),
    (claim("reassigned-or-orphaned"), does(3, 5, won=(40,)), True),
    (claim("reassigned-or-orphaned"), does(3, 5, (), abandoned(40, "agent_death")), True),
    (claim("reassigned-or-orphaned"), does(3, 5, (), abandoned(50)), True),
    (claim("reassigned-or-orphaned"), does(3, 5), False),
    (claim("reassigned-or-orphaned"), does(3, 5, (), abandoned(39, "rejected")), False),
    (claim("reassigned-or-orphaned"), does(3, 5, 39), False),
    (claim("reassigned-or-orphaned"), does(3, 5, 41, completed(41)), False),
    (claim("reassigned-or-orphaned"), does(), False),
    (claim("reply-in", conversation="c1"), does(3, 5, 9), True),
    (claim("reply-in", conversation="c2"), does(3, 5, 9), False),
    (claim("reply-in", conversation="c1"), does(3, 5), False),
    (claim("reply-in", conversation="c2"), does(3, CROSSED, 9), True),
    (claim("reply-in", conversation="c1"), does(3, (*CROSSED, 7), ((9, 1),)), True),
    (claim("reply-in", conversation="c1"), does(3, (*CROSSED, 7), ((9, 1), (10, 0))), False),
    (claim("reply-anchor", conversation="c1"), does(3, 5, 9), True),
    (claim("reply-anchor", conversation="c2"), does(3, 5, 9), False),
    (claim("reply-anchor", conversation="c1"), does(3, 5), False),
    (claim("reply-anchor", conversation="c2"), does(3, CROSSED, 9), True),
    (claim("claims-settle", within=5), does(3, 5, contention=None), True),
    (claim("claims-settle", within=5), does(3, 5, contention=Contention(6, 11)), True),
    (claim("claims-settle", within=5), does(3, 5, contention=Contention(6, 12)), False),
    (claim("claims-settle", within=5), does(3, 5, contention=Contention(6, None)), False),
    (claim("claims-settle", within=5), does(3, 5, contention=Contention(55, None)), False),
    (claim("claims-settle", within=5), does(3, 5, contention=Contention(56, None)), True),
    (claim("distinct", ["m1", "m2"]), does(3, 5), True),
    (claim("distinct", ["m1", "m2"]), does(), False),
    (claim("any", [[claim("never-sent")], [claim("completed")]]), does(3, 5), True),
    (claim("any", [[claim("never-sent")], [claim("completed")]]), does(3, 5, 9, completed(9)), True),
    (claim("any", [[claim("never-sent")], [claim("completed")]]), does(3, 5, 9), False),
    (claim("any", [[claim("never-sent"), claim("open")], [claim("completed")]]), does(3, 5, (), ORPHAN), False),
]


def holds(document: dict[str, Any], system: Does, state_agrees: bool = True) -> bool:
    return not told(document, run(system, m2=does(4, 6), state_agrees=state_agrees), "expect")


@pytest.mark.parametrize(("expected", "system", "true"), TABLE)
def test_form(expected: Claim, system: Does, true: bool) -> None:
    document = scenario(0, *SCHEDULE, expect=(expected,))
    assert holds(document, system) is true


IDLE = does(4, 6)
ONLY: list[tuple[Claim, Does, Does, str | None]] = [
    (only("m1"), does(3, 5, 9), IDLE, None),
    (only("m1"), does(3, 5), IDLE, "m1 is never sent"),
    (only("m1"), does(3, 5, (9, 11)), IDLE, "m1 is sent at 9 and 11"),
    (only("m1"), does(3, 5, 9), does(4, 6, 8), "m2, which is not named, is sent at 8"),
    (only("m1"), does(3, 5, 9), does(4, 6, (8, 9)), "m2, which is not named, is sent at 8 and 9"),
    (only("m2"), does(3, 5), does(4, 6, 60), None),
    (only("m1", "m2"), does(3, 5, 9), does(4, 6, 8), None),
    (only("m2", "m1"), does(3, 5, 9), does(4, 6, 8), None),
    (only("m1", "m2"), does(3, 5, 9), IDLE, "m2 is never sent"),
    (only("m1", "m2"), does(3, 5, 9), does(4, 6, (8, 12)), "m2 is sent at 8 and 12"),
    (only("m1", "m2", ordered=True), does(3, 5, 8), does(4, 6, 9), None),
    (only("m1", "m2", ordered=True), does(3, 5, 9), does(4, 6, 9), None),
    (only("m2", "m1", ordered=True), does(3, 5, 9), does(4, 6, 9), None),
    (only("m1", "m2", ordered=True), does(3, 5, 9), does(4, 6, 8), "m1 is sent at 9, after m2 at 8"),
    (only("m1", "m2", ordered=True), does(3, 5, 9), IDLE, "m2 is never sent"),
    (claim("any", [[only("m1")], [only("m2")]]), does(3, 5), does(4, 6, 9), None),
    (
        claim("any", [[only("m1")], [only("m2")]]),
        *(does(3, 5, 9), does(4, 6, 9)),
        "no alternative holds: m2, which is not named, is sent at 9; or m1, which is not named, is sent at 9",
    ),
]


@pytest.mark.parametrize(("expected", "first", "second", "text"), ONLY)
def test_only_these_are_sent(expected: Claim, first: Does, second: Does, text: str | None) -> None:
    """Each named has exactly one send and no other message has any; in order, none is at a later tick than the next."""
    document = scenario(0, *SCHEDULE, expect=(expected,))
    found = told(document, run(first, m2=second), "expect")
    assert found == ([] if text is None else [("/expect/0", None, text)])


def test_a_message_that_the_run_does_not_know_is_not_sent() -> None:
    document = scenario(0, *SCHEDULE, expect=(only("m1", "m2"), only("m1")))
    assert [pointer for pointer, _, _ in told(document, run(does(3, 5, 9)), "expect")] == ["/expect/0"]


@pytest.mark.parametrize(
    ("system", "true"),
    [(does(3, 5), True), (does(3, 5, 9, completed(9)), True), (does(3, 5, 9), False), (does(3, 5, (), ORPHAN), False)],
)
def test_if(system: Does, true: bool) -> None:
    """`if m1 never sent then m1 open else m1 completed`."""
    expected = {"claim": "if", "if": claim("never-sent"), "then": claim("open"), "else": claim("completed")}
    assert holds(scenario(0, *SCHEDULE, expect=(expected,)), system) is true


def test_nested() -> None:
    inner = {
        "claim": "if",
        "if": claim("never-sent"),
        "then": claim("any", [[claim("open")], [claim("completed")]]),
        "else": sent(),
    }
    document = scenario(0, *SCHEDULE, expect=(claim("any", [[claim("not-admitted")], [inner]]),))
    assert holds(document, does(3, 5))
    assert not holds(document, does(3, 5, (), ORPHAN))


def test_state_agrees() -> None:
    document = scenario(0, *SCHEDULE, expect=({"claim": "state-agrees"},))
    assert holds(document, does(3, 5))
    assert not holds(document, does(3, 5), state_agrees=False)


def test_windows_count_visible_ticks() -> None:
    """A window that spans a jump pays one tick for it."""
    document = scenario(0, deliver(0), jump(4, 40), expect=(claim("admitted", within=6), sent(within=6)))
    assert told(document, run(does(4, 4, 41)), "expect") == []
    assert [pointer for pointer, _, _ in told(document, run(does(42, 42, 42)), "expect")] == ["/expect/0", "/expect/1"]


def test_names_mean_the_tick_at_which_it_happened() -> None:
    """A deferred approval happens when it fires; its repeat is no occurrence of it."""
    document = scenario(0, deliver(0), approve(2), repeat(30), expect=(sent(within=3, since="go"),))
    assert told(document, run(does(0, 7, 11)), "expect") == []
    assert told(document, run(does(0, 7, 12)), "expect") != []
    assert told(document, run(does(0, 7, 31)), "expect") != []


def test_a_message_that_is_never_delivered() -> None:
    """A window from a message that does not come is no window; nothing is sent after it."""
    expected = (claim("admitted", within=9), claim("not-sent-after", after="m2"), sent(within=60, since="m2"))
    document = scenario(0, deliver(0), jump(30, 90), deliver(40, "m2"), expect=expected)
    found = told(document, run(does(0, 5, 9), m2=does()), "expect")
    assert found == [("/expect/2", "m1", "m2 never happens; sent at 9")]


def test_known_answer_of_the_race() -> None:
    """Approve at 12, escalate at 13, "never sent": one conforming run passes, one fails."""
    document = scenario(6, deliver(0), approve(12), escalate(13), horizon=40, expect=(claim("never-sent"),))
    assert check_run(document, run(does(0, 5, (), abandoned(13)))) == ()
    assert [found.obligation for found in check_run(document, run(does(0, 5, 12, completed(13))))] == ["expect"]


TEXTS: list[tuple[Claim, Does, str]] = [
    (claim("admitted", within=5), does(9), "not admitted in 3..8; admitted at 9"),
    (claim("drafted", within=4), does(3), "not drafted in 3..7; never drafted"),
    (sent(within=5, since="go"), does(3, 5, (11, 18)), "not sent in 12..17; sent at 11 and 18"),
    (sent(once=True), does(3, 5, (9, 10)), "sent 2 times: sent at 9 and 10"),
    (claim("never-sent"), does(3, 5, 9), "sent at 9"),
    (claim("not-sent-after", after="go"), does(3, 5, 12), "sent at 12, not before go at 12"),
    (claim("completed"), does(3, 5, (), ORPHAN), "abandoned at 41 because of agent_death"),
    (claim("abandoned", reason="rejected"), does(3, 5), "never resolved"),
    (claim("reassigned-or-orphaned"), does(3, 5), "its agent died at 40; never reassigned, never resolved"),
    (claim("reply-in", conversation="c2"), does(3, 5, 9), "the reply sent at 9 is in c1"),
    (claim("reply-anchor", conversation="c2"), does(3, 5, 9), "the reply sent at 9 does not carry the anchor of c2"),
    (
        claim("claims-settle", within=5),
        does(3, 5, contention=Contention(6, 12)),
        "claimed twice at 6, so to settle by 11; settled at 12",
    ),
    (claim("distinct", ["m1", "m2"]), does(), "m1 not admitted"),
    (
        claim("any", [[claim("never-sent")], [claim("completed")]]),
        does(3, 5, 9),
        "no alternative holds: sent at 9; or never resolved",
    ),
    (
        {"claim": "if", "if": claim("never-sent"), "then": claim("open"), "else": claim("completed")},
        does(3, 5, 9),
        "the condition fails (sent at 9), and: never resolved",
    ),
]


@pytest.mark.parametrize(("expected", "system", "text"), TEXTS)
def test_texts(expected: Claim, system: Does, text: str) -> None:
    """A failed expectation says in ticks what the run did instead, and is found at `/expect/i`."""
    document = scenario(0, *SCHEDULE, expect=(claim("admitted", "m2", within=None), expected))
    (found,) = told(document, run(system, m2=does(4, 6)), "expect")
    assert (found[0], found[2]) == ("/expect/1", text)


def test_unknown_form() -> None:
    with pytest.raises(ValueError, match="unknown claim"):
        check_run(scenario(0, deliver(0), expect=(claim("hoped-for"),)), run(does(0, 5, 9)))
