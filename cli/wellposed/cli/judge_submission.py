"""`judge --submission DIR`: whether a submission is complete, what it cost, and all of its logs judged.

    submission.json          the system's name, the levels attempted, the effort in the submitter's own words
    implementation/          the implementation
    adapters/                adapters, if there are any; adapters/rules/ is the translation of the rules
    disclosure.md            one page: a heading for each of the five invariants, and one for the known gaps
    logs/SCENARIO/           bundle.json, and a folder for each run in the order of their names
    classification.jsonl     if there is anything to say about failures: {"scenario", "failure", "class", "justification"}

Source: specification section 6, "What a submission is", and the failure taxonomy of section 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wellposed.cli.gather import gather, gather_bundles, unreadable
from wellposed.cli.judge import Counted, Effort, Judged, Judgement, judge_scenario, one_scenario
from wellposed.cli.judge_count import TooMany, count
from wellposed.compiler.canonical import CanonicalError, read
from wellposed.compiler.folder import BUNDLE_FILE
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.load import load_bundle
from wellposed.compiler.opened import Opened, Refused
from wellposed.dsl.findings import Finding, Pointer, Severity, Span
from wellposed.dsl.vocabulary import LEVELS
from wellposed.verifier.judged import CLASSES, FIXTURE_DEFECT, Classified

INCOMPLETE = "WP660"
DISCLOSURE = "WP661"
WITHOUT_LOGS = "WP662"
CLASSIFICATION = "WP663"
FOREIGN_BUNDLE = "WP664"

FORMAT = "wellposed-submission/1"
INVARIANTS = ("async intake", "contextual admission", "irreversible effects", "continuity", "observable operation")
"""Source: specification section 1. The disclosure says of each which mechanism keeps it."""
KNOWN_GAPS = "known gaps"
LOGS, IMPLEMENTATION, ADAPTERS, RULES = "logs", "implementation", "adapters", "adapters/rules"
MANIFEST, PAGE, CLASSES_FILE = "submission.json", "disclosure.md", "classification.jsonl"
LEVEL_NAMES = tuple(f"L{level.number}" for level in LEVELS)
_MEMBERS = {"format", "system", "attempts", "development_hours"}
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*?)[ \t#]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Manifest:
    system: str | None = None
    attempts: tuple[str, ...] = ()
    hours: int | None = None


def judge_submission(path: str, accepted: list[str], system: str | None, budget: int) -> Judgement:
    """Judge the submission in a folder. `accepted` are paths of bundles; if there are any, no other scenarios count."""
    if not path:
        return Judgement(system, findings=(unreadable(repr(path), None),))
    try:
        with Opened(Path(path)) as folder:
            return _Submission(folder, path.rstrip("/"), budget).judge(accepted, system)
    except Refused as refused:
        return Judgement(system, findings=(_error(INCOMPLETE, refused.message, refused.path),))
    except (OSError, ValueError) as failure:
        return Judgement(system, findings=(unreadable(path, failure if isinstance(failure, OSError) else None),))


def _error(code: str, text: str, path: str, line: int | None = None) -> Finding:
    place = Pointer(path, "") if line is None else Span(path, 0, 0, line, 1, line, 1)
    return Finding(code, Severity.ERROR, text, place)


class _Submission:
    def __init__(self, folder: Opened, path: str, budget: int) -> None:
        self.folder = folder
        self.path = path
        self.budget = budget
        self.names = set(folder.names())
        self.findings: list[Finding] = []
        self.refused = False
        """Whether some logs do not count, which says why a level may have none."""

    def say(self, code: str, text: str, name: str = "", line: int | None = None) -> None:
        self.findings.append(_error(code, text, f"{self.path}/{name}" if name else self.path, line))

    def text(self, name: str) -> str | None:
        """A file of the submission as text; None, and told, where there is none."""
        if name not in self.names:
            self.say(INCOMPLETE, f"the submission has no {name}")
            return None
        try:
            return self.folder.read(name, LIMITS.source_bytes).decode()
        except (Refused, UnicodeDecodeError) as problem:
            what = problem.message if isinstance(problem, Refused) else "not UTF-8"
            self.say(INCOMPLETE, f"cannot be read: {what}", name)
            return None

    def judge(self, accepted: list[str], system: str | None) -> Judgement:
        manifest = self.manifest()
        self.disclosure()
        effort = Effort(
            self.counted(IMPLEMENTATION, due=True), self.counted(ADAPTERS), self.counted(RULES), manifest.hours
        )
        hashes = self.hashes(accepted)
        classified = self.classified()
        judged = list(self.logs(hashes, classified)) if LOGS in self.names else []
        if LOGS not in self.names:
            self.say(INCOMPLETE, f"the submission has no {LOGS} folder")
        self.levels(manifest, judged)
        self.unknown_failures(classified, judged)
        return Judgement(
            system or manifest.system,
            tuple(judged),
            tuple(self.findings),
            effort=effort,
            attempts=manifest.attempts,
        )

    def manifest(self) -> _Manifest:
        text = self.text(MANIFEST)
        if text is None:
            return _Manifest()
        try:
            value: Any = read(text.encode())
        except CanonicalError as error:
            self.say(INCOMPLETE, f"no JSON of the profile: {error.message}", MANIFEST)
            return _Manifest()
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            self.say(INCOMPLETE, f"a manifest is an object with the format {FORMAT}", MANIFEST)
            return _Manifest()
        for member in sorted(value.keys() - _MEMBERS):
            self.say(INCOMPLETE, f"`{member}` is no member of a manifest", MANIFEST)
        system, attempts, hours = value.get("system"), value.get("attempts"), value.get("development_hours")
        if not (isinstance(system, str) and system.strip() and len(system) <= LIMITS.expanded_id_length):
            self.say(INCOMPLETE, "`system` is the name of the system", MANIFEST)
            system = None
        if not (isinstance(attempts, list) and attempts and all(one in LEVEL_NAMES for one in attempts)):
            self.say(INCOMPLETE, f"`attempts` is a list of levels of {LEVEL_NAMES[0]} to {LEVEL_NAMES[-1]}", MANIFEST)
            attempts = []
        if not (hours is None or (type(hours) is int and hours >= 0)):
            self.say(INCOMPLETE, "`development_hours` is a whole number or null", MANIFEST)
            hours = None
        return _Manifest(system, tuple(dict.fromkeys(attempts)), hours)

    def disclosure(self) -> None:
        """Every invariant, and the known gaps, has a heading with a text below it."""
        text = self.text(PAGE)
        if text is None:
            return
        text = text.replace("\r\n", "\n")
        headings = list(_HEADING.finditer(text))
        ends = [heading.start() for heading in headings[1:]] + [len(text)]
        said = {
            heading.group(1).lower(): text[heading.end() : end].strip()
            for heading, end in zip(headings, ends, strict=True)
        }
        for section in (*INVARIANTS, KNOWN_GAPS):
            if not said.get(section):
                what = "what is known to be missing" if section == KNOWN_GAPS else "which mechanism keeps it"
                self.say(DISCLOSURE, f"no section `{section}`, or nothing in it: it says {what}", PAGE)

    def counted(self, name: str, due: bool = False) -> Counted:
        try:
            found = count(Path(self.path) / name)
        except FileNotFoundError:
            found = Counted()
        except TooMany:
            self.say(INCOMPLETE, "more files, or deeper folders, than are counted", name)
            return Counted()
        except Refused as refused:
            self.say(INCOMPLETE, f"cannot be counted: {refused.message}", name)
            return Counted()
        if due and not found.files + found.others:
            self.say(INCOMPLETE, f"the submission has no {name}, or nothing is in it")
        return found

    def hashes(self, accepted: list[str]) -> frozenset[str] | None:
        """The hashes of the bundles that count; None if all do."""
        if not accepted:
            return None
        found = set()
        gathered = gather_bundles(accepted)
        self.findings += gathered.findings
        for one in gathered.inputs:
            raw = one.raw
            if not raw:
                with Opened(one.location) as folder:
                    raw = folder.read(BUNDLE_FILE, LIMITS.bundle_bytes)
            bundle, wrong = load_bundle(raw, one.path)
            self.findings += wrong
            if bundle is not None:
                found.add(bundle.hash)
        return frozenset(found)

    def classified(self) -> dict[str, list[Classified]]:
        """What the submission says of failures, by scenario."""
        found: dict[str, list[Classified]] = {}
        if CLASSES_FILE not in self.names:
            return found
        text = self.text(CLASSES_FILE) or ""
        for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), start=1):
            try:
                value: Any = read(line.encode())
            except CanonicalError as error:
                self.say(CLASSIFICATION, f"the line is no record: {error.message}", CLASSES_FILE, number)
                continue
            wrong = _wrong_classification(value)
            if wrong is not None:
                self.say(CLASSIFICATION, wrong, CLASSES_FILE, number)
                continue
            one = Classified(value["failure"], value["class"], value.get("justification") or "")
            rows = found.setdefault(value["scenario"], [])
            if any(other.failure == one.failure for other in rows):
                self.say(CLASSIFICATION, f"{one.failure} is classified already", CLASSES_FILE, number)
                continue
            rows.append(one)
        return found

    def logs(self, hashes: frozenset[str] | None, classified: Mapping[str, list[Classified]]) -> Iterator[Judged]:
        with self.folder.folder(LOGS) as logs:
            for name in logs.names():
                shown = f"{LOGS}/{name}"
                try:
                    with logs.folder(name) as one:
                        runs = [inner for inner in one.names() if inner != BUNDLE_FILE]
                except Refused as refused:
                    self.say(INCOMPLETE, f"not a folder of runs: {refused.message}", shown)
                    continue
                bundle = f"{self.path}/{shown}/{BUNDLE_FILE}"
                gathered = gather([bundle], "")
                self.findings += gathered.findings
                result, findings = one_scenario(gathered, bundle, self.budget) if gathered.inputs else (None, ())
                self.findings += findings
                if result is None or result.bundle is None:
                    continue
                if hashes is not None and result.bundle.hash not in hashes:
                    text = f"{result.bundle.hash} is none of the bundles that count"
                    self.say(FOREIGN_BUNDLE, text, f"{shown}/{BUNDLE_FILE}")
                    self.refused = True
                    continue
                paths = [f"{self.path}/{shown}/{run}" for run in runs]
                judged, told = judge_scenario(result, paths, classified.get(result.id, ()))
                self.findings += told
                if judged is None:
                    self.say(INCOMPLETE, "no run that can be judged", shown)
                else:
                    yield judged

    def levels(self, manifest: _Manifest, judged: list[Judged]) -> None:
        """For each level attempted there are logs of a scenario that reports it."""
        reported = {level for one in judged for level in one.scenario.levels}
        for level in manifest.attempts:
            if level not in reported and not self.refused:
                self.say(WITHOUT_LOGS, f"{level} is attempted, and no logs are of a scenario that reports it", MANIFEST)

    def unknown_failures(self, classified: Mapping[str, list[Classified]], judged: list[Judged]) -> None:
        known = {(one.result.id, failure.id) for one in judged for failure in one.scenario.failures}
        for scenario, rows in classified.items():
            for row in rows:
                if (scenario, row.failure) not in known:
                    text = f"{scenario} has no failure {row.failure}, so there is nothing to classify"
                    self.say(CLASSIFICATION, text, CLASSES_FILE)


def _wrong_classification(value: Any) -> str | None:
    """What is wrong with a line of the classification."""
    members = ("scenario", "failure", "class")
    if not isinstance(value, dict) or not all(isinstance(value.get(member), str) for member in members):
        return "a classification has `scenario`, `failure` and `class`, three texts"
    if value["class"] not in CLASSES:
        return f"`class` is one of {', '.join(CLASSES)}"
    justification = value.get("justification")
    if justification is not None and not isinstance(justification, str):
        return "`justification` is a text"
    if value["class"] == FIXTURE_DEFECT and not (justification or "").strip():
        return f"a {FIXTURE_DEFECT} needs a `justification`, which is published with the result"
    return None
