"""The questions to z3: for every item by itself, or for all items in one formula.

One solver, the item's rows at its bottom, every question in a frame of its own; runs already found are looked at first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import z3
from bench.peers.answers import Answers, Ending, begin
from bench.peers.facts import Facts, Uncertain
from bench.peers.z3_item import COMPLETED, CRASHED, Encoding, Expr, no


class Questions:
    """The questions to a set of items in one solver, each asked in a frame of its own; known models are looked at first."""

    def __init__(self, facts: Facts, make: Callable[[], z3.Solver], answers: Answers, endings: bool) -> None:
        self.facts, self.answers, self._make, self._endings = facts, answers, make, endings

    def ask(self, encodings: list[Encoding]) -> None:
        """Everything about these items."""
        answers = self.answers
        solver = self._make()
        together = {encoding.item.message: encoding for encoding in encodings}
        for encoding in encodings:
            solver.add(*encoding.domains())
            for death, held, _ in encoding.touches:
                if death.target in together:
                    solver.add(z3.Implies(held, together[death.target].live(death.tick)))
            solver.add(*(formula for formula in (*encoding.physics(), *encoding.obligations()) if formula is not True))
        self._solver, self._models = solver, []
        if answers.idle:
            nothing = [record == encoding.never for encoding in encodings for record in encoding.records]
            claimed = [encoding.claim(claim) for encoding in encodings for _, claim in encoding.item.claims]
            answers.idle = self._model(*nothing, *claimed) is not None
        claims = [(encoding, index, encoding.claim(claim)) for encoding in encodings for index, claim in encoding.item.claims]
        passing = self._model(*(claim for _, _, claim in claims))
        if passing is None:
            answers.satisfiable = False
        else:
            for encoding in encodings:
                answers.passing[encoding.item.message] = encoding.run(passing)
        for encoding, index, claim in claims:
            failing = self._model(no(claim))
            if failing is not None:
                answers.failing[index] = encoding.run(failing)
        self._hollow(encodings)
        for encoding in encodings:
            for level, cause in encoding.causes():
                if level <= self.facts.level and level not in answers.levels and self._possible(cause):
                    answers.levels.add(level)
            for seq, stimulus in encoding.stimuli():
                if seq in answers.dead and self._possible(stimulus):
                    answers.dead.discard(seq)
        if self._endings:
            for encoding in encodings:
                answers.endings[encoding.item.message] = dict(self._ends(encoding))

    def _ends(self, encoding: Encoding) -> Iterator[tuple[Ending, tuple[int, int] | None]]:
        """By bisection, which is quicker here than z3's optimiser by a half."""
        solver = self._solver
        for ending, formula, tick in encoding.endings():
            solver.push()
            solver.add(formula)
            if solver.check() == z3.sat:
                if tick is None:
                    yield ending, None
                else:
                    found = solver.model().eval(tick, model_completion=True).as_long()
                    yield ending, (self._least(tick, encoding.item.at, found), self._greatest(tick, found, self.facts.horizon))
            solver.pop()

    def _least(self, tick: Expr, low: int, high: int) -> int:
        while low < high:
            middle = (low + high) // 2
            if self._solver.check(tick <= middle) == z3.sat:
                high = self._solver.model().eval(tick, model_completion=True).as_long()
            else:
                low = middle + 1
        return low

    def _greatest(self, tick: Expr, low: int, high: int) -> int:
        while low < high:
            middle = (low + high + 1) // 2
            if self._solver.check(tick >= middle) == z3.sat:
                low = self._solver.model().eval(tick, model_completion=True).as_long()
            else:
                high = middle - 1
        return low

    def always(self, formula: Expr) -> bool:
        return self._model(no(formula)) is None

    def _model(self, *formulas: Expr) -> z3.ModelRef | None:
        self._solver.push()
        self._solver.add(*formulas)
        found = self._solver.check()
        model = self._solver.model() if found == z3.sat else None
        self._solver.pop()
        assert found != z3.unknown
        if model is not None:
            self._models.append(model)
        return model

    def _possible(self, formula: Expr) -> bool:
        if isinstance(formula, bool):
            return formula and self._model() is not None
        if any(z3.is_true(model.eval(formula, model_completion=True)) for model in self._models):
            return True
        return self._model(formula) is not None

    def _hollow(self, encodings: list[Encoding]) -> None:
        """A log owes nothing, may send twice, and any agent may hold any item."""
        solver = self._make()
        for encoding in encodings:
            log = Encoding(self.facts, encoding.item, sends=2)
            for record in (*log.records, log.ending):
                solver.add(record >= (log.item.at if record is not log.ending else COMPLETED))
                solver.add(record <= (log.never if record is not log.ending else CRASHED))
            solver.add(log.sends[0] <= log.sends[1])
            for index, claim in encoding.item.claims:
                solver.push()
                solver.add(no(log.claim(claim)))
                if solver.check() != z3.sat:
                    self.answers.hollow.add(index)
                solver.pop()


def per_item(facts: Facts, make: Callable[[], z3.Solver] = z3.SimpleSolver, endings: bool = False) -> Answers:
    """Every question, one item at a time. Raises Uncertain."""
    answers = begin(facts)
    questions = Questions(facts, make, answers, endings)
    for item in facts.items:
        encoding = Encoding(facts, item)
        questions.ask([encoding])
        for death, held, _ in encoding.touches:
            if death.target == item.message and len(facts.items) > 1 and not questions.always(held):
                raise Uncertain(f"the death at {death.tick} may miss {item.message}")
    return answers


def one_formula(facts: Facts, make: Callable[[], z3.Solver] = z3.SimpleSolver) -> Answers:
    """Every question, all items in one formula."""
    answers = begin(facts)
    Questions(facts, make, answers, endings=False).ask([Encoding(facts, item) for item in facts.items])
    return answers
