"""The logs of an application: a salted manifest whose hash is published at once, the logs themselves with the reveal.

Without the salt the hash would be a way to test guesses: the logs of a deterministic system under a guessed scenario can be
made by anybody.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wellposed.compiler.canonical import file_bytes, sha256
from wellposed.compiler.opened import Opened, Refused
from wellposed.reserve.disk import PRIVATE, PRIVATE_FOLDER, make_folder, write_whole
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.shapes import LOGS_FORMAT, RUN_FILES
from wellposed.reserve.trees import NotReadable, Tree

MANIFEST_FILE = "manifest.json"
MAX_MANIFEST = 1 << 20
MAX_LOG = 64 << 20
"""Bytes of one file of a run."""
UNREADABLE, MISSING = "WP875", "WP888"


@dataclass(frozen=True, slots=True)
class Run:
    """The files of one run by name, and what the judge says of it."""

    files: Mapping[str, bytes]
    outcome: Mapping[str, str]
    forced_advances: int


def read_run(folder: Path) -> dict[str, bytes]:
    """The files of a run directory. Raises Refusal where one is missing or is none."""
    try:
        with Opened(folder) as opened:
            return {name: opened.read(name, MAX_LOG) for name in RUN_FILES}
    except Refused as refused:
        raise Refusal(at_file(UNREADABLE, refused.message, refused.path)) from refused
    except OSError as error:
        what = f"the run cannot be read: {(error.strerror or '').lower()} ({Path(str(error.filename or folder)).name})"
        raise Refusal(at_file(UNREADABLE, what, str(folder), "docs/runs.md has the files of a run")) from error


def manifest_of(
    commit: str, submission: str, impl: str, rules_hash: str, runs: Sequence[Run], outcome: Mapping[str, str]
) -> bytes:
    """The file of a manifest, with a salt that nobody has seen."""
    return file_bytes(
        {
            "format": LOGS_FORMAT,
            "salt": secrets.token_hex(32),
            "commit": commit,
            "submission": submission,
            "impl": impl,
            "rules_hash": rules_hash,
            "runs": [
                {
                    "files": {name: sha256(raw) for name, raw in run.files.items()},
                    "outcome": dict(run.outcome),
                    "forced_advances": run.forced_advances,
                }
                for run in runs
            ],
            "outcome": dict(outcome),
        }
    )


def names_of(runs: int) -> list[str]:
    """The relative paths of everything in a folder of logs: the manifest, and the files of each run."""
    return [MANIFEST_FILE, *(f"run-{number}/{name}" for number in range(1, runs + 1) for name in RUN_FILES)]


class KeptLogs:
    """Logs that are not published yet, in a folder of the store, named by the hash of their manifest."""

    def __init__(self, store: Path) -> None:
        self._store = store

    def put(self, manifest: bytes, runs: Sequence[Run]) -> str:
        """Keep the logs, and return the hash of the manifest. Raises OSError."""
        name = sha256(manifest)
        folder = self._folder(name)
        for number, run in enumerate(runs, 1):
            inner = folder / f"run-{number}"
            make_folder(inner, PRIVATE_FOLDER)
            for file, raw in run.files.items():
                write_whole(inner / file, raw, PRIVATE)
        write_whole(folder / MANIFEST_FILE, manifest, PRIVATE)
        return name

    def get(self, commit: str, name: str) -> dict[str, bytes]:
        """Everything that is kept under the hash of a manifest, by relative path. Raises Refusal."""
        folder = self._folder(name)
        found: dict[str, bytes] = {}
        try:
            with Opened(folder) as opened:
                found[MANIFEST_FILE] = opened.read(MANIFEST_FILE, MAX_MANIFEST)
                for run in (one for one in opened.names() if one.startswith("run-")):
                    with opened.folder(run) as inner:
                        found |= {f"{run}/{file}": inner.read(file, MAX_LOG) for file in inner.names()}
        except (Refused, OSError) as error:
            what = f"the logs of {commit[:23]}… are not in the store whole"
            raise Refusal(at_file(MISSING, what, str(folder))) from error
        return found

    def _folder(self, name: str) -> Path:
        return self._store / f"logs-{name.removeprefix('sha256:')}"


def differences(tree: Tree, folder: str, manifest: Mapping[str, Any]) -> tuple[list[tuple[str, str]], list[dict[str, bytes]]]:
    """What in a folder of logs is not what its manifest says, as (relative path, sentence); and the files of each run."""
    wrong: list[tuple[str, str]] = []
    runs: list[dict[str, bytes]] = []
    for number, run in enumerate(manifest["runs"], 1):
        files: dict[str, bytes] = {}
        for name, due in run["files"].items():
            path = f"run-{number}/{name}"
            try:
                raw = tree.read(f"{folder}/{path}", MAX_LOG)
            except NotReadable as problem:
                wrong.append((path, f"the log {problem}"))
                continue
            if sha256(raw) != due:
                wrong.append((path, f"the log hashes to {sha256(raw)}, and the manifest has {due}"))
            else:
                files[name] = raw
        runs.append(files)
    known = {path.split("/")[0] for path in names_of(len(manifest["runs"]))}
    wrong += [(name, "the manifest does not have this") for name in _top_and_runs(tree, folder, known)]
    return wrong, runs


def _top_and_runs(tree: Tree, folder: str, known: set[str]) -> list[str]:
    strange = []
    for name in tree.names(folder):
        if name.rstrip("/") not in known:
            strange.append(name)
        elif name.endswith("/"):
            strange += [f"{name}{inner}" for inner in tree.names(f"{folder}/{name}".rstrip("/")) if inner not in RUN_FILES]
    return strange
