"""The repository as it is now, without what the tool does not need, in a folder of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.meta.repository import ROOT, files

_LEFT_OUT = ("tests/", "docs/", "examples/", "bench/")


def take(target: Path) -> None:
    """Copy what git has, or would take."""
    for path in files():
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(_LEFT_OUT):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target / name)
