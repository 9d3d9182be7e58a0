"""Snapshots against the logs: what agrees, what does not, and what a forced advance allows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.judge.conftest import JudgeActs
from tests.judge.runs import admit, draft, resolve, send
from tests.judge.worlds import BODY, world

from wellposed.verifier.judged import JudgedRun

BUNDLE = world(3, '  at 0 deliver m1 in order "Hello?"\n  at 12 approve m1\n', "state agrees", horizon=30)
ACTS = [admit(1, "m1"), draft(2, "m1", BODY), send(14, "m1"), resolve(16, "m1")]


def snapshots(change: Callable[[int, dict[str, Any]], object]) -> Callable[[Path], object]:
    """Changes the state of each snapshot, given its tick."""

    def edit(run: Path) -> None:
        lines = [json.loads(line) for line in (run / "state.jsonl").read_text().splitlines()]
        for line in lines:
            change(line["tick"], line["state"])
        (run / "state.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    return edit


def at(*ticks: int, **members: Any) -> Callable[[Path], object]:
    """Other members of the one item, at these ticks."""
    return snapshots(lambda tick, state: tick in ticks and state["work_items"][0].update(members))


def disagreements(run: JudgedRun) -> list[str]:
    """What is told of L3.state; the expectation says the same."""
    found = [one for one in run.failures if one.id == "L3.state"]
    assert {one.id for one in run.failures} <= {"L3.state"}
    assert run.expectations == (not found,)
    return [one.text for one in (found[0].root, *found[0].follows) if one.obligation == "L3.state"] if found else []


def test_what_agrees(judge: JudgeActs) -> None:
    assert disagreements(judge(BUNDLE, ACTS)) == []


WRONG = {
    "another status": at(5, status="sent"),
    "a status that is none": at(5, status="busy"),
    "a status that is no text": at(5, status=["sent"]),
    "not approved yet": at(12, status="drafted"),
    "approved too early": at(11, status="approved"),
    "another item": at(5, work_id="work-9"),
    "no item": snapshots(lambda tick, state: tick == 5 and state["work_items"].clear()),
    "an item twice": snapshots(lambda tick, state: tick == 5 and state["work_items"].append(state["work_items"][0])),
    "an item before its admission": snapshots(
        lambda tick, state: tick == 0
        and state["work_items"].append({"work_id": "work-m1", "status": "admitted", "assigned_agent": "a1"})
    ),
    "nobody assigned": snapshots(lambda tick, state: tick == 5 and state["assignments"].clear()),
    "two assigned": snapshots(
        lambda tick, state: tick == 5 and state["assignments"].append({"work_id": "work-m1", "agent_id": "a2"})
    ),
    "another agent beside the item": at(5, assigned_agent="a2"),
    "an agent that is none": snapshots(lambda tick, state: tick == 5 and state["agents"].clear()),
    "a living agent shown dead": snapshots(lambda tick, state: tick == 5 and state["agents"][0].update(alive=False)),
    "an agent neither alive nor dead": snapshots(lambda tick, state: tick == 5 and state["agents"][0].update(alive=1)),
    "no agents": snapshots(lambda tick, state: tick == 5 and state.pop("agents")),
    "a list of numbers": snapshots(lambda tick, state: tick == 5 and state.update(work_items=[1, 2])),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not(name: str, judge: JudgeActs) -> None:
    (text,) = disagreements(judge(BUNDLE, ACTS, WRONG[name]))
    tick = {"not approved yet": 12, "approved too early": 11, "an item before its admission": 0}.get(name, 5)
    assert text.startswith(f"the snapshot of tick {tick} disagrees with the logs: ")


@pytest.mark.parametrize(
    ("first", "last", "status"), [("reject", "approve", "approved"), ("approve", "reject", "drafted")]
)
def test_of_two_decisions_of_one_tick_the_last_in_order_counts(
    first: str, last: str, status: str, judge: JudgeActs
) -> None:
    events = f'  at 0 deliver m1 in order "Hello?"\n  at 12 {{ {first} m1\n {last} m1 }}\n'
    bundle = world(3, events, "state agrees", horizon=30)
    acts = [*ACTS[:2], *(ACTS[2:] if status == "approved" else [resolve(16, "m1", "rejected")])]
    assert disagreements(judge(bundle, acts)) == []
    other = {"approved": "drafted", "drafted": "approved"}[status]
    (text,) = disagreements(judge(bundle, acts, at(12, status=other)))
    assert (
        text == f"the snapshot of tick 12 disagrees with the logs: work-m1 is shown {other}, and the logs say {status}"
    )


def test_state_counts_from_level_3_on(judge: JudgeActs) -> None:
    bundle = world(2, '  at 0 deliver m1 in order "Hello?"\n  at 12 approve m1\n', horizon=30)
    assert judge(bundle, ACTS, at(5, status="sent")).failures == ()


@pytest.mark.parametrize(
    ("forced", "ticks", "agrees"),
    [
        ((), (14,), False),
        # The clock is forced on to 15: the system had not come to rest at the end of 14.
        ((15,), (14,), True),
        ((15,), (14, 15), False),
        ((15, 16), (14, 15), True),
        # Three ticks behind is more than two.
        ((15, 16, 17), (14, 15, 16), False),
    ],
)
def test_a_forced_advance_allows_a_lag_of_two(
    forced: tuple[int, ...], ticks: tuple[int, ...], agrees: bool, judge: JudgeActs
) -> None:
    """At 14 the item is sent; the snapshots of these ticks still say approved."""
    acts = [*ACTS[:3], resolve(25, "m1")]

    def behind(tick: int, state: dict[str, Any]) -> None:
        if tick in ticks:
            state["work_items"][0].update(status="approved", assigned_agent="a1")
            state["assignments"] = [{"work_id": "work-m1", "agent_id": "a1"}]

    run = judge(BUNDLE, acts, snapshots(behind), forced=forced)
    assert (disagreements(run) == []) is agrees
    assert run.forced_advances == len(forced)
