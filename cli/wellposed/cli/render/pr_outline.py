"""What every account of a pull request for people says, in what order: the verdict, the reasons, the decisions, what changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wellposed.cli.report import ScenarioResult
from wellposed.cli.review.changes import ADDED, ScenarioChange
from wellposed.cli.review.decisions import told
from wellposed.cli.review.pull import ACCEPT, NONE, PERSON, REJECT, Pull
from wellposed.dsl.findings import Finding, Severity

_WEIGHT = ("WP891", "WP966", "WP965", "WP967", "WP972", "WP973", "WP974", "WP971", "WP975", "WP951", "WP955", "WP970", "WP981", "WP952", "WP953")
"""What comes first of several of one severity: what is lost for good, then what deceives, then what lets a system through."""
WRONG, DECIDE = "wrong", "for a person to decide"
SHORT = 19
"""Characters of a hash that are shown: `sha256:` and twelve digits."""


@dataclass(frozen=True, slots=True)
class Row:
    """One scenario of the pull request, as a row of a table."""

    what: str
    id: str
    states: str
    hashes: str
    remark: str


def ordered(pull: Pull, severity: Severity) -> list[Finding]:
    """The findings of one severity, the weightiest first."""
    return in_weight(one for one in pull.report.findings if one.severity is severity)


def in_weight(findings: Iterable[Finding]) -> list[Finding]:
    """Findings, the severest and then the weightiest first."""
    rank = {code: place for place, code in enumerate(_WEIGHT)}
    severities = list(Severity)
    return sorted(
        findings,
        key=lambda one: (severities.index(one.severity), rank.get(one.code, len(rank) + (not one.code.startswith("WP9")))),
    )


def headline(pull: Pull) -> str:
    """The verdict, and the weightiest reason for it; one line, to be escaped."""
    if pull.verdict == ACCEPT:
        return f"{ACCEPT}: {_harmless(pull)}; there is nothing that a person has to decide"
    severity = Severity.WARNING if pull.verdict == PERSON else Severity.ERROR
    found = ordered(pull, severity)
    word = {REJECT: "reason", PERSON: "decision", NONE: "reason"}[pull.verdict]
    rest = f" (and {_counted(len(found) - 1, f'more {word}')})" if len(found) > 1 else ""
    return f"{pull.verdict}: {_said(found[0]) if found else 'something is undecided'}{rest}"


def compared(pull: Pull) -> str:
    """Which commits were compared; empty where none were found."""
    if pull.ancestor is None or pull.head is None or pull.base is None:
        return ""
    where = "the base" if pull.ancestor == pull.base else "the merge base: there it parts from the base"
    files = sum(map(len, pull.files.values()))
    counts = f"; {_counted(pull.commits, 'commit')}, {_counted(files, 'file')}" if pull.commits else ""
    return f"head {pull.head[:12]} compared with {pull.ancestor[:12]}, {where}{counts}"


def rows(pull: Pull) -> list[Row]:
    """The scenarios of the pull request."""
    return [_row(one) for one in pull.scenarios]


def claims(pull: Pull) -> list[tuple[str, str, str]]:
    """Of each claim, where it is, what came out, and why."""
    return [(one.path, one.verdict, one.told) for one in pull.claims]


def files(pull: Pull) -> list[tuple[str, str]]:
    """What the changed files are, and how many, with the first of each kind."""
    return [(kind, _some(paths)) for kind, paths in pull.files.items()]


def sections(pull: Pull) -> list[tuple[str, list[Finding]]]:
    """What is wrong, and what a person has to decide, as far as there is any of it."""
    found = [(WRONG, ordered(pull, Severity.ERROR)), (DECIDE, ordered(pull, Severity.WARNING))]
    return [(title, some) for title, some in found if some]


def _said(finding: Finding) -> str:
    """The message, after the file that it is about where it does not name it."""
    path = "" if finding.place is None else finding.place.path
    return finding.message if not path or path in finding.message else f"{path}: {finding.message}"


def _row(one: ScenarioChange) -> Row:
    remarks = []
    if one.is_loosened:
        remarks.append("loosened")
    elif one.lost.weaker and one.before is not None and one.after is not None and one.before.verdict == one.after.verdict:
        remarks.append("tests less")
    if one.because:
        remarks.append(f"through {', '.join(one.because)}")
    if one.before is not None and one.after is not None and one.before.id != one.after.id:
        remarks.append(f"until now {one.before.id}")
    if one.kind == ADDED and one.after is not None and one.after.verification is not None:
        exercised = [level for level, state in one.after.verification.levels.items() if state == "exercised"]
        remarks.append(f"exercises {' '.join(exercised) or 'nothing'}")
    hashes = [_hash(side) for side in (one.before, one.after)]
    arrow = " -> ".join(dict.fromkeys(hash for hash in hashes if hash))
    return Row(one.kind, one.id, told(one).removeprefix("nothing -> ").removesuffix(" -> nothing"), arrow, ", ".join(remarks))


def _hash(side: ScenarioResult | None) -> str:
    return "" if side is None or side.bundle is None else side.bundle.hash[:SHORT]


def _harmless(pull: Pull) -> str:
    kinds = [one.kind for one in pull.scenarios]
    parts = [f"{_counted(kinds.count(kind), 'scenario')} {kind}" for kind in dict.fromkeys(kinds)]
    if any(one.kind == ADDED for one in pull.scenarios):
        parts[0] += ", well-posed" if kinds.count(ADDED) == 1 else ", all well-posed"
    return "; ".join(parts) or "no scenario changes its meaning"


def _some(paths: Sequence[str]) -> str:
    return f"{len(paths)}: " + ", ".join(paths[:3]) + (", …" if len(paths) > 3 else "")


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
