"""Sealing: nonces, stores, recipients, draws, and everything that is refused."""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyrage
import pytest
from tests.reserve.forge import canon
from tests.reserve.sample import PUBLIC, RACE, document, git
from tests.reserve.tamperings import sealed_document

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.load import load_bundle
from wellposed.dsl.source import SourceFile
from wellposed.reserve import secrecy
from wellposed.reserve.content import same_test
from wellposed.reserve.draw import bits, draw
from wellposed.reserve.public import public_tests
from wellposed.reserve.report import Refusal
from wellposed.reserve.seal import Known, check, labels, seal, with_seal
from wellposed.reserve.store import Store, work_tree_around
from wellposed.reserve.trees import Folder

FAMILY = """\
family late(gap in [2, 3, 4, 5, 6, 7], name in [one, two]) {
  level L2
  horizon 40
  conversation order { from "{name}@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  at 10 + gap approve m1 as go
  expect { m1 sent exactly once within 5 of go }
}
"""


def compiled(text: str) -> list[Bundle]:
    found = [one.bundle for one in compile_source(SourceFile("x.scenario", text)).scenarios]
    assert found and all(found)
    return [one for one in found if one is not None]


def bundle(number: int, **changes: object) -> Bundle:
    loaded, findings = load_bundle(canon({**document(number), **changes}) + b"\n", f"{number}.json")
    assert loaded is not None, findings
    return loaded


def codes(refused: pytest.ExceptionInfo[Refusal]) -> list[str]:
    return [one.code for one in refused.value.findings]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "a" / "store")
    made.prepare()
    return made


def test_the_commitment_is_the_hash_of_the_file(store: Store) -> None:
    (one,) = seal([bundle(1)], store, [])
    path = store.path / f"{one.commit.removeprefix('sha256:')}.json"
    assert "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest() == one.commit
    loaded, findings = load_bundle(path.read_bytes(), "x")
    assert loaded is not None and findings == ()
    stored = json.loads(path.read_bytes())
    assert {**stored, "seal": None} == {**document(1), "seal": None}
    assert stored["seal"]["alg"] == "reserve-seal/1" and len(stored["seal"]["nonce"]) == 64


def test_only_the_owner_can_look(store: Store) -> None:
    seal([bundle(1)], store, [])
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in store.path.iterdir()} == {0o600}
    store.path.chmod(0o755)
    assert [one.code for one in store.prepare()] == ["WP889"]


def test_nonces_are_fresh() -> None:
    made = {json.loads(with_seal(document(1)))["seal"]["nonce"] for _ in range(200)}
    assert len(made) == 200
    counts = [sum(int(nonce[at : at + 2], 16) for nonce in made) / 200 for at in range(0, 64, 2)]
    assert all(80 < mean < 175 for mean in counts)  # no byte of it stands still


def test_the_known_answers_of_the_format() -> None:
    line = (
        '{"format":"scenario-bundle/1","id":"r0","inbox":[{"at":0,"body":"hé","id":"m1"}],"level":3,"rules":[{"admit":true,"id":"r1","n":0}],'
        '"seal":{"alg":"reserve-seal/1","nonce":"c4957bea0a5f312d8d41789df3f51a1aed0b81506d6cfbb2d2005f0f411d3dd8"}}\n'
    )
    from wellposed.compiler.canonical import decode, file_bytes, sha256

    assert file_bytes(decode(line.encode())) == line.encode()
    assert sha256(line.encode()) == "sha256:dfe7367e5da1807bbf0dac5bd02e9e89809a192724c241523fa0da8d44884082"


@pytest.mark.parametrize("inside", ["", "deep/er", ".git/x"])
def test_a_store_in_a_repository_is_refused(inside: str, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    store = Store(tmp_path / inside / "store")
    with pytest.raises(Refusal) as refused:
        store.prepare()
    assert codes(refused) == ["WP885"]
    assert not store.path.exists()


def test_links_into_a_repository_bare_ones_and_work_trees_count(tmp_path: Path) -> None:
    repo, bare, outside = tmp_path / "repo", tmp_path / "bare", tmp_path / "outside"
    for folder in (repo, bare, outside):
        folder.mkdir()
    git(repo, "init", "-q")
    git(bare, "init", "-q", "--bare")
    (outside / "link").symlink_to(repo)
    assert work_tree_around(outside / "link" / "store") == str(repo)
    assert work_tree_around(bare / "store") == str(bare)
    (outside / "second").mkdir()
    (outside / "second" / ".git").write_text("gitdir: elsewhere\n")
    assert work_tree_around(outside / "second" / "store") == str(outside / "second")
    assert work_tree_around(outside / "store") is None


UNSOUND = {
    "a race": lambda: compiled(RACE),
    "rejected on purpose": lambda: compiled(RACE.replace("  expect {", '  rejected ambiguous WP501 "on purpose"\n  expect {')),
    "allowed in the source": lambda: compiled(
        RACE.replace("  expect {", '  allow WP501 "on purpose"\n  expect {')
    ),
    "sealed already": lambda: [_loaded(sealed_document(1))],
}


def _loaded(raw: bytes) -> Bundle:
    one, _ = load_bundle(raw, "x")
    assert one is not None
    return one


@pytest.mark.parametrize("name", UNSOUND)
def test_what_is_not_well_posed_by_itself_is_refused(name: str, store: Store) -> None:
    with pytest.raises(Refusal) as refused:
        check(UNSOUND[name](), Known({}, store))
    assert codes(refused) == ["WP886"]
    assert store.commits() == []


def test_the_same_test_is_refused(tmp_path: Path, store: Store) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "public.scenario").write_text(PUBLIC)
    public = public_tests(Folder(tmp_path))
    assert list(public.values()) == ["scenarios/public.scenario"]
    copies: Sequence[Sequence[Bundle]] = (
        [bundle(1, horizon=25)],  # the public one, under another name
        [bundle(1), bundle(1, id="again", title="Another")],  # twice in one call
    )
    for bundles in copies:
        with pytest.raises(Refusal) as refused:
            check(bundles, Known(public, store))
        assert codes(refused) == ["WP887"]
    seal([bundle(2)], store, [])
    with pytest.raises(Refusal) as refused:
        check([bundle(2)], Known({}, store))
    assert codes(refused) == ["WP887"]


def test_names_titles_and_seals_do_not_make_another_test() -> None:
    one = document(1)
    text = canon(one).decode()
    other = json.loads(text.replace('"m1"', '"zz"').replace('"order"', '"thread"').replace('"id":"entry-1"', '"id":"x"'))
    assert same_test(one) == same_test(other) == same_test({**one, "title": "x", "seal": {"alg": "", "nonce": ""}})
    assert same_test(one) != same_test({**one, "horizon": 99})
    assert same_test(one) != same_test({**one, "expect": []})


def test_a_draw_is_of_distinct_members_and_not_the_first_ones(store: Store) -> None:
    members = compiled(FAMILY)
    assert len(members) == 12
    seen = [tuple(one.id for one in draw("late", members, 4, Known({}, store))) for _ in range(12)]
    assert all(len(set(ids)) == 4 for ids in seen)
    assert len(set(seen)) > 1  # one chance in 11,880 to the eleventh of a false alarm


def test_a_draw_never_repeats_a_test(store: Store) -> None:
    members = compiled(FAMILY)
    known = Known({}, store)
    drawn = draw("late", members, 6, known)
    assert len({same_test(one.document) for one in drawn}) == 6
    with pytest.raises(Refusal) as refused:
        draw("late", members, 7, Known({same_test(one.document): "x" for one in drawn}, store))
    assert set(codes(refused)) == {"WP887"}


def test_a_family_with_a_bad_member_is_not_drawn_from(store: Store) -> None:
    members = [*compiled(FAMILY)[:1], *compiled(RACE)]
    with pytest.raises(Refusal) as refused:
        draw("late", members, 2, Known({}, store))
    assert codes(refused) == ["WP886"]


def test_what_a_guesser_lacks_is_told_in_bits() -> None:
    assert bits(1024) == 10 and bits(1) == 0 and bits(0) == 0


def _keys(count: int) -> tuple[list[Any], list[str]]:
    made = [pyrage.x25519.Identity.generate() for _ in range(count)]
    return made, [str(one.to_public()) for one in made]


def test_any_one_recipient_opens_an_entry(tmp_path: Path) -> None:
    keys, texts = _keys(2)
    store = Store(tmp_path / "store")
    store.prepare()
    (one,) = seal([bundle(1)], store, secrecy.recipients(texts))
    (path,) = store.path.iterdir()
    assert path.suffix == ".age" and b"entry-1" not in path.read_bytes()
    for key in keys:
        file = tmp_path / "key"
        file.write_text(f"# created by a test\n{key}\n")
        opened = Store(store.path, secrecy.identities([file]))
        assert json.loads(opened.get(one.commit))["id"] == "entry-1"
        assert opened.restorable(one.commit)
    strangers, _ = _keys(1)
    assert not Store(store.path, strangers).restorable(one.commit)
    for without in ([], strangers):
        with pytest.raises(Refusal) as refused:
            Store(store.path, without).get(one.commit)
        assert codes(refused) == ["WP888"]


def test_encrypted_entries_are_compared_where_they_can_be_opened(tmp_path: Path) -> None:
    keys, texts = _keys(1)
    store = Store(tmp_path / "store")
    store.prepare()
    seal([bundle(1)], store, secrecy.recipients(texts))
    assert Known({}, Store(store.path)).locked == 1
    known = Known({}, Store(store.path, keys))
    assert known.locked == 0 and known.like(bundle(1)) is not None


@pytest.mark.parametrize("change", [lambda raw: raw[:-1], lambda raw: raw[:-9] + b"x" + raw[-8:], lambda raw: b""])
def test_a_damaged_entry_is_told(change: Any, tmp_path: Path) -> None:
    keys, texts = _keys(1)
    for to in ([], secrecy.recipients(texts)):
        store = Store(tmp_path / f"store-{len(to)}", keys)
        store.prepare()
        (one,) = seal([bundle(1)], store, to)
        (path,) = store.path.iterdir()
        path.write_bytes(change(path.read_bytes()))
        with pytest.raises(Refusal) as refused:
            store.get(one.commit)
        assert codes(refused) == ["WP888"]


@pytest.mark.parametrize("text", ["", "age1", "ssh-rsa x", "age1" + "q" * 58, "AGE-SECRET-KEY-1"])
def test_what_is_no_recipient_is_told(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        secrecy.recipients([text])
    assert codes(refused) == ["WP888"]


def test_what_is_no_identity_is_told(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"\xff\xfe junk\n")
    for path in (tmp_path / "key", tmp_path / "nothing"):
        with pytest.raises(Refusal) as refused:
            secrecy.identities([path])
        assert codes(refused) == ["WP888"]


def test_without_the_extra_a_recipient_is_refused_and_plain_storage_works(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    import builtins
    import importlib

    original = importlib.import_module

    def without(name: str, package: str | None = None) -> Any:
        if name == "pyrage":
            raise ImportError(name)
        return original(name, package)

    monkeypatch.setattr(importlib, "import_module", without)
    assert builtins is not None
    with pytest.raises(Refusal) as refused:
        secrecy.recipients(["age1"])
    assert "extra" in refused.value.findings[0].message
    assert len(seal([bundle(1)], store, [])) == 1


LABELS = [
    ("id", "m2-dup", True), ("conversation_id", "to-be-escalated", True), ("id", "m1", False), ("conversation_id", "order", False),
    ("from", "rejected@example.test", True), ("conversation_id", "plate", False), ("id", "m.late.3", True), ("id", "template", False),
]  # fmt: skip


@pytest.mark.parametrize(("member", "value", "told"), LABELS)
def test_words_that_say_what_is_tested(member: str, value: str, told: bool) -> None:
    one = document(1)
    (entry,) = one["schedule"]
    entry["record"][member] = value
    found = labels(Bundle(one, b"", "x"))
    assert bool(found) == told
    assert {finding.code for finding in found} <= {"WP893"}
