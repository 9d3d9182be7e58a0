"""Several errors in one file: each is told once, in source order, at its own place.

`several-errors.txt` has one file behind each `==`. Under a line with errors stand marks: carets under what is
underlined, or a bar where something is missing behind the last token, and the code.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from lark import Token
from tests.dsl.test_recovery import LIBRARY

from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.grammar import load
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile

CASES = dict(
    case.split("\n", 1) for case in Path(__file__).with_name("several-errors.txt").read_text("utf-8").split("== ")[1:]
)
MARK = re.compile(r"( *)(\^+|\|) (WP\d{3})")


def unmarked(case: str) -> tuple[str, list[tuple[int, int, int, str]]]:
    """The text, and for every mark the line, the column, how much is underlined, and the code."""
    lines: list[str] = []
    marks = []
    for line in case.splitlines():
        mark = MARK.fullmatch(line)
        if mark is None:
            lines.append(line)
        else:
            marks.append((len(lines), len(mark[1]) + 1, mark[2].count("^"), mark[3]))
    return "\n".join(lines) + "\n", marks


def place_of(finding: Finding) -> Span:
    assert isinstance(finding.place, Span)
    return finding.place


@pytest.mark.parametrize("name", CASES)
def test_each_error_is_told_once_at_its_place(name: str) -> None:
    text, marks = unmarked(CASES[name])
    _, findings = parse(SourceFile("a.scenario", text))
    places = [(place_of(finding), finding.code) for finding in findings]
    assert [(place.line, place.column, place.end - place.start, code) for place, code in places] == marks


def test_the_cases_have_several_errors() -> None:
    assert len(CASES) > 70
    assert sum(len(unmarked(case)[1]) for case in CASES.values()) > 3 * len(CASES)


def test_carriage_returns_and_tabs() -> None:
    text = "scenario s {\r\n\tlevel\r\n\thorizon 40\r\n\tat 1 aprove m\r\n\tat 2 {\r\n\t\treject\r\n\t}\r\n}\r\n"
    _, findings = parse(SourceFile("a.scenario", text))
    assert [place_of(finding).line for finding in findings] == [2, 4, 6]


# Lines of the library that follow each other, each broken


def broken_line(text: str, tokens: list[Token], chance: random.Random) -> tuple[int, int, str]:
    """An edit of one line: a word without its second letter, or a token left out that is not the first."""
    token = chance.choice(tokens)
    word = str(token)
    if word.isalpha() and len(word) > 3 and (token is tokens[0] or chance.random() < 0.5):
        return token.start_pos or 0, token.end_pos or 0, word[0] + word[2:]
    if token is tokens[0]:
        token = tokens[-1]
    return token.start_pos or 0, token.end_pos or 0, ""


def counts(size: int, tries: int) -> Counter[int]:
    """How many errors are told of files in which so many lines in a row have one each."""
    chance = random.Random(size)
    found: Counter[int] = Counter()
    for path in LIBRARY:
        text = path.read_text("utf-8")
        lines: dict[int, list[Token]] = {}
        for token in load().tokens(text):
            lines.setdefault(token.line or 0, []).append(token)
        numbers = sorted(lines)
        for _ in range(tries):
            first = chance.randrange(len(numbers) - size + 1)
            edits = []
            for number in numbers[first : first + size]:
                tokens = lines[number]
                if len(tokens) < 2 or any(str(token) in "{}" for token in tokens):
                    break
                start, end, instead = broken_line(text, tokens, chance)
                _, alone = parse(SourceFile(path.name, text[:start] + instead + text[end:]))
                if [place_of(finding).line for finding in alone] != [number]:
                    break
                edits.append((start, end, instead))
            if len(edits) < size:
                continue
            broken = text
            for start, end, instead in reversed(edits):
                broken = broken[:start] + instead + broken[end:]
            found[len(parse(SourceFile(path.name, broken))[1])] += 1
    return found


@pytest.mark.parametrize("size", [2, 3, 4])
def test_lines_in_a_row_are_told_of_one_by_one(size: int) -> None:
    """But for a few that are right again together, such as `m1 drafted within` before `m2`."""
    found = counts(size, tries=25)
    assert found.total() > 25
    assert found[size] >= 0.96 * found.total()
    assert not any(found[count] for count in found if count > size)
