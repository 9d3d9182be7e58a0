"""What the table of readings is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from wellposed.verifier.amr.answers import Answers

Change = Callable[[Answers], Answers]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another answer that the text of the specification allows and the model can take.

    - `id`: the reading's id, `=`, and a word for the answer; kept for ever.
    - `text`: one sentence that says what is read instead, and makes sense without the question.
    - `change`: makes the base answers those of this reading, with every other answer as it was.
    """

    id: str
    text: str
    change: Change


@dataclass(frozen=True, slots=True)
class Reading:
    """A question that the specification leaves open or answers twice, and the answer that was taken.

    - `id`: kept for ever; a reading whose answer changes keeps its id, and the version of the whole table changes.
    - `topic`: the heading under which it stands.
    - `source`: the sections of the specification that raise the question.
    - `why`: a sentence, "" where the answer explains itself.
    - `places`: which of the 66 places it decides at which the specification is silent or contradicts itself.
    - `hazards`: which of the 22 hazards it decides that the specification holds for whoever writes a fixture.
    - `alternatives`: only those that the model can take; most other answers change nothing that a scenario could show.
    """

    id: str
    topic: str
    question: str
    answer: str
    source: str
    why: str = ""
    places: tuple[int, ...] = ()
    hazards: tuple[int, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


def but(**answers: Any) -> Change:
    """The base answers but for these: names of fields of `Answers` with their values."""
    return lambda base: replace(base, **answers)
