"""The command line as tests use it: in this process, in a folder of its own."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from wellposed.cli.main import main

HELLO = """\
scenario hello {
  level L0
  horizon 20
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  expect { m1 sent exactly once within 10 }
}
"""
RACE = """\
scenario race {
  level L6
  horizon 40
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  at 12 approve m1
  at 13 escalate m1
  expect { m1 never sent }
}
"""


@dataclass(frozen=True)
class Result:
    """What one call left: exit status, stdout, stderr."""

    status: int
    out: str
    err: str


Command = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of a test, with `hello.scenario`, `race.scenario` and an empty folder in it."""
    (tmp_path / "hello.scenario").write_text(HELLO)
    (tmp_path / "race.scenario").write_text(RACE)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def wellposed(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """`wellposed("check", "hello.scenario", stdin=b"…")`."""

    def run(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        status = main(list(arguments))
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Result(status, captured.out, captured.err)

    return run
