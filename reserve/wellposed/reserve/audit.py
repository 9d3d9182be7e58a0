"""Audit: sealed scenarios that have got into a repository, or into what a system can read, by accident.

By hash it is exact: a JSON file is the sealed document or it is not. With the store at hand, the same test without its seal
is found too, as a bundle or as a source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.canonical import CanonicalError, file_bytes, read, sha256
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.load import load_bundle
from wellposed.compiler.profile import MAX_BYTES
from wellposed.dsl.findings import Finding
from wellposed.dsl.source import MAX_SOURCE_BYTES, read_source
from wellposed.dsl.vocabulary import BUNDLE_FORMAT
from wellposed.reserve.content import same_test
from wellposed.reserve.gitblobs import GitError, Repository
from wellposed.reserve.report import at_file
from wellposed.reserve.state import LIVE, State, short
from wellposed.reserve.trees import NotReadable, Tree

COMMITTED, READABLE = "WP891", "WP892"
MAX_FILE = MAX_BYTES
_NONCE = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_LEAK = "do not commit it; if it was pushed, record it with `wellposed reserve leak`"
_ANSWERS = ("invariants.json", "bundle.map.json", "expected.json")


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must not be seen: commitments that are not opened yet, and the tests that they are, where these are known."""

    commits: frozenset[str]
    tests: Mapping[str, str]
    nonces: Mapping[bytes, str] = field(default_factory=dict)


def secrets_of(state: State, documents: Iterable[tuple[str, Mapping[str, Any]]]) -> Secrets:
    """The secrets of a ledger; `documents` are sealed entries that could be opened, with their commitments.

    What is in the store and was not published yet is as secret as what was.
    """
    live = {entry.commit for entry in state.entries.values() if entry.state in LIVE}
    known = {commit: document for commit, document in documents if commit in live or commit not in state.entries}
    return Secrets(
        frozenset(live | known.keys()),
        {same_test(document): commit for commit, document in known.items()},
        {document["seal"]["nonce"].encode(): commit for commit, document in known.items() if "seal" in document},
    )


def sealed_in(raw: bytes, path: str, secrets: Secrets) -> str | None:
    """The commitment that a file gives away, or None."""
    if sha256(raw) in secrets.commits:
        return sha256(raw)
    if b'"seal"' in raw:
        try:
            whole = sha256(file_bytes(read(raw)))
        except CanonicalError:
            whole = ""
        if whole in secrets.commits:
            return whole
    if not secrets.tests:
        return None
    for digits in _NONCE.findall(raw):  # part of another file, with a byte order mark, or taken apart into a folder
        if digits in secrets.nonces:
            return secrets.nonces[digits]
    return next((found for one in _bundles(raw, path) if (found := secrets.tests.get(same_test(one.document)))), None)


def _bundles(raw: bytes, path: str) -> Iterator[Bundle]:
    if raw.lstrip()[:1] == b"{" and BUNDLE_FORMAT.encode() in raw:
        try:
            bundle, _ = load_bundle(file_bytes(read(raw)), path)
        except CanonicalError:
            return
        if bundle is not None:
            yield bundle
    elif len(raw) <= MAX_SOURCE_BYTES and (b"scenario" in raw or b"family" in raw):
        source, _ = read_source(path, raw)
        if source is not None:
            yield from (one.bundle for one in compile_source(source, Importer()).scenarios if one.bundle is not None)


def audit_index(repository: Repository, secrets: Secrets) -> tuple[list[Finding], int]:
    """What the next commit would give away, and how many files were looked at."""
    return _blobs(repository, repository.index(), "in the index", secrets)


def audit_commit(repository: Repository, commit: str, secrets: Secrets) -> tuple[list[Finding], int]:
    """What a commit gives away."""
    return _blobs(repository, repository.files(repository.commit(commit).tree), f"in commit {commit[:12]}", secrets)


def audit_objects(repository: Repository, secrets: Secrets) -> tuple[list[Finding], int]:
    """What any object of the repository gives away, on whatever branch, removed or never committed."""
    return _blobs(repository, ((f"object {id}", id) for id in repository.blobs(MAX_FILE)), "in the repository", secrets)


def _blobs(
    repository: Repository, files: Iterable[tuple[str, str]], where: str, secrets: Secrets
) -> tuple[list[Finding], int]:
    findings, count, seen = [], 0, set()
    for path, id in files:
        if id in seen:
            continue
        seen.add(id)
        try:
            raw = repository.blob(id)
        except GitError:  # an entry of the index that was never written
            continue
        count += 1
        commit = sealed_in(raw, path, secrets)
        if commit is not None:
            findings.append(at_file(COMMITTED, f"this is the sealed entry {short(commit)} ({where})", path, _LEAK))
    return findings, count


def audit_readable(tree: Tree, shown: str, secrets: Secrets) -> tuple[list[Finding], int]:
    """What a system that can read this tree learns: sealed entries, and what is expected of it."""
    findings: list[Finding] = []
    count, waiting = 0, [""]
    while waiting:
        folder = waiting.pop()
        for name in tree.names(folder):
            path = f"{folder}/{name}".strip("/")
            if name.endswith("/"):
                waiting.append(path)
                continue
            try:
                raw = tree.read(path, MAX_FILE)
            except NotReadable:
                continue
            count += 1
            findings += _readable(raw, path, f"{shown}/{path}", secrets)
    return sorted(findings, key=lambda one: str(one.place)), count


def _readable(raw: bytes, path: str, shown: str, secrets: Secrets) -> Iterator[Finding]:
    commit = sealed_in(raw, path, secrets)
    if commit is not None:
        yield at_file(COMMITTED, f"this is the sealed entry {short(commit)}", shown, _LEAK)
        return
    what = None
    if path.rsplit("/", 1)[-1] in _ANSWERS:
        what = "says what is expected"
    elif b'"expect"' in raw and BUNDLE_FORMAT.encode() in raw:
        what = "is a bundle: it holds the whole schedule, and what is expected"
    elif path.endswith(".scenario"):
        what = "is the source of scenarios: it holds what is expected"
    if what is not None:
        help = "a system is given its own files, `inbox.jsonl`, `rules.json` and `mode.json`, each when it is due"
        yield at_file(READABLE, f"a system that can read this file {_knows(what)}", shown, help)


def _knows(what: str) -> str:
    return f"need not earn its result: it {what}"
