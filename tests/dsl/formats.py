"""What must hold of a text and its layout, and other layouts of a text to try it on."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from wellposed.dsl import tree
from wellposed.dsl.format import format_source
from wellposed.dsl.grammar import load
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile

GAPS = (
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\n",
    "\n\n",
    "\n\n\n  ",
    "\t",
    "\r\n",
    " # a { comment\n",
    '\n  # another "\n',
    " #\r\n\r\n",
)


def words_and_gaps(text: str) -> tuple[list[str], list[str]]:
    """The tokens of a text, and what stands before each of them and behind the last."""
    words: list[str] = []
    gaps: list[str] = []
    end = 0
    for token in load().tokens(text):
        gaps.append(text[end : token.start_pos])
        words.append(str(token))
        end = token.end_pos or 0
    return words, [*gaps, text[end:]]


def comments(text: str) -> list[str]:
    """All comments of a text in order, without the space at their ends."""
    _, gaps = words_and_gaps(text)
    return [comment.rstrip() for gap in gaps for comment in re.findall(r"#[^\n]*", gap)]


def meaning(node: Any, text: str) -> Any:
    """A tree without its spans. What an `allow` covers is told by how many tokens stand before it and in it."""
    starts = [token.start_pos for token in load().tokens(text)]

    def told(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(told, value))
        if not is_dataclass(value) or isinstance(value, type):
            return value
        parts = {one.name: getattr(value, one.name) for one in fields(value) if one.name not in ("span", "path")}
        if isinstance(value, tree.Allow):
            covers = parts.pop("covers")
            parts["covers"] = sum(start < covers.start for start in starts), sum(start < covers.end for start in starts)
        return (type(value).__name__, *((name, told(part)) for name, part in parts.items()))

    return told(node)


def lines_outside_strings(text: str) -> Iterator[str]:
    """The lines of a text in which each string in triple quotes is a mere `\"\"\"`."""
    return iter(re.sub(r'"""(?s:[^"\\]|\\.|"(?!""))*"""', '"""', text).split("\n"))


def laid_out(source: SourceFile) -> str:
    """The layout of a text that must have one."""
    text, findings = format_source(source)
    assert findings == ()
    assert text is not None
    return text


def check_layout(source: SourceFile) -> str:
    """Lossless, canonical, and the same again: the layout of a text, held to all that is promised of it."""
    text = laid_out(source)
    assert laid_out(SourceFile(source.path, text)) == text
    (before, findings), (after, found) = parse(source), parse(SourceFile(source.path, text))
    assert findings == found == ()
    assert meaning(after, text) == meaning(before, source.text)
    assert [word.replace("\r\n", "\n") for word in words_and_gaps(source.text)[0]] == words_and_gaps(text)[0]
    assert comments(text) == comments(source.text)
    assert text == "" or (text.endswith("\n") and not text.endswith("\n\n"))
    assert "\r" not in text
    lines = list(lines_outside_strings(text))
    assert not any(line != line.rstrip(" \t") for line in lines)
    assert "\n\n\n" not in "\n".join(lines)
    return text


def mutated(text: str, seed: int) -> str:
    """The same tokens and comments with other space, line ends and further comments between them."""
    choose = random.Random(seed)
    words, gaps = words_and_gaps(text)
    often = choose.choice((0.02, 0.2, 0.9))
    result = ""
    for index, gap in enumerate(gaps):
        if choose.random() < often:
            kept = "".join(f"{comment}\n" for comment in re.findall(r"#[^\n]*", gap))
            gap = choose.choice(GAPS) + kept + choose.choice(("", *GAPS))
        elif "#" not in gap and choose.random() < often:
            gap = " "
        result += gap + (words[index] if index < len(words) else "")
    return result
