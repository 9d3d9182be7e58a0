"""An expectation that no log violates: without it the same logs pass."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Remove
from wellposed.verifier.amr.repairs.case import Case, Proposal


def repairs(case: Case) -> Iterator[Proposal]:
    """Without the expectation, where others remain."""
    if len(case.document["expect"]) > 1:
        for pointer in case.found("WP601"):
            what = case.text(int(pointer.rpartition("/")[2]))
            yield Proposal(f"remove {what}, which nothing can fail", pointer, (Remove(pointer),))
