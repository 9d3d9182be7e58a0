"""The renderers alone: what is underlined and where, what is escaped, what colour does."""

from __future__ import annotations

import json

import pytest

from wellposed.cli.render import concise, json_report, text
from wellposed.cli.render.colour import Palette, wants_colour
from wellposed.cli.render.escape import WINDOW, defuse, escape, lay_out, pad, width
from wellposed.cli.render.snippet import render_finding
from wellposed.cli.render.table import render_table
from wellposed.cli.render.view import View
from wellposed.cli.report import Report, in_order
from wellposed.dsl.findings import Finding, Label, Pointer, Severity, Span
from wellposed.dsl.source import SourceFile

PLAIN = Palette(False)


def _source(content: str, path: str = "a.scenario") -> SourceFile:
    return SourceFile(path, content)


def _span(source: SourceFile, word: str, nth: int = 0) -> Span:
    start = -1
    for _ in range(nth + 1):
        start = source.text.index(word, start + 1)
    return source.span(start, start + len(word))


def _finding(place: Span | Pointer | None, *labels: Label, **more: object) -> Finding:
    return Finding("WP501", Severity.ERROR, "it depends", place, labels, **more)  # type: ignore[arg-type]


def _underlined(source: SourceFile, word: str) -> str:
    """The piece of the shown line above the carets: what a reader takes to be meant."""
    lines = render_finding(_finding(_span(source, word)), {source.path: source}, PLAIN).split("\n")
    shown, carets = lines[3], lines[4]
    start = carets.index("^")
    columns = [0]
    for character in shown:
        columns.append(columns[-1] + width(character))
    end = start + carets.count("^")
    return "".join(shown[index] for index in range(len(shown)) if start <= columns[index] and columns[index + 1] <= end)


@pytest.mark.parametrize(
    ("line", "word", "shown"),
    [
        ("  at 12 approve m1", "approve m1", "approve m1"),
        ("\tat 12 approve m1", "approve", "approve"),
        ("a\tb\tword", "word", "word"),
        ("注文 word 注文", "word", "word"),
        ("word 注文 word", "注文", "注文"),
        ("e\u0301e\u0301 word", "word", "word"),
        ("e\u0301e\u0301 word", "e\u0301e\u0301", "e\u0301e\u0301"),
        ("\x1b[31m word", "word", "word"),
        ("x \x1b word", "\x1b", "\\u{1b}"),
        ("\u202e word", "word", "word"),
        ("##[error] word", "word", "word"),
        ("##[ ##[ word ##[", "word", "word"),
        ("\u200d\u200d word", "word", "word"),
        ("word", "word", "word"),
    ],
)
def test_carets_stand_under_what_is_meant(line: str, word: str, shown: str) -> None:
    assert _underlined(_source(line), word) == shown


def test_two_labels_and_a_gap() -> None:
    source = _source("one\ntwo\nthree\nfour\nfive\nsix\nseven\n")
    finding = _finding(
        _span(source, "seven"),
        Label(_span(source, "one"), "first"),
        Label(_span(source, "three"), "third"),
        detail=("1. an argument", "", "  indented"),
        notes=("a note\nof two lines",),
        help="do this",
    )
    assert render_finding(finding, {source.path: source}, PLAIN).split("\n") == [
        "error[WP501]: it depends",
        " --> a.scenario:7:1",
        "  |",
        "1 | one",
        "  | --- first",
        "2 | two",
        "3 | three",
        "  | ----- third",
        "...",
        "7 | seven",
        "  | ^^^^^",
        "  |",
        "    1. an argument",
        "",
        "      indented",
        "  |",
        "  = note: a note",
        "          of two lines",
        "  = help: do this",
    ]


def test_a_label_in_another_file_and_one_in_a_bundle() -> None:
    source, other = _source("one\n"), _source("\n" * 99 + "rules x\n", "lib/b.rules")
    finding = _finding(
        _span(source, "one"),
        Label(_span(other, "rules"), "declared here"),
        Label(Pointer("c.json", "/expect/0"), "and here"),
    )
    assert render_finding(finding, {source.path: source, other.path: other}, PLAIN).split("\n") == [
        "error[WP501]: it depends",
        "   --> a.scenario:1:1",
        "    |",
        "  1 | one",
        "    | ^^^",
        "   --> lib/b.rules:100:1",
        "    |",
        "100 | rules x",
        "    | ----- declared here",
        "   --> c.json#/expect/0: and here",
    ]


def test_labels_on_the_line_of_the_finding() -> None:
    source = _source("one two three\n")
    finding = _finding(_span(source, "two"), Label(_span(source, "three"), "c"), Label(_span(source, "one"), "a"))
    assert render_finding(finding, {source.path: source}, PLAIN).split("\n")[3:] == [
        "1 | one two three",
        "  |     ^^^",
        "  | --- a",
        "  |         ----- c",
    ]


def test_places_without_text() -> None:
    assert render_finding(_finding(None), {}, PLAIN) == "error[WP501]: it depends"
    assert render_finding(_finding(Pointer("a.json", "")), {}, PLAIN).endswith("\n --> a.json")
    span = Span("gone.scenario", 0, 1, 3, 4, 3, 5)
    assert render_finding(_finding(span), {}, PLAIN).endswith("\n --> gone.scenario:3:4")


def test_an_empty_span_and_one_of_several_lines() -> None:
    source = _source("one\n  two {\n  }\n")
    at_end = source.span(3, 3)
    assert render_finding(_finding(at_end), {source.path: source}, PLAIN).split("\n")[-1] == "  |    ^"
    block = source.span(6, len(source.text) - 1)
    assert render_finding(_finding(block), {source.path: source}, PLAIN).split("\n")[-2:] == [
        "2 |   two {",
        "  |   ^^^^^",
    ]


def test_a_span_beyond_the_text() -> None:
    """Never raises, wherever a place points."""
    source = _source("one\n")
    for span in (
        Span("a.scenario", 0, 9, 1, 90, 1, 99),
        Span("a.scenario", 0, 9, 7, 1, 9, 1),
        Span("a.scenario", 9, 0, 1, 4, 1, 2),
    ):
        assert render_finding(_finding(span), {source.path: source}, PLAIN).startswith("error[WP501]")


def test_long_lines_are_shown_in_part_and_never_wrapped() -> None:
    source = _source("x" * 5_000 + "word" + "y" * 5_000)
    lines = render_finding(_finding(_span(source, "word")), {source.path: source}, PLAIN).split("\n")
    assert len(lines) == 5
    assert len(lines[3]) <= WINDOW + 8
    assert _underlined(source, "word") == "word"
    assert "…xx" in lines[3] and "yy…" in lines[3]


def test_everything_from_an_input_is_escaped() -> None:
    source = _source("x\n", "a\x1b[31m.scenario")
    finding = Finding(
        "WP501",
        Severity.ERROR,
        "m\x1b[31m\n::error::x",
        _span(source, "x"),
        (Label(_span(source, "x"), "l\u202e"),),
        ("d\r",),
        ("n\x07",),
        "h\u2028",
        "s",
    )
    shown = render_finding(finding, {source.path: source}, PLAIN)
    assert not set(shown) & set("\x1b\r\x07\u202e\u2028")
    assert shown.split("\n")[0] == "error[WP501]: m\\u{1b}[31m\\u{a}::error::x"


def test_escape_and_width() -> None:
    assert escape("plain 注文 é") == "plain 注文 é"
    assert escape("a\x00b\x9bc\ue000\U000e0001") == "a\\u{0}b\\u{9b}c\\u{e000}\\u{e0001}"
    assert escape("\ud800") == "\\u{d800}"
    assert width("注文") == 4
    assert width("e\u0301") == 1
    assert pad("注", 4) == "注  "
    assert lay_out("a\tb")[0] == "a   b"


def test_commands_of_a_ci_runner_are_defused() -> None:
    assert defuse("::error::x") == "\\::error::x"
    assert defuse("a\n  ::error::x\n") == "a\n  \\::error::x\n"
    assert defuse("a\n\u3000::x") == "a\n\u3000\\::x"
    assert defuse("a ##[error] b") == "a ##\\[error] b"
    assert defuse("a::b and 1 | ::x") == "a::b and 1 | ::x"


def test_json_keeps_the_value_and_shows_nothing_that_acts() -> None:
    message = "##[error] \u202e \u2028 \x9b \U000e0001 注文 \x1b é \ud800"
    finding = Finding("WP501", Severity.ERROR, message, None)
    rendered = json_report.render(Report(findings=(finding,)))
    assert json.loads(rendered)["findings"][0]["message"] == message
    assert "注文" in rendered
    assert not set(rendered) & set("\u202e\u2028\x9b\U000e0001\x1b\ud800")
    assert "##[" not in rendered


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "expected"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_who_decides_about_colour(choice: str, environment: dict[str, str], terminal: bool, expected: bool) -> None:
    assert wants_colour(choice, environment, terminal) is expected


def test_colour_adds_nothing_but_colour() -> None:
    source = _source("one\ntwo\n")
    finding = _finding(_span(source, "one"), Label(_span(source, "two"), "x"), notes=("n",))
    coloured = render_finding(finding, {source.path: source}, Palette(True))
    stripped = "".join(
        piece.partition("m")[2] if index else piece for index, piece in enumerate(coloured.split("\x1b["))
    )
    assert stripped == render_finding(finding, {source.path: source}, PLAIN)


def test_a_table_is_aligned_by_display_width() -> None:
    rows = [[["注文"], ["a", "b"]], [["x"], []]]
    shown = render_table(("id", "what"), rows, PLAIN.paint, [["", ""], ["", ""]])
    assert shown.split("\n") == ["id    what", "注文  a", "      b", "x"]


def test_order_and_duplicates() -> None:
    source = _source("one two\n")
    first, second = _finding(_span(source, "one")), _finding(_span(source, "two"))
    pointer, nowhere = _finding(Pointer("a.scenario", "/x")), _finding(None)
    assert in_order([second, first, nowhere, second, pointer]) == (nowhere, pointer, first, second)


def test_views() -> None:
    findings = tuple(Finding(f"WP{index}", severity, "…") for index, severity in enumerate(Severity))
    report = Report(findings=findings, suppressed=(Finding("WP9", Severity.ERROR, "…"),))
    assert [one.code for one in View().findings(report)] == ["WP0", "WP1"]
    assert [one.code for one in View(quiet=True).findings(report)] == ["WP0"]
    assert [one.code for one in View(verbose=True).findings(report)] == ["WP0", "WP1", "WP2", "WP9"]
    assert text.render(Report(), PLAIN, View()) == concise.render(Report(), PLAIN, View()) == ""
