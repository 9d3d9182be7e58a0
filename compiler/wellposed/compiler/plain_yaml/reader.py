"""Mappings and lists, and the document as a whole."""

from __future__ import annotations

import re
from typing import NoReturn

from wellposed.compiler.plain_yaml.lines import AGAIN, FEATURE, FLOW, FORM, LITERAL, TAB, TOO_LARGE, TYPED, Line
from wellposed.compiler.plain_yaml.nodes import Members, Node, Text, Texts
from wellposed.compiler.plain_yaml.scalars import FEATURES, WORDS, Scalars
from wellposed.dsl.findings import Label

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,127}):(?= |$)")


class Reader(Scalars):
    """Reads one document."""

    def document(self) -> Node:
        """The mapping that the text is. Raises Wrong."""
        tab = self.source.text.find("\t")
        if tab >= 0:
            self.refuse(
                TAB,
                tab,
                tab + 1,
                "a tab, which YAML readers do not agree upon",
                r"indent with spaces; between double quotes, write \t",
            )
        odd = re.search("[\ufffe\uffff]", self.source.text)
        if odd is not None:
            self.refuse(FORM, odd.start(), odd.end(), "a character that no YAML text can hold", "remove it")
        line = self.next()
        if line is None:
            self.refuse(
                FORM, 0, 0, "there is nothing here but comments", "`wellposed new claim` writes a claim to start from"
            )
        node = self._members(line.indent, 1)
        rest = self.next()
        if rest is not None:
            self.refuse_line(FORM, rest, "is indented less than the lines above that it should stand beside")
        return node

    def _members(self, indent: int, depth: int) -> Members:
        first = self.lines[self.at]
        start = end = first.start + indent
        if depth > self.limits.yaml_depth:
            self.refuse_line(TOO_LARGE, first, f"is nested deeper than {self.limits.yaml_depth} levels")
        entries: dict[str, tuple[Text, Node]] = {}
        while (line := self.next()) is not None and line.indent >= indent:
            if line.indent > indent:
                self.refuse_line(FORM, line, "is indented more than the one that it should stand beside", LITERAL)
            found = _KEY.match(line.text, indent)
            if found is None:
                self._no_key(line)
            key = Text(found.group(1), self.span(line, indent, indent + len(found.group(1))))
            if key.value.lower() in WORDS:
                self.refuse(
                    TYPED, key.span.start, key.span.end, f"the key `{key.value}` is no text to some readers of YAML"
                )
            if key.value in entries:
                label = Label(entries[key.value][0].span, "it stands here first")
                self.refuse(
                    AGAIN,
                    key.span.start,
                    key.span.end,
                    f"the key `{key.value}` stands twice",
                    "keep one of them",
                    (label,),
                )
            self.counted(key.span.start)
            value = self._value(line, found.end(), indent, depth, key)
            entries[key.value] = (key, value)
            end = value.span.end
        return Members(entries, self.source.span(start, end))

    def _no_key(self, line: Line) -> NoReturn:
        first = line.text[line.indent]
        if first == "-" and line.text[line.indent + 1 : line.indent + 2] in ("", " "):
            self.refuse_line(FORM, line, "is an item of a list that no key stands before")
        if first in FEATURES:
            self.feature(line, line.indent)
        if line.text.startswith("<<", line.indent):
            self.refuse(
                FEATURE, line.start + line.indent, line.start + line.indent + 2, "a merge key", "write the members out"
            )
        if first in "[{":
            self.refuse_line(FLOW, line, "begins a collection in brackets", "write one `key: value` per line")
        self.refuse_line(FORM, line, "is no `key: value`", f"a key is a plain word with `: ` behind it; {LITERAL}")

    def _value(self, line: Line, column: int, indent: int, depth: int, key: Text) -> Node:
        """What stands behind a key, on its line or below it."""
        rest = line.text[column:]
        content = column + len(rest) - len(rest.lstrip(" "))
        if content < len(line.text) and line.text[content] != "#":
            if line.text[content] == "-" and line.text[content + 1 : content + 2] in ("", " "):
                self.refuse(
                    FORM, line.start + content, line.start + content + 1, "a list begins on the line below its key"
                )
            return self.scalar(line, content, indent)
        self.at += 1
        below = self.next()
        if below is not None and below.indent >= indent and self._is_item(below):
            return self._items(below.indent)
        if below is None or below.indent <= indent:
            self.refuse(
                TYPED,
                key.span.start,
                key.span.end,
                f"nothing stands behind `{key.value}`, which YAML reads as null",
                "write a value, or remove the key",
            )
        return self._members(below.indent, depth + 1)

    def _is_item(self, line: Line) -> bool:
        return line.text.startswith("- ", line.indent) or line.text[line.indent :] == "-"

    def _items(self, indent: int) -> Texts:
        start = end = self.lines[self.at].start + indent
        items: list[Text] = []
        while (line := self.next()) is not None and line.indent >= indent:
            if line.indent > indent:
                self.refuse_line(FORM, line, "is indented more than the items that it should stand beside", LITERAL)
            if not self._is_item(line):
                break
            rest = line.text[indent + 1 :]
            content = indent + 1 + len(rest) - len(rest.lstrip(" "))
            if content >= len(line.text) or line.text[content] == "#":
                self.refuse(
                    TYPED,
                    line.start + indent,
                    line.start + indent + 1,
                    "an item with nothing in it, which YAML reads as null",
                    "write a text, or remove the item",
                )
            if _KEY.match(line.text, content) or self._is_item(Line(line.start, line.text, content)):
                self.refuse(
                    FEATURE,
                    line.start + content,
                    line.start + len(line.text),
                    "an item that is itself a list or a mapping",
                    "the items of a list are texts",
                )
            self.counted(line.start + content)
            item = self.scalar(line, content, indent)
            if not isinstance(item, Text):
                self.refuse(
                    FLOW,
                    item.span.start,
                    item.span.end,
                    "a collection in brackets as an item",
                    "the items of a list are texts",
                )
            items.append(item)
            end = item.span.end
        return Texts(tuple(items), self.source.span(start, end))
