"""Golden cases: one folder per case under `tests/golden`.

`source.scenario` is compiled, with whatever it imports beside it. Comment lines that follow a line of any of these
files mark what is found on it: `# ^ WP201 ordre` a finding whose primary span is the text `ordre`, `# - WP201 order`
a second label of such a finding. A span over several lines is marked by its first line and ` …`. What is not marked
is not found.

`expected/bundle.json` is the bundle of the one scenario, byte for byte, absent where there are errors; where there are
several scenarios, `expected/ID.json` is that of each. `expected/findings.txt` is what the findings say. `WELLPOSED_GOLDEN=write pytest …` writes both.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from wellposed.compiler.compilation import Compilation, compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.load import load_bundle
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.source import read_source

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir() if (path / "source.scenario").is_file())
MARK = re.compile(r"\s*# ([\^-]) (WP\d{3}) (.+)")

Mark = tuple[str, int, str, str, str]
"""Path, line, `^` or `-`, code and underlined text."""


def compiled(case: str) -> Compilation:
    folder = GOLDEN / case
    source, findings = read_source("source.scenario", (folder / "source.scenario").read_bytes())
    assert source is not None, findings
    return compile_source(source, Importer(FolderReader(folder)))


def marks(case: str) -> Counter[Mark]:
    found: Counter[Mark] = Counter()
    for path in (GOLDEN / case).rglob("*"):
        if path.suffix in (".scenario", ".rules", ".skin"):
            marked = 0
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                match = MARK.fullmatch(line)
                if match is None:
                    marked = number
                else:
                    found[path.relative_to(GOLDEN / case).as_posix(), marked, match[1], match[2], match[3]] += 1
    return found


def underlined(case: str, span: Span) -> str:
    text = (GOLDEN / case / span.path).read_bytes().decode("utf-8")[span.start : span.end]
    first, more, _ = text.partition("\n")
    return f"{first} …" if more else first


def places(case: str, findings: tuple[Finding, ...]) -> Counter[Mark]:
    found: Counter[Mark] = Counter()
    for finding in findings:
        spans = [(finding.place, "^"), *((label.place, "-") for label in finding.labels)]
        for span, sign in spans:
            assert isinstance(span, Span)
            found[span.path, span.line, sign, finding.code, underlined(case, span)] += 1
    return found


def told(findings: tuple[Finding, ...]) -> str:
    lines = []
    for finding in findings:
        assert isinstance(finding.place, Span)
        lines.append(
            f"{finding.place.path}:{finding.place.line}: {finding.severity.value}[{finding.code}] {finding.message}"
        )
        for label in finding.labels:
            assert isinstance(label.place, Span)
            lines.append(f"  {label.place.path}:{label.place.line}: {label.text}")
        lines += [f"  note: {note}" for note in finding.notes]
        lines += [] if finding.help is None else [f"  help: {finding.help}"]
    return "".join(f"{line}\n" for line in lines)


def check_file(case: str, name: str, actual: bytes | None) -> None:
    path = GOLDEN / case / "expected" / name
    if os.environ.get("WELLPOSED_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        if actual:
            path.write_bytes(actual)
    assert (path.read_bytes() if path.exists() else b"") == (actual or b"")


@pytest.mark.parametrize("case", CASES)
def test_findings_stand_where_they_are_marked(case: str) -> None:
    assert places(case, compiled(case).findings) == marks(case)


@pytest.mark.parametrize("case", CASES)
def test_findings_say_what_is_expected(case: str) -> None:
    check_file(case, "findings.txt", told(compiled(case).findings).encode())


@pytest.mark.parametrize("case", CASES)
def test_the_bundle_is_expected_byte_for_byte_and_loads(case: str) -> None:
    scenarios = compiled(case).scenarios
    for scenario in scenarios:
        name = "bundle" if len(scenarios) == 1 else scenario.id
        check_file(case, f"{name}.json", None if scenario.bundle is None else scenario.bundle.raw)
        if scenario.bundle is not None:
            assert load_bundle(scenario.bundle.raw, "bundle.json")[1] == ()
