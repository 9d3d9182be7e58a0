"""What happens to a fixture on its way into the language: taken, guessed, dropped, refused.

Everything that is guessed or dropped is said once per kind, where it first happens, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wellposed.compiler.json_places import Step, stretch_of
from wellposed.compiler.load import MAX_FINDINGS, finding
from wellposed.compiler.shape import Checker, Shape
from wellposed.compiler.shapes import DEFINITIONS
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.source import SourceFile

NOTHING = "WP770"
MISSING = "WP771"
WRONG_VALUE = "WP772"
UNKNOWN_WORK = "WP773"
DROPPED = "WP774"
GUESSED = "WP775"


@dataclass(frozen=True, slots=True)
class Item:
    """A value of a fixture and where it stands: `steps` into the JSON text that is `source.text[start:end]`."""

    value: Any
    source: SourceFile
    start: int
    end: int
    steps: tuple[Step, ...] = ()

    def at(self, step: Step) -> Item:
        """The element at `step`, which must be there."""
        return replace(self, value=self.value[step], steps=(*self.steps, step))

    def items(self) -> list[Item]:
        """The elements of an array."""
        return [self.at(index) for index in range(len(self.value))]

    @property
    def span(self) -> Span:
        """Where the value stands."""
        first, last = stretch_of(self.source.text[self.start : self.end], self.steps)
        return self.source.span(self.start + first, self.start + last)


@dataclass(slots=True)
class AdoptReport:
    """Collects; `folder` is the display path of the fixture's folder, the place of what has no other."""

    folder: str
    taken: list[str] = field(default_factory=list)
    sources: dict[str, SourceFile] = field(default_factory=dict)
    _said: dict[tuple[str, str, str], tuple[Finding, int]] = field(default_factory=dict)
    _kinds: Counter[str] = field(default_factory=Counter)
    _refused: list[Finding] = field(default_factory=list)

    def take(self, what: str) -> None:
        """One line about what was taken as it stands."""
        self.taken.append(what)

    def guess(self, message: str, item: Item | None = None) -> None:
        """Something that the fixture does not say, or says in other words."""
        self._say(GUESSED, message, item)

    def drop(self, message: str, item: Item | None = None) -> None:
        """Something of the fixture that is not in the source."""
        self._say(DROPPED, message, item)

    def _say(self, code: str, message: str, item: Item | None) -> None:
        key = (code, self.folder if item is None else item.source.path, message)
        if key not in self._said and self._kinds[code] >= MAX_FINDINGS:
            item, key = None, (code, self.folder, message := "further things of this kind are not listed")
        if key in self._said:
            first, count = self._said[key]
            self._said[key] = first, count + 1
        else:
            self._kinds[code] += 1
            self._said[key] = finding(code, message, self._place(item)), 1

    def refuse(self, code: str, message: str, item: Item | Span | None, help: str | None = None) -> None:
        """An error: there will be no source."""
        if len(self._refused) < MAX_FINDINGS:
            place = item if isinstance(item, Span) else self._place(item)
            self._refused.append(replace(finding(code, message, place), help=help))

    def _place(self, item: Item | None) -> Span:
        return whole(self.folder) if item is None else item.span

    @property
    def failed(self) -> bool:
        """Whether something was refused."""
        return bool(self._refused)

    def findings(self) -> tuple[Finding, ...]:
        """Everything but what was taken, in the order in which it came up."""
        return (*self._refused, *(_counted(*said) for said in self._said.values()))

    def heading(self, name: str) -> list[str]:
        """The report as lines of comment."""
        lines = [f"Adopted from the fixture folder {ascii(name)[1:-1]}."]
        if self.taken:
            lines += ["", "Taken:", *(f"  {line}" for line in self.taken)]
        for code, title in ((GUESSED, "Guessed:"), (DROPPED, "Dropped:")):
            said = [_line(*said) for key, said in self._said.items() if key[0] == code]
            if said:
                lines += ["", title, *(f"  {line}" for line in said)]
        return lines


def whole(path: str) -> Span:
    """A file or folder as a whole."""
    return Span(path, 0, 0, 0, 0, 0, 0)


def _counted(first: Finding, count: int) -> Finding:
    return first if count == 1 else replace(first, notes=(f"{count} times in this file, here for the first time",))


def _line(first: Finding, count: int) -> str:
    place = first.place
    where = f" ({place.path.rpartition('/')[2]}:{place.line})" if isinstance(place, Span) and place.line else ""
    times = "" if count == 1 else f", {count} times"
    return first.message + where + times


def member(item: Item, names: Sequence[str], report: AdoptReport) -> Item | None:
    """The member of a record under any of its names; None where it has none of them or null.

    Two names with two values are an error.
    """
    found = [item.at(name) for name in names if name in item.value and item.value[name] is not None]
    for other in found[1:]:
        if other.value != found[0].value:
            message = f"`{other.steps[-1]}` and `{found[0].steps[-1]}` are two names of one thing and say two things"
            report.refuse(WRONG_VALUE, message, other)
    return found[0] if found else None


def required(item: Item, names: Sequence[str], what: str, report: AdoptReport) -> Item | None:
    """As `member`; missing is an error."""
    found = member(item, names, report)
    if found is None:
        others = f" (or {', '.join(f'`{name}`' for name in names[1:])})" if len(names) > 1 else ""
        report.refuse(MISSING, f"{what} has no `{names[0]}`{others}", item)
    return found


def text(item: Item | None, report: AdoptReport) -> str | None:
    """A string, or None after reporting that it is something else."""
    if item is None or isinstance(item.value, str):
        return None if item is None else item.value
    report.refuse(WRONG_VALUE, f"`{_step(item)}` is a string", item)
    return None


def count(item: Item | None, report: AdoptReport) -> int | None:
    """An integer from 0 on, or None after reporting that it is something else."""
    if item is None or (type(item.value) is int and item.value >= 0):
        return None if item is None else item.value
    report.refuse(WRONG_VALUE, f"`{_step(item)}` is a whole number, 0 or more", item)
    return None


def word(item: Item | None, words: Mapping[str, str], report: AdoptReport) -> str | None:
    """What a word means, its case and `-` for `_` left aside; None after reporting one that means nothing."""
    written = text(item, report)
    if item is None or written is None:
        return None
    meant = words.get(written.lower().replace("-", "_"))
    if meant is None:
        known = ", ".join(dict.fromkeys(words))
        shown = ascii(written[:40])
        report.refuse(WRONG_VALUE, f"`{_step(item)}` cannot be {shown}", item, f"words that are known: {known}")
    return meant


def _step(item: Item) -> Step:
    return item.steps[-1] if item.steps else "this"


def problems_of(shape: Shape, value: Any) -> list[str]:
    """In what a value departs from a shape of the bundle format."""
    problems: list[str] = []
    Checker(DEFINITIONS, lambda _code, message, _pointer: problems.append(message)).check(shape, value)
    return problems


def drop_others(item: Item, known: Sequence[Sequence[str]], report: AdoptReport) -> None:
    """Report the members of a record that none of the names in `known` covers."""
    names = {name for some in known for name in some}
    for name in item.value:
        if name not in names:
            report.drop(f"`{name}` has no meaning here", item.at(name))
