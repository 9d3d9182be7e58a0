"""`timeline`: whole pictures as files, and what holds of every picture."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellposed.cli.render.axis import FOLDED, JUMPED, TEXT, bands
from wellposed.cli.render.canvas import Lines, clip
from wellposed.cli.render.escape import width
from wellposed.cli.timeline.clock import Clock
from wellposed.cli.timeline.schedule import schedule_of
from wellposed.verifier.amr.answers import BASE
from wellposed.verifier.amr.checker.effects import Effects
from wellposed.verifier.amr.checker.environment import replay
from wellposed.verifier.amr.clock import Clock as VerifiersClock
from wellposed.verifier.amr.run import Run

Command = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).parent / "expected" / "timeline"
WIDTH = 100


@pytest.mark.parametrize("case", ["l0", "l6-gap-0", "l6-gap-1", "jump", "five", "held"])
def test_pictures(case: str, wellposed: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASES)
    result = wellposed("timeline", f"{case}.scenario")
    text = f"{result.out}exit status {result.status}\n"
    golden = CASES / f"{case}.txt"
    if os.environ.get("UPDATE_EXPECTED"):
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_bytes().decode()


def lines(text: str) -> list[str]:
    return text.split("\n")


@pytest.mark.parametrize("place", ["scenarios", "examples/defects", "tests/cli/expected", "tests/library"])
def test_every_picture_fits_and_has_the_status_of_check(
    place: str, wellposed: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    result = wellposed("timeline", place)
    assert [line for line in lines(result.out) if width(line) > WIDTH or line != line.rstrip()] == []
    assert result.status == wellposed("check", place).status
    assert result.out.count("quiet ticks left out") == 1


def test_source_bundle_and_folder_give_one_picture(wellposed: Command) -> None:
    source = wellposed("timeline", "race.scenario")
    wellposed("build", "race.scenario", "--out", "built")
    for path in ("built/race", "built/race/bundle.json", "built"):
        built = wellposed("timeline", path)
        assert built.status == 1
        assert lines(built.out)[2:] == lines(source.out)[2:]
        assert lines(built.out)[1].startswith("built/race")


def test_the_runs_part_where_the_finding_says(wellposed: Command) -> None:
    result = wellposed("timeline", "race.scenario")
    assert result.status == 1
    assert "they part at tick 12" in wellposed("check", "race.scenario").out
    assert result.out.count("^the runs part at tick 12\n") == 1
    assert result.out.count(">sends\n") == 1
    assert "\nambiguous: m1 never sent\n" in result.out
    assert result.err == (
        "wellposed: race.scenario:8:12: error[WP501]: `m1 never sent` holds in some conforming runs and fails in others\n"
    )


def test_a_contradiction_has_no_run_and_shows_its_core(wellposed: Command, folder: Path) -> None:
    path = folder / "race.scenario"
    path.write_text(path.read_text().replace("at 13", "at 20"))
    result = wellposed("timeline", "race.scenario")
    assert result.status == 1
    assert "lawful run\n" not in result.out and "a run that" not in result.out
    assert "\nunsatisfiable: m1 never sent\ncore: " in result.out


def test_undecided_and_invalid(wellposed: Command, folder: Path) -> None:
    result = wellposed("timeline", "race.scenario", "--budget", "1")
    assert result.status == 3
    assert lines(result.out)[0] == "race  L6  undecided"
    assert "|escalate" in result.out and "[" not in result.out.partition("\n|event")[0]
    (folder / "bad.scenario").write_text((folder / "race.scenario").read_text().replace("approve m1", "approve m2"))
    result = wellposed("timeline", "bad.scenario")
    assert (result.status, result.out) == (1, "")
    assert "bad.scenario:6:17: error[WP301]" in result.err
    result = wellposed("timeline", "bad.scenario", "hello.scenario", "-q")
    assert (result.status, result.err) == (1, "")
    assert lines(result.out)[0] == "hello  L0  well-posed"
    result = wellposed("timeline", "nowhere")
    assert (result.status, result.out, result.err) == (2, "", "wellposed: error[WP002]: nowhere does not exist\n")


def test_one_section_per_scenario_and_one_legend(wellposed: Command) -> None:
    result = wellposed("timeline", ".", "--output-file", "picture.txt")
    assert (result.status, result.out) == (1, "")
    text = Path("picture.txt").read_text()
    heads = [number for number, line in enumerate(lines(text)) if line.startswith("tick ")]
    assert [lines(text)[number - 3] for number in heads] == ["hello  L0  well-posed", "race  L6  ambiguous"]
    assert text.count("lawful window, first and last tick") == 1


def test_nothing_of_a_title_reaches_the_terminal_raw(wellposed: Command, folder: Path) -> None:
    path = folder / "hello.scenario"
    title = r'title "\u{1b}[31m ##[error] \u{202e}' + "宽" * 90 + '"'
    path.write_text(path.read_text().replace("level L0", f"{title}\n  level L0"))
    result = wellposed("timeline", "hello.scenario")
    assert result.status == 0
    assert not set(result.out) & {"\x1b", "\u202e"}
    assert "##[" not in result.out
    assert lines(result.out)[1].endswith("…")
    # The mark that runners look for is made longer by one.
    assert max(width(line) for line in lines(result.out)) <= WIDTH + 1


def test_long_names_are_clipped(wellposed: Command, folder: Path) -> None:
    message, conversation, go = "m" * 64, "c" * 64, "g" * 64
    text = f"""\
scenario {"s" * 64} {{
  level L2
  horizon 40
  conversation {conversation} {{ from "ada@example.test" subject "Where is my order?" }}
  at 0 deliver {message} in {conversation} "Hello."
  at 12 approve {message} as {go}
  at 39 repeat {go}
  expect {{ {message} sent exactly once within 5 of {go} }}
}}
"""
    (folder / "long.scenario").write_text(text)
    result = wellposed("timeline", "long.scenario")
    assert result.status == 0
    assert max(width(line) for line in lines(result.out)) <= WIDTH
    assert "…" in result.out


def test_a_reader_that_leaves(folder: Path) -> None:
    command = f"{sys.executable} -m wellposed timeline . | head -c 1"
    run = subprocess.run(["sh", "-c", command], cwd=folder, check=False, capture_output=True, text=True)
    assert "Traceback" not in run.stderr


def test_many_messages_stay_readable(wellposed: Command, folder: Path) -> None:
    """Every message has its lane only where something is in it, so the picture grows with the messages, not squared."""
    parts = [
        f'  conversation c{n} {{ from "u{n}@example.test" subject "s" }}\n  at {n * 40} deliver m{n} in c{n} "x"'
        for n in range(60)
    ]
    claims = " ".join(f"m{n} sent within 10" for n in range(60))
    text = "scenario many {\n  level L1\n  horizon 2500\n" + "\n".join(parts) + f"\n  expect {{ {claims} }}\n}}\n"
    (folder / "many.scenario").write_text(text)
    result = wellposed("timeline", "many.scenario")
    assert result.status == 0
    assert max(width(line) for line in lines(result.out)) <= WIDTH
    assert result.out.count("|deliver") == 60
    assert len(lines(result.out)) < 60 * 15


ticks = st.lists(st.integers(0, 10_000), min_size=2, max_size=60, unique=True).map(sorted)


@given(ticks, st.integers(24, 90), st.data())
def test_an_axis_has_every_tick_once(ticks: list[int], columns: int, data: st.DataObject) -> None:
    pairs = [pair for pair in pairwise(ticks) if pair[1] > pair[0] + 1]
    jumps = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    drawn = bands(ticks, jumps, columns, TEXT)
    for tick in ticks:
        assert sum(axis.owns(tick) for axis in drawn) == 1
        assert all(axis.reaches(tick, tick) == axis.owns(tick) for axis in drawn)
    assert sum(axis.line(0, axis.width, "=").count(JUMPED) for axis in drawn) == len(jumps)
    for axis in drawn:
        assert axis.width <= columns
        assert [int(label) for label in axis.labels().split()] == list(axis.columns)
        assert all(axis.labels()[column:].startswith(str(tick)) for tick, column in axis.columns.items())
        assert axis.ruler().count("+") == len(axis.columns)
    assert len(drawn) == 1 or all(len(axis.columns) > 2 or not axis.final for axis in drawn[:-1])
    first, last = data.draw(st.sampled_from(ticks)), data.draw(st.sampled_from(ticks))
    if first < last:
        reached = [axis.reaches(first, last) for axis in drawn]
        assert any(reached)
        # A window is drawn in neighbouring bands.
        assert "".join("x" if one else " " for one in reached).strip().count(" ") == 0


def test_folds_only_where_that_saves_columns() -> None:
    (axis,) = bands([0, 10, 1000], [], 100, TEXT)
    assert axis.ruler() == f"+{'-' * 29}+-{FOLDED}----+"


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30)), max_size=4), st.integers(0, 100), st.integers(0, 40))
def test_the_clock_is_that_of_the_verifier(leaps: list[tuple[int, int]], tick: int, ticks: int) -> None:
    jumps = sorted((written, written + by) for written, by in leaps)
    own, other = Clock(jumps), VerifiersClock(1_000, jumps)
    assert own.lands(tick) == other.lands(tick)
    assert own.later(own.lands(tick), ticks) == other.tick(other.index(tick) + ticks)


@given(
    st.lists(st.integers(0, 30), max_size=6),
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=2),
    st.integers(0, 30),
    st.integers(0, 12),
)
def test_held_ticks_are_those_of_the_log_checker(
    holds: list[int], leaps: list[tuple[int, int]], tick: int, ticks: int
) -> None:
    """Which ticks are held, and where a window for a send ends; behind the horizon nothing is held."""
    horizon = 40
    entries: list[dict[str, Any]] = []
    for number, at in enumerate(sorted(holds)):
        fault = "release" if number % 2 else "hold"
        entries.append({"at": at, "channel": "faults", "record": {"fault_id": f"f{number}", "fault": fault}})
    for number, (at, by) in enumerate(leaps):
        record = {"fault_id": f"j{number}", "fault": "jump", "to": at + by}
        entries.append({"at": at, "channel": "faults", "record": record})
    ordered = sorted(entries, key=lambda entry: int(entry["at"]))
    document = {"horizon": horizon, "schedule": [{"seq": seq, **entry} for seq, entry in enumerate(ordered)]}
    own = schedule_of(document)
    clock, happenings = replay(document, Run({}), BASE)
    effects = Effects.of(clock, happenings)
    held = {one for first, last in own.held for one in range(first, last + 1) if clock.visible(one)}
    assert held == {one for one in range(horizon + 1) if clock.visible(one) and effects.at(clock.index(one))}
    start = own.clock.lands(tick)
    assert own.later(start, ticks, sends=True) == clock.tick(effects.until(clock.index(start), ticks))
    assert own.later(start, ticks, sends=False) == clock.tick(clock.index(start) + ticks)


def test_a_held_stretch_is_drawn_in_every_band_that_it_reaches(wellposed: Command, folder: Path) -> None:
    redeliveries = "".join(f"  at {tick} redeliver m1\n" for tick in range(30, 100, 7))
    text = (folder / "race.scenario").read_text().replace("horizon 40", "horizon 120")
    held = "  at 25 hold effects\n  at 100 release effects\n"
    (folder / "held.scenario").write_text(text.replace("  at 13", held + redeliveries + "  at 13", 1))
    out = wellposed("timeline", "held.scenario").out
    drawn = [line for line in lines(out) if line.lstrip().startswith("effects held")]
    assert len(drawn) == out.count("\ntick ") > 1
    assert "(25~" in drawn[0] and "99)" in drawn[-1]
    assert lines(out)[-2] == "(3~~8) effects are held, first and last tick"


def test_what_is_not_held_has_no_sign_in_the_legend(wellposed: Command) -> None:
    assert "~" not in wellposed("timeline", "race.scenario").out


def test_signals_and_decisions_say_what_they_wait_for(wellposed: Command, folder: Path) -> None:
    lines_of = """at 2 { escalate m1 deferred as stop  kill agent of m1 deferred  kill agent "a1" as gone }
      at 13 { approve oldest draft of m1  repeat stop  repeat gone }"""
    text = (folder / "race.scenario").read_text().replace("at 13 escalate m1", lines_of)
    (folder / "waits.scenario").write_text(text)
    out = wellposed("timeline", "waits.scenario").out
    texts = ("|escalate deferred stop", "|kill agent deferred", "|kill agent a1", "|repeat gone")
    for shown in (*texts, "repeat stop", "approve oldest draft"):
        assert shown in out


def test_texts_keep_apart() -> None:
    """Whatever is put where: nothing is drawn over, and every mark stands at its column."""
    rng = random.Random(7)
    for _ in range(300):
        put = Lines(40)
        wanted = [(rng.randrange(40), "x" * rng.randrange(0, 30)) for _ in range(rng.randrange(1, 12))]
        for column, text in wanted:
            (put.at if rng.random() < 0.5 else put.ending)(column, text, "|")
        written = [line.text() for line in put.lines]
        assert sum(line.count("|") for line in written) == len(wanted)
        assert all(len(line) <= 40 for line in written)
        for column, _ in wanted:
            assert any(line[column : column + 1] == "|" for line in written)


def test_clipping() -> None:
    assert clip("abcdef", 6) == "abcdef"
    assert clip("abcdefg", 6) == "abcde…"
    assert clip("宽宽宽宽", 6) == "宽宽…"
    assert clip("\x1b", 10) == "\\u{1b}"
    assert clip("abc", 0) == ""
