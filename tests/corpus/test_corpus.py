"""The corpus of public reports: every entry has the verdict and the code that it states, and its twin has neither."""

from __future__ import annotations

import re
import runpy
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from wellposed.cli.report import Rejection, Report, ScenarioResult
from wellposed.dsl.findings import Severity
from wellposed.dsl.format import format_source
from wellposed.dsl.source import SourceFile

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"
GENERATOR = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "generate_corpus.py")))
FOLDERS = tuple(sorted(path.name for path in CORPUS.iterdir() if path.is_dir() and not path.name.startswith("__")))

REQUIRED = {"id", "title", "link", "kind", "symptom", "verdict"}
OPTIONAL = {"code", "differs", "limit"}
LEAK = "leak"
"""What is about the secrecy of scenarios: shell commands in a repository with a reserve; tests/reserve runs them."""
JUDGED = {"unsatisfiable", "ambiguous", "vacuous", "invalid", "undecided"}
ASIDE = {"fd-24": ("as-written.scenario",)}
"""Scenarios beside defect and twin that are rejected as well."""
CORES = {
    "fd-02": ["L2.only"],
    "fd-04": [],
    "fd-09": ["L2.admit"],
    "fd-18": ["L2.only"],
    "fd-21": ["L2.authority"],
    "fd-22": ["L1.anchor"],
    "fd-27": ["L2.authority"],
    "fd-38": ["L2.authority"],
    "fd-58": ["L0.reply"],
}
"""The obligations that contradict the expectations of an unsatisfiable entry; in FD-04 they contradict one another."""


@cache
def entry(folder: str) -> Mapping[str, str]:
    return tomllib.loads((CORPUS / folder / "entry.toml").read_text(encoding="utf-8"))


@cache
def report(folder: str) -> Report:
    found: Report = GENERATOR.examined(CORPUS / folder)
    return found


def files(folder: str) -> set[str]:
    return {path.name for path in (CORPUS / folder).iterdir()}


def results(folder: str, file: str) -> list[ScenarioResult]:
    """What came out for the scenarios, or the bundle, of a file."""
    found = [one for one in report(folder).scenarios if one.source == f"{folder}/{file}"]
    assert found != []
    return found


def sources(folder: str) -> list[str]:
    return sorted(name for name in files(folder) if name.endswith((".scenario", ".json")))


with_sources = pytest.mark.parametrize("folder", [folder for folder in FOLDERS if sources(folder)])


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_entry_is_complete(folder: str) -> None:
    fields = entry(folder)
    assert set(fields) >= REQUIRED and set(fields) <= REQUIRED | OPTIONAL
    assert all(
        isinstance(value, str) and value.strip() == value != "" and "\n" not in value for value in fields.values()
    )
    assert fields["id"].lower() == folder
    assert fields["link"].startswith("https://")
    assert fields["kind"] in GENERATOR.KINDS
    assert fields["verdict"] in {"well-posed", "limit", LEAK} | JUDGED
    assert ("limit" in fields) == (fields["verdict"] == "limit")
    assert "code" in fields or fields["verdict"] not in JUDGED
    assert "code" not in fields or fields["verdict"] != "limit"


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_files_are_those_that_the_verdict_needs(folder: str) -> None:
    names, verdict = files(folder), entry(folder)["verdict"]
    assert all(name == "entry.toml" or name.endswith((".scenario", ".rules", ".json", ".sh")) for name in names)
    if verdict == LEAK:
        assert names == {"entry.toml", "defect.sh", "repaired.sh"} and "code" in entry(folder)
    elif "code" in entry(folder):
        assert len({"defect.scenario", "bundle.json"} & names) == 1 and "repaired.scenario" in names
    elif verdict == "well-posed":
        assert "scenario.scenario" in names or {"a.scenario", "b.scenario"} <= names
        assert not {"defect.scenario", "bundle.json"} & names


@with_sources
def test_the_sources_are_laid_out(folder: str) -> None:
    for path in sorted((CORPUS / folder).glob("*.scenario")):
        text = path.read_text(encoding="utf-8")
        assert format_source(SourceFile(path.name, text)) == (text, ()), path


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if "code" in entry(folder) and entry(folder)["verdict"] != LEAK])
def test_the_defect_has_the_verdict_and_the_code_that_the_entry_states(folder: str) -> None:
    """A well-posed one is linted: its code is that of a warning, and no rejection announces it."""
    verdict, code = entry(folder)["verdict"], entry(folder)["code"]
    linted = verdict == "well-posed"
    assert GENERATOR.telling(report(folder), code).severity is (Severity.WARNING if linted else Severity.ERROR)
    file = "bundle.json" if "bundle.json" in files(folder) else "defect.scenario"
    (found,) = results(folder, file)
    assert found.verdict == verdict
    announced = Rejection(verdict, code, holds=True)
    assert found.rejection == (None if linted or file == "bundle.json" else announced)


@pytest.mark.parametrize("folder", CORES)
def test_an_unsatisfiable_entry_contradicts_the_obligation_that_its_report_is_about(folder: str) -> None:
    (found,) = results(folder, "defect.scenario")
    assert found.verification is not None
    core = [member.obligation for member in found.verification.core]
    assert "expectation" in core
    assert [obligation for obligation in core if obligation != "expectation"] == CORES[folder]


@with_sources
def test_what_is_not_the_defect_is_well_posed(folder: str) -> None:
    """The repaired twin, a well-posed entry, and both of a pair; any other scenario may be rejected, and is."""
    for file in sources(folder):
        if file in ("defect.scenario", "bundle.json"):
            continue
        for found in results(folder, file):
            told = found.rejection is not None and found.rejection.holds and file in ASIDE.get(folder, ())
            assert told or (found.verdict == "well-posed" and found.rejection is None), file


@with_sources
def test_nothing_else_counts(folder: str) -> None:
    """No error and no warning, but for those of a bundle that is refused and of what is well-posed and linted."""
    counting = {finding.code for finding in report(folder).findings if finding.severity is not Severity.NOTE}
    fields = entry(folder)
    announced = "code" not in fields or (fields["verdict"] in JUDGED and "bundle.json" not in files(folder))
    assert counting == (set() if announced else {fields["code"]})


def test_a_mail_that_nobody_admits_changes_nothing_for_the_other() -> None:
    """FD-54: the ends of m1, and the ticks at which they fall, are the same with and without m9."""
    ends = [
        one.verification.outcomes["m1"]
        for file in ("a.scenario", "b.scenario")
        for one in results("fd-54", file)
        if one.verification is not None
    ]
    assert len(ends) == 2 and ends[0] == ends[1]


def test_ids_of_scenarios_are_unique() -> None:
    ids = [
        one.id for folder in FOLDERS if sources(folder) for one in report(folder).scenarios if one.bundle is not None
    ]
    assert [name for name, count in Counter(ids).items() if count > 1] == []


def test_the_page_counts_every_entry_once_by_kind() -> None:
    rows = (line.strip("| \n").split(" | ") for line in (ROOT / "docs" / "corpus.md").read_text().splitlines())
    counted = {row[0]: int(row[2]) for row in rows if len(row) == 3 and row[0] in GENERATOR.KINDS}
    assert counted == Counter(entry(folder)["kind"] for folder in FOLDERS)


def test_the_page_of_the_corpus_is_generated() -> None:
    assert (ROOT / "docs" / "corpus.md").read_text(encoding="utf-8") == GENERATOR.page()


def test_the_page_of_limits_is_generated() -> None:
    assert (ROOT / "docs" / "limits.md").read_text(encoding="utf-8") == GENERATOR.limits()


def test_the_page_of_limits_names_every_limit_and_nothing_else() -> None:
    named = re.findall(r"\b(?:FD|SF)-\d+", (ROOT / "docs" / "limits.md").read_text(encoding="utf-8"))
    assert named == [entry(folder)["id"] for folder in FOLDERS if entry(folder)["verdict"] == "limit"]
