"""Which of many words stand in a text, without trying every word on every text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

STEPS = 1_000_000
"""Pieces of text that one search may compare; beyond it the search finds nothing more."""


class Words:
    """Words to look for, found by their first letters: the work grows with the text, hardly with the words."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(word for word in words if word)
        self._head = min((len(word) for word in self._words), default=1)
        self._lengths: dict[str, list[int]] = {}
        for length, head in sorted({(len(word), word[: self._head]) for word in self._words}):
            self._lengths.setdefault(head, []).append(length)
        self._steps = STEPS

    @property
    def found_all(self) -> bool:
        """Whether no search has been cut short so far."""
        return self._steps >= 0

    def inside(self, text: str) -> Iterator[str]:
        """The words that stand in the text, each once, as they come."""
        seen = set()
        for start in range(len(text) - self._head + 1):
            for length in self._lengths.get(text[start : start + self._head], ()):
                self._steps -= 1
                piece = text[start : start + length]
                if self._steps >= 0 and piece in self._words and piece not in seen:
                    seen.add(piece)
                    yield piece
