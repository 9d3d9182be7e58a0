"""Rules that contradict themselves, that others leave nothing to decide, and what the checks know of conditions."""

from __future__ import annotations

import random
from itertools import product

import pytest
from tests.compiler.lint.texts import compiled, found, labelled, scenario

from wellposed.compiler.lint import shadowed
from wellposed.compiler.lint.contradiction import contradiction
from wellposed.compiler.lint.domains import contradict, follows
from wellposed.compiler.lint.matching import holds
from wellposed.compiler.scenario import Condition, Rule
from wellposed.dsl.vocabulary import POSTURES

MAIL = 'at 0 deliver m1 in order "b"'

CONTRADICTIONS = [
    "posture is normal and posture is vip-only",
    "posture is normal and posture is not normal",
    "posture in [normal, vip-only] and posture is maintenance",
    "posture not in [normal, maintenance, vip-only]",
    'subject is "a" and subject contains "b"',
    'subject is "a" and subject is "b"',
    'subject is "a" and subject is not "a"',
    'subject in ["a", "b"] and subject not in ["b", "a"]',
    'subject in ["ab", "ba"] and subject starts with "a" and subject ends with "a"',
    'from starts with "a@" and from starts with "b@"',
    'from ends with "x.test" and from ends with "y.test"',
    "sender.messages < 0",
    "sender.messages < 2 and sender.messages > 2",
    "sender.messages > 2 and sender.messages < 3",
    "sender.messages = 2 and sender.messages != 2",
    "thread.length >= 4 and thread.length <= 3",
    "sender.messages = 0 and sender.conversations >= 1",
    "sender.messages >= 1 and sender.conversations = 0",
    "sender.messages < 3 and sender.conversations > 2",
]
CONSISTENT = [
    "posture is normal and posture is not vip-only",
    "posture in [normal, vip-only] and posture in [vip-only, maintenance]",
    'subject is "ab" and subject contains "b"',
    'subject is "a" and body is "b"',
    'subject in ["ab", "ba"] and subject starts with "a" and subject ends with "b"',
    'from starts with "a@" and from starts with "a@x"',
    'from ends with "x.test" and from ends with "test"',
    'from starts with "abc" and from ends with "bcd"',
    'from contains "a" and from contains "b" and from is not "ab"',
    "sender.messages <= 2 and sender.messages >= 2",
    "sender.messages > 2 and sender.messages < 4",
    "sender.messages >= 0",
    "sender.messages < 3 and sender.conversations >= 2",
    "sender.messages >= 7 and sender.conversations = 1",
    "sender.messages >= 1000 and sender.conversations >= 1000",
    "thread.length = 0 and sender.messages = 9",
]


@pytest.mark.parametrize("conditions", CONTRADICTIONS)
def test_conditions_that_nothing_satisfies(conditions: str) -> None:
    text = scenario(MAIL, rules=(f"admit odd when {conditions}", "admit rest"))
    assert found(text, "WP326") == [f"admit odd when {conditions}"]
    assert labelled(text, "WP326")


@pytest.mark.parametrize("conditions", CONSISTENT)
def test_conditions_that_something_satisfies(conditions: str) -> None:
    assert found(scenario(MAIL, rules=(f"admit odd when {conditions}", "admit rest")), "WP326") == []


def test_a_condition_that_excludes_everything_alone_is_the_only_one_to_be_shown() -> None:
    text = scenario(MAIL, rules=("admit odd when sender.messages > 3 and sender.messages < 0",))
    assert labelled(text, "WP326") == ["sender.messages < 0"]


# (earlier rule, later rule, whether the later one has nothing left)
PAIRS = [
    ('when subject contains "a"', 'when subject contains "xax"', True),
    ('when subject contains "xax"', 'when subject contains "a"', False),
    ('when subject contains "a"', 'when subject starts with "ba"', True),
    ('when subject contains "a"', 'when subject is "cat"', True),
    ('when subject contains "a"', 'when subject in ["cat", "dog"]', False),
    ('when subject starts with "a"', 'when subject starts with "ab"', True),
    ('when subject starts with "ab"', 'when subject starts with "a"', False),
    ('when subject starts with "a"', 'when subject ends with "a"', False),
    ('when subject ends with "b"', 'when subject ends with "ab"', True),
    ('when subject in ["a", "b"]', 'when subject is "b"', True),
    ('when subject in ["a", "b"]', 'when subject in ["b", "c"]', False),
    ('when subject is not "a"', 'when subject is "b"', True),
    ('when subject is not "a"', 'when subject contains "b"', True),
    ('when subject is not "a"', 'when subject contains "a"', False),
    ('when subject not in ["a", "b"]', 'when subject not in ["a", "b", "c"]', True),
    ('when subject not in ["a", "b", "c"]', 'when subject not in ["a", "b"]', False),
    ('when subject contains ""', 'when body is "b"', True),
    ("when posture is normal", "when posture is normal and sender.messages > 2", True),
    ("when posture is normal and sender.messages > 2", "when posture is normal", False),
    ("when posture is not normal", "when posture in [maintenance, vip-only]", True),
    ("when posture in [normal, maintenance, vip-only]", 'when body is "b"', True),
    ("when posture is normal", "when sender.messages > 2", False),
    ("when sender.messages > 2", "when sender.messages > 3", True),
    ("when sender.messages > 2", "when sender.messages >= 3", True),
    ("when sender.messages > 2", "when sender.messages >= 2", False),
    ("when sender.messages != 4", "when sender.messages < 4", True),
    ("when sender.messages != 4", "when sender.messages <= 4", False),
    ("when sender.messages >= 0", 'when body is "b"', True),
    ("when thread.length > 2", "when sender.messages > 2", False),
]


@pytest.mark.parametrize(("earlier", "later", "nothing"), PAIRS)
def test_a_rule_behind_another(earlier: str, later: str, nothing: bool) -> None:
    text = scenario(MAIL, rules=(f"refuse wide {earlier}", f"admit narrow {later}", "admit rest"))
    shadowed_ones = [one for one in found(text, "WP327") if "narrow" in one]
    assert shadowed_ones == [f"admit narrow {later}"] * nothing
    assert (f"refuse wide {earlier}" in labelled(text, "WP327")) is (
        nothing or "rest" in " ".join(found(text, "WP327"))
    )


def test_nothing_is_left_behind_a_rule_for_everything() -> None:
    text = scenario(MAIL, rules=("admit rest", 'refuse spam when body is "b"', 'refuse more when body is "c"'))
    assert found(text, "WP327") == ['refuse spam when body is "b"', 'refuse more when body is "c"']


def test_the_first_of_several_rules_in_the_way_is_shown() -> None:
    rules = ('admit a1 when body contains "b"', 'admit a2 when body contains "bb"', 'admit a3 when body contains "bbb"')
    text = scenario(MAIL, rules=rules)
    assert found(text, "WP327") == list(rules[1:])
    assert labelled(text, "WP327") == [rules[0]] * 2


def test_a_rule_that_matches_nothing_neither_shadows_nor_is_shadowed() -> None:
    never = 'when body is "b" and body is "c"'
    rules = (f"refuse n1 {never}", 'admit all2 when body is "b"', f"admit n2 {never}")
    assert found(scenario(MAIL, rules=rules), "WP327") == []


def test_two_rules_that_share_a_file_are_each_looked_at_without_a_scenario() -> None:
    text = "rules a { admit rest } rules b { admit x when sender.messages < 0 admit rest }"
    (finding,) = compiled(text, "x.rules").findings
    assert (finding.code, finding.scenario) == ("WP326", None)


def test_a_version_of_very_many_rules_is_compared_as_far_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ('admit a1 when body is "a"', 'admit a2 when body is "a"', 'admit a3 when body is "a"')
    monkeypatch.setattr(shadowed, "STEPS", 5)
    assert found(scenario(MAIL, rules=rules), "WP327") == [rules[1]]


def test_long_lists_are_believed() -> None:
    several = tuple(map(str, range(501)))
    field = "message.body"
    rule = Rule("r", "admit", (Condition(field, "in", several), Condition(field, "not-in", several)), None)
    assert contradiction(rule) == ()
    short = Rule("r", "admit", tuple(Condition(field, op, several[:500]) for op in ("in", "not-in")), None)
    assert contradiction(short) == short.conditions


# Against every value there is

_TEXTS = ["".join(letters) for size in range(6) for letters in product("ab", repeat=size)]


def _text_conditions(dice: random.Random) -> list[Condition]:
    made = []
    for _ in range(dice.randint(1, 3)):
        operator = dice.choice(("is", "is-not", "in", "not-in", "contains", "starts-with", "ends-with"))
        several = tuple(dice.choices(_TEXTS[:15], k=dice.randint(1, 3)))
        made.append(Condition("message.body", operator, several if operator.endswith("in") else several[0]))
    return made


def _number_conditions(dice: random.Random) -> list[Condition]:
    operators = ("=", "!=", "<", "<=", ">", ">=")
    return [Condition("thread.length", dice.choice(operators), dice.randint(0, 4)) for _ in range(dice.randint(1, 3))]


def _posture_conditions(dice: random.Random) -> list[Condition]:
    made = []
    for _ in range(dice.randint(1, 3)):
        operator = dice.choice(("is", "is-not", "in", "not-in"))
        several = tuple(dice.choices(POSTURES, k=dice.randint(1, 3)))
        made.append(Condition("posture", operator, several if operator.endswith("in") else several[0]))
    return made


def test_what_is_said_of_conditions_is_so_for_every_value() -> None:
    dice = random.Random(11)
    for make, universe in (
        (_text_conditions, _TEXTS),
        (_number_conditions, range(8)),
        (_posture_conditions, POSTURES),
    ):
        seen = {True: 0, False: 0}
        for _ in range(1500):
            conditions, one = make(dice), make(dice)[0]
            fitting = [value for value in universe if all(holds(each, value) for each in conditions)]
            exact = universe is not _TEXTS
            none = contradict(one.field, conditions)
            implied = not none and follows(one, conditions)
            assert not none or not fitting
            assert not implied or all(holds(one, value) for value in fitting)
            if exact:
                assert none or fitting
                assert none or implied or not all(holds(one, value) for value in fitting)
            seen[none] += 1
            seen[implied] += 1
        assert min(seen.values()) > 100
