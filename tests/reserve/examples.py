"""How the examples of the WP8xx codes are run: put into a folder, and the command line that looks at them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.reserve.forge import canon, edit, from_text, revealed, sha
from tests.reserve.sample import ENVIRONMENT, Sample, build

from wellposed.dsl.codes import Example

KINDS = ("ledger", "revealed", "logs", "reserve")
DAY = "2026-01-10"
_STATUS = ["reserve", "status", "--as-of", DAY]


@cache
def _folder() -> TemporaryDirectory[str]:
    """Removed when the process ends."""
    return TemporaryDirectory(prefix="reserve-sample-")


@cache
def _built() -> Sample:
    return build(Path(_folder().name) / "top")


def prepare(example: Example, folder: Path) -> list[str]:
    """Put the example into the folder, move there, and return the arguments of the command that looks at it."""
    if example.kind in ("ledger", "revealed"):
        reserve = folder / "alone" / "reserve"
        reserve.mkdir(parents=True)
        if example.kind == "ledger":
            (reserve / "ledger.jsonl").write_bytes(from_text(example.text))
        else:
            parts = (part.partition("\n") for part in f"\n{example.text}".split("\n#: ")[1:])
            revealed(reserve, {name: (text.rstrip("\n") + "\n").encode() for name, _, text in parts})
        os.chdir(folder / "alone")
        return _STATUS
    sample = _built().copy(folder / "sample")
    os.chdir(sample.repo)
    if example.kind == "logs":
        _with_other_logs(sample, lambda logs: _shell(example.text, logs))
        return ["reserve", "status"]
    *steps, last = example.text.strip().split("\n")
    _shell("\n".join(steps), sample.repo)
    shown = _shell(f"set -- {last}\nfor word; do printf '%s\\0' \"$word\"; done", sample.repo)
    return shown.split("\0")[1:-1]


def _with_other_logs(sample: Sample, change: Callable[[Path], object]) -> None:
    """Change the logs of the first result before its hash is published, and chain the ledger anew over that."""
    import json

    logs = next(sample.reserve.glob("logs/*/3"))
    change(logs)
    manifest = json.loads((logs / "manifest.json").read_bytes())
    for number, run in enumerate(manifest["runs"], 1):
        run["files"] = {name: sha((logs / f"run-{number}" / name).read_bytes()) for name in run["files"]}
    (logs / "manifest.json").write_bytes(canon(manifest) + b"\n")
    published = sha((logs / "manifest.json").read_bytes())
    edit(sample.ledger, lambda lines: lines[3]["body"].update(logs=published))


def _shell(script: str, folder: Path) -> str:
    done = subprocess.run(["sh", "-ec", script], cwd=folder, check=True, capture_output=True, env=ENVIRONMENT)
    return done.stdout.decode()


