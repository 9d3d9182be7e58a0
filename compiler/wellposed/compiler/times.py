"""Times: expressions over numbers and names, evaluated to the ticks for which things are written.

Under `at`, a name means the tick for which its statement is written, so the ticks of the `at` blocks form a graph,
which must not turn in a circle. All values stay within the integers that a bundle can carry, at every step.
"""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.reporting import chained
from wellposed.compiler.scope import Scope
from wellposed.dsl import tree
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import MAX_INTEGER

_OPERATIONS = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}


class Times:
    """The written ticks of the `at` blocks of one scenario; None for a block whose tick is wrong, which is reported.

    Blocks and names are told apart by identity: equal ones may stand in several places.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._reporter = scope.reporter
        self._ticks: dict[int, int | None] = {}
        self._looked_up: dict[int, tree.At | None] = {}
        for block in scope.blocks:
            self._settle(block)

    def tick(self, block: tree.At | tree.When) -> int | None:
        """The tick an `at` block is written for; None for `when`, which has none, and for a block with an error."""
        return self._ticks.get(id(block)) if isinstance(block, tree.At) else None

    def number(self, node: tree.Expression, what: str, *, names: bool = True) -> int | None:
        """The value of an expression, an integer from 0 to 2^53-1, or None after reporting why it has none.

        Without `names` only numbers are possible, for lengths of time.
        """
        if names:
            for name in _names(node):
                self._block(name)
        value = self._value(node, names)
        if value is not None and value < 0:
            self._reporter.add(
                "WP209",
                node.span,
                f"{what} is {value}, it cannot be less than 0",
                help="the first tick is 0" if names else "count forward from 0",
            )
            return None
        return value

    def _settle(self, first: tree.At) -> None:
        """Evaluate a block after the blocks that its names lead to, without recursion: chains may be long."""
        if id(first) in self._ticks:
            return
        trail: list[tuple[tree.At, Iterator[tree.Name]]] = [(first, _names(first.tick))]
        through: list[tree.Name] = []
        position = {id(first): 0}
        while trail:
            block, names = trail[-1]
            name = next(names, None)
            if name is None:
                trail.pop()
                del position[id(block)]
                if through:
                    through.pop()
                if id(block) not in self._ticks:
                    self._ticks[id(block)] = self._at(block)
                continue
            target = self._block(name)
            if target is None or id(target) in self._ticks:
                continue
            if id(target) in position:
                start = position[id(target)]
                self._report_circle((*through[start:], name))
                for member, _ in trail[start:]:
                    self._ticks[id(member)] = None
                continue
            position[id(target)] = len(trail)
            trail.append((target, _names(target.tick)))
            through.append(name)

    def _at(self, block: tree.At) -> int | None:
        value = self._value(block.tick, True)
        if value is None or value >= 0:
            return value
        self._reporter.add("WP209", block.tick.span, f"this tick is {value}", help="the first tick is 0")
        return None

    def _block(self, name: tree.Name) -> tree.At | None:
        """The `at` block that a name leads to; reports unknown names and those without a written tick, once each."""
        if id(name) in self._looked_up:
            return self._looked_up[id(name)]
        placed = self._scope.time(name)
        block = None
        if placed is not None and isinstance(placed.block, tree.At):
            block = placed.block
        elif placed is not None:
            self._reporter.add(
                "WP211",
                name.span,
                f"`{name.text}` has no tick that is known beforehand, for it stands under `when`",
                labels=((placed.statement.span, "fires when its trigger has happened"),),
                help="under `at`, use numbers and the names of what stands under `at`",
            )
        self._looked_up[id(name)] = block
        return block

    def _value(self, node: tree.Expression, names: bool) -> int | None:
        if isinstance(node, tree.Number):
            return self._bounded(node.value, node.span)
        if isinstance(node, tree.Name):
            if not names:
                self._reporter.add(
                    "WP204",
                    node.span,
                    f"`{node.text}` is a name, here a number of ticks is needed",
                    help="write a number; a window that starts elsewhere is written `sent within 5 of NAME`",
                )
                return None
            block = self._block(node)
            return None if block is None else self._ticks.get(id(block))
        left, right = self._value(node.left, names), self._value(node.right, names)
        if left is None or right is None:
            return None
        return self._bounded(_OPERATIONS[node.operator](left, right), node.span)

    def _bounded(self, value: int, span: Span) -> int | None:
        if abs(value) <= MAX_INTEGER:
            return value
        self._reporter.add(
            "WP209", span, "this number is too large: at most 2^53 - 1 is possible", help="use smaller numbers"
        )
        return None

    def _report_circle(self, circle: tuple[tree.Name, ...]) -> None:
        chain = chained([circle[-1].text, *(name.text for name in circle)])
        self._reporter.add(
            "WP210",
            circle[-1].span,
            f"this tick depends on itself: {chain}",
            labels=[(name.span, f"depends on `{name.text}`") for name in circle[:-1][: LIMITS.chain_labels]],
            help="write a number for one of these ticks",
        )


def _names(node: tree.Expression) -> Iterator[tree.Name]:
    if isinstance(node, tree.Name):
        yield node
    elif isinstance(node, tree.Operation):
        yield from _names(node.left)
        yield from _names(node.right)
