"""A bundle: one scenario as one canonical JSON document, whose SHA-256 is its identity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wellposed.compiler.canonical import file_bytes, sha256
from wellposed.compiler.scenario import Skin
from wellposed.compiler.source_map import SourceMap
from wellposed.dsl.findings import Place, Pointer

__all__ = ["Bundle", "SourceMap", "bundle_of", "place_of"]


@dataclass(frozen=True, slots=True)
class Bundle:
    """A document that has passed `load_bundle`, or was built by the compiler.

    `raw` is the file's bytes, canonical and with their final newline; `path` is the display path of the file, or of the
    source it was compiled from. The document is shared, never changed. The map and the words of the skin are known of a
    source only; they are how things are shown.
    """

    document: Mapping[str, Any]
    raw: bytes = field(repr=False)
    path: str
    source_map: SourceMap | None = field(default=None, repr=False)
    skin: Skin | None = field(default=None, repr=False, compare=False)

    @property
    def hash(self) -> str:
        """`sha256:` and the hex digest of the file's bytes: what `sha256sum bundle.json` prints."""
        return sha256(self.raw)

    @property
    def id(self) -> str:
        """The scenario's id, which is also the name of its folder."""
        return str(self.document["id"])

    @property
    def level(self) -> int:
        """The top level, 0 to 6."""
        return int(self.document["level"])

    @property
    def horizon(self) -> int:
        """The last tick, inclusive."""
        return int(self.document["horizon"])

    def place(self, pointer: str) -> Place:
        """Where the element at this JSON pointer was written: a source span when the map knows it or something around it."""
        return place_of(pointer, self.path, self.source_map)


def place_of(pointer: str, path: str, source_map: SourceMap | None) -> Place:
    """The span of the nearest element around `pointer` that the map knows, else the pointer itself."""
    span = None if source_map is None else source_map.nearest(pointer)
    return Pointer(path, pointer) if span is None else span


def bundle_of(
    document: Mapping[str, Any], source_map: SourceMap | None, path: str, skin: Skin | None = None
) -> Bundle:
    """The bundle of a document that the compiler built; only its canonical form is checked.

    Raises `CanonicalError` or `TypeError` when the document is outside the profile, which is a fault of the caller.
    """
    return Bundle(document, file_bytes(document), path, source_map, skin)
