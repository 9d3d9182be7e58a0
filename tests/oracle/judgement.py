"""The verdict on a bundle document by the definitions of the model, from the outcomes of all its conforming runs."""

from dataclasses import dataclass
from itertools import chain

from tests.oracle.answers import BASE, Answers
from tests.oracle.basics import Budgets, Document
from tests.oracle.claims import atom_of, atoms_in, claims_on, decided, holds
from tests.oracle.document import Scenario, read_document
from tests.oracle.environment import Environment
from tests.oracle.graph import build, finishes
from tests.oracle.observe import Observations, dead_stimuli, exercised, findings
from tests.oracle.regime import conforming, omitting
from tests.oracle.tick import environment_step
from tests.oracle.universe import violable
from tests.oracle.worlds import Outcome, Setting

MAX_STATES = 2_000_000


@dataclass(frozen=True)
class Judgement:
    """What the oracle knows of a scenario.

    ``satisfiable``: C is not empty; ``passable``: C and E together are not empty. Per expectation: ``violated`` and
    ``held`` in some conforming run, ``violable`` by some log of U. ``vacuity`` lists reasons as text, computed when C
    is not empty: ``idle``, ``not-violable <index>``, ``level``, ``dead <statement id>``, ``idle-passes-expect``,
    ``omission``. ``exercised`` are the levels up to the scenario's own, ``excuses`` those used in conforming runs.
    ``finds`` says of each stimulus whether it finds what it is aimed at: always, sometimes (it is guarded) or never.
    """

    verdict: str
    satisfiable: bool
    passable: bool
    violated: tuple[bool, ...]
    held: tuple[bool, ...]
    violable: tuple[bool, ...]
    vacuity: tuple[str, ...]
    exercised: frozenset[int]
    excuses: frozenset[str]
    finds: dict[str, str]


def judge(
    document: Document,
    budgets: Budgets,
    max_drafts: int = 2,
    max_states: int = MAX_STATES,
    answers: Answers = BASE,
) -> Judgement:
    """Judge a bundle document under these budgets and answers; TooLarge when there are too many states."""
    scenario = read_document(document, answers)
    setting = Setting(scenario, budgets, conforming(scenario.level, answers), scenario.expect, max_drafts)
    outcomes, seen = _conforming_outcomes(setting, max_states)
    count = len(scenario.expect)
    truths = {truth for truth, _ in outcomes}
    violated = tuple(any(not truth[i] for truth in truths) for i in range(count))
    held = tuple(any(truth[i] for truth in truths) for i in range(count))
    satisfiable = bool(truths)
    passable = (True,) * count in truths
    idle_conforms, idle_truth = _idle(setting)
    can_fail = tuple(
        violated[i] or not idle_truth[i] or violable(scenario, budgets, scenario.expect[i], max_states)
        for i in range(count)
    )
    levels = exercised(scenario, seen)
    vacuity: list[str] = []
    if satisfiable:
        if not scenario.only_expect and idle_conforms and all(idle_truth):
            vacuity.append("idle")
        vacuity += [f"not-violable {i}" for i in range(count) if not can_fail[i]]
        if scenario.level not in levels:
            vacuity.append("level")
        vacuity += [f"dead {name}" for name in dead_stimuli(scenario, seen)]
        if scenario.only_expect:
            vacuity += _lenient(setting, all(idle_truth), max_states)
    return Judgement(
        verdict=_verdict(scenario, satisfiable and passable, any(violated), bool(vacuity)),
        satisfiable=satisfiable,
        passable=passable,
        violated=violated,
        held=held,
        violable=can_fail,
        vacuity=tuple(vacuity),
        exercised=levels,
        excuses=frozenset(seen.happened("excused")),
        finds=findings(scenario, seen),
    )


def _verdict(scenario: Scenario, passable: bool, violated: bool, vacuous: bool) -> str:
    if not passable:
        return "unsatisfiable"
    if violated:
        return "ambiguous"
    if vacuous:
        return "vacuous"
    return "undecided" if scenario.only_expect else "well-posed"


def _conforming_outcomes(setting: Setting, max_states: int) -> tuple[set[Outcome], Observations]:
    """The outcomes of all conforming runs, and what happens in them."""
    outcomes: set[Outcome] = set()
    seen = Observations()
    for environment in setting.environments():
        graphs = []
        for message in setting.scenario.messages:
            graph = build(setting.item(environment, message), max_states)
            if not graph:
                break
            graphs.append(graph)
        if len(graphs) < len(setting.scenario.messages):
            continue
        seen.look(environment, graphs)
        endings = [setting.endings(g.item, {finish for finish, _ in g.finishes.values()}) for g in graphs]
        outcomes |= setting.outcomes([g.item.claims for g in graphs], endings)
    return outcomes, seen


def reached(setting: Setting, max_states: int) -> set[Outcome]:
    """The outcomes of all runs of a setting, by existence only."""
    outcomes: set[Outcome] = set()
    for environment in setting.environments():
        claims, endings = [], []
        for message in setting.scenario.messages:
            item = setting.item(environment, message)
            claims.append(item.claims)
            endings.append(setting.endings(item, finishes(item, max_states)))
            if not endings[-1]:
                break
        else:
            outcomes |= setting.outcomes(claims, endings)
    return outcomes


def _lenient(setting: Setting, idle_passes: bool, max_states: int) -> list[str]:
    """The further reasons under ``invariants only expect`` (C31)."""
    reasons = ["idle-passes-expect"] if idle_passes else []
    omits = omitting(setting.scenario.level, setting.scenario.answers)
    omissions = Setting(setting.scenario, setting.budgets, omits, setting.expect, setting.max_drafts)
    if any(all(truth) and broken for truth, broken in reached(omissions, max_states)):
        reasons.append("omission")
    return reasons


def _idle(setting: Setting) -> tuple[bool, tuple[bool, ...]]:
    """Whether the empty log breaches nothing in force, and the truth of the expectations on it (C30)."""
    environment = next(setting.environments())  # the first guess is that nothing happens
    conforms = True
    truth = {atom_of(c): False for c in chain.from_iterable(map(atoms_in, setting.expect))}
    truth[atom_of({"claim": "state-agrees"})] = True
    for message in setting.scenario.messages:
        claims = claims_on(setting.scenario, message.id, setting.expect)
        conforms = conforms and _idle_message_conforms(setting, environment, message.id)
        silent = Setting(setting.scenario, setting.budgets, setting.regime, setting.expect, 0)
        item = silent.item(environment, message)
        finish = item.summary(item.start)
        for claim in claims.atoms:
            if claim["claim"] == "claims-settle":
                truth[atom_of(claim)] = True
            elif claim["claim"] not in ("reply-in", "reply-anchor"):
                truth[atom_of(claim)] = decided(claim, claims, finish)
    return conforms, tuple(holds(claim, truth) for claim in setting.expect)


def _idle_message_conforms(setting: Setting, environment: Environment, name: str) -> bool:
    """Walk through all ticks of a message without a single record."""
    message = next(m for m in setting.scenario.messages if m.id == name)
    item = setting.item(environment, message)
    state = item.start
    for index in range(item.last + 1):
        seen = next(environment_step(item, state, index)).state
        after = item.end_of_tick(seen, seen, index)
        if after is None:
            return False
        state = after
    return item.finish(state, []) is not None
