"""Reading a repository runs nothing of it, believes no object that is not what its id says, and ends with a sentence."""

from __future__ import annotations

import os
import subprocess
import zlib
from pathlib import Path

import pytest
from tests.reserve.sample import ENVIRONMENT, Sample, commit, git

from wellposed.reserve import gitblobs
from wellposed.reserve.gitblobs import GitError, GitTree, MissingObject, Repository
from wellposed.reserve.trees import Folder, NotReadable
from wellposed.reserve.verify import Options, verify


def test_a_commit_and_a_folder_answer_alike(built: Sample) -> None:
    with Repository(built.repo) as repository:
        tree = GitTree(repository, repository.commit(repository.resolve("HEAD")).tree)
        folder = Folder(built.repo)
        for path in ("reserve", "reserve/revealed", "scenarios", "nothing", "reserve/ledger.jsonl"):
            assert tree.names(path) == folder.names(path)
        assert tree.read("reserve/ledger.jsonl", 1 << 20) == folder.read("reserve/ledger.jsonl", 1 << 20)
        for path in ("nothing", "reserve", "reserve/ledger.jsonl/x", "reserve/nothing"):
            for one in (tree, folder):
                with pytest.raises(NotReadable):
                    one.read(path, 1 << 20)
        for one in (tree, folder):
            with pytest.raises(NotReadable):
                one.read("reserve/ledger.jsonl", 10)


@pytest.mark.parametrize("revision", ["nothing", "-q", "--help", "HEAD:reserve", "HEAD^{tree}", "a\0b", "", "HEAD\n", "@{-1}"])
def test_what_is_no_commit_is_a_sentence(revision: str, built: Sample) -> None:
    with Repository(built.repo) as repository, pytest.raises(GitError) as told:
        repository.resolve(revision)
    assert str(told.value) and "\n" not in str(told.value).strip()


def test_no_repository_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="not a git repository"):
        Repository(tmp_path)
    with pytest.raises(GitError):
        Repository(tmp_path / "nothing")


def test_nothing_of_the_repository_is_run(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks, a file system monitor, a diff or a filter in its configuration, a pager, an alias, an included file."""
    ran = sample.top / "ran"
    trap = sample.top / "trap.sh"
    trap.write_text(f"#!/bin/sh\necho $0 >> {ran}\n")
    trap.chmod(0o755)
    for name, value in {
        "core.fsmonitor": str(trap), "core.pager": str(trap), "core.hooksPath": str(sample.top), "core.sshCommand": str(trap),
        "diff.external": str(trap), "filter.x.smudge": str(trap), "filter.x.clean": str(trap), "alias.cat-file": f"!{trap}",
        "core.attributesFile": "x", "gpg.program": str(trap), "credential.helper": f"!{trap}",
    }.items():  # fmt: skip
        git(sample.repo, "config", name, value)
    (sample.repo / ".git" / "info").mkdir(exist_ok=True)
    (sample.repo / ".git" / "info" / "attributes").write_text("* filter=x diff=x\n")
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"):
        (sample.repo / ".git" / "hooks" / hook).write_text(trap.read_text())
    monkeypatch.setenv("GIT_DIR", str(sample.top / "elsewhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(trap))
    assert verify(Options(sample.repo)).findings == ()
    with Repository(sample.repo) as repository:
        assert list(repository.index()) and list(repository.blobs(1 << 20))
    assert not ran.exists()


def test_a_missing_object_is_never_fetched(sample: Sample) -> None:
    """A partial clone whose remote is a command: asking for the object would run it."""
    ran = sample.top / "ran"
    trap = sample.top / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {ran}\n")
    trap.chmod(0o755)
    blob = git(sample.repo, "rev-parse", "HEAD:reserve/ledger.jsonl")
    (sample.repo / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for name, value in {
        "core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
        "remote.origin.url": str(sample.top / "reference"), "remote.origin.uploadpack": str(trap), "protocol.allow": "always",
    }.items():  # fmt: skip
        git(sample.repo, "config", name, value)
    with pytest.raises(MissingObject):
        verify(Options(sample.repo))
    assert not ran.exists()
    subprocess.run(["git", "cat-file", "-p", blob], cwd=sample.repo, env=ENVIRONMENT, capture_output=True, check=False)
    assert ran.exists()  # the trap is one


def test_an_embedded_bare_repository_is_not_entered(sample: Sample) -> None:
    """Its configuration could name commands; only a folder with a `.git` of its own is a repository here."""
    bare = sample.top / "tree" / "bare.git"
    bare.mkdir(parents=True)
    git(bare, "init", "-q", "--bare")
    with pytest.raises(GitError):
        Repository(bare)


def test_an_object_is_hashed_before_it_is_believed(sample: Sample) -> None:
    blob = git(sample.repo, "rev-parse", "HEAD:reserve/ledger.jsonl")
    path = sample.repo / ".git" / "objects" / blob[:2] / blob[2:]
    raw = zlib.decompress(path.read_bytes())
    path.chmod(0o644)
    path.write_bytes(zlib.compress(raw.replace(b"A reserve", b"B reserve")))
    with pytest.raises(GitError, match="tampered with|cat-file has ended|is missing"):
        verify(Options(sample.repo))


def test_replace_refs_and_grafts_show_nothing_else(sample: Sample) -> None:
    head = git(sample.repo, "rev-parse", "HEAD")
    other = git(sample.repo, "commit-tree", "HEAD~1^{tree}", "-m", "other")
    git(sample.repo, "replace", head, other)
    (sample.repo / ".git" / "info").mkdir(exist_ok=True)
    (sample.repo / ".git" / "info" / "grafts").write_text(f"{head}\n")
    found = verify(Options(sample.repo))
    assert {one.code for one in found.findings} == {"WP811"}
    assert "5 commits along first parents" in " ".join(found.checked)


def test_a_shallow_clone_says_where_its_history_ends(sample: Sample) -> None:
    git(sample.top, "clone", "-q", "--depth", "2", f"file://{sample.repo}", "shallow")
    found = verify(Options(sample.top / "shallow"))
    assert found.findings == ()
    assert any("the history before these 2 commits" in sentence for sentence in found.unchecked)


def test_a_repository_with_sha256_objects(sample: Sample) -> None:
    repo = sample.top / "sha256"
    repo.mkdir()
    git(repo, "init", "-q", "--object-format=sha256")
    subprocess.run(["cp", "-r", str(sample.reserve), str(repo)], check=True)
    commit(repo)
    assert verify(Options(repo)).findings == ()


def test_a_work_tree_and_a_packed_repository(sample: Sample) -> None:
    git(sample.repo, "gc", "-q")
    git(sample.repo, "worktree", "add", "-q", "../second")
    assert verify(Options(sample.top / "second")).findings == ()
    assert verify(Options(sample.repo / "reserve")).findings == ()


def test_names_that_are_not_utf_8_and_odd_modes(sample: Sample) -> None:
    """In the reserve they are strangers, elsewhere nobody's business."""
    name = os.fsencode(sample.repo) + b"/scenarios/\xff\xfe"
    with open(name, "wb") as file:
        file.write(b"x")
    git(sample.repo, "add", "-A")
    git(sample.repo, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},reserve/module")
    git(sample.repo, "commit", "-q", "-m", "odd")
    assert verify(Options(sample.repo)).findings == ()
    with Repository(sample.repo) as repository:
        assert any("\\xff" in path for path, _ in repository.index())


def test_git_itself_is_missing(built: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(GitError, match="git is not installed"):
        Repository(built.repo)


def test_another_owner_does_not_matter(built: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the repository is run, so it may belong to anybody."""
    environment = {**ENVIRONMENT, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    refused = subprocess.run(["git", "rev-parse", "HEAD"], cwd=built.repo, env=environment, capture_output=True, check=False)
    assert refused.returncode != 0
    monkeypatch.setitem(gitblobs._ENVIRONMENT, "GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with Repository(built.repo) as repository:
        assert repository.resolve("HEAD")
