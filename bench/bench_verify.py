"""Verification: flat in the horizon, linear in messages; and the whole published library in one process."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.instances import held, mixed
from bench.measure import median_seconds, report

from wellposed.cli.main import main, tune_memory
from wellposed.compiler.bundle import Bundle, bundle_of
from wellposed.verifier.verify import verify

UNBOUNDED = 10**9


def seconds(bundle: Bundle, rounds: int = 7) -> tuple[float, float]:
    """Median processor seconds of a full verification, and the spread."""
    return median_seconds(lambda: verify(bundle, UNBOUNDED), rounds)


def horizons() -> None:
    base, spread = seconds(bundle_of(mixed(200, 60), None, "bench"))
    for horizon in (600, 6_000):
        longer, _ = seconds(bundle_of(mixed(200, horizon), None, "bench"))
        report(f"200 messages, horizon {horizon} against 60", longer / base, max(1.25, spread), f"{longer:.3f} s against {base:.3f} s")


def messages() -> None:
    few, _ = seconds(bundle_of(mixed(200, 600), None, "bench"))
    many, _ = seconds(bundle_of(mixed(2_000, 600), None, "bench"))
    report("2,000 messages against 200", many / few, 12, f"{many:.2f} s against {few:.2f} s")


def holds() -> None:
    """The same where effects are held, so that every window of a send counts open ticks."""
    base, spread = seconds(bundle_of(held(200, 100), None, "bench"))
    longer, _ = seconds(bundle_of(held(200, 6_000), None, "bench"))
    many, _ = seconds(bundle_of(held(2_000, 100), None, "bench"), 3)
    report("effects held, horizon 6000 against 100", longer / base, max(1.25, spread), f"{longer:.3f} s against {base:.3f} s")
    report("effects held, 2,000 messages against 200", many / base, 12, f"{many:.2f} s against {base:.2f} s")


def clean(arguments: list[str]) -> None:
    """Run the command line; a measurement of a failure would be worth nothing."""
    status = main(arguments)
    assert status == 0, status


def library() -> None:
    scenarios = str(ROOT / "scenarios")
    whole, _ = median_seconds(lambda: clean(["check", "-q", scenarios]))
    nothing, _ = median_seconds(lambda: clean(["check", "-q", "--no-verify", scenarios]))
    report("the published library against compiling it only", whole / nothing, None, f"{whole:.3f} s against {nothing:.3f} s")


if __name__ == "__main__":
    tune_memory()
    gc.collect()
    horizons()
    messages()
    holds()
    library()
