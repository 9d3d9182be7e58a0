"""Exit statuses, and which one a set of findings calls for. The same for every format."""

from __future__ import annotations

from collections.abc import Iterable

from wellposed.dsl.findings import Finding, Severity

CLEAN = 0
ERRORS = 1
UNUSABLE = 2
UNDECIDED = 3
INTERNAL = 70
INTERRUPTED = 130

INTERNAL_CODE = "WP001"
# Findings about how the tool was called and what it could reach: no statement about any scenario.
UNUSABLE_CODES = frozenset(("WP002", "WP003", "WP004", "WP005", "WP940", "WP941", "WP948", "WP949"))


def status_of(findings: Iterable[Finding], undecided: bool, deny_warnings: bool) -> int:
    """The exit status: an internal error outweighs unusable input, that errors, and those an undecided verdict."""
    result = UNDECIDED if undecided else CLEAN
    for finding in findings:
        if finding.code == INTERNAL_CODE:
            return INTERNAL
        if finding.code in UNUSABLE_CODES:
            result = UNUSABLE
        elif result != UNUSABLE and (
            finding.severity is Severity.ERROR or (deny_warnings and finding.severity is Severity.WARNING)
        ):
            result = ERRORS
    return result
