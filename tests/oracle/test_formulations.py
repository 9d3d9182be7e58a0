"""Two formulations of the model, the stepping explorer and the declarative one, decide every trace alike."""

from random import Random

import pytest
from tests.oracle import Budgets, TooLarge, all_instances, explore, explore_factored, judge, runs_exist
from tests.oracle.basics import Document, Instance, Trace
from tests.oracle.candidates import all_candidates, mutant
from tests.oracle.declarative import NotARun
from tests.oracle.declarative_claims import Story
from tests.oracle.declarative_rows import breaches
from tests.oracle.document import Scenario, read_document
from tests.oracle.generate import random_budgets, random_document, sample
from tests.oracle.regime import FIRST_LEVEL, RESPONSES

STIMULI = ("approve", "reject", "wrong-hash", "escalate", "kill", "kill-literal", "crash", "dangling")
CHOSEN = ("reply-in", "reply-anchor", "claims-settle", "state-agrees")


def broken_rows(scenario: Scenario, budgets: Budgets, trace: Trace) -> set[Instance] | None:
    """The instances in force that a trace breaches; None when it is no run at all."""
    try:
        found = breaches(scenario, budgets, trace)
    except NotARun:
        return None
    return {instance for instance in found if FIRST_LEVEL[instance[0]] <= scenario.level}


def tiny(seed: int) -> tuple[Document, Budgets]:
    """A one-message document with few enough candidate traces to try them all."""
    rng = Random(seed)
    budgets = random_budgets(rng)
    return random_document(rng, budgets, messages=1, horizon=3), budgets


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_all_candidates_of_tiny_documents(first: int) -> None:
    for seed in range(first, first + 10):
        document, budgets = tiny(seed)
        scenario = read_document(document)
        declared = {t for t in all_candidates(scenario) if broken_rows(scenario, budgets, t) == set()}
        assert explore(document, budgets) == declared, seed


def compare_mutants(seed: int, count: int) -> int:
    """Compare the verdicts on conforming traces and their mutants; how many were put to both."""
    document, budgets = sample(seed)
    scenario = read_document(document)
    try:
        factored = explore_factored(document, budgets, max_traces=50_000)
    except TooLarge:
        return 0
    rng = Random(seed)
    blocks = [[sorted(factor, key=str) for factor in block] for block in factored.blocks]
    for _ in range(count):
        trace = tuple(rng.choice(factor) for factor in rng.choice(blocks))
        assert broken_rows(scenario, budgets, trace) == set(), (seed, trace)
        changed = mutant(rng, scenario, trace)
        assert (broken_rows(scenario, budgets, changed) == set()) == (changed in factored), (seed, changed)
    return count


def test_mutants_of_conforming_traces() -> None:
    assert sum(compare_mutants(seed, 30) for seed in range(90)) > 2000


@pytest.mark.slow
def test_many_mutants_of_conforming_traces() -> None:
    assert sum(compare_mutants(seed, 100) for seed in range(120, 1000)) > 80_000


def compare_judgement(seed: int, max_traces: int) -> bool:
    """Compare a judgement with what the explicit runs say; False when there are too many runs."""
    document, budgets = sample(seed)
    scenario = read_document(document)
    try:
        stories = [Story(scenario, budgets, t) for t in explore(document, budgets, max_traces=max_traces)]
    except TooLarge:
        return False
    judgement = judge(document, budgets)
    truths = set().union(*(story.truths() for story in stories))
    count = len(scenario.expect)
    assert judgement.satisfiable == bool(stories)
    assert judgement.passable == ((True,) * count in truths)
    assert judgement.violated == tuple(any(not truth[i] for truth in truths) for i in range(count))
    assert judgement.held == tuple(any(truth[i] for truth in truths) for i in range(count))
    levels = set().union(*(story.exercises() for story in stories))
    assert judgement.exercised == {level for level in levels if level <= scenario.level}
    found = set().union(*(story.finds() for story in stories))
    dead = [f"dead {s.id}" for s in scenario.statements if s.kind in STIMULI and s.id not in found]
    assert [reason for reason in judgement.vacuity if reason.startswith("dead")] == dead
    return True


def test_judgements_of_small_sets() -> None:
    assert sum(compare_judgement(seed, 300) for seed in range(80)) > 15


@pytest.mark.slow
def test_judgements_of_larger_sets() -> None:
    assert sum(compare_judgement(seed, 1500) for seed in range(80, 400)) > 150


@pytest.mark.parametrize("first", range(100, 140, 10))
def test_single_instances(first: int) -> None:
    """Some log keeps exactly these instances: by stepping, and by trying all candidates (one send per message)."""
    for seed in range(first, first + 10):
        document, budgets = tiny(seed)
        plain = [claim for claim in document["expect"] if not any(kind in str(claim) for kind in CHOSEN)]
        document = document | {"expect": plain}
        scenario = read_document(document)
        logs: set[tuple[frozenset[Instance], tuple[bool, ...]]] = set()
        for trace in all_candidates(scenario):
            broken = broken_rows(scenario, budgets, trace)
            if broken is not None:
                story = Story(scenario, budgets, trace)
                logs |= {(frozenset(broken), tuple(story.holds(c, {}) for c in plain))}
        rng = Random(seed)
        once = ("L1.once", "m1", "m1")
        instances = [i for i in all_instances(document) if i != once]
        for _ in range(8):
            chosen = [once, *rng.sample(instances, rng.randint(0, len(instances)))]
            wanted = [int(i[2]) for i in chosen if i[0] == "expect"]
            expected = any(not broken & set(chosen) and all(truth[i] for i in wanted) for broken, truth in logs)
            assert runs_exist(document, budgets, chosen) == expected, (seed, chosen)


def test_omissions_under_only_the_expectations() -> None:
    compared = 0
    for seed in range(200, 280):
        document, budgets = tiny(seed)
        document = document | {"invariants": []}
        judgement = judge(document, budgets)
        scenario = read_document(document)
        omits = False
        for trace in all_candidates(scenario):
            broken = broken_rows(scenario, budgets, trace)
            if broken and all(row in RESPONSES for row, _, _ in broken):
                omits = omits or (True,) * len(scenario.expect) in Story(scenario, budgets, trace).truths()
        assert ("omission" in judgement.vacuity) == omits, seed
        compared += omits
        if compared >= 12:
            break
    assert compared >= 5
