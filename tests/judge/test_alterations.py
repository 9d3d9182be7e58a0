"""Runs in which everything can happen, altered at random: whatever stands in the logs, the judge says something about it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from tests.judge.worlds import world

from wellposed.verifier.amr.simulator import simulate
from wellposed.verifier.models import JUDGES

EVENTS = """  at 0 deliver m1 in order "Hello?"
  at 2 redeliver m1
  at 3 hold effects
  at 4 release effects
  at 5 forge approval "fake" for draft "ghost-1"
  at 8 kill agent of m1
  at 10 crash
  at 11 posture maintenance
  at 13 jump to 20
  at 20 approve oldest draft of m1 as go
  at 22 repeat go
  at 25 kill agent "a1"
  at 30 deliver m2 in other "Hello?"
  at 40 escalate m2 as e
  at 41 repeat e
  at 42 jump by 5
  when m1 sent { crash }
"""
EXPECT = "only m1 sent claims on m1 settle within 5 m1 reassigned or orphaned state agrees m1, m2 distinct"
BUNDLE = world(6, EVENTS, EXPECT)
SYSTEMS = ("reference", "double-owner", "no-stand-down", "state-lies", "forks-on-redelivery", "resends-on-crash")
TICKS = ("0", "1", "5", "12", "13", "14", "19", "20", "42", "43", "46", "47", "60", "61", "999")
WORDS = ("claimed", "won", "stood_down", "completed", "abandoned", "approve", "reject", "true", "false", "null")
NUMBER = re.compile(r"(?<=:)\d+")
IDENTITY = re.compile(r'(?<=")(?:item|draft|effect|call|a|m)-?\d[^"]*(?=")')


def altered(lines: list[str], chance: random.Random) -> None:
    """One line of a log is doubled, moved or dropped, or holds another tick, id or word."""
    place = chance.randrange(len(lines))
    line = lines.pop(place)
    choice = chance.randrange(6)
    if choice == 0:
        return
    if choice == 1:
        lines[chance.randrange(len(lines) + 1) : 0] = [line]
    elif choice in (2, 3) and NUMBER.search(line):
        start, end = chance.choice([found.span() for found in NUMBER.finditer(line)])
        line = line[:start] + chance.choice(TICKS) + line[end:]
    elif choice == 4 and IDENTITY.search(line):
        line = line.replace(
            chance.choice(IDENTITY.findall(line)), chance.choice(["item-1", "item-2", "draft-1", "a1", "m2"])
        )
    else:
        line = line.replace(chance.choice(WORDS), chance.choice(WORDS))
    lines.insert(place, line)


@pytest.mark.parametrize("seed", range(20))
def test_no_alteration_raises(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    for number in range(12):
        folder = tmp_path / str(number)
        folder.mkdir()
        files = simulate(BUNDLE.document, chance.choice(SYSTEMS), 100 * seed + number).written()
        logs = {name: raw.decode().splitlines(keepends=True) for name, raw in files.items()}
        if chance.random() < 0.5:
            del logs["run.jsonl"]
        for _ in range(chance.choice((1, 1, 2, 5))):
            altered(chance.choice([lines for lines in logs.values() if lines]), chance)
        for name, lines in logs.items():
            (folder / name).write_text("".join(lines))
        run = JUDGES["amr/0.14"].run(BUNDLE, folder, "run")
        assert not (run.annulled and run.failures)
        assert run.annulled or run.failures or run.exercised


def test_an_unaltered_run_passes(tmp_path: Path) -> None:
    for name, raw in simulate(BUNDLE.document, "reference", 0).written().items():
        (tmp_path / name).write_bytes(raw)
    run = JUDGES["amr/0.14"].run(BUNDLE, tmp_path, "run")
    assert (run.harness, run.failures, run.findings) == ((), (), ())
    assert run.exercised >= {"L0", "L1", "L2", "L3"}
