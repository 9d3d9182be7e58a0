"""Texts with loops, and the same texts unrolled by hand: templates that are written out either way.

Nothing of the compiler is used here. In a template `$(i + 1)` is a number and `m<i, i + 1>` a name with indices.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

_NUMBER = re.compile(r"\$\(([^)]*)\)")
_NAME = re.compile(r"([a-z]+)<([^>]*)>")
_VARIABLE = re.compile(r"\{([a-z])\}")

Values = Mapping[str, int | str]
Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass(frozen=True)
class Loop:
    variable: str
    low: str
    high: str
    body: tuple[Part, ...]


@dataclass(frozen=True)
class Block:
    """`head { … }`."""

    head: str
    body: tuple[Part, ...]


Part = str | Loop | Block


def looped(part: Part) -> str:
    """The text with its loops."""
    match part:
        case Loop():
            body = " ".join(map(looped, part.body))
            return f"for {part.variable} in {part.low}..{part.high} {{ {body} }}"
        case Block():
            return f"{looped(part.head)} {{ {' '.join(map(looped, part.body))} }}"
        case str():
            text = _NUMBER.sub(r"\1", part)
            return _NAME.sub(lambda found: found[1] + "".join(f"[{one}]" for one in found[2].split(", ")), text)


def unrolled(part: Part, values: Values) -> str:
    """The text without loops, every number calculated and every id in backquotes."""
    return " ".join(_pieces(part, values))


def _pieces(part: Part, values: Values) -> Iterator[str]:
    match part:
        case Loop():
            low, high = _value(part.low, values), _value(part.high, values)
            for value in range(low, high + 1):
                for one in part.body:
                    yield from _pieces(one, {**values, part.variable: value})
        case Block():
            inside = [piece for one in part.body for piece in _pieces(one, values)]
            if inside:
                yield f"{_filled(part.head, values)} {{ {' '.join(inside)} }}"
        case str():
            yield _filled(part, values)


def _value(text: str, values: Values) -> int:
    return int(eval(text, {}, dict(values)))


def _filled(text: str, values: Values) -> str:
    text = _NUMBER.sub(lambda found: str(_value(found[1], values)), text)
    text = _NAME.sub(
        lambda found: f"`{'.'.join([found[1], *(str(_value(one, values)) for one in found[2].split(', '))])}`", text
    )
    return _VARIABLE.sub(lambda found: str(values.get(found[1], found[0])), text)


HORIZON = 400
VARIABLES = ("i", "j", "k")


class Builder:
    """Draws the items of a scenario: loops of conversations, deliveries, decisions, and expectations about them."""

    def __init__(self, draw: Draw, parameters: Mapping[str, int]) -> None:
        self.draw = draw
        self.parameters = parameters
        self.ranges: list[tuple[str, str]] = []

    def number(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def often(self) -> bool:
        return bool(self.draw(st.booleans()))

    def nest(self, depth: int, body: tuple[Part, ...]) -> tuple[Part, ...]:
        """The body inside the first `depth` loops of the scenario."""
        for variable, (low, high) in reversed(list(zip(VARIABLES, self.ranges, strict=False))[:depth]):
            body = (Loop(variable, low, high, body),)
        return body

    def tick(self, start: int, depth: int) -> str:
        terms = [f"{self.number(0, 4)} * {one}" for one in (*VARIABLES[:depth], *self.parameters)]
        return f"$({' + '.join([str(start + self.number(0, 20)), *terms])})"

    def items(self) -> tuple[Part, ...]:
        for index in range(self.number(1, 3)):
            bounds = ["1", "2", "3", *self.parameters, *VARIABLES[:index]]
            self.ranges.append(
                (str(self.draw(st.sampled_from(["0", "1", "2 - 1"]))), self.draw(st.sampled_from(bounds)))
            )
        depth = len(self.ranges)
        own = self.number(0, depth)
        conversation = f"c<{', '.join(VARIABLES[:own])}>" if own else "c"
        anchor = f"A{''.join(f'-{{{one}}}' for one in VARIABLES[:own])}"
        fields = (
            f'from "u{"".join(f"{{{one}}}" for one in VARIABLES[:own])}@x" subject "s {{anchor}}" anchor "{anchor}"'
        )
        indices = ", ".join(VARIABLES[:depth])
        message, label = f"m<{indices}>", f"go<{indices}>"
        mail = f'deliver {message} in {conversation} "{{i}} {{anchor}} \\{{i\\}}"'
        decision = self.draw(st.sampled_from(["approve", "reject"]))
        items: list[Part] = [
            'conversation d { from "d@x" subject "d" } at 0 deliver other in d "d"',
            *self.nest(own, (Block(f"conversation {conversation}", (fields,)),)),
            *self.nest(
                depth,
                (
                    f"at {self.tick(0, depth)} {mail}",
                    f"at {self.tick(150, depth)} {label}: {decision} {message}",
                    f"at {self.tick(100, depth)} kill agent of {message} deferred as gone<{indices}>",
                ),
            ),
        ]
        again = [f"redeliver {message}", f"escalate {message}", f"kill agent of {message}", f"approve {message}"]
        again += [f"reject oldest draft of {message}", f"escalate {message} deferred", "hold effects release effects"]
        again += [f"kill agent of {message} deferred", f"repeat {label}", f"repeat gone<{indices}>", "crash"]
        forged = f'forge approval "f-{{i}}{"-".join(f"{{{one}}}" for one in VARIABLES[:depth])}" for {message} with wrong hash'
        inner = tuple(self.draw(st.lists(st.sampled_from(again), min_size=1, max_size=4)))
        if self.often():
            items += self.nest(depth, (Block(f"at {self.tick(300, depth)}", inner),))
        elif self.often():
            items.append(Block(f"at {self.number(300, HORIZON)}", self.nest(depth, inner)))
        if self.often():
            items += self.nest(depth, (f"at {self.tick(200, depth)} {forged}",))
        if self.often():
            items += self.nest(depth, (Block(f"when {message} drafted", ("crash", f"reject {message}")),))
        if self.often():
            reply = f'reply {conversation} "{{anchor}}{"".join(f" {{{one}}}" for one in VARIABLES[:own])}"'
            items.append(Block("stub", self.nest(own, (f"anchors [{conversation}]", reply))))
        claims = [
            f"{message} admitted within $({self.number(0, 5)} + i)",
            f"{message} sent within 5 of {label}",
            f"{message} never sent",
            f"any of {{ {message} open }} or {{ {message} reply in {conversation} {message} drafted }}",
            f"if {message} completed then {message} reply carries anchor of {conversation} else state agrees",
            f"{message} not sent after {label}",
            f"only {message} sent",
            f"if only {message}, other sent then only other then {message} sent else {message} open",
        ]
        chosen = tuple(self.draw(st.lists(st.sampled_from(claims), min_size=1, max_size=4)))
        items.append(Block("expect", (*self.nest(depth, chosen), "state agrees")))
        return tuple(items)


@st.composite
def programs(draw: st.DrawFn, parameters: tuple[str, ...] = ()) -> tuple[Part, ...]:
    """The items of a scenario, in which the parameters given may be used as numbers."""
    return Builder(draw, dict.fromkeys(parameters, 0)).items()
