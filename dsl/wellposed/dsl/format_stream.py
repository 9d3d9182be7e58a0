"""What the formatter works on: the tokens of a text with the comments and line breaks between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from wellposed.dsl.grammar import load

_GAP = re.compile(r"#[^\n]*|\n")
_CLOSE_TO_WHAT_IS_BEFORE = frozenset({"COMMA", "COLON", "RPAR", "RSQB", "RANGE"})
_CLOSE_TO_WHAT_FOLLOWS = frozenset({"LPAR", "LSQB", "RANGE"})
# Indices, and the parameters of a family: a bracket behind a name belongs to it.
_BRACKETS = frozenset({"LPAR", "LSQB"})
_BRACKETED = frozenset({"NAME", "BACKQUOTED", "RSQB"})


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment, without the white space at its end. `breaks` counts the line ends before it.

    With none it stands behind a token, on the line of that token, and stays there; else it has a line of its own.
    """

    text: str
    breaks: int


@dataclass(frozen=True, slots=True)
class Stream:
    """The tokens of a text, index by index, and what stands between them.

    `spaces[i]` is what stands before token i on a line. `breaks[i]` counts the line ends between token i and what stands before it, a token or a comment. `comments[i]` are
    the comments before token i, in order; those behind the last token stand at `len(texts)`. `commented[i]` counts all
    comments up to token i.
    """

    kinds: list[str]
    texts: list[str]
    spaces: list[str]
    starts: list[int]
    lines: list[int]
    breaks: list[int]
    comments: Mapping[int, list[Comment]]
    commented: list[int]

    def has_comment(self, first: int, last: int) -> bool:
        """Whether a comment stands between token `first` and token `last`."""
        return self.commented[last] > self.commented[first]

    def on_one_line(self, first: int, last: int) -> bool:
        """Whether token `last` ends on the line on which token `first` begins."""
        return self.lines[first] == self.lines[last]

    def blank_before(self, index: int) -> bool:
        """Whether an empty line stands somewhere between token `index` and what is before it."""
        return self.breaks[index] > 1 or any(one.breaks > 1 for one in self.comments.get(index, ()))

    def written(self, first: int, last: int) -> str:
        """The tokens from `first` to `last` on one line, without what stands before the first."""
        spaced = map(str.__add__, self.spaces[first + 1 : last + 1], self.texts[first + 1 : last + 1])
        return self.texts[first] + "".join(spaced)

    def signature(self) -> list[str]:
        """All tokens and comments in order: what no layout may change."""
        words: list[str] = []
        for index, text in enumerate([*self.texts, ""]):
            words += (comment.text for comment in self.comments.get(index, ()))
            words.append(text)
        return words


def stream_of(text: str) -> Stream:
    """The stream of a text that is free of errors. Line ends in strings are LF in it."""
    kinds: list[str] = []
    texts: list[str] = []
    spaces: list[str] = []
    starts: list[int] = []
    lines: list[int] = []
    breaks: list[int] = []
    comments: dict[int, list[Comment]] = {}
    commented: list[int] = []
    end = total = 0
    before = ""

    def gap(start: int) -> None:
        nonlocal total
        between = text[end:start]
        count = 0
        if "#" in between:
            found = comments[len(texts)] = []
            count = 0 if texts else 1  # nothing stands before a comment at the start of a file
            for piece in _GAP.findall(between):
                if piece == "\n":
                    count += 1
                else:
                    found.append(Comment(piece.rstrip(" \t\r"), count))
                    count = 0
            total += len(found)
        elif "\n" in between:
            count = between.count("\n")
        breaks.append(count)
        commented.append(total)

    for token in load().tokens(text):
        start = token.start_pos or 0
        gap(start)
        kind, written = token.type, str(token)
        kinds.append(kind)
        spaces.append("" if _is_close(before, kind) else " ")
        before = kind
        texts.append(written.replace("\r\n", "\n") if kind == "LONG_STRING" else written)
        starts.append(start)
        lines.append(token.line or 1)
        end = token.end_pos or 0
    gap(len(text))
    return Stream(kinds, texts, spaces, starts, lines, breaks, comments, commented)


def _is_close(before: str, kind: str) -> bool:
    return (
        kind in _CLOSE_TO_WHAT_IS_BEFORE
        or before in _CLOSE_TO_WHAT_FOLLOWS
        or (kind in _BRACKETS and before in _BRACKETED)
        or (kind == "RBRACE" and before == "LBRACE")
    )
