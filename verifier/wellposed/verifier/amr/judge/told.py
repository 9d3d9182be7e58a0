"""What the judge tells of the files of one run: findings by file and line, bounded, and what they mean for the run."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass

from wellposed.compiler.load import finding
from wellposed.dsl.findings import Finding, Pointer, Span
from wellposed.verifier.amr.judge.folder import HARNESS_FILES
from wellposed.verifier.amr.judge.limits import JudgeLimits

MISSING = "WP630"
STRANGE_NAME = "WP631"
NO_RECORD = "WP632"
TORN = "WP633"
SHAPE = "WP634"
ID_AGAIN = "WP635"
OUT_OF_ORDER = "WP636"
UNKNOWN_ID = "WP637"
OUTSIDE = "WP638"
STAMP = "WP639"
SELF_REPORTED = "WP640"
NEVER_SEEN = "WP641"
HASH = "WP642"
ORIGIN = "WP643"
HARNESS = "WP645"

FORM = "form"
"""In the place of an obligation: a log that cannot be read, which no level is passed with."""


@dataclass(frozen=True, slots=True)
class Broken:
    """What a run breaks: an obligation, `well-formed`, `expect` or `form`; the item's message; and why, in ticks.

    `pointer` is the element of the bundle, `file` and `line` the line of the log that shows it, where there is one; `told`
    says that a finding about that line tells it already. `beside` are further messages whose items it concerns.
    """

    obligation: str
    message: str | None
    text: str
    pointer: str = ""
    file: str | None = None
    line: int | None = None
    told: bool = False
    beside: frozenset[str] = frozenset()


class Told:
    """Collects what is found in one run directory, whose display path is `path`."""

    def __init__(self, path: str, limits: JudgeLimits) -> None:
        self.path = path
        self.limits = limits
        self.broken: list[Broken] = []
        self._unseen: list[Broken] = []
        self.harness: list[str] = []
        self._kept: list[Finding] = []
        self._counts: Counter[tuple[str | None, str]] = Counter()
        self._broken: Counter[tuple[str, str | None, str | None]] = Counter()

    def say(self, code: str, text: str, file: str | None = None, line: int | None = None) -> None:
        """A finding; of one code in one file only the first few are kept."""
        self._counts[file, code] += 1
        if self._counts[file, code] <= self.limits.findings_per_file:
            self._kept.append(finding(code, text, self._place(file, line)))

    def unreadable(self, code: str, text: str, file: str, line: int | None = None) -> None:
        """A finding about a record that cannot be used: of the system's, no level is passed; of the harness's, an error."""
        self.say(code, text, file, line)
        if file in HARNESS_FILES:
            self.blame_harness(f"{file}: {text}" if line is None else f"{file}:{line}: {text}", file, line, told=True)
        else:
            self.breach(Broken(FORM, None, text, "/level", file, line, told=True))

    def overlooked(self, text: str, file: str, line: int) -> None:
        """A line of the system's that dates itself into the run, and that nobody saw there."""
        self._unseen.append(Broken(FORM, None, text, "/level", file, line))

    def breaches(self) -> list[Broken]:
        """What the logs break by themselves.

        A line that nobody saw in a file with another that is none has the same cause: the harness counted otherwise. It is
        told already.
        """
        torn = {one.file for one in self.broken if one.obligation == FORM}
        return [*self.broken, *(dataclasses.replace(one, told=one.file in torn) for one in self._unseen)]

    def breaks(self, code: str, obligation: str, message: str | None, text: str, file: str, line: int) -> None:
        """A finding about a line of a log that breaks an obligation."""
        self.say(code, f"{text} ({obligation})", file, line)
        self.breach(Broken(obligation, message, text, "/level", file, line, told=True))

    def breach(self, broken: Broken) -> None:
        """Something that the logs break; of one obligation, item and file only the first few are kept."""
        key = broken.obligation, broken.message, broken.file
        self._broken[key] += 1
        if self._broken[key] <= self.limits.findings_per_file:
            self.broken.append(broken)

    def blame_harness(self, text: str, file: str | None = None, line: int | None = None, told: bool = False) -> None:
        """The harness did not do what the schedule says: the run is annulled. Only the first few are kept."""
        if len(self.harness) < self.limits.findings_per_file:
            self.harness.append(text)
        if not told:
            self.say(HARNESS, text, file, line)

    def findings(self) -> tuple[Finding, ...]:
        """What is told, with how much more there is."""
        last: dict[tuple[str | None, str], int] = {}
        for index, one in enumerate(self._kept):
            last[self._file(one), one.code] = index
        for key, index in last.items():
            more = self._counts[key] - self.limits.findings_per_file
            if more > 0:
                note = f"{more} more of this kind in {key[0] or 'this run'} are not shown"
                self._kept[index] = dataclasses.replace(self._kept[index], notes=(note,))
        return tuple(self._kept)

    def _file(self, one: Finding) -> str | None:
        path = None if one.place is None else one.place.path
        return None if path is None or path == self.path else path.removeprefix(f"{self.path}/")

    def _place(self, file: str | None, line: int | None) -> Span | Pointer:
        path = self.path if file is None else f"{self.path}/{file}"
        return Pointer(path, "") if line is None else Span(path, 0, 0, line, 1, line, 1)
