"""Shapes of JSON values: what a member may be, told once, checked by hand and written out as JSON Schema.

The checker gives better messages than a schema validator and needs no import; `schema` turns the same shapes into JSON
Schema 2020-12, and tests hold the two to the same verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from wellposed.compiler.profile import pointer_to
from wellposed.dsl.vocabulary import MAX_INTEGER

MISSING = "WP721"
UNKNOWN = "WP722"
WRONG_TYPE = "WP723"
WRONG_VALUE = "WP724"


@dataclass(frozen=True, slots=True)
class Text:
    """A string; with a `pattern` (matched in full) `what` says in words what the pattern asks for."""

    what: str = "a string"
    pattern: str | None = None
    least: int = 0


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer of a closed range."""

    least: int = 0
    most: int = MAX_INTEGER


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a closed set of strings or integers, or exactly one value."""

    values: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Yes:
    """The value true, nothing else."""


@dataclass(frozen=True, slots=True)
class Nullable:
    """null or the shape."""

    shape: Shape


@dataclass(frozen=True, slots=True)
class ListOf:
    """An array of one shape."""

    item: Shape
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """An object with exactly these members; `name` is what messages call it, with its article."""

    name: str
    members: Mapping[str, Shape]
    optional: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Tagged:
    """An object whose member `tag` says which of the cases it is."""

    name: str
    tag: str
    cases: Mapping[str, Shape]


@dataclass(frozen=True, slots=True)
class Having:
    """An object that is `present` if it has the member, `absent` if not."""

    member: str
    present: Shape
    absent: Shape


@dataclass(frozen=True, slots=True)
class ByKind:
    """A value whose JSON type decides: a string, an integer, an array or an object; what is not given is refused."""

    string: Shape | None = None
    integer: Shape | None = None
    array: Shape | None = None
    record: Shape | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A shape by its name in the table of definitions, so that shapes can hold themselves."""

    name: str


Shape = Text | Integer | Flag | OneOf | Yes | Nullable | ListOf | Record | Tagged | Having | ByKind | Named
Report = Callable[[str, str, str], None]
"""Called with code, message and JSON pointer."""


class Checker:
    """Checks values against shapes; `report` is told every independent fault, in the order of the table's members."""

    def __init__(self, definitions: Mapping[str, Shape], report: Report) -> None:
        self._definitions = definitions
        self._report = report
        self._steps: list[str | int] = []

    def _fault(self, code: str, message: str) -> None:
        self._report(code, message, pointer_to(self._steps))

    def check(self, shape: Shape, value: Any) -> None:
        """Report everything in which `value` departs from `shape`."""
        match shape:
            case Text():
                self._text(shape, value)
            case Integer():
                if type(value) is not int:
                    self._wrong_type("an integer", value)
                elif not shape.least <= value <= shape.most:
                    self._fault(WRONG_VALUE, f"{value} is not between {shape.least} and {shape.most}")
            case Flag():
                if type(value) is not bool:
                    self._wrong_type("true or false", value)
            case Yes():
                if value is not True:
                    self._fault(WRONG_VALUE, f"this can only be true; it is {kind(value)}")
            case OneOf():
                self._one_of(shape.values, value)
            case Nullable():
                if value is not None:
                    self.check(shape.shape, value)
            case ListOf():
                self._list(shape, value)
            case Record():
                self._record(shape, value)
            case Tagged():
                self._tagged(shape, value)
            case Having():
                self.check(shape.present if type(value) is dict and shape.member in value else shape.absent, value)
            case ByKind():
                self._by_kind(shape, value)
            case Named():
                self.check(self._definitions[shape.name], value)

    def _wrong_type(self, wanted: str, value: Any) -> None:
        self._fault(WRONG_TYPE, f"{wanted} is due here; this is {kind(value)}")

    def _text(self, shape: Text, value: Any) -> None:
        if type(value) is not str:
            self._wrong_type(shape.what, value)
        elif len(value) < shape.least:
            self._fault(WRONG_VALUE, f"{shape.what} is due here; this string is empty")
        elif shape.pattern is not None and _compiled(shape.pattern).fullmatch(value) is None:
            self._fault(WRONG_VALUE, f"{quoted(value)} is not {shape.what}")

    def _one_of(self, values: tuple[str | int, ...], value: Any) -> None:
        if type(value) is not type(values[0]):
            self._wrong_type("a string" if isinstance(values[0], str) else "an integer", value)
        elif value not in values:
            known = (
                " or ".join(str(one) for one in values)
                if len(values) <= 8
                else f"one of the {len(values)} that are known"
            )
            self._fault(WRONG_VALUE, f"{quoted(value)} is not {known}")

    def _list(self, shape: ListOf, value: Any) -> None:
        if type(value) is not list:
            self._wrong_type("an array", value)
            return
        if len(value) < shape.least:
            self._fault(WRONG_VALUE, f"this array has {len(value)} elements; at least {shape.least} are due")
        if shape.most is not None and len(value) > shape.most:
            self._fault(WRONG_VALUE, f"this array has {len(value)} elements; at most {shape.most} are possible")
            return
        for index, item in enumerate(value):
            self._steps.append(index)
            self.check(shape.item, item)
            self._steps.pop()

    def _record(self, shape: Record, value: Any) -> None:
        if type(value) is not dict:
            self._wrong_type(shape.name, value)
            return
        for name in value:
            if name not in shape.members:
                self._unknown(shape, name)
        for name, below in shape.members.items():
            if name in value:
                self._steps.append(name)
                self.check(below, value[name])
                self._steps.pop()
            elif name not in shape.optional:
                self._fault(MISSING, f"{shape.name} has no member `{name}`")

    def _unknown(self, shape: Record, name: str) -> None:
        self._steps.append(name)
        self._fault(UNKNOWN, f"{shape.name} has no member `{name[:64]}`; it has {', '.join(shape.members)}")
        self._steps.pop()

    def _tagged(self, shape: Tagged, value: Any) -> None:
        if type(value) is not dict:
            self._wrong_type(shape.name, value)
        elif shape.tag not in value:
            self._fault(MISSING, f"{shape.name} has no member `{shape.tag}`")
        elif type(value[shape.tag]) is str and value[shape.tag] in shape.cases:
            self.check(shape.cases[value[shape.tag]], value)
        else:
            self._steps.append(shape.tag)
            self._one_of(tuple(shape.cases), value[shape.tag])
            self._steps.pop()

    def _by_kind(self, shape: ByKind, value: Any) -> None:
        options = {str: shape.string, int: shape.integer, list: shape.array, dict: shape.record}
        chosen = options.get(type(value))
        if chosen is not None:
            self.check(chosen, value)
            return
        words = {str: "a string", int: "an integer", list: "an array", dict: "an object"}
        self._wrong_type(" or ".join(word for one, word in words.items() if options[one] is not None), value)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def kind(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if type(value) is bool:
        return "true" if value else "false"
    return {str: "a string", int: "an integer", list: "an array", dict: "an object"}[type(value)]


def quoted(value: Any) -> str:
    """A string or integer as a message shows it: ASCII, cut after 64 characters."""
    if not isinstance(value, str):
        return str(value)
    return ascii(value[:64]) + ("…" if len(value) > 64 else "")


def schema(shape: Shape) -> dict[str, Any]:
    """The same shape as JSON Schema 2020-12, with named shapes as `#/$defs/…`."""
    match shape:
        case Text():
            lower = {"minLength": shape.least} if shape.least else {}
            return {
                "type": "string",
                **lower,
                **({"pattern": f"^(?:{shape.pattern})$(?!\\n)"} if shape.pattern else {}),
            }
        case Integer():
            return {"type": "integer", "minimum": shape.least, "maximum": shape.most}
        case Flag():
            return {"type": "boolean"}
        case Yes():
            return {"const": True}
        case OneOf():
            return {"const": shape.values[0]} if len(shape.values) == 1 else {"enum": list(shape.values)}
        case Nullable():
            return {"anyOf": [{"type": "null"}, schema(shape.shape)]}
        case ListOf():
            bounds = {
                **({"minItems": shape.least} if shape.least else {}),
                **({} if shape.most is None else {"maxItems": shape.most}),
            }
            return {"type": "array", "items": schema(shape.item), **bounds}
        case Record():
            return {
                "type": "object",
                "properties": {name: schema(below) for name, below in shape.members.items()},
                "required": [name for name in shape.members if name not in shape.optional],
                "additionalProperties": False,
            }
        case Tagged():
            # One case may stand under several values of the tag.
            distinct = {id(case): case for case in shape.cases.values()}
            return {"oneOf": [schema(case) for case in distinct.values()]}
        case Having():
            return {"if": {"required": [shape.member]}, "then": schema(shape.present), "else": schema(shape.absent)}
        case ByKind():
            return {
                "anyOf": [
                    schema(one) for one in (shape.string, shape.integer, shape.array, shape.record) if one is not None
                ]
            }
        case Named():
            return {"$ref": f"#/$defs/{shape.name}"}
