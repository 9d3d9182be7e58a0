"""What a text of the part of YAML says: texts, lists of texts and mappings, each with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wellposed.dsl.findings import Span


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar, and where it stands."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Texts:
    """A list of texts."""

    items: tuple[Text, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Members:
    """A mapping: its keys in the order of the text, each once, with where they stand."""

    entries: Mapping[str, tuple[Text, Node]]
    span: Span


Node = Text | Texts | Members
Json = str | list["Json"] | dict[str, "Json"]


def value_of(node: Node) -> Json:
    """The value without its places."""
    if isinstance(node, Text):
        return node.value
    if isinstance(node, Texts):
        return [one.value for one in node.items]
    return {key: value_of(value) for key, (_, value) in node.entries.items()}
