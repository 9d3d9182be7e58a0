"""Pull requests as strangers make them: good, sloppy and malicious. Each says what its author is after, and the verdict it deserves."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pr.repository import (
    ACCEPTED,
    CLAIM,
    DISPUTED,
    ENVIRONMENT,
    ESCALATED,
    HELLO,
    NEW,
    Sample,
    bundle_of,
    commit,
    git,
    sealed_bytes,
    shell,
    write,
)

from wellposed.cli.main import main
from wellposed.compiler.canonical import file_bytes
from wellposed.verifier.verify import verify

ACCEPT, PERSON, REJECT, NONE = "accept", "needs a person", "reject", "no verdict"
FAILS = """\
format: wellposed-claim/1
kind: mechanism-fails
scenario: {scenario}
level: {level}
obligations:
  - {obligation}
system: {system}
logs:
  - runs/0
  - runs/1
class: mechanism
justification: The sender is not asked again after the operator took over, as anybody can see in the outbox.
disclosure: The author of this claim works on another system.
"""


@dataclass(frozen=True)
class PullRequest:
    """What is done on the branch `topic`; what is left uncommitted is committed with the title as its message."""

    name: str
    title: str
    intent: str
    deserves: str
    make: Callable[[Sample], object]

    def put(self, sample: Sample) -> None:
        self.make(sample)
        if git(sample.repo, "status", "--porcelain"):
            commit(sample.repo, self.title)


def _files(files: dict[str, str | bytes]) -> Callable[[Sample], object]:
    return lambda sample: write(sample.repo, files)


def _steps(script: str) -> Callable[[Sample], object]:
    return lambda sample: shell(script, sample.repo)


def _edited(path: str, text: str, *changes: tuple[str, str]) -> Callable[[Sample], object]:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return _files({path: text})


@cache
def _runs_folder() -> TemporaryDirectory[str]:
    """Removed when the process ends."""
    return TemporaryDirectory(prefix="pull-runs-")


@cache
def runs(system: str, text: str) -> dict[str, bytes]:
    """Two runs of a system in a scenario, by path; the simulator is deterministic."""
    top = Path(_runs_folder().name) / system
    write(top, {"scenario/example.scenario": text})
    assert main(["simulate", str(top / "scenario" / "example.scenario"), "--system", system, "--runs", "2", "--out", str(top / "runs"), "-q"]) == 0
    return {f"runs/{path.relative_to(top / 'runs').as_posix()}": path.read_bytes() for path in sorted((top / "runs").rglob("*")) if path.is_file()}


def _with_logs(claim: str, system: str, text: str) -> Callable[[Sample], object]:
    def make(sample: Sample) -> None:
        write(sample.repo / "claims" / "late-sender", {"claim.yaml": claim, **runs(system, text)})

    return make


def _claimed_defect(scenario: str, text: str, passing: bool) -> Callable[[Sample], object]:
    """A claim that a scenario rejects a conforming run, with a run of it that passes, or one that fails."""

    def make(sample: Sample) -> None:
        found = verify(bundle_of(text))
        run = [dict(event.data) for event in (found.passing if passing else found.failing)]
        claim = CLAIM.replace("scenario: disputed", f"scenario: {scenario}").replace("conforming\n", "conforming\nwitness: run.json\n")
        write(sample.repo / "claims" / "one-tick-late", {"claim.yaml": claim, "run.json": file_bytes(run)})

    return make


REPAIRED = DISPUTED.replace("    m1 never sent\n", "    any of { m1 sent exactly once } or { m1 abandoned because operator_escalation }\n")


RACE = ACCEPTED.replace("scenario accepted", "scenario race").replace('    allow WP501 "either is fine here"\n', "")


def _change_claim(scenario: str, before: str, after: str, why: str) -> str:
    return (
        f"format: wellposed-claim/1\nkind: scenario-change\nscenario: {scenario}\nbundle: {after}\nprevious: {before}\n"
        f"justification: {why}\ndisclosure: None of the systems is the author's.\n"
    )


def _repair(sample: Sample) -> None:
    claim = CLAIM.replace("scenario: disputed\n", f"scenario: disputed\nbundle: {bundle_of(DISPUTED).hash}\n")
    write(sample.repo, {"scenarios/disputed.scenario": REPAIRED, "claims/either-is-lawful/claim.yaml": claim})


def _justified(sample: Sample) -> None:
    loose = HELLO.replace("    m1 drafted within 10\n", "")
    why = "A draft is a means; whether one is declared before the reply is nobody's business at this level."
    write(sample.repo, {"scenarios/hello.scenario": loose, "claims/drafts-are-means/claim.yaml": _change_claim("hello", bundle_of(HELLO).hash, bundle_of(loose).hash, why)})


def _ledger(sample: Sample) -> None:
    path = sample.repo / "reserve" / "ledger.jsonl"
    path.write_bytes(path.read_bytes().replace(b"2026-01-31", b"2027-01-31"))


def _leak(sample: Sample) -> None:
    pretty = json.dumps(json.loads(sealed_bytes()), indent=2)
    write(sample.repo, {"scenarios/second.scenario": NEW.replace("scenario new", "scenario second"), "docs/example.txt": pretty})


def _leak_on_the_way(sample: Sample) -> None:
    write(sample.repo, {"notes.json": sealed_bytes()})
    commit(sample.repo, "notes")
    git(sample.repo, "rm", "-q", "notes.json")
    write(sample.repo, {"scenarios/new.scenario": NEW})


def _renamed(sample: Sample) -> None:
    git(sample.repo, "mv", "scenarios/escalated.scenario", "scenarios/takeover.scenario")
    text = ESCALATED.replace("scenario escalated", "scenario takeover").replace("at 12 {", "at 13 {")
    write(sample.repo, {"scenarios/takeover.scenario": text})


def _attributes(sample: Sample) -> None:
    write(sample.repo, {"scenarios/new.scenario": NEW})
    git(sample.repo, "add", "-A")
    tricks = "*.scenario working-tree-encoding=UTF-16LE linguist-generated\nhello.scenario -diff\n"
    write(sample.repo, {"scenarios/.gitattributes": tricks})
    git(sample.repo, "add", "scenarios/.gitattributes")
    git(sample.repo, "commit", "-q", "-m", "Attributes for scenarios")


def _replaced(sample: Sample) -> None:
    write(sample.repo, {"scenarios/new.scenario": NEW})
    commit(sample.repo, "A scenario for doubled mail")
    ambiguous = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"], cwd=sample.repo, env=ENVIRONMENT, input=RACE.encode(), capture_output=True, check=True
    ).stdout.decode().strip()  # fmt: skip
    git(sample.repo, "replace", ambiguous, git(sample.repo, "rev-parse", "HEAD:scenarios/new.scenario"))
    git(sample.repo, "rm", "-q", "--cached", "scenarios/new.scenario")
    git(sample.repo, "update-index", "--add", "--cacheinfo", f"100644,{ambiguous},scenarios/new.scenario")
    git(sample.repo, "commit", "-q", "--amend", "-m", "A scenario for doubled mail")
    git(sample.repo, "--no-replace-objects", "reset", "-q", "--hard")


def _thousands(sample: Sample) -> None:
    blob = git(sample.repo, "rev-parse", "HEAD:README.md")
    listing = "".join(f"100644 {blob}\tnotes/{number:05}.md\n" for number in range(10_000))
    subprocess.run(["git", "update-index", "--index-info"], cwd=sample.repo, env=ENVIRONMENT, input=listing.encode(), check=True)
    git(sample.repo, "commit", "-q", "-m", "Notes")
    git(sample.repo, "reset", "-q", "--hard")


def _names(sample: Sample) -> None:
    write(
        sample.repo,
        {
            "scenarios/new.scenario": NEW,
            "scenarios/a\n::error::owned\nb.scenario": NEW.replace("scenario new", "scenario third"),
            "scenarios/oiranecs.\u202etxt": "x",
        },
    )
    name = bytes(sample.repo) + b"/scenarios/\xff.scenario"
    Path(name.decode("utf-8", "surrogateescape")).write_text(NEW)


def _injected(sample: Sample) -> None:
    text = NEW.replace("scenario new", "scenario loud").replace(
        "A new one: the same mail comes twice", "</summary><script>x</script> @everyone | `code` ![x](https://example.test/p.png) #1 ##[error]x"
    )
    allowed = text.replace("  expect {", '  allow WP501 "@everyone | <img src=x> [ok](https://example.test) ```\\n::error::x"\n  expect {')
    write(sample.repo, {"scenarios/loud.scenario": allowed})


def _bundle_removed(sample: Sample) -> None:
    git(sample.repo, "rm", "-q", "-r", "bundles/hello")
    write(sample.repo, {"scenarios/hello.scenario": HELLO.replace("horizon 20", "horizon 21")})


PULLS = (
    PullRequest(
        "honest-new-scenario", "A scenario for doubled mail",
        "adds a well-posed scenario that tests what none tested", ACCEPT,
        _files({"scenarios/new.scenario": NEW}),
    ),
    PullRequest(
        "ambiguous-new-scenario", "Escalation right after the approval",
        "adds a scenario in good faith, in which a prompt and a slow honest system come out differently", REJECT,
        _files({"scenarios/race.scenario": RACE}),
    ),
    PullRequest(
        "loosened-under-a-typo", "Fix a typo in a title",
        "drops the expectation that a favoured system fails, under a harmless title", REJECT,
        _edited("scenarios/escalated.scenario", ESCALATED, ("Taken over after", "Taken over, after"), ("    m1 never sent\n", "")),
    ),
    PullRequest(
        "loosened-with-a-claim", "A draft is a means",
        "drops an expectation openly, with a claim that gives the reason", PERSON, _justified,
    ),
    PullRequest(
        "rules-edit-flips-five", "Support the word parcel",
        "edits one shared rules file, by which five scenarios that nobody touched can no longer be passed", REJECT,
        _steps("sed -i 's/contains \"order\"/contains \"rder,\"/' scenarios/rules/desk.rules"),
    ),
    PullRequest(
        "claim-with-foreign-logs", "A system sends after an escalation",
        "claims that a system fails a scenario, with logs that were made in another one", REJECT,
        _with_logs(FAILS.format(scenario="escalated", level="L6", obligation="L6.stop", system="late sender"), "duplicates-on-redelivery", NEW),
    ),
    PullRequest(
        "claim-with-good-logs", "A system sends after an escalation",
        "claims that a system fails a scenario, with logs that show it", PERSON,
        _with_logs(FAILS.format(scenario="escalated", level="L6", obligation="L6.stop", system="late sender"), "sends-after-escalation", ESCALATED),
    ),
    PullRequest(
        "edited-ledger-line", "Correct a date",
        "gives the operator a year more by editing a published line of the ledger", REJECT, _ledger,
    ),
    PullRequest(
        "leaked-sealed-source", "Another scenario, and an example",
        "puts a sealed scenario into the repository, pretty-printed under a harmless name", REJECT, _leak,
    ),
    PullRequest(
        "leaked-and-removed-again", "A scenario for doubled mail",
        "had a sealed scenario in its first commit, and removed it in the second", REJECT, _leak_on_the_way,
    ),
    PullRequest(
        "added-allow", "A race, on purpose",
        "adds an ambiguous scenario and allows the finding, with a reason", PERSON,
        _files({"scenarios/accepted.scenario": ACCEPTED}),
    ),
    PullRequest(
        "renamed-with-one-tick-changed", "A better name",
        "renames a scenario, and moves approval and escalation by one tick on the way", PERSON, _renamed,
    ),
    PullRequest(
        "attributes-tricks", "Attributes for scenarios",
        "makes checkouts hold other bytes than were reviewed, and hides changes on the page of a pull request", REJECT, _attributes,
    ),
    PullRequest(
        "replace-refs", "A scenario for doubled mail",
        "comes with a replace ref that shows whoever looks with git a well-posed scenario in the place of an ambiguous one", REJECT, _replaced,
    ),
    PullRequest(
        "symlinked-scenario", "A scenario for doubled mail",
        "adds a scenario that is a link to a file outside of the repository", REJECT,
        _steps("ln -s ../../../../etc/hostname scenarios/new.scenario"),
    ),
    PullRequest(
        "workflow-edit", "A scenario for doubled mail",
        "adds a good scenario, and lets the workflow run with write access on pull requests from strangers", PERSON,
        _files({"scenarios/new.scenario": NEW, ".github/workflows/check.yml": "on: pull_request_target\npermissions: write-all\njobs: {}\n"}),
    ),
    PullRequest(
        "defect-with-true-witness", "One tick late",
        "claims that a published scenario rejects a conforming run, which it does, and shows the run", PERSON,
        _claimed_defect("disputed", DISPUTED, passing=False),
    ),
    PullRequest(
        "defect-with-false-witness", "One tick late",
        "claims the same of a scenario with a run that conforms and passes, to have a failure taken back", REJECT,
        _claimed_defect("escalated", ESCALATED, passing=True),
    ),
    PullRequest(
        "repair-with-claim", "Either is lawful",
        "repairs a scenario that was ambiguous, with a claim that gives the defect; the most useful pull request there is", PERSON, _repair,
    ),
    PullRequest("empty", "Nothing", "changes nothing", NONE, lambda sample: commit(sample.repo, "Nothing")),
    PullRequest(
        "ten-thousand-files", "Notes",
        "buries whoever looks under ten thousand files", REJECT, _thousands,
    ),
    PullRequest(
        "bundle-removed", "Tidy up",
        "removes a published bundle, which results name, and publishes a changed scenario under its id", REJECT, _bundle_removed,
    ),
    PullRequest(
        "names-that-deceive", "A scenario for doubled mail",
        "adds files whose names hold a line break with a workflow command, a reversed ending, and bytes that are no text", REJECT, _names,
    ),
    PullRequest(
        "injected-text", "Loud",
        "adds a scenario whose title and reasons are meant for the page that shows the report", PERSON, _injected,
    ),
)  # fmt: skip
BY_NAME = {one.name: one for one in PULLS}
