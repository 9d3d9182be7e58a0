"""Between offsets in code points and the lines and units of an editor, which counts UTF-16 units unless it says otherwise."""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol import types

from wellposed.dsl.findings import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_WIDTH = {types.PositionEncodingKind.Utf8: "utf-8", types.PositionEncodingKind.Utf16: "utf-16-le"}
_BYTES = {"utf-8": 1, "utf-16-le": 2}


class Positions:
    """The places of one text. Lines end where the protocol says so: at LF, CRLF and CR, and nowhere else."""

    def __init__(self, text: str, encoding: str = types.PositionEncodingKind.Utf16) -> None:
        self.text = text
        self._codec = _WIDTH.get(types.PositionEncodingKind(encoding))
        ends = list(_LINE_END.finditer(text))
        self._starts = [0, *(end.end() for end in ends)]
        self._ends = [*(end.start() for end in ends), len(text)]

    def position(self, offset: int) -> types.Position:
        """The position of a code point offset; what lies outside of the text is its nearest end."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : min(offset, self._ends[line])]
        return types.Position(line, self._units(before))

    def range(self, start: int, end: int) -> types.Range:
        """The range of `text[start:end]`."""
        return types.Range(self.position(start), self.position(end))

    def of(self, span: Span) -> types.Range:
        """The range of a span of this text."""
        return self.range(span.start, span.end)

    def offset(self, position: types.Position) -> int:
        """The code point offset of a position; one inside of a character is before it, one behind a line is its end."""
        line = max(0, position.line)
        if line >= len(self._starts):
            return len(self.text)
        offset, left = self._starts[line], position.character
        for character in self.text[offset : self._ends[line]]:
            left -= self._units(character)
            if left < 0:
                break
            offset += 1
        return offset

    def whole(self) -> types.Range:
        """The range of everything."""
        return self.range(0, len(self.text))

    def _units(self, text: str) -> int:
        if self._codec is None or text.isascii():
            return len(text)
        return len(text.encode(self._codec, "surrogatepass")) // _BYTES[self._codec]
