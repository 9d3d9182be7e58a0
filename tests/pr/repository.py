"""A repository with published scenarios, a bundle, a claim and a reserve, as pull requests are made against it.

Author, dates and contents are fixed, so that every commit has the same id everywhere. `repo/` is on the branch `topic`, which
is where `main` is; beside it lie things that pull requests bring.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.reserve.forge import GENESIS, chain, seal_line, sha

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.canonical import file_bytes
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.folder import write_folder
from wellposed.dsl.source import read_source

_WHO = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "author"), ("EMAIL", "author@example.test"), ("DATE", "2026-02-01T00:00:00Z"))
}
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    **_WHO,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "3",
    "GIT_CONFIG_KEY_0": "core.fsync",
    "GIT_CONFIG_VALUE_0": "none",
    "GIT_CONFIG_KEY_1": "core.autocrlf",
    "GIT_CONFIG_VALUE_1": "false",
    "GIT_CONFIG_KEY_2": "protocol.file.allow",
    "GIT_CONFIG_VALUE_2": "always",
    "LC_ALL": "C",
}

DESK = """\
rules desk {
  admit  orders when subject contains "order" and posture is normal
  refuse rest
}
"""
HELLO = """\
scenario hello {
  title   "One message, one reply"
  level   L0
  horizon 20

  conversation order {
    from    "ada@example.test"
    subject "Where is my order?"
  }

  at 0 deliver m1 in order "Hello."

  expect {
    m1 drafted within 10
    m1 sent exactly once within 10
  }
}
"""
GOVERNED = """\
scenario governed {
  title   "A reply waits for its approval, through a redelivery and a crash"
  level   L2
  horizon 60

  conversation order {
    from    "ada@example.test"
    subject "Where is my order?"
    anchor  "ORD-1001"
  }

  at 0  deliver m1 in order "Hello, where is {anchor}?"
  at 3  redeliver m1
  at 15 crash
  at 20 approve m1 as go

  expect {
    m1 admitted within 5
    m1 sent exactly once within 5 of go
  }
  catches sends-without-approval
}
"""
ESCALATED = """\
scenario escalated {
  title   "Taken over after the approval"
  level   L6
  horizon 40

  conversation order {
    from    "ada@example.test"
    subject "Where is my order?"
    anchor  "ORD-1001"
  }

  at 0 deliver m1 in order "Hello, where is {anchor}?"
  at 12 {
    approve  m1
    escalate m1
  }

  expect {
    m1 admitted within 5
    m1 never sent
    m1 abandoned because operator_escalation
  }
  catches sends-after-escalation
}
"""
DISPUTED = """\
scenario disputed {
  title   "Taken over one tick after the approval"
  level   L6
  horizon 40

  conversation order {
    from    "ada@example.test"
    subject "Where is my order?"
    anchor  "ORD-1001"
  }

  at 0  deliver m1 in order "Hello, where is {anchor}?"
  at 12 approve m1
  at 13 escalate m1

  expect {
    m1 never sent
  }
}
"""
DESK_SCENARIO = """\
import "rules/desk.rules"

scenario desk-{number} {{
  title   "Mail that the desk {verb}, at tick {at}"
  level   L2
  horizon 60
  rules   desk

  conversation one {{
    from    "ada@example.test"
    subject "{subject}"
  }}
  conversation two {{
    from    "bea@example.test"
    subject "Another order"
  }}

  at {at} deliver m1 in one "Hello."
  at {at} deliver m2 in two "Good day."
  at 30 approve m2 as go

  expect {{
    m1 {claim}
    m2 sent exactly once within 5 of go
  }}
}}
"""
NEW = """\
scenario new {
  title   "A new one: the same mail comes twice"
  level   L1
  horizon 30

  conversation refund {
    from    "bea@example.test"
    subject "A refund, please"
    anchor  "REF-7"
  }

  at 0 deliver m1 in refund "I would like {anchor} to be settled."
  at 4 redeliver m1

  expect {
    m1 sent exactly once within 10
  }
  catches duplicates-on-redelivery
}
"""
_LATER = DISPUTED.replace("at 12", "at 22").replace("at 13", "at 23")
RACE = _LATER.replace("scenario disputed", "scenario race").replace(
    "  expect {", '  rejected ambiguous WP501 "the escalation comes one tick late"\n\n  expect {'
)
ACCEPTED = _LATER.replace("scenario disputed", "scenario accepted").replace("    m1 never", '    allow WP501 "either is fine here"\n    m1 never')
CLAIM = """\
format: wellposed-claim/1
kind: fixture-defect
scenario: disputed
shows: rejects-conforming
justification: The escalation comes one tick after the approval, so a prompt and honest system has replied already.
disclosure: The author of this claim wrote none of the systems that were judged.
"""
README = "# A benchmark\n\nIts scenarios are in `scenarios/`.\n"
WORKFLOW = "name: check\non: pull_request\npermissions: {}\njobs: {}\n"
SEALED = HELLO.replace("scenario hello", "scenario hidden").replace("horizon 20", "horizon 33")


@dataclass(frozen=True)
class Sample:
    """Where the repository lies."""

    top: Path

    @property
    def repo(self) -> Path:
        return self.top / "repo"

    def copy(self, top: Path) -> Sample:
        """The same in another folder."""
        shutil.copytree(self.top, top, symlinks=True)
        return Sample(top)


def git(folder: Path, *arguments: str) -> str:
    """Run git with a fixed author and no configuration."""
    done = subprocess.run(["git", *arguments], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)
    return done.stdout.decode().strip()


def shell(script: str, folder: Path) -> str:
    """Run a script, which ends at its first failure."""
    done = subprocess.run(["sh", "-ec", script], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)
    return done.stdout.decode()


def sealed_bytes() -> bytes:
    """The sealed entry of the reserve, with a nonce that is fixed here."""
    document = dict(bundle_of(SEALED).document)
    document["seal"] = {"alg": "reserve-seal/1", "nonce": "5" * 64}
    return file_bytes(document)


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def desk_scenarios() -> dict[str, str]:
    """Five scenarios that import the same rules."""
    files = {}
    for number, (subject, at) in enumerate((("An order", 0), ("My order", 1), ("An offer", 2), ("The order", 3), ("Late order", 4)), 1):
        admitted = "order" in subject
        files[f"scenarios/desk-{number}.scenario"] = DESK_SCENARIO.format(
            number=number, subject=subject, at=at,
            verb="takes" if admitted else "leaves alone",
            claim="admitted within 5" if admitted else "not admitted",
        )  # fmt: skip
    return files


def build(top: Path) -> Sample:
    """Make the repository."""
    sealed = sealed_bytes()
    repo = top / "repo"
    write(repo, {"README.md": README, ".github/workflows/check.yml": WORKFLOW})
    git(repo, "init", "-q", "-b", "main")
    commit(repo, "begun")
    write(
        repo,
        {
            "scenarios/rules/desk.rules": DESK,
            "scenarios/hello.scenario": HELLO,
            "scenarios/governed.scenario": GOVERNED,
            "scenarios/escalated.scenario": ESCALATED,
            "scenarios/disputed.scenario": DISPUTED,
            **desk_scenarios(),
            "reserve/ledger.jsonl": chain([GENESIS, seal_line([sha(sealed)])]),
            "claims/known/claim.yaml": CLAIM,
        },
    )
    write_folder(bundle_of(HELLO), repo / "bundles")
    (repo / "bundles" / "hello" / "bundle.map.json").unlink(missing_ok=True)
    write(
        top,
        {
            "new.scenario": NEW,
            "race.scenario": RACE,
            "accepted.scenario": ACCEPTED,
            "sealed.json": sealed,
            "proof.ots": b"\0",
            "claim/claim.yaml": CLAIM,
        },
    )
    commit(repo, "published")
    git(repo, "checkout", "-q", "-b", "topic")
    return Sample(top)


def commit(repo: Path, message: str) -> None:
    """Commit everything."""
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)


def bundle_of(text: str) -> Bundle:
    """The bundle of the one scenario of a source without imports."""
    source, _ = read_source("built.scenario", text.encode())
    assert source is not None
    bundle = compile_source(source).scenarios[0].bundle
    assert bundle is not None
    return bundle
