"""Whether the rules owe a message an admission, and when it may be admitted, by hand: a message of 20, windows of 5 ticks."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import document

from wellposed.verifier.amr.admission import Admission, Admissions
from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.environment import unfold


def rule(effect: str, name: str, *conditions: tuple[str, str, str | int]) -> dict[str, Any]:
    return {"effect": effect, "id": name, "when": [{"field": field, "op": op, "value": value} for field, op, value in conditions]}


NORMAL = ("posture", "is", "normal")
OFFICE = [{"name": "office", "rules": [rule("admit", "open", NORMAL)]}]
TWO_VERSIONS = [*OFFICE, {"name": "closed", "rules": [rule("refuse", "all"), rule("admit", "none")]}]
ANY = [{"name": "any", "rules": [rule("admit", "all")]}]
ARRIVAL = Answers(arrival_decides=True)
PER_CONVERSATION = Answers(item_per_conversation=True)

Spans = tuple[tuple[int, int, str], ...]


def admission(
    events: list[Any], rules: list[dict[str, Any]], posture: str = "normal", answers: Answers = BASE, **options: Any
) -> Admission:
    made = document(2, events, [], rules=rules, posture=posture, messages=(("m1", 20),), **options)
    (environment,) = unfold(made, answers)
    return Admissions(environment, answers).of(environment.messages["m1"])


WHOLE: Spans = ((20, 40, "office"),)
BOTH: dict[int, Spans] = {
    16: ((20, 20, "office"), (20, 40, "office")),
    20: ((20, 24, "office"), (20, 40, "office")),
    25: ((20, 29, "office"), (25, 40, "office")),
    26: ((20, 30, "office"), (26, 40, "office")),
}


@pytest.mark.parametrize(
    ("at", "required", "windows", "versions"),
    [
        (15, False, (), WHOLE),
        (16, False, ((20, 20, "office"),), BOTH[16]),
        (20, False, ((20, 24, "office"),), BOTH[20]),
        (25, False, ((20, 29, "office"),), BOTH[25]),
        (26, True, ((20, 30, "office"),), BOTH[26]),
    ],
)
def test_a_closing_near_the_delivery(at: int, required: bool, windows: Spans, versions: Spans) -> None:
    """From 16 to 25 it excuses either way."""
    assert admission([(at, "posture", "maintenance")], OFFICE) == Admission(required, windows, versions)


@pytest.mark.parametrize(
    ("at", "required", "windows"),
    [
        (15, True, WHOLE),
        (16, False, WHOLE),
        (20, False, WHOLE),
        (21, False, ((21, 40, "office"),)),
        (25, False, ((25, 40, "office"),)),
        (26, False, ((26, 40, "office"),)),
    ],
)
def test_an_opening_near_the_delivery(at: int, required: bool, windows: Spans) -> None:
    found = admission([(at, "posture", "normal")], OFFICE, "maintenance")
    assert (found.required, found.windows) == (required, windows)


def test_without_a_change() -> None:
    assert admission([], OFFICE) == Admission(True, WHOLE, WHOLE)
    assert admission([], OFFICE, "maintenance") == Admission(False, (), WHOLE)


def test_a_change_that_does_not_alter_the_match_excuses_nothing() -> None:
    found = admission([(18, "posture", "maintenance")], ANY)
    assert found == Admission(True, ((20, 22, "any"), (20, 40, "any")), ((20, 22, "any"), (20, 40, "any")))


def test_a_change_before_counts_against_the_one_before_it() -> None:
    """Closed and opened again: from 18 to 21 it is closed. Two changes of one tick are none."""
    found = admission([(18, "posture", "maintenance"), (22, "posture", "normal")], OFFICE)
    assert (found.required, found.windows) == (False, ((20, 22, "office"), (22, 40, "office")))
    assert found.ticks == ((20, 40),)
    closed = admission([(2, "posture", "maintenance"), (6, "posture", "normal"), (30, "posture", "maintenance")], OFFICE)
    assert (closed.required, closed.windows) == (True, ((20, 34, "office"),))
    assert admission([(18, "posture", "maintenance"), (18, "posture", "normal")], OFFICE).required


def test_a_change_of_rules() -> None:
    found = admission([(26, "rules", "closed")], TWO_VERSIONS)
    assert found == Admission(True, ((20, 30, "office"),), ((20, 30, "office"), (26, 40, "closed")))
    found = admission([(24, "rules", "closed"), (38, "rules", "office")], TWO_VERSIONS)
    assert found.windows == ((20, 28, "office"), (38, 40, "office"))
    assert found.ticks == ((20, 28), (38, 40))


def test_with_other_budgets() -> None:
    closing = [(18, "posture", "maintenance")]
    assert admission(closing, OFFICE, answers=Answers(lag=2)).windows == ()
    assert not admission([(19, "posture", "normal")], OFFICE, "maintenance", Answers(lag=2)).required
    assert admission([(18, "posture", "normal")], OFFICE, "maintenance", Answers(lag=2)).required
    assert not admission([(22, "posture", "maintenance")], OFFICE, answers=Answers(admit=2)).required
    assert admission([(23, "posture", "maintenance")], OFFICE, answers=Answers(admit=2)).required
    assert admission([(21, "posture", "maintenance")], OFFICE, answers=Answers(admit=0)).required
    assert not admission([(21, "posture", "normal")], OFFICE, "maintenance", Answers(admit=0)).required
    assert admission([(20, "posture", "normal")], OFFICE, "maintenance", Answers(admit=0, lag=0)).required
    assert not admission([(20, "posture", "maintenance")], OFFICE, answers=Answers(admit=0, lag=0)).required


def test_where_the_delivery_decides() -> None:
    for at, admitted in ((20, False), (21, True)):
        found = admission([(at, "posture", "maintenance")], OFFICE, answers=ARRIVAL)
        assert found == Admission(admitted, WHOLE if admitted else (), WHOLE)
    assert admission([(20, "rules", "closed")], TWO_VERSIONS, answers=ARRIVAL).versions == ((20, 40, "closed"),)


def test_the_first_rule_that_matches_decides_and_needs_all_of_its_conditions() -> None:
    mine, other = ("message.from", "is", "m1@example.test"), ("message.subject", "is", "refund")
    for rules, admitted in (
        ([rule("refuse", "me", mine), rule("admit", "all")], False),
        ([rule("admit", "me", mine), rule("refuse", "all")], True),
        ([rule("refuse", "both", mine, other), rule("admit", "all")], True),
        ([rule("admit", "both", mine, other)], False),
        ([rule("admit", "both", mine, NORMAL)], True),
        ([], False),
    ):
        found = admission([], [{"name": "v", "rules": rules}])
        assert found.required is admitted
        assert bool(found.windows) is admitted


@pytest.mark.parametrize(
    ("field", "value"),
    [("thread.length", 1), ("sender.messages", 2), ("sender.conversations", 2), ("message.body", "Hello?"), ("posture", "normal")],
)
def test_what_a_condition_asks_about(field: str, value: str | int) -> None:
    """Of m3, which follows m1 in its conversation and m1 and m2 from its sender, each a tick later."""
    made = document(2, [], [], messages=(("m1", 1), ("m2", 2), ("m3", 3)), rules=[{"name": "v", "rules": [rule("admit", "a", (field, "is", value))]}])
    for entry in made["schedule"]:
        entry["record"]["from"] = "ada@example.test"
    made["schedule"][2]["record"]["conversation_id"] = "c-m1"
    (environment,) = unfold(made)
    found = Admissions(environment, BASE)
    assert found.of(environment.messages["m3"]).required
    assert found.of(environment.messages["m3"]) is found.of(environment.messages["m3"])
    if isinstance(value, int):
        assert not found.of(environment.messages["m1"]).required


@pytest.mark.parametrize("shared", ["c-a", "c-z"])
def test_where_a_conversation_is_one_item(shared: str) -> None:
    """m3 follows m1; between them comes one of another conversation."""
    made = document(2, [], [], messages=(("m1", 1), ("m2", 2), ("m3", 3)), rules=ANY)
    for entry in made["schedule"][::2]:
        entry["record"]["conversation_id"] = shared
    (environment,) = unfold(made, PER_CONVERSATION)
    found = Admissions(environment, PER_CONVERSATION)
    assert found.of(environment.messages["m1"]) == Admission(True, ((1, 40, "any"),), ((1, 40, "any"),))
    assert found.of(environment.messages["m2"]) == Admission(True, ((2, 40, "any"),), ((2, 40, "any"),))
    assert found.of(environment.messages["m3"]) == Admission(False, (), ((3, 40, "any"),))


@pytest.mark.parametrize(
    ("windows", "ticks"),
    [
        ((), ()),
        (((5, 9),), ((5, 9),)),
        (((5, 9), (10, 12)), ((5, 12),)),
        (((5, 9), (11, 12)), ((5, 9), (11, 12))),
        (((5, 9), (6, 7), (10, 10)), ((5, 10),)),
        (((11, 12), (5, 9)), ((5, 9), (11, 12))),
        (((1, 2), (4, 8), (5, 6), (9, 9)), ((1, 2), (4, 9))),
    ],
)
def test_windows_are_joined_where_they_meet(windows: tuple[tuple[int, int], ...], ticks: tuple[tuple[int, int], ...]) -> None:
    assert Admission(True, tuple((first, last, "v") for first, last in windows), ()).ticks == ticks
