"""The words of a skin, put in the place of the benchmark's own in what is told of a run or an argument. They change no meaning.

Words follow a scenario beside its bundle, as places do: a bundle has the name of its skin only, so what is read from a bundle is
told in the benchmark's own words, and so is what has the built-in skin or names none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from wellposed.compiler.scenario import Skin

_QUOTED = re.compile(r"(`[^`]*`)")
"""What the author wrote is quoted as it is."""
_PHRASES: tuple[tuple[str, str, str], ...] = (
    ("draft", r"\bdrafts a reply to (\S+)", r"drafts {a} for \1"),
    ("effect", r"\bsends the reply to (\S+)", r"sends the {word} for \1"),
    ("effect", r"\ba reply to (\S+)", r"{a} for \1"),
    ("effect", r"\bthe reply\b", r"the {word}"),
    ("draft", r"\bfirst draft\b", r"first {word}"),
    ("draft", r"\b(newest|oldest) draft\b", r"\1 {word}"),
    ("message", r"^deliver (\S+)", r"deliver {word} \1"),
    ("work-item", r"^admits (\S+)", r"admits \1 as {a}"),
    ("approval", r"^approve (\S+)", r"{word} for \1"),
    ("agent", r"\btwo agents claim\b", r"{a} and another claim"),
    ("agent", r"\ban agent\b", r"{a}"),
    ("agent", r"\bone agent\b", r"one {word}"),
    ("agent", r"^agent dies\b", r"{word} dies"),
)
"""Per word of a skin, what the tool says, and what is said instead; `{a}` is the word with its article."""


def plain(text: str) -> str:
    """The text as it is: the benchmark's own words."""
    return text


@cache
def retelling(skin: Skin | None) -> Callable[[str], str]:
    """How texts are told in the words of a skin; words that it does not have stay plain."""
    if skin is None or skin.span is None:
        return plain
    words = dict(skin.words)
    rules = tuple((re.compile(found), _said(said, words[word])) for word, found, said in _PHRASES if word in words)

    def retell(text: str) -> str:
        parts = _QUOTED.split(text)
        for place in range(0, len(parts), 2):
            for found, said in rules:
                parts[place] = found.sub(said, parts[place])
        return "".join(parts)

    return retell


def _said(said: str, word: str) -> str:
    article = "an" if word[:1].lower() in "aeiou" else "a"
    return said.replace("{a}", f"{article} {_escaped(word)}").replace("{word}", _escaped(word))


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\")
