"""What was published may only grow: bundles stay as they are, and so does everything of a reserve but the end of its ledger."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from wellposed.cli.review.files import LEDGER, folders_around, in_reserve
from wellposed.cli.review.finding import at
from wellposed.cli.review.objects import Changed, shown
from wellposed.cli.review.sources import Side
from wellposed.compiler.canonical import sha256
from wellposed.compiler.folder import BUNDLE_FILE, DIFFERS, MAP_FILE, MISSING_FILE, STRANGE_NAME, derive
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.load import load_bundle
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.vocabulary import BUNDLE_FORMAT
from wellposed.reserve.lines import MAX_LEDGER, Chain, read_chain
from wellposed.reserve.rules import replay
from wellposed.reserve.state import State

BUNDLE_EDITED, RESERVE_EDITED, RESERVE_GROWN = "WP965", "WP966", "WP967"
_CONTEXT = 60
_FORMAT = re.compile(rb'"format"\s*:\s*"' + re.escape(BUNDLE_FORMAT.encode()) + b'"')


@dataclass(frozen=True, slots=True)
class Reserves:
    """The folders that hold a ledger on a side, and what each ledger there comes to; unsound ones have only findings."""

    states: Mapping[str, State]
    chains: Mapping[str, Chain]
    findings: Mapping[str, tuple[Finding, ...]]


def reserves(side: Side, folders: Iterable[str]) -> Reserves:
    """The ledgers in these folders. Raises GitError."""
    states, chains, findings = {}, {}, {}
    for folder in folders:
        path = posixpath.join(folder, LEDGER)
        raw = side.read(path, MAX_LEDGER)
        if raw is not None:
            chains[folder] = chain = read_chain(raw, path)
            states[folder], found = replay(chain.lines, path)
            findings[folder] = (*chain.findings, *found)
    return Reserves(states, chains, findings)


def bundle_folders(side: Side) -> frozenset[str]:
    """The folders of bundles on a side. Raises GitError."""
    places = (path for path in side.files if posixpath.basename(path) == BUNDLE_FILE)
    return frozenset(posixpath.dirname(path) for path in places if is_bundle(side.read(path, LIMITS.bundle_bytes)))


def is_bundle(raw: bytes | None) -> bool:
    """Whether a file is, or claims to be, a bundle."""
    return raw is not None and raw.lstrip()[:1] == b"{" and _FORMAT.search(raw) is not None


def bundles_edited(before: Side, changed: Iterable[Changed], folders: frozenset[str]) -> Iterator[Finding]:
    """WP965 for each published bundle that is no longer what it was. `folders` are those that are a bundle's on the old side."""
    by_bundle: dict[str, list[Changed]] = {}
    for one in changed:
        folder = next((each for each in folders_around(one.path) if each and each in folders), None)
        published = folder is not None or is_bundle(before.read(one.path, LIMITS.bundle_bytes))
        if one.before is not None and published and posixpath.basename(one.path) != MAP_FILE:
            by_bundle.setdefault(folder or one.path, []).append(one)
    for subject, files in by_bundle.items():
        path = f"{subject}/{BUNDLE_FILE}" if subject in folders else subject
        raw = before.read(path, LIMITS.bundle_bytes)
        was = "" if raw is None else f" ({sha256(raw)[:19]})"
        gone = any(one.after is None and one.path == path for one in files)
        yield at(
            BUNDLE_EDITED,
            f"the published bundle {shown(path)}{was} was {'removed' if gone else 'edited'}",
            path,
            help="results name a bundle by its hash; leave it as it is, and publish what is new beside it",
        )


def folder_findings(after: Side, folder: str, names: Iterable[str]) -> Iterator[Finding]:
    """What a new bundle folder has that its bundle does not derive. `names` are its files, relative to it."""
    raw = after.read(f"{folder}/{BUNDLE_FILE}", LIMITS.bundle_bytes)
    bundle = None if raw is None else load_bundle(raw, f"{folder}/{BUNDLE_FILE}")[0]
    if bundle is None:
        return
    due = derive(bundle)
    there = set(names)
    for name in sorted(there - set(due) - {MAP_FILE}):
        yield at(STRANGE_NAME, f"a bundle folder has no {name!a}", f"{folder}/{name}")
    for name, wanted in due.items():
        if name not in there:
            yield at(MISSING_FILE, "the file is missing", f"{folder}/{name}")
        elif after.read(f"{folder}/{name}", LIMITS.bundle_bytes) != wanted:
            yield at(DIFFERS, "the file is not what the bundle derives", f"{folder}/{name}")


def reserve_findings(
    before: Side, after: Side, changed: Iterable[Changed], old: Reserves, new: Reserves
) -> Iterator[Finding]:
    """WP966 for what was edited in a reserve, WP967 for what was added to one, and what is unsound in a ledger that changed."""
    by_folder: dict[str, list[Changed]] = {}
    for one in changed:
        known = old.chains.keys() | new.chains.keys()
        folder = next((each for each in folders_around(one.path) if each in known and in_reserve(one.path, each)), None)
        if folder is not None:
            by_folder.setdefault(folder, []).append(one)
    for folder, files in sorted(by_folder.items()):
        ledger = posixpath.join(folder, LEDGER)
        edited = [one for one in files if one.before is not None and one.path != ledger]
        for one in edited[: LIMITS.told_files]:
            what = "removed" if one.after is None else "edited"
            yield _edited(f"a published file of the reserve was {what}", one.path, len(edited) - LIMITS.told_files)
        if any(one.path == ledger for one in files):
            yield from _ledger(before, after, folder, old, new)
        elif len(edited) < len(files):
            added = [one.path for one in files if one.before is None]
            yield at(
                RESERVE_GROWN,
                f"the reserve gets {_counted(len(added), 'file')} of which its ledger says nothing new",
                added[0],
                detail=added[: LIMITS.told_files],
                help="only whoever operates the reserve adds to it, and with a line in the ledger; ask them",
            )


def _ledger(before: Side, after: Side, folder: str, old: Reserves, new: Reserves) -> Iterator[Finding]:
    path = posixpath.join(folder, LEDGER)
    had, has = before.read(path, MAX_LEDGER) or b"", after.read(path, MAX_LEDGER) or b""
    if not has.startswith(had):
        yield _line_edited(path, had, has)
        return
    yield from new.findings.get(folder, ())
    count = len(new.chains[folder].lines) - (len(old.chains[folder].lines) if folder in old.chains else 0)
    if not new.findings.get(folder):
        kinds = [line.type for line in new.chains[folder].lines[-count:]]
        told = ", ".join(dict.fromkeys(kinds))
        yield at(
            RESERVE_GROWN,
            f"the ledger of the reserve gets {_counted(count, 'line')}: {told}",
            path,
            help="only whoever operates the reserve adds lines: have them confirm the new head, "
            f"{new.chains[folder].head}",
        )


def _line_edited(path: str, had: bytes, has: bytes) -> Finding:
    """WP966 for the first line of a ledger that is not what it was, with both of them as far as they differ."""
    place = min(len(had), len(has))
    first = next((index for index in range(place) if had[index] != has[index]), place)
    line = had.count(b"\n", 0, first) + 1
    detail = [f"{sign} {_around(raw, first)}" for sign, raw in (("-", had), ("+", has))]
    what = "is missing" if first == len(has) else "is no longer what it was"
    return at(
        RESERVE_EDITED,
        f"line {line} of the published ledger {what}",
        Span(path, 0, 0, line, 1, line, 1),
        detail=detail,
        help="what was published stays; a ledger only grows at its end",
    )


def _around(raw: bytes, offset: int) -> str:
    """The part of a line around an offset."""
    start = max(raw.rfind(b"\n", 0, offset) + 1, offset - _CONTEXT)
    end = raw.find(b"\n", offset)
    end = min(len(raw) if end < 0 else end, offset + _CONTEXT)
    return raw[start:end].decode("utf-8", "backslashreplace") or "(nothing)"


def _edited(message: str, path: str, more: int) -> Finding:
    rest = f", and {more} more files are" if more > 0 else ""
    return at(RESERVE_EDITED, message + rest, path, help="what was published stays; a ledger only grows at its end")


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
