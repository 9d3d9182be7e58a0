"""A change of a scenario that cannot matter does not matter: names, the time of day, order without consequence, strangers, idle time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.oracle.basics import Budgets
from tests.oracle.generate import sample
from tests.oracle.generate_features import sample_features
from tests.verifier import known_answers as known
from tests.verifier import metamorphic
from tests.verifier.metamorphic import STRANGER, Document, Told

from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.dsl.source import read_source

ROOT = Path(__file__).parents[2]
Case = tuple[str, Document, Budgets, Told]


@cache
def library() -> tuple[Case, ...]:
    """The published scenarios and the gallery of defects, under full budgets."""
    paths = [*(ROOT / "scenarios").glob("*.scenario"), *(ROOT / "examples" / "defects").rglob("*.scenario")]
    found = []
    for path in sorted(paths):
        name = str(path.relative_to(ROOT))
        source, _ = read_source(name, path.read_bytes())
        assert source is not None
        for scenario in compile_source(source, Importer(FolderReader(ROOT))).scenarios:
            if scenario.bundle is not None:
                document = dict(scenario.bundle.document)
                found.append((f"{name}: {scenario.id}", document, Budgets(), metamorphic.told(document, Budgets())))
    return tuple(found)


@cache
def generated(first: int = 0, count: int = 330) -> tuple[Case, ...]:
    """Generated scenarios of every channel, under scaled-down budgets."""
    found = []
    for seed in range(first, first + count):
        document, budgets = sample(seed, messages=1 if seed % 5 == 0 else 2)
        if metamorphic.copies_follow(document):
            found.append((f"seed {seed}", document, budgets, metamorphic.told(document, budgets)))
    return tuple(found)


LONG = 59
"""A seed with features for which the oracle, which looks for theorems to expect, alone takes twenty seconds."""


@cache
def featured(first: int = 0, count: int = 90) -> tuple[Case, ...]:
    """The same with effects held, decisions on the oldest draft, signals deferred and repeated, and exact sends."""
    found = []
    for seed in range(first, first + count):
        if seed == LONG:
            continue
        document, budgets = sample_features(seed, messages=1 if seed % 3 == 0 else 2)
        if metamorphic.copies_follow(document):
            found.append((f"seed {seed}", document, budgets, metamorphic.told(document, budgets)))
    return tuple(found)


# -- the relations: each yields what is told of the changed document and what has to be ------------------------------

Relation = Callable[[Document, Budgets, Told, Random], Iterator[tuple[Any, Any]]]


def names_do_not_matter(document: Document, budgets: Budgets, before: Told, rng: Random) -> Iterator[tuple[Any, Any]]:
    if metamorphic.compares_whole_names(document):
        new = metamorphic.renaming(document, backwards=rng.random() < 0.5)
        yield metamorphic.told(metamorphic.renamed(document, new), budgets), new.result(before)


def the_time_of_day_does_not_matter(
    document: Document, budgets: Budgets, before: Told, rng: Random
) -> Iterator[tuple[Any, Any]]:
    if metamorphic.keeps_what_is_in_force_at_0(document):
        ticks = rng.choice((1, 3, 1_000))
        yield metamorphic.told(metamorphic.shifted(document, ticks), budgets), metamorphic.told_later(before, ticks)


def order_of_strangers_does_not_matter(
    document: Document, budgets: Budgets, before: Told, rng: Random
) -> Iterator[tuple[Any, Any]]:
    changed = metamorphic.permuted(document)
    if changed["schedule"] != document["schedule"]:
        yield _alike(document, changed, budgets, before)


def strangers_do_not_matter(document: Document, budgets: Budgets, before: Told, rng: Random) -> Iterator[tuple[Any, Any]]:
    if not metamorphic.knows_every_conversation(document) and not metamorphic.names_exact_sends(document):
        after, before = _alike(document, metamorphic.with_a_stranger(document, rng), budgets, before)
        yield _of_the_others(after), _of_the_others(before)


def _alike(document: Document, changed: Document, budgets: Budgets, before: Told) -> tuple[Told, Told]:
    """What is told of both, but for a core that both have."""
    after = metamorphic.told(changed, budgets)
    if after != before and after.core and metamorphic.names_another_core(document, changed, budgets):
        return metamorphic.without_the_core(after), metamorphic.without_the_core(before)
    return after, before


def _of_the_others(told: Told) -> Any:
    outcomes = {item: ways for item, ways in told.outcomes.items() if item != STRANGER}
    verdict = told.verdict if told.verdict in ("unsatisfiable", "ambiguous") else "neither"
    return verdict, told.expectations, outcomes, told.core


def idle_time_does_not_matter(document: Document, budgets: Budgets, before: Told, rng: Random) -> Iterator[tuple[Any, Any]]:
    settled = metamorphic.settled(document, budgets)
    told = []
    for horizon in (settled + rng.choice((1, 7, 30)), settled):
        told.append(metamorphic.told_at_rest(metamorphic.told(document | {"horizon": horizon}, budgets), horizon))
    yield told[0], told[1]


RELATIONS: tuple[Relation, ...] = (
    names_do_not_matter,
    the_time_of_day_does_not_matter,
    order_of_strangers_does_not_matter,
    strangers_do_not_matter,
    idle_time_does_not_matter,
)


def used(relation: Relation, cases: tuple[Case, ...]) -> int:
    """Hold the relation against the cases; how many changed documents its precondition left."""
    count = 0
    for name, document, budgets, before in cases:
        for after, wanted in relation(document, budgets, before, Random(name)):
            assert after == wanted, name
            count += 1
    return count


@pytest.mark.parametrize("relation", RELATIONS)
def test_of_the_library(relation: Relation) -> None:
    assert used(relation, library()) >= 8


@pytest.mark.parametrize("relation", RELATIONS)
def test_of_generated_scenarios(relation: Relation) -> None:
    count = 320 if relation is order_of_strangers_does_not_matter else 180
    assert used(relation, generated()[:count]) >= 150


@pytest.mark.parametrize("relation", RELATIONS)
def test_of_scenarios_with_every_feature(relation: Relation) -> None:
    assert used(relation, featured()) >= 30


@pytest.mark.slow
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("first", range(100_000, 110_000, 500))
def test_of_generated_scenarios_at_length(relation: Relation, first: int) -> None:
    assert used(relation, generated(first, 500)) >= 250


# -- every precondition is needed -------------------------------------------------------------------------------------


def verdict(document: Document) -> str:
    return metamorphic.told(document, Budgets()).verdict


def test_a_rule_may_mean_a_part_of_a_name() -> None:
    by_part = {"effect": "admit", "id": "r", "when": [{"field": "message.from", "op": "starts-with", "value": "m1"}]}
    scenario = known.document(0, [], [known.sent(True, 10)], rules=[{"name": "all", "rules": [by_part]}])
    assert not metamorphic.compares_whole_names(scenario)
    assert verdict(scenario) == "well-posed"
    assert verdict(metamorphic.renamed(scenario, metamorphic.renaming(scenario, backwards=False))) == "ambiguous"


def test_a_change_at_0_leaves_no_time_for_what_it_replaces() -> None:
    lifted = known.document(
        2, [(0, "posture", "maintenance")], [{"claim": "not-admitted", "of": "m1"}], messages=(("m1", 1),), rules=known.BY_POSTURE
    )
    assert not metamorphic.keeps_what_is_in_force_at_0(lifted)
    assert metamorphic.told(lifted, Budgets()).expectations == ("proved",)
    assert metamorphic.told(metamorphic.shifted(lifted, 3), Budgets()).expectations == ("ambiguous",)


def test_order_matters_to_one_item() -> None:
    scenario = known.document(6, [(12, "approve", "m1"), (12, "reject", "m1")], [known.never_sent()])
    approve, reject = scenario["schedule"][1:]
    assert not metamorphic.independent(approve, reject)
    changed = metamorphic.numbered(scenario, [scenario["schedule"][0], reject, approve])
    assert metamorphic.told(scenario, Budgets()).expectations == ("proved",)
    assert metamorphic.told(changed, Budgets()).expectations == ("unsatisfiable",)


def test_a_stranger_brings_a_conversation_to_reply_in() -> None:
    of_any = {"claim": "any", "of": [[known.never_sent()], [{"claim": "reply-in", "of": "m1", "conversation": "c-m1"}]]}
    scenario = known.document(2, [(12, "approve", "m1")], [of_any])
    assert metamorphic.knows_every_conversation(scenario)
    assert metamorphic.told(scenario, Budgets()).expectations == ("proved",)
    assert metamorphic.told(metamorphic.with_a_stranger(scenario, Random(0)), Budgets()).expectations == ("ambiguous",)


def test_a_stranger_may_be_sent_something_too() -> None:
    """Its approval comes late enough for a system to send, or not to send, before the end."""
    scenario = known.document(0, [], [known.only("m1")])
    assert metamorphic.names_exact_sends(scenario)
    assert metamorphic.told(scenario, Budgets()).expectations == ("proved",)
    assert metamorphic.told(metamorphic.with_a_stranger(scenario, Random(0)), Budgets()).expectations == ("ambiguous",)


def test_a_horizon_may_cut_a_window() -> None:
    scenario = known.document(2, [(12, "approve", "m1")], [known.sent()], horizon=16)
    assert metamorphic.settled(scenario, Budgets()) > 17
    assert verdict(scenario) == "ambiguous"
    assert verdict(scenario | {"horizon": 17}) == "well-posed"
