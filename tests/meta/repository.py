"""What the tests of this folder share: where the repository is and which files are in it."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PORTIONS = ("dsl", "compiler", "verifier", "reserve", "cli")


@functools.cache
def files() -> tuple[Path, ...]:
    """Every file that git has or would take, as absolute paths; without git, every file outside ignored folders."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    return tuple(ROOT / name for name in sorted(set(listing.split("\0"))) if name and (ROOT / name).is_file())


def modules() -> tuple[Path, ...]:
    """The Python modules of the product."""
    return tuple(path for path in files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in PORTIONS)
