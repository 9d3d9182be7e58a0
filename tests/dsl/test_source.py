"""Reading bytes: what is refused, and where lines and columns are."""

from __future__ import annotations

import pytest

from wellposed.dsl.findings import Span
from wellposed.dsl.source import MAX_SOURCE_BYTES, SourceFile, describe_character, is_invisible, read_source


def test_a_text_is_read_as_it_is() -> None:
    source, findings = read_source("scenarios/a.scenario", "é\r\n中𝄞x\n".encode())
    assert findings == ()
    assert source == SourceFile("scenarios/a.scenario", "é\r\n中𝄞x\n")


def test_an_empty_file_is_a_text() -> None:
    source, findings = read_source("a.scenario", b"")
    assert findings == ()
    assert source is not None
    assert source.line_count == 1
    assert source.line_text(1) == ""


def test_lines_and_columns_count_code_points() -> None:
    source = SourceFile("a", "ab\r\n中𝄞x\n")
    assert source.line_count == 3
    assert [source.line_text(n) for n in (1, 2, 3)] == ["ab", "中𝄞x", ""]
    assert source.span(6, 7) == Span("a", 6, 7, 2, 3, 2, 4)
    assert source.text_of(source.span(6, 7)) == "x"
    assert source.position(0) == (1, 1)
    assert source.position(len(source.text)) == (3, 1)


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_line_that_is_not_there(number: int) -> None:
    with pytest.raises(IndexError):
        SourceFile("a", "x\ny\n").line_text(number)


def _only(raw: bytes) -> tuple[str, int, int]:
    source, findings = read_source("a.scenario", raw)
    assert source is None
    (finding,) = findings
    assert isinstance(finding.place, Span)
    assert finding.place.path == "a.scenario"
    return finding.code, finding.place.line, finding.place.column


def test_the_size_limit_is_in_bytes() -> None:
    full = "é".encode() * (MAX_SOURCE_BYTES // 2)
    assert read_source("a.scenario", b"#" + full[:-2] + b"\n")[1] == ()
    assert _only(full + b"#") == ("WP101", 1, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        b"\xff",
        b"\xc3",
        b"\xc0\xaf",  # overlong
        b"\xed\xa0\x80",  # a surrogate
        b"\xf4\x90\x80\x80",  # beyond U+10FFFF
        b"\x80",
    ],
)
def test_wrong_utf8_is_found_where_it_stands(wrong: bytes) -> None:
    assert _only("# 中\n# é".encode() + wrong) == ("WP102", 2, 4)


def test_a_byte_order_mark_is_refused() -> None:
    assert _only(b"\xef\xbb\xbfscenario") == ("WP103", 1, 1)


def test_other_encodings_are_refused() -> None:
    assert _only("scenario".encode("utf-16"))[0] == "WP102"
    assert _only("scenario".encode("utf-16-be"))[0] == "WP105"


def test_a_bare_carriage_return_is_refused_once() -> None:
    assert _only(b"# a\r\n# b\r# c\r# d\n") == ("WP104", 2, 4)
    assert _only(b"# a\r") == ("WP104", 1, 4)
    assert _only(b"# a\r\r\n") == ("WP104", 1, 4)


def test_a_null_is_refused() -> None:
    assert _only(b"# a\n\0\0") == ("WP105", 2, 1)


def test_nulls_and_returns_are_two_findings() -> None:
    source, findings = read_source("a.scenario", b"\r\0")
    assert source is None
    assert [finding.code for finding in findings] == ["WP104", "WP105"]


@pytest.mark.parametrize("character", "\u202e\u2066\u200b\u200d\ufeff\xad\x1b\x7f\x85\u2028\u2029\U000e0041\u061c")
def test_invisible_characters(character: str) -> None:
    assert is_invisible(character)


@pytest.mark.parametrize("character", " \tazéß中𝄞\xa0\u0301👍\ufe0f")
def test_visible_characters(character: str) -> None:
    assert not is_invisible(character)


def test_characters_are_named() -> None:
    assert describe_character("\u202e") == "U+202E RIGHT-TO-LEFT OVERRIDE"
    assert describe_character("\x1b") == "U+001B"
