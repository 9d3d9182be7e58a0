"""The two formulations put to the same questions, under any answers: sets of runs, judgements, single instances."""

from random import Random

from tests.oracle.answers import BASE, Answers
from tests.oracle.basics import Budgets, Document, Instance, TooLarge, Trace
from tests.oracle.candidates import all_candidates, mutant
from tests.oracle.cores import all_instances, runs_exist
from tests.oracle.declarative_claims import Story
from tests.oracle.declarative_clock import NotARun, Unseen
from tests.oracle.declarative_rows import breaches
from tests.oracle.declarative_runs import unseen_choices
from tests.oracle.document import Scenario, read_document
from tests.oracle.judgement import judge
from tests.oracle.regime import in_force, responses
from tests.oracle.traces import Factored, explore, explore_factored

STIMULI = ("approve", "reject", "wrong-hash", "escalate", "kill", "kill-literal", "crash", "dangling")
CHOSEN = ("reply-in", "reply-anchor", "claims-settle", "state-agrees")

Way = tuple[tuple[Unseen, ...], set[Instance]]
"""One way in which a trace can have come about, and the instances in force that it breaches."""


def ways(scenario: Scenario, budgets: Budgets, trace: Trace) -> list[Way]:
    """Every way in which a trace is a run, by the declarative formulation; empty when it is none."""
    found: list[Way] = []
    try:
        choices = list(unseen_choices(scenario, budgets, trace))
    except NotARun:
        return found
    for unseen in choices:
        try:
            broken = breaches(scenario, budgets, trace, unseen)
        except NotARun:
            continue
        found.append((unseen, {i for i in broken if in_force(i[0], scenario.level, scenario.answers)}))
    return found


def conforms(scenario: Scenario, budgets: Budgets, trace: Trace) -> bool:
    """Whether a trace is a conforming run, by the declarative formulation."""
    return any(not broken for _, broken in ways(scenario, budgets, trace))


def compare_candidates(document: Document, budgets: Budgets, answers: Answers = BASE) -> frozenset[Trace]:
    """The conforming runs of a one-message document, the same by both formulations."""
    scenario = read_document(document, answers)
    explored = explore(document, budgets, answers=answers)
    assert explored == {t for t in all_candidates(scenario) if conforms(scenario, budgets, t)}
    return explored


def compare_mutants(document: Document, budgets: Budgets, rng: Random, count: int, answers: Answers = BASE) -> int:
    """Put conforming runs and mutants of them to both formulations; how many."""
    scenario = read_document(document, answers)
    factored = explore_factored(document, budgets, max_traces=50_000, answers=answers)
    drawn = _draws(factored, rng, count)
    for trace in drawn:
        assert conforms(scenario, budgets, trace), trace
        changed = mutant(rng, scenario, trace)
        assert conforms(scenario, budgets, changed) == (changed in factored), changed
    return len(drawn)


def compare_judgements(document: Document, budgets: Budgets, max_traces: int, answers: Answers = BASE) -> bool:
    """Compare a judgement with what the explicit runs say; False when there are too many runs."""
    scenario = read_document(document, answers)
    try:
        traces = explore(document, budgets, max_traces=max_traces, answers=answers)
    except TooLarge:
        return False
    lawful = [(t, unseen) for t in traces for unseen, broken in ways(scenario, budgets, t) if not broken]
    stories = [Story(scenario, budgets, trace, unseen) for trace, unseen in lawful]
    judgement = judge(document, budgets, answers=answers)
    truths = set().union(*(story.truths() for story in stories))
    count = len(scenario.expect)
    assert judgement.satisfiable == bool(stories)
    assert judgement.passable == ((True,) * count in truths)
    assert judgement.violated == tuple(any(not truth[i] for truth in truths) for i in range(count))
    assert judgement.held == tuple(any(truth[i] for truth in truths) for i in range(count))
    levels = set().union(*(story.exercises() for story in stories))
    assert not stories or judgement.exercised == {level for level in levels if level <= scenario.level}
    found = set().union(*(story.finds() for story in stories))
    dead = [f"dead {s.id}" for s in scenario.statements if s.kind in STIMULI and s.id not in found]
    assert not stories or [reason for reason in judgement.vacuity if reason.startswith("dead")] == dead
    always = set.intersection(*(story.finds() for story in stories)) if stories else found
    finds = {s.id: "always" if s.id in always else "sometimes" if s.id in found else "never" for s in scenario.statements}
    assert not stories or judgement.finds == {s.id: finds[s.id] for s in scenario.statements if s.kind in STIMULI}
    return True


def compare_instances(document: Document, budgets: Budgets, rng: Random, count: int, answers: Answers = BASE) -> None:
    """Some log keeps exactly these instances: by stepping, and by trying all candidates (one send per message)."""
    plain = [claim for claim in document["expect"] if not any(kind in str(claim) for kind in CHOSEN)]
    document = document | {"expect": plain}
    scenario = read_document(document, answers)
    logs: set[tuple[frozenset[Instance], tuple[bool, ...]]] = set()
    for trace in all_candidates(scenario):
        for unseen, broken in ways(scenario, budgets, trace):
            story = Story(scenario, budgets, trace, unseen)
            logs.add((frozenset(broken), tuple(story.holds(c, {}) for c in plain)))
    once = ("L1.once", "m1", "m1")
    instances = [i for i in all_instances(document, answers) if i != once]
    for _ in range(count):
        chosen = [once, *rng.sample(instances, rng.randint(0, len(instances)))]
        wanted = [int(i[2]) for i in chosen if i[0] == "expect"]
        expected = any(not broken & set(chosen) and all(truth[i] for i in wanted) for broken, truth in logs)
        assert runs_exist(document, budgets, chosen, answers=answers) == expected, chosen


def compare_omissions(document: Document, budgets: Budgets, answers: Answers = BASE) -> bool:
    """Whether something due can be omitted under ``invariants only expect``, the same by both formulations."""
    document = document | {"invariants": []}
    judgement = judge(document, budgets, answers=answers)
    scenario = read_document(document, answers)
    due = responses(answers)
    omits = False
    for trace in all_candidates(scenario):
        for unseen, broken in ways(scenario, budgets, trace):
            if broken and all(row in due for row, _, _ in broken):
                truths = Story(scenario, budgets, trace, unseen).truths()
                omits = omits or (True,) * len(scenario.expect) in truths
    assert not judgement.satisfiable or ("omission" in judgement.vacuity) == omits
    return omits


def compare_with_base(
    document: Document,
    budgets: Budgets,
    rng: Random,
    count: int,
    changed: Budgets,
    answers: Answers,
    max_traces: int = 50_000,
) -> bool:
    """Put conforming runs of both readings, and mutants, to both formulations of an alternative one.

    ``changed`` are the budgets of the alternative. Whether some run conforms to one reading only.
    """
    scenario = read_document(document, answers)
    base = explore_factored(document, budgets, max_traces=max_traces)
    other = explore_factored(document, changed, max_traces=max_traces, answers=answers)
    both = _draws(base, rng, 100), _draws(other, rng, 100)
    for drawn in (*both[0][:count], *both[1][:count]):
        for trace in (drawn, mutant(rng, scenario, drawn)):
            assert conforms(scenario, changed, trace) == (trace in other), trace
    return any((trace in base) != (trace in other) for trace in (*both[0], *both[1]))


def _draws(factored: Factored, rng: Random, count: int) -> list[Trace]:
    if not factored.blocks:
        return []
    blocks = [[sorted(factor, key=str) for factor in block] for block in factored.blocks]
    return [tuple(rng.choice(factor) for factor in rng.choice(blocks)) for _ in range(count)]
