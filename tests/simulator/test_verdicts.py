"""What the verifier proves of the scenarios of the defect corpus, the reference shows: it is a counterexample to none."""

from __future__ import annotations

import pytest
from tests.simulator.library import ROOT
from tests.simulator.reading import run_of

from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.compiler.bundle import Bundle
from wellposed.verifier.amr.checker import EXPECT, check_run
from wellposed.verifier.amr.simulator import simulate
from wellposed.verifier.verify import verify


def compare(bundle: Bundle, verdict: str, seeds: range) -> None:
    """No run breaks an obligation; where the verdict says so none fails, or all do."""
    for seed in seeds:
        found = check_run(bundle.document, run_of(bundle.document, simulate(bundle.document, "reference", seed).files))
        assert {one.obligation for one in found} <= {EXPECT}, f"{bundle.id}, seed {seed}"
        if verdict in ("well-posed", "vacuous"):
            assert found == (), f"{bundle.id}, seed {seed}"
        if verdict == "unsatisfiable":
            assert found != (), f"{bundle.id}, seed {seed}"


def compare_corpus(seeds: range) -> set[str]:
    verdicts = set()
    for one in examine(gather([str(ROOT / "examples")], ""), verify).scenarios:
        if one.bundle is not None and one.verification is not None:
            verdicts.add(one.verification.verdict)
            compare(one.bundle, one.verification.verdict, seeds)
    return verdicts


def test_the_corpus() -> None:
    assert compare_corpus(range(3)) >= {"well-posed", "ambiguous", "unsatisfiable", "vacuous"}


@pytest.mark.slow
def test_the_corpus_at_length() -> None:
    compare_corpus(range(3, 200))
