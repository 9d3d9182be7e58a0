"""The command line as its own tests use it, and a repository for claims."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.claims.examples import SCENARIOS, beside, filled, put
from tests.cli.conftest import folder, wellposed

__all__ = ["Claimed", "claimed", "folder", "wellposed"]

Claimed = Callable[..., Path]


@pytest.fixture
def claimed(folder: Path) -> Claimed:
    """`claimed(text, name)`: a claim with what its text names beside it, in a repository with a few scenarios."""
    for path in folder.glob("*.scenario"):
        path.unlink()
    put(folder / "scenarios", {f"{name}.scenario": text.encode() for name, text in SCENARIOS.items()})

    def write(text: str, name: str = "example") -> Path:
        claim = folder / "claims" / name
        put(claim, {"claim.yaml": filled(text).encode(), **dict(beside(text))})
        return claim

    return write
