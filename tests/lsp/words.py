"""The words of the language, from its grammar."""

from __future__ import annotations

import re

from wellposed.dsl.grammar import load


def words() -> list[str]:
    """Every word that the grammar reserves, sorted."""
    return sorted(it for it in load().patterns.values() if it is not None and re.fullmatch(r"[a-z][a-z-]*", it))
