"""Constraint instances switched on one by one: whether some log satisfies K and exactly the given ones."""

from collections.abc import Iterable, Sequence

from tests.oracle.answers import BASE, Answers
from tests.oracle.basics import Budgets, Document, Instance
from tests.oracle.document import Scenario, read_document
from tests.oracle.judgement import MAX_STATES, reached
from tests.oracle.regime import exactly, in_force
from tests.oracle.worlds import Setting

PER_MESSAGE = (
    "L0.draft",
    "L0.abandon",
    "L1.once",
    "L1.anchor",
    "L2.admit",
    "L2.only",
    "L2.authority",
    "L3.claims",
    "L5.identity",
)
"""Rows whose one instance per message is caused by the message itself: (row, m, m)."""


def all_instances(document: Document, answers: Answers = BASE) -> list[Instance]:
    """Every instance in force at the scenario's level, expectations last.

    Rows caused by a statement name it: (L2.send, m, approval), (L4.stop, m, signal), (L1.crash, m, crash) and so on;
    an L0.reply that is due for the message itself is (L0.reply, m, m), and so is such an L3.terminal. Two rows have no instance here: L1.fork and L2.forged, because one item
    per message and forgeries that bind nothing are part of every explored log.
    """
    scenario = read_document(document, answers)
    found = [i for m in scenario.messages for i in _instances_on(scenario, m.id)]
    found.append(("L3.state", "*", "*"))
    binding = [i for i in found if in_force(i[0], scenario.level, answers)]
    return binding + [("expect", "", str(index)) for index in range(len(scenario.expect))]


def _instances_on(scenario: Scenario, message: str) -> list[Instance]:
    found = [(row, message, message) for row in PER_MESSAGE]
    answers = scenario.answers
    answered_from_start = answers.reply_from_arrival or not scenario.gated(message)
    if answered_from_start:
        found.append(("L0.reply", message, message))
    if answers.all_resolved:
        found.append(("L3.terminal", message, message))
    for s in scenario.statements:
        rows: tuple[str, ...] = ()
        if s.target == message and s.kind == "approve":
            rows = ("L2.send", "L3.terminal") if answered_from_start else ("L0.reply", "L2.send", "L3.terminal")
        elif s.target == message and s.kind == "reject":
            rows = ("L3.terminal",)
        elif s.target == message and s.kind == "escalate":
            rows = ("L4.stop", "L4.resolve", "L6.stop")
        elif s.kind in ("kill", "kill-literal"):
            rows = ("L3.death",)
        elif s.kind == "crash":
            rows = ("L1.crash",)
        found += [(row, message, s.id) for row in rows if row != "L3.terminal" or not answers.all_resolved]
    return found


def instance_of(document: Document, obligation: str, message: str, seq: int, answers: Answers = BASE) -> Instance:
    """The instance an obligation row has on a message because of the schedule entry with this seq."""
    scenario = read_document(document, answers)
    cause = next(e for e in document["schedule"] if e["seq"] == seq)["record"]
    name = cause.get("approval_id") or cause.get("signal_id") or cause.get("fault_id") or cause["id"]
    instance = (obligation, message, name)
    if instance not in _instances_on(scenario, message):
        raise ValueError(f"no such instance: {instance}")
    return instance


def runs_exist(
    document: Document,
    budgets: Budgets,
    instances: Iterable[Instance],
    max_drafts: int = 2,
    max_states: int = MAX_STATES,
    answers: Answers = BASE,
) -> bool:
    """Whether some log satisfies K (with the harness rules) and exactly these instances.

    Logs have at most two sends per message and ``max_drafts`` drafts; one send when L1.once is among the instances.
    """
    chosen = frozenset((i[0], i[1], str(i[2])) if len(i) == 3 else ("expect", "", str(i[1])) for i in instances)
    scenario = read_document(document, answers)
    expect = tuple(scenario.expect[int(i[2])] for i in sorted(chosen) if i[0] == "expect")
    setting = Setting(scenario, budgets, exactly(chosen), expect, max_drafts)
    return any(all(truth) for truth, _ in reached(setting, max_states))


def core_is_minimal(
    document: Document,
    budgets: Budgets,
    members: Sequence[Instance],
    max_drafts: int = 2,
    answers: Answers = BASE,
) -> tuple[bool, list[Instance]]:
    """Whether the members admit no run, and the members that could be left out with still no run (none, if minimal).

    Constraints only remove runs, so if dropping any one member makes a run possible every proper subset does.
    """

    def possible(instances: Iterable[Instance]) -> bool:
        return runs_exist(document, budgets, instances, max_drafts, answers=answers)

    if possible(members):
        return False, []
    return True, [m for m in members if not possible(o for o in members if o != m)]
