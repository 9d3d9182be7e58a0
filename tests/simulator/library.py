"""The published scenarios, compiled once, and what the simulated systems do in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.simulator.reading import run_of

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.dsl.source import read_source
from wellposed.verifier.amr.checker import check_run
from wellposed.verifier.amr.run import Run, Violation
from wellposed.verifier.amr.simulator import simulate

ROOT = Path(__file__).resolve().parents[2]
NAMES = tuple(sorted(path.stem for path in (ROOT / "scenarios").glob("*.scenario")))


@cache
def published(name: str) -> Bundle:
    path = f"scenarios/{name}.scenario"
    source, findings = read_source(path, (ROOT / path).read_bytes())
    assert source is not None, findings
    (scenario,) = compile_source(source, Importer(FolderReader(ROOT))).scenarios
    assert scenario.bundle is not None
    return scenario.bundle


def run(name: str, system: str, seed: int) -> Run:
    """A simulated run of a published scenario, read from its logs."""
    document = published(name).document
    return run_of(document, simulate(document, system, seed).files)


def violations(name: str, system: str, seed: int) -> tuple[Violation, ...]:
    """What the log checker finds in a simulated run."""
    return check_run(published(name).document, run(name, system, seed))
