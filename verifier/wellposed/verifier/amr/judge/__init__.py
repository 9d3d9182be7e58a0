"""The judge: real logs of a system against a bundle, by the rows of the log checker and what only real logs can break.

`docs/runs.md` says what a run directory is, `docs/judging.md` what is made of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.amr.judge.across import judge_runs
from wellposed.verifier.amr.judge.folder import RunFiles
from wellposed.verifier.amr.judge.one import judge_files, judge_run
from wellposed.verifier.judged import Classified, JudgedRun, JudgedScenario

__all__ = ["Judge"]


@dataclass(frozen=True, slots=True)
class Judge:
    """The judge of spec `amr/0.14` under its base readings."""

    def run(self, bundle: Bundle, path: Path, shown: str) -> JudgedRun:
        """One run directory, whose display path is `shown`. Raises OSError where there is no such folder."""
        return judge_run(bundle, path, shown)

    def run_files(self, bundle: Bundle, files: RunFiles, shown: str) -> JudgedRun:
        """One run whose files do not lie in a folder that could be opened."""
        return judge_files(bundle, files, shown)

    def runs(
        self, bundle: Bundle, exercised: Mapping[str, str], runs: Sequence[JudgedRun], classified: Iterable[Classified]
    ) -> JudgedScenario:
        """The runs of one scenario together; `exercised` are the levels of its verification."""
        return judge_runs(bundle.level, exercised, runs, classified)
