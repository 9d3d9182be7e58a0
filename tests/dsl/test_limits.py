"""Bad input of any size: bounded nesting, no recursion, and time that grows with the length and no faster."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from wellposed.dsl import tree
from wellposed.dsl.lexing import MAX_BRACKETS, MAX_IFS, MAX_LOOPS, MAX_OPERATORS
from wellposed.dsl.parser import parse
from wellposed.dsl.source import MAX_SOURCE_BYTES, SourceFile, read_source

Complain = Callable[..., Any]
Read = Callable[..., tree.File]


def in_expect(claim: str) -> str:
    return f"scenario s {{ expect {{ {claim} }} }}"


@pytest.mark.parametrize("bracket", ["(", "{", "["])
def test_ten_thousand_brackets(complaints_about: Complain, bracket: str) -> None:
    complaints = complaints_about("scenario s { at " + bracket * 10_000)
    assert [complaint.at for complaint in complaints] == [bracket] * len(complaints)
    assert [complaint.code for complaint in complaints] in (["WP115"], ["WP120", "WP115"])


def test_brackets_up_to_the_limit(tree_of: Read, complaints_about: Complain) -> None:
    def nested(depth: int) -> str:
        return in_expect(f"m sent within {'(' * depth}1{')' * depth}")  # two braces stand around it

    tree_of(nested(MAX_BRACKETS - 2))
    (complaint,) = complaints_about(nested(MAX_BRACKETS - 1))
    assert (complaint.code, complaint.at) == ("WP115", "(")
    assert complaint.behind.count("(") == MAX_BRACKETS - 2


def test_braces_up_to_the_limit(tree_of: Read, complaints_about: Complain) -> None:
    def nested(depth: int) -> str:
        return in_expect("any of { " * depth + "m open" + " } or { m open }" * depth)

    tree_of(nested(MAX_BRACKETS - 2))
    (complaint,) = complaints_about(nested(MAX_BRACKETS - 1))
    assert (complaint.code, complaint.at) == ("WP115", "{")


def test_brackets_side_by_side_are_not_nested(tree_of: Read) -> None:
    tree_of("scenario s { " + "at (1) { crash } " * 200 + "}")


def test_operators_up_to_the_limit(tree_of: Read, complaints_about: Complain) -> None:
    tree_of(in_expect("m sent within 1" + " + 1" * MAX_OPERATORS))
    (complaint,) = complaints_about(in_expect("m sent within 1" + " * 1" * (MAX_OPERATORS + 1)))
    assert (complaint.code, complaint.at) == ("WP116", "*")
    (complaint,) = complaints_about(in_expect("m sent within 1" + " - (1 + 1)" * MAX_OPERATORS))
    assert complaint.code == "WP116"


def test_every_expression_has_its_own_operators(tree_of: Read) -> None:
    many = " + 1" * MAX_OPERATORS
    tree_of(
        in_expect(f"m sent within 1{many} m sent within 1{many} m drafted within (1{many}) n drafted within 1{many}")
    )
    tree_of(f"scenario s {{ at 1{many} go: crash at 1{many} {{ jump to (1{many}) jump by (1{many}) }} }}")


def test_ifs_up_to_the_limit(tree_of: Read, complaints_about: Complain) -> None:
    def elses(depth: int) -> str:
        return "if m open then m open else " * depth + "m open"

    def thens(depth: int) -> str:
        return "if m open then " * depth + "m open" + " else m open" * depth

    def conditions(depth: int) -> str:
        return "if " * depth + "m open" + " then m open else m open" * depth

    for nested in (elses, thens, conditions):
        tree_of(in_expect(nested(MAX_IFS)))
        (complaint,) = complaints_about(in_expect(nested(MAX_IFS + 1)))
        assert (complaint.code, complaint.at) == ("WP117", "if")


def test_ifs_side_by_side_are_not_nested(tree_of: Read) -> None:
    one = "if m open then m open else m open "
    deep = "if m open then m open else " * (MAX_IFS - 1) + one
    tree_of(in_expect(one * 50))
    tree_of(in_expect(deep * 3))
    tree_of(in_expect(f"any of {{ {deep} {one} }} or {{ {one} {deep} }} {deep}"))


def test_ifs_in_braces_count_with_those_around_them(tree_of: Read, complaints_about: Complain) -> None:
    half = MAX_IFS // 2
    inner = "if m open then m open else " * half + "m open"
    outer = "if m open then m open else "
    tree_of(in_expect(outer * half + f"any of {{ {inner} }} or {{ {inner} }}"))
    (complaint,) = complaints_about(in_expect(outer * (half + 1) + f"any of {{ {inner} }} or {{ m open }}"))
    assert complaint.code == "WP117"


LOOPED = {
    "items": ("scenario s { ", "at 1 crash", " }"),
    "statements": ("scenario s { at 1 { ", "crash", " } }"),
    "expectations": ("scenario s { expect { ", "m open", " } }"),
    "lines of a stub": ("scenario s { stub { ", 'reply c "x"', " } }"),
}


@pytest.mark.parametrize("where", LOOPED)
def test_loops_up_to_the_limit(tree_of: Read, complaints_about: Complain, where: str) -> None:
    before, one, behind = LOOPED[where]

    def nested(depth: int) -> str:
        return before + "for i in 1..2 { " * depth + one + " }" * depth + behind

    tree_of(nested(MAX_LOOPS))
    (complaint,) = complaints_about(nested(MAX_LOOPS + 1))
    assert (complaint.code, complaint.at) == ("WP118", "for")
    assert complaint.behind.count("for") == MAX_LOOPS


def test_loops_count_across_the_blocks_between_them(tree_of: Read, complaints_about: Complain) -> None:
    def nested(inner: int) -> str:
        statements = "for j in 1..2 { " * inner + "crash" + " }" * inner
        return "scenario s { " + "for i in 1..2 { " * 2 + "at 1 { " + statements + " }" + " }" * 3

    tree_of(nested(MAX_LOOPS - 2))
    (complaint,) = complaints_about(nested(MAX_LOOPS - 1))
    assert complaint.code == "WP118"


def test_loops_side_by_side_are_not_nested(tree_of: Read) -> None:
    tree_of("scenario s { " + "for i in 1..2 { at i { for j in 1..2 { crash } crash } } " * 20 + "}")


def test_operators_in_an_index_count_with_those_around_it(tree_of: Read, complaints_about: Complain) -> None:
    half = MAX_OPERATORS // 2
    tree_of(in_expect("m sent within 1" + " + m[1 + 1]" * half))
    tree_of(in_expect(f"m[1{' + 1' * MAX_OPERATORS}][1] sent within 1{' + 1' * MAX_OPERATORS}"))
    (complaint,) = complaints_about(in_expect("m sent within 1" + " + m[1 + 1]" * half + " + 1"))
    assert (complaint.code, complaint.at) == ("WP116", "+")


def test_indices_up_to_the_limit_of_brackets(tree_of: Read, complaints_about: Complain) -> None:
    def nested(depth: int) -> str:
        return f"scenario s {{ at {'m[' * depth}1{']' * depth} crash }}"

    tree_of(nested(MAX_BRACKETS - 1))
    (complaint,) = complaints_about(nested(MAX_BRACKETS))
    assert (complaint.code, complaint.at) == ("WP115", "[")
    tree_of(f"scenario s {{ at m{'[1]' * 2_000} crash }}")


def test_nothing_recurses_on_the_input(tree_of: Read) -> None:
    deepest = in_expect(
        "any of { " * 20
        + "if m open then " * MAX_IFS
        + "m sent within 1"
        + " + 1" * MAX_OPERATORS
        + " else m open" * MAX_IFS
        + " } or { m open }" * 20
    )
    broken = deepest[:-1] + "sent"
    long = "scenario s { " + "at 1 { crash } " * 2_000 + "}"
    tree_of(long)  # all that is built once is built
    limit = sys.getrecursionlimit()
    depth = len(_frames())
    sys.setrecursionlimit(depth + 60)
    try:
        for text in (deepest, broken, long, "scenario s { at " + "(" * 10_000):
            parse(SourceFile("a.scenario", text))
    finally:
        sys.setrecursionlimit(limit)


def _frames() -> list[Any]:
    frames, frame = [], sys._getframe()
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back  # type: ignore[assignment]
    return frames


HEAD = "scenario s { "
JUNK = {
    "open braces": "{",
    "open brackets": "(",
    "names": "a ",
    "one name": "a",
    "hyphens": "a-",
    "minuses": "a--",
    "dots": "a.",
    "ranges": "..",
    "underscores": "_",
    "digits": "1",
    "quotes": '"',
    "empty strings": '"" ',
    "escapes": '"\\',
    "long strings": '"""a',
    "backquotes": "`",
    "comments": "#",
    "lines": "\r\n",
    "signs": "!?$",
    "accents": "é",
    "wide": "中",
    "astral": "𝄞",
    "invisible": "\u202e",
    "colons": "a: ",
}
LONG = {
    "operators": "at 1" + " + 1" * 100_000,
    "ifs": "expect { " + "if m open then " * 50_000,
    "alternatives": "expect { any of { m open }" + " or { m open }" * 20_000,
    "escapes": 'title "' + "\\q" * 10_000 + '"',
    "placeholders": 'title "' + "{a}" * 50_000 + '"',
    "allows": 'allow W "x" ' * 20_000,
    "indices": "at m" + "[1]" * 20_000,
    "loops": "for i in 1..2 { " * 10_000,
    "values": "} family f(a in [" + "1, " * 30_000,
    "bad statements": "at at crash " * 20_000,
    "closing brackets": "} " * 20_000,
    "refused signs": "at $ crash " * 20_000,
    "bad numbers": "at 007 crash " * 20_000,
    "list": "} rules r { admit x when from in [" + '"a", ' * 30_000,
}


@pytest.mark.parametrize("name", JUNK)
def test_a_megabyte_of_junk(name: str) -> None:
    unit = JUNK[name].encode()
    raw = (unit * (MAX_SOURCE_BYTES // len(unit) + 1))[: MAX_SOURCE_BYTES // len(unit) * len(unit)]
    began = time.process_time()
    source, findings = read_source("a.scenario", raw)
    if source is not None:
        _, findings = parse(source)
    assert time.process_time() - began < 10
    assert len(findings) <= 100
    assert all(len(finding.message) < 300 for finding in findings)


@pytest.mark.parametrize("name", LONG)
def test_long_constructs(name: str) -> None:
    began = time.process_time()
    _, findings = parse(SourceFile("a.scenario", HEAD + LONG[name]))
    assert time.process_time() - began < 10
    assert 0 < len(findings) <= 100


def test_a_very_long_line(tree_of: Read) -> None:
    body = "b" * 500_000
    (scenario,) = tree_of(f'scenario s {{ title "{body}" level L0 }}').declarations
    assert isinstance(scenario, tree.Scenario)
    assert scenario.headers[1].span.column == len(body) + 23


def test_time_is_linear() -> None:
    """Ten times the statements take about ten times as long; quadratic growth would be a hundred."""

    def seconds(count: int) -> float:
        source = SourceFile("a.scenario", HEAD + "at 1 { go: crash approve m }\n" * count + "}")
        best = float("inf")
        for _ in range(3):
            began = time.process_time()
            parse(source)
            best = min(best, time.process_time() - began)
        return best

    seconds(10)
    assert seconds(3000) < 30 * seconds(300)
