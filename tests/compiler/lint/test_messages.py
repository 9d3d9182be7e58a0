"""Deliveries near a change, and constants that nearly fit what is delivered."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.compiler.lint.texts import compiled, findings, found, labelled, scenario

from wellposed.compiler.lint import almost
from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.nearness import apart, pieces
from wellposed.verifier.amr.admission import Admissions
from wellposed.verifier.amr.answers import BASE
from wellposed.verifier.amr.environment import unfold

NORMAL = ("admit usual when posture is normal", "refuse rest")


# Near a change


@pytest.mark.parametrize(("tick", "near"), [(14, False), (15, True), (20, True), (24, True), (25, False)])
def test_a_delivery_near_a_change_of_posture(tick: int, near: bool) -> None:
    text = scenario(f'at {tick} deliver m1 in order "b"', "at 20 posture maintenance", rules=NORMAL)
    assert found(text, "WP331") == ['deliver m1 in order "b"'] * near
    assert labelled(text, "WP331") == ["posture maintenance"] * near


def test_the_advice_holds_however_many_changes_there_are() -> None:
    advice = "deliver it further from every such change: more than 5 ticks before it, or more than 4 after it"
    text = scenario('at 18 deliver m1 in order "b"', "at 20 posture maintenance", rules=NORMAL)
    assert [one.help for one in findings(text, "WP331")] == [advice]


def test_a_change_that_alters_nothing_for_the_message_is_no_matter() -> None:
    mail = 'at 20 deliver m1 in order "b"'
    assert found(scenario(mail, "at 20 posture maintenance"), "WP331") == []
    assert found(scenario(mail, "at 22 posture vip-only", rules=NORMAL, posture="maintenance"), "WP331") == []
    by_sender = ('admit ada when from is "ada@example.test"', *NORMAL)
    assert found(scenario(mail, "at 22 posture maintenance", rules=by_sender), "WP331") == []


def test_a_change_to_the_same_and_two_in_one_tick_count_for_what_comes_out() -> None:
    mail = 'at 20 deliver m1 in order "b"'
    assert found(scenario(mail, "at 22 { posture maintenance posture normal }", rules=NORMAL), "WP331") == []
    there_and_back = (mail, "at 22 posture maintenance", "at 23 posture normal")
    assert len(found(scenario(*there_and_back, rules=NORMAL), "WP331")) == 1


def test_a_change_at_tick_0_is_no_change() -> None:
    text = scenario('at 0 deliver m1 in order "b"', "at 0 posture maintenance", rules=NORMAL)
    assert found(text, "WP331") == []


def test_a_change_of_rules_is_a_change() -> None:
    other = "rules closed { refuse rest }\n"
    for tick, near in ((14, False), (15, True), (24, True), (25, False)):
        text = other + scenario(f'at {tick} deliver m1 in order "b"', "at 20 rules closed", rules=NORMAL)
        assert labelled(text, "WP331") == ["rules closed"] * near


def test_near_is_counted_in_ticks_that_are_seen() -> None:
    lines = ('at {} deliver m1 in order "b"', "at 20 jump to 30", "at 30 posture maintenance")
    for tick, near in ((15, False), (16, True), (20, True), (34, True), (35, False)):
        text = scenario(lines[0].format(tick), *lines[1:], rules=NORMAL)
        assert bool(found(text, "WP331")) is near


def _random_text(dice: random.Random) -> str:
    """Messages, changes and jumps at random ticks under random rules."""
    conditions = (
        "posture is normal",
        "posture is not maintenance",
        'from is "ada@example.test"',
        'subject contains "order"',
        "thread.length >= 1",
        "sender.messages = 0",
        "sender.conversations < 2",
    )
    versions = ""
    for name in ("desk", "other"):
        rules = "".join(
            f"{dice.choice(('admit', 'refuse'))} r{number} when {' and '.join(dice.sample(conditions, 2))}\n"
            for number in range(3)
        )
        versions += f"rules {name} {{ {rules} {dice.choice(('admit rest', 'refuse rest', ''))} }}\n"
    lines = [
        f'at {dice.randint(0, 30)} deliver m{number} in {dice.choice(("order", "refund"))} "b"'
        for number in range(1, 6)
    ]
    changes = ("posture normal", "posture maintenance", "rules desk", "rules other", "crash")
    lines += [f"at {dice.randint(0, 30)} {dice.choice(changes)}" for _ in range(4)]
    tick = dice.randint(0, 20)
    lines.append(f"at {tick} jump to {tick + dice.randint(1, 9)}")
    dice.shuffle(lines)
    text = scenario(*lines)
    return versions + text.replace("posture normal", "rules desk posture normal", 1)


def test_messages_are_required_and_their_history_counted_as_the_verifier_does_it() -> None:
    dice = random.Random(3)
    number = {True: 0, False: 0}
    for _ in range(150):
        (one,) = compiled(_random_text(dice)).scenarios
        assert one.scenario is not None and one.bundle is not None
        fixture = Fixture(one.scenario)
        document: Any = one.bundle.document
        (environment,) = unfold(document)
        admissions = Admissions(environment, BASE)
        required = {mail.delivery.message for mail in fixture.required}
        assert {mail.delivery.message for mail in fixture.mails} == set(environment.messages)
        for mail in fixture.mails:
            message = environment.messages[mail.delivery.message]
            assert mail.at == message.at
            assert dict(mail.fields) == {**message.text, **message.history}
            assert admissions.of(message).required is (message.id in required)
            number[message.id in required] += 1
    assert min(number.values()) > 100


# Constants that nearly fit


@pytest.mark.parametrize(
    ("condition", "meant"),
    [
        ('subject is "Where is my oder?"', "Where is my order?"),
        ('subject is "where is my order?"', "Where is my order?"),
        ('subject is not "Where is my ordre?"', "Where is my order?"),
        ('subject contains "oder"', "order"),
        ('subject contains "ORDER"', "order"),
        ('subject contains "my ordre"', "my order"),
        ('subject contains "order!"', "order?"),
        ('subject starts with "Were is"', "Where is"),
        ('subject starts with "Whree"', "Where"),
        ('subject ends with "order."', "order?"),
        ('from is "adda@example.test"', "ada@example.test"),
        ('from in ["eve@example.test", "ada@exmple.test"]', "ada@example.test"),
        ('from not in ["adda@example.test"]', "ada@example.test"),
        ('from ends with "@exmaple.test"', "@example.test"),
        ('body is "helo"', "hello"),
        ('conversation is "ordre"', "order"),
        ('conversation is "Order"', "order"),
    ],
)
def test_a_constant_that_nearly_fits(condition: str, meant: str) -> None:
    text = scenario('at 0 deliver m1 in order "hello"', rules=(f"refuse odd when {condition}", "admit rest"))
    assert [one.help for one in findings(text, "WP329")] == [f'did you mean "{meant}"?']
    assert found(text, "WP329") == [condition]
    assert labelled(text, "WP329") == ['deliver m1 in order "hello"']


@pytest.mark.parametrize(
    "condition",
    [
        'subject is "Where is my order?"',
        'subject contains "order"',
        'subject contains "invoice"',
        'subject contains "ode"',
        'subject contains "!"',
        'subject is "Where is your odor?"',
        'from is "eda@example.test"',
        'from is "bob@example.test"',
        'from in ["ada@example.test", "adda@example.test"]',
        'from not in ["ada@example.test", "adda@example.test"]',
        'from is not "ada@example.test"',
        'from ends with ".test"',
        'conversation is "refund"',
        'body contains "hell"',
        'body contains ""',
        "sender.messages = 3",
        "posture is vip-only",
    ],
)
def test_a_constant_that_fits_or_is_far(condition: str) -> None:
    text = scenario('at 0 deliver m1 in order "hello"', rules=(f"refuse odd when {condition}", "admit rest"))
    assert found(text, "WP329") == []


def test_numbers_that_differ_are_no_typing_errors() -> None:
    rules = ('refuse odd when body contains "ORD-1002"', 'refuse even when body contains "ODR-1002"', "admit rest")
    text = scenario('at 0 deliver m1 in order "About {anchor}."', rules=rules)
    assert found(text, "WP329") == ['body contains "ODR-1002"']


def test_one_message_that_fits_is_enough_and_the_nearest_is_shown() -> None:
    lines = ('at 0 deliver m1 in order "refnuds"', 'at 1 deliver m2 in order "{}"')
    rules = ('refuse odd when body contains "refund"', "admit rest")
    assert found(scenario(lines[0], lines[1].format("refund"), rules=rules), "WP329") == []
    text = scenario(lines[0], lines[1].format("Refund"), rules=rules)
    assert [one.help for one in findings(text, "WP329")] == ['did you mean "Refund"?']


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ('refuse odd when body contains "refnud"', "admit rest")
    text = scenario('at 0 deliver m1 in order "refund"', rules=rules)
    assert len(found(text, "WP329")) == 1
    monkeypatch.setattr(almost, "STEPS", 20)
    assert found(text, "WP329") == []


@pytest.mark.parametrize(
    ("mine", "theirs", "how_far"),
    [
        ("abc", "abd", None),
        ("abc", "ABC", 0),
        ("abcd", "abce", 1),
        ("abcd", "abef", None),
        ("abcdefg", "abcdfeg", 1),
        ("abcdefg", "abcdfge", None),
        ("abcdefgh", "abcdefxy", 2),
        ("abcdefgh", "abcdexyz", None),
        ("ab12cd", "ab13cd", None),
        ("ab12cd", "ba12cd", 1),
        ("adam@home.test", "adan@hone.test", 2),
        ("ada@home.test", "adb@home.test", None),
        ("adam@home", "adam.home", None),
    ],
)
def test_how_far_texts_are_apart(mine: str, theirs: str, how_far: int | None) -> None:
    assert apart(mine, theirs) == how_far
    assert apart(theirs, mine) == how_far


def test_a_constant_is_compared_with_as_much_of_a_text_as_it_asks_for() -> None:
    assert list(pieces("is", "a b", "x y z")) == ["x y z"]
    assert list(pieces("contains", "a b", "x y  z")) == ["x y", "y  z"]
    assert list(pieces("contains", "(a", "x (y)")) == ["x", "(y"]
    assert list(pieces("contains", "?!", "x y")) == []
    assert list(pieces("contains", "a b c", "x y")) == []
    assert list(pieces("starts-with", "ab", "xyz!")) == ["x", "xy", "xyz"]
    assert list(pieces("ends-with", "ab", "xyz!")) == ["!", "z!", "yz!"]
