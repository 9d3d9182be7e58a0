"""A run told as reports tell it, read back: the same run, judged alike, and nothing but a run is taken."""

from __future__ import annotations

import copy
import functools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.claims.examples import bundle
from tests.judge.runs import bundle_of

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.dsl.source import SourceFile
from wellposed.verifier.matrix import matrix
from wellposed.verifier.models import MODELS
from wellposed.verifier.replay import NotThisRun
from wellposed.verifier.report import Trace
from wellposed.verifier.verify import verify

ROOT = Path(__file__).resolve().parents[2]
MODEL = MODELS["amr/0.14"]
BUDGET = 200_000


def library(folder: str) -> dict[str, Bundle]:
    found = {}
    importer = Importer(FolderReader(ROOT / folder))
    for path in sorted((ROOT / folder).glob("*.scenario")):
        for one in compile_source(SourceFile(path.name, path.read_text()), importer).scenarios:
            if one.bundle is not None:
                found[one.id] = one.bundle
    return found


@functools.cache
def bundles() -> dict[str, Bundle]:
    return {
        **library("scenarios"),
        **library("examples/defects"),
        **{name: bundle(name) for name in ("hello", "race", "lenient")},
    }


def events(trace: Trace) -> list[Any]:
    """The events as somebody reads them from a file."""
    value: list[Any] = json.loads(json.dumps([event.data for event in trace]))
    return value


def test_the_runs_of_the_library_come_back() -> None:
    seen = set()
    for one in bundles().values():
        verification = verify(one, BUDGET)
        for trace in (verification.passing, verification.failing):
            if trace:
                witness = MODEL.replayed(one.document, events(trace))
                assert witness.trace == trace and not witness.broken
                assert bool(witness.failed) == (trace is verification.failing)
                seen |= {event["event"] for event in events(trace)}
    assert seen >= {"admission", "draft", "send", "resolution", "deliver", "approve", "escalation", "death", "crash"}


@pytest.mark.parametrize("name", ["l3-fleet-concurrent-redelivery", "l5-identity-fallibility", "l1-crash-before-send"])
def test_the_runs_of_faulty_systems_come_back(name: str) -> None:
    """With everything that a run can hold: contests, forks, foreign conversations, snapshots that lie."""
    one = bundles()[name]
    seen = set()
    for kill in matrix(one, BUDGET):
        if kill.survivor is not None:
            witness = MODEL.replayed(one.document, events(kill.survivor.trace))
            assert witness.trace == kill.survivor.trace and tuple(sorted(witness.broken)) == kill.survivor.broken
            assert not witness.failed
            seen |= {event["event"] for event in events(kill.survivor.trace)}
    assert "admission" in seen


FLEET = """\
scenario fleet {
  level L3
  horizon 60
  conversation order { from "ada@example.test" subject "Where is my order?" anchor "ORD-1" }
  at 0 deliver m1 in order "{anchor}?"
  at 15 kill agent of m1
  at 40 approve m1
  invariants only expect
  expect { m1 admitted }
}
"""


def test_everything_that_a_run_can_hold_comes_back() -> None:
    one = bundle_of(FLEET)
    seen = set()
    for kill in matrix(one, 2_000_000):
        if kill.survivor is not None:
            witness = MODEL.replayed(one.document, events(kill.survivor.trace))
            assert witness.trace == kill.survivor.trace
            seen |= {event["event"] for event in events(kill.survivor.trace)}
    assert seen >= {"claimed", "reassignment", "snapshot", "death"}


def race() -> list[Any]:
    return events(verify(bundle("race")).failing)


def refused(told: Any, name: str = "race") -> str:
    with pytest.raises(NotThisRun) as caught:
        MODEL.replayed(bundle(name).document, told)
    return caught.value.message


def changed(number: int, **members: Any) -> list[Any]:
    told = copy.deepcopy(race())
    told[number].update(members)
    return told


def place(event: str) -> int:
    return next(number for number, one in enumerate(race()) if one["event"] == event)


@pytest.mark.parametrize(
    ("event", "members", "told"),
    [
        ("deliver", {"tick": 1}, "is not what a run with these records has there: deliver m1, at 0"),
        ("deliver", {"more": 1}, "is not what a run with these records has there"),
        ("approve", {"id": "other"}, "is not what a run with these records has there"),
        ("send", {"tick": 41}, "has no `tick` of 0..40"),
        ("send", {"tick": True}, "has no `tick`"),
        ("send", {"tick": 12.0}, "has no `tick`"),
        ("send", {"draft": 2}, "sends a draft that is not declared before it"),
        ("send", {"draft": 0}, "sends a draft that is not declared before it"),
        ("send", {"draft": "1"}, "needs a `draft`"),
        ("send", {"item": "m2"}, "is of no message"),
        ("send", {"item": None}, "is of no message"),
        ("send", {"item": ["m1"]}, "is of no message"),
        ("send", {"event": "sent"}, "is no record that a system makes"),
        ("send", {"event": ["send"]}, "is no record that a system makes"),
        ("send", {"actor": "nobody"}, "is not what a run with these records has there"),
        ("draft", {"carries": "order"}, "needs a `carries`"),
        ("draft", {"carries": [1]}, "a list of names is due"),
        ("draft", {"carries": ["order"]}, "no log of this scenario"),
        ("draft", {"conversation": "elsewhere"}, "no log of this scenario"),
        ("admission", {"rules": 1}, "a text is due"),
        ("admission", {"rules": "none"}, "no log of this scenario"),
        ("resolution", {"outcome": "won"}, "no log of this scenario"),
        ("resolution", {"reason": {}}, "a text is due"),
    ],
)
def test_what_is_no_run(event: str, members: dict[str, Any], told: str) -> None:
    assert told in refused(changed(place(event), **members))


def test_too_few_and_too_many_events() -> None:
    assert "has" in refused(race()[:-2])
    assert "has" in refused([*race(), race()[-1]])
    assert refused([]) == "0 events, and a run with these records has 2"


def test_a_run_of_another_scenario() -> None:
    assert "has no `tick` of 0..20" in refused(race(), "hello")


def test_a_run_that_breaks_something_is_a_run_all_the_same() -> None:
    """What is edited into another run is judged as that run."""
    told = [one for one in race() if one["event"] != "resolution"]
    witness = MODEL.replayed(bundle("race").document, told)
    assert witness.broken == {"L3.terminal"} and witness.failed == {0}


members = st.sampled_from(
    [
        "tick",
        "actor",
        "item",
        "event",
        "draft",
        "carries",
        "conversation",
        "rules",
        "outcome",
        "reason",
        "id",
        "held",
        "seq",
    ]
)
given_values = (
    st.none() | st.booleans() | st.integers(-1, 2**53 - 1) | st.sampled_from(["m1", "order", "system", "environment", "death", "snapshot", "claimed", "settled", "reassignment", "claimed-first", "admission", "all", ""])
    | st.lists(st.sampled_from(["m1", "order", "x"]), max_size=2)
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(["race", "fleet"]))
def test_whatever_is_changed_is_a_run_or_refused(data: st.DataObject, name: str) -> None:
    one = bundle("race") if name == "race" else bundle_of(FLEET)
    told = copy.deepcopy(race() if name == "race" else _fleet())
    for _ in range(data.draw(st.integers(1, 3))):
        number = data.draw(st.integers(0, len(told) - 1))
        match data.draw(st.sampled_from(["change", "drop", "again", "move"])):
            case "change":
                told[number][data.draw(members)] = data.draw(given_values)
            case "drop" if len(told) > 1:
                del told[number]
            case "again":
                told.insert(data.draw(st.integers(0, len(told))), copy.deepcopy(told[number]))
            case _:
                told.append(told.pop(number))
    try:
        witness = MODEL.replayed(one.document, told)
    except NotThisRun:
        return
    assert [event.data for event in witness.trace] == told


@functools.cache
def _fleet() -> list[Any]:
    return events(verify(bundle_of(FLEET)).passing)
