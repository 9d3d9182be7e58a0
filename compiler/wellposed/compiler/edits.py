"""Edits of a bundle, rendered as edits of the source text that it was compiled from.

Each changes as little of the text as it can, in places that the source map leads to; comments and layout stay. What a
text cannot say that way, such as another tick for one pass of a loop, has no rendering. Nothing is promised about what
the new text means: whoever uses it compiles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.bundle_edits import BundleEdit, Insert, Remove, Replace
from wellposed.compiler.decompile.claims import claim_text
from wellposed.compiler.decompile.names import Names
from wellposed.compiler.decompile.schedule import statement_of
from wellposed.compiler.passes import PassSpan, written
from wellposed.compiler.roles import parts_of
from wellposed.compiler.text_edits import with_edits
from wellposed.dsl import tree
from wellposed.dsl.findings import Edit, Span
from wellposed.dsl.source import SourceFile

_Item = TypeVar("_Item")


class _NoRendering(Exception):
    """The text has no place for an edit."""


def edited(bundle: Bundle, source: SourceFile, file: tree.File, edits: Iterable[BundleEdit]) -> str | None:
    """The text of `source`, which is `file` when parsed, with the edits of a bundle that was compiled from it.

    None where the text has no place for one of them.
    """
    if bundle.source_map is None or bundle.source_map.spans["/id"].path != source.path:
        return None
    try:
        editor = _Editor(bundle, source, file)
        return with_edits(source.text, [one for edit in edits for one in editor.rendered(edit)])
    except _NoRendering:
        return None


class _Editor:
    """Looks the places of a bundle's elements up in the syntax tree of its source."""

    def __init__(self, bundle: Bundle, source: SourceFile, file: tree.File) -> None:
        assert bundle.source_map is not None, "there is nothing to edit without a map"
        self._document = bundle.document
        self._spans = bundle.source_map.spans
        self._source = source
        self._text = source.text
        self._allows = file.allows
        self._newline = "\r\n" if "\r\n" in source.text else "\n"
        kinds = tree.Scenario | tree.Family
        self._declaration = next(
            one for one in file.declarations if isinstance(one, kinds) and one.name.span == self._spans["/id"]
        )

    def rendered(self, edit: BundleEdit) -> Iterator[Edit]:
        """The edits of the text for one of the bundle; raises _NoRendering."""
        match edit:
            case Replace("/level", value):
                yield self._header("level", f"L{value}")
            case Replace("/horizon", value):
                yield self._header("horizon", str(value))
            case Replace("/mode/posture", value):
                yield self._header("posture", value)
            case Replace(pointer, value) if pointer.endswith("/at"):
                yield from self._move(pointer, value)
            case Replace(pointer, value) if pointer.endswith("/within"):
                yield self._window(pointer.removesuffix("/within"), value)
            case Replace(pointer, value):
                yield self._claim(pointer, value)
            case Insert("/schedule", value):
                yield self._statement(value)
            case Insert(_, value):
                yield self._expectation(value)
            case Remove("/invariants"):
                yield from (self._cut(one.span) for one in self._items(tree.InvariantsOnlyExpect))
            case Remove(pointer) if pointer.startswith("/schedule"):
                yield self._without_statement(pointer)
            case Remove(pointer):
                yield self._without_claim(pointer)

    # Places

    def _span(self, pointer: str, *, in_loop: bool) -> Span:
        """Where an element stands; in a loop, where one text stands for many elements, only with `in_loop`."""
        span = self._spans.get(pointer)
        if span is None or span.path != self._source.path or (isinstance(span, PassSpan) and not in_loop):
            raise _NoRendering
        return written(span)

    def _items(self, kind: type[_Item]) -> list[_Item]:
        """The items of the scenario itself, without those in its loops."""
        return [one for one in self._declaration.items if isinstance(one, kind)]

    def _block(self, tick: Span) -> tree.At:
        """The `at` block with this tick."""
        return next(one for one in _nodes(self._declaration) if isinstance(one, tree.At) and one.tick.span == tick)

    def _header(self, word: str, text: str) -> Edit:
        values = [one.value for one in self._declaration.headers if one.word == word]
        if not values:
            raise _NoRendering
        return Edit(values[0].span, text)

    # Events

    def _move(self, pointer: str, tick: int) -> Iterator[Edit]:
        """Another tick for a statement: that of its block, or a block of its own before the one that it leaves."""
        block = self._block(self._span(pointer, in_loop=False))
        if len(block.statements) == 1:
            old = self._document["schedule"][int(pointer.split("/")[2])]["at"]
            yield Edit(block.tick.span, self._tick(block.tick, old, tick))
            return
        statement = self._span(pointer.removesuffix("/at"), in_loop=False)
        self._refuse_allowed(block.span)
        yield self._cut(statement)
        moved = f"at {tick} {self._written(statement)}{self._newline}{self._indent(block.span.start)}"
        yield self._at(block.span.start, moved)

    def _tick(self, node: tree.Expression, old: int, new: int) -> str:
        """A tick as it is written where another stood: what was counted from a name still is."""
        base, value = node, old
        if isinstance(node, tree.Operation) and isinstance(node.right, tree.Number) and node.operator in "+-":
            base = node.left
            value = old - node.right.value if node.operator == "+" else old + node.right.value
        if not isinstance(base, tree.Name):
            return str(new)
        if new == value:
            return self._written(base.span)
        return f"{self._written(base.span)} {'+' if new > value else '-'} {abs(new - value)}"

    def _without_statement(self, pointer: str) -> Edit:
        span = self._span(pointer, in_loop=True)
        holders = (one for one in _nodes(self._declaration) if isinstance(one, tree.At | tree.When))
        block = next(one for one in holders if one.span.start <= span.start and span.end <= one.span.end)
        alone = len(block.statements) == 1 and not isinstance(block.statements[0], tree.For)
        return self._cut(block.span if alone else span)

    def _statement(self, entry: Any) -> Edit:
        """A block of its own, behind the last one that is not later."""
        ticks = {
            written(self._spans[f"/schedule/{seq}/at"]): one["at"]
            for seq, one in enumerate(self._document["schedule"])
            if "at" in one
        }
        blocks = [one for one in self._items(tree.At) if one.tick.span in ticks]
        if not blocks:
            raise _NoRendering
        before = [one for one in blocks if ticks[one.tick.span] <= entry["at"]]
        near = before[-1].span if before else blocks[0].span
        indent = self._newline + self._indent(near.start)
        text = f"at {entry['at']} {self._new_statement(entry)}"
        if before:
            return self._at(self._behind(near.end), indent + text)
        self._refuse_allowed(near)
        return self._at(near.start, text + indent)

    def _new_statement(self, entry: Any) -> str:
        if entry["channel"] == "inbox":
            id = entry["record"]["id"]
            if any(one["channel"] == "inbox" and one["record"]["id"] == id for one in self._document["schedule"]):
                return f"redeliver {Names(self._document).record(id)}"
        return self._newline.join(statement_of(entry, self._document))

    # Expectations

    def _window(self, pointer: str, ticks: int) -> Edit:
        span = self._span(pointer, in_loop=True)
        kinds = tree.Sent | tree.Admitted | tree.Drafted | tree.ClaimsSettle
        node = next(one for one in _nodes(self._declaration) if isinstance(one, kinds) and one.span == span)
        if node.within is None:
            raise _NoRendering
        return Edit(node.within.span, str(ticks))

    def _claim(self, pointer: str, claim: Any) -> Edit:
        span = self._span(pointer, in_loop=False)
        if "#" in self._written(span):  # a comment, which would be lost
            raise _NoRendering
        return Edit(span, claim_text(claim, Names(self._document)))

    def _expectation(self, claim: Any) -> Edit:
        """A line of its own behind the last expectation; a block that is written on one line is opened for it."""
        text = claim_text(claim, Names(self._document))
        blocks = self._items(tree.Expect)
        if not blocks or not blocks[-1].claims:
            raise _NoRendering
        block = blocks[-1]
        last = block.claims[-1].span
        if block.span.line == block.span.end_line:
            outer = self._newline + self._indent(block.span.start)
            lines = [*(self._written(one.span) for one in block.claims), text]
            inside = "".join(f"{outer}  {line}" for line in lines)
            opening = self._text.index("{", block.span.start) + 1
            return Edit(self._source.span(opening, block.span.end - 1), inside + outer)
        return self._at(self._behind(last.end), self._newline + self._indent(last.start) + text)

    def _without_claim(self, pointer: str) -> Edit:
        """Without a claim, and without the block that would be left empty."""
        span = self._span(pointer, in_loop=True)
        alone = (one.span for one in self._items(tree.Expect) if [inner.span for inner in one.claims] == [span])
        return self._cut(next(alone, span))

    # Text

    def _written(self, span: Span) -> str:
        return self._source.text_of(span)

    def _at(self, place: int, text: str) -> Edit:
        """Text put in at a place."""
        return Edit(self._source.span(place, place), text)

    def _indent(self, at: int) -> str:
        """What the line of this place begins with."""
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip())]

    def _behind(self, end: int) -> int:
        """The end of the line if only a comment follows on it, so that this stays where it is."""
        line_end = self._line_end(end)
        rest = self._text[end:line_end].strip()
        return line_end if not rest or rest.startswith("#") else end

    def _line_end(self, at: int) -> int:
        end = self._text.find("\n", at)
        end = len(self._text) if end < 0 else end
        return end - 1 if end > at and self._text[end - 1] == "\r" else end

    def _cut(self, span: Span) -> Edit:
        """Without this text, and without its lines if nothing else stands on them."""
        self._refuse_allowed(span)
        start, end = self._text.rfind("\n", 0, span.start) + 1, self._line_end(span.end)
        if self._text[start : span.start].strip() or self._text[span.end : end].strip():
            before = self._text[: span.start].rstrip(" \t")
            return Edit(self._source.span(len(before), span.end), "")
        return Edit(self._source.span(start, min(end + len(self._newline), len(self._text))), "")

    def _refuse_allowed(self, span: Span) -> None:
        """An `allow` must not come to stand before something else."""
        if any(span.start <= one.covers.start and one.covers.end <= span.end for one in self._allows):
            raise _NoRendering


def _nodes(node: Any) -> Iterator[Any]:
    """A node and all that it is made of."""
    if isinstance(node, tuple):
        for one in node:
            yield from _nodes(one)
    elif type(node).__module__ == tree.__name__:
        yield node
        for name, _ in parts_of(type(node)):
            yield from _nodes(getattr(node, name))
