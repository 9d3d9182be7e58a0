"""What is wrong with the output of a command, whatever its input was: format by format, in words."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

from tests.hostile.children import Said

STATUSES = (0, 1, 2, 3)
UNSEEN = frozenset(("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"))
SECRET = "kept-outside-4711"
"""Stands in files that no input may have shown; no output may hold it."""
ELEMENTS = re.compile(
    "html|head|meta|title|style|body|main|h[123]|p|table|caption|thead|tbody|tr|th|td|ul|li|ol|a|abbr|span|div|section|details"
    "|summary|pre|code|nav|header|footer|b|i|em|strong|dl|dt|dd|svg|g|path|rect|line|text|tspan|circle|desc|defs|pattern|polyline|polygon"
)
"""What the pages of the tool are made of. None of it loads or runs anything."""
_CONCISE = re.compile(r"(?:[^\n]*: )?(?:error|warning|note)\[WP\d{3}\]: .*")
_COMMAND = re.compile(r"::(?:error|warning|notice) (?:\w+=[^,:\n]*,)*title=WP\d{3}[^,:\n]*::[^\n]*")
_LINK = re.compile(r"(?<!\\)(?:\\\\)*[\[\]]")


def faults(said: Said) -> list[str]:
    """Everything that is wrong with what one command left."""
    form = said.command[said.command.index("--format") + 1] if "--format" in said.command else "text"
    found = [] if said.status in STATUSES else [f"exit status {said.status}"]
    for name, text in (("stdout", said.out), ("stderr", said.err)):
        found += [f"{word} on {name}" for word in ("Traceback", "WP001", SECRET, "##[") if word in text]
        unseen = {hex(ord(one)) for one in text if one != "\n" and unicodedata.category(one) in UNSEEN}
        found += [f"raw {', '.join(sorted(unseen))} on {name}"] if unseen else []
        if form != "github" or name == "stderr":
            found += [f"a workflow command on {name}"] if re.search(r"(?m)^\s*::", text) else []
    found += [f"a bare line on stderr: {line}" for line in said.err.splitlines() if not line.startswith("wellposed")][
        :1
    ]
    if said.out:
        found += (
            _concise(said.out)
            if (said.command[0], form) == ("check", "concise")
            else FORMATS.get(form, _nothing)(said.out)
        )
    elif form not in ("text", "concise", "html", "svg", "mermaid") and "-q" not in said.command:
        found.append(f"no {form}")
    return [f"{' '.join(said.command)}: {one}" for one in found]


def _nothing(text: str) -> Iterator[str]:
    yield from ()


def _json(text: str) -> Iterator[str]:
    try:
        document: Any = json.loads(text)
    except ValueError as error:
        yield f"not JSON: {error}"
        return
    if not re.fullmatch(r"wellposed-[a-z]+/\d+", str(document.get("format"))):
        yield "no format"


def _sarif(text: str) -> Iterator[str]:
    try:
        log: Any = json.loads(text)
    except ValueError as error:
        yield f"not JSON: {error}"
        return
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"]:
            yield "a rule index that is another rule's"
        if _LINK.search(result["message"]["text"]):
            yield "a link in a message"
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            if uri.startswith("/") or not re.fullmatch(r"(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})*", uri):
                yield f"no relative URI: {uri}"


def _github(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.lstrip().startswith("::") and _COMMAND.fullmatch(line) is None:
            yield f"an odd command: {line[:80]}"


def _junit(text: str) -> Iterator[str]:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        yield f"not XML: {error}"
        return
    if root.tag != "testsuites" or int(root.get("tests", "-1")) != len(list(root.iter("testcase"))):
        yield "counts that are not those of the cases"
    strange = {element.tag for element in root.iter()} - {
        *("testsuites", "testsuite", "testcase", "failure", "error", "skipped", "system-out")
    }
    if strange:
        yield f"elements {strange}"


def _concise(text: str) -> Iterator[str]:
    lines = text.removesuffix("\n").split("\n")
    yield from (f"an odd line: {line[:80]}" for line in lines[:-1] if _CONCISE.fullmatch(line) is None)


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if ELEMENTS.fullmatch(tag) is None:
            self.faults.append(f"the element {tag}")
        for name, value in attributes:
            if name.startswith("on") or (name in ("href", "src") and not (value or "").startswith(("#", "https://"))):
                self.faults.append(f"the attribute {name}={value}")


def _html(text: str) -> Iterator[str]:
    parser = _Elements()
    parser.feed(text)
    yield from parser.faults


def _svg(text: str) -> Iterator[str]:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        yield f"not XML: {error}"
        return
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        if ELEMENTS.fullmatch(tag) is None:
            yield f"the element {tag}"
        yield from (
            f"the attribute {name}" for name in element.attrib if name.startswith("on") or name.endswith("href")
        )


FORMATS: dict[str, Callable[[str], Iterator[str]]] = {
    "json": _json,
    "sarif": _sarif,
    "github": _github,
    "junit": _junit,
    "html": _html,
    "svg": _svg,
}
