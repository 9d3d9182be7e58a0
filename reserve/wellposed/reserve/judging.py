"""The outcome of an application: what the judge makes of the runs of one entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Finding
from wellposed.reserve.report import Refusal, at_file
from wellposed.verifier.models import JUDGES
from wellposed.verifier.verify import verify

ANNULLED_RUN = "WP875"


@dataclass(frozen=True, slots=True)
class Judged:
    """Results by level: over all runs, and of each; how often the clock was forced on in each; how drafts were made."""

    outcome: Mapping[str, str]
    runs: tuple[Mapping[str, str], ...]
    forced_advances: tuple[int, ...]
    origin: str
    findings: tuple[Finding, ...]


def judge(bundle: Bundle, folders: Sequence[Path]) -> Judged:
    """The outcome of runs of a bundle. Raises Refusal for a run of something else than the schedule, and OSError."""
    judge = JUDGES[bundle.document["spec"]]
    runs = [judge.run(bundle, folder, folder.as_posix()) for folder in folders]
    if len({run.identity for run in runs}) < len(runs):
        raise Refusal(at_file(ANNULLED_RUN, "one run is given twice", folders[0].as_posix()))
    for run in runs:
        if run.annulled:
            what = f"the run is annulled, since the harness did not do what the schedule says: {run.harness[0]}"
            raise Refusal(at_file(ANNULLED_RUN, what, run.path, "run the system again"))
    scenario = judge.runs(bundle, verify(bundle).levels, runs, ())
    return Judged(
        {level: found.result for level, found in scenario.levels.items()},
        tuple({level: found.runs[number] for level, found in scenario.levels.items()} for number in range(len(runs))),
        tuple(run.forced_advances for run in runs),
        scenario.origin or "none",
        tuple(finding for run in runs for finding in run.findings),
    )

