"""What a hostile reader tried: trees that show readers different files, big objects before a secret, haste, and results that are let go."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.reserve.forge import canon, edit
from tests.reserve.sample import ENVIRONMENT, Sample, commit, document, git
from tests.reserve.test_rules import ALL, A, B, announce, come_to, leak, opened

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.load import load_bundle
from wellposed.reserve import gitblobs
from wellposed.reserve.audit import audit_index, secrets_of
from wellposed.reserve.disk import locked
from wellposed.reserve.gitblobs import GitError, Repository
from wellposed.reserve.ledger import Ledger
from wellposed.reserve.operations.reveal import reveal
from wellposed.reserve.report import Refusal
from wellposed.reserve.rules.due import excused, pending
from wellposed.reserve.seal import seal
from wellposed.reserve.state import State
from wellposed.reserve.store import Store
from wellposed.reserve.verify import Options, verify


def raw_git(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env=ENVIRONMENT, input=stdin).stdout


def entries(folder: Path, name: str) -> list[bytes]:
    """The entries of a tree, each as it is written: mode, name, and the 20 bytes of the id."""
    raw, found = raw_git(folder, "cat-file", "tree", raw_git(folder, "rev-parse", name).decode().strip()), []
    while raw:
        end = raw.index(b"\0") + 21
        found.append(raw[:end])
        raw = raw[end:]
    return found


def with_tree(folder: Path, reserve: list[bytes], mode: bytes = b"40000") -> None:
    """Commit this tree in the place of the reserve's, as no usual command would."""

    def write(parts: list[bytes]) -> str:
        return raw_git(folder, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", stdin=b"".join(parts)).decode().strip()

    inner = mode + b" reserve\0" + bytes.fromhex(write(reserve))
    top = write([inner if b" reserve\0" in one else one for one in entries(folder, "HEAD^{tree}")])
    git(folder, "update-ref", "HEAD", git(folder, "commit-tree", top, "-p", "HEAD", "-m", "odd"))


def test_a_name_that_stands_twice_in_a_tree_is_not_read(sample: Sample) -> None:
    """git shows the first of two files of one name, another reader the last: two ledgers under one commit."""
    short = sample.ledger.read_bytes().splitlines(keepends=True)[0]
    other = git(sample.repo, "hash-object", "-w", "--stdin", stdin=short)
    parts = entries(sample.repo, "HEAD:reserve")
    at = next(number for number, one in enumerate(parts) if b" ledger.jsonl\0" in one)
    with_tree(sample.repo, [*parts[:at], b"100644 ledger.jsonl\0" + bytes.fromhex(other), *parts[at:]])
    assert raw_git(sample.repo, "cat-file", "blob", "HEAD:reserve/ledger.jsonl") == short
    with pytest.raises(GitError, match="twice"):
        verify(Options(sample.repo))


def test_a_mode_with_a_zero_in_front_is_the_same_mode(sample: Sample) -> None:
    """git reads such a folder as one; were it nothing here, a ledger could be hidden in it."""
    with_tree(sample.repo, entries(sample.repo, "HEAD:reserve"), b"040000")
    found = verify(Options(sample.repo))
    assert found.findings == () and found.head is not None


def secret(sample: Sample) -> bytes:
    return Store(sample.top / "store").get(sample.commits["next"][0])


def test_a_big_file_does_not_hide_the_secret_behind_it(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gitblobs, "MAX_OBJECT", 300_000)
    (sample.repo / "a.bin").write_bytes(b"0123456789" * 300_000)
    (sample.repo / "b.json").write_bytes(secret(sample))
    git(sample.repo, "add", "-A")
    with Repository(sample.repo) as repository:
        findings, _ = audit_index(repository, secrets_of(Ledger(sample.reserve).state(), []))
    assert [one.place.path for one in findings if one.place is not None] == ["b.json"]


@pytest.mark.parametrize("way", ["byte order mark", "inside another file", "a seal alone"])
def test_with_the_store_a_nonce_is_found_in_any_file(way: str, sample: Sample) -> None:
    raw = secret(sample)
    seal = canon(json.loads(raw)["seal"])
    (sample.repo / "b.txt").write_bytes(
        {"byte order mark": b"\xef\xbb\xbf" + raw, "inside another file": b"[" + raw + b"]", "a seal alone": seal}[way]
    )
    assert audited(sample, "b.txt")


def test_what_is_in_the_store_and_not_yet_published_is_a_secret_too(sample: Sample) -> None:
    store = Store(sample.top / "store")
    (one,) = seal([bundle(60)], store, [])
    (sample.repo / "b.json").write_bytes(store.get(one.commit))
    assert audited(sample, "b.json")


def audited(sample: Sample, name: str) -> bool:
    git(sample.repo, "add", "-A")
    store = Store(sample.top / "store")
    documents = [(one, json.loads(store.get(one))) for one in store.commits()]
    with Repository(sample.repo) as repository:
        findings, _ = audit_index(repository, secrets_of(Ledger(sample.reserve).state(), documents))
    return [one.place.path for one in findings if one.place is not None] == [name]


def bundle(number: int) -> Bundle:
    made, _ = load_bundle(canon(document(number)) + b"\n", f"{number}.json")
    assert made is not None
    return made


def test_a_batch_is_not_opened_while_results_are_still_due(sample: Sample) -> None:
    """Opened too early by accident, they could never be recorded, and would count as withheld."""
    before = sample.ledger.read_bytes()
    store = Store(sample.top / "store")
    with pytest.raises(Refusal, match="1 announced results of batch running are not recorded") as refused:
        reveal(Ledger(sample.reserve, datetime(2026, 2, 1, tzinfo=UTC)), "running", store, {}, [])
    assert refused.value.findings[0].code == "WP846"
    assert sample.ledger.read_bytes() == before


def test_what_a_leak_or_a_forfeit_lets_go_is_counted(sample: Sample) -> None:
    """Announced, tried in secret, and then said to have leaked: revealed in the end, it would look like any other."""
    state: State
    state, codes = come_to(announce(), *ALL[:3], leak(5, B), opened(A, 6, 3, 5), opened(B, 6, 4))
    assert codes == []
    assert [(entry.commit, name) for entry, name in excused(state.batches["b"])] == [(B, "two")]
    assert pending(state.batches["b"]) == 0
    edit(sample.ledger, lambda lines: [*lines, {**leak(5, sample.commits["running"][0]), "t": "2026-02-01T00:00:00Z"}])
    commit(sample.repo)
    found = verify(Options(sample.repo))
    assert found.figures["excused"] == 1
    assert any("why 1 announced results are missing" in sentence for sentence in found.unchecked)


def test_two_who_seal_at_once_do_not_seal_the_same(sample: Sample) -> None:
    store = Store(sample.top / "store")
    with locked(store.path), pytest.raises(Refusal) as refused, store.held():
        pass
    assert refused.value.findings[0].code == "WP890"


def test_a_full_disk_leaves_nothing_that_nobody_knows_of(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(sample.top / "store")
    before = sorted(one.name for one in store.path.iterdir())
    put, count = store.put, iter(range(9))

    def full(raw: bytes, to: object) -> str:
        if next(count) == 2:
            raise OSError(28, "No space left on device")
        return put(raw, [])

    monkeypatch.setattr(store, "put", full)
    with pytest.raises(OSError, match="No space"):
        seal([bundle(number) for number in (60, 61, 62, 63)], store, [])
    assert sorted(one.name for one in store.path.iterdir()) == before
