"""What would catch a faulty system that a scenario lets pass: a change of the scenario, verified before it is told.

The search is bounded by counts, never by time, so that it finds the same everywhere. What is found makes the cell of
the system `K`, and the changed scenario has no other fault than those that the given one had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.canonical import file_bytes
from wellposed.compiler.load import load_bundle
from wellposed.dsl.findings import Severity
from wellposed.verifier.formula import negate
from wellposed.verifier.judgement import Cell, Inquiry
from wellposed.verifier.models import MODELS, Model
from wellposed.verifier.mutants import KILLED, kill_matrix
from wellposed.verifier.solver import Budget, OutOfBudget
from wellposed.verifier.verify import verify

ATTEMPTS = 200
"""How many changed scenarios are looked at for one cell, at most."""
TOGETHER = 3
"""How many expectations are added at most."""
WORK = 20_000
"""The work budget of one cell of a changed scenario, where that of the caller is not smaller."""
UNDECIDED = 3
"""After so many changed scenarios whose cell is not found within that, a search ends."""
LENIENT = frozenset(("WP602", "WP605", "WP611"))
"""What a scenario has that accepts too much: one system that is caught need not be the only one that passes."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """Expectations to add, or one change of the schedule, in words; and the bundle that it leads to."""

    kind: str
    words: str
    bundle: Bundle


def change_for(bundle: Bundle, cell: Cell, budget: int) -> Change | None:
    """A change after which the system of a cell is always caught; None where none was found within the bounds."""
    search = _Search(bundle, cell, budget)
    with suppress(OutOfBudget):
        found = search.expectations() if not bundle.document["invariants"] and cell.shown else None
        return found or search.schedule()
    return None


class _Search:
    def __init__(self, bundle: Bundle, cell: Cell, budget: int) -> None:
        self._bundle = replace(bundle, source_map=None)  # pointers are all that a changed document has
        self._cell = cell
        self._budget = budget
        self._model: Model = MODELS[bundle.document["spec"]]
        self._verification = verify(self._bundle, budget, windows=True)
        self._attempts = 0
        self._undecided = 0

    def expectations(self) -> Change | None:
        """One expectation after the other that the survivor fails, until there is none that passes."""
        document = self._bundle.document
        theorems = self._theorems(list(self._model.expectations(document, self._verification)))
        added: list[Json] = []
        cell = self._cell
        while len(added) < TOGETHER:
            telling = self._failed_by(cell, theorems)
            for claim in telling:
                changed = self._changed({**document, "expect": [*document["expect"], *added, claim]})
                if changed is not None and self._catches(changed):
                    return self._told("expectation", self._worded([*added, claim]), changed)
            if not telling:
                return None
            added.append(telling[0])
            cell = self._cell_of({**document, "expect": [*document["expect"], *added]})
        return None

    def schedule(self) -> Change | None:
        """The first schedule nearby that leaves the system no way out."""
        for words, document in self._schedules():
            if self._attempts >= ATTEMPTS or self._undecided >= UNDECIDED:
                return None
            changed = self._changed(document)
            if changed is not None and self._catches(changed):
                told = self._told("schedule", words, changed)
                if told is not None:
                    return told
        return None

    def _schedules(self) -> Iterator[tuple[str, Json]]:
        return self._model.schedules(self._bundle.document, self._verification, self._cell.system)

    def _theorems(self, claims: Sequence[Json]) -> list[Json]:
        """Those that hold in every conforming run."""
        work = Budget(self._budget)
        theory = self._model.theory({**self._bundle.document, "expect": claims}, work)
        inquiry = Inquiry(theory, work)
        refuted = {
            claim.index
            for number in inquiry.conforming
            for prover in inquiry.provers[number]
            for claim in prover.component.claims
            if prover.conforming_with(negate(claim.formula)) is not None
        }
        return [claim for index, claim in enumerate(claims) if index not in refuted]

    def _failed_by(self, cell: Cell, claims: Sequence[Json]) -> list[Json]:
        """Those that the survivor of the cell fails, as the log checker says."""
        assert cell.survivor is not None
        document = {**self._bundle.document, "expect": claims}
        failed = self._model.witness(document, cell.survivor).failed
        return [claim for index, claim in enumerate(claims) if index in failed]

    def _worded(self, claims: Sequence[Json]) -> str:
        """The expectations as they are written."""
        texts = self._model.theory({**self._bundle.document, "expect": claims}, Budget(self._budget)).claims
        return "expect " + " and ".join(f"`{text}`" for text in texts)

    def _changed(self, document: Json) -> Bundle | None:
        self._attempts += 1
        return load_bundle(file_bytes(document), self._bundle.path)[0]

    def _cell_of(self, document: Json) -> Cell:
        system = self._cell.system
        work = Budget(min(self._budget, WORK))
        return kill_matrix(self._model.mutants(document, work, system), work)[system]

    def _catches(self, changed: Bundle) -> bool:
        try:
            return self._cell_of(changed.document).value == KILLED
        except OutOfBudget:
            self._undecided += 1
            return False

    def _told(self, kind: str, words: str, changed: Bundle) -> Change | None:
        """The change, if the scenario that it leads to is as good as the given one was."""
        result = verify(changed, self._budget)
        wrong = {one.code for one in result.findings if one.severity is Severity.ERROR}
        allowed = LENIENT if not changed.document["invariants"] else frozenset[str]()
        good = result.verdict == "well-posed" or (result.verdict == "vacuous" and wrong <= allowed)
        return Change(kind, words, changed) if good else None
