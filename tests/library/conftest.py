"""Compiling and verifying the files of the library, each once per session."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from wellposed.compiler.compilation import Compilation, CompiledScenario, compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.dsl.source import read_source
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify

ROOT = Path(__file__).resolve().parents[2]


@cache
def _compile(path: str) -> Compilation:
    source, findings = read_source(path, (ROOT / path).read_bytes())
    assert source is not None, findings
    return compile_source(source, Importer(FolderReader(ROOT)))


@cache
def _only(path: str) -> CompiledScenario:
    compilation = _compile(path)
    assert len(compilation.scenarios) == 1, f"{path} does not hold exactly one scenario"
    return compilation.scenarios[0]


@cache
def _verify(path: str) -> Verification:
    bundle = _only(path).bundle
    assert bundle is not None, _compile(path).findings
    return verify(bundle)


@pytest.fixture(scope="session")
def compilation() -> Callable[[str], Compilation]:
    """The compilation of a file, by its path below the root."""
    return _compile


@pytest.fixture(scope="session")
def scenario() -> Callable[[str], CompiledScenario]:
    """The one scenario of a file."""
    return _only


@pytest.fixture(scope="session")
def verification() -> Callable[[str], Verification]:
    """The verification of the one scenario of a file, which must compile."""
    return _verify
