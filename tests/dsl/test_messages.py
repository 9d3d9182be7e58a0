"""What an author is told: one row per mistake, with the text that is underlined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

SCENARIO = """scenario s {
  title "x"
  level L0
  horizon 40

  conversation order {
    from "a"
    subject "b"
    anchor "c"
  }

  at 0 deliver m1 in order "hi"
  at 12 {
    approve m1
    escalate m1
  }

  expect {
    m1 sent exactly once within 10
    m1 abandoned because rejected
    m2 never sent
  }
}
"""
RULES = """rules r {
  admit x when subject contains "order" and from in ["a", "b"]
  refuse rest
}
"""

# What is written, what is written instead, the code, the underlined text with what stands before it on its line, and
# the message.
MISTAKES = [
    # an operand is missing
    ("at 0 deliver", "at deliver", "WP120", "  at |deliver", "expected a tick after `at`, found `deliver`"),
    ("deliver m1", "deliver", "WP120", "  at 0 deliver |in", "expected a message name after `deliver`, found `in`"),
    (
        "in order ",
        "",
        "WP120",
        '  at 0 deliver m1 |"hi"',
        "expected `in` and a conversation after `m1`, found a string",
    ),
    ("in order ", "in ", "WP120", '  at 0 deliver m1 in |"hi"', "expected a conversation after `in`, found a string"),
    ('order "hi"', "order", "WP120", "  at 0 deliver m1 in order|", "expected a string after `order`"),
    ("within 10", "within", "WP120", "    m1 sent exactly once within|", "expected a number of ticks after `within`"),
    (
        *("within 10", "within 10 of", "WP120", "    m1 sent exactly once within 10 of|"),
        "expected a message or named statement after `of`",
    ),
    (
        *("because rejected", "because", "WP120", "    m1 abandoned because|"),
        "expected a reason such as `operator_escalation` after `because`",
    ),
    (
        "never sent",
        "not sent after",
        "WP120",
        "    m2 not sent after|",
        "expected a message or named statement after `after`",
    ),
    ("approve m1", "approve", "WP120", "    approve|", "expected a message name after `approve`"),
    ("approve m1", "approve m1 as", "WP120", "    approve m1 as|", "expected a name for the statement after `as`"),
    ("approve m1", "posture", "WP120", "    posture|", "expected a posture such as `normal` after `posture`"),
    ("approve m1", "repeat", "WP120", "    repeat|", "expected the name of a decision or signal after `repeat`"),
    ("approve m1", "jump 5", "WP120", "    jump |5", "expected `by` or `to` after `jump`, found `5`"),
    ("approve m1", "jump to", "WP120", "    jump to|", "expected a tick after `to`"),
    ("approve m1", "kill m1", "WP120", "    kill |m1", "expected `agent` after `kill`, found `m1`"),
    (
        "approve m1",
        "kill agent m1",
        "WP120",
        "    kill agent |m1",
        "expected a string or `of` after `agent`, found `m1`",
    ),
    (
        "approve m1",
        "forge m1",
        "WP120",
        "    forge |m1",
        "expected `approval` or `rejection` after `forge`, found `m1`",
    ),
    (
        "approve m1",
        'forge approval "f" m1',
        "WP120",
        '    forge approval "f" |m1',
        "expected `for` after the string, found `m1`",
    ),
    (
        *("approve m1", 'forge approval "f" for m1', "WP120", '    forge approval "f" for m1|'),
        "expected `with wrong hash` after `m1`",
    ),
    ("at 12 {", "at 12 + {", "WP120", "  at 12 + |{", "expected a number or a name after `+`, found `{`"),
    ("at 12 {", "at -12 {", "WP120", "  at |-", "expected a tick after `at`, found `-`"),
    ("at 12 {", "when m1 {", "WP120", "  when m1 |{", "expected `admitted`, `drafted` or `sent` after `m1`, found `{`"),
    (
        *("at 12 {", "at 12 = {", "WP120", "  at 12 |="),
        "expected a statement such as `approve m1` or a block of statements after `12`, found `=`",
    ),
    ('title "x"', "title x", "WP120", "  title |x", "expected a string after `title`, found `x`"),
    ("level L0", "level 6", "WP120", "  level |6", "expected a level such as `L6` after `level`, found `6`"),
    ("horizon 40", 'horizon "40"', "WP120", '  horizon |"40"', "expected a tick after `horizon`, found a string"),
    ("scenario s", "scenario", "WP120", "scenario |{", "expected a scenario name after `scenario`, found `{`"),
    ("scenario s {", "scenario s", "WP120", "scenario s|", "expected `{` after `s`"),
    ("order {", "order", "WP120", "  conversation order|", "expected `{` after `order`"),
    ("expect {", "expect m1 sent {", "WP120", "  expect |m1", "expected `{` after `expect`, found `m1`"),
    # expectations
    (
        "m1 sent",
        "m1 snet",
        "WP120",
        "    m1 |snet",
        "expected an expectation word such as `sent` after `m1`, found `snet`",
    ),
    ("m1 sent", "sent", "WP120", "    |sent", "expected an expectation such as `m1 sent`, found `sent`"),
    (
        "m2 never sent",
        "never sent",
        "WP120",
        "    |never",
        "expected an expectation such as `m1 sent` or `}`, found `never`",
    ),
    ("m2 never sent", "m2 never", "WP120", "    m2 never|", "expected `sent` after `never`"),
    ("m2 never sent", "m2", "WP120", "    m2|", "expected an expectation word such as `sent` after `m2`"),
    ("m2 never sent", "m1, m2", "WP120", "    m1, m2|", "expected `distinct` after `m2`"),
    (
        "exactly once",
        "exactly",
        "WP120",
        "    m1 sent exactly |within",
        "expected `once` after `exactly`, found `within`",
    ),
    ("m1 sent", "if m1 open m1 sent", "WP120", "    if m1 open |m1", "expected `then` after `open`, found `m1`"),
    (
        *("m1 sent", "if m1 open then m1 open m1 sent", "WP120", "    if m1 open then m1 open |m1"),
        "expected `else` after `open`, found `m1`",
    ),
    (
        "m1 sent",
        "any of { m1 open } m1 sent",
        "WP120",
        "    any of { m1 open } |m1",
        "expected `or` after `}`, found `m1`",
    ),
    ("m1 sent", "any { m1 open } m1 sent", "WP120", "    any |{", "expected `of` after `any`, found `{`"),
    (
        *("m2 never sent", "deliver m2", "WP120", "    |deliver"),
        "expected an expectation such as `m1 sent` or `}`, found `deliver`",
    ),
    # misspelt and misplaced words
    ("approve m1", "aprove m1", "WP120", "    |aprove", "expected a statement such as `approve m1`, found `aprove`"),
    (
        "approve m1",
        "approve m1 go",
        "WP120",
        "    approve m1 |go",
        "expected a statement such as `approve m1`, `as` or `}`, found `go`",
    ),
    (
        *("level L0", "lvel L0", "WP120", "  |lvel"),
        "expected a header line such as `title`, an item such as `at` or `}`, found `lvel`",
    ),
    ('from "a"', 'form "a"', "WP120", "    |form", "expected `from`, `subject`, `anchor` or `}`, found `form`"),
    (
        *("scenario s", "scenarioo s", "WP120", "|scenarioo"),
        "expected an `import`, a declaration (`scenario`, `family`, `rules` or `skin`) or the end of the file, found `scenarioo`",
    ),
    ("at 12 {", "{", "WP120", "  |{", "expected an item such as `at` or `}`, found `{`"),
    ("at 12 {", "at 12", "WP120", "    |escalate", "expected an item such as `at` or `}`, found `escalate`"),
    (
        "level L0",
        "level L0 }",
        "WP120",
        "  |horizon",
        "expected a declaration (`scenario`, `family`, `rules` or `skin`) or the end of the file, found `horizon`",
    ),
    # brackets
    ('anchor "c"\n  }', 'anchor "c"', "WP121", "  |at", "a `}` is missing before `at`"),
    ("escalate m1\n  }", "escalate m1", "WP121", "  |expect", "a `}` is missing before `expect`"),
    ("approve m1", "approve m1 at 13 crash", "WP121", "    approve m1 |at", "a `}` is missing before `at`"),
    ("m2 never sent\n  }", "m2 never sent", "WP121", "|}", "a `}` is missing before this `}`"),
    ("m2 never sent\n  }\n}", "m2 never sent\n  }", "WP121", "  }|", "the file ends, but a `{` is still open"),
    (
        *("m2 never sent\n  }\n}", "m2 never", "WP121", "    m2 never|"),
        "expected `sent` after `never`, but the file ends",
    ),
    ("at 12 {", "at (12 {", "WP121", "  at (12 |{", "expected `)` after `12`, found `{`"),
    ("at 12 {", "at (12 } {", "WP121", "  at (12 |}", "this `}` does not close `(`"),
    ("within 10", "within 10)", "WP122", "    m1 sent exactly once within 10|)", "this `)` closes nothing"),
    ("never sent\n  }\n}", "never sent\n  }\n}\n}", "WP122", "|}", "this `}` closes nothing"),
    # words as names
    ("deliver m1", "deliver for", "WP123", "  at 0 deliver |for", "`for` is a word of the language"),
    (
        "deliver m1",
        "deliver hold",
        "WP123",
        "  at 0 deliver |hold",
        "`hold` is a word of the language",
    ),
    ("m1 sent", "reply sent", "WP123", "    |reply", "`reply` is a word of the language"),
    (
        "m1 sent",
        "m1 sent m1, draft distinct m1 sent",
        "WP123",
        "    m1 sent m1, |draft",
        "`draft` is a word of the language",
    ),
    (
        "approve m1",
        "stub: approve m1",
        "WP123",
        "    |stub",
        "`stub` is a word of the language",
    ),
    (
        "approve m1",
        "approve m1 as deferred",
        "WP123",
        "    approve m1 as |deferred",
        "`deferred` is a word of the language",
    ),
    ("scenario s", "scenario approval", "WP123", "scenario |approval", "`approval` is a word of the language"),
    ("conversation order", "conversation open", "WP123", "  conversation |open", "`open` is a word of the language"),
    (
        "within 10",
        "within 10 of crash",
        "WP123",
        "    m1 sent exactly once within 10 of |crash",
        "`crash` is a word of the language",
    ),
    # order
    (
        "  expect {",
        '  title "z"\n  expect {',
        "WP124",
        "  |title",
        "`title` comes too late; the header lines of a scenario come before its items",
    ),
    (
        "  expect {",
        "  rules all\n  expect {",
        "WP124",
        "  |rules",
        "`rules` comes too late; the header lines of a scenario come before its items",
    ),
    (
        "sent\n  }\n}",
        'sent\n  }\n}\nimport "x"',
        "WP124",
        "|import",
        "this `import` comes too late; imports come before all declarations",
    ),
    # twice
    (
        "level L0",
        "level L0 level L1",
        "WP125",
        "  level L0 |level L1",
        "`level` is given twice; a scenario has at most one",
    ),
    (
        'from "a"',
        'from "a" from "a"',
        "WP125",
        '    from "a" |from "a"',
        "`from` is given twice; a conversation has at most one",
    ),
    (
        *('order "hi"', 'order "hi" with { subject "a" subject "b" }', "WP125"),
        *(
            '  at 0 deliver m1 in order "hi" with { subject "a" |subject "b"',
            "`subject` is given twice; a delivery has at most one",
        ),
    ),
    ("approve m1", "x: approve m1 as y", "WP126", "    x: approve m1 |as", "this statement has a name already"),
    ("approve m1", "approve m1 as x as y", "WP126", "    approve m1 as x |as", "this statement has a name already"),
    # loops, families and what belongs to them
    ("scenario s {", "family s {", "WP120", "family s |{", "expected `(` after `s`, found `{`"),
    (
        *("scenario s {", "family s() {", "WP120", "family s(|)"),
        "expected a parameter such as `gap in [1, 2]` after `(`, found `)`",
    ),
    (
        *("scenario s {", "family s(a in) {", "WP120", "family s(a in|)"),
        "expected a list `[…]` or a range such as `1..5` after `in`, found `)`",
    ),
    (
        *("scenario s {", "family s(a in [x] b in [y]) {", "WP120", "family s(a in [x] |b"),
        "expected `,` or `)` after `]`, found `b`",
    ),
    ("scenario s {", "family s(at in [x]) {", "WP123", "family s(|at", "`at` is a word of the language"),
    ("at 12 {", "for i in 3 { at 1 crash } at 12 {", "WP120", "  for i in 3 |{", "expected `..` after `3`, found `{`"),
    (
        *("at 12 {", "for 1..3 { at 1 crash } at 12 {", "WP120", "  for |1"),
        "expected a name for the loop's number after `for`, found `1`",
    ),
    (
        *("at 12 {", "at 5 for i in 1..2 { crash } at 12 {", "WP120", "  at 5 |for"),
        "expected a statement such as `approve m1` or a block of statements after `5`, found `for`",
    ),
    (
        *("m1 sent", "any of { for i in 1..2 { m[i] open } } or { m1 open } m1 sent", "WP120", "    any of { |for"),
        "expected an expectation such as `m1 sent`, found `for`",
    ),
    ("at 12 {", "stub { } at 12 {", "WP120", "  stub { |}", "expected `anchors`, `reply` or `for`, found `}`"),
    (
        "at 12 {",
        "stub { anchors order } at 12 {",
        "WP120",
        "  stub { anchors |order",
        "expected `[` after `anchors`, found `order`",
    ),
    (
        "at 12 {",
        "catches at 12 {",
        "WP120",
        "  catches |at",
        "expected a faulty system such as `idle` after `catches`, found `at`",
    ),
    ("at 12 {", "allow WP501 at 12 {", "WP120", "  allow WP501 |at", "expected a string after `WP501`, found `at`"),
    (
        "at 12 {",
        'allow "x" at 12 {',
        "WP120",
        '  allow |"x"',
        "expected a code such as `WP501` after `allow`, found a string",
    ),
    (
        *("level L0", 'allow WP501 "x" level L0', "WP120", '  allow WP501 "x" |level'),
        "expected an item such as `at` or `allow` after the string, found `level`",
    ),
    ("approve m1", "approve m1[3", "WP121", "    approve m1[3|", "expected `]` after `3`"),
    ("approve m1", "approve m1[]", "WP120", "    approve m1[|]", "expected a number or a name after `[`, found `]`"),
    ("approve m1", "approve m1]", "WP122", "    approve m1|]", "this `]` closes nothing"),
    ("approve m1", "aprove m[1]", "WP120", "    |aprove", "expected a statement such as `approve m1`, found `aprove`"),
    (
        "approve m1",
        "go[1] approve m1",
        "WP120",
        "    |go[1]",
        "expected a statement such as `approve m1`, found `go[1]`",
    ),
    # an operand that may belong to either side
    (
        *("m1 sent exactly", "m1 sent within m3 sent exactly", "WP120", "    m1 sent within |m3"),
        "expected a number of ticks before `m3`, or a name after it",
    ),
    # signs
    ("approve m1", "approve m1;", "WP110", "    approve m1|;", "`;` has no meaning in this language"),
    ("approve m1", "approve m1 // x", "WP110", "    approve m1 |//", "`/` has no meaning in this language"),
    ("approve m1", "approve café-1", "WP110", "    approve |café-1", "`café-1` is neither a name nor a number"),
    ("approve m1", "approve _m", "WP110", "    approve |_m", "`_m` is neither a name nor a number"),
    ("at 12", "at ١٢", "WP110", "  at |١٢", "`١٢` is neither a name nor a number"),
    ("approve m1", "approve @m1", "WP110", "    approve |@", "`@` has no meaning in this language"),
    ("approve m1", "approve\xa0m1", "WP110", "    approve|\xa0", "U+00A0 NO-BREAK SPACE cannot stand here"),
    ('title "x"', "title 'x'", "WP110", "  title |'", "`'` does not begin a string"),
    ('title "x"', "title “x”", "WP110", "  title |“", "`“` does not begin a string"),
    ('title "x"', 'title "x', "WP111", '  title |"x', "this string is not closed on its line"),
    ('title "x"', 'title "x\\', "WP111", '  title |"x\\', "this string is not closed on its line"),
    ('title "x"', 'title "x\\"', "WP111", '  title |"x\\"', "this string is not closed on its line"),
]


@pytest.mark.parametrize(("old", "new", "code", "place", "message"), MISTAKES, ids=lambda value: None)
def test_mistakes(
    complaints_about: Callable[..., Any], old: str, new: str, code: str, place: str, message: str
) -> None:
    assert SCENARIO.count(old) >= 1
    (complaint,) = complaints_about(SCENARIO.replace(old, new, 1))
    assert f"{complaint.behind}|{complaint.at}" == place
    assert (complaint.code, complaint.message) == (code, message)


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("refuse rest\n", "refuse spam\n", "  refuse spam|", "expected `when` and a condition after `spam`"),
        ("refuse rest\n", "refuse\n", "  refuse|", "expected a rule name or `rest` after `refuse`"),
        (
            "refuse rest\n",
            "deny rest\n",
            "  |deny",
            "expected a rule such as `refuse rest`, `and` or `}`, found `deny`",
        ),
        (
            'subject contains "order" ',
            "",
            "  admit x when |and",
            'expected a condition such as `subject contains "order"` after `when`, found `and`',
        ),
        (
            "contains",
            "has",
            "  admit x when subject |has",
            "expected a comparison such as `is` or `contains` after `subject`, found `has`",
        ),
        (
            'contains "order"',
            "contains",
            "  admit x when subject contains |and",
            "expected a value after `contains`, found `and`",
        ),
        (
            '"a", "b"',
            '"a" "b"',
            '  admit x when subject contains "order" and from in ["a" |"b"',
            "expected `,` or `]` after the string, found a string",
        ),
        (
            '"a", "b"',
            "",
            '  admit x when subject contains "order" and from in [|]',
            "expected a value after `[`, found `]`",
        ),
        (
            '["a", "b"]',
            '["a", "b"',
            '  admit x when subject contains "order" and from in ["a", "b"|',
            "expected `]` after the string",
        ),
        ("rules r", "rules", "rules |{", "expected a rules name after `rules`, found `{`"),
    ],
)
def test_mistakes_in_rules(complaints_about: Callable[..., Any], old: str, new: str, place: str, message: str) -> None:
    (complaint,) = complaints_about(RULES.replace(old, new, 1), "a.rules")
    assert f"{complaint.behind}|{complaint.at}" == place
    assert complaint.message == message


def only(complaints_about: Callable[..., Any], old: str, new: str) -> Any:
    (complaint,) = complaints_about(SCENARIO.replace(old, new, 1))
    return complaint


@pytest.mark.parametrize(
    ("old", "new", "labels"),
    [
        ('anchor "c"\n  }', 'anchor "c"', [("{", 6, "this `{` is never closed")]),
        ("escalate m1\n  }", "escalate m1", [("{", 13, "this `{` is never closed")]),
        ("m2 never sent\n  }", "m2 never sent", [("{", 18, "this `{` is never closed")]),
        ("m2 never sent\n  }\n}", "m2 never sent\n  }", [("{", 1, "this `{` is never closed")]),
        ("m2 never sent\n  }\n}", "any of { m1 open } or { m1 sent\n  }\n}", [("{", 21, "this `{` is never closed")]),
        ("at 12 {", "at (12 {", [("(", 13, "this `(` is never closed")]),
        ("  expect {", '  title "z"\n  expect {', [("conversation", 6, "the items begin here")]),
        ("sent\n  }\n}", 'sent\n  }\n}\nimport "x"', [("scenario", 1, "the declarations begin here")]),
        ("level L0", "level L0\n  level L1", [("level L0", 3, "here it was given first")]),
        ("approve m1", "x: approve m1 as y", [("x", 14, "here it is named `x`")]),
        ("level L0", "level L0 }", [("}", 3, "this `}` closes the declaration before it")]),
    ],
)
def test_second_labels(complaints_about: Callable[..., Any], old: str, new: str, labels: list[Any]) -> None:
    assert list(only(complaints_about, old, new).labels) == labels


@pytest.mark.parametrize(
    ("old", "new", "help_text"),
    [
        ("m1 sent", "m1 snet", "did you mean `sent`?"),
        ("approve m1", "aprove m1", "did you mean `approve`?"),
        ("approve m1", "x approve m1", "a name for a statement is written `name: …`"),
        ("level L0", "Level L0", "did you mean `level`?"),
        ("deliver m1", 'deliver "m1"', "names stand without quotes"),
        ("deliver m1", "deliver m.1", "a name has no dots; its words are joined by hyphens"),
        ('title "x"', "title x", 'text stands in quotes: "…"'),
        ("at 12", "at -12", "a tick is never negative"),
        ("approve m1", "approve m1 at 13 crash", "`at` and `when` do not nest"),
        ('anchor "c"\n  }', 'anchor "c"', "close the block of `conversation order` on line 6"),
        ("deliver m1", "deliver for", "pick another name"),
        ("  expect {", '  title "z"\n  expect {', "move it up to the other header lines"),
        (
            "  expect {",
            "  rules all\n  expect {",
            "move it up to the other header lines, or write a change during the run as `at 12 rules …`",
        ),
        (
            "at 12 {",
            "at 12",
            "a statement stands under a tick: `at 12 escalate …`, or several in a block: `at 12 { … }`",
        ),
        ("m1 sent", "m1 " + "x" * 10_000, None),
    ],
)
def test_help(complaints_about: Callable[..., Any], old: str, new: str, help_text: str | None) -> None:
    assert only(complaints_about, old, new).help == help_text


def test_the_end_of_a_line_is_behind_its_last_token_and_before_its_comment(
    complaints_about: Callable[..., Any],
) -> None:
    complaint = only(complaints_about, "because rejected", "because   # which?")
    assert (complaint.behind, complaint.at) == ("    m1 abandoned because", "")


@pytest.mark.parametrize(
    ("path", "text", "at"),
    [
        ("a.rules", "rules r { refuse rest }\nscenario s { }", "s"),
        ("a.rules", 'skin k { agent "a" }', "k"),
        ("a.skin", "rules r { refuse rest }", "r"),
    ],
)
def test_declarations_in_the_wrong_kind_of_file(
    complaints_about: Callable[..., Any], path: str, text: str, at: str
) -> None:
    (complaint,) = complaints_about(text, path)
    assert (complaint.code, complaint.at) == ("WP127", at)


def test_invisible_characters_are_refused_everywhere(complaints_about: Callable[..., Any]) -> None:
    text = '# a\u202e\nscenario s {\u200b title "\u2066" }'
    complaints = complaints_about(text)
    assert [(one.code, one.at) for one in complaints] == [("WP106", "\u202e"), ("WP106", "\u200b"), ("WP106", "\u2066")]
    assert complaints[0].message.startswith("U+202E RIGHT-TO-LEFT OVERRIDE is invisible")
    assert complaints[2].help == "remove it; inside a string it can be written as \\u{2066}"


def test_no_message_shows_an_invisible_character(complaints_about: Callable[..., Any]) -> None:
    for one in complaints_about('scenario s { title "\u202e\\q" level \u202e }'):
        assert "\u202e" not in one.message + (one.help or "")
