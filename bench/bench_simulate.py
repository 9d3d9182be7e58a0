"""Simulated runs against compiling and verifying the same scenario, and the growth with the number of ticks."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.measure import median_seconds, report
from tests.simulator.scenes import decision, message, scene

from wellposed.cli.gather import gather
from wellposed.cli.main import tune_memory
from wellposed.cli.pipeline import examine
from wellposed.compiler.bundle import Bundle
from wellposed.verifier.models import SIMULATORS
from wellposed.verifier.verify import verify

RUNS = 1_000
SIMULATOR = SIMULATORS["amr/0.14"]


def compiled(path: str) -> Bundle:
    """The bundle of a source that holds one scenario."""
    (one,) = examine(gather([path], ""), None).scenarios
    assert one.bundle is not None
    return one.bundle


def against_verification(name: str, bound: float) -> None:
    path = str(ROOT / "scenarios" / f"{name}.scenario")
    bundle = compiled(path)
    peer, _ = median_seconds(lambda: verify(compiled(path)), 15)
    runs, _ = median_seconds(
        lambda: [SIMULATOR.run(bundle.document, "reference", seed).written() for seed in range(RUNS)], 3
    )
    detail = f"{runs:.2f} s for {RUNS:,} runs, logs written out; {1000 * peer:.1f} ms to compile and verify"
    report(f"one run of {name} against its compilation and check", runs / RUNS / peer, bound, detail)


def growth() -> None:
    """A hundred times the ticks, in which nothing more happens."""
    few, many = (scene(message(0), decision(12), horizon=horizon) for horizon in (1_000, 100_000))
    short, long = (
        median_seconds(lambda document=document: SIMULATOR.run(document, "reference", 1), 5)[0] for document in (few, many)
    )
    report("100 times the ticks", long / short, 150, f"{long:.2f} s for 100,000 ticks against {1000 * short:.1f} ms")


if __name__ == "__main__":
    tune_memory()
    against_verification("l0-single-reply", 0.4)
    against_verification("l3-fleet-concurrent-redelivery", 0.4)
    growth()
