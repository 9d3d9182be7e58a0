"""Canonical bytes of a shape as a regular expression: a quick proof that a line has its shape.

What matches has the shape. What does not match may have it all the same (strings with escapes, the largest integers), and
is left to the checker, which also has the words for what is wrong.
"""

from __future__ import annotations

import re

from wellposed.compiler.shape import Integer, ListOf, OneOf, Record, Shape, Text


def plain(shape: Shape) -> re.Pattern[bytes]:
    """The expression. Raises TypeError for shapes that have none."""
    return re.compile(_expression(shape).encode("ascii"))


def _expression(shape: Shape) -> str:
    match shape:
        case Text(pattern=None):
            return r'"[^"\\]+"' if shape.least else r'"[^"\\]*"'
        case Text(pattern=str(pattern)):
            return f'"(?:{pattern})"'
        case Integer(least=0 | 1):
            # One digit less than the largest has: every such number is in range.
            positive = f"[1-9][0-9]{{0,{max(len(str(shape.most)) - 2, 0)}}}"
            return positive if shape.least else f"(?:0|{positive})"
        case OneOf():
            return f"(?:{'|'.join(_literal(value) for value in shape.values)})"
        case ListOf():
            item = _expression(shape.item)
            return rf"\[{item}(?:,{item})*\]" if shape.least == 1 else rf"\[(?:{item}(?:,{item})*)?\]"
        case Record():
            return _record(shape)
    raise TypeError(f"no expression for {type(shape).__name__}")


def _literal(value: str | int) -> str:
    return re.escape(f'"{value}"' if isinstance(value, str) else str(value))


def _record(shape: Record) -> str:
    """Members in the order of their names; one that may be missing has to follow one that may not."""
    parts: list[str] = []
    for name in sorted(shape.members):
        member = f'"{re.escape(name)}":{_expression(shape.members[name])}'
        if name in shape.optional:
            if not parts:
                raise TypeError("no expression for a record that begins with an optional member")
            parts.append(f"(?:,{member})?")
        else:
            parts.append(f",{member}" if parts else member)
    return r"\{" + "".join(parts) + r"\}"
