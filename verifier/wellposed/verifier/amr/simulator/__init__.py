"""The simulator: one scenario, one system, one seed, and the logs of the run that they make.

Everything happens in this process and follows from the three: the same bundle, system and seed make the same bytes. It
shares nothing with the engine and the log checker but the budgets, so that what they say can be tried on it, and it on
them. Source: seed section 2 (the harness), `docs/model.md`, `docs/mutants.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.simulator.faults import FAULTS, Faulty, Trial
from wellposed.verifier.amr.simulator.harness import Harness, Logs
from wellposed.verifier.amr.simulator.reference import Reference
from wellposed.verifier.amr.simulator.sandbox import Brief
from wellposed.verifier.amr.simulator.schedule import brief_of

__all__ = ["SYSTEMS", "Logs", "Simulator", "simulate"]

REFERENCE = "reference"
SYSTEMS = (REFERENCE, *FAULTS)
"""The names of the systems that can be simulated."""

BUDGETS = Budgets()
ATTEMPTS = 300
"""How often a run of each variant of a faulty system is drawn, until one is of that system."""

TICKS = 2_000_000
"""How many ticks that may take, in ticks of the scenario; each variant is drawn once at any rate."""


def simulate(document: Mapping[str, Any], system: str, seed: int, budgets: Budgets = BUDGETS) -> Logs:
    """The logs of one run of one of `SYSTEMS`. The budgets are those of the model, unless a test scales them down.

    Where a faulty system has no run that can be found, because the scenario gives it no occasion to err as it must, the
    run is one in which it does not. Raises KeyError for an unknown system.
    """
    brief = brief_of(document)
    if system == REFERENCE:
        return Harness(document, lambda box: Reference(brief, box, str(seed), budgets)).run()
    variants = list(FAULTS[system])
    Random(seed).shuffle(variants)
    fallback = None
    attempts = min(ATTEMPTS * len(variants), TICKS // (brief.horizon + 1))
    for attempt in range(max(len(variants), attempts)):
        variant = variants[attempt % len(variants)]
        if fallback is not None and brief.level < variant.first_level():
            continue
        logs, accepted = _tried(document, brief, variant, f"{seed}.{attempt}", budgets)
        if accepted:
            return logs
        fallback = fallback or logs
    assert fallback is not None
    return fallback


def _tried(
    document: Mapping[str, Any], brief: Brief, variant: type[Faulty], seed: str, budgets: Budgets
) -> tuple[Logs, bool]:
    """A run of a faulty system, and whether it is one of that system."""
    trial = Trial()
    harness = Harness(document, lambda box: variant(brief, box, seed, budgets, trial))
    logs = harness.run()
    assert isinstance(harness.system, Faulty)
    return logs, harness.system.accepted()


class Simulator:
    """What whoever runs simulations needs of a specification."""

    systems = SYSTEMS

    def run(self, document: Mapping[str, Any], system: str, seed: int) -> Logs:
        """See `simulate`."""
        return simulate(document, system, seed)
