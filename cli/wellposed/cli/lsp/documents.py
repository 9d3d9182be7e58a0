"""The documents that are open in the editor, the paths under which they are checked, and imports read through them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from pygls.uris import from_fs_path, to_fs_path

from wellposed.cli.lsp.names import Names, names_of
from wellposed.cli.lsp.positions import Positions
from wellposed.compiler.imports import ImportFailed
from wellposed.compiler.inputs import SOURCES, FolderReader, Input, Kind, collect, display_path
from wellposed.dsl import tree
from wellposed.dsl.findings import Finding
from wellposed.dsl.parser import parse_tolerantly
from wellposed.dsl.source import SourceFile, read_source


@dataclass(frozen=True)
class Document:
    """One text under its URI and its display path. What it says is found out when it is first asked for."""

    uri: str
    path: str
    location: Path
    kind: Kind
    text: str
    version: int | None
    encoding: str

    @cached_property
    def raw(self) -> bytes:
        """The bytes that a file with this text has. A lone surrogate is none of UTF-8, which the reader then says."""
        return self.text.encode("utf-8", "surrogatepass")

    @cached_property
    def hash(self) -> str:
        """By which one text is told from another."""
        return sha256(self.raw).hexdigest()

    @cached_property
    def input(self) -> Input:
        """The document as an input of the command line."""
        return Input(self.path, self.kind, self.raw, self.location)

    @cached_property
    def source(self) -> SourceFile | None:
        """The text as a source, or None where it is not one."""
        return read_source(self.path, self.raw)[0]

    @cached_property
    def positions(self) -> Positions:
        """Its places as the editor counts them."""
        return Positions(self.text, self.encoding)

    @cached_property
    def _parsed(self) -> tuple[tree.File | None, tuple[Finding, ...]]:
        return (None, ()) if self.source is None else parse_tolerantly(self.source)

    @property
    def file(self) -> tree.File | None:
        """The tree of what can be read, also while there are errors."""
        return self._parsed[0]

    @cached_property
    def names(self) -> Names:
        """Every name in the text, with what it stands for."""
        return Names(()) if self.file is None else names_of(self.file, self.text)


class Documents:
    """What is open, over what is on disk. Display paths are relative to the root of the workspace."""

    def __init__(self, root: Path, encoding: str) -> None:
        self.root = root
        self.encoding = encoding
        self._open: dict[str, Document] = {}

    def put(self, uri: str, text: str, version: int | None) -> Document | None:
        """Enter what the editor has; None for what is no source file on this machine."""
        document = self._document(uri, text, version)
        if document is not None:
            self._open[document.path] = document
        return document

    def drop(self, uri: str) -> None:
        """The editor has closed it."""
        for path, document in list(self._open.items()):
            if document.uri == uri:
                del self._open[path]

    def get(self, uri: str) -> Document | None:
        """An open document."""
        return next((one for one in self._open.values() if one.uri == uri), None)

    def at(self, path: str) -> Document | None:
        """The document at a display path, open or on disk; None where there is none that can be read."""
        if path in self._open:
            return self._open[path]
        try:
            raw = FolderReader(self.root).read_import(posixpath.dirname(path), posixpath.basename(path))
        except ImportFailed:
            return None
        source, _ = read_source(path, raw)
        return None if source is None else self._document(self.uri(path), source.text, None)

    def uri(self, path: str) -> str:
        """The URI of a display path."""
        return self._open[path].uri if path in self._open else str(from_fs_path(str(self.root / path)))

    @property
    def open(self) -> tuple[Document, ...]:
        """All open documents."""
        return tuple(self._open.values())

    def everywhere(self) -> tuple[Document, ...]:
        """All open documents, and the sources below the root that are not open."""
        found = dict(self._open)
        for one in collect([str(self.root)], self.root).sources:
            source, _ = read_source(one.path, one.raw)
            document = None if source is None else self._document(self.uri(one.path), source.text, None)
            if document is not None:
                found.setdefault(one.path, document)
        return tuple(found.values())

    def reader(self) -> Overlay:
        """A reader of imports that knows what is open now, and nothing that changes later."""
        return Overlay({path: one.raw for path, one in self._open.items()}, FolderReader(self.root))

    def _document(self, uri: str, text: str, version: int | None) -> Document | None:
        name = to_fs_path(uri) if uri.startswith("file:") else None
        kind = next((one for one in SOURCES if name is not None and name.endswith(one.value)), None)
        if name is None or kind is None or "\0" in name:
            return None
        location = Path(name)
        return Document(uri, display_path(location, self.root), location, kind, text, version, self.encoding)


@dataclass(frozen=True, slots=True)
class Overlay:
    """Reads imports: what is open as it stands in the editor, everything else from disk."""

    texts: Mapping[str, bytes]
    files: FolderReader

    def read_import(self, folder: str, path: str) -> bytes:
        """The bytes of an imported file; raises ImportFailed."""
        shown = posixpath.normpath(posixpath.join(folder, path))
        raw = self.texts.get(shown)
        return self.files.read_import(folder, path) if raw is None else raw

    def hash_of(self, shown: str) -> str | None:
        """The hash of the file at a display path, None where it cannot be read."""
        try:
            return sha256(self.read_import(posixpath.dirname(shown), posixpath.basename(shown))).hexdigest()
        except ImportFailed:
            return None
