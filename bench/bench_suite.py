"""The suite check: the growth from 1,000 to 10,000 small scenarios, whether they share their beginning with few or with all."""

from __future__ import annotations

import sys
import tracemalloc
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.measure import median_seconds, report
from tests.verifier.known_answers import abandoned, document, either, sent

from wellposed.cli.main import tune_memory
from wellposed.compiler.bundle import Bundle, bundle_of
from wellposed.verifier.suite.check import check_suite
from wellposed.verifier.verify import Verification, verify

FEW, MANY = 1_000, 10_000


def small(rng: Random, name: str, greeting: str) -> Bundle:
    """One message, approved once or twice; some processes crash, some items are escalated."""
    go = rng.randrange(11, 31)
    events: list[tuple[object, ...]] = [(go, "approve", "m1", "go")]
    expected = sent(True, 5, "go")
    if rng.random() < 0.5:
        events.append((rng.randrange(5, 35), "crash"))
    if rng.random() < 0.5:
        events.append((go + rng.randrange(6, 12), "approve", "m1", "go"))
    if rng.random() < 0.5:
        events.append((rng.randrange(2, 31), "escalate", "m1"))
        expected = either(expected, abandoned("operator_escalation"))
    made = document(rng.choice((4, 5, 6)), events, [expected], horizon=60)
    for entry in made["schedule"]:
        if entry["channel"] == "inbox":
            entry["record"]["body"] = greeting
    return bundle_of({**made, "id": name, "title": name}, None, name)


def suite(count: int, sharing: int) -> list[tuple[Bundle, Verification]]:
    """So many scenarios, as if verified, of which each shares its first message with as many as given."""
    rng = Random(count)
    bundles = [small(rng, f"s{number}", f"Hello {number // sharing}?") for number in range(count)]
    passed = verify(bundles[0])
    return [(bundle, passed) for bundle in bundles]


def growth(name: str, few: list[tuple[Bundle, Verification]], many: list[tuple[Bundle, Verification]]) -> None:
    base, spread = median_seconds(lambda: check_suite(few), 3)
    longer, _ = median_seconds(lambda: check_suite(many), 1)
    bound = 12 * max(1.0, spread)
    report(f"{MANY:,} scenarios against {FEW:,}, {name}", longer / base, bound, f"{longer:.2f} s against {base:.2f} s")


def memory() -> None:
    """What the check itself takes at its height, by the scenario; the bundles are there already."""
    peaks = []
    for count in (FEW, MANY):
        given = suite(count, count)
        tracemalloc.start()
        check_suite(given)
        peaks.append(tracemalloc.get_traced_memory()[1] / count / 1024)
        tracemalloc.stop()
    report("memory for each of them", peaks[1] / peaks[0], 1.25, f"{peaks[1]:.1f} KiB against {peaks[0]:.1f} KiB")


if __name__ == "__main__":
    tune_memory()
    growth("20 begin alike", suite(FEW, 20), suite(MANY, 20))
    growth("all begin alike", suite(FEW, FEW), suite(MANY, MANY))
    memory()
