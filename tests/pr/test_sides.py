"""What is compared with what: merge bases, clones that lack something, trees that lie; and nothing but objects is ever read."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from tests.pr.conftest import looked_at
from tests.pr.repository import ENVIRONMENT, HELLO, NEW, Sample, commit, git, write

from wellposed.cli.review.objects import Objects, TooMany
from wellposed.cli.review.pull import Options, Pull, review
from wellposed.compiler.limits import LIMITS, Limits
from wellposed.dsl.findings import Pointer
from wellposed.reserve.gitblobs import GitError
from wellposed.verifier.verify import DEFAULT_BUDGET


def codes(pull: Pull) -> list[str]:
    return sorted(one.code for one in pull.report.findings)


def with_new(sample: Sample) -> Sample:
    write(sample.repo, {"scenarios/new.scenario": NEW})
    commit(sample.repo, "new")
    return sample


def limited(sample: Sample, **limits: int) -> Pull:
    return review(Options(sample.repo, "main", "topic", DEFAULT_BUDGET, replace(Limits(), **limits)))


def test_what_the_base_gained_since_is_not_taken_away(sample: Sample) -> None:
    """The head is compared with the merge base: a scenario that only the base has was not removed."""
    with_new(sample)
    git(sample.repo, "checkout", "-q", "main")
    write(sample.repo, {"scenarios/later.scenario": NEW.replace("scenario new", "scenario later").replace("horizon 30", "horizon 50")})
    commit(sample.repo, "later")
    git(sample.repo, "checkout", "-q", "topic")
    pull = looked_at(sample.repo)
    assert (pull.verdict, [one.id for one in pull.scenarios]) == ("accept", ["new"])
    assert pull.ancestor == git(sample.repo, "merge-base", "main", "topic") != pull.base


def test_a_base_that_was_merged_into_the_head(sample: Sample) -> None:
    with_new(sample)
    git(sample.repo, "checkout", "-q", "main")
    write(sample.repo, {"scenarios/hello.scenario": HELLO.replace("horizon 20", "horizon 22")})
    commit(sample.repo, "other")
    git(sample.repo, "checkout", "-q", "topic")
    git(sample.repo, "merge", "-q", "--no-edit", "main")
    pull = looked_at(sample.repo)
    assert pull.ancestor == pull.base and [one.id for one in pull.scenarios] == ["new"]


def test_the_merge_base_is_the_one_that_git_finds(sample: Sample) -> None:
    """Over a history with merges in both directions."""
    for number in range(4):
        git(sample.repo, "checkout", "-q", "main")
        write(sample.repo, {f"main-{number}.md": "x"})
        commit(sample.repo, f"main {number}")
        git(sample.repo, "checkout", "-q", "topic")
        write(sample.repo, {f"topic-{number}.md": "x"})
        commit(sample.repo, f"topic {number}")
        if number % 2:
            git(sample.repo, "merge", "-q", "--no-edit", "main")
    with Objects(sample.repo) as objects:
        ids = [objects.resolve(name) for name in ("main", "topic", "main~2", "topic~1", "topic^2")]
        for one in ids:
            for other in ids:
                found = objects.parting(one, other)
                assert list(found.ancestors) == sorted(git(sample.repo, "merge-base", "--all", one, other).split())
                assert not found.cut


def test_a_criss_cross_is_for_a_person(sample: Sample) -> None:
    with_new(sample)
    git(sample.repo, "checkout", "-q", "main")
    commit(sample.repo, "other")
    git(sample.repo, "branch", "-q", "side")
    git(sample.repo, "merge", "-q", "--no-edit", "topic")
    git(sample.repo, "checkout", "-q", "topic")
    git(sample.repo, "merge", "-q", "--no-edit", "side")
    assert "WP943" in codes(looked_at(sample.repo))


@pytest.mark.parametrize("revision", ["no-such", "-q", "--help", "HEAD:scenarios", "", "a\0b", "main\n", "main..topic"])
def test_what_is_no_commit_is_told_and_gives_no_verdict(revision: str, sample: Sample) -> None:
    for pull in (looked_at(sample.repo, head=revision), looked_at(sample.repo, base=revision)):
        assert (pull.verdict, codes(pull)) == ("no verdict", ["WP940"])


def test_unrelated_histories(sample: Sample) -> None:
    git(sample.repo, "checkout", "-q", "--orphan", "alone")
    commit(sample.repo, "alone")
    pull = looked_at(sample.repo, head="alone")
    assert (pull.verdict, codes(pull)) == ("no verdict", ["WP941"])


def test_a_shallow_clone_that_lacks_the_merge_base(sample: Sample) -> None:
    with_new(sample)
    git(sample.repo, "checkout", "-q", "main")
    commit(sample.repo, "later")
    git(sample.top, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{sample.repo}", "shallow")
    pull = looked_at(sample.top / "shallow", head="origin/topic", base="origin/main")
    assert (pull.verdict, codes(pull)) == ("no verdict", ["WP941"])
    assert "part of the history is missing" in pull.report.findings[0].message


def test_a_shallow_clone_that_has_it_says_that_more_may_be_missing(sample: Sample) -> None:
    with_new(sample)
    git(sample.top, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{sample.repo}", "shallow")
    pull = looked_at(sample.top / "shallow", head="origin/topic", base="origin/main")
    assert (pull.verdict, codes(pull)) == ("accept", ["WP942"])


def test_a_bare_repository_is_not_entered(sample: Sample) -> None:
    git(sample.top, "clone", "-q", "--bare", str(sample.repo), "bare.git")
    pull = looked_at(sample.top / "bare.git")
    assert (pull.verdict, codes(pull)) == ("no verdict", ["WP004"])


def test_what_is_no_repository(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nothing"):
        pull = looked_at(folder)
        assert (pull.verdict, codes(pull)) == ("no verdict", ["WP004"])


def test_a_missing_blob_gives_no_verdict(sample: Sample) -> None:
    with_new(sample)
    blob = git(sample.repo, "rev-parse", "HEAD:scenarios/new.scenario")
    (sample.repo / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    pull = looked_at(sample.repo)
    assert (pull.verdict, codes(pull)) == ("no verdict", ["WP949"])


def test_the_work_tree_and_the_index_take_no_part(sample: Sample) -> None:
    """What was not committed is neither seen nor in the way; nor is a configuration file of the tool."""
    with_new(sample)
    before = looked_at(sample.repo)
    write(
        sample.repo,
        {"scenarios/new.scenario": "scenario {", "scenarios/rules/desk.rules": "x", "wellposed.toml": '[output]\nformat = "json"\n', "scenarios/more.scenario": "?"},
    )
    git(sample.repo, "add", "scenarios/more.scenario")
    (sample.repo / "scenarios" / "hello.scenario").unlink()
    after = looked_at(sample.repo)
    assert (after.verdict, after.scenarios, after.report.findings) == (before.verdict, before.scenarios, before.report.findings)


def test_nothing_of_the_repository_is_run(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks, filters, a file system monitor, aliases, an included configuration: each would leave a file."""
    with_new(sample)
    ran, trap = sample.top / "ran", sample.top / "trap.sh"
    trap.write_text(f"#!/bin/sh\necho $0 >> {ran}\n")
    trap.chmod(0o755)
    write(sample.repo, {".gitattributes": "* filter=x diff=x merge=x\n", ".gitmodules": f'[submodule "x"]\npath = x\nurl = ext::{trap}\nupdate = !{trap}\n'})
    commit(sample.repo, "tricks")
    for name, value in {
        "core.fsmonitor": str(trap), "core.pager": str(trap), "core.hooksPath": str(sample.top), "core.sshCommand": str(trap),
        "diff.external": str(trap), "filter.x.smudge": str(trap), "filter.x.clean": str(trap), "filter.x.process": str(trap),
        "alias.cat-file": f"!{trap}", "alias.rev-parse": f"!{trap}", "diff.x.textconv": str(trap), "include.path": str(sample.top / "more"),
        "uploadpack.packObjectsHook": str(trap), "gpg.program": str(trap), "credential.helper": f"!{trap}",
    }.items():  # fmt: skip
        git(sample.repo, "config", name, value)
    (sample.top / "more").write_text(f"[core]\n\tfsmonitor = {trap}\n")
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"):
        (sample.repo / ".git" / "hooks").mkdir(exist_ok=True)
        (sample.repo / ".git" / "hooks" / hook).write_text(trap.read_text())
    monkeypatch.setenv("GIT_DIR", str(sample.top / "elsewhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(trap))
    assert codes(looked_at(sample.repo)) == ["WP970", "WP971"]
    assert not ran.exists()


def test_replace_refs_and_grafts_change_no_merge_base(sample: Sample) -> None:
    with_new(sample)
    before = looked_at(sample.repo)
    head = git(sample.repo, "rev-parse", "HEAD")
    other = git(sample.repo, "commit-tree", "main~1^{tree}", "-m", "other")
    git(sample.repo, "replace", head, other)
    (sample.repo / ".git" / "info").mkdir(exist_ok=True)
    (sample.repo / ".git" / "info" / "grafts").write_text(f"{head}\n")
    after = looked_at(sample.repo)
    assert (after.ancestor, after.scenarios) == (before.ancestor, before.scenarios)
    assert codes(after) == ["WP811"]


def test_a_large_file_is_not_read(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(sample.repo / "scenarios" / "big.bin", "wb") as file:
        file.truncate(LIMITS.bundle_bytes + 1)
    commit(with_new(sample).repo, "big")
    read: list[str] = []
    original = Objects.blob
    monkeypatch.setattr(Objects, "blob", lambda self, id: read.append(id) or original(self, id))
    pull = looked_at(sample.repo)
    assert codes(pull) == ["WP945", "WP976"]
    assert git(sample.repo, "rev-parse", "HEAD:scenarios/big.bin") not in read


@pytest.mark.parametrize(
    ("limit", "value", "code"),
    [
        ("changed_files", 1, "WP944"),
        ("changed_bytes", 300, "WP945"),
        ("changed_scenarios", 1, "WP946"),
        ("changed_commits", 1, "WP947"),
        ("history", 2, "WP947"),
    ],
)
def test_each_limit_has_its_code_and_a_way_to_raise_it(limit: str, value: int, code: str, sample: Sample) -> None:
    with_new(sample)
    write(sample.repo, {"scenarios/other.scenario": NEW.replace("scenario new", "scenario other").replace("horizon 30", "horizon 50")})
    commit(sample.repo, "other")
    pull = limited(sample, **{limit: value})
    [finding] = [one for one in pull.report.findings if one.code == code]
    assert pull.verdict == "reject" and finding.help is not None
    assert limit == "history" or "--max-" in finding.help
    assert "WP94" not in "".join(codes(looked_at(sample.repo)))


def test_folders_that_are_nested_too_deeply(sample: Sample) -> None:
    write(sample.repo, {"/".join(["d"] * 40) + "/new.scenario": NEW})
    commit(sample.repo, "deep")
    assert codes(looked_at(sample.repo)) == ["WP977"]


def test_a_tree_of_trees_that_would_unfold_without_end(sample: Sample) -> None:
    """Ten trees, each with ten names for the next: ten thousand million files of one object."""
    blob = git(sample.repo, "rev-parse", "HEAD:README.md")
    below, mode, kind = blob, "100644", "blob"
    for _ in range(10):
        listing = "".join(f"{mode} {kind} {below}\tn{number}\n" for number in range(10))
        made = subprocess.run(["git", "mktree"], cwd=sample.repo, env=ENVIRONMENT, input=listing.encode(), capture_output=True, check=True)
        below, mode, kind = made.stdout.decode().strip(), "040000", "tree"
    bomb = git(sample.repo, "commit-tree", below, "-p", "main", "-m", "bomb")
    assert codes(looked_at(sample.repo, head=bomb)) == ["WP944"]


def test_a_name_that_stands_twice_in_a_tree(sample: Sample) -> None:
    """Two readers would see two files."""
    entry = b"100644 a\0" + bytes.fromhex(git(sample.repo, "rev-parse", "HEAD:README.md"))
    tree = _written(sample, "tree", entry * 2)
    head = _written(sample, "commit", f"tree {tree}\nparent {git(sample.repo, 'rev-parse', 'main')}\nauthor a <a@example.test> 0 +0000\ncommitter a <a@example.test> 0 +0000\n\nx\n".encode())
    pull = looked_at(sample.repo, head=head)
    assert (pull.verdict, codes(pull)) == ("no verdict", ["WP004"])
    assert "twice" in pull.report.findings[0].message


@pytest.mark.parametrize("name", ["..", ".git", ".GIT ", "a/b", "con", "a\\b", "c:x", "x.", "\u200dx", "e\u0301"])
def test_names_that_no_honest_tree_has(name: str, sample: Sample) -> None:
    entry = f"100644 {name}\0".encode() + bytes.fromhex(git(sample.repo, "rev-parse", "HEAD:README.md"))
    tree = _written(sample, "tree", entry)
    head = git(sample.repo, "commit-tree", _grafted(sample, tree), "-p", "main", "-m", "x")
    assert codes(looked_at(sample.repo, head=head)) == (["WP004"] if "/" in name else ["WP974"])


def test_a_link_in_the_place_of_a_file_and_of_a_folder(sample: Sample) -> None:
    (sample.repo / "scenarios" / "hello.scenario").unlink()
    os.symlink("governed.scenario", sample.repo / "scenarios" / "hello.scenario")
    (sample.repo / "scenarios" / "rules" / "desk.rules").unlink()
    (sample.repo / "scenarios" / "rules").rmdir()
    os.symlink("/etc", sample.repo / "scenarios" / "rules")
    commit(sample.repo, "links")
    pull = looked_at(sample.repo)
    links = [one for one in pull.report.findings if one.code == "WP972"]
    assert {one.place.path for one in links if isinstance(one.place, Pointer)} == {"scenarios/hello.scenario", "scenarios/rules"}
    assert "'governed.scenario'" in links[0].message and pull.verdict == "reject"


def test_a_file_that_becomes_a_folder(sample: Sample) -> None:
    (sample.repo / "README.md").unlink()
    write(sample.repo, {"README.md/new.scenario": NEW})
    commit(sample.repo, "folder")
    pull = looked_at(sample.repo)
    assert [(one.kind, one.id) for one in pull.scenarios] == [("added", "new")]
    assert codes(pull) == ["WP976"]


def test_a_repository_with_sha256_objects(sample: Sample) -> None:
    repo = sample.top / "sha256"
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main", "--object-format=sha256")
    write(repo, {"scenarios/hello.scenario": HELLO})
    commit(repo, "published")
    git(repo, "checkout", "-q", "-b", "topic")
    write(repo, {"scenarios/new.scenario": NEW})
    commit(repo, "new")
    assert looked_at(repo).verdict == "accept"


def test_a_packed_repository_and_a_second_work_tree(sample: Sample) -> None:
    with_new(sample)
    git(sample.repo, "gc", "-q")
    git(sample.repo, "worktree", "add", "-q", "--detach", "../second")
    assert looked_at(sample.top / "second").verdict == "accept"
    assert looked_at(sample.repo / "scenarios").verdict == "accept"


def test_objects_are_asked_for_their_size_and_kind(sample: Sample) -> None:
    with Objects(sample.repo) as objects:
        blob = git(sample.repo, "rev-parse", "HEAD:README.md")
        assert objects.size(blob) == len((sample.repo / "README.md").read_bytes())
        with pytest.raises(GitError, match="tree where a blob is due"):
            objects.size(git(sample.repo, "rev-parse", "HEAD^{tree}"))
        with pytest.raises(GitError, match="missing"):
            objects.size("1" * 40)
        with pytest.raises(TooMany):
            list(objects.changes(None, objects.commit(objects.resolve("HEAD")).tree, 3))


def _written(sample: Sample, kind: str, raw: bytes) -> str:
    """The id of an object that was written without looking at it."""
    done = subprocess.run(
        ["git", "hash-object", "-t", kind, "-w", "--stdin", "--literally"], cwd=sample.repo, env=ENVIRONMENT, input=raw, capture_output=True, check=True
    )  # fmt: skip
    return done.stdout.decode().strip()


def _grafted(sample: Sample, tree: str) -> str:
    """The tree of main with another tree as its folder `more`."""
    entries = []
    for line in git(sample.repo, "ls-tree", "main").split("\n"):
        mode, _, rest = line.partition(" ")
        id, name = rest.split(" ")[1].split("\t")
        entries.append((name, mode.lstrip("0"), id))
    entries.append(("more", "40000", tree))
    raw = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(id) for name, mode, id in sorted(entries))
    return _written(sample, "tree", raw)
