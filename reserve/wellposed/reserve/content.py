"""When two scenarios are the same test: told by what a system is shown and what it owes, up to names and the first tick."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellposed.compiler.canonical import file_bytes, sha256
from wellposed.verifier.models import MODELS


def same_test(document: Mapping[str, Any]) -> str:
    """A digest that two bundle documents share when no system can tell them apart and both demand the same of it.

    Title, id, skin, seal and the names of messages and conversations do not count, nor at which tick it begins.
    """
    model = MODELS[document["spec"]]
    story = model.story(document, True)
    told = [[tick, shown] for tick, shown in story.told]
    demands = {"level": document["level"], "invariants": document["invariants"]}
    return sha256(file_bytes({"story": told, "expected": model.expected(document, story), **demands}))
