"""How long `wellposed --version`, `--help` and `explain` take against `python -c pass`, and what they import.

Ratios of medians, one machine, one run. The bound for `--version` is 8 times.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 7
BOUND = 8.0
SLOW = ("networkx", "jsonschema", "rich", "yaml", "lark")


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def _median(command: list[str]) -> float:
    _seconds(command)  # warm the disk and the byte code
    return statistics.median(_seconds(command) for _ in range(ROUNDS))


def _imported(arguments: list[str]) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-m", "wellposed", *arguments]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stderr.splitlines()
    return {line.rsplit("|", 1)[1].strip().split(".")[0] for line in lines if line.startswith("import time:")}


def main() -> int:
    """Print the table; 1 where a bound is broken."""
    script = str(Path(sys.executable).with_name("wellposed"))
    base = _median([sys.executable, "-c", "pass"])
    print(f"python -c pass            {base * 1000:6.1f} ms")
    failed = False
    for arguments in (["--version"], ["--help"], ["explain", "WP501"], ["spec", "levels"]):
        ratio = _median([script, *arguments]) / base
        slow = sorted(set(SLOW) & _imported(arguments))
        over = arguments == ["--version"] and ratio > BOUND
        failed = failed or over or bool(slow)
        imports = ", ".join(slow) or "none"
        print(
            f"wellposed {' '.join(arguments):15s} {ratio:6.1f} times; of {', '.join(SLOW)}: {imports}{'  TOO SLOW' if over else ''}"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
