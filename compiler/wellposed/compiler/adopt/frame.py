"""What a fixture says about itself: its name, level and horizon, its invariants and expectations; and guesses at the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from wellposed.compiler.adopt import words
from wellposed.compiler.adopt.files import Fixture
from wellposed.compiler.adopt.ids import Ids
from wellposed.compiler.adopt.report import (
    WRONG_VALUE,
    AdoptReport,
    Item,
    count,
    drop_others,
    member,
    problems_of,
    text,
)
from wellposed.compiler.decompile.claims import nested
from wellposed.compiler.shapes import CLAIM
from wellposed.dsl.vocabulary import LEVELS, MAX_HORIZON, obligations_of_level

Record = dict[str, Any]
_TAIL = 20
"""Ticks behind the last event of a fixture without a horizon: the longest budget of the benchmark."""
_IN_NAME = re.compile(r"[lL]([0-9])(?![0-9A-Za-z])")
_KINDS = ("message", "approval", "signal", "fault")


@dataclass(slots=True)
class Frame:
    """Everything of a bundle document that is not in a channel, the rules or the stub."""

    id: str
    title: str
    level: int
    horizon: int
    standing: bool
    claims: list[tuple[Record, Item]]


class FrameReader:
    """Looks into `scenario.json` and `invariants.json`, the first before the second."""

    def __init__(self, fixture: Fixture, folder_name: str, report: AdoptReport) -> None:
        self._report = report
        self._name = folder_name
        self._lists: list[Item] = []
        self._objects: list[Item] = []
        for name in ("scenario.json", "invariants.json"):
            item = fixture.documents.get(name)
            if item is not None and isinstance(item.value, dict):
                self._objects.append(item)
                drop_others(item, list(words.FRAME.values()), report)
            elif item is not None and isinstance(item.value, list) and name == "invariants.json":
                self._lists.append(item)
            elif item is not None:
                report.refuse(WRONG_VALUE, "this is neither an object nor a list of invariants", item)

    def _member(self, name: str) -> Item | None:
        found = [one for item in self._objects if (one := member(item, words.FRAME[name], self._report)) is not None]
        return found[0] if found else None

    def read(self, schedule: Sequence[Record], ids: Ids, conversations: Ids) -> Frame:
        """The frame around this schedule."""
        id_item = self._member("id")
        id = text(id_item, self._report) or self._name
        name = Ids(self._report).name("scenario", id, id_item)
        complete = self._invariants()
        level = self._level(schedule, complete)
        standing = complete == level
        if standing:
            self._report.take(f"the invariants, which are the standing obligations of level L{level}")
        else:
            self._report.guess("no standing obligation is in force, only what is expected")
        horizon = count(self._member("horizon"), self._report)
        if horizon is None:
            last = max((tick for entry in schedule for tick in _ticks(entry)), default=0)
            horizon = min(last + _TAIL, MAX_HORIZON)
            self._report.guess(f"the horizon is {horizon}, {_TAIL} ticks behind the last event")
        title = text(self._member("title"), self._report) or name
        return Frame(name, title, level, horizon, standing, self._claims(ids, conversations))

    def _level(self, schedule: Sequence[Record], complete: int | None) -> int:
        item = self._member("level")
        if item is not None:
            written = str(item.value).removeprefix("L")
            if isinstance(item.value, str | int) and written in map(str, range(len(LEVELS))):
                return int(written)
            self._report.refuse(WRONG_VALUE, f"a level is L0 to L{len(LEVELS) - 1}, or its number", item)
        if complete is not None:
            return complete
        match = _IN_NAME.match(self._name)
        if match is not None and int(match[1]) < len(LEVELS):
            self._report.guess(f"the level is L{match[1]}, as in the name of the folder")
            return int(match[1])
        level = _level_of(schedule)
        self._report.guess(f"the level is L{level}, the lowest that speaks of what the schedule has")
        return level

    def _invariants(self) -> int | None:
        """The level whose obligations are all that the fixture lists; None where its invariants are others or none."""
        listed = self._member("invariants")
        item = listed if listed is not None else next(iter(self._lists), None)
        if item is None:
            return None
        if not isinstance(item.value, list):
            self._report.refuse(WRONG_VALUE, "invariants are a list", item)
            return None
        for level in range(len(LEVELS)):
            if item.value == list(obligations_of_level(level)):
                return level
        for one in item.items():
            what = f"the invariant {_shown(one.value)}, which has no form here: say what it asks for as an expectation"
            self._report.drop(what, one)
        return None

    def _claims(self, ids: Ids, conversations: Ids) -> list[tuple[Record, Item]]:
        item = self._member("expect")
        if item is None:
            return []
        if not isinstance(item.value, list):
            self._report.refuse(WRONG_VALUE, "expectations are a list", item)
            return []
        claims = []
        for one in item.items():
            claim = None if problems_of(CLAIM, one.value) else _renamed(one.value, ids, conversations)
            if claim is None:
                self._report.drop("an expectation in a form that is not known, or about what is not there", one)
            else:
                claims.append((claim, one))
        if claims:
            self._report.take(f"{len(claims)} {'expectation' if len(claims) == 1 else 'expectations'}")
        return claims


def _renamed(claim: Record, ids: Ids, conversations: Ids) -> Record | None:
    """The claim with the names of the language; None where it names what is not there."""
    for _, one in nested([claim], ""):
        of = one.get("of")
        names = [of] if isinstance(of, str) else of if one["claim"] in ("distinct", "only-sent") else []
        if any(ids.find("message", name) is None for name in names or []):
            return None
        if any(member in one and _record(one[member], ids) is None for member in ("from", "after")):
            return None
        if "conversation" in one and conversations.find("conversation", one["conversation"]) is None:
            return None
    return _with_names(claim, ids, conversations)


def _record(id: str, ids: Ids) -> str | None:
    return next((name for kind in _KINDS if (name := ids.find(kind, id)) is not None), None)


def _with_names(claim: Record, ids: Ids, conversations: Ids) -> Record:
    def message(id: str) -> str:
        return ids.find("message", id) or id

    form = claim["claim"]
    if form == "any":
        return {**claim, "of": [[_with_names(one, ids, conversations) for one in some] for some in claim["of"]]}
    if form == "if":
        return {**claim, **{part: _with_names(claim[part], ids, conversations) for part in ("if", "then", "else")}}
    renamed = dict(claim)
    if isinstance(claim.get("of"), str):
        renamed["of"] = message(claim["of"])
    elif "of" in claim:
        renamed["of"] = [message(one) for one in claim["of"]]
    for part in ("from", "after"):
        if part in claim:
            renamed[part] = _record(claim[part], ids)
    if "conversation" in claim:
        renamed["conversation"] = conversations.find("conversation", claim["conversation"])
    return renamed


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        names = (value[name] for name in ("id", "name", "type", "kind") if isinstance(value.get(name), str))
        value = next(names, "without a name")
    return ascii(value[:64]) if isinstance(value, str) else "without a name"


def _ticks(entry: Record) -> Iterable[int]:
    yield entry.get("at", 0)
    yield entry["record"].get("to", 0) if entry["channel"] == "faults" else 0


# Crashes and jumps belong to level 1; effects can be held at any.
_FAULT_LEVELS = {"posture": 2, "rules": 2, "hold": 0, "release": 0}


def _level_of(schedule: Sequence[Record]) -> int:
    """The lowest level that speaks of everything in a schedule."""
    level = 0
    decided: set[str] = set()
    delivered: set[str] = set()
    for entry in schedule:
        record, channel = entry["record"], entry["channel"]
        if channel == "inbox":
            level = max(level, 1 if record["id"] in delivered else 0)
            delivered.add(record["id"])
        elif channel == "approvals":
            level = max(level, 2)
            decided.add(record.get("match", {}).get("work_id", ""))
        elif channel == "faults":
            level = max(level, _FAULT_LEVELS.get(record["fault"], 1))
        elif record["signal_type"] == "AGENT_DEATH":
            level = max(level, 3)
        else:
            level = max(level, 6 if record["target"] in decided else 4)
    return level
