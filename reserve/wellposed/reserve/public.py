"""The public scenarios of a tree: what a sealed entry must not repeat."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer, ImportFailed
from wellposed.compiler.inputs import BUNDLE_NAME
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.load import load_bundle
from wellposed.dsl.source import read_source
from wellposed.reserve.content import same_test
from wellposed.reserve.trees import NotReadable, Tree

FOLDER = "scenarios"
_SOURCE = ".scenario"


def public_tests(tree: Tree, folder: str = FOLDER) -> dict[str, str]:
    """The path of a scenario by the digest of the test that it is, for all that are published below a folder.

    Only what compiles is a scenario. Bounded as an invocation of the tool is: files, bytes, depth.
    """
    found: dict[str, str] = {}
    importer = Importer(_TreeReader(tree))
    for path in _paths(tree, folder):
        for bundle in _bundles(tree, path, importer):
            found.setdefault(same_test(bundle.document), path)
    return found


def _paths(tree: Tree, top: str) -> Iterator[str]:
    waiting, count = [(top, 0)], 0
    while waiting:
        folder, depth = waiting.pop()
        for name in tree.names(folder):
            path = f"{folder}/{name}".rstrip("/")
            if name.endswith("/"):
                if depth < LIMITS.folder_depth:
                    waiting.append((path, depth + 1))
            elif name.endswith(_SOURCE) or name == BUNDLE_NAME:
                count += 1
                if count > LIMITS.files:
                    return
                yield path


def _bundles(tree: Tree, path: str, importer: Importer) -> Iterator[Bundle]:
    try:
        raw = tree.read(path, LIMITS.bundle_bytes)
    except NotReadable:
        return
    if path.endswith(_SOURCE):
        source, _ = read_source(path, raw)
        if source is not None:
            yield from (one.bundle for one in compile_source(source, importer).scenarios if one.bundle is not None)
        return
    bundle, _ = load_bundle(raw, path)
    if bundle is not None:
        yield bundle


class _TreeReader:
    """Reads imports from a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def read_import(self, folder: str, path: str) -> bytes:
        """The bytes of an imported file; raises ImportFailed."""
        try:
            return self._tree.read(posixpath.normpath(posixpath.join(folder, path)), LIMITS.source_bytes)
        except NotReadable as failure:
            raise ImportFailed(str(failure)) from failure
