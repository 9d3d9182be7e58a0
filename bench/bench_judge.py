"""How fast logs are judged: `judge` on a run of 1,000,000 lines against a plain loop of `json.loads` over the same files.

The run is one of the reference, in a scenario with forty messages; its system is a talkative one, so most lines are audit
lines of its own (a fifth of them with objects inside) and model calls, and each of them has its line in the recorded
timeline. Beside it, without a bound: a run in which every line is about a work item, which the obligations have to look at.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import median_seconds, report

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.dsl.source import SourceFile
from wellposed.verifier.amr.simulator import simulate
from wellposed.verifier.judged import JudgedRun
from wellposed.verifier.models import JUDGES

LINES = 1_000_000
HORIZON = 200
SEEN = '{"event":"first-seen","file":"%s","line":%d,"tick":%d}'
TALK = (
    '{"at":%d,"event":"poll","n":%d,"text":"asked for new mail, and there was none","took_ms":12}',
    '{"agent_id":"a%d","at":%d,"event":"thought","text":"what the customer wants is an answer, so an answer it is"}',
    '{"at":%d,"attributes":{"retries":0,"route":["inbox","rules","agents"],"span":{"id":"s%d","parent":"s0"}},"event":"span"}',
)
MEMORY = """
import sys
from pathlib import Path
from wellposed.compiler.load import load_bundle
from wellposed.verifier.models import JUDGES
bundle, _ = load_bundle(Path(sys.argv[1]).read_bytes(), "bundle.json")
if len(sys.argv) > 2:
    JUDGES["amr/0.14"].run(bundle, Path(sys.argv[2]), "run")
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def scenario(messages: int) -> Bundle:
    """So many messages, two in each tick, all approved."""
    lines = [
        "scenario talkative {",
        "  level L3",
        f"  horizon {HORIZON}",
        '  conversation order { from "ada@example.test" subject "Where is my order?" anchor "ORD-1001" }',
    ]
    for number in range(messages):
        at = number * 100 // messages
        lines.append(f'  at {at} deliver m{number} in order "Where is {{anchor}}? ({number})"')
        lines.append(f"  at {at + 20} approve m{number}")
    (one,) = compile_source(SourceFile("talkative.scenario", "\n".join([*lines, "}", ""]))).scenarios
    assert one.bundle is not None, one.findings
    return one.bundle


def talk(folder: Path, lines: int) -> None:
    """Lets the system of a run say so much, evenly over the ticks, that the run has so many lines."""
    have = sum(count(path) for path in folder.iterdir())
    said = (lines - have) // 2
    events: dict[int, list[str]] = {}
    for line in (folder / "run.jsonl").read_text().splitlines():
        events.setdefault(json.loads(line)["tick"], []).append(line)
    audit = (folder / "audit.jsonl").read_text().splitlines()
    calls = (folder / "model-calls.jsonl").read_text().splitlines()
    spoken: dict[str, list[str]] = {"audit.jsonl": [], "model-calls.jsonl": []}
    old = {"audit.jsonl": iter(audit), "model-calls.jsonl": iter(calls)}
    run: list[str] = []
    number = 0
    for tick in range(HORIZON + 1):
        for line in events[tick]:
            record = json.loads(line)
            if record.get("file") in spoken:
                spoken[record["file"]].append(next(old[record["file"]]))
                line = SEEN % (record["file"], len(spoken[record["file"]]), tick)
            run.append(line)
        while number < said * (tick + 1) // (HORIZON + 1):
            file = "model-calls.jsonl" if number % 10 == 9 else "audit.jsonl"
            spoken[file].append(spoken_line(file, tick, number))
            run.append(SEEN % (file, len(spoken[file]), tick))
            number += 1
    for file, text in (*spoken.items(), ("run.jsonl", run)):
        (folder / file).write_text("".join(f"{line}\n" for line in text))


def spoken_line(file: str, tick: int, number: int) -> str:
    if file == "model-calls.jsonl":
        return f'{{"at":{tick},"call_id":"more-{number}","reply":"No.","request":"Is there anything to do, after {number} times?"}}'
    if number % 5 == 4:
        return TALK[2] % (tick, number)
    return TALK[0] % (tick, number) if number % 5 else TALK[1] % (number % 9, tick)


def count(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def plainly(folder: Path) -> int:
    """What anybody would write: every line of every file through `json.loads`."""
    lines = 0
    for path in folder.iterdir():
        with open(path, "rb") as log:
            for line in log:
                json.loads(line)
                lines += 1
    return lines


def judged(bundle: Bundle, folder: Path) -> JudgedRun:
    return JUDGES["amr/0.14"].run(bundle, folder, "run")


def memory(*arguments: Path) -> int:
    """The peak memory of a process that loads a bundle and judges a run, in MiB; a child's `ru_maxrss` is its parent's."""
    command = [sys.executable, "-c", MEMORY, *map(str, arguments)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) // 1024


def written(folder: Path, bundle: Bundle) -> Path:
    folder.mkdir()
    for name, raw in simulate(bundle.document, "reference", 0).written().items():
        (folder / name).write_bytes(raw)
    (folder.parent / f"{folder.name}.json").write_bytes(bundle.raw)
    return folder


def main() -> None:
    """Prints the ratio to the plain loop, lines per second, and peak memory over a process that only loads the bundle."""
    with tempfile.TemporaryDirectory() as place:
        few, many = scenario(40), scenario(500)
        for name, bundle, bound in (("a talkative system", few, 4.0), ("500 items, no talk", many, None)):
            folder = written(Path(place) / name.replace(" ", "-"), bundle)
            if bound is not None:
                talk(folder, LINES)
            lines = sum(count(path) for path in folder.iterdir())
            result = judged(bundle, folder)
            assert (result.harness, result.failures, result.findings) == ((), (), ())
            plain, _ = median_seconds(partial(plainly, folder), 3)
            own, _ = median_seconds(partial(judged, bundle, folder), 3)
            size = sum(path.stat().st_size for path in folder.iterdir()) / 2**20
            base, peak = (memory(folder.parent / f"{folder.name}.json", *run) for run in ((), (folder,)))
            detail = f"{lines / own:,.0f} lines per second, {size:.0f} MiB; memory {peak - base} MiB over {base}"
            report(f"judge / json.loads, {lines:,} lines, {name}", own / plain, bound, detail)


if __name__ == "__main__":
    main()
