"""Findings: what every stage of the pipeline reports, and where it points.

A finding has a code from the one table (`codes.py`), a primary span, and labelled secondary spans; how it is shown is
decided later, by the renderers of the command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """How much a finding weighs; only errors change the exit status by themselves."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one source text. Lines and columns are 1-based and count Unicode code points.

    `start` and `end` are code point offsets into the decoded text (`end` exclusive). `end_column` is exclusive too.
    """

    path: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place in a bundle that has no source map: a JSON pointer (RFC 6901) into the document at `path`."""

    path: str
    pointer: str


Place = Span | Pointer


@dataclass(frozen=True, slots=True)
class Label:
    """A secondary place and what it has to do with the finding."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a source text: `replacement` in the place of what stands at `span`, which may be nothing."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits of one source text after which the scenario was verified to be well-posed.

    `edits` do not overlap and stand in the order of the text. A fix is `safe` when it does not change what the scenario
    tests; only such a fix is applied without being asked for one by one.
    """

    description: str
    edits: tuple[Edit, ...]
    safe: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or worth knowing: what, where, why (`notes`), and what to do (`help`).

    `detail` is a block of preformatted lines (a tick table, a core told as an argument) that text output shows verbatim.
    `suppressed` is the reason that the author gives for allowing it; such a finding is reported and counts for nothing.
    """

    code: str
    severity: Severity
    message: str
    place: Place | None = None
    labels: tuple[Label, ...] = ()
    detail: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    scenario: str | None = None
    suppressed: str | None = None
    fix: Fix | None = None


def has_errors(findings: tuple[Finding, ...] | list[Finding]) -> bool:
    """Whether any finding has error severity."""
    return any(finding.severity is Severity.ERROR for finding in findings)
