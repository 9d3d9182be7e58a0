"""How wide a text is in a picture, known without any font: the advance widths that the common sans-serif faces share.

A picture names Arial and Helvetica first and tells the viewer the width of each text, so that another face is fitted to it.
"""

from __future__ import annotations

from wellposed.cli.render.escape import character_width, escape

ELLIPSIS = "…"
BOLD = 1.08
"""How much wider bold text is taken to be."""

# Advance widths of the printable ASCII characters from the space on, in thousandths of the font size.
_WIDTHS = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_OTHER = {"–": 556, "…": 1000, "·": 333, "→": 1000}


def width(text: str, size: int, bold: bool = False) -> int:
    """Units that an escaped text takes at a font size, rounded up."""
    thousandths = sum(map(_advance, text)) * size
    return -(-round(thousandths * (BOLD if bold else 1)) // 1000)


def clip(text: str, room: int, size: int, bold: bool = False) -> str:
    """The escaped text in at most so many units, its end left out where it is longer."""
    escaped = escape(text)
    if width(escaped, size, bold) <= room:
        return escaped
    kept = ""
    for character in escaped:
        if width(kept + character + ELLIPSIS, size, bold) > room:
            break
        kept += character
    return kept.rstrip() + ELLIPSIS if room >= width(ELLIPSIS, size, bold) else ""


def wrap(text: str, room: int, size: int) -> list[str]:
    """The escaped text in lines of at most so many units, broken at spaces; a word that is longer is clipped."""
    lines: list[str] = []
    for word in escape(text).split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(clip(word, room, size))
    return lines


def _advance(character: str) -> int:
    if " " <= character <= "~":
        return _WIDTHS[ord(character) - 32]
    return _OTHER.get(character, (0, 700, 1000)[character_width(character)])
