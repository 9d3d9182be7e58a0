"""Passes of loops: where an expanded element is written, and in which pass; what every pass has is told once.

An expanded element keeps the span of its text, so a finding about the body of a loop stands on one line however many
passes have it. The spans of expanded elements carry their pass; findings that leave the compiler have plain ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from wellposed.dsl.findings import Finding, Label, Place, Span


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass of a loop: the value of its variable, and the pass of the loop around it."""

    variable: str
    value: int
    outer: Pass | None

    def __str__(self) -> str:
        """`i` = 2, `j` = 1, for messages; the outermost variable first."""
        own = f"`{self.variable}` = {self.value}"
        return own if self.outer is None else f"{self.outer}, {own}"


class PassSpan(Span):
    """A span inside the body of a loop, as one pass has it.

    Spans of one text are equal whatever their pass, so that what a loop repeats can be recognised as one place.
    """

    __slots__ = ("during",)
    during: Pass

    def __init__(self, written: Span, during: Pass) -> None:
        super().__init__(*_ends(written))
        object.__setattr__(self, "during", during)

    def __reduce__(self) -> tuple[type[PassSpan], tuple[Span, Pass]]:
        # A frozen dataclass copies its own fields only.
        return PassSpan, (written(self), self.during)


def in_pass(span: Span, during: Pass | None) -> Span:
    """The span as a pass has it; the span itself outside of loops."""
    return span if during is None else PassSpan(span, during)


def written(span: Span) -> Span:
    """The span as it is written, without its pass."""
    return Span(*_ends(span)) if isinstance(span, PassSpan) else span


def _ends(span: Span) -> tuple[str, int, int, int, int, int, int]:
    return span.path, span.start, span.end, span.line, span.column, span.end_line, span.end_column


def settled(finding: Finding, more: int = 0) -> Finding:
    """The finding with plain spans, and a note about the pass it is from; `more` passes after it have it too.

    A label at the very place of the finding stands for what an earlier pass made of the same text; it becomes a note.
    """
    notes = list(finding.notes)
    if isinstance(finding.place, PassSpan):
        others = f" and {more} more {'times' if more > 1 else 'time'}" if more else ""
        notes.append(f"found with {finding.place.during}{others}")
    place = _plain(finding.place)
    labels = []
    for label in finding.labels:
        if not isinstance(label.place, PassSpan):
            labels.append(label)
        elif (where := written(label.place)) == place:
            notes.append(f"{label.text}, with {label.place.during}")
        else:
            labels.append(Label(where, f"{label.text}, with {label.place.during}"))
    if place is finding.place and labels == list(finding.labels):
        return finding
    return replace(finding, place=place, labels=tuple(labels), notes=tuple(notes))


def _plain(place: Place | None) -> Place | None:
    return written(place) if isinstance(place, Span) else place


def once_per_loop(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Of the findings that passes have at one place under one code, the first, with a note; others as they are."""
    return _first_of_each(
        findings,
        lambda one: (one.scenario, one.code, one.place) if isinstance(one.place, PassSpan) else None,
        settled,
    )


def once_per_family(findings: Iterable[Finding], family_of: Callable[[str], str | None]) -> tuple[Finding, ...]:
    """Of the findings that members of a family have at one place under one code, the first, with a note.

    `family_of` says of the id of a scenario which family it is from.
    """

    def key(one: Finding) -> object | None:
        family = None if one.scenario is None else family_of(one.scenario)
        return None if family is None else (family, one.code, one.place)

    def noted(one: Finding, more: int) -> Finding:
        others = f" and in {more} more {'scenarios' if more > 1 else 'scenario'} of this family" if more else ""
        return replace(one, notes=(*one.notes, f"found in `{one.scenario}`{others}"))

    return _first_of_each(findings, key, noted)


def _first_of_each(
    findings: Iterable[Finding], key: Callable[[Finding], object | None], noted: Callable[[Finding, int], Finding]
) -> tuple[Finding, ...]:
    firsts: list[tuple[object | None, Finding]] = []
    more: dict[object, int] = {}
    for one in findings:
        group = key(one)
        if group is not None and group in more:
            more[group] += 1
            continue
        if group is not None:
            more[group] = 0
        firsts.append((group, one))
    return tuple(_noted(firsts, more, noted))


def _noted(
    firsts: Iterable[tuple[object | None, Finding]],
    more: dict[object, int],
    noted: Callable[[Finding, int], Finding],
) -> Iterator[Finding]:
    for group, one in firsts:
        yield settled(one) if group is None else noted(one, more[group])
