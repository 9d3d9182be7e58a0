"""What the tests of the language share: a text to its tree, or to what is said about it with the text underlined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from wellposed.dsl import tree
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile


@dataclass(frozen=True)
class Complaint:
    """A finding with places replaced by the text at them. `behind` is what the line has up to the place."""

    code: str
    message: str
    at: str
    behind: str
    labels: tuple[tuple[str, int, str], ...]
    help: str | None


def complaint(source: SourceFile, finding: Finding) -> Complaint:
    place = finding.place
    assert isinstance(place, Span)
    labels = []
    for label in finding.labels:
        assert isinstance(label.place, Span)
        labels.append((source.text_of(label.place), label.place.line, label.text))
    behind = source.line_text(place.line)[: place.column - 1]
    return Complaint(finding.code, finding.message, source.text_of(place), behind, tuple(labels), finding.help)


@pytest.fixture(scope="session")
def tree_of() -> Callable[..., tree.File]:
    """Parse a text that must be right."""

    def read(text: str, path: str = "a.scenario") -> tree.File:
        file, findings = parse(SourceFile(path, text))
        assert findings == ()
        assert file is not None
        return file

    return read


@pytest.fixture(scope="session")
def complaints_about() -> Callable[..., list[Complaint]]:
    """Parse a text that must be wrong."""

    def read(text: str, path: str = "a.scenario") -> list[Complaint]:
        source = SourceFile(path, text)
        file, findings = parse(source)
        assert file is None
        assert findings
        return [complaint(source, finding) for finding in findings]

    return read
