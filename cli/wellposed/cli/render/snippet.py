"""One finding as text: the header, the quoted source with what is underlined, the detail block, notes and help.

Our own, because user text must be quoted exactly: never wrapped, never interpreted, carets placed by display width.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wellposed.cli.render.colour import Palette
from wellposed.cli.render.escape import escape, lay_out, window
from wellposed.cli.render.fix import diff_lines, fix_text
from wellposed.dsl.findings import Finding, Place, Pointer, Span
from wellposed.dsl.source import SourceFile


@dataclass(frozen=True, slots=True)
class _Mark:
    span: Span
    primary: bool
    text: str


def place_text(place: Place) -> str:
    """`path:line:column`, or `path#pointer` for a place in a document without a source map."""
    if isinstance(place, Pointer):
        return escape(f"{place.path}#{place.pointer}" if place.pointer else place.path)
    # Line 0 stands for the file as a whole.
    return escape(place.path) if place.line == 0 else f"{escape(place.path)}:{place.line}:{place.column}"


def render_finding(finding: Finding, sources: Mapping[str, SourceFile], palette: Palette) -> str:
    """The finding as lines of text, without a final newline."""
    severity = finding.severity.value
    header = palette.paint(f"{severity}[{finding.code}]", severity)
    lines = [header + palette.paint(": " + escape(finding.message), "bold")]
    marks = _marks(finding)
    gutter = max((len(str(mark.span.line)) for mark in marks if mark.span.path in sources), default=1)
    margin = " " * gutter
    bar = palette.paint(f"{margin} |", "gutter")

    def arrow(place: Place, text: str = "") -> str:
        return palette.paint(f"{margin}--> ", "gutter") + place_text(place) + (f": {escape(text)}" if text else "")

    quoted = False
    for path, group in _by_file(marks).items():
        first = next((mark for mark in group if mark.primary), group[0])
        source = sources.get(path)
        if source is None or first.span.line == 0:
            lines += [arrow(mark.span, mark.text) for mark in group]
            continue
        lines += [arrow(first.span), bar, *_quote(source, group, gutter, palette)]
        quoted = True
    if isinstance(finding.place, Pointer):
        lines.insert(1, arrow(finding.place))
    lines += [arrow(label.place, label.text) for label in finding.labels if isinstance(label.place, Pointer)]
    texts = [("note", note) for note in finding.notes]
    if finding.help is not None:
        texts.append(("help", finding.help))
    if finding.fix is not None:
        texts.append(("fix", fix_text(finding.fix)))
    if (quoted or finding.detail) and (finding.detail or texts):
        lines.append(bar)
    if finding.detail:
        lines += [(margin + "   " + escape(line)).rstrip() for line in finding.detail]
        if texts:
            lines.append(bar)
    for word, text in texts:
        first_line, *rest = text.split("\n")
        lines.append(
            palette.paint(f"{margin} = ", "gutter") + palette.paint(f"{word}:", "bold") + " " + escape(first_line)
        )
        lines += [f"{margin}         {escape(line)}" for line in rest]
    if finding.fix is not None:
        lines += diff_lines(finding.fix, sources, palette)
    return "\n".join(lines)


def _marks(finding: Finding) -> list[_Mark]:
    marks = [_Mark(finding.place, True, "")] if isinstance(finding.place, Span) else []
    marks += [_Mark(label.place, False, label.text) for label in finding.labels if isinstance(label.place, Span)]
    return marks


def _by_file(marks: Sequence[_Mark]) -> dict[str, list[_Mark]]:
    """Marks grouped by file, the primary one's file first, by line within a file, the primary first within a line."""
    groups: dict[str, list[_Mark]] = {}
    for mark in marks:
        groups.setdefault(mark.span.path, []).append(mark)
    for group in groups.values():
        group.sort(key=lambda mark: (mark.span.line, not mark.primary, mark.span.column))
    return groups


def _quote(source: SourceFile, marks: Sequence[_Mark], gutter: int, palette: Palette) -> list[str]:
    """The marked lines of one file with their underlines, `...` where lines are left out, a single such line shown."""
    lines: list[str] = []
    before: int | None = None
    for number in sorted({mark.span.line for mark in marks}):
        if not 1 <= number <= source.line_count:
            continue
        if before is not None and number == before + 2:
            lines.append(_source_line(before + 1, window(source.line_text(before + 1), 0, 0)[0], gutter, palette))
        elif before is not None and number > before + 2:
            lines.append(palette.paint("...", "gutter"))
        on_line = [mark for mark in marks if mark.span.line == number]
        text = source.line_text(number)
        shown, offset = window(text, on_line[0].span.column - 1, _end(on_line[0].span, text))
        lines.append(_source_line(number, shown, gutter, palette))
        _, columns = lay_out(shown)
        for mark in on_line:
            start = min(max(mark.span.column - 1 - offset, 0), len(columns) - 1)
            end = min(max(_end(mark.span, text) - offset, start), len(columns) - 1)
            underline = ("^" if mark.primary else "-") * max(columns[end] - columns[start], 1)
            painted = palette.paint(
                underline + (" " + escape(mark.text) if mark.text else ""), "primary" if mark.primary else "secondary"
            )
            lines.append(palette.paint(f"{' ' * gutter} |", "gutter") + " " + " " * columns[start] + painted)
        before = number
    return lines


def _end(span: Span, text: str) -> int:
    """Where the underlining of a span ends on its first line: 0-based, exclusive."""
    return span.end_column - 1 if span.end_line == span.line else len(text.rstrip())


def _source_line(number: int, text: str, gutter: int, palette: Palette) -> str:
    shown, _ = lay_out(text)
    return (palette.paint(f"{number:>{gutter}} |", "gutter") + " " + shown).rstrip()
