"""The folder that a harness reads: `bundle.json` and the files derived from it, byte for byte.

Derived forms, each a canonical file (one value and LF, or one such line per record):

- `inbox.jsonl`, `approvals.jsonl`, `signals.jsonl`, `faults.jsonl`: one line per schedule entry of that channel, in
  schedule order; the line is the record, with `seq` and `at` (the written tick) or `when` (the trigger) beside its own
  members. `seq` is the one total order over all four files. A channel without entries is an empty file.
- `rules.json`: the condition list of the version in force at tick 0, `rules/<name>.json` that of each later one; the
  SHA-256 of such a file is the version's `rules_hash`.
- `stub.json`, `mode.json`: the members `stub` and `mode` of the document.
- `invariants.json`: `{"expect":…,"invariants":…}`.

Beside them there may be `bundle.map.json`, which is no part of the bundle. Reading never follows a link, opens regular
files only, accepts no other name, and hashes the bytes of `bundle.json` before they are parsed.
"""

from __future__ import annotations

import dataclasses
import os
import secrets
import shutil
from pathlib import Path
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.canonical import file_bytes, lines, sha256
from wellposed.compiler.load import finding, load_bundle
from wellposed.compiler.opened import Opened, Refused, TooLarge
from wellposed.compiler.profile import MAX_BYTES, TOO_LARGE
from wellposed.compiler.scan import first_difference
from wellposed.compiler.shapes import CHANNELS
from wellposed.compiler.source_map import SourceMap, map_bytes, read_map
from wellposed.dsl.findings import Finding, Pointer, has_errors

BUNDLE_FILE = "bundle.json"
MAP_FILE = "bundle.map.json"
RULES_FOLDER = "rules"
_CHANNEL_FILES = tuple(f"{channel}.jsonl" for channel in CHANNELS)
_KNOWN_NAMES = frozenset(
    (BUNDLE_FILE, MAP_FILE, "rules.json", "stub.json", "mode.json", "invariants.json", *_CHANNEL_FILES)
)
"""What a bundle folder may hold at its top, beside the folder of later rules."""

NOT_A_BUNDLE_FOLDER = "WP750"
STRANGE_NAME = "WP751"
NOT_A_FILE = "WP752"
DIFFERS = "WP753"
MISSING_FILE = "WP754"
WRONG_HASH = "WP755"
MAP_IGNORED = "WP756"


class FolderError(Exception):
    """A folder that must not be overwritten; `code` is a WP7xx code."""

    def __init__(self, code: str, message: str, path: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path


def derive(bundle: Bundle) -> dict[str, bytes]:
    """Every file of the bundle's folder by its relative POSIX name, in the order of the names; the map is not among them."""
    document = bundle.document
    files = {BUNDLE_FILE: bundle.raw}
    for channel in CHANNELS:
        files[f"{channel}.jsonl"] = lines(
            [_line(entry) for entry in document["schedule"] if entry["channel"] == channel]
        )
    first, *later = document["rules"]
    files["rules.json"] = file_bytes(first["rules"])
    for version in later:
        files[f"{RULES_FOLDER}/{version['name']}.json"] = file_bytes(version["rules"])
    files["stub.json"] = file_bytes(document["stub"])
    files["mode.json"] = file_bytes(document["mode"])
    files["invariants.json"] = file_bytes({"expect": document["expect"], "invariants": document["invariants"]})
    return dict(sorted(files.items()))


def rules_hash(rules: list[Any]) -> str:
    """The hash that an admission cites for a rules version: the hex SHA-256 of its file, without a prefix."""
    return sha256(file_bytes(rules)).removeprefix("sha256:")


def _line(entry: dict[str, Any]) -> dict[str, Any]:
    timing = {"when": entry["when"]} if "when" in entry else {"at": entry["at"]}
    return {**entry["record"], **timing, "seq": entry["seq"]}


def write_folder(bundle: Bundle, parent: Path) -> Path:
    """Write the bundle's folder `parent/<id>` whole or not at all, and return it.

    A bundle folder of that name is replaced; its map is written when the bundle has one and is not sealed. Raises
    `FolderError` when something else is in the way, and `OSError`.
    """
    files = derive(bundle)
    if bundle.source_map is not None and "seal" not in bundle.document:
        written = map_bytes(bundle.source_map, bundle.hash)
        if written is not None:
            files[MAP_FILE] = written
    target = parent / bundle.id
    _check_replaceable(target)
    token = secrets.token_hex(8)
    fresh, old = parent / f".{bundle.id}.{token}.new", parent / f".{bundle.id}.{token}.old"
    try:
        for name, raw in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
        replaced = os.path.lexists(target)
        if replaced:
            target.rename(old)
        try:
            fresh.rename(target)
        except OSError:
            if replaced:
                old.rename(target)
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
    return target


def _check_replaceable(target: Path) -> None:
    """Refuse to replace anything but a bundle folder: whatever else lies there is not ours to delete."""
    if not os.path.lexists(target):
        return
    path = target.as_posix()
    try:
        with Opened(target) as folder:
            names = folder.names()
            if names and BUNDLE_FILE not in names:
                raise FolderError(NOT_A_BUNDLE_FOLDER, f"{path} is not a bundle folder, so it is not replaced", path)
            _check_own(folder, [name for name in names if name != RULES_FOLDER], _KNOWN_NAMES, path)
            if RULES_FOLDER in names:
                with folder.folder(RULES_FOLDER) as rules:
                    _check_own(rules, rules.names(), None, path)
    except Refused as refused:
        raise FolderError(
            NOT_A_BUNDLE_FOLDER, f"{path} is not a bundle folder, so it is not replaced", path
        ) from refused


def _check_own(folder: Opened, names: list[str], known: frozenset[str] | None, path: str) -> None:
    """Refuse names that no bundle folder has (`known` None: that no folder of rules has), and what is not a file."""
    for name in names:
        if not (name.endswith(".json") if known is None else name in known) or not folder.is_file(name):
            raise FolderError(STRANGE_NAME, f"{folder.path} holds {name!a}, so {path} is not replaced", path)


def read_folder(path: Path, expected: str | None = None) -> tuple[Bundle | None, tuple[Finding, ...]]:
    """The bundle of a folder, without a look into the derived files.

    `expected` is a hash (`sha256:…`) that the bytes of `bundle.json` must have before they are parsed. Places are paths
    below `path` as it was given, or source spans when there is a map that fits. Raises `OSError`, `FileNotFoundError`
    when there is no such folder included.
    """
    return _read(path, expected, compare=False)


def check_folder(path: Path, expected: str | None = None) -> tuple[Bundle | None, tuple[Finding, ...]]:
    """As `read_folder`; every derived file is also compared with what the bundle derives, and none may be missing."""
    return _read(path, expected, compare=True)


def _read(path: Path, expected: str | None, compare: bool) -> tuple[Bundle | None, tuple[Finding, ...]]:
    try:
        with Opened(path) as folder:
            return _Reading(folder, path.as_posix()).read(expected, compare)
    except Refused as refused:
        return None, (finding(_code(refused), refused.message, Pointer(refused.path, "")),)


def _code(refused: Refused) -> str:
    return TOO_LARGE if isinstance(refused, TooLarge) else NOT_A_FILE


class _Reading:
    """One look at one open folder."""

    def __init__(self, folder: Opened, path: str) -> None:
        self._folder = folder
        self._path = path
        self._findings: list[Finding] = []

    def _report(self, code: str, message: str, name: str = "") -> None:
        place = Pointer(f"{self._path}/{name}" if name else self._path, "")
        self._findings.append(finding(code, message, place))

    def read(self, expected: str | None, compare: bool) -> tuple[Bundle | None, tuple[Finding, ...]]:
        names = self._folder.names()
        if BUNDLE_FILE not in names:
            self._report(NOT_A_BUNDLE_FOLDER, f"there is no {BUNDLE_FILE} in this folder")
            return None, tuple(self._findings)
        for name in names:
            if name not in _KNOWN_NAMES and name != RULES_FOLDER:
                self._strange(name)
        raw = self._folder.read(BUNDLE_FILE, MAX_BYTES)
        actual = sha256(raw)
        if expected is not None and actual != expected:
            self._report(WRONG_HASH, f"the file hashes to {actual}; {expected} is due", BUNDLE_FILE)
            return None, tuple(self._findings)
        bundle, found = load_bundle(raw, f"{self._path}/{BUNDLE_FILE}")
        if bundle is None:
            return None, (*self._findings, *found)
        files = derive(bundle)
        self._check_rules(names, files)
        if compare:
            for name, due in files.items():
                self._compare(name, due)
        source_map = self._map(bundle) if MAP_FILE in names else None
        findings = tuple(self._findings)
        return (None if has_errors(findings) else dataclasses.replace(bundle, source_map=source_map)), findings

    def _strange(self, name: str) -> None:
        self._report(STRANGE_NAME, f"a bundle folder has no {name!a}")

    def _check_rules(self, names: list[str], files: dict[str, bytes]) -> None:
        if RULES_FOLDER not in names:
            return
        due = [name for name in files if name.startswith(f"{RULES_FOLDER}/")]
        try:
            with self._folder.folder(RULES_FOLDER) as rules:
                inside = [f"{RULES_FOLDER}/{name}" for name in rules.names()]
        except Refused as refused:
            self._report(_code(refused), refused.message, RULES_FOLDER)
            return
        for name in inside:
            if name not in due:
                self._strange(name)
        if not due and not inside:
            self._strange(RULES_FOLDER)

    def _contents(self, name: str, limit: int) -> bytes:
        folder, _, file = name.rpartition("/")
        if folder == "":
            return self._folder.read(name, limit)
        with self._folder.folder(folder) as inner:
            return inner.read(file, limit)

    def _compare(self, name: str, due: bytes) -> None:
        try:
            raw = self._contents(name, MAX_BYTES)
        except FileNotFoundError:
            self._report(MISSING_FILE, "the file is missing", name)
            return
        except Refused as refused:
            self._report(_code(refused), refused.message, name)
            return
        if raw != due:
            self._report(DIFFERS, _difference(raw, due), name)

    def _map(self, bundle: Bundle) -> SourceMap | None:
        try:
            read = read_map(self._contents(MAP_FILE, MAX_BYTES), bundle.hash, bundle.document)
        except Refused as refused:
            read = refused.message
        if isinstance(read, SourceMap):
            return read
        self._report(MAP_IGNORED, f"the source map is ignored: {read}", MAP_FILE)
        return None


def _difference(raw: bytes, due: bytes) -> str:
    """The first line in which two files differ, counted from 1, in words."""
    offset = first_difference(raw, due)
    line = due.count(b"\n", 0, offset) + 1
    if offset == len(raw):
        return f"the file ends in line {line}, where the bundle derives more"
    if offset == len(due):
        return f"line {line} is more than the bundle derives"
    start = due.rfind(b"\n", 0, offset) + 1
    found, wanted = (_around(text, start, offset) for text in (raw, due))
    return f"line {line} is not what the bundle derives: {found} instead of {wanted}"


def _around(text: bytes, start: int, offset: int) -> str:
    """The line that begins at `start`, as far as it is near `offset`."""
    end = text.find(b"\n", offset)
    line = text[max(start, offset - 16) : min(len(text) if end < 0 else end, offset + 24)]
    return ascii(line.decode(errors="replace"))
