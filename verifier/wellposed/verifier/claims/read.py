"""Reading a claim: the part of YAML it is written in, then the table of members. Never raises, whatever the bytes are."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.load import MAX_FINDINGS, finding
from wellposed.compiler.plain_yaml import Members, Text, Texts, read_yaml, value_of
from wellposed.compiler.shape import MISSING, UNKNOWN, Checker
from wellposed.compiler.shape import WRONG_VALUE as SHAPE_VALUE
from wellposed.compiler.suggest import Suggester
from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.verifier.claims.claim import MALFORMED, Claim, ClaimResult
from wellposed.verifier.claims.files import CLAIM_FILE
from wellposed.verifier.claims.members import CHANGE, CLAIM, KINDS, MEMBERS

UNKNOWN_MEMBER = "WP910"
MISSING_MEMBER = "WP911"
WRONG_VALUE = "WP912"
UNFINISHED = "WP913"
WRONG_PLACE = "WP915"

PARENT = "claims"
PROSE = ("justification", "disclosure")
"""Members that are written for people."""
TO_DO = "TODO"
"""What `new claim` writes where its author has to write something."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}", re.ASCII)
_FOLDER = re.compile(rf"({PARENT}/[^/]+)/.+", re.ASCII | re.DOTALL)
_TO_DO = re.compile(rf"\b{TO_DO}\b")


def claim_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """Of the paths of the files of a tree, the folders directly below `claims/`, sorted."""
    return tuple(sorted({found.group(1) for path in paths if (found := _FOLDER.fullmatch(path)) is not None}))


def read_claim(raw: bytes, path: str) -> tuple[Claim | None, tuple[Finding, ...]]:
    """The claim in the bytes of a claim.yaml, or None and every reason.

    `path` is its display path; the last two folders of it say that it is a claim, and which.
    """
    node, findings = read_yaml(path, raw)
    misplaced = tuple(_misplaced(path))
    if not isinstance(node, Members):
        return None, (*misplaced, *findings)
    found = [*misplaced, *_Checked(node).findings()]
    if any(one.severity is Severity.ERROR for one in found):
        return None, tuple(found)
    value: Any = value_of(node)
    members: dict[str, Any] = {name: given for name, given in value.items() if name not in ("format", "class")}
    members |= {name: tuple(value.get(name, ())) for name in ("obligations", "logs")}
    claim = Claim(path=path, failure_class=value.get("class"), places=_places(node), **members)
    return claim, tuple(found)


def unreadable_claim(path: str, findings: Iterable[Finding]) -> ClaimResult:
    """The result for a claim.yaml that is none."""
    found = tuple(findings)
    return ClaimResult(path, None, MALFORMED, found[0].message if found else "it cannot be read", found)


def _misplaced(path: str) -> Iterator[Finding]:
    folder = posixpath.dirname(path)
    name, parent = posixpath.basename(folder), posixpath.basename(posixpath.dirname(folder))
    text = None
    if posixpath.basename(path) != CLAIM_FILE or parent != PARENT:
        text = f"a claim is the file {PARENT}/<name>/{CLAIM_FILE}"
    elif NAME.fullmatch(name) is None:
        text = "the folder of a claim has a name of 1 to 64 of a-z 0-9 -, the first a letter or digit"
    if text is not None:
        yield finding(WRONG_PLACE, text, Span(path, 0, 0, 1, 1, 1, 1))


def _places(node: Members) -> dict[str, Span]:
    found = {}
    for name, (_, value) in node.entries.items():
        found[name] = value.span
        if isinstance(value, Texts):
            found |= {f"{name}/{number}": item.span for number, item in enumerate(value.items)}
    return found


class _Checked:
    """The members of a claim, held to the table."""

    def __init__(self, node: Members) -> None:
        self._node = node
        self._places = _places(node)
        self._found: list[Finding] = []

    def findings(self) -> list[Finding]:
        value: Any = value_of(self._node)
        Checker({}, self._told).check(CLAIM, value)
        for name in ("logs", "obligations"):
            self._repeated(name)
        for name in PROSE:
            self._prose(name)
        if value.get("kind") == CHANGE and value.get("previous") == value.get("bundle") is not None:
            self._add(WRONG_VALUE, "`previous` and `bundle` are the same, so nothing changes", "previous")
        more = len(self._found) - MAX_FINDINGS
        if more > 0:
            last = replace(self._found[MAX_FINDINGS - 1], notes=(f"{more} more findings of this claim are not shown",))
            return [*self._found[: MAX_FINDINGS - 1], last]
        return self._found

    def _add(self, code: str, text: str, member: str | None, help: str | None = None) -> None:
        place = self._node.span if member is None else self._places.get(member, self._node.span)
        if member is None:
            place = replace(place, end=place.start, end_line=place.line, end_column=place.column)
        self._found.append(replace(finding(code, text, place), help=help))

    def _told(self, code: str, message: str, pointer: str) -> None:
        """A fault of the shape: the pointer says where."""
        if code == MISSING:
            wanted = message.rpartition(" has no member ")[2].strip("`")
            help = f"add `{wanted}:`; the kinds are {', '.join(KINDS)}" if wanted == "kind" else f"add `{wanted}:`"
            self._add(MISSING_MEMBER, message, None, help)
        elif code == UNKNOWN:
            name = pointer.removeprefix("/")
            key = self._node.entries[name][0].span
            near = Suggester().nearest(name, MEMBERS) if len(name) <= LIMITS.id_length else None
            hint = f"did you mean `{near}`?" if near is not None and near not in self._node.entries else None
            self._found.append(replace(finding(UNKNOWN_MEMBER, message, key), help=hint))
        else:
            member = pointer.removeprefix("/")
            empty = member in PROSE and code == SHAPE_VALUE
            self._add(UNFINISHED if empty else WRONG_VALUE, f"`{member.partition('/')[0]}`: {message}", member)

    def _repeated(self, name: str) -> None:
        _, value = self._node.entries.get(name, (None, None))
        if isinstance(value, Texts):
            seen: set[str] = set()
            for number, item in enumerate(value.items):
                if item.value in seen:
                    self._add(WRONG_VALUE, f"`{name}`: this stands twice", f"{name}/{number}", "keep one of them")
                seen.add(item.value)

    def _prose(self, name: str) -> None:
        """A text for people: there, and written by somebody."""
        _, value = self._node.entries.get(name, (None, None))
        if isinstance(value, Text) and value.value:
            if not any(character.isalnum() for character in value.value):
                self._add(UNFINISHED, f"`{name}` says nothing", name, "write it for a reader who does not know you")
            elif _TO_DO.search(value.value):
                self._add(UNFINISHED, f"`{name}` is not written yet: it holds {TO_DO}", name)
