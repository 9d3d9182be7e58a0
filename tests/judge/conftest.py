"""Judging a run that a test has written, and the command line as its own tests use it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import folder, wellposed
from tests.judge.runs import Act, files_of

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.judged import JudgedRun
from wellposed.verifier.models import JUDGES

__all__ = ["JudgeActs", "folder", "judge", "wellposed"]

JudgeActs = Callable[..., JudgedRun]


@pytest.fixture
def judge(tmp_path: Path) -> JudgeActs:
    """`judge(bundle, acts, change)`: writes the run, changes the folder by `change(path)` if there is one, and judges it."""

    def run(
        bundle: Bundle, acts: Sequence[Act], change: Callable[[Path], object] | None = None, **options: Any
    ) -> JudgedRun:
        path = tmp_path / f"run.{len(list(tmp_path.iterdir()))}"
        files_of(bundle, acts, **options).put(path)
        if change is not None:
            change(path)
        return JUDGES["amr/0.14"].run(bundle, path, "run")

    return run
