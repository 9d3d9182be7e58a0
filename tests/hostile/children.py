"""What a verb does with an input, in a child with 512 MiB of address space that is killed after 30 seconds of work."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

MEMORY = 512 * 2**20
"""Address space of a child in bytes, the interpreter's own included."""
SECONDS = 30
"""What a child may compute for one command; ten times as long it may wait, since other work shares the machine."""


@dataclass(frozen=True)
class Said:
    """What one command left."""

    command: tuple[str, ...]
    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Child:
    """What one child did: `signal` is what ended it before its time, seconds are of CPU, `peak` is resident bytes."""

    signal: int | None
    seconds: float
    peak: int
    said: tuple[Said, ...]


class Children:
    """A process that forks a child for each list of commands. Use it in a `with` statement."""

    def __enter__(self) -> Self:
        command = [sys.executable, "-P", str(Path(__file__).with_name("server.py"))]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.communicate()

    def run(self, folder: Path, commands: Sequence[Sequence[str]]) -> Child:
        """Run the commands in the folder one after the other, with nothing on standard input."""
        request = {
            "folder": str(folder),
            "commands": [list(command) for command in commands],
            "memory": MEMORY,
            "seconds": SECONDS,
        }
        assert self._server.stdin is not None and self._server.stdout is not None
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        answer = json.loads(self._server.stdout.readline())
        said = tuple(Said(tuple(one["command"]), one["status"], one["out"], one["err"]) for one in answer["results"])
        return Child(answer["signal"], answer["seconds"], answer["peak"], said)
