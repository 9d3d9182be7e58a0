"""Audit: sealed scenarios are found wherever they have got to, exactly; and what a system must not be able to read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.reserve.forge import canon
from tests.reserve.sample import Sample, commit, git

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.decompile import decompile
from wellposed.reserve.audit import Secrets, audit_commit, audit_index, audit_objects, audit_readable, secrets_of
from wellposed.reserve.gitblobs import Repository
from wellposed.reserve.ledger import Ledger
from wellposed.reserve.operations.give_up import leak
from wellposed.reserve.store import Store
from wellposed.reserve.trees import Folder


def secrets(sample: Sample, opened: bool = False) -> Secrets:
    documents = []
    if opened:
        store = Store(sample.top / "store")
        documents = [(one, json.loads(store.get(one))) for one in store.commits()]
    return secrets_of(Ledger(sample.reserve).state(), documents)


def sealed(sample: Sample) -> bytes:
    return Store(sample.top / "store").get(sample.commits["next"][0])


def found(sample: Sample, how: str, opened: bool = False) -> list[str]:
    with Repository(sample.repo) as repository:
        known = secrets(sample, opened)
        if how == "index":
            findings, count = audit_index(repository, known)
        elif how == "commit":
            findings, count = audit_commit(repository, repository.resolve("HEAD"), known)
        else:
            findings, count = audit_objects(repository, known)
    assert count > 10
    assert {one.code for one in findings} <= {"WP891"}
    return [one.place.path for one in findings if one.place is not None]


def test_an_honest_repository_has_nothing(built: Sample) -> None:
    """Revealed scenarios are in it, and are no secret any more."""
    for how in ("index", "commit", "objects"):
        assert found(built, how, opened=True) == []


SPELLINGS = {
    "as it is": lambda raw: raw,
    "without its line feed": lambda raw: raw[:-1],
    "pretty-printed": lambda raw: json.dumps(json.loads(raw), indent=2).encode(),
    "in another order": lambda raw: json.dumps(dict(reversed(json.loads(raw).items()))).encode(),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_sealed_file_is_found_before_it_is_committed(name: str, sample: Sample) -> None:
    (sample.repo / "scenarios" / "tmp.json").write_bytes(SPELLINGS[name](sealed(sample)))
    assert found(sample, "index") == []
    git(sample.repo, "add", "-A")
    assert found(sample, "index") == ["scenarios/tmp.json"]
    assert found(sample, "commit") == []


def test_one_other_byte_is_another_document(sample: Sample) -> None:
    (sample.repo / "tmp.json").write_bytes(sealed(sample).replace(b'"Hello"', b'"Hello!"'))
    git(sample.repo, "add", "-A")
    assert found(sample, "index") == []
    assert found(sample, "index", opened=True) == ["tmp.json"]  # the title does not make it another test


@pytest.mark.parametrize("way", ["removed", "branch", "tag", "amended", "never committed", "stash"])
def test_history_forgets_nothing(way: str, sample: Sample) -> None:
    path = sample.repo / "tmp.json"
    if way == "never committed":
        git(sample.repo, "hash-object", "-w", "--stdin", stdin=sealed(sample))
    else:
        if way == "branch":
            git(sample.repo, "checkout", "-q", "-b", "draft")
        path.write_bytes(sealed(sample))
        git(sample.repo, "add", "-A")
        if way == "stash":
            git(sample.repo, "stash", "-q")
        else:
            commit(sample.repo, "by accident")
        if way == "tag":
            git(sample.repo, "tag", "kept")
        if way == "branch":
            git(sample.repo, "checkout", "-q", "main")
        elif way == "amended":
            path.unlink()
            git(sample.repo, "add", "-A")
            git(sample.repo, "commit", "-q", "--amend", "--allow-empty", "-m", "nothing happened")
        elif way in ("removed", "tag"):
            git(sample.repo, "rm", "-q", "tmp.json")
            commit(sample.repo, "and removed")
    assert found(sample, "index") == found(sample, "commit") == []
    blob = git(sample.repo, "hash-object", "--stdin", stdin=sealed(sample))
    assert found(sample, "objects") == [f"object {blob}"]


def test_with_the_store_a_copy_without_its_seal_and_a_source_are_found(sample: Sample) -> None:
    document = json.loads(sealed(sample))
    del document["seal"]
    source, _ = decompile(Bundle(document, canon(document) + b"\n", "x"))
    assert source is not None
    (sample.repo / "draft.json").write_bytes(canon(document))
    (sample.repo / "draft.txt").write_text(source.replace("hello", "other"))
    git(sample.repo, "add", "-A")
    assert found(sample, "index") == []
    assert sorted(found(sample, "index", opened=True)) == ["draft.json", "draft.txt"]


def test_what_is_known_to_have_leaked_is_told_no_more(sample: Sample) -> None:
    (sample.repo / "tmp.json").write_bytes(sealed(sample))
    commit(sample.repo)
    leak(Ledger(sample.reserve), sample.commits["next"][0], "it was pushed")
    assert found(sample, "commit") == []


READABLE = {
    "bundle.json": "WP892", "deep/renamed.dat": "WP892", "invariants.json": "WP892", "suite/a.scenario": "WP892",
    "inbox.jsonl": None, "rules.json": None, "mode.json": None,
}  # fmt: skip


@pytest.mark.parametrize("name", READABLE)
def test_what_a_system_must_not_be_able_to_read(name: str, sample: Sample, tmp_path: Path) -> None:
    sandbox = tmp_path / "sandbox"
    path = sandbox / name
    path.parent.mkdir(parents=True)
    texts = {"inbox.jsonl": b'{"id":"m1"}\n', "rules.json": b"[]\n", "mode.json": b'{"posture":"normal"}\n', "suite/a.scenario": b"scenario a {}\n"}
    path.write_bytes(texts.get(name, canon({**json.loads(sealed(sample)), "seal": None})))
    findings, count = audit_readable(Folder(sandbox), "sandbox", secrets(sample))
    assert count == 1
    assert [one.code for one in findings] == ([READABLE[name]] if READABLE[name] else [])


def test_a_sealed_entry_in_a_sandbox_is_named(sample: Sample, tmp_path: Path) -> None:
    (tmp_path / "sandbox").mkdir()
    (tmp_path / "sandbox" / "x").write_bytes(sealed(sample))
    (tmp_path / "sandbox" / "loop").symlink_to(tmp_path)
    findings, _ = audit_readable(Folder(tmp_path / "sandbox"), "sandbox", secrets(sample))
    assert [one.code for one in findings] == ["WP891"]
