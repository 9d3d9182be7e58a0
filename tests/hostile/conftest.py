"""One process that forks the children of all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.hostile.children import Children


@pytest.fixture(scope="session")
def children() -> Iterator[Children]:
    with Children() as started:
        yield started
