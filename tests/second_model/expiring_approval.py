"""A second level model on the same kernel: an approval that expires.

A request is approved at one tick and the approval is good for some ticks; the request is carried out while it is good, or
refused. Nothing here is a message: the kernel must not care.
"""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.verifier.formula import Formula, Space, Term, all_of, any_of, constant, negate
from wellposed.verifier.theory import Case, Claim, Component, Constraint, FreeClaims, Mutants, OutcomeForm, Theory


@dataclass(frozen=True, slots=True)
class Scenario:
    """Ticks of one request: approved, good for `good_for` ticks, recalled (or None), and the horizon."""

    approved: int
    good_for: int
    horizon: int
    recalled: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """The terms of one request; `never` stands beyond the horizon."""

    space: Space
    done: Term
    refused: Term
    never: Term

    def happens(self, term: Term) -> Formula:
        return self.space.lt(term, self.never)


def request(scenario: Scenario) -> Request:
    space = Space()
    never = scenario.horizon + 1
    return Request(space, space.variable("done", 0, never, "request"), space.variable("refused", 0, never, "request"), constant(never))


def obligations(scenario: Scenario, made: Request) -> tuple[Constraint, ...]:
    """Carried out or refused while the approval is good; never before it; not after a recall."""
    space = made.space
    approved, expiry = constant(scenario.approved), constant(scenario.approved + scenario.good_for)
    answered = any_of((space.between(approved, made.done, expiry), space.between(approved, made.refused, expiry)))
    rows = [
        Constraint("answer", "request", "/approved", answered, "approved, so an answer is due before it expires", True),
        Constraint(
            "authority",
            "request",
            "/approved",
            any_of((space.le(made.never, made.done), space.between(approved, made.done, expiry))),
            "carried out only while the approval is good",
            False,
        ),
    ]
    if scenario.recalled is not None:
        early = space.lt(made.done, constant(scenario.recalled))
        stopped = any_of((early, space.le(made.never, made.done)))
        rows.append(Constraint("recall", "request", "/recalled", stopped, "recalled, so not carried out", False))
    return tuple(rows)


def theory(scenario: Scenario, expected: str) -> Theory:
    """The theory of one request with one expectation: "done" or "refused"."""
    made, free = request(scenario), request(scenario)
    one_answer = any_of((negate(made.happens(made.done)), negate(made.happens(made.refused))))
    claim = made.happens(getattr(made, expected))
    component = Component(
        space=made.space,
        items=("request",),
        physics=(one_answer,),
        standing=obligations(scenario, made),
        claims=(Claim(0, claim, f"request {expected}"),),
        causes={"top": [all_of((made.space.le(constant(scenario.approved), made.never),))]},
        stimuli={} if scenario.recalled is None else {"/recalled": [made.space.le(constant(scenario.recalled), made.done)]},
        outcomes=(
            OutcomeForm("request", "done", None, made.happens(made.done), made.done),
            OutcomeForm("request", "refused", None, made.happens(made.refused), made.refused),
        ),
        records=((made.done.var,), (made.refused.var,)),
        quiet=(made.space.le(made.never, made.done), made.space.le(made.never, made.refused)),
        payload=made,
    )
    return Theory(
        cases=(Case((component,), frozenset(), (), int, None),),
        claims=(f"request {expected}",),
        free=lambda: [FreeClaims(free.space, (), (Claim(0, free.happens(getattr(free, expected)), f"request {expected}"),))],
        levels=("top",),
        stimuli=() if scenario.recalled is None else ("/recalled",),
        only_expect=False,
        idle_passes=False,
        top="top",
        catches=(),
        mutants=lambda: Mutants((), (), False),
    )
