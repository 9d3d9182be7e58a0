"""Did-you-mean: the known word nearest to an unknown one, for a bounded amount of work."""

from __future__ import annotations

from collections.abc import Iterable

from wellposed.compiler.limits import LIMITS


def distance(left: str, right: str, limit: int) -> int:
    """The number of insertions, deletions, replacements and swaps of neighbours between two words, at most `limit + 1`.

    The optimal string alignment distance: no part of a word is edited twice. A result above `limit` only says
    "further".
    """
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, mine in enumerate(left, 1):
        above, row = row, [i]
        for j, theirs in enumerate(right, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (mine != theirs))
            if i > 1 and j > 1 and mine == right[j - 2] and left[i - 2] == theirs:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before = above
    return min(row[-1], limit + 1)


_FAR = 3
"""The distance of what is only just near enough, such as a word of which the beginning was written."""


class Suggester:
    """Finds the nearest of the known words until its work is used up, then stays silent.

    One suggester serves one compilation: ten thousand unknown names among ten thousand messages cost no more than
    `cells` table cells, and which hints are given depends on nothing but the text.
    """

    def __init__(self, cells: int = LIMITS.suggestion_cells) -> None:
        self._cells = cells

    def nearest(self, word: str, known: Iterable[str]) -> str | None:
        """The known word that is nearest to `word` and near enough to be meant, the alphabetically first of equals.

        Near enough: equal but for case, or at most a third of the letters differ, and never more than three; or a word
        that begins as `word` does.
        """
        if self._cells < 0:
            return None
        best: tuple[int, str] | None = None
        for candidate in sorted(known):
            limit = _FAR if best is None else best[0] - 1
            found = self._distance(word, candidate, limit)
            if found <= limit:
                best = (found, candidate)
        return None if best is None else best[1]

    def _distance(self, word: str, candidate: str, limit: int) -> int:
        """How far a candidate is, or more than `limit`."""
        self._cells -= 1
        if candidate.casefold() == word.casefold():
            return 0
        close = min(limit, max(len(word), len(candidate)) // 3)
        if close >= 1 and abs(len(word) - len(candidate)) <= close:
            self._cells -= len(word) * len(candidate)
            if (found := distance(word, candidate, close)) <= close:
                return found
        return _FAR if len(word) >= _FAR and candidate.startswith(word) else _FAR + 1
