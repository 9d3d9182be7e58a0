"""How the reserve reports: findings at lines of the ledger and at files, and refusals of what would be wrong."""

from __future__ import annotations

from wellposed.compiler.load import finding
from wellposed.dsl.findings import Finding, Pointer, Span

__all__ = ["Refusal", "at_file", "at_line"]


class Refusal(Exception):
    """Something that is not done, because of what it would do; nothing has been written."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(one.message for one in findings))
        self.findings = findings


def at_line(
    code: str, message: str, path: str, number: int, notes: tuple[str, ...] = (), help: str | None = None
) -> Finding:
    """A finding at a line of the ledger, counted from 1."""
    found = finding(code, message, Span(path, 0, 0, number, 1, number, 1))
    return Finding(code, found.severity, message, found.place, notes=notes, help=help)


def at_file(code: str, message: str, path: str | None, help: str | None = None) -> Finding:
    """A finding about a file, or about nothing that has a path."""
    found = finding(code, message, None if path is None else Pointer(path, ""))
    return Finding(code, found.severity, message, found.place, help=help)
