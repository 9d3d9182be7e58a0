"""Repairs: what a model proposes to change in a bundle so that its scenario becomes well-posed.

A proposal only: nothing is claimed about the edited bundle, and whoever shows a repair has verified it first.
"""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.compiler.bundle_edits import BundleEdit


@dataclass(frozen=True, slots=True)
class Repair:
    """Edits of a bundle that answer the finding at `pointer`. `kind` is the id of a row in the model's table.

    `words` say what is done, in the imperative. A repair is `safe` when it does not change what the scenario tests.
    """

    kind: str
    words: str
    pointer: str
    edits: tuple[BundleEdit, ...]
    safe: bool
