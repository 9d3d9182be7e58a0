"""Pictures as sequence diagrams in the language of Mermaid, as text: one diagram, or Markdown with one for each scenario."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from wellposed.cli.render.escape import escape
from wellposed.cli.timeline.chart import RUNS, Chart, RowKind
from wellposed.cli.timeline.facts import HARNESS, Fact, Facts, LaneKind, facts_of

INDENT = "  "
APART = (RowKind.PASSING, RowKind.FAILING)
LASTS = (RowKind.WINDOW, RowKind.OUTCOME, RowKind.EXPECTED, RowKind.HELD, RowKind.WAITING)
"""The kinds of facts that are no message, and stand in the note of their lane."""

# What may stand for itself; everything else is written by its number, which no reader of Mermaid takes for syntax.
_PLAIN = re.compile(r"[A-Za-z0-9 .,_()-]")
# Words that end or begin a block where a line consists of them.
_WORD = re.compile(r"(?i)\bend\b")


def render(charts: Sequence[Chart]) -> str:
    """One diagram, or several in Markdown; nothing without a chart."""
    diagrams = ["\n".join(_diagram(chart)) + "\n" for chart in charts]
    if len(diagrams) < 2:
        return "".join(diagrams)
    sections = (
        f"## {_heading(chart.id)}\n\n```mermaid\n{diagram}```\n"
        for chart, diagram in zip(charts, diagrams, strict=True)
    )
    return "\n".join(sections)


def quoted(text: str) -> str:
    """Text of an input as text of a diagram, whatever it holds."""
    safe = "".join(one if _PLAIN.match(one) else f"#{ord(one)};" for one in escape(text))
    return _WORD.sub(lambda word: f"#{ord(word[0][0])};{word[0][1:]}", safe)


def _heading(id: str) -> str:
    """An id as a heading; the words of the language have no sign that Markdown knows, but a bundle may hold any."""
    return re.sub(r"([^\w .-])", r"\\\1", escape(id))


def _diagram(chart: Chart) -> Iterator[str]:
    facts = facts_of(chart)
    diagram = _Diagram(chart, facts)
    yield "sequenceDiagram"
    yield f"{INDENT}title {quoted(chart.title or chart.id)} - L{chart.level} - {quoted(chart.verdict)}"
    for line in (*diagram.participants(), *diagram.messages(), *diagram.remarks()):
        yield INDENT + line


class _Diagram:
    def __init__(self, chart: Chart, facts: Facts) -> None:
        self._chart = chart
        self._facts = facts
        self._names = {HARNESS: "H"}
        counts = dict.fromkeys(LaneKind, 0)
        for lane in facts.lanes:
            counts[lane.kind] += 1
            if lane.kind is not LaneKind.HARNESS:
                letter = "C" if lane.kind is LaneKind.CONVERSATION else "W"
                self._names[lane.place] = f"{letter}{counts[lane.kind]}"
        self._conversations = {}
        conversation = ""
        for lane in facts.lanes:
            conversation = lane.place if lane.kind is LaneKind.CONVERSATION else conversation
            self._conversations[lane.place] = conversation

    def participants(self) -> Iterator[str]:
        """Everybody, in the order of the lanes."""
        for place, name in self._names.items():
            yield f"participant {name} as {quoted(place)}"

    def messages(self) -> Iterator[str]:
        """The events and records in the order of their ticks; a lane's windows are noted before its first."""
        notes = {
            lane.place: [fact for row in lane.rows for fact in row.facts if fact.kind in LASTS]
            for lane in self._facts.lanes
        }
        parting = self._chart.difference
        happens = [fact for fact in self._facts.ordered if fact.kind not in LASTS]
        for apart, group in groupby(happens, key=lambda fact: fact.kind in APART):
            told = list(group)
            for fact in told:
                yield from self._note(fact.place, notes.pop(fact.place, []))
                if not apart:
                    yield self._message(fact)
            if apart and parting is not None:
                yield f"Note over {self._everybody()}: the runs part at tick {parting}"
                parting = None
            if apart:
                yield from self._apart(told)
        for place, rest in notes.items():
            yield from self._note(place, rest)

    def remarks(self) -> Iterator[str]:
        """What no message says."""
        for remark in self._chart.remarks:
            yield f"Note over {self._everybody()}: {quoted(remark)}"

    def _apart(self, told: Sequence[Fact]) -> Iterator[str]:
        """What only one of the runs does, the one that passes first."""
        opening = "alt" if len({fact.kind for fact in told}) > 1 else "opt"
        for kind in APART:
            own = [fact for fact in told if fact.kind is kind]
            if own:
                yield f"{opening} {kind.value}"
                yield from (INDENT + self._message(fact) for fact in own)
                opening = "else"
        yield "end"

    def _message(self, fact: Fact) -> str:
        name = self._names[fact.place]
        words = f"{fact.first} {quoted(fact.detail)}"
        if fact.place == HARNESS:
            return f"Note over {self._everybody()}: {words}"
        if fact.kind in RUNS and fact.seq is None:
            reader = self._names[self._conversations[fact.place]] if fact.shape == "send" else name
            return f"{name}->>{reader}: {words}"
        return f"H->>{name}: {words}"

    def _note(self, place: str, facts: Sequence[Fact]) -> Iterator[str]:
        if facts:
            told = "<br/>".join(quoted(fact.detail) for fact in facts)
            yield f"Note over {self._names[place]}: {told}"

    def _everybody(self) -> str:
        names = list(self._names.values())
        return names[0] if len(names) == 1 else f"{names[0]},{names[-1]}"
