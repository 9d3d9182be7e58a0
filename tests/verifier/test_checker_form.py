"""Well-formedness: what makes a run no log of the scenario at all, and the small API around it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.checker_documents import (
    Does,
    abandoned,
    approve,
    broken,
    crash,
    deliver,
    does,
    escalate,
    jump,
    kill,
    kill_agent,
    reject,
    rules,
    run,
    scenario,
    when,
)

from wellposed.verifier.amr.checker import WELL_FORMED, check_run, is_conforming, well_formed
from wellposed.verifier.amr.run import Contention, Draft, ItemRun, Run

PLAIN = scenario(3, deliver(3), jump(20, 30), reject(12), escalate(14), horizon=60)
UNREADABLE: list[tuple[str, Does, str]] = [
    ("a tick before the start", does(-1), "admission at -1"),
    ("a tick after the horizon", does(61), "admission at 61"),
    ("a draft in a removed interval", does(3, (5, 21)), "draft at 21"),
    ("a send there", does(3, 5, 29), "send at 29"),
    ("a resolution there", does(3, 5, (), abandoned(25)), "resolution at 25"),
    ("a reassignment there", does(3, 5, won=(22,)), "reassignment at 22"),
    ("a claim there", does(3, 5, contention=Contention(21, 31)), "claim at 21"),
    ("a settlement there", does(3, 5, contention=Contention(20, 29)), "settlement at 29"),
    ("drafts out of order", does(3, (7, 5)), "drafts are not in order"),
    ("two drafts in one tick", does(3, (5, 5)), "one per tick"),
    ("sends out of order", does(3, 5, ((9, 0), (8, 0))), "sends are not in order"),
    ("reassignments out of order", does(3, 5, won=(9, 8)), "reassignments are not in order"),
    ("two reassignments in one tick", does(3, 5, won=(8, 8)), "one per tick"),
    ("a send of no draft", does(3, 5, ((9, 1),)), "names draft 1 of 1"),
    ("a send of a negative draft", does(3, 5, ((9, -1),)), "names draft -1 of 1"),
    ("an unknown rules version", does(3, 5, rules="v9"), "unknown rules version v9"),
    ("an unknown conversation", does(3, (Draft(5, "c9", frozenset()),)), "unknown conversation c9"),
    ("an anchor that is not declared", does(3, (Draft(5, "c1", frozenset({"c9"})),)), "carries an anchor of c9"),
    ("an unknown outcome", does(3, 5, (), (9, "lost", None)), "lost, which is not an outcome"),
]


@pytest.mark.parametrize(("system", "text"), [row[1:] for row in UNREADABLE], ids=[row[0] for row in UNREADABLE])
def test_unreadable(system: Does, text: str) -> None:
    """A run that cannot be read is not judged further."""
    found = well_formed(PLAIN, run(system))
    assert [(item.obligation, item.pointer, item.message) for item in found] == [(WELL_FORMED, "/schedule/0", "m1")]
    assert text in found[0].text
    assert check_run(PLAIN, run(system)) == found


def test_unknown_ids() -> None:
    """Items of unknown messages, and holdings of unknown deaths or of unknown messages."""
    assert [item.message for item in well_formed(PLAIN, run(m9=does(3)))] == ["m9"]
    both = Run({"m9": ItemRun(3), "m1": ItemRun(61)})
    assert [item.message for item in well_formed(PLAIN, both)] == ["m9", "m1"]
    assert well_formed(PLAIN, run(does(3, 5, ((9, 0), (9, 0))))) == ()
    assert "no death d" in well_formed(PLAIN, run(held={"d": set()}))[0].text
    document = scenario(3, deliver(3), kill_agent(8))
    assert "m9, which" in well_formed(document, run(does(3, 5), held={"death": {"m9"}}))[0].text
    assert "without an admission" in well_formed(document, Run({"m1": ItemRun(rules="all")}))[0].text


DEATHS = [kill(12), kill(20, name="two")]
MISPLACED: list[tuple[str, list[dict[str, Any]], Does, set[str], str | None]] = [
    ("admitted in the tick of the delivery", [], does(3, 5), set(), None),
    ("admitted before the delivery", [], does(2, 5), set(), "before the delivery at 3"),
    ("reassignment: reassigned in the tick of the death", DEATHS, does(3, 5, won=(12, 20)), set(), None),
    ("reassignment: in the last tick before the next death", DEATHS, does(3, 5, won=(19, 21)), set(), None),
    ("reassignment: twice for the second death", DEATHS, does(3, 5, won=(13, 21, 23)), set(), "reassigned again at 23"),
    ("reassignment: without a death", [], does(3, 5, won=(8,)), set(), "no death touched the item"),
    ("reassignment: before the death", DEATHS, does(3, 5, won=(11, 14)), set(), "no death touched the item"),
    ("reassignment: twice for one death", DEATHS, does(3, 5, won=(13, 14)), set(), "reassigned again at 14"),
    (
        "reassignment: in the tick of the resolution",
        DEATHS,
        does(3, 5, (), abandoned(14, "agent_death"), (14,)),
        set(),
        None,
    ),
    (
        "reassignment: after the resolution",
        DEATHS,
        does(3, 5, (), abandoned(13, "agent_death"), (14,)),
        set(),
        "after the resolution",
    ),
    ("claims: claimed in the tick of the admission", [], does(3, 5, contention=Contention(3, 3)), set(), None),
    (
        "claims: claimed before the admission",
        [],
        does(3, 5, contention=Contention(2, 4)),
        set(),
        "before the admission",
    ),
    ("claims: claimed without one", [], does(contention=Contention(3, 4)), set(), "before the admission"),
    ("claims: settled before the claim", [], does(3, 5, contention=Contention(6, 5)), set(), "before the first claim"),
    ("deaths: the holder of an item holds it", DEATHS, does(3, 5, won=(12, 20)), {"m1"}, None),
    ("deaths: and may hold another", DEATHS, does(3, 5, won=(12, 20)), {"m1", "m2"}, None),
    ("deaths: but not another only", DEATHS, does(3, 5, won=(12, 20)), {"m2"}, "must touch that item"),
    ("deaths: nor one that is not admitted", DEATHS, does(3, 5, won=(12, 20)), {"m1", "m3"}, "touches m3"),
    ("deaths: no holder, so nothing", DEATHS, does(12, 13, won=(20,)), {"m1", "m2"}, "finds no holder of m1"),
    ("deaths: an agent by name", [kill_agent(12)], does(3, 5), {"m1"}, None),
    ("deaths: an agent by name, and sent work", [kill_agent(12)], does(3, 5, 11), {"m1"}, "touches m1"),
    ("deaths: an agent by name, and sent work in its tick", [kill_agent(12)], does(3, 5, 12), {"m1"}, None),
    ("deaths: a death that never fires", [kill(when("sent", "m1"))], does(3, 5), {"m1"}, "never fires"),
]


@pytest.mark.parametrize(
    ("schedule", "system", "held", "text"), [row[1:] for row in MISPLACED], ids=[row[0] for row in MISPLACED]
)
def test_misplaced(schedule: list[dict[str, Any]], system: Does, held: set[str], text: str | None) -> None:
    """Records where no log can have them. Such a run is judged all the same."""
    others = [deliver(3, "m2"), deliver(50, "m3")]
    document = scenario(2, deliver(3), *others, *schedule, horizon=60)
    finished = run(system, m2=does(3, 5), held={"death": held} if held else {})
    found = [item.text for item in well_formed(document, finished)]
    assert len(found) == (0 if text is None else 1)
    assert text is None or text in found[0]
    assert [item.text for item in check_run(document, finished) if item.obligation == WELL_FORMED] == found


def test_an_undelivered_message_has_no_item() -> None:
    """A message that is never delivered (beyond a jump over the horizon) can only be ignored."""
    document = scenario(6, deliver(5), jump(4, 80), horizon=60)
    assert check_run(document, run()) == ()
    assert [item.text for item in well_formed(document, run(does(4)))] == [
        "admitted at 4, but the message is never delivered"
    ]


def test_conversations_of_expectations_are_known() -> None:
    """A bundle keeps no list of conversations; those that only an expectation mentions are known too."""
    reply = {"claim": "reply-in", "of": "m1", "conversation": "c7"}
    crossed = run(does(0, (Draft(5, "c7", frozenset()),), 6))
    for claim in (
        reply,
        {"claim": "any", "of": [[reply], [reply]]},
        {"claim": "if", "if": reply, "then": reply, "else": reply},
    ):
        assert well_formed(scenario(0, deliver(0), expect=(claim,)), crossed) == ()
    assert well_formed(scenario(0, deliver(0)), crossed) != ()


def test_is_conforming() -> None:
    """Expectations are no part of conformance; form is."""
    document = scenario(0, deliver(0), expect=({"claim": "never-sent", "of": "m1"},))
    assert is_conforming(document, run(does(0, 5, 9)))
    assert not is_conforming(document, run(does(0, 5, 11)))
    assert not is_conforming(scenario(0, deliver(1)), run(does(0, 5, 9)))


def test_invariants_switch_nothing_off() -> None:
    """Under `invariants only expect` what conforms is the same."""
    document = scenario(2, deliver(0), approve(12)) | {"invariants": []}
    assert broken(document, run(does(0, 5, 18))) == {"L2.send"}


def test_a_missing_item_is_an_idle_one() -> None:
    """A run need not mention the messages that it does nothing about."""
    document = scenario(0, deliver(0))
    assert check_run(document, Run({})) == check_run(document, run(does()))


def test_rules_below_level_2() -> None:
    """Below level 2 an admission may cite any version in force in the last 5 ticks, or none."""
    document = scenario(1, deliver(0), rules(30, "v2"), crash(50), versions={"all": [], "v2": []})
    for at, version, texts in (
        (29, "all", []),
        (29, "v2", ["admitted at 29 under v2, which is not in force in 24..29"]),
        (30, "v2", []),
        (34, "all", []),
        (35, "all", ["admitted at 35 under all, which is not in force in 30..35"]),
    ):
        assert [found.text for found in well_formed(document, run(does(at, at, at, rules=version)))] == texts
    assert [found.obligation for found in check_run(document, Run({"m1": ItemRun(2)}))] == ["L0.draft", "L0.reply"]
    govern = scenario(2, deliver(0))
    assert broken(govern, Run({"m1": ItemRun(2, None, (Draft(5, "c1", frozenset({"c1"})),))})) == {"L2.only"}
