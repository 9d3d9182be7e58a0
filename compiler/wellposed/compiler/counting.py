"""How much loops and families would make, counted before anything is made.

Loops that have the same number of passes everywhere are multiplied, so a nest of loops up to a million costs nothing to
refuse; only loops whose bounds depend on a variable around them are gone through, and no further than the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.outline import Body, Loop, Outline
from wellposed.compiler.passes import Pass
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.variables import Values, around, number
from wellposed.dsl.findings import Span


@dataclass(slots=True)
class Budget:
    """What the texts of one file may still become, and how many passes may still be gone through to find out."""

    records: int = LIMITS.records
    characters: int = LIMITS.bundle_bytes
    scenarios: int = LIMITS.scenarios
    steps: int = 10 * LIMITS.records


@dataclass(frozen=True, slots=True)
class Size:
    """Records and the characters in their strings; less than there are, where `exact` is False."""

    records: int
    characters: int
    exact: bool = True

    def __add__(self, other: Size) -> Size:
        return Size(self.records + other.records, self.characters + other.characters, self.exact and other.exact)

    def __mul__(self, count: int) -> Size:
        return Size(self.records * count, self.characters * count, self.exact)


class _Refused(Exception):
    """Nothing is to be expanded, for a reason that is reported."""


class Counter:
    """Counts the expansions of one file's texts and takes them off its budget."""

    def __init__(self, budget: Budget, reporter: Reporter) -> None:
        self._budget = budget
        self._reporter = reporter

    def scenario_fits(self, outline: Outline) -> bool:
        """Whether a scenario with loops may be expanded; False after reporting why not."""
        try:
            size = self._at_top(outline.body, {})
        except _Refused:
            return False
        self._take(size, 1)
        return True

    def members_fit(self, total: int, place: Span) -> bool:
        """Whether a family may have so many scenarios; `place` is where its parameters are."""
        try:
            if total > self._budget.scenarios:
                self._refuse(place, f"this family would be {total} scenarios", self._budget.scenarios)
        except _Refused:
            return False
        return True

    def family_fits(self, outline: Outline, members: Sequence[Values], place: Span) -> bool:
        """Whether a family of these scenarios may be expanded; `place` is where its parameters are."""
        try:
            size = Size(0, 0)
            if outline.body.bounds & members[0].keys():
                for values in members:
                    size += self._at_top(outline.body, values)
                    self._check(size, place, "this family", partly=values is not members[-1])
            else:
                size = self._at_top(outline.body, members[0]) * len(members)
                self._check(size, place, "this family")
        except _Refused:
            return False
        self._take(size, len(members))
        return True

    def _take(self, size: Size, scenarios: int) -> None:
        self._budget.records -= size.records
        self._budget.characters -= size.characters
        self._budget.scenarios -= scenarios

    def _at_top(self, body: Body, values: Values) -> Size:
        """The size of one scenario, which counts as a record itself; refused at the loop where it becomes too much."""
        size = Size(1 + body.records, body.characters)
        for loop in body.loops:
            own = self._loop(loop, values, None)
            size += own
            place = around(loop.node.variable.span, loop.node.high.span)
            self._check(own, place, "this loop")
            self._check(size, place, "with this loop the scenario")
        return size

    def _check(self, size: Size, place: Span, what: str, partly: bool = False) -> None:
        """Refuse a size that is too much; `partly` says that it is not yet the whole."""
        budget, more = self._budget, "more than " if partly or not size.exact else ""
        if budget.steps < 0:
            message = f"{what} is not counted, after so much work on what stands before it in this file"
            self._reporter.add("WP229", place, message, help="choose smaller ranges, or split the file")
            raise _Refused
        if size.records > budget.records or not size.exact:
            self._refuse(place, f"{what} would make {more}{size.records} records", budget.records)
        if size.characters > budget.characters:
            self._refuse(place, f"{what} would make strings of {more}{size.characters} characters", budget.characters)

    def _refuse(self, place: Span, message: str, left: int) -> None:
        help = "choose smaller ranges, or split the file"
        whole = Budget()
        if left in (whole.records, whole.characters, whole.scenarios):
            self._reporter.add("WP229", place, f"{message}, at most {left} are possible", help=help)
        else:
            message = f"{message}, at most {left} more are possible after what stands before it in this file"
            self._reporter.add("WP229", place, message, help=help)
        raise _Refused

    def _body(self, body: Body, values: Values, during: Pass | None) -> Size:
        size = Size(body.records, body.characters)
        for loop in body.loops:
            size += self._loop(loop, values, during)
            if not size.exact:
                break
        return size

    def _loop(self, loop: Loop, values: Values, during: Pass | None) -> Size:
        """A loop counts as one record at least, and so does each of its passes: that bounds the work as well."""
        node = loop.node
        low = number(node.low, values, during, self._reporter)
        high = number(node.high, values, during, self._reporter)
        if low is None or high is None:
            raise _Refused
        name, passes = node.variable.text, high - low + 1
        if passes <= 0:
            return Size(1, 0)
        if name not in loop.body.bounds:
            return self._pass(loop, values, during, low) * passes
        size = Size(0, 0)
        for value in range(low, high + 1):
            self._budget.steps -= 1
            size += self._pass(loop, values, during, value)
            if not size.exact or size.records > self._budget.records or self._budget.steps < 0:
                return Size(size.records, size.characters, exact=size.exact and value == high)
        return size

    def _pass(self, loop: Loop, values: Values, during: Pass | None, value: int) -> Size:
        name = loop.node.variable.text
        size = self._body(loop.body, {**values, name: value}, Pass(name, value, during))
        return Size(max(size.records, 1), size.characters, size.exact)
