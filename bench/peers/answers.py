"""The questions that wellposed and its peers are all asked, and how their answers make a verdict."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.peers.facts import Facts

Run = dict[str, int]
"""The ticks of the records of one item, by name; what does not happen is left out."""

Ending = tuple[str, str | None]
"""A way in which an item can end: outcome, and reason of an abandonment."""


@dataclass(slots=True)
class Answers:
    """What was found out. Expectations are told by index, items by message, events by their position in the schedule.

    - `passing`: per item a conforming run in which all of its expectations hold; short of an item when there is none.
    - `failing`: per expectation that can fail a conforming run in which it does.
    - `hollow`: the expectations that no log violates.
    - `levels`: the levels that some conforming run exercises; `dead`: the events that find their target in none.
    - `idle`: whether the empty log passes.
    - `endings`: per item the ways in which it can end in a conforming run, with the first and last tick where there is
      one. Asked only on request: nothing of the verdict rests on it.
    """

    passing: dict[str, Run] = field(default_factory=dict)
    failing: dict[int, Run] = field(default_factory=dict)
    hollow: set[int] = field(default_factory=set)
    levels: set[int] = field(default_factory=set)
    dead: set[int] = field(default_factory=set)
    idle: bool = False
    endings: dict[str, dict[Ending, tuple[int, int] | None]] = field(default_factory=dict)
    satisfiable: bool = True

    def verdict(self, level: int) -> str:
        """The first that holds, in the precedence of `docs/model.md`."""
        if not self.satisfiable:
            return "unsatisfiable"
        if self.failing:
            return "ambiguous"
        if self.hollow or self.idle or self.dead or level not in self.levels:
            return "vacuous"
        return "well-posed"


def begin(facts: Facts) -> Answers:
    """What the schedule alone decides: two messages exercise level 1, two with one subject level 5 (here all are admitted)."""
    answers = Answers(dead=set(facts.events), idle=True)
    subjects = [item.subject for item in facts.items]
    if len(subjects) > 1:
        answers.levels.add(1)
    if facts.level >= 5 and len(set(subjects)) < len(subjects):
        answers.levels.add(5)
    return answers
