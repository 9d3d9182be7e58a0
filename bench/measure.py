"""How the measurements are taken: medians of processor time, told as ratios against something in the same run."""

from __future__ import annotations

import gc
import resource
import statistics
from collections.abc import Callable


def processor_seconds() -> float:
    """The processor time so far of this process and of the children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def median_seconds(work: Callable[[], object], rounds: int = 7) -> tuple[float, float]:
    """The median processor time of one call and the spread (slowest over fastest) of the rounds; garbage is collected before each."""
    seconds = []
    for _ in range(rounds):
        gc.collect()
        start = processor_seconds()
        work()
        seconds.append(processor_seconds() - start)
    return statistics.median(seconds), max(seconds) / min(seconds)


def report(what: str, ratio: float, bound: float | None, detail: str) -> None:
    """One line of a measurement: the ratio, the bound it has to keep, and what it was taken from."""
    kept = "" if bound is None else f"  (at most {bound:g}: {'kept' if ratio <= bound else 'NOT KEPT'})"
    print(f"{what:58} {ratio:8.2f}{kept}  {detail}")
