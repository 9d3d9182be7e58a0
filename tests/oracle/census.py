"""What a sample of generated documents is made of: nothing may be missing, or a comparison over it proves little."""

from collections import Counter
from collections.abc import Iterable

from tests.oracle.basics import Budgets, Document
from tests.oracle.claims import atoms_in
from tests.oracle.document import Scenario, read_document
from tests.oracle.environment import environments, item_environment
from tests.oracle.generate import sample
from tests.oracle.graph import finishes
from tests.oracle.judgement import MAX_STATES, judge
from tests.oracle.regime import FIRST_LEVEL, breaking_one
from tests.oracle.worlds import Setting

STATEMENTS = ("deliver", "approve", "reject", "dangling", "wrong-hash", "escalate", "kill", "kill-literal", "crash")
FAULTS = ("jump", "posture", "rules")
TRIGGERED = ("approve", "reject", "escalate", "kill", "kill-literal", "crash")
EXCUSES = (
    "L0.draft/escalation",
    "L0.draft/abandonment",
    "L0.reply/escalation",
    "L0.reply/later-reject",
    "L0.reply/abandonment",
    "L0.reply/crash",
    "L1.crash/escalation",
    "L1.crash/later-reject",
    "L1.crash/restart",
    "L2.admit/altered",
    "L2.send/escalation",
    "L2.send/later-reject",
    "L2.send/abandonment",
    "L2.send/crash",
    "L3.death/resolved",
    "L3.terminal/crash",
    "L4.resolve/sent",
)
NOT_IN_TRACES = frozenset(("L1.fork", "L2.forged", "L1.anchor", "L5.identity", "L3.claims", "L3.state"))
"""Rows that no trace can breach: they bind free choices of a run, or hold of every explored log."""
VERDICTS = ("unsatisfiable", "ambiguous", "vacuous", "undecided", "well-posed")
CLAIMS = (
    "admitted",
    "drafted",
    "not-admitted",
    "never-sent",
    "completed",
    "open",
    "reassigned-or-orphaned",
    "sent",
    "not-sent-after",
    "abandoned",
    "reply-in",
    "reply-anchor",
    "distinct",
    "claims-settle",
    "state-agrees",
    "any",
    "if",
)
CHANGES = ("just before the grace", "at its begin", "at its end", "just behind it")
"""Where a message's match changes, against the window in which L2.admit lets it go either way (level 2 and up)."""


def expected_keys() -> list[str]:
    """Everything a sample must contain."""
    rows = [row for row in FIRST_LEVEL if row not in NOT_IN_TRACES]
    keys = [f"statement {kind}" for kind in (*STATEMENTS, *FAULTS, "duplicate")]
    keys += [f"triggered {kind}" for kind in TRIGGERED] + [f"breach {row}" for row in rows]
    keys += [f"excuse {name}" for name in EXCUSES] + [f"verdict {name}" for name in VERDICTS]
    keys += [f"claim {kind}" for kind in CLAIMS] + [f"level {level}" for level in range(7)]
    keys += [f"change {name}" for name in CHANGES]
    return keys + ["messages 2", "invariants none"]


def breached_alone(document: Document, budgets: Budgets) -> set[str]:
    """The rows that some log of K breaches while it keeps all others: the row, and only it, excludes that log.

    L6.stop forbids nothing that L4.stop and L4.resolve do not, so it is looked at without these two.
    """
    scenario = read_document(document)
    found = _broken(Setting(scenario, budgets, breaking_one(scenario.level), (), 2))
    if scenario.level >= 6:
        alone = Setting(scenario, budgets, breaking_one(scenario.level, "L4.stop", "L4.resolve"), (), 2)
        found |= _broken(alone) & {"L6.stop"}
    return found


def _broken(setting: Setting) -> set[str]:
    found: set[str] = set()
    for environment in setting.environments():
        items = [setting.item(environment, message) for message in setting.scenario.messages]
        broken = [{finish.broken for finish in finishes(item, MAX_STATES)} for item in items]
        for position, rows in enumerate(broken):
            if all(None in other for i, other in enumerate(broken) if i != position):
                found |= {row for row in rows if row is not None}
    return found


def count_one(document: Document, budgets: Budgets) -> Counter[str]:
    """What one document contributes; every key counts at most once."""
    scenario = read_document(document)
    keys = set(_static_keys(scenario, budgets, document))
    judgement = judge(document, budgets)
    keys.add(f"verdict {judgement.verdict}")
    keys |= {f"excuse {name}" for name in judgement.excuses}
    keys |= {f"breach {row}" for row in breached_alone(document, budgets)}
    return Counter(keys)


def _static_keys(scenario: Scenario, budgets: Budgets, document: Document) -> Iterable[str]:
    yield f"level {scenario.level}"
    yield f"messages {len(scenario.messages)}"
    yield "invariants none" if scenario.only_expect else "invariants all"
    if scenario.duplicates:
        yield "statement duplicate"
    for statement in scenario.statements:
        yield f"statement {statement.kind}"
        if statement.trigger:
            yield f"triggered {statement.kind}"
    if scenario.level >= 2:
        yield from _changes(scenario, budgets)
    for claim in document["expect"]:
        yield f"claim {claim['claim']}"
        for atom in atoms_in(claim):
            yield f"claim {atom['claim']}"


def _changes(scenario: Scenario, budgets: Budgets) -> Iterable[str]:
    """The boundaries of the grace at which some match changes, while nothing triggered happens."""
    environment = next(environments(scenario, budgets, set()))
    for message in scenario.messages:
        item = item_environment(environment, message)
        edges = (-budgets.lag, 1 - budgets.lag, budgets.admit, budgets.admit + 1)
        for name, offset in zip(CHANGES, edges, strict=True):
            tick = item.arrival + offset
            if 1 <= tick <= environment.last and item.matches[tick] != item.matches[tick - 1]:
                yield f"change {name}"


def census(seeds: Iterable[int]) -> Counter[str]:
    """The counts over a sample."""
    total: Counter[str] = Counter()
    for seed in seeds:
        total += count_one(*sample(seed))
    return total
