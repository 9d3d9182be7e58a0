"""`reserve audit`: sealed scenarios where they must not be."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellposed.cli.reserve.end import Outcome, carry_out
from wellposed.cli.reserve.options import add_place, add_store
from wellposed.cli.usage import add_report_options

if TYPE_CHECKING:
    from wellposed.dsl.findings import Finding
    from wellposed.reserve.audit import Secrets


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How far to look."""
    parser.add_argument("--repo", metavar="DIR", type=Path, default=Path("."), help="the repository; else the current folder")
    parser.add_argument("--history", action="store_true", help="every object of the repository, on whatever branch, not only the index and HEAD")
    parser.add_argument(
        "--readable", metavar="DIR", type=Path, action="append", default=[],
        help="look into what a system under test can read instead: expectations and bundles are found there, too",
    )  # fmt: skip
    add_place(parser)
    add_store(parser, required=False)
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Say what was looked at, and what was found there."""
    return carry_out(arguments, lambda: _audit(arguments))


def _audit(arguments: argparse.Namespace) -> Outcome:
    secrets = _secrets(arguments)
    findings, looked = _readable(arguments, secrets) if arguments.readable else _repository(arguments, secrets)
    against = f"{len(secrets.commits)} sealed entries"
    if arguments.store is not None:
        against += f" ({len(secrets.tests)} of them opened, so that copies without the seal would be found as well)"
    text = "".join(f"looked at {count} files {where}\n" for where, count in looked.items()) + f"compared with {against}\n"
    members = {"looked_at": looked, "sealed": len(secrets.commits), "opened": len(secrets.tests)}
    return Outcome(text, members, findings)


def _secrets(arguments: argparse.Namespace) -> Secrets:
    from wellposed.reserve.audit import secrets_of
    from wellposed.reserve.ledger import Ledger
    from wellposed.reserve.state import State

    ledger = Ledger(arguments.reserve)
    state = ledger.state() if ledger.raw() else State()
    return secrets_of(state, _documents(arguments))


def _documents(arguments: argparse.Namespace) -> Iterator[tuple[str, Mapping[str, Any]]]:
    from wellposed.compiler.canonical import decode
    from wellposed.reserve.secrecy import identities
    from wellposed.reserve.store import Store

    if arguments.store is None:
        return
    for commit, raw in Store(arguments.store, identities(arguments.identity)).open_entries():
        document = None if raw is None else decode(raw)
        if isinstance(document, dict):
            yield commit, document


def _readable(arguments: argparse.Namespace, secrets: Secrets) -> tuple[list[Finding], dict[str, int]]:
    from wellposed.reserve.audit import audit_readable
    from wellposed.reserve.trees import Folder

    findings: list[Finding] = []
    looked: dict[str, int] = {}
    for folder in arguments.readable:
        found, count = audit_readable(Folder(folder), folder.as_posix(), secrets)
        findings += found
        looked[f"below {folder.as_posix()}"] = count
    return findings, looked


def _repository(arguments: argparse.Namespace, secrets: Secrets) -> tuple[list[Finding], dict[str, int]]:
    from wellposed.reserve.audit import audit_commit, audit_index, audit_objects
    from wellposed.reserve.gitblobs import GitError, Repository

    findings: list[Finding] = []
    looked: dict[str, int] = {}
    with Repository(arguments.repo) as repository:
        found, looked["in the index"] = audit_index(repository, secrets)
        findings += found
        try:
            head = repository.resolve("HEAD")
        except GitError:  # nothing was committed yet
            head = None
        if head is not None:
            found, looked["in HEAD"] = audit_commit(repository, head, secrets)
            findings += found
        if arguments.history:
            found, looked["among all objects"] = audit_objects(repository, secrets)
            findings += found
    return findings, looked
