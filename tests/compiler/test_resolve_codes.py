"""Every WP2xx and WP3xx row: its bad example raises exactly that code, its good one nothing at all."""

from __future__ import annotations

import pytest

from wellposed.compiler.compilation import check_together, compile_source
from wellposed.compiler.imports import Importer, ImportFailed
from wellposed.compiler.load import load_bundle
from wellposed.compiler.suppress import suppress
from wellposed.dsl.codes import lint, names
from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.dsl.source import read_source

ROWS = (*names.ROWS, *lint.ROWS)


class Files:
    """The files of an example, as a folder to import from."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files

    def read_import(self, folder: str, path: str) -> bytes:
        if path not in self._files:
            raise ImportFailed("does not exist")
        return self._files[path]


def findings_of(example: Example) -> tuple[Finding, ...]:
    files = example.files()
    path = next(iter(files))
    source, findings = read_source(path, files[path])
    assert source is not None
    compilation = compile_source(source, Importer(Files(files)))
    for scenario in compilation.scenarios:
        if scenario.bundle is not None:
            assert load_bundle(scenario.bundle.raw, "bundle.json")[1] == ()
    found = (*findings, *compilation.findings, *check_together([compilation]))
    marked, unused = suppress(found, compilation.allows)
    return (*(one for one in marked if one.suppressed is None), *unused)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_the_bad_example_raises_exactly_this_code(row: Code) -> None:
    findings = [
        one for one in findings_of(row.bad) if row.severity is Severity.NOTE or one.severity is not Severity.NOTE
    ]
    assert {finding.code for finding in findings} == {row.id}
    assert {finding.severity for finding in findings} == {row.severity}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_the_good_example_raises_nothing(row: Code) -> None:
    assert findings_of(row.good) == ()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_every_finding_has_a_place_and_says_what_to_do(row: Code) -> None:
    for finding in findings_of(row.bad):
        assert isinstance(finding.place, Span)
        assert finding.place.start < finding.place.end
        assert finding.help
        assert finding.message[-1] not in ".!?"
