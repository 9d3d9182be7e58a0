"""Whether to colour, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_CODES = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "bold": "1",
    "gutter": "1;34",
    "primary": "1;31",
    "secondary": "1;34",
    "good": "32",
    "dim": "2",
}


@dataclass(frozen=True, slots=True)
class Palette:
    """Paints text, or leaves it alone when colour is off."""

    enabled: bool

    def paint(self, text: str, kind: str) -> str:
        """`text` in the colour of `kind`, one of the names above."""
        return f"\x1b[{_CODES[kind]}m{text}\x1b[0m" if self.enabled and text else text


def wants_colour(choice: str, environment: Mapping[str, str], terminal: bool) -> bool:
    """`--color` decides; on `auto` a non-empty NO_COLOR says no, then FORCE_COLOR (but "0") yes, then the terminal."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return environment["FORCE_COLOR"] != "0"
    return terminal and environment.get("TERM") != "dumb"
