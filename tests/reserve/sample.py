"""A repository with a reserve as an honest operator leaves it, made by the product's own operations.

`repo/` holds three batches: `first` is revealed with the logs of one submission, `running` is announced, `next` is only sealed.
Beside it lie the operator's store, the runs of the system `reference` on the entry of `running`, that system's repository,
and small things that examples use: an unsealed bundle, a race, a recipient, the hashes of a closed and of a running entry.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.reserve.forge import canon
from tests.reserve.runs import write_run

from wellposed.compiler.load import load_bundle
from wellposed.dsl.codes.bundle import _GOOD
from wellposed.reserve.ledger import Ledger
from wellposed.reserve.operations.announce import Submission, announce
from wellposed.reserve.operations.publish import Rules, publish
from wellposed.reserve.operations.record import record
from wellposed.reserve.operations.reveal import reveal
from wellposed.reserve.seal import seal
from wellposed.reserve.store import Store

FAR = "2099-12-31"
HARNESS = "sha256:" + "9" * 64
SYSTEM = "reference"
RECIPIENT = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
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
PUBLIC = """\
scenario public {
  level L0
  horizon 25
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  expect { m1 sent exactly once within 10 }
}
"""
_IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "operator"), ("EMAIL", "operator@example.test"), ("DATE", "2026-01-21T00:00:00Z"))
}
_QUICK = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "none"}
ENVIRONMENT = {**os.environ, **_IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C", **_QUICK}


@dataclass(frozen=True)
class Sample:
    """Where things are, and the commitments of each batch."""

    top: Path
    commits: dict[str, list[str]]

    @property
    def repo(self) -> Path:
        return self.top / "repo"

    @property
    def reserve(self) -> Path:
        return self.repo / "reserve"

    @property
    def ledger(self) -> Path:
        return self.reserve / "ledger.jsonl"

    def copy(self, to: Path) -> Sample:
        shutil.copytree(self.top, to)
        return Sample(to, self.commits)


def document(number: int) -> dict[str, Any]:
    """Well-posed documents that are different tests: the horizon is part of what a scenario is."""
    value: dict[str, Any] = json.loads(_GOOD)
    return {**value, "horizon": 30 + number, "id": f"entry-{number}"}


def git(folder: Path, *arguments: str, stdin: bytes | None = None) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, env=ENVIRONMENT, input=stdin
    )  # fmt: skip
    return done.stdout.decode().strip()


def commit(repo: Path, message: str = "more") -> str:
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)
    return git(repo, "rev-parse", "HEAD")


def on(day: int) -> datetime:
    return datetime(2026, 1, day, tzinfo=UTC)


def build(top: Path) -> Sample:
    """Everything, a commit for each step."""
    repo, reserve = top / "repo", top / "repo" / "reserve"
    (repo / "scenarios").mkdir(parents=True)
    (repo / "scenarios" / "public.scenario").write_text(PUBLIC)
    (repo / ".gitattributes").write_text("reserve/** -text\n")
    git(repo, "init", "-q", "-b", "main")
    commit(repo, "the public scenarios")
    store = Store(top / "store")
    store.prepare()
    commits = {"first": _sealed(store, 1, 2), "running": _sealed(store, 3), "next": _sealed(store, 4, 5)}
    submission = _system(top / SYSTEM)
    publish(Ledger(reserve, on(2)), "first", "2026-01-31", commits["first"], Rules("A reserve", ["the operator"], 36500))
    commit(repo, "the first batch")
    announce(Ledger(reserve, on(3)), "first", [submission], HARNESS, "2026-01-20")
    commit(repo, "announced")
    for number, entry in enumerate(commits["first"]):
        runs = [top / f"runs-{number}" / str(run) for run in range(1, 6)]
        for run in runs:
            write_run(_stored(store, entry), run, send=4 + number)
        record(Ledger(reserve, on(4)), entry, SYSTEM, runs, store)
    commit(repo, "results")
    reveal(Ledger(reserve, on(21)), "first", store, {}, ["operator"])
    publish(Ledger(reserve, on(21)), "running", FAR, commits["running"], None)
    announce(Ledger(reserve, on(22)), "running", [submission], HARNESS, FAR)
    publish(Ledger(reserve, on(22)), "next", FAR, commits["next"], None)
    commit(repo, "revealed, and two batches more")
    for run in range(1, 6):
        write_run(_stored(store, commits["running"][0]), top / "runs" / str(run))
    (top / "new.json").write_bytes(canon(document(9)) + b"\n")
    (top / "race.scenario").write_text(RACE)
    (top / "recipient").write_text(RECIPIENT)
    (top / "closed").write_text(commits["next"][0].removeprefix("sha256:"))
    (top / "running").write_text(commits["running"][0].removeprefix("sha256:"))
    return Sample(top, commits)


def _sealed(store: Store, *numbers: int) -> list[str]:
    bundles = []
    for number in numbers:
        bundle, _ = load_bundle(canon(document(number)) + b"\n", f"{number}.json")
        assert bundle is not None
        bundles.append(bundle)
    return sorted(one.commit for one in seal(bundles, store, []))


def _stored(store: Store, entry: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(store.get(entry))
    return value


def _system(folder: Path) -> Submission:
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "system.txt").write_text("a small honest system\n")
    commit(folder, "the system")
    head, tree = git(folder, "rev-parse", "HEAD"), git(folder, "rev-parse", "HEAD^{tree}")
    return Submission(SYSTEM, "https://example.test/reference", head, tree)
