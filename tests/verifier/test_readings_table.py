"""The table of readings: nothing is left out, ids are kept, every alternative changes what it says and nothing else."""

from __future__ import annotations

import dataclasses
import importlib.util
import re
from itertools import groupby
from pathlib import Path
from types import ModuleType

import pytest

from wellposed.dsl import vocabulary
from wellposed.dsl.codes import TABLE
from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.readings import ALTERNATIVES, READINGS, Alternative, Reading
from wellposed.verifier.models import READING_TABLES

ROOT = Path(__file__).resolve().parents[2]
BUDGETS = {field.name for field in dataclasses.fields(Budgets)}
FLAGS = {field.name for field in dataclasses.fields(Answers)} - BUDGETS
NARROW = {"admit": 4, "draft": 9, "reply": 9, "send": 4, "crash": 19, "death": 4, "claims": 4}
# Ids are kept for ever: a line may be added here, none may change.
CHANGES: dict[str, dict[str, int]] = {
    "atomic-tick=interleaved": {"interleaved": True},
    "window-end=exclusive": {"open_windows": True, **NARROW},
    "jump-cost=every-tick": {"jumps_cost_all": True},
    "late-deadline=due": {"due_at_horizon": True},
    "rules-in-force=at-delivery": {"arrival_decides": True},
    "rules-in-force=at-admission": {"lag": 0},
    "work-item=conversation": {"item_per_conversation": True},
    "unmatched-message=owed": {"all_answered": True},
    "reply-clock=arrival": {"reply_from_arrival": True},
    "draft-budget=none": {"draft_due": False},
    "approval-level=every": {"always_gated": True},
    "deferred-decision=draft-tick": {"deferred_at_draft": True},
    "contradictory-decisions=reject-final": {"reject_is_final": True},
    "pending-at-crash=waiting": {"waiting_is_pending": True},
    "crash-before-send=send-budget": {"crash_keeps_send_due": True},
    "shared-holder=one-item": {"one_item_per_agent": True},
    "uncontested-claims=owed": {"claims_always": True},
    "undecided-item=resolved": {"all_resolved": True},
    "escalation-tick=before": {"same_tick_is_before": True},
    "escalation-after-end=condemned": {"condemns_finished": True},
}


def changed(answers: Answers, alternative: Alternative) -> dict[str, int]:
    before, after = dataclasses.asdict(answers), dataclasses.asdict(alternative.change(answers))
    return {name: after[name] for name in before if after[name] != before[name]}


def test_every_place_and_every_hazard_is_decided() -> None:
    assert {number for reading in READINGS for number in reading.places} == set(range(1, 67))
    assert {number for reading in READINGS for number in reading.hazards} == set(range(1, 23))


def test_bundles_name_this_table() -> None:
    assert READING_TABLES[vocabulary.READINGS] is READINGS


def test_ids_are_unique_and_no_codes() -> None:
    """`explain` takes either."""
    ids = [reading.id for reading in READINGS]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & ({row.slug for row in TABLE} | {row.id.lower() for row in TABLE})
    assert len(ALTERNATIVES) == sum(len(reading.alternatives) for reading in READINGS)


def test_a_topic_stands_in_one_place() -> None:
    topics = [topic for topic, _ in groupby(READINGS, lambda reading: reading.topic)]
    assert len(set(topics)) == len(topics) == 7


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.id)
def test_a_row_is_written_like_the_others(reading: Reading) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", reading.id)
    assert reading.question.endswith("?") and reading.answer.endswith(".")
    assert reading.why == "" or reading.why.endswith(".")
    assert re.match(r"(section \d|list of changes)", reading.source) and not reading.source.endswith(".")
    assert list(reading.places) == sorted(set(reading.places)) and list(reading.hazards) == sorted(set(reading.hazards))
    for alternative in reading.alternatives:
        assert re.fullmatch(rf"{reading.id}=[a-z]+(-[a-z]+)*", alternative.id)
        assert alternative.text.endswith(".")


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.id)
def test_obligations_and_sections_that_a_row_names_exist(reading: Reading) -> None:
    text = " ".join((reading.question, reading.answer, reading.why, *(one.text for one in reading.alternatives)))
    for obligation in re.findall(r"`([KL]\d?\.\w+)`", text):
        assert obligation in vocabulary.OBLIGATION_BY_ID
    for section in re.findall(r"section (\d)", reading.source):
        assert section in "12345678"


def test_ids_of_alternatives_are_kept() -> None:
    assert set(ALTERNATIVES) == set(CHANGES)


@pytest.mark.parametrize("id_", CHANGES)
def test_an_alternative_changes_these_answers_only(id_: str) -> None:
    assert changed(BASE, ALTERNATIVES[id_]) == CHANGES[id_] != {}


@pytest.mark.parametrize("flag", sorted(FLAGS))
def test_a_choice_is_made_by_one_alternative(flag: str) -> None:
    assert len([one.id for one in ALTERNATIVES.values() if flag in changed(BASE, one)]) == 1


def test_budgets_that_are_scaled_down_are_narrowed_from_there() -> None:
    """A window of no tick stays one of no tick."""
    small = Answers(admit=0, lag=2, draft=3, reply=1, send=0, crash=5, death=1, claims=2, terminal=3)
    narrow = {"open_windows": True, "draft": 2, "reply": 0, "crash": 4, "death": 0, "claims": 1}
    assert changed(small, ALTERNATIVES["window-end=exclusive"]) == narrow


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_readings", ROOT / "docs" / "generate_readings.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_table_says() -> None:
    """`make docs` writes it."""
    assert (ROOT / "docs" / "readings.md").read_text(encoding="utf-8") == _generator().page()
