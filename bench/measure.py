"""How the measurements are taken: medians of processor time, told as ratios against something in the same run."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable


def median_seconds(work: Callable[[], object], rounds: int = 7) -> tuple[float, float]:
    """The median processor time of one call and the spread (slowest over fastest) of the rounds; garbage is collected before each."""
    seconds = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds), max(seconds) / min(seconds)


def report(what: str, ratio: float, bound: float | None, detail: str) -> None:
    """One line of a measurement: the ratio, the bound it has to keep, and what it was taken from."""
    kept = "" if bound is None else f"  (at most {bound:g}: {'kept' if ratio <= bound else 'NOT KEPT'})"
    print(f"{what:58} {ratio:8.2f}{kept}  {detail}")
