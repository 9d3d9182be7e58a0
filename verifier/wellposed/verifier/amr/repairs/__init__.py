"""Repairs of scenarios that are not well-posed: proposals, one module per kind of fault, in the order of this table.

Earlier rows are tried first, and within a row the smaller change. A row is safe when what it changes is not what the
scenario tests: the schedule and the meaning of every expectation stay. `docs/model.md`, Repairs, says why each one is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.verifier.amr.repairs import (
    accept,
    control,
    dead,
    escalation,
    grace,
    hold,
    hollow,
    horizon,
    jump,
    level,
    liveness,
    posture,
    window,
)
from wellposed.verifier.amr.repairs.case import Case, Proposal
from wellposed.verifier.repair import Repair
from wellposed.verifier.report import Verification


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of repair: its id, and what proposes it."""

    id: str
    propose: Callable[[Case], Iterator[Proposal]]
    safe: bool = False


KINDS = (
    Kind("window", window.repairs, safe=True),
    Kind("horizon", horizon.repairs, safe=True),
    Kind("hollow", hollow.repairs, safe=True),
    Kind("escalation", escalation.repairs),
    Kind("hold", hold.repairs),
    Kind("grace", grace.repairs),
    Kind("posture", posture.repairs),
    Kind("jump", jump.repairs),
    Kind("dead", dead.repairs),
    Kind("level", level.repairs),
    Kind("liveness", liveness.repairs),
    Kind("lower-level", level.lower),
    Kind("inner-window", window.inner),
    Kind("accept", accept.repairs),
    Kind("control", control.repairs),
)


def repairs(document: Mapping[str, Any], verification: Verification) -> Iterator[Repair]:
    """What may make a bundle well-posed. The verification is that of the document alone, without a map, with windows."""
    case = Case(document, verification)
    for kind in KINDS:
        for words, pointer, edits in kind.propose(case):
            yield Repair(kind.id, words, pointer, edits, kind.safe)
