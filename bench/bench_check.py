"""`check` of 1,000 files: nothing known against everything known from an earlier run, and one process against two."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import report

FILES = 1_000
LIBRARY = sorted(Path(__file__).resolve().parents[1].glob("scenarios/*.scenario"))


def text_of(number: int, texts: list[str]) -> str:
    """A published scenario under another name, with another horizon and another subject, so that no two are the same."""
    text = texts[number % len(texts)]
    text = re.sub(r"^(scenario\s+[\w-]+)", rf"\1-{number}", text, count=1, flags=re.MULTILINE)
    text = re.sub(r"(horizon\s+)(\d+)", lambda found: f"{found[1]}{int(found[2]) + number // len(texts)}", text)
    return text.replace('subject "', f'subject "{number}: ')


def seconds(folder: Path, cache: Path, *options: str) -> tuple[float, float]:
    """Wall and processor seconds of one run of the command, its processes included."""
    command = [str(Path(sys.executable).with_name("wellposed")), "check", "-q", *options, str(folder)]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env={**os.environ, "XDG_CACHE_HOME": str(cache)}, capture_output=True, text=True, check=False)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, (done.stdout + done.stderr)[:2_000]
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Prints the ratios."""
    with tempfile.TemporaryDirectory() as place:
        folder, cache = Path(place, "scenarios"), Path(place, "cache")
        folder.mkdir()
        texts = [text for path in LIBRARY if "import" not in (text := path.read_text())]
        for number in range(FILES):
            (folder / f"s{number}.scenario").write_text(text_of(number, texts))
        _, cold_cpu = seconds(folder, cache, "--jobs", "1")
        _, warm_cpu = seconds(folder, cache, "--jobs", "1")
        one, one_cpu = seconds(folder, cache, "--jobs", "1", "--no-cache")
        two, two_cpu = seconds(folder, cache, "--jobs", "2", "--no-cache")
        report(f"{FILES:,} files: two processes against one, wall clock", two / one, 0.9, f"{two:.1f} s against {one:.1f} s")
        report(f"{FILES:,} files: two processes against one, processor time", two_cpu / one_cpu, 1.25, f"{two_cpu:.1f} s against {one_cpu:.1f} s")
        report(f"{FILES:,} files: known against not known, processor time", warm_cpu / one_cpu, 0.7, f"{warm_cpu:.1f} s against {one_cpu:.1f} s")
        report(f"{FILES:,} files: keeping what is found, processor time", cold_cpu / one_cpu, 1.35, f"{cold_cpu:.1f} s against {one_cpu:.1f} s")


if __name__ == "__main__":
    main()
