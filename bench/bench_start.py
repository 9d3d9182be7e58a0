"""Start-up: `--version`, and the help of each verb, against `python -c pass`; and the imports that `--version` must not make."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import report

from wellposed.cli.main import VERBS

HEAVY = ("networkx", "jsonschema", "rich", "yaml", "pygls")


def median_wall(command: list[str], rounds: int = 7) -> float:
    """Median wall seconds of a command."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def main() -> None:
    """Prints the ratio and the heavy modules imported (none)."""
    wellposed = str(Path(sys.executable).with_name("wellposed"))
    nothing = median_wall([sys.executable, "-c", "pass"])
    version = median_wall([wellposed, "--version"])
    report("wellposed --version against python -c pass", version / nothing, 8, f"{version * 1000:.0f} ms against {nothing * 1000:.0f} ms")
    for verb in VERBS:
        started = median_wall([wellposed, verb, "--help"], 3)
        report(f"wellposed {verb} --help", started / nothing, 10, f"{started * 1000:.0f} ms")
    traced = subprocess.run(
        [sys.executable, "-X", "importtime", wellposed, "--version"], check=True, capture_output=True, text=True
    )
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in traced.stderr.splitlines()}
    print(f"{'heavy modules imported by --version':58} {', '.join(sorted(imported & set(HEAVY))) or 'none'}")


if __name__ == "__main__":
    main()
