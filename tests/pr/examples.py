"""How the examples of kind `pull` are run: on a branch of the repository, and the command line that looks at it."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pr.repository import Sample, build, commit, git, shell

from wellposed.dsl.codes import Example

KINDS = ("pull",)


@cache
def _folder() -> TemporaryDirectory[str]:
    """Removed when the process ends."""
    return TemporaryDirectory(prefix="pull-sample-")


@cache
def built() -> Sample:
    """The repository, made once."""
    return build(Path(_folder().name) / "top")


def prepare(example: Example, folder: Path) -> list[str]:
    """Do what the example says in a copy, move there, commit, and return the arguments of the command that looks at it."""
    sample = built().copy(folder / "pull")
    os.chdir(sample.repo)
    *steps, last = example.text.strip().split("\n")
    shell("\n".join(steps), sample.repo)
    if git(sample.repo, "status", "--porcelain"):
        commit(sample.repo, "a change")
    return last.split()[1:]
