"""What the compiler builds, the loader takes: every scenario of the repository, through bytes, schema and source map."""

from __future__ import annotations

from pathlib import Path

import pytest

from wellposed.compiler.compilation import compile_source
from wellposed.compiler.folder import check_folder, write_folder
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.load import load_bundle
from wellposed.compiler.schemas import violations
from wellposed.dsl.source import read_source

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for folder in ("scenarios", "examples") for path in (ROOT / folder).rglob("*.scenario"))


def test_there_is_a_library() -> None:
    assert len(SOURCES) >= 14


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_compiled_bundles_load(path: Path, tmp_path: Path) -> None:
    source, findings = read_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
    assert source is not None, findings
    for scenario in compile_source(source, Importer(FolderReader(ROOT))).scenarios:
        built = scenario.bundle
        if built is None:
            continue
        loaded, found = load_bundle(built.raw, built.path, built.source_map)
        assert found == ()
        assert loaded == built
        assert list(violations("bundle", built.document)) == []
        checked, found = check_folder(write_folder(built, tmp_path))
        assert found == ()
        assert checked is not None
        assert checked.source_map == built.source_map
