"""What a picture is made of: shapes and texts at whole units, each with the name of its style. No format is known here."""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.cli.timeline import metrics
from wellposed.cli.timeline.facts import Fact

SIZES = {"title": (17, True), "lane": (13, True), "good": (12, True), "bad": (12, True), "parted": (12, True)}
"""Font size and whether it is bold, by style of a text."""
PLAIN = (12, False)
SMALL = ("tick", "span", "note", "kind")
SMALL_SIZE = (11, False)


def font(style: str) -> tuple[int, bool]:
    """The size of a text of this style, and whether it is bold."""
    return SIZES.get(style, SMALL_SIZE if style in SMALL else PLAIN)


def text_width(text: str, style: str) -> int:
    """Units that an escaped text of this style takes."""
    return metrics.width(text, *font(style))


def fitted(text: str, room: int, style: str) -> str:
    """The escaped text, clipped to so many units."""
    return metrics.clip(text, room, *font(style))


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle from its upper left corner; `round` is the radius of its corners."""

    x: int
    y: int
    width: int
    height: int
    style: str
    round: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: int
    y1: int
    x2: int
    y2: int
    style: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A line that leaves (x1, y1) level and arrives level at (x2, y2)."""

    x1: int
    y1: int
    x2: int
    y2: int
    style: str


@dataclass(frozen=True, slots=True)
class Glyph:
    """The sign of something that happens, around its middle."""

    x: int
    y: int
    shape: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Escaped text with its base line at y; x is its start, or with `ends` its end."""

    x: int
    y: int
    text: str
    style: str
    ends: bool = False

    @property
    def width(self) -> int:
        """Units that it takes."""
        return text_width(self.text, self.style)


Part = Rect | Line | Branch | Glyph | Text


@dataclass(frozen=True, slots=True)
class Spot:
    """What a fact is drawn as, with the rectangle around it."""

    fact: Fact
    x: int
    y: int
    width: int
    height: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: what lies behind, the names of the lanes and rows, and the spots in the order of their facts.

    The names take the first `left` units of the width, and end at the height `foot`.
    """

    name: str
    summary: str
    width: int
    height: int
    left: int
    foot: int
    back: tuple[Part, ...]
    names: tuple[Part, ...]
    spots: tuple[Spot, ...]
