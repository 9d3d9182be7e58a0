"""`check --watch`: check, look at the files twice a second, and check again when one has changed.

Files are told apart by what the file system says of them and, where that differs, by the hash of their content, so that
touching a file does nothing. A scenario whose bundle and source places are the same is not verified again.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, KeysView, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import NoReturn

from wellposed.cli import output
from wellposed.cli.finish import finish
from wellposed.cli.gather import STDIN, Quotable, gather
from wellposed.cli.pipeline import Suite, Verify, examine
from wellposed.cli.render.escape import defuse, escape
from wellposed.cli.render.formats import MACHINE
from wellposed.cli.repairs import Fixes
from wellposed.cli.status import UNUSABLE
from wellposed.compiler.bundle import Bundle, SourceMap
from wellposed.compiler.inputs import Stamp, content_hash, survey
from wellposed.verifier.report import Verification

INTERVAL = 0.5
"""Seconds between two looks."""
SETTLING = 0.05
"""Seconds without a further change before a changed file is taken to be complete."""
PATIENCE = 20
"""How many times that is waited for at most."""
RECENT = 2_000_000_000
"""Nanoseconds in which a file system's clock may not tell two writes apart: such a file is read again to be sure."""
SHOWN = 8
"""Files that a line names at most."""

Hashes = Mapping[str, str]


def watch(arguments: argparse.Namespace, verify: Verify | None, suite: Suite | None, fixes: Fixes | None) -> int:
    """Check and stay until interrupted (KeyboardInterrupt) or until nobody reads (BrokenPipeError).

    Only wrong use returns.
    """
    if STDIN in arguments.paths:
        output.notice("--watch needs files: standard input cannot be read twice")
        return UNUSABLE
    _stay(arguments, Remembering(verify) if verify is not None else None, suite, fixes)


def _stay(
    arguments: argparse.Namespace, verify: Remembering | None, suite: Suite | None, fixes: Fixes | None
) -> NoReturn:
    files = Files(arguments.paths)
    while True:
        files.look()
        _check(arguments, verify, suite, fixes, files)
        before = files.hashes()
        while (now := files.hashes()) == before:
            time.sleep(INTERVAL)
            files.look()
        for _ in range(PATIENCE):
            time.sleep(SETTLING)
            files.look()
            if files.hashes() == now:
                break
            now = files.hashes()
        _separate(arguments, difference(before, now))


def _check(
    arguments: argparse.Namespace,
    verify: Remembering | None,
    suite: Suite | None,
    fixes: Fixes | None,
    files: Files,
) -> None:
    gathered = gather(arguments.paths, arguments.stdin_filename)
    report = examine(gathered, verify, suite)
    if isinstance(report.sources, Quotable):
        files.follow(report.sources.imports)
    if fixes is not None:
        report = fixes.added_to(report)
    finish(report, arguments, gathered.notices, lasting=True)
    if not arguments.quiet:
        verified = "" if verify is None else f"verified {verify.turn()} of {len(report.scenarios)}; "
        output.notice(f"{verified}watching {_count(len(files.hashes()), 'file')}, Ctrl-C stops")


def _separate(arguments: argparse.Namespace, what: str) -> None:
    """The line between two outputs: on stdout where people read that, else on stderr."""
    if arguments.format in MACHINE or arguments.output_file is not None:
        output.notice(what)
    else:
        output.write_result(defuse(f"\n--- {escape(what)} ---\n\n"), None)


def difference(before: Hashes, now: Hashes) -> str:
    """What is different, in words: files that changed, that are new, and that are gone."""
    kinds = {
        "changed": [path for path in now if path in before and before[path] != now[path]],
        "new": [path for path in now if path not in before],
        "gone": [path for path in before if path not in now],
    }
    return "; ".join(f"{kind}: {_listed(sorted(paths))}" for kind, paths in kinds.items() if paths)


def _listed(paths: list[str]) -> str:
    more = len(paths) - SHOWN
    return ", ".join(paths[:SHOWN]) + (f" and {_count(more, 'more file')}" if more > 0 else "")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


@dataclass(frozen=True, slots=True)
class _File:
    """A file as last seen; `sure` says that its stamp will not stay the same if it is written again."""

    stamp: Stamp | None
    hash: str | None
    sure: bool


class Files:
    """What is known of the files behind the paths, and of those that they import."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = list(paths)
        self._own: KeysView[str] = dict[str, None]().keys()
        self._imports: dict[str, bytes | None] = {}
        self._known: dict[str, _File] = {}

    def look(self) -> None:
        """Look at the file system; contents are read where they may have changed."""
        known = {}
        now = time.time_ns()
        own = survey(self._paths)
        self._own = own.keys()
        for path, stamp in (own | survey((), self._imports)).items():
            last = self._known.get(path)
            if last is None or last.stamp != stamp or not last.sure:
                written = 0 if stamp is None else max(stamp.modified, stamp.changed)
                last = _File(stamp, None if stamp is None else content_hash(path), now - written > RECENT)
            known[path] = last
        self._known = known

    def follow(self, imports: Mapping[str, bytes | None]) -> None:
        """Watch these imports, with what was read of them, and no longer those that are not imported any more."""
        for path in self._imports.keys() - imports.keys() - self._own:
            self._known.pop(path, None)
        for path, raw in imports.items():
            if path not in self._known:
                self._known[path] = _File(None, None if raw is None else sha256(raw).hexdigest(), False)
        self._imports = dict(imports)

    def hashes(self) -> dict[str, str]:
        """The content hash of every file that is there."""
        return {path: one.hash for path, one in self._known.items() if one.hash is not None}


class Remembering:
    """Verifies, and remembers the results of the last turn: what has not changed since is not verified again."""

    def __init__(self, verify: Verify) -> None:
        self._verify = verify
        self._last: dict[tuple[str, str, bytes], tuple[SourceMap | None, Verification]] = {}
        self._now: dict[tuple[str, str, bytes], tuple[SourceMap | None, Verification]] = {}
        self._verified = 0

    def __call__(self, bundle: Bundle) -> Verification:
        key = bundle.path, bundle.id, bundle.raw
        places, result = self._last.get(key, (None, None))
        if result is None or places != bundle.source_map:
            result = self._verify(bundle)
            self._verified += 1
        self._now[key] = bundle.source_map, result
        return result

    def turn(self) -> int:
        """Begin the next turn; returns how many were verified in the one that ends."""
        self._last, self._now = self._now, {}
        verified, self._verified = self._verified, 0
        return verified
