"""The formatter in small: spacing, the width of a line, texts without code, texts with errors."""

from __future__ import annotations

import pytest
from tests.dsl.formats import check_layout, laid_out

from wellposed.dsl import format as formatter
from wellposed.dsl.format import format_source
from wellposed.dsl.format_layout import WIDTH
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile


def source(text: str, path: str = "a.scenario") -> SourceFile:
    return SourceFile(path, text)


def statement(written: str) -> str:
    """How one statement at a tick is laid out."""
    text = check_layout(source(f"scenario s {{ at 0 {written}\n}}"))
    return text.removeprefix("scenario s {\n  at 0 ").removesuffix("\n}\n")


def claims(written: str) -> str:
    """How the contents of `expect` are laid out, without their indentation."""
    text = check_layout(source(f"scenario s {{ expect {{\n{written}\n}} }}"))
    lines = text.removeprefix("scenario s {\n  expect {\n").removesuffix("  }\n}\n").split("\n")
    return "\n".join(line.removeprefix("    ") for line in lines).rstrip("\n")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", ""),
        ("\n \r\n\t\n", ""),
        ("# alone", "# alone\n"),
        ("\n\n  # first \r\n\r\n\r\n\t# second\t", "# first\n\n# second\n"),
        ("scenario s{}", "scenario s {}\n"),
        ("scenario s {\n\n}", "scenario s {}\n"),
    ],
)
def test_texts_with_next_to_nothing_in_them(written: str, expected: str) -> None:
    assert check_layout(source(written)) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("jump   to\n 2*( 3+i )-1", "jump to 2 * (3 + i) - 1"),
        ("jump by i-1 - 1", "jump by i-1 - 1"),
        ("jump to m [ 1 ][ i +1 ]", "jump to m[1][i + 1]"),
        ("jump to (((5)))", "jump to (((5)))"),
        ("go  :  approve m", "go: approve m"),
        ("go[ i ]:approve m", "go[i]: approve m"),
        ("approve`at`", "approve `at`"),
        ('deliver m in c""with{from"a"}as n', 'deliver m in c "" with { from "a" } as n'),
        ('forge approval"f"for draft"ghost-1"', 'forge approval "f" for draft "ghost-1"'),
        ("kill\nagent\nof\nm", "kill agent of m"),
    ],
)
def test_spacing_of_statements(written: str, expected: str) -> None:
    assert statement(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("m1 , m2 distinct", "m1, m2 distinct"),
        ("any of{m sent}or{m open}", "any of { m sent } or { m open }"),
        ("any of { m sent m open } or\n{ m open }", "any of { m sent  m open } or { m open }"),
        ("if m sent\nthen m open\nelse m completed", "if m sent then m open else m completed"),
        ("m sent within(2)of go", "m sent within (2) of go"),
        ("m reassigned or\norphaned state\nagrees", "m reassigned or orphaned\nstate agrees"),
    ],
)
def test_spacing_of_expectations(written: str, expected: str) -> None:
    assert claims(written) == expected


@pytest.mark.parametrize("operator", ["=", "!=", "<", "<=", ">", ">="])
def test_spacing_of_conditions(operator: str) -> None:
    written = f'rules r {{ admit a when thread.length{operator}2 and from not in["x","y"] }}'
    expected = f'rules r {{ admit a when thread.length {operator} 2 and from not in ["x", "y"] }}\n'
    assert check_layout(source(written)) == expected


def test_a_block_stays_on_its_line_as_long_as_that_fits() -> None:
    for length in range(WIDTH - 60, WIDTH):
        line = f"  expect {{ {'m' * length} sent }}"
        text = check_layout(source(f"scenario s {{\n{line}\n}}"))
        assert (line in text) == (len(line) <= WIDTH)


def test_a_comment_behind_a_line_does_not_count() -> None:
    line = f"  expect {{ {'m' * (WIDTH - 20)} sent }}"
    assert len(line) <= WIDTH
    assert f"{line}  # why" in check_layout(source(f"scenario s {{\n{line} # why\n}}"))


def test_a_list_is_broken_as_late_as_possible() -> None:
    for count in range(1, 80):
        names = ", ".join(f"system-{number}" for number in range(count))
        text = check_layout(source(f"scenario s {{ catches {names}\n}}"))
        first, *others = text.removeprefix("scenario s {\n").removesuffix("\n}\n").split("\n")
        assert first.startswith("  catches system-0") and all(line.startswith("      system-") for line in others)
        lines = [first, *others]
        assert all(len(line) <= WIDTH for line in lines)
        for line, following in zip(lines, others, strict=False):
            assert len(line) + 1 + len(following.strip().split(" ")[0]) > WIDTH


def test_strings_in_triple_quotes_are_not_touched() -> None:
    string = '"""\n \tone  \n\n \t   # "two" \\" {\n \t"""'
    text = check_layout(source(f"scenario s {{ at 0 deliver m in c {string} as n }}"))
    assert f"  at 0 deliver m in c {string} as n\n" in text
    assert laid_out(source(f"scenario s {{ at 0 deliver m in c {string} as n }}".replace("\n", "\r\n"))) == text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.scenario", "scenario s { at }"),
        ("a.scenario", "scenario s { horizon 007 }"),
        ("a.scenario", 'scenario s { title "a" title "b" }'),
        ("a.scenario", "# \u202e\n"),
        ("a.rules", "scenario s { }"),
    ],
)
def test_a_text_with_errors_has_no_layout(path: str, text: str) -> None:
    given = source(text, path)
    formatted, findings = format_source(given)
    assert formatted is None
    assert findings == parse(given)[1] != ()


def test_deep_nesting() -> None:
    claim = "m open"
    for _ in range(28):
        claim = f"any of {{ {claim} }} or {{ m open }}"
    text = check_layout(source(f"scenario s {{ expect {{ {claim} }} }}"))
    assert max(map(len, text.split("\n"))) <= WIDTH


def test_a_layout_that_loses_something_is_never_given_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatter, "text_of", lambda lines: "scenario s {}\n")
    assert laid_out(source("scenario s { }")) == "scenario s {}\n"
    with pytest.raises(AssertionError, match="would change what it says"):
        format_source(source("scenario s { } # why"))
