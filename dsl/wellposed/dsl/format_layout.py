"""From blocks to lines: what stays on one line, what is broken where, and where the comments go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wellposed.dsl.format_blocks import ALTERNATIVE, Block, Entry
from wellposed.dsl.format_columns import columns_of
from wellposed.dsl.format_stream import Comment, Stream

WIDTH = 120
"""How many characters a line of code has, where the layout has a choice."""

_INDENT = 2
_CONTINUATION = 4
# Where a line that is too long is broken, besides behind commas: before these words.
_BREAKABLE = frozenset({"AND", "THEN", "ELSE"})


@dataclass(slots=True)
class Line:
    """Code with the comment behind it, a comment alone, or nothing. A string in triple quotes makes several of one."""

    indent: int
    code: str
    comment: str | None = None


def lines_of(stream: Stream, file: Block) -> list[Line]:
    """The lines of a text in canonical layout."""
    layout = _Layout(stream)
    layout.contents(file, 0)
    return layout.lines


class _Layout:
    def __init__(self, stream: Stream) -> None:
        self.lines: list[Line] = []
        self._stream = stream
        self._spaces = list(stream.spaces)

    def contents(self, block: Block, indent: int) -> None:
        """What stands between two braces, or the whole file, each entry in lines of its own."""
        for token, more in columns_of(block, self._stream).items():
            self._spaces[token] = " " * (1 + more)
        before = None
        for entry in block.entries:
            apart = not block.kind and before is not None and self._are_apart(before, entry)
            self._lead(entry.first, indent, before is None, apart)
            self._entry(entry, indent)
            before = entry
        self._lead(block.close, indent, before is None)

    def _are_apart(self, before: Entry, entry: Entry) -> bool:
        """Whether an empty line is due between two entries of a file."""
        kinds = self._stream.kinds
        return kinds[before.first] != "ALLOW" and (kinds[before.first], kinds[entry.first]) != ("IMPORT", "IMPORT")

    def _lead(self, token: int, indent: int, opening: bool, apart: bool = False) -> None:
        """What stands before an entry or the end of a block: comments, and empty lines, of several only one.

        None at the beginning and the end of a block; with `apart` there is one in any case.
        """
        stream = self._stream
        apart = apart and not stream.blank_before(token)
        for comment in stream.comments.get(token, ()):
            if comment.breaks:
                self._separate((apart or comment.breaks > 1) and not opening)
                opening = apart = False
            self._comment(comment, indent)
        ends = token == len(stream.kinds) or stream.kinds[token] == "RBRACE"
        self._separate((apart or stream.breaks[token] > 1) and not opening and not ends)

    def _separate(self, wanted: bool) -> None:
        if wanted:
            self.lines.append(Line(0, ""))

    def _comment(self, comment: Comment, indent: int) -> None:
        if comment.breaks:
            self.lines.append(Line(indent, "", comment.text))
        else:
            self.lines[-1].comment = comment.text

    def _entry(self, entry: Entry, indent: int) -> None:
        if entry.blocks and entry.short and not self._stream.has_comment(entry.first, entry.last):
            self._spread(entry)
            code = self._written(entry.first, entry.last)
            if _fits(code, indent):
                self.lines.append(Line(indent, code))
                return
        first = entry.first
        for block in entry.blocks:
            if block.entries or not block.short:
                self._tokens(first, block.open, indent)
                self.contents(block, indent + _INDENT)
                first = block.close
        self._tokens(first, entry.last, indent)

    def _spread(self, entry: Entry) -> None:
        """Two spaces between the claims of an alternative: nothing else would divide them on one line."""
        for block in entry.blocks:
            for index, inner in enumerate(block.entries):
                if index and block.kind == ALTERNATIVE:
                    self._spaces[inner.first] = "  "
                self._spread(inner)

    def _tokens(self, first: int, last: int, indent: int) -> None:
        """Tokens of one entry, in one line as far as comments between them and the width allow."""
        stream = self._stream
        begin = indent
        if stream.has_comment(first, last):
            for token in range(first + 1, last + 1):
                if token in stream.comments:
                    self._fill(first, token - 1, begin, indent)
                    for comment in stream.comments[token]:
                        self._comment(comment, indent + _CONTINUATION)
                    kind, before = stream.kinds[token], stream.kinds[token - 1]
                    at_margin = kind == "LBRACE" or (kind == "OR" and before == "RBRACE")
                    first, begin = token, indent if at_margin else indent + _CONTINUATION
        self._fill(first, last, begin, indent)

    def _fill(self, first: int, last: int, begin: int, indent: int) -> None:
        """Tokens without comments between them: one line, or as many as it takes where they can be broken."""
        code = self._written(first, last)
        if _fits(code, begin):
            self.lines.append(Line(begin, code))
            return
        code = ""
        for start, end in self._pieces(first, last, begin):
            piece = self._written(start, end)
            longer = f"{code}{self._spaces[start]}{piece}" if code else piece
            if code and not _fits(longer, begin):
                self.lines.append(Line(begin, code))
                begin, longer = indent + _CONTINUATION, piece
            code = longer
        self.lines.append(Line(begin, code))

    def _pieces(self, first: int, last: int, begin: int) -> Iterator[tuple[int, int]]:
        """Between which tokens a line may be broken; in a list in brackets only where the list is too long for a line."""
        kinds = self._stream.kinds
        inner: list[int] = []
        depth = 0
        start = first
        for token in range(first, last + 1):
            depth += (kinds[token] == "LSQB") - (kinds[token] == "RSQB")
            comma = kinds[token] == "COMMA"
            if comma and depth > 0 and token != last:
                inner.append(token)
            elif token == last or comma or kinds[token + 1] in _BREAKABLE:
                if _fits(self._written(start, token), begin + _CONTINUATION):
                    inner = []
                for end in (*inner, token):
                    yield start, end
                    start = end + 1
                inner = []

    def _written(self, first: int, last: int) -> str:
        texts, spaces = self._stream.texts, self._spaces
        if first == last:
            return texts[first]
        return texts[first] + "".join(map(str.__add__, spaces[first + 1 : last + 1], texts[first + 1 : last + 1]))


def _fits(code: str, indent: int) -> bool:
    if "\n" not in code:
        return indent + len(code) <= WIDTH
    return indent + code.index("\n") <= WIDTH and len(code) - code.rindex("\n") - 1 <= WIDTH
