"""The lines of a text, the place that is looked at, and how the reading ends at the first fault."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from wellposed.compiler.limits import Limits
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Label, Span
from wellposed.dsl.source import SourceFile

TOO_LARGE = "WP900"
FORM = "WP901"
TAB = "WP902"
FEATURE = "WP903"
AGAIN = "WP904"
TYPED = "WP905"
FLOW = "WP906"

QUOTE_IT = 'write it in quotes: "…"'
LITERAL = "a longer text begins with `|` behind the key, and stands indented on the lines below it"

_MARKER = re.compile(r"(---|\.\.\.)(?=\s|$)|%")


class Wrong(Exception):
    """The first fault of a text."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def finding(code: str, place: Span, message: str, help: str | None = None, labels: tuple[Label, ...] = ()) -> Finding:
    """A finding with the severity that the table gives its code."""
    return Finding(code, BY_ID[code].severity, message, place, labels, help=help)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text without its end: where it starts, and by how much it is indented."""

    start: int
    text: str
    indent: int

    @property
    def empty(self) -> bool:
        """Whether there is nothing on it, or a comment alone."""
        return self.indent == len(self.text) or self.text[self.indent] == "#"


class Lines:
    """The lines of a text. `at` is the index of the line that is looked at."""

    def __init__(self, source: SourceFile, limits: Limits) -> None:
        self.source = source
        self.limits = limits
        self.lines: list[Line] = []
        self.at = 0
        self._count = 0
        start = 0
        for line in source.text.split("\n"):
            text = line.removesuffix("\r")
            self.lines.append(Line(start, text, len(text) - len(text.lstrip(" "))))
            start += len(line) + 1

    def next(self) -> Line | None:
        """The next line with something on it; None at the end."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.empty:
                marker = _MARKER.match(line.text)
                if marker is not None:
                    self.refuse(
                        FEATURE,
                        line.start,
                        line.start + marker.end(),
                        "a document marker or directive",
                        "a file is one document; remove it",
                    )
                return line
            self.at += 1
        return None

    def refuse(
        self, code: str, start: int, end: int, message: str, help: str | None = None, labels: tuple[Label, ...] = ()
    ) -> NoReturn:
        """Ends the reading with a finding about `text[start:end]`."""
        raise Wrong(finding(code, self.source.span(start, end), message, help, labels))

    def refuse_line(self, code: str, line: Line, what: str, help: str | None = None) -> NoReturn:
        self.refuse(code, line.start + line.indent, line.start + len(line.text), f"this line {what}", help)

    def counted(self, start: int) -> None:
        self._count += 1
        if self._count > self.limits.yaml_values:
            self.refuse(
                TOO_LARGE, start, start, f"more than {self.limits.yaml_values} values", "say less, or split the claim"
            )

    def span(self, line: Line, start: int, end: int) -> Span:
        """The span of these columns (0-based) of a line."""
        return self.source.span(line.start + start, line.start + end)
