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
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Severity
from wellposed.dsl.format import format_source
from wellposed.dsl.inexpressible import LIMITS, PAGE
from wellposed.dsl.source import SourceFile
from wellposed.dsl.vocabulary import READINGS, SPEC
from wellposed.verifier.models import MODELS, READING_TABLES
from wellposed.verifier.verify import DEFAULT_BUDGET, verify_as

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"
GENERATOR = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "generate_corpus.py")))
FOLDERS = tuple(sorted(path.name for path in CORPUS.iterdir() if path.is_dir() and not path.name.startswith("__")))

REQUIRED = {"id", "title", "link", "kind", "symptom", "suggested", "verdict"}
"""`suggested` is the verdict that was derived by hand from the report alone."""
OPTIONAL = {"code", "tells", "differs", "limit"}
"""`tells` is the part of the printed text that gives an author the reason of the report."""
LEAK = "leak"
"""What is about the secrecy of scenarios: shell commands in a repository with a reserve; tests/reserve runs them."""
LIMIT = "limit"
WANTED = "wanted.scenario"
"""What one would want and cannot write: a text with an error, and the only file that is not laid out and has no scenario."""
NOT_A_WORD = {
    "FD-40": "it is about the bytes of log files and the order of their lines, and no event or claim has those"
}
"""Limits that nobody could ask for in a scenario, with the reason."""
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


BUNDLE = "defect/bundle.json"
"""Where a defect is one of the bundle: in a folder of its own, since nothing else may lie in a bundle folder."""


def files(folder: str) -> set[str]:
    found = (path for path in (CORPUS / folder).rglob("*") if path.is_file())
    return {path.relative_to(CORPUS / folder).as_posix() for path in found}


def results(folder: str, file: str) -> list[ScenarioResult]:
    """What came out for the scenarios, or the bundle, of a file."""
    source = f"{folder}/{file}".removesuffix("/bundle.json")
    found = [one for one in report(folder).scenarios if one.source == source]
    assert found != []
    return found


def sources(folder: str) -> list[str]:
    return sorted(name for name in files(folder) - {WANTED} if name.endswith((".scenario", ".json")))


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
    assert fields["suggested"] in {"well-posed", LIMIT, LEAK} | JUDGED
    assert "differs" in fields or fields["suggested"] == fields["verdict"]
    assert "limit" in fields or fields["verdict"] != LIMIT
    assert ("tells" in fields) == ("code" in fields and fields["verdict"] not in (LIMIT, LEAK))
    assert "code" in fields or fields["verdict"] not in JUDGED


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_files_are_those_that_the_verdict_needs(folder: str) -> None:
    names, verdict = files(folder), entry(folder)["verdict"]
    assert all(name == "entry.toml" or name.endswith((".scenario", ".rules", ".json", ".sh")) for name in names)
    if verdict == LEAK:
        assert names == {"entry.toml", "defect.sh", "repaired.sh"} and "code" in entry(folder)
    elif verdict == LIMIT:
        assert names == (
            {"entry.toml"} if fields_id(folder) in NOT_A_WORD else {"entry.toml", WANTED, "instead.scenario"}
        )
    elif "code" in entry(folder):
        assert len({"defect.scenario", BUNDLE} & names) == 1 and "repaired.scenario" in names
    elif verdict == "well-posed":
        assert "scenario.scenario" in names or {"a.scenario", "b.scenario"} <= names
        assert not {"defect.scenario", BUNDLE} & names


def fields_id(folder: str) -> str:
    return entry(folder)["id"]


@with_sources
def test_the_sources_are_laid_out(folder: str) -> None:
    for path in sorted(path for path in (CORPUS / folder).glob("*.scenario") if path.name != WANTED):
        text = path.read_text(encoding="utf-8")
        assert format_source(SourceFile(path.name, text)) == (text, ()), path


@pytest.mark.parametrize(
    "folder", [one for one in FOLDERS if "code" in entry(one) and entry(one)["verdict"] not in (LEAK, LIMIT)]
)
def test_the_defect_has_the_verdict_and_the_code_that_the_entry_states(folder: str) -> None:
    """A well-posed one is linted: its code is that of a warning, and no rejection announces it."""
    verdict, code = entry(folder)["verdict"], entry(folder)["code"]
    linted = verdict == "well-posed"
    assert GENERATOR.telling(report(folder), code).severity is (Severity.WARNING if linted else Severity.ERROR)
    file = BUNDLE if BUNDLE in files(folder) else "defect.scenario"
    (found,) = results(folder, file)
    assert found.verdict == verdict
    announced = Rejection(verdict, code, holds=True)
    assert found.rejection == (None if linted or file == BUNDLE else announced)


@pytest.mark.parametrize("folder", [one for one in FOLDERS if "tells" in entry(one)])
def test_the_text_gives_the_reason_of_the_report(folder: str) -> None:
    defect = f"{folder}/defect"
    found = [one for one in (*report(folder).suppressed, *report(folder).findings) if told(one)[0].startswith(defect)]
    texts = (
        (one.message, *(label.text for label in one.labels), *one.detail, *one.notes, one.help or "") for one in found
    )
    assert any(entry(folder)["tells"] in text for of_one in texts for text in of_one)


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
        if file in ("defect.scenario", BUNDLE):
            continue
        for found in results(folder, file):
            told = found.rejection is not None and found.rejection.holds and file in ASIDE.get(folder, ())
            assert told or (found.verdict == "well-posed" and found.rejection is None), file


@with_sources
def test_nothing_else_counts(folder: str) -> None:
    """No error and no warning, but for those of a bundle that is refused and of what is well-posed and linted."""
    counting = {
        finding.code
        for finding in report(folder).findings
        if finding.severity is not Severity.NOTE and told(finding)[0] != f"{folder}/{WANTED}"
    }
    fields = entry(folder)
    announced = (
        "code" not in fields
        or fields["verdict"] == LIMIT
        or (fields["verdict"] in JUDGED and BUNDLE not in files(folder))
    )
    assert counting == (set() if announced else {fields["code"]})


def test_the_whole_folder_prints_what_each_entry_prints_alone() -> None:
    """No entry is taken for a file of another, and none contradicts another: the corpus can be checked in one go."""
    counted = [
        told(finding) for finding in GENERATOR.examined(CORPUS).findings if finding.severity is not Severity.NOTE
    ]
    alone = [
        told(finding)
        for folder in FOLDERS
        if sources(folder)
        for finding in report(folder).findings
        if finding.severity is not Severity.NOTE
    ]
    assert sorted(counted) == sorted(alone) and len(alone) > 10


def told(finding: Finding) -> tuple[str, str, str]:
    assert finding.place is not None
    return finding.place.path, finding.code, finding.message


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
    assert len(named) == len(set(named))
    assert set(named) == {entry(folder)["id"] for folder in FOLDERS if "limit" in entry(folder)}


def test_every_limit_has_words_in_the_table_or_nobody_could_ask_for_it() -> None:
    asked = {limit.entry for limit in LIMITS}
    assert asked.isdisjoint(NOT_A_WORD)
    assert asked | NOT_A_WORD.keys() == {entry(folder)["id"] for folder in FOLDERS if "limit" in entry(folder)}


@pytest.mark.parametrize(
    "folder", [one for one in FOLDERS if "limit" in entry(one) and fields_id(one) not in NOT_A_WORD]
)
def test_what_one_would_want_is_answered_by_its_limit(folder: str) -> None:
    """No other error: the text is right but for what cannot be expressed."""
    found = [finding for finding in report(folder).findings if told(finding)[0] == f"{folder}/{WANTED}"]
    assert found != []
    assert {finding.notes[-1] for finding in found} == {f"{PAGE} explains this limit under {fields_id(folder)}"}
    if entry(folder)["verdict"] == LIMIT:
        assert found[0].code == entry(folder)["code"]


def test_the_hazards_are_all_decided_and_shown() -> None:
    rows = GENERATOR.data("hazard")
    assert [row["number"] for row in rows] == list(range(1, 23))
    ids = {fields_id(folder) for folder in FOLDERS}
    for row in rows:
        assert row["entries"] and set(row["entries"]) <= ids, row["number"]
        assert any(row["number"] in reading.hazards for reading in READING_TABLES[READINGS])


@pytest.mark.parametrize(
    ("scenario", "answer", "verdict"), [flip for row in GENERATOR.data("hazard") for flip in row.get("flips", ())]
)
def test_another_answer_to_a_hazard_changes_the_verdict(scenario: str, answer: str, verdict: str) -> None:
    found = next(one for folder in FOLDERS if sources(folder) for one in report(folder).scenarios if one.id == scenario)
    assert found.bundle is not None
    others = {id: model for id, _, model in MODELS[SPEC].alternatives()}
    assert verify_as(others[answer], found.bundle, DEFAULT_BUDGET).verdict == verdict != found.verdict


def test_a_reading_that_flips_is_one_of_its_hazard() -> None:
    for row in GENERATOR.data("hazard"):
        answers = {
            one.id
            for reading in READING_TABLES[READINGS]
            if row["number"] in reading.hazards
            for one in reading.alternatives
        }
        assert {answer for _, answer, _ in row.get("flips", ())} <= answers, row["number"]


def test_the_ten_checks_exist_as_findings() -> None:
    rows = GENERATOR.data("check")
    assert [row["number"] for row in rows] == list(range(1, 11))
    for row in rows:
        for code, raised in row["codes"].items():
            assert BY_ID[code].bad.text != "" or code == "WP402", (
                code
            )  # that it raises the code is tested with the table
            for id in raised:
                folder = id.lower()
                assert code in codes_of(folder), f"{id} {code}"
        assert any(row["codes"].values())


def codes_of(folder: str) -> set[str]:
    """Every code that an entry raises, one that is announced included; that of a leak is raised in tests/reserve."""
    if entry(folder)["verdict"] == LEAK:
        return {entry(folder)["code"]}
    return {finding.code for finding in (*report(folder).suppressed, *report(folder).findings)}
