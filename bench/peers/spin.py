"""The same questions to SPIN: `item.pml` compiled once, and run for every item, once over its conforming runs and once over all logs.

Needs the commands `spin` and `gcc`. The constants of an item go to the verifier as a list of numbers in the variable ITEM.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench.peers.answers import Answers, Run, begin
from bench.peers.facts import Facts, Item, Json, Uncertain, Unsupported

MODEL = Path(__file__).with_name("item.pml")
OPTIONS = ("-DSAFETY", "-DNOREDUCE")
STEPS_PER_TICK = 16
MOST, WINDOWS = 64, 4
FAILS, SHOWS, EXERCISES, PASSES = range(0, 4 * MOST, MOST)
"""As in the model, like the numbers of the kinds below."""
APPROVE, REJECT, ESCALATE, CRASH, DEATH, OTHER_DEATH = range(6)
MISSED = 9
ENDINGS = {None: 0, "operator_escalation": 1, "rejected": 2, "agent_death": 3, "crash": 4}
RECORDS = ("admitted", "won", "draft", "send", "resolved", "ending")


class Pan:
    """The compiled verifier of one item."""

    def __init__(self, folder: Path) -> None:
        """Generate and compile it in an empty folder."""
        (folder / MODEL.name).write_text(MODEL.read_text(encoding="utf-8"), encoding="utf-8")
        subprocess.run(["spin", "-a", MODEL.name], cwd=folder, check=True, capture_output=True)
        subprocess.run(["gcc", "-O2", "-w", *OPTIONS, "-o", "pan", "pan.c"], cwd=folder, check=True, capture_output=True)
        self._folder = folder

    def seen(self, numbers: str, horizon: int) -> dict[int, Run]:
        """What the runs show, each with the records of the first run that does. The search is complete."""
        depth = (horizon + 2) * STEPS_PER_TICK
        done = subprocess.run(
            ["./pan", "-E", "-n", f"-m{depth}", "-w18"],
            cwd=self._folder,
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "ITEM": numbers},
        )
        assert "max search depth too small" not in done.stdout and "errors: " not in done.stdout.replace("errors: 0", "")
        found = {}
        for line in done.stdout.splitlines():
            if line.startswith("@"):
                what, *ticks = map(int, line[1:].split())
                found[what] = {name: tick for name, tick in zip(RECORDS, ticks, strict=True) if tick >= 0}
        return found


def per_item(facts: Facts, pan: Pan) -> Answers:
    """Every question, one item at a time. Raises Uncertain, and Unsupported for an item that is too large for the model."""
    answers = begin(facts)
    for item in facts.items:
        events = sorted(_events(facts, item))
        runs = pan.seen(_numbers(facts, item, events, logs=False), facts.horizon)
        if len(facts.items) > 1 and EXERCISES + MISSED in runs:
            raise Uncertain(f"a death may miss {item.message}")
        answers.idle = answers.idle and PASSES in runs and "admitted" not in runs[PASSES]
        passing = runs.get(PASSES + 1, runs.get(PASSES))
        if passing is None:
            answers.satisfiable = False
        else:
            answers.passing[item.message] = passing
        answers.levels |= {level for level in range(facts.level + 1) if EXERCISES + level in runs}
        if EXERCISES in runs:
            answers.levels.add(2)
        answers.dead -= {seq for number, (_, seq, _) in enumerate(events) if SHOWS + number in runs}
        logs = pan.seen(_numbers(facts, item, events, logs=True), facts.horizon) if item.claims else {}
        for number, (index, _) in enumerate(item.claims):
            if FAILS + number in runs:
                answers.failing[index] = runs[FAILS + number]
            if FAILS + number not in logs:
                answers.hollow.add(index)
    return answers


def _events(facts: Facts, item: Item) -> Iterator[tuple[int, int, int]]:
    """Tick, position and kind of what the item sees."""
    for decision in item.decisions:
        yield decision.tick, decision.seq, APPROVE if decision.approve else REJECT
    for escalation in item.escalations:
        yield escalation.tick, escalation.seq, ESCALATE
    for crash in facts.crashes:
        yield crash.tick, crash.seq, CRASH
    for death in facts.deaths:
        yield death.tick, death.seq, DEATH if death.target == item.message else OTHER_DEATH


def _numbers(facts: Facts, item: Item, events: list[tuple[int, int, int]], logs: bool) -> str:
    windows: list[tuple[int, int]] = []
    atoms: list[tuple[int, int, int, int]] = []
    places = {name: number for number, (_, seq, _) in enumerate(events) for name in [_name(facts, item, seq)]}
    for number, (_, claim) in enumerate(item.claims):
        for alternative, conjunction in enumerate(_alternatives(claim)):
            for atom in conjunction:
                atoms.append((number, alternative, *_atom(atom, item, places, windows)))
    if max(len(events), len(atoms)) > MOST or len(windows) > WINDOWS:
        raise Unsupported("an item that is larger than the model's tables")
    numbers: list[int] = [facts.level, facts.horizon, item.at, facts.gated(item), logs, len(events)]
    for tick, _, kind in events:
        numbers += tick, kind
    numbers.append(len(windows))
    for window in windows:
        numbers += window
    numbers += len(item.claims), len(atoms)
    for coded in atoms:
        numbers += coded
    return " ".join(str(int(value)) for value in numbers)


def _name(facts: Facts, item: Item, seq: int) -> str:
    events = (*item.decisions, *item.escalations, *facts.crashes)
    return next((event.id for event in events if event.seq == seq), "")


def _alternatives(claim: Json) -> list[list[Json]]:
    """The claim as a choice between conjunctions of atoms."""
    if claim["claim"] != "any":
        return [[claim]]
    found = []
    for alternative in claim["of"]:
        conjunctions: list[list[Json]] = [[]]
        for inner in alternative:
            conjunctions = [[*one, *other] for one in conjunctions for other in _alternatives(inner)]
        found += conjunctions
    return found


def _atom(atom: Json, item: Item, places: dict[str, int], windows: list[tuple[int, int]]) -> tuple[int, int]:
    """Kind and argument of an atom; a window of its own is added where it has one."""
    if atom["claim"] == "sent":
        argument = -1
        if atom["within"] is not None:
            start = atom["from"]
            window = (-1 if start in (None, item.message) else places[start], atom["within"])
            if window not in windows:
                windows.append(window)
            argument = windows.index(window)
        return int(atom["once"]), argument
    if atom["claim"] == "abandoned":
        return 3, ENDINGS[atom["reason"]]
    return {"never-sent": 2, "completed": 4}[atom["claim"]], 0
