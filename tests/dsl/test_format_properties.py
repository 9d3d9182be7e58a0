"""The formatter on random files and on random layouts of real ones: nothing is lost, nothing is added but space."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.dsl.formats import GAPS, check_layout, laid_out, mutated
from tests.dsl.test_spans import Writer

from wellposed.dsl import format_layout
from wellposed.dsl.source import SourceFile, read_source

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("scenarios", "examples", "tests/library/known", "tests/golden", "tests/dsl/expected")
FILES = sorted(
    path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in (".scenario", ".rules", ".skin")
)
WIDTHS = st.sampled_from([120, 60, 30, 1])
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


class Spaced(Writer):
    """Writes with more on one line than on several, as authors do."""

    def write(self, *tokens: str) -> None:
        for token in tokens:
            self.text += self.data.draw(st.sampled_from(GAPS)) if self.pick(*(False,) * 5, True) else " "
            self.text += token


def source_at(path: Path) -> SourceFile:
    source, findings = read_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
    assert source is not None, findings
    return source


def check(source: SourceFile, width: int) -> None:
    """In narrow lines nearly everything has to be broken."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(format_layout, "WIDTH", width)
        check_layout(source)


def check_random_file(data: st.DataObject, width: int) -> None:
    writer = data.draw(st.sampled_from([Writer, Spaced]))(data)
    writer.file()
    check(SourceFile("a.scenario", writer.text), width)


def check_other_layout(path: Path, seed: int, width: int) -> None:
    source = source_at(path)
    check(SourceFile(source.path, mutated(source.text, seed)), width)


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(st.data(), WIDTHS)
def test_random_files(data: st.DataObject, width: int) -> None:
    check_random_file(data, width)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_real_files(path: Path) -> None:
    for width in (120, 40):
        check(source_at(path), width)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(FILES), st.integers(0, 2**32), WIDTHS)
def test_other_layouts_of_real_files(path: Path, seed: int, width: int) -> None:
    check_other_layout(path, seed, width)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(FILES))
def test_indentation_says_nothing(path: Path) -> None:
    """The layout does not look at columns: with all lines at the margin it is the same."""
    source = source_at(path)
    if '"""' not in source.text:
        text = "".join(f"{line.strip()}\n" for line in source.text.splitlines())
        assert laid_out(SourceFile(source.path, text)) == laid_out(source)


@pytest.mark.slow
@settings(max_examples=5000, deadline=None, suppress_health_check=SLOW)
@given(st.data(), WIDTHS)
def test_random_files_slowly(data: st.DataObject, width: int) -> None:
    check_random_file(data, width)


@pytest.mark.slow
@settings(max_examples=5000, deadline=None)
@given(st.sampled_from(FILES), st.integers(0, 2**32), WIDTHS)
def test_other_layouts_of_real_files_slowly(path: Path, seed: int, width: int) -> None:
    check_other_layout(path, seed, width)
