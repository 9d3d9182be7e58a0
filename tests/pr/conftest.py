"""The repository that pull requests are made against, and each of them under review once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.pr.pulls import BY_NAME
from tests.pr.repository import Sample, build

from wellposed.cli.review.pull import Options, Pull, review
from wellposed.compiler.limits import LIMITS
from wellposed.verifier.verify import DEFAULT_BUDGET


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """Made once; to be copied, not changed."""
    return build(tmp_path_factory.mktemp("published") / "top")


@pytest.fixture
def sample(published: Sample, tmp_path: Path) -> Sample:
    """A copy for one test."""
    return published.copy(tmp_path / "sample")


def looked_at(repository: Path, head: str = "topic", base: str = "main") -> Pull:
    """A review with the usual limits."""
    return review(Options(repository, base, head, DEFAULT_BUDGET, LIMITS))


@pytest.fixture(scope="session")
def reviewed(published: Sample, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Pull]:
    """A pull request of the table by its name, under review."""
    known: dict[str, Pull] = {}

    def of(name: str) -> Pull:
        if name not in known:
            copy = published.copy(tmp_path_factory.mktemp("pull") / name)
            BY_NAME[name].put(copy)
            known[name] = looked_at(copy.repo)
        return known[name]

    return of
