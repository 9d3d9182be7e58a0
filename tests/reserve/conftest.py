"""A sample reserve for the tests of this folder: built once, copied for each test that changes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reserve.sample import Sample, build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """Never changed by a test."""
    return build(tmp_path_factory.mktemp("sample") / "top")


@pytest.fixture
def sample(built: Sample, tmp_path: Path) -> Sample:
    return built.copy(tmp_path / "top")
