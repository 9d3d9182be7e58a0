"""The suite check against plain enumeration: on pairs of generated scenarios, with budgets scaled down, the oracle writes out
every passing run of both and compares their beginnings; the kernel must say the same."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.oracle import TooLarge
from tests.oracle.basics import Document
from tests.oracle.generate import sample
from tests.oracle.generate_features import sample_features
from tests.verifier.suite_pairs import Draw, beginnings, claims_of, conforming, pair, parting

from wellposed.verifier.amr.entry import AsyncMessageResponder
from wellposed.verifier.models import Model
from wellposed.verifier.solver import Budget, Conflict
from wellposed.verifier.suite import story
from wellposed.verifier.suite.chain import Chain, Clash
from wellposed.verifier.suite.joint import Joint, Role

PLENTY = 50_000_000
CLAIMS = 4
"""How many choices of expectations each pair of schedules gets."""


def scaled(budgets: Any) -> Model:
    """The model with an oracle's budgets."""
    base = AsyncMessageResponder()
    (name,) = (field.name for field in dataclasses.fields(base))
    own = type(getattr(base, name))(**dataclasses.asdict(budgets))
    return dataclasses.replace(base, **{name: own})


class Compared(NamedTuple):
    """Two documents with expectations, the oracle's parting tick, and whether some passing runs begin alike."""

    seed: int
    one: Document
    other: Document
    budgets: Any
    until: int
    together: bool


def compared(seed: int, draw: Draw = sample) -> Iterator[Compared]:
    rng = Random(seed)
    one, other, budgets = pair(rng, seed, draw)
    until = parting(one, other)
    try:
        runs = conforming(one, budgets, 2, 1500), conforming(other, budgets, 2, 1500)
    except TooLarge:
        return
    for _ in range(CLAIMS):
        first, second = (
            {**document, "expect": claims_of(rng, document, budgets, rng.choice(own))}
            for document, own in zip((one, other), runs, strict=True)
        )
        shared = beginnings(first, runs[0], until) & beginnings(second, runs[1], until)
        yield Compared(seed, first, second, budgets, until, bool(shared))


def clash(case: Compared) -> Clash | None:
    """What the kernel says of the two together; each alone can be passed."""
    model = scaled(case.budgets)
    documents = {0: case.one, 1: case.other}
    stories = {number: model.story(document, False) for number, document in documents.items()}
    assert story.parting(*stories.values()) == case.until, case.seed
    first, second = sorted(stories, key=lambda number: stories[number].told)
    chain = Chain(model, documents, stories, PLENTY)
    assert chain.add(first) is None, case.seed
    found = chain.add(second)
    assert found is None or isinstance(found, Clash)
    return found


def compare(seeds: range, draw: Draw = sample) -> Counter[bool]:
    told: Counter[bool] = Counter()
    for seed in seeds:
        for case in compared(seed, draw):
            found = clash(case)
            assert (found is None) == case.together, seed
            assert found is None or len({number for number, _ in found.core}) == 2, seed
            told[case.together] += 1
    return told


@pytest.mark.parametrize("first", range(0, 100, 25))
def test_two_scenarios_clash_where_no_passing_runs_begin_alike(first: int) -> None:
    assert sum(compare(range(first, first + 25)).values()) >= 50


@pytest.mark.parametrize("first", range(0, 50, 25))
def test_clashes_of_scenarios_with_every_feature(first: int) -> None:
    assert sum(compare(range(first, first + 25), sample_features).values()) >= 25


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 15_000, 1_000))
def test_clashes_of_scenarios_with_every_feature_at_length(first: int) -> None:
    told = compare(range(first, first + 1_000), sample_features)
    assert told[True] > 500 and told[False] > 20


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 20_000, 1_000))
def test_clashes_at_length(first: int) -> None:
    told = compare(range(first, first + 1_000))
    assert told[True] > 1_000 and told[False] > 50


def satisfiable(document: Document, budgets: Any, copies: int) -> bool:
    """Whether as many copies of one scenario, which never part, have passing runs that agree."""
    model = scaled(budgets)
    theory = model.theory(document, Budget(PLENTY))
    told = model.story(document, False)
    for cases in product(theory.cases, repeat=copies):
        roles = [Role(number, told, case) for number, case in enumerate(cases)]
        if not isinstance(Joint(model, roles, Budget(PLENTY)).solve(Budget(PLENTY)), Conflict):
            return True
    return False


def test_a_scenario_agrees_with_itself_where_it_can_be_passed() -> None:
    told: Counter[bool] = Counter()
    for seed in range(2_000, 2_080):
        document, budgets = sample(seed)
        if len(scaled(budgets).theory(document, Budget(PLENTY)).cases) > 10:
            continue
        alone = satisfiable(document, budgets, 1)
        assert satisfiable(document, budgets, 2) == alone, seed
        told[alone] += 1
    assert min(told[True], told[False]) >= 5


def elsewhere(document: Document, by: int) -> Document:
    """The same document with other ids for everything, and everything `by` ticks later."""
    names: dict[str, str] = {}

    def new(old: str, stem: str = "") -> str:
        return names.setdefault(old, f"{stem}{'xyz'[len(names) % 3]}{len(names)}")

    schedule = []
    for entry in document["schedule"]:
        record = dict(entry["record"])
        for member in ("id", "approval_id", "signal_id", "fault_id", "conversation_id"):
            if member in record:
                record[member] = new(record[member])
        for member in ("at", "to"):
            if member in record:
                record[member] += by
        if "draft_id" in record:
            record["draft_id"] = new(record["draft_id"], "ghost-")
        if "match" in record:
            record["match"] = {**record["match"], "work_id": work(new, record["match"]["work_id"])}
        target = record.get("target")
        if isinstance(target, dict):
            record["target"] = {"holder_of": work(new, target["holder_of"])}
        elif target is not None:
            record["target"] = work(new, target) if target.startswith("work:") else new(target)
        moved = {**entry, "record": record}
        if "at" in entry:
            moved["at"] = entry["at"] + by
        else:
            moved["when"] = {**entry["when"], "work_id": work(new, entry["when"]["work_id"])}
        schedule.append(moved)
    stub = {
        part: [{**one, "conversation_id": names.get(one["conversation_id"], one["conversation_id"])} for one in ones]
        for part, ones in document["stub"].items()
    }
    return {**document, "schedule": schedule, "stub": stub, "horizon": document["horizon"] + by}


def work(new: Callable[[str], str], reference: str) -> str:
    return f"work:{new(reference.removeprefix('work:'))}"


@pytest.mark.parametrize("draw", [sample, sample_features])
def test_names_and_ticks_are_no_part_of_a_plot(draw: Callable[[int], tuple[Document, Any]]) -> None:
    differ = compared = 0
    for seed in range(3_000, 3_080):
        document, budgets = draw(seed)
        if "conversation_id" in str(document["rules"]):
            continue
        compared += 1
        other = elsewhere({**document, "expect": []}, seed % 7)
        model = scaled(budgets)
        one, same = (model.story(each, True) for each in (document, other))
        assert one.told == same.told, seed
        assert model.expected({**document, "expect": []}, one) == model.expected(other, same), seed
        assert story.parting(model.story(document, False), model.story(other, False)) <= document["horizon"], seed
        neighbour, _ = draw(seed + 1)
        differ += one.told != model.story(neighbour, True).told
        theories = model.theory({**document, "expect": []}, Budget(PLENTY)), model.theory(other, Budget(PLENTY))
        if all(len(theory.cases) == 1 for theory in theories):
            roles = [Role(n, told, theory.cases[0]) for n, (told, theory) in enumerate(zip((one, same), theories, strict=True))]
            together = Joint(model, roles, Budget(PLENTY)).solve(Budget(PLENTY))
            alone = Joint(model, roles[:1], Budget(PLENTY)).solve(Budget(PLENTY))
            assert isinstance(together, Conflict) == isinstance(alone, Conflict), seed
    assert differ == compared > 60
