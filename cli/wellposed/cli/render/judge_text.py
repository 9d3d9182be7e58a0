"""A judgement for people: per scenario a table of levels, and what stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wellposed.cli.judge import Counted, Judged, Judgement
from wellposed.cli.render.escape import escape
from wellposed.cli.render.judge_json import tally, timing
from wellposed.cli.render.table import render_table
from wellposed.verifier.judged import FAIL, INCONCLUSIVE, PASS, RUNS_FOR_A_PASS, UNTESTED

HEAD = ("level", "result", "runs", "failures")
COLOURS = {PASS: "good", FAIL: "error", UNTESTED: "dim", INCONCLUSIVE: "warning"}


def render(judgement: Judgement, paint: Callable[[str, str], str], verbose: bool) -> str:
    """The scenarios one after the other, with a final newline unless there is nothing."""
    blocks = [_scenario(one, paint, verbose) for one in judgement.scenarios]
    if judgement.effort is not None:
        blocks.append("\n".join(_effort(judgement)))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _scenario(one: Judged, paint: Callable[[str, str], str], verbose: bool) -> str:
    judged, bundle = one.scenario, one.result.bundle
    assert bundle is not None
    annulled = sum(run.annulled for run in judged.runs)
    copies = sum(copy is not None for copy in judged.copies)
    lines = [
        paint(f"{escape(one.result.id)}: {_count(len(judged.runs), 'run')}", "bold")
        + (f", {annulled} of them annulled for what the harness did" if annulled else "")
        + (f", {copies} with the same logs as an earlier one" if copies else ""),
        bundle.hash,
        f"drafts: {judged.origin or 'none'}; ticks: {timing(judged.runs)}; forced advances: {judged.forced_advances}",
    ]
    rows, colours = [], []
    for name, level in judged.levels.items():
        ids = [escape(failure.id) for failure in judged.failures if name in failure.first.levels]
        kinds = [failure.kind for failure in judged.failures if name in failure.first.levels]
        marked = [f"{identity} ({kind})" for identity, kind in zip(ids, kinds, strict=True)]
        rows.append([[name], [level.result], [f"{level.count(PASS)} of {RUNS_FOR_A_PASS}: {tally(level)}"], marked])
        colours.append(["", COLOURS[level.result], "", ""])
    lines.append(render_table(HEAD, rows, paint, colours))
    for number, level in enumerate(judged.expectations):
        if verbose or level.result == FAIL:
            lines.append(f"  {paint(level.result, COLOURS[level.result])}: {escape(one.expectation(number))}")
    for run in judged.runs:
        for reason in run.harness[:1]:
            lines.append(f"  annulled: {escape(run.path)}: {escape(reason)}")
    return "\n".join(lines)


def _effort(judgement: Judgement) -> Iterator[str]:
    """Beside the result, never part of it."""
    effort = judgement.effort
    assert effort is not None
    runs = sum(len(one.scenario.runs) for one in judgement.scenarios)
    yield "effort, not part of any result"
    yield f"  counted: {_count(runs, 'run')}; implementation {_lines(effort.implementation)}; adapters {_lines(effort.adapters)}"
    yield f"           of these, the translation of the rules {_lines(effort.rules_translation)}"
    hours = "nothing" if effort.development_hours is None else _count(effort.development_hours, "hour")
    yield f"  self-reported: {hours} of development"


def _lines(one: Counted) -> str:
    others = f" and {_count(one.others, 'file')} that are no text" if one.others else ""
    return f"{_count(one.lines, 'line')} in {_count(one.files, 'file')}{others}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
