"""No layout changes a bundle: hashes and findings of a text are those of its layout, whatever the text looked like."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.compiler.documents import Json, documents
from tests.dsl.formats import check_layout, laid_out, mutated

from wellposed.compiler.canonical import file_bytes
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.decompile import decompile
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.load import load_bundle
from wellposed.dsl.source import SourceFile, read_source

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("scenarios", "examples", "tests/library/known", "tests/golden", "tests/cli/expected/clean")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.scenario"))

Compiled = tuple[list[tuple[str, str | None]], list[tuple[str, str, str]]]


def source_at(path: Path) -> SourceFile:
    source, findings = read_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
    assert source is not None, findings
    return source


def compiled(source: SourceFile) -> Compiled:
    """Ids with hashes, and every finding with what it says."""
    result = compile_source(source, Importer(FolderReader(ROOT)))
    bundles = [(one.id, one.bundle.hash if one.bundle else None) for one in result.scenarios]
    findings = [*result.file_findings, *(finding for one in result.scenarios for finding in one.findings)]
    return bundles, sorted((one.code, one.scenario or "", one.message) for one in findings)


@cache
def compiled_as_it_is(path: Path) -> Compiled:
    return compiled(source_at(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_layout_of_a_file_compiles_to_the_same(path: Path) -> None:
    source = source_at(path)
    assert compiled(SourceFile(source.path, laid_out(source))) == compiled_as_it_is(path)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.integers(0, 2**32))
def test_the_layout_of_any_layout_compiles_to_the_same(path: Path, seed: int) -> None:
    source = source_at(path)
    text = laid_out(SourceFile(source.path, mutated(source.text, seed)))
    assert compiled(SourceFile(source.path, text)) == compiled_as_it_is(path)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(documents(), st.integers(0, 2**32))
def test_sources_of_any_bundle(document: Json, seed: int) -> None:
    bundle, _ = load_bundle(file_bytes(document), "bundle.json")
    assert bundle is not None
    text, findings = decompile(bundle)
    assert text is not None, findings
    formatted = check_layout(SourceFile("a.scenario", mutated(text, seed)))
    ((_, hash),), _ = compiled(SourceFile("a.scenario", formatted))
    assert hash == bundle.hash
