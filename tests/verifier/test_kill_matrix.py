"""The kill matrix against the explicit oracle, cell by cell, on generated scenarios with scaled-down budgets."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import pytest
from tests.oracle.basics import TooLarge
from tests.oracle.faulty import cells
from tests.oracle.generate import sample
from tests.oracle.generate_features import sample_features
from tests.verifier.known_answers import BY_POSTURE, abandoned, document, either, never_sent, sent
from tests.verifier.test_agreement import Draw

from wellposed.dsl.vocabulary import FAULTY_SYSTEMS
from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.faulty import SYSTEMS
from wellposed.verifier.amr.model import mutants, theory
from wellposed.verifier.mutants import kill_matrix
from wellposed.verifier.solver import Budget

CHUNK = 10


def matrix(made: dict[str, Any], budgets: Any) -> dict[str, str]:
    """The engine's cells."""
    found = kill_matrix(mutants(made, Budget(10**9), Answers(**dataclasses.asdict(budgets))), Budget(50_000_000))
    return {system: cell.value for system, cell in found.items()}


def compare(seeds: range, messages: int = 1, max_logs: int = 30_000, draw: Draw = sample) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        made, budgets = draw(seed)
        if len({entry["record"]["id"] for entry in made["schedule"] if entry["channel"] == "inbox"}) > messages:
            continue
        try:
            wanted = cells(made, budgets, max_logs=max_logs)
        except TooLarge:
            continue
        assert matrix(made, budgets) == wanted, f"seed {seed}"
        seen.update(wanted.values())
    return seen


@pytest.mark.parametrize("first", range(0, 60, CHUNK))
def test_every_cell_agrees(first: int) -> None:
    assert sum(compare(range(first, first + CHUNK)).values()) >= len(FAULTY_SYSTEMS)


@pytest.mark.parametrize("first", range(0, 40, CHUNK))
def test_every_cell_agrees_with_every_feature(first: int) -> None:
    """Effects held, decisions on the oldest draft, signals deferred and repeated."""
    assert sum(compare(range(first, first + CHUNK), draw=sample_features).values()) >= len(FAULTY_SYSTEMS)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 12_000, 200))
def test_every_cell_agrees_with_every_feature_at_length(first: int) -> None:
    assert set(compare(range(first, first + 200), draw=sample_features)) == set("Kk.-")


def test_a_repeat_that_waits_for_its_original() -> None:
    """40514: the repeat of an approval that never fires is none."""
    assert compare(range(40_514, 40_515), 2)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(40_000, 41_000, 100))
def test_cells_of_two_messages_agree(first: int) -> None:
    assert compare(range(first, first + 100), 2, 8_000)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 12_000, 200))
def test_every_cell_agrees_at_length(first: int) -> None:
    assert set(compare(range(first, first + 200))) == set("Kk.-")


def test_the_table_has_every_system_of_the_vocabulary() -> None:
    assert set(FAULTY_SYSTEMS) == {system.id for system in SYSTEMS}


# Cells derived by hand from the pages of the model and of the faulty systems; the budgets are those of the benchmark.

GO, TWICE = (12, "approve", "m1", "go"), (("m1", 0), ("m1", 5))
REPLY = [sent(True, 5, "go")]
EITHER = [either(sent(True, 20, "go"), abandoned("crash"))]
OFFICE = {"rules": BY_POSTURE, "messages": (("m1", 14), ("m2", 30)), "horizon": 60}
OFFICE_HOURS = [(20, "posture", "maintenance"), (30, "approve", "m1", "go")]
BOTH = [GO, (12, "approve", "m2", "on")]
BY_HAND: list[tuple[str, tuple[Any, ...], dict[str, Any], dict[str, str]]] = [
    (
        "a reply within 10",
        (0, [], [sent(True, 10)]),
        {},
        {
            **dict.fromkeys(("idle", "admits-never-drafts", "silent-abandon", "completes-unsent", "late-by-one"), "K"),
            **dict.fromkeys(("abandons-everything",), "K"),
            **dict.fromkeys(("duplicates-on-redelivery", "sends-without-approval", "state-lies", "back-dates"), "-"),
        },
    ),
    # Due at 40, the last tick, and at 41, which nobody sees.
    ("due at the horizon", (0, [], []), {"messages": (("m1", 30),)}, {"idle": "K", "silent-abandon": "K"}),
    ("due behind the horizon", (0, [], []), {"messages": (("m1", 31),)}, {"idle": "-", "silent-abandon": "-"}),
    (
        "delivered twice",
        (1, [], [sent(True, 10)]),
        {"messages": TWICE},
        {"duplicates-on-redelivery": "K", "forks-on-redelivery": "K", "resends-on-repeated-approval": "-"},
    ),
    (
        "delivered twice, before a lenient judge",
        (1, [], [sent(False, 10)]),
        {"messages": TWICE, "only_expect": True},
        {"duplicates-on-redelivery": ".", "forks-on-redelivery": ".", "idle": "K", "late-by-one": "K"},
    ),
    (
        "approved",
        (2, [GO], REPLY),
        {},
        {
            **dict.fromkeys(("sends-without-approval", "sends-unapproved-redraft", "back-dates", "late-by-one"), "K"),
            **dict.fromkeys(("ignores-reject", "trusts-dangling", "resends-on-crash", "stuffs-context"), "-"),
        },
    ),
    ("approved twice", (2, [GO, (15, "approve", "m1", "go")], REPLY), {}, {"resends-on-repeated-approval": "K"}),
    ("rejected in the tick", (2, [GO, (12, "reject", "m1")], [never_sent()]), {}, {"ignores-reject": "K"}),
    # Nothing is left to reject: the reply was due by 17.
    ("rejected too late", (2, [GO, (18, "reject", "m1")], REPLY), {}, {"ignores-reject": "-"}),
    # The events of a tick come before what a system does in it: nobody has sent yet.
    (
        "a crash in the tick",
        (2, [GO, (12, "crash")], EITHER),
        {},
        {"forgets-on-crash": "K", "restarts-step-on-crash": "K", "resends-on-crash": "-"},
    ),
    # Whoever sends at 12 or 13 has nothing to lose and something to send again; whoever waits has it the other way round.
    (
        "a crash soon",
        (2, [GO, (14, "crash")], EITHER),
        {"horizon": 60},
        {"forgets-on-crash": "k", "restarts-step-on-crash": "k", "resends-on-crash": "k"},
    ),
    # What is owed by 17 is owed by an honest system. One that forgets at 18 is free of it as a whole, so that it can err.
    (
        "a crash too late",
        (2, [GO, (18, "crash")], REPLY),
        {},
        {"forgets-on-crash": "k", "restarts-step-on-crash": "-", "resends-on-crash": "K"},
    ),
    # The item is admitted by 5, and dropped at 10: no reassignment by 15.
    (
        "a death",
        (3, [(10, "kill", "m1"), (25, "approve", "m1", "go")], [either(sent(True, 5, "go"), abandoned("agent_death"))]),
        {},
        {"drops-dead-agents-work": "K", "state-lies": "K", "double-owner": "k", "no-stand-down": "k"},
    ),
    # Without an approval, and with the authority of level 2, nothing can be sent on.
    (
        "taken over",
        (4, [(2, "escalate", "m1")], [never_sent(), abandoned("operator_escalation")]),
        {},
        {
            **dict.fromkeys(("completes-after-escalation", "drops-escalated-silently", "idle"), "K"),
            **dict.fromkeys(("sends-after-escalation", "sends-without-approval"), "-"),
            "abandons-everything": "k",
        },
    ),
    (
        "taken over, then approved",
        (4, [(2, "escalate", "m1"), (12, "approve", "m1")], [never_sent(), abandoned("operator_escalation")]),
        {},
        {"sends-after-escalation": "K", "drops-escalated-silently": "K"},
    ),
    # Who has been stopped need not draft, the approval then waits for ever, and L4.resolve is not what is attacked.
    (
        "taken over, then approved, and nobody asks for the end",
        (4, [(2, "escalate", "m1"), (12, "approve", "m1")], [never_sent()]),
        {},
        {"sends-after-escalation": "k"},
    ),
    (
        "approved and taken over",
        (6, [GO, (12, "escalate", "m1")], [never_sent()]),
        {},
        {"sends-after-escalation": "K", "completes-after-escalation": "K", "ignores-reject": "-"},
    ),
    ("the office closes", (2, OFFICE_HOURS, []), OFFICE, {"stale-posture": "K", "stale-rules": "-"}),
    # Without the row that forbids it, and with nobody who expects otherwise.
    (
        "the office closes, before a lenient judge",
        (2, OFFICE_HOURS, REPLY),
        {**OFFICE, "only_expect": True},
        {"stale-posture": "."},
    ),
    (
        "one subject",
        (5, BOTH, [*REPLY, sent(True, 5, "on", "m2")]),
        {"messages": (("m1", 0), ("m2", 1))},
        {"merges-by-subject": "K", "ignores-follow-ups": "-", "replies-in-wrong-conversation": "K"},
    ),
    (
        "one subject, a level below",
        (4, BOTH, [*REPLY, sent(True, 5, "on", "m2")]),
        {"messages": (("m1", 0), ("m2", 1))},
        {"merges-by-subject": "K", "replies-in-wrong-conversation": "-"},
    ),
    (
        "nothing is approved, before a lenient judge",
        (2, [], [never_sent()]),
        {"only_expect": True},
        {"idle": ".", "sends-without-approval": "K", "silent-abandon": "-", "completes-unsent": "."},
    ),
]


@pytest.mark.parametrize(("arguments", "options", "wanted"), [row[1:] for row in BY_HAND], ids=[row[0] for row in BY_HAND])
def test_cells_by_hand(arguments: Any, options: Any, wanted: dict[str, str]) -> None:
    found = matrix(document(*arguments, **options), BASE)
    assert {system: found[system] for system in wanted} == wanted


# The cell of the system that does nothing comes without a search


@pytest.mark.parametrize(("arguments", "options"), [row[1:3] for row in BY_HAND], ids=[row[0] for row in BY_HAND])
def test_the_cell_of_who_does_nothing(arguments: Any, options: Any) -> None:
    made = document(*arguments, **options)
    assert theory(made, Budget(10**9)).idle == {"idle": matrix(made, BASE)["idle"]}


def test_the_cell_of_who_does_nothing_in_generated_scenarios() -> None:
    seen: Counter[str] = Counter()
    for seed in range(60):
        made, budgets = sample(seed)
        answers = Answers(**dataclasses.asdict(budgets))
        idle = theory(made, Budget(10**9), answers).idle
        wanted = kill_matrix(mutants(made, Budget(10**9), answers, [row for row in SYSTEMS if row.id == "idle"]), Budget(10**9))
        assert idle == {"idle": wanted["idle"].value}, f"seed {seed}"
        seen.update(idle.values())
    assert set(seen) == set("K-")
