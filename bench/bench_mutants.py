"""The kill matrix and the coverage of the library against its plain verification; the growth with messages."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.instances import taken_back
from bench.measure import median_seconds, report

from wellposed.cli.gather import gather
from wellposed.cli.main import tune_memory
from wellposed.cli.pipeline import examine
from wellposed.compiler.bundle import Bundle, bundle_of
from wellposed.verifier.catching import change_for
from wellposed.verifier.coverage import coverage
from wellposed.verifier.matrix import matrix
from wellposed.verifier.verify import verify

UNBOUNDED = 10**9


def published() -> list[Bundle]:
    """The bundles of the library."""
    found = examine(gather([str(ROOT / "scenarios")], ""), None).scenarios
    return [one.bundle for one in found if one.bundle is not None]


def library() -> None:
    bundles = published()
    plain, _ = median_seconds(lambda: [verify(one, UNBOUNDED) for one in bundles])
    whole, _ = median_seconds(lambda: [matrix(one, UNBOUNDED) for one in bundles])
    cells = sum(len(matrix(one, UNBOUNDED)) for one in bundles)
    detail = f"{whole:.3f} s against {plain:.3f} s, {cells} cells"
    report("the kill matrix of the library against its verification", whole / plain, 12, detail)
    each = whole / cells / (plain / len(bundles))
    report(
        "one cell against the verification of one scenario",
        each,
        0.4,
        f"{1000 * whole / cells:.2f} ms against {1000 * plain / len(bundles):.2f} ms",
    )
    covered, _ = median_seconds(lambda: [coverage(one, UNBOUNDED) for one in bundles])
    report(
        "what the library covers against its verification",
        covered / plain,
        15,
        f"{covered:.3f} s against {plain:.3f} s",
    )


def changes() -> None:
    """The search for a change at its longest: none is found for this system here."""
    bundle = next(one for one in published() if one.id == "l3-fleet-concurrent-redelivery")
    plain, _ = median_seconds(lambda: verify(bundle, UNBOUNDED))
    cell = next(kill.cell for kill in matrix(bundle, UNBOUNDED) if kill.cell.system == "duplicates-on-redelivery")
    assert change_for(bundle, cell, UNBOUNDED) is None
    search, _ = median_seconds(lambda: change_for(bundle, cell, UNBOUNDED), 3)
    report(
        "a search for a change that finds none against verification",
        search / plain,
        None,
        f"{search:.2f} s against {plain:.3f} s",
    )


def messages() -> None:
    few, _ = median_seconds(lambda: matrix(bundle_of(taken_back(20, 60), None, "bench"), UNBOUNDED), 3)
    many, _ = median_seconds(lambda: matrix(bundle_of(taken_back(200, 60), None, "bench"), UNBOUNDED), 1)
    report("the kill matrix of 200 messages against 20", many / few, 12, f"{many:.2f} s against {few:.2f} s")


if __name__ == "__main__":
    tune_memory()
    library()
    changes()
    messages()
