"""The files of a fixture folder: read without following links, decoded strictly, each value with its place.

Unlike in a bundle folder, the order of members and white space are free; everything else is refused as in a bundle:
members that stand twice, fractions, integers beyond 2^53-1, half characters, files above the limits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from wellposed.compiler.adopt.report import NOTHING, WRONG_VALUE, AdoptReport, Item, whole
from wellposed.compiler.canonical import CanonicalError, read
from wellposed.compiler.folder import BUNDLE_FILE, MAP_FILE, NOT_A_FILE, RULES_FOLDER
from wellposed.compiler.opened import Opened, Refused, TooLarge
from wellposed.compiler.profile import BYTE_ORDER_MARK, MAX_BYTES, NOT_UTF8, TOO_LARGE
from wellposed.compiler.shapes import CHANNELS, MAX_ENTRIES
from wellposed.dsl.source import SourceFile

DOCUMENTS = ("rules.json", "stub.json", "mode.json", "invariants.json", "scenario.json")


@dataclass(slots=True)
class Fixture:
    """The decoded files: records by channel in file order, documents by name, later rules versions by their name."""

    channels: dict[str, list[Item]] = field(default_factory=dict)
    documents: dict[str, Item] = field(default_factory=dict)
    versions: dict[str, Item] = field(default_factory=dict)


def read_fixture(path: Path, report: AdoptReport) -> Fixture | None:
    """The files of the folder, or None after reporting why it is none to adopt. Raises `OSError`."""
    try:
        with Opened(path) as folder:
            return _Reading(folder, report).read()
    except Refused as refused:
        report.refuse(_code(refused), refused.message, whole(refused.path))
        return None


def _code(refused: Refused) -> str:
    return TOO_LARGE if isinstance(refused, TooLarge) else NOT_A_FILE


class _Reading:
    """One look at one open folder."""

    def __init__(self, folder: Opened, report: AdoptReport) -> None:
        self._folder = folder
        self._report = report
        self._fixture = Fixture()

    def read(self) -> Fixture | None:
        names = self._folder.names()
        if BUNDLE_FILE in names:
            message, help = "this is the folder of a bundle", "`wellposed decompile` gives its source"
            self._report.refuse(NOTHING, message, whole(f"{self._report.folder}/{BUNDLE_FILE}"), help)
            return None
        files = [f"{channel}.jsonl" for channel in CHANNELS]
        if files[0] not in names:
            help = f"the files that are read are {', '.join((*files, *DOCUMENTS))} and rules/*.json"
            self._report.refuse(NOTHING, f"there is no {files[0]} in this folder", None, help)
            return None
        for channel, name in zip(CHANNELS, files, strict=True):
            source = self._source(self._folder, name) if name in names else None
            self._fixture.channels[channel] = [] if source is None else self._lines(source)
        for name in DOCUMENTS:
            source = self._source(self._folder, name) if name in names else None
            item = None if source is None else self._decoded(source, 0, len(source.text))
            if item is not None:
                self._fixture.documents[name] = item
        if RULES_FOLDER in names:
            self._versions()
        strange = [name for name in names if name not in (*files, *DOCUMENTS, RULES_FOLDER, MAP_FILE)]
        if strange:
            shown = ", ".join(ascii(name[:40])[1:-1] for name in strange[:8])
            more = f" and {len(strange) - 8} more" if len(strange) > 8 else ""
            self._report.drop(f"what is no file of a fixture: {shown}{more}")
        return None if self._report.failed else self._fixture

    def _versions(self) -> None:
        try:
            with self._folder.folder(RULES_FOLDER) as folder:
                for name in folder.names():
                    if name.endswith(".json"):
                        source = self._source(folder, name)
                        item = None if source is None else self._decoded(source, 0, len(source.text))
                        if item is not None:
                            self._fixture.versions[name.removesuffix(".json")] = item
        except Refused as refused:
            self._report.refuse(_code(refused), refused.message, whole(refused.path))

    def _source(self, folder: Opened, name: str) -> SourceFile | None:
        path = f"{folder.path}/{name}"
        try:
            raw = folder.read(name, MAX_BYTES)
        except Refused as refused:
            self._report.refuse(_code(refused), refused.message, whole(refused.path))
            return None
        if raw.startswith(b"\xef\xbb\xbf"):
            self._report.refuse(BYTE_ORDER_MARK, "the file begins with a byte order mark", whole(path))
            return None
        try:
            source = SourceFile(path, raw.decode())
        except UnicodeDecodeError as error:
            before = SourceFile(path, raw[: error.start].decode())
            place = before.span(len(before.text), len(before.text))
            self._report.refuse(NOT_UTF8, f"the byte 0x{raw[error.start]:02x} is not UTF-8 here", place)
            return None
        self._report.sources[path] = source
        return source

    def _lines(self, source: SourceFile) -> list[Item]:
        """One record per line; empty lines are passed over."""
        items: list[Item] = []
        start = 0
        for line in source.text.split("\n"):
            end = start + len(line)
            if line.strip(" \t\r"):
                if len(items) == MAX_ENTRIES:
                    message = f"more than {MAX_ENTRIES} records in one file"
                    self._report.refuse(TOO_LARGE, message, source.span(start, start))
                    break
                item = self._decoded(source, start, end)
                if item is not None:
                    if isinstance(item.value, dict):
                        items.append(item)
                    else:
                        self._report.refuse(WRONG_VALUE, "a line of this file is one object", item)
            start = end + 1
        return items

    def _decoded(self, source: SourceFile, start: int, end: int) -> Item | None:
        raw = source.text[start:end].encode()
        try:
            return Item(read(raw), source, start, end)
        except CanonicalError as error:
            at = start + len(raw[: error.offset or 0].decode(errors="ignore"))
            self._report.refuse(error.code, error.message, source.span(at, min(at + 1, end)))
            return None
