"""The stack of a run over the tokens: a linked list, so that where the run stood before a mistake is still there."""

from __future__ import annotations

from typing import Any

from lark import Token

from wellposed.dsl.lexing import CLOSERS, OPENERS

Node = tuple[int, Any, Token, Any]
"""A stack: the state on top, the value that led to it, the first token of that value, and the stack below or None."""

BRACES = frozenset({"LBRACE", "RBRACE"})
"""What a repair can put in without any harm to the construct: braces have no meaning of their own."""


class Virtual(Token):
    """A token that a repair has put in, or the value of a construct that has one; it is not in the tree."""


DAMAGED = Virtual("DAMAGED", "")


class Spliced:
    """The first `count` of some values, which become values of their own in whatever is built from them.

    A repetition grows in place, so that it is linear in its length: longer ones share their list with the shorter ones
    that they came from, which may still be on a stack from before a mistake.
    """

    __slots__ = ("_values", "count")

    def __init__(self, values: list[object]) -> None:
        self._values = values
        self.count = len(values)

    def with_more(self, values: list[object]) -> Spliced:
        """These values and more behind them."""
        own = self._values if len(self._values) == self.count else self.values()
        own += values
        return Spliced(own)

    def values(self) -> list[object]:
        """The values, in order."""
        return self._values[: self.count]


def states_of(stack: Node) -> list[int]:
    """The states on a stack, the bottom one first."""
    states = []
    node: Node | None = stack
    while node is not None:
        states.append(node[0])
        node = node[3]
    states.reverse()
    return states


def brackets_on(stack: Node) -> list[Token]:
    """The brackets that are open on a stack, the outermost first."""
    still_open: list[Token] = []
    closed = 0
    node: Node | None = stack
    while node is not None:
        value = node[1]
        if isinstance(value, Token):
            if value.type in CLOSERS:
                closed += 1
            elif value.type in OPENERS and closed:
                closed -= 1
            elif value.type in OPENERS:
                still_open.append(value)
        node = node[3]
    still_open.reverse()
    return still_open


def construct_begun(stack: Node) -> Token | None:
    """The first token of the construct that the stack is in; None between two."""
    node: Node | None = stack
    begun = None
    while node is not None and not isinstance(node[1], Spliced | tuple):  # those are complete
        if isinstance(node[1], Token) and node[1].type == "LBRACE":
            break
        begun = node[2]
        node = node[3]
    return begun
