"""Every obligation, broken by a run: the judge finds it, under its level, and says what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.judge.conftest import JudgeActs
from tests.judge.runs import Act, admit, call, claim, draft, note, resolve, send
from tests.judge.worlds import (
    APPROVED,
    BODY,
    DELIVERED,
    ESCALATED,
    OTHER,
    answered,
    fleet,
    given_up,
    world,
)

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.vocabulary import OBLIGATIONS

TWO = DELIVERED + '  at 0 deliver m2 in other "Hello?"\n'
KILLED = DELIVERED + "  at 6 kill agent of m1\n  at 20 approve m1\n"
FLEET: dict[str, Any] = {"agents": ("a1", "a2"), "held": {"work-m1": [(0, "a1"), (8, "a2")]}}
CONTESTED = (claim(22, "m1", "a3", "claimed"), claim(22, "m1", "a2", "claimed"))
FORGED = DELIVERED + '  at 5 forge approval "fake" for draft "ghost-1"\n  at 12 approve m1\n'


def edited(file: str, old: str, new: str) -> Callable[[Path], object]:
    """A change of every line of a file of the run."""

    def change(run: Path) -> None:
        text = (run / file).read_text()
        assert old in text
        (run / file).write_text(text.replace(old, new))

    return change


@dataclass(frozen=True)
class Case:
    """A scenario and a run of it, the failures that it shows, and their levels; what each of them explains, if told."""

    bundle: Bundle
    acts: list[Act]
    failures: dict[str, set[str]]
    follows: set[str] = field(default_factory=set)
    change: Callable[[Path], object] | None = None
    options: dict[str, Any] = field(default_factory=dict)


CASES = {
    "K.declared: an orphaned line": Case(
        world(0, DELIVERED), [*answered(8), send(15, "m9")], {"K.declared": {"L0"}}
    ),
    "K.declared: before its draft": Case(
        world(0, DELIVERED),
        [admit(0, "m1"), send(1, "m1"), draft(2, "m1", BODY), resolve(3, "m1")],
        {"K.declared/m1": {"L0"}},
    ),
    "K.declared: an origin that no call has": Case(
        world(0, DELIVERED),
        [admit(0, "m1"), draft(1, "m1", BODY, origin=["call-1"]), send(2, "m1"), resolve(3, "m1")],
        {"K.declared/m1": {"L0"}},
    ),
    "K.declared: a call after the draft": Case(
        world(0, DELIVERED),
        [admit(0, "m1"), draft(1, "m1", BODY, origin=["call-1"]), call(2, "call-1"), send(2, "m1"), resolve(3, "m1")],
        {"K.declared/m1": {"L0"}},
    ),
    "K.redeclare": Case(
        world(0, DELIVERED), [*answered(8), draft(7, "m1", "Other.")], {"K.redeclare/m1": {"L0"}}
    ),
    "K.admitted": Case(
        world(0, DELIVERED),
        [draft(1, "m1", BODY), send(1, "m1"), admit(2, "m1"), resolve(3, "m1")],
        {"K.admitted/m1": {"L0"}},
    ),
    "K.admitted: never": Case(world(0, DELIVERED), [draft(1, "m1", BODY)], {"K.admitted": {"L0"}}, {"L0.draft", "L0.reply"}),
    "K.completed": Case(
        world(0, DELIVERED), [admit(0, "m1"), draft(1, "m1", BODY), resolve(2, "m1")], {"K.completed/m1": {"L0"}}, {"L0.reply"}
    ),
    "K.reason": Case(
        world(4, ESCALATED), given_up(13, "rejected"), {"K.reason/m1": {"L0", "L4"}}, {"L4.resolve"}
    ),
    "K.reason: no such reason": Case(
        world(4, ESCALATED), given_up(13, "operator"), {"K.reason/m1": {"L0", "L4"}}, {"L4.resolve"}
    ),
    "K.closed": Case(world(2, APPROVED), [*answered(), draft(20, "m1", BODY, 2)], {"K.closed/m1": {"L0"}}),
    "K.closed: twice": Case(world(2, APPROVED), [*answered(), resolve(20, "m1")], {"K.closed/m1": {"L0"}}),
    "L0.draft": Case(
        world(2, DELIVERED + "  at 30 approve m1\n"),
        [admit(0, "m1"), draft(11, "m1", BODY), send(31, "m1"), resolve(31, "m1")],
        {"L0.draft/m1": {"L0"}},
    ),
    "L0.reply": Case(world(0, DELIVERED), answered(11), {"L0.reply/m1": {"L0"}}),
    "L0.abandon": Case(world(2, APPROVED), given_up(5, "crash"), {"L0.abandon/m1": {"L0"}}, {"K.reason"}),
    "L1.once": Case(
        world(2, APPROVED), [*answered(), send(14, "m1", effect="effect-2")], {"L1.once/m1": {"L1"}}
    ),
    "L1.once at level 0": Case(
        world(0, DELIVERED), [*answered(8), send(8, "m1", effect="effect-2")], {"L1.once/m1": {"L0"}}
    ),
    "L1.fork": Case(
        world(2, APPROVED + "  at 3 redeliver m1\n"), [*answered(), admit(3, "m1", "work-9")], {"L1.fork/m1": {"L1"}}
    ),
    "L1.fork: answered twice": Case(
        world(2, APPROVED + "  at 3 redeliver m1\n"),
        [*answered(), admit(3, "m1", "work-9"), draft(4, "m1", BODY, 9, work_id="work-9"), send(15, "m1", 9)],
        {"L1.fork/m1": {"L1", "L2"}},
        {"L1.once", "L2.authority"},
    ),
    "L1.anchor": Case(
        world(2, TWO + "  at 12 approve m1\n  at 12 approve m2\n"),
        [*answered(), *answered(message="m2", body="Regarding ORD-1001 and ORD-2002.")],
        {"L1.anchor/m2": {"L1"}},
    ),
    "L1.crash": Case(
        world(1, DELIVERED + "  at 2 crash\n"),
        [admit(0, "m1"), draft(1, "m1", BODY), send(23, "m1"), resolve(23, "m1")],
        {"L1.crash/m1": {"L1"}},
    ),
    "L2.admit": Case(
        world(2, APPROVED),
        [admit(6, "m1"), draft(6, "m1", BODY), send(14, "m1"), resolve(14, "m1")],
        {"L2.admit/m1": {"L2"}},
    ),
    "L2.only": Case(
        world(2, APPROVED), [admit(0, "m1", rules="f" * 64), *answered()[1:]], {"L2.only/m1": {"L2"}}
    ),
    "L2.authority": Case(world(2, APPROVED), answered(11), {"L2.authority/m1": {"L2"}}),
    "L2.authority: another draft": Case(
        world(2, APPROVED),
        [admit(0, "m1"), draft(1, "m1", BODY), draft(13, "m1", BODY, 2), send(14, "m1", 2), resolve(14, "m1")],
        {"L2.authority/m1": {"L2"}},
    ),
    "L2.forged: acted upon": Case(
        world(2, FORGED), answered(6), {"L2.forged/m1": {"L2"}}, {"L2.authority"}
    ),
    "L2.forged: cited": Case(
        world(2, FORGED), [*answered(), note(14, by=["fake"])], {"L2.forged": {"L2"}}
    ),
    "L2.send": Case(
        world(2, APPROVED),
        [admit(0, "m1"), draft(1, "m1", BODY), send(18, "m1"), resolve(18, "m1")],
        {"L2.send/m1": {"L2"}},
    ),
    "L3.claims": Case(
        world(3, KILLED),
        fleet(
            claim(10, "m1", "a3", "claimed"), claim(16, "m1", "a3", "stood_down"), send(21, "m1"), resolve(21, "m1")
        ),
        {"L3.claims/m1": {"L3"}},
        options=FLEET | {"agents": ("a1", "a2", "a3")},
    ),
    "L3.claims: two owners": Case(
        world(3, KILLED),
        [*fleet(send(21, "m1"), resolve(21, "m1")), claim(9, "m1", "a3", "won"), claim(9, "m1", "a2", "won")],
        {"L3.claims/m1": {"L3"}},
        options=FLEET | {"agents": ("a1", "a2", "a3")},
    ),
    "L3.claims: settled behind the end, too late": Case(
        world(3, KILLED),
        fleet(send(21, "m1"), *CONTESTED, resolve(22, "m1"), claim(27, "m1", "a2", "won"), claim(28, "m1", "a3", "stood_down")),
        {"L3.claims/m1": {"L3"}},
        options=FLEET | {"agents": ("a1", "a2", "a3")},
    ),
    "L3.claims: no reason": Case(
        world(3, KILLED),
        fleet(send(21, "m1"), resolve(21, "m1")),
        {"L3.claims/m1": {"L3"}},
        change=edited("audit.jsonl", ',"reason":"free"', ""),
        options=FLEET,
    ),
    "L3.death": Case(
        world(3, KILLED),
        [admit(0, "m1"), claim(0, "m1", "a1", "won"), draft(1, "m1", BODY), claim(12, "m1", "a2", "won"), send(21, "m1"), resolve(21, "m1")],
        {"L3.death/m1": {"L3"}},
        options={"agents": ("a1", "a2"), "held": {"work-m1": [(0, "a1"), (12, "a2")]}},
    ),
    "L3.terminal": Case(
        world(3, KILLED), fleet(send(21, "m1")), {"L3.terminal/m1": {"L3"}}, options=FLEET
    ),
    "L3.state": Case(
        world(3, KILLED),
        fleet(send(21, "m1"), resolve(21, "m1")),
        {"L3.state": {"L3"}},
        change=edited("state.jsonl", '"status":"drafted"', '"status":"sent"'),
        options=FLEET,
    ),
    "L4.stop": Case(
        world(4, DELIVERED + "  at 12 escalate m1\n  at 20 approve m1\n"),
        [admit(0, "m1"), draft(1, "m1", BODY), send(21, "m1"), resolve(22, "m1", "operator_escalation")],
        {"L4.stop/m1": {"L4"}},
    ),
    "L4.resolve": Case(
        world(4, ESCALATED), [admit(0, "m1"), draft(1, "m1", BODY)], {"L4.resolve/m1": {"L3", "L4"}}, {"L3.terminal"}
    ),
    "L5.identity: the wrong conversation": Case(
        world(5, TWO + "  at 12 approve m1\n  at 12 approve m2\n"),
        [*answered(), *answered(message="m2")],
        {"L5.identity/m2": {"L5", "L1"}},
        {"L1.anchor"},
    ),
    "L5.identity: one item for two messages": Case(
        world(5, TWO + "  at 12 approve m1\n  at 12 approve m2\n"),
        [
            admit(0, "m1"),
            admit(0, "m2", "work-m1"),
            draft(1, "m1", BODY),
            draft(1, "m1", OTHER, 2, conversation_id="other"),
            send(14, "m1"),
            send(14, "m1", 2),
            resolve(14, "m1"),
        ],
        {"L5.identity/m1": {"L1", "L2", "L5"}},
        {"L1.once", "L1.anchor", "L2.authority"},
    ),
    "L6.stop": Case(
        world(6, ESCALATED),
        [admit(0, "m1"), draft(1, "m1", BODY), send(13, "m1"), resolve(14, "m1", "operator_escalation")],
        {"L4.stop/m1": {"L4", "L6"}},
        {"L6.stop"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_broken_obligation(name: str, judge: JudgeActs) -> None:
    case = CASES[name]
    run = judge(case.bundle, case.acts, case.change, **case.options)
    assert run.harness == ()
    assert {failure.id: set(failure.levels) for failure in run.failures} == case.failures
    assert {one.obligation for failure in run.failures for one in failure.follows} - {
        failure.root.obligation for failure in run.failures
    } == case.follows


def test_every_obligation_has_a_case() -> None:
    assert {row.id for row in OBLIGATIONS} <= {name.partition(":")[0].partition(" ")[0] for name in CASES}


CONFORMING = {
    "answered": (world(0, DELIVERED, "m1 sent exactly once within 10"), answered(10), {}),
    "approved": (world(2, APPROVED, "m1 sent exactly once"), answered(17), {}),
    "escalated": (world(6, ESCALATED, "m1 never sent"), given_up(60, "operator_escalation"), {}),
    "taken over": (world(3, KILLED, "m1 reassigned or orphaned"), fleet(send(21, "m1"), resolve(21, "m1")), FLEET),
    "a redraft in the same tick": (
        world(2, APPROVED),
        [admit(0, "m1"), draft(1, "m1", BODY), draft(1, "m1", BODY, 2), send(14, "m1", 2), resolve(14, "m1")],
        {},
    ),
    "declared again alike": (world(2, APPROVED), [*answered(), draft(14, "m1", BODY)], {}),
    "a challenge of the owner that is given up at once": (
        world(3, KILLED),
        fleet(claim(30, "m1", "a3", "claimed"), claim(30, "m1", "a3", "stood_down"), send(21, "m1"), resolve(40, "m1")),
        FLEET | {"agents": ("a1", "a2", "a3")},
    ),
    "contention that is settled behind the end": (
        world(3, KILLED),
        fleet(send(21, "m1"), *CONTESTED, resolve(22, "m1"), claim(27, "m1", "a2", "won"), claim(27, "m1", "a3", "stood_down")),
        FLEET | {"agents": ("a1", "a2", "a3")},
    ),
    "contention": (
        world(3, KILLED),
        [
            admit(0, "m1"),
            claim(1, "m1", "a1", "claimed"),
            claim(2, "m1", "a2", "claimed"),
            claim(3, "m1", "a1", "won"),
            draft(3, "m1", BODY),
            claim(6, "m1", "a2", "stood_down"),
            claim(8, "m1", "a2", "won"),
            send(21, "m1"),
            resolve(21, "m1"),
        ],
        FLEET,
    ),
    "a free-form line about anything": (world(2, FORGED), [*answered(), note(3, refused="a decision that nobody made")], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFORMING)
def test_a_conforming_run(name: str, judge: JudgeActs) -> None:
    bundle, acts, options = CONFORMING[name]
    run = judge(bundle, sorted(acts, key=lambda act: act[0]), **options)
    assert (run.harness, run.failures, run.findings) == ((), (), ())
    assert all(run.expectations)
    assert run.exercised
