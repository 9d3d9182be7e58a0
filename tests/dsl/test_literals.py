"""Strings and numbers: what they mean, and every way to get them wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wellposed.dsl import tree

Read = Callable[..., tree.File]


def header_value(read: Read, word: str, written: str) -> Any:
    (scenario,) = read(f"scenario s {{ {word} {written} }}").declarations
    assert isinstance(scenario, tree.Scenario)
    return scenario.headers[0].value


def parts(text: tree.Text) -> list[str]:
    return [part if isinstance(part, str) else f"<{part.name}>" for part in text.parts]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('""', []),
        ('"a"', ["a"]),
        (r'"\""', ['"']),
        (r'"\\"', ["\\"]),
        (r'"\\\""', ['\\"']),
        (r'"a\nb\tc"', ["a\nb\tc"]),
        (r'"\u{41}\u{1F600}\u{e9}"', ["A😀é"]),
        (r'"\u{202E}"', ["\u202e"]),
        (r'"\u{10FFFF}"', ["\U0010ffff"]),
        (r'"\u{000041}"', ["A"]),
        ('"{anchor}"', ["<anchor>"]),
        ('"a{anchor}b{i}{j-1}"', ["a", "<anchor>", "b", "<i>", "<j-1>"]),
        (r'"\{anchor}"', ["{anchor}"]),
        (r'"\{anchor\}"', ["{anchor}"]),
        (r'"\\{anchor}"', ["\\", "<anchor>"]),
        (r'"\u{7B}anchor}"', ["{anchor}"]),
        ('"{ anchor }"', ["{ anchor }"]),
        ('"{}"', ["{}"]),
        ('"{"', ["{"]),
        ('"}"', ["}"]),
        ('"{{a}}"', ["{", "<a>", "}"]),
        ('"{a.b}"', ["{a.b}"]),
        ('"{i - 1}"', ["{i - 1}"]),
        ('"{1}"', ["{1}"]),
        ('"# not a comment"', ["# not a comment"]),
        ('"tab\there"', ["tab\there"]),
        ('"中𝄞é"', ["中𝄞é"]),
    ],
)
def test_strings(tree_of: Read, written: str, meant: list[str]) -> None:
    assert parts(header_value(tree_of, "title", written)) == meant


def test_placeholders_are_found_where_they_stand(tree_of: Read) -> None:
    text = 'scenario s { title "\\u{4E2D}中 {anchor}\\n{i}" }'
    (scenario,) = tree_of(text).declarations
    assert isinstance(scenario, tree.Scenario)
    value = scenario.headers[0].value
    assert isinstance(value, tree.Text)
    spans = [part.span for part in value.parts if isinstance(part, tree.Placeholder)]
    assert [text[span.start : span.end] for span in spans] == ["{anchor}", "{i}"]
    assert spans[0] == value.parts[1].span  # type: ignore[union-attr]


def test_nothing_is_replaced_in_rules_imports_skins_and_reasons(tree_of: Read) -> None:
    text = r"""import "{a}.rules"
        rules r { admit x when subject contains "{a}\{b}" }
        skin k { agent "{a}" }
        scenario s { rejected invalid "{a}" }"""
    file = tree_of(text)
    rules, skin, scenario = file.declarations
    assert isinstance(rules, tree.Rules)
    assert isinstance(skin, tree.Skin)
    assert isinstance(scenario, tree.Scenario)
    (value,) = rules.rules[0].conditions[0].values
    assert isinstance(value, tree.Text)
    assert value.parts == ("{a}{b}",)
    assert file.imports[0].path.parts == ("{a}.rules",)
    assert skin.entries[0].text.parts == ("{a}",)
    assert isinstance(scenario.items[0], tree.Rejected)
    assert scenario.items[0].reason.parts == ("{a}",)


@pytest.mark.parametrize(
    "escape",
    [
        *(r"\q", r"\N", r"\0", r"\x41", r"\'", r"\ ", r"\u", r"\u41", r"\u{}", r"\u{0}", r"\u{00}", r"\u{D800}"),
        *(r"\u{dfff}", r"\u{110000}", r"\u{0000041}", r"\u{ 41}", r"\u{4_1}", r"\u{+41}", r"\u{٤١}", r"\u{xyz}"),
    ],
)
def test_wrong_escapes(complaints_about: Callable[..., Any], escape: str) -> None:
    (complaint,) = complaints_about(f'scenario s {{ title "a{escape}z" }}')
    assert complaint.code == "WP112"
    assert escape.startswith(complaint.at)
    assert complaint.behind == 'scenario s { title "a'
    assert "is not an escape" in complaint.message
    assert complaint.help.startswith("the escapes are")


def test_an_escape_that_runs_out(complaints_about: Callable[..., Any]) -> None:
    (complaint,) = complaints_about('scenario s { title "\\u{41" }')
    assert (complaint.code, complaint.at) == ("WP112", "\\u{41")


@pytest.mark.parametrize("number", [0, 7, 10, 200, 2**53 - 1])
def test_numbers(tree_of: Read, number: int) -> None:
    value = header_value(tree_of, "horizon", str(number))
    assert isinstance(value, tree.Number)
    assert value.value == number


@pytest.mark.parametrize(
    ("written", "code", "words"),
    [
        ("007", "WP113", "has leading zeros"),
        ("00", "WP113", "has leading zeros"),
        ("0x10", "WP113", "is not a decimal number"),
        ("0b1", "WP113", "is not a decimal number"),
        ("1e3", "WP113", "has an exponent"),
        ("1E3", "WP113", "has an exponent"),
        ("1_000", "WP113", "has underscores"),
        ("1.5", "WP113", "is not a whole number"),
        ("1.5.2", "WP113", "is not a whole number"),
        ("5ticks", "WP113", "is neither a number nor a name"),
        ("9007199254740992", "WP114", "larger than 9007199254740991"),
        ("10000000000000000", "WP114", "larger than"),
        ("9" * 5000, "WP114", "larger than"),
    ],
)
def test_wrong_numbers(complaints_about: Callable[..., Any], written: str, code: str, words: str) -> None:
    (complaint,) = complaints_about(f"scenario s {{ horizon {written} }}")
    assert (complaint.code, complaint.at) == (code, written)
    assert words in complaint.message
    assert len(complaint.message) < 100


def test_several_wrong_literals_are_several_findings_in_order(complaints_about: Callable[..., Any]) -> None:
    text = 'scenario s { title "\\q \\w" horizon 007\n at 0x1 crash\n at 1e3 deliver m in c "\\z" }'
    assert [(one.code, one.at) for one in complaints_about(text)] == [
        ("WP112", "\\q"),
        ("WP112", "\\w"),
        ("WP113", "007"),
        ("WP113", "0x1"),
        ("WP113", "1e3"),
        ("WP112", "\\z"),
    ]


def test_wrong_literals_are_reported_with_errors_of_syntax(complaints_about: Callable[..., Any]) -> None:
    text = "scenario s { horizon 007 at crash at 008 crash }"
    assert [(one.code, one.at) for one in complaints_about(text)] == [
        ("WP113", "007"),
        ("WP120", "crash"),
        ("WP113", "008"),
    ]


def test_findings_are_bounded(complaints_about: Callable[..., Any]) -> None:
    text = "scenario s { " + "at 007 crash " * 500 + "}"
    assert len(complaints_about(text)) == 100


# Strings in triple quotes


LONG = {
    """\"\"\"\n  one\n  two\n  \"\"\"""": ["one\ntwo"],
    """\"\"\"\n    one\n      two\n  \"\"\"""": ["  one\n    two"],
    """\"\"\"\n\"\"\"""": [],
    """\"\"\"\n\n\"\"\"""": [],
    """\"\"\"\n  \n  \"\"\"""": [],
    """\"\"\"\n\n\n  \"\"\"""": ["\n"],
    """\"\"\"\n  one\n\n  two\n\n  \"\"\"""": ["one\n\ntwo\n"],
    """\"\"\"\n  one\n   \n two\n \"\"\"""": [" one\n  \ntwo"],
    """\"\"\"\n\tone\n\t\ttwo\n\t\"\"\"""": ["one\n\ttwo"],
    """\"\"\" \t\n  one\n  \"\"\"""": ["one"],
    """\"\"\"\r\n  one\r\n  two\r\n  \"\"\"""": ["one\ntwo"],
    """\"\"\"\n  a "quoted" ""text""\n  \"\"\"""": ['a "quoted" ""text""'],
    """\"\"\"\n  three: \\"\\"\\"\n  \"\"\"""": ['three: """'],
    """\"\"\"\n  a\\nb \\u{41}\\\\\n  \"\"\"""": ["a\nb A\\"],
    """\"\"\"\n  {anchor} and\n  {i}\\{j}\n  \"\"\"""": ["<anchor>", " and\n", "<i>", "{j}"],
    """\"\"\"\n  # no comment\n  \"\"\"""": ["# no comment"],
    """\"\"\"\n  one\n  \"\"\" # a comment\n""": ["one"],
}


@pytest.mark.parametrize("written", LONG)
def test_strings_in_triple_quotes(tree_of: Read, written: str) -> None:
    assert parts(header_value(tree_of, "title", written)) == LONG[written]


def test_placeholders_in_triple_quotes_are_found_where_they_stand(tree_of: Read) -> None:
    text = 'scenario s { title """\r\n    a\r\n    {anchor}\r\n    中{i}\r\n  """ level L0 }'
    (scenario,) = tree_of(text).declarations
    assert isinstance(scenario, tree.Scenario)
    value = scenario.headers[0].value
    assert isinstance(value, tree.Text)
    spans = [part.span for part in value.parts if isinstance(part, tree.Placeholder)]
    assert [text[span.start : span.end] for span in spans] == ["{anchor}", "{i}"]
    assert [(span.line, span.column) for span in spans] == [(3, 5), (4, 6)]
    assert (value.span.line, value.span.end_line, value.span.end_column) == (1, 5, 6)


@pytest.mark.parametrize(
    ("written", "at", "line", "words"),
    [
        ('"""one"""', '"""', 1, "ends its line"),
        ('""""""', '"""', 1, "ends its line"),
        ('"""one\n  """', '"""', 1, "ends its line"),
        ('"""\n  one"""', '"""', 2, "on a line of its own"),
        ('"""\n  one\n two\n  """', " t", 3, "indented less"),
        ('"""\n  one\n\ttwo\n  """', "\tt", 3, "indented less"),
    ],
)
def test_triple_quotes_stand_on_lines_of_their_own(
    complaints_about: Callable[..., Any], written: str, at: str, line: int, words: str
) -> None:
    text = f"scenario s {{ title {written} }}"
    (complaint,) = complaints_about(text)
    assert (complaint.code, complaint.at) == ("WP119", at)
    assert words in complaint.message
    assert text.split("\n")[line - 1].startswith(complaint.behind)


def test_wrong_escapes_in_triple_quotes(complaints_about: Callable[..., Any]) -> None:
    complaints = complaints_about('scenario s { title """\n  a\\q\n  b\\\n  """ }')
    assert [(one.code, one.at, one.behind) for one in complaints] == [("WP112", "\\q", "  a"), ("WP112", "\\", "  b")]


@pytest.mark.parametrize("written", ['"""', '"""\n  one', '"""\n  one\n  ""', '"""\n  \\"""', '"""\n  \\'])
def test_triple_quotes_that_are_never_closed(complaints_about: Callable[..., Any], written: str) -> None:
    (complaint,) = complaints_about(f"scenario s {{ title {written}")
    assert (complaint.code, complaint.at) == ("WP111", '"""')


# Names in backquotes


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("``", "no name between"),
        ("`a b`", "cannot be a name"),
        ("`.a`", "cannot be a name"),
        ("`-a`", "cannot be a name"),
        ("`é`", "cannot be a name"),
        ("`a", "is not closed"),
        ("`", "is not closed"),
    ],
)
def test_wrong_names_in_backquotes(complaints_about: Callable[..., Any], written: str, words: str) -> None:
    (complaint,) = complaints_about(f"scenario s {{ at 1 approve {written}\n}}")
    assert (complaint.code, complaint.at) == ("WP110", written)
    assert words in complaint.message
