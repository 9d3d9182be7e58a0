"""A starting point for a scenario: a level, some faults, and a script in which they follow each other without overlapping."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wellposed.cli.skeletons.faults import offered
from wellposed.cli.skeletons.levels import SHAPES
from wellposed.cli.skeletons.parts import Ending, Fault, Shape, Statement, Turn, comment, listed, schedule
from wellposed.compiler.spelling import name as spelt
from wellposed.dsl.vocabulary import LEVELS

FIRST_QUIET = 11
"""The first tick at which nothing of the opening can be due: drafts and replies have 10 ticks."""
GRID = 5
"""Parts begin at multiples of this, for the reader's sake."""
GOVERNED = 2
"""The level from which rules and approvals are there."""


def chosen(level: int, faults: Collection[str]) -> list[Fault]:
    """The faults in the order in which they strike, with those that the level needs in any case."""
    wanted = {*faults, *SHAPES[level].faults}
    return [fault for name, fault in offered(level).items() if name in wanted]


def skeleton(name: str, level: int, faults: Collection[str]) -> str:
    """The source, not yet laid out. `faults` are names that the level offers."""
    return _Skeleton(name, level, chosen(level, faults)).text()


class _Skeleton:
    def __init__(self, name: str, level: int, faults: Sequence[Fault]) -> None:
        self._name = name
        self._level = level
        self._shape: Shape = SHAPES[level]
        self._faults = faults
        repeated = any("go" in one.text.split() for fault in faults for one in fault.statements)
        self._words = {
            "{go}": " as go" if repeated else "",
            "{reply}": str(10 + sum(fault.delay for fault in faults)),
        }

    def text(self) -> str:
        script, last = self._script()
        horizon = _rounded(last + self._shape.room, 10)
        lines = [
            *self._head(),
            *self._rules(),
            f"scenario {spelt(self._name)} {{",
            f'  title "{self._title()}"',
            f"  level L{self._level} # {self._held_to()}",
            f"  horizon {horizon} # the last tick: late enough for everything that becomes due",
            *(["  rules desk", "  posture normal"] if self._level >= GOVERNED else []),
            "",
            *comment("The anchor is what the reply to a conversation must carry.", "  "),
            *self._conversations(),
            *script,
            *self._expect(),
            "}",
        ]
        return "\n".join(lines) + "\n"

    def _head(self) -> Iterator[str]:
        level = LEVELS[self._level]
        yield from comment(f"A starting point for level L{level.number} ({level.name}): {level.demands}.")
        yield "#"
        yield from comment(
            "Everything here may be changed. `wellposed check` says whether the scenario still is well-posed, and if not, what "
            "contradicts or what is left to timing; `wellposed timeline` draws it."
        )
        yield ""

    def _title(self) -> str:
        extra = [fault.name for fault in self._faults if fault.name not in self._shape.faults]
        return self._shape.title + (f", with {listed(extra)}" if extra else "")

    def _held_to(self) -> str:
        below = ("L0", "L0 and L1", f"L0 to L{self._level}")[min(self._level, 2)]
        return f"what is verified are the obligations of {below}"

    def _rules(self) -> Iterator[str]:
        if self._level < GOVERNED:
            return
        yield from comment("The first rule that matches a message decides; what no rule admits is no work.")
        yield from [
            "rules desk {",
            'admit orders when subject contains "order" and posture is normal',
            "refuse rest",
            "}",
            "",
        ]
        for fault in self._faults:
            if fault.rules:
                yield fault.rules

    def _conversations(self) -> Iterator[str]:
        yield '  conversation order {\nfrom "ada@example.test"\nsubject "Where is my order?"\nanchor "ORD-1001"\n}'
        for declared in (self._shape.conversations, *(fault.conversations for fault in self._faults)):
            if declared:
                yield declared.rstrip("\n")
        yield ""

    def _script(self) -> tuple[list[str], int]:
        """The paragraphs of the script, and the tick of its last statement."""
        lines: list[str] = []

        def part(why: str, statements: Sequence[Statement], start: int) -> int:
            if not statements:
                return start
            filled = [Statement(one.after, self._filled(one.text), one.when) for one in statements]
            lines.extend([*comment(why, "  "), *schedule(filled, start), ""])
            return start + max(one.after for one in statements)

        arrival = Statement(0, 'deliver m1 in order "Hello, where is {anchor}?"')
        last = part(self._shape.arrival, (arrival, *self._shape.more), 0)
        tick = FIRST_QUIET + len(self._shape.more)
        for fault in self._of(Turn.OPENING):
            last = max(last, part(fault.comment, fault.statements, 0))
            tick += fault.delay
        for fault in self._of(Turn.WAITING):
            tick = _rounded(tick, GRID)
            last = part(fault.comment, fault.statements, tick)
            tick += fault.length
        tick = _rounded(tick, GRID)
        decided = part(self._shape.comment, self._shape.closing, tick)
        for fault in self._of(Turn.CLOSING):
            decided = part(fault.comment, fault.statements, decided)
        return lines, max(last, decided)

    def _filled(self, text: str) -> str:
        for word, value in self._words.items():
            text = text.replace(word, value)
        return text

    def _of(self, turn: Turn) -> list[Fault]:
        return [fault for fault in self._faults if fault.turn is turn]

    def _expect(self) -> Iterator[str]:
        yield from comment(
            "Each line claims something about every system that keeps the obligations; it is proved, not tested.", "  "
        )
        yield "  expect {"
        for claim in self._shape.together:
            yield f"    {claim}"
        for ending in self._shape.endings:
            yield from (f"    {self._filled(claim)}" for claim in self._claims(ending))
        for fault in self._faults:
            yield from (f"    {claim}" for claim in fault.expect)
        yield "  }"

    def _claims(self, ending: Ending) -> Iterator[str]:
        """What always holds, and the ways in which it can end, in braces where there are several."""
        yield from ending.always
        reasons = [fault.reason for fault in self._faults if fault.reason is not None and ending.exposed]
        if not ending.way or not reasons:
            yield from ending.way
            return
        message = ending.way[0].split()[0]
        ways = ["  ".join(ending.way), *(f"{message} abandoned because {reason}" for reason in reasons)]
        yield "any of " + " or ".join(f"{{ {way} }}" for way in ways)


def _rounded(tick: int, step: int) -> int:
    return -(-tick // step) * step
