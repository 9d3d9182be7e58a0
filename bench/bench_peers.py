"""wellposed beside z3 and SPIN: the same scenarios, the same questions, the answers compared, one run.

`--write docs/peers.md` puts the tables into the page between its marks. SPIN is left out where `spin` is not installed.
"""

from __future__ import annotations

import argparse
import gc
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.instances import crowded, mixed, taken_back
from bench.measure import median_seconds, processor_seconds, report
from bench.peers import facts, spin, z3_questions
from bench.peers.answers import Answers
from bench.peers.compare import differences
from bench.phases import BESIDE, phases

from wellposed.cli.main import tune_memory
from wellposed.compiler.bundle import Bundle, bundle_of
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify

UNBOUNDED = 10**9
HORIZONS = (60, 600, 6_000)
ROUNDS = ((0.5, 5), (2.0, 3))
"""Below so many seconds, so many rounds; above, one."""
FAMILIES: dict[str, tuple[Callable[[int, int], dict[str, Any]], tuple[int, ...]]] = {
    "taken back": (taken_back, (2, 20, 200, 2_000)),
    "fleet": (mixed, (2, 20, 200, 2_000)),
    "crowded": (lambda _, horizon: crowded(horizon), (1,)),
}
MARKS = ("<!-- begin: measured by bench/bench_peers.py -->", "<!-- end: measured -->")
NOT_RUN = "not run"
SPLIT = ("taken back", "fleet")
ENDINGS = f"{BESIDE}`outcomes.ask`"


@dataclass(frozen=True)
class Side:
    """One way to answer: the heading of its column, whether it tells first and last ticks too, and how large it is run.

    `messages` is the most messages, `ticks` the most messages times ticks.
    """

    heading: str
    answers: Callable[[facts.Facts], Answers]
    endings: bool = False
    messages: int = 2_000
    ticks: int = 2_000 * 6_000


def sides(pan: spin.Pan | None) -> Iterator[Side]:
    """The peers in the order of the columns."""
    yield Side("z3, per item", z3_questions.per_item)
    yield Side("z3, per item, with endings", partial(z3_questions.per_item, endings=True), endings=True, messages=200)
    yield Side("z3, one formula", z3_questions.one_formula, messages=200)
    if pan is not None:
        yield Side("SPIN, per item", lambda told: spin.per_item(told, pan), ticks=200 * 6_000)


@dataclass(frozen=True)
class Own:
    """The seconds of wellposed: for everything that it does, for what is asked of the peers, and for that with endings."""

    whole: float
    asked: float
    with_endings: float


def rounds(seconds: float) -> int:
    """How often something is measured that takes so long."""
    return next((number for below, number in ROUNDS if seconds < below), 1)


def own(bundle: Bundle) -> Own:
    """Medians, each of its own."""
    start = processor_seconds()
    verify(bundle, UNBOUNDED)
    times = []
    for _ in range(rounds(processor_seconds() - start)):
        gc.collect()
        spent = phases(bundle, UNBOUNDED)
        asked = sum(seconds for stage, seconds in spent.items() if not stage.startswith(BESIDE))
        times.append((sum(spent.values()), asked, asked + spent[ENDINGS]))
    return Own(*(statistics.median(column) for column in zip(*times, strict=True)))


@dataclass(frozen=True)
class Row:
    """One instance with the times of wellposed and of each peer, None where it was not run."""

    family: str
    messages: int
    horizon: int
    own: Own
    peers: tuple[float | None, ...]

    def cells(self, columns: Sequence[Side]) -> Iterator[str]:
        yield from (self.family, f"{self.messages:,}", f"{self.horizon:,}", shown(self.own.whole), shown(self.own.asked))
        for side, seconds in zip(columns, self.peers, strict=True):
            if seconds is None:
                yield NOT_RUN
            else:
                same = self.own.with_endings if side.endings else self.own.asked
                yield f"{shown(seconds)} ({seconds / self.own.whole:.1f}, {seconds / same:.1f})"


def shown(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} s"


def rows(columns: Sequence[Side]) -> Iterator[Row]:
    """Every instance, measured."""
    for family, (make, sizes) in FAMILIES.items():
        for messages in sizes:
            for horizon in HORIZONS:
                document = make(messages, horizon)
                bundle = bundle_of(document, None, "bench")
                verification = verify(bundle, UNBOUNDED)
                peers = [measured(side, document, verification, messages) for side in columns]
                row = Row(family, messages, horizon, own(bundle), tuple(peers))
                print(" | ".join(row.cells(columns)), flush=True)
                yield row


def measured(side: Side, document: dict[str, Any], verification: Verification, messages: int) -> float | None:
    """The median seconds of a peer whose answers were compared; None where it is not run."""
    if messages > side.messages or messages * document["horizon"] > side.ticks:
        return None
    start = processor_seconds()
    different = differences(verification, facts.read(document), side.answers(facts.read(document)))
    assert not different, f"{side.heading}: {different}"
    once = processor_seconds() - start
    return once if rounds(once) == 1 else median_seconds(lambda: side.answers(facts.read(document)), rounds(once))[0]


def kilobytes(messages: int) -> int:
    """The peak memory of a process that verifies so many messages (Linux: a child's getrusage would tell its parent's)."""
    code = (
        "import re, sys; sys.path.insert(0, sys.argv[1]);"
        "from bench.instances import mixed; from wellposed.compiler.bundle import bundle_of;"
        "from wellposed.verifier.verify import verify; n = int(sys.argv[2]);"
        "n and verify(bundle_of(mixed(n, 600), None, 'bench'), 10**9);"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    command = [sys.executable, "-c", code, str(ROOT), str(messages)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def goals(measured_rows: Sequence[Row], columns: Sequence[Side]) -> Iterator[tuple[str, float, float, str]]:
    """What is aimed at, as ratios with the most that they may be."""
    known = {(row.family, row.messages, row.horizon): row for row in measured_rows}
    places = {side.heading: place for place, side in enumerate(columns)}
    for family in SPLIT:
        row = known[family, 200, 6_000]
        for heading, times in (("z3, per item", 8), ("z3, per item, with endings", 8), ("SPIN, per item", 20)):
            theirs = row.peers[places[heading]] if heading in places else None
            if theirs is not None:
                same = row.own.with_endings if columns[places[heading]].endings else row.own.asked
                for what, seconds in (("everything", row.own.whole), ("the same questions", same)):
                    detail = f"{times} times as fast is aimed at, {theirs / seconds:.1f} times it is"
                    yield f"{family}, 200, 6,000: {what} against {heading}", seconds / theirs, 1 / times, detail
        short, few, many = known[family, 200, 60], known[family, 200, 600], known[family, 2_000, 600]
        flat = row.own.whole / short.own.whole
        yield f"{family}, 200 messages: horizon 6,000 against 60", flat, 1.25, "flat in the horizon"
        linear = many.own.whole / few.own.whole
        yield f"{family}, horizon 600: 2,000 messages against 200", linear, 12, "linear in messages"
    nothing, few_kilobytes, many_kilobytes = kilobytes(0), kilobytes(200), kilobytes(2_000)
    grown = (many_kilobytes - nothing) / (few_kilobytes - nothing)
    detail = f"linear in messages: {(many_kilobytes - nothing) / 1024:.0f} MiB against {(few_kilobytes - nothing) / 1024:.0f} MiB above an idle process"
    yield "fleet, memory, 2,000 messages against 200", grown, 12, detail


def page(measured_rows: Sequence[Row], columns: Sequence[Side], build: float | None) -> Iterator[str]:
    """The tables in Markdown."""
    yield "2 cores, one run. Processor time: the median of 5 rounds of what takes less than half a second, of 3 below two seconds,"
    yield "else one round. In brackets: how many times as long as wellposed takes for everything, and for what was asked of this peer."
    yield ""
    headings = ("instance", "messages", "horizon", "wellposed, everything", "the same questions", *(side.heading for side in columns))
    yield f"| {' | '.join(headings)} |"
    yield f"|{'---|' * len(headings)}"
    for row in measured_rows:
        yield f"| {' | '.join(row.cells(columns))} |"
    yield ""
    if build is not None:
        yield f"SPIN's verifier is generated and compiled once for all of these, in {build:.1f} s that are in no row."
        yield ""
    yield "| aimed at | measured | at most | |"
    yield "|---|---|---|---|"
    for what, ratio, bound, detail in goals(measured_rows, columns):
        report(what, ratio, bound, detail)
        yield f"| {what} | {ratio:.3g} | {bound:.3g} | {'kept' if ratio <= bound else '**not kept**'}: {detail} |"
    yield ""
    yield "Where the time of wellposed goes, 200 messages, horizon 6,000, in ms:"
    yield ""
    spent = {family: phases(bundle_of(FAMILIES[family][0](200, 6_000), None, "bench"), UNBOUNDED) for family in SPLIT}
    yield f"| stage | {' | '.join(SPLIT)} |"
    yield f"|---|{'---|' * len(SPLIT)}"
    for stage in dict.fromkeys(stage for stages in spent.values() for stage in stages):
        yield f"| {stage} | {' | '.join(f'{spent[family].get(stage, 0.0) * 1000:.1f}' for family in SPLIT)} |"


def main() -> None:
    """Prints the tables, or writes them into a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the tables between the marks of this page")
    target = parser.parse_args().write
    tune_memory()
    with tempfile.TemporaryDirectory() as folder:
        pan, build = None, None
        if shutil.which("spin") is not None:
            start = processor_seconds()
            pan = spin.Pan(Path(folder))
            build = processor_seconds() - start
        columns = tuple(sides(pan))
        lines = list(page(list(rows(columns)), columns, build))
    if target is None:
        print("\n".join(lines))
    else:
        before, rest = target.read_text(encoding="utf-8").split(f"{MARKS[0]}\n")
        _, after = rest.split(MARKS[1])
        target.write_text("\n".join((before + MARKS[0], *lines, MARKS[1] + after)), encoding="utf-8")


if __name__ == "__main__":
    main()
