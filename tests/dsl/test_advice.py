"""Slips that are made often, and the help that says what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.dsl.test_messages import RULES, SCENARIO
from tests.dsl.test_recovery import LIBRARY

from wellposed.dsl.findings import Span
from wellposed.dsl.grammar import load
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile

ALL_HOLD = "all expectations of a block must hold; they stand one after the other, with nothing between them"
ANY_OF = "alternatives are written `any of { … } or { … }`"
NAME_IT = "give the statement a name, as in `approve m1 as go`, and write "

# What is written, what is written instead, the underlined text with what stands before it on its line, and the help.
SLIPS = [
    # units
    ("within 10", "within 10 ticks", "    m1 sent exactly once within 10 |ticks", "`10`"),
    ("horizon 40", "horizon 40 ticks", "  horizon 40 |ticks", "`40`"),
    ("approve m1", "jump by 5 ticks", "    jump by 5 |ticks", "`5`"),
    ("at 12 {", "at 12 ticks {", "  at 12 |ticks", "`12`"),
    ("at 12 {", "at 5 s approve m1 at 12 {", "  at 5 |s", "`5`"),
    # levels
    ("level L0", "level 2", "  level |2", "write `level L2`"),
    ("level L0", "level 9", "  level |9", "levels are L0 to L6"),
    ("level L0", "level 12", "  level |12", "levels are L0 to L6"),
    ("level L0", 'level "L2"', '  level |"L2"', "names stand without quotes"),
    # what is not
    (
        *("m2 never sent", "m2 not sent", "    m2 not sent|"),
        "`m1 not sent after x` is about the time from x on; for the whole run, write `m1 never sent`",
    ),
    (
        *("m2 never sent", "not m2 sent", "    |not"),
        "`not` stands behind the message: `m1 not admitted`; the opposite of `m1 sent` is `m1 never sent`",
    ),
    ("m1 sent", "m1 is sent", "    m1 |is", "no `is` is written: `m1 sent`"),
    # names and ticks
    (
        *("  at 12 {", "  go: at 20 approve m1\n  at 12 {", "  |go"),
        "the name of a statement stands behind the tick: `at 20 go: approve m1`, or `approve m1 as go`",
    ),
    (
        *("  at 12 {", "  go: when m1 sent crash\n  at 12 {", "  |go"),
        "the name of a statement stands behind the tick: `at 20 go: approve m1`, or `approve m1 as go`",
    ),
    ("approve m1", "at 13 crash", "    |at", "`at` and `when` do not nest"),
    ("approve m1", "go: when m1 sent crash", "    go: |when", "`at` and `when` do not nest"),
    # words between claims
    ("within 10", "within 10 and m2 open", "    m1 sent exactly once within 10 |and", ALL_HOLD),
    ("within 10", "within 10, m2 open", "    m1 sent exactly once within 10|,", ALL_HOLD),
    ("within 10", "within 10 or m2 open", "    m1 sent exactly once within 10 |or", ANY_OF),
    ("m2 never sent", "or m2 never sent", "    |or", ANY_OF),
    (
        *("m2 never sent", "any of { m2 open } and { m2 sent }", "    any of { m2 open } |and"),
        "what all must hold stands in one block; blocks are alternatives, joined by `or`",
    ),
    (
        *("m2 never sent", "any of { m2 open }", "    any of { m2 open }|"),
        "`any of` has two blocks or more: `any of { … } or { … }`",
    ),
    (
        *("m2 never sent", "if m2 open then m1 sent", "    if m2 open then m1 sent|"),
        "all three parts are needed: `if … then … else …`",
    ),
    # a block that is not closed
    ('anchor "c"\n  }', 'anchor "c"', "  |at", "close the block of `conversation order` on line 6"),
    ("escalate m1\n  }", "escalate m1", "  |expect", "close the block of `at 12` on line 13"),
    ("m2 never sent\n  }", "m2 never sent", "|}", "close the block of `expect` on line 18"),
    ("m2 never sent\n  }\n}", "m2 never sent\n  }", "  }|", "close the block of `scenario s` on line 1"),
    (
        *("  at 12 {", "  for i in 1..3 {\n    at i crash\n  at 12 {", "  |at"),
        "close the block of `for i in 1..3` on line 13",
    ),
    # a statement where its name is asked for
    ("within 10", "within 5 of approve", "    m1 sent exactly once within 5 of |approve", f"{NAME_IT}`of go`"),
    ("m2 never sent", "m2 not sent after crash", "    m2 not sent after |crash", f"{NAME_IT}`after go`"),
    ("approve m1", "repeat approve", "    repeat |approve", f"{NAME_IT}`repeat go`"),
    # words that are left out
    (
        *("within 10", "within 5 m1", "    m1 sent exactly once within 5 |m1"),
        "the moment from which the window counts stands behind `of`: `of m1`",
    ),
    (
        *("approve m1", "kill agent m1", "    kill agent |m1"),
        "whose agent it is stands behind `of`: `kill agent of m1`",
    ),
    (
        *("approve m1", "forge approval for m1 with wrong hash", "    forge approval |for"),
        'its id comes first: `forge approval "f" for m1 with wrong hash`',
    ),
    # loops
    (
        *("at 12 {", "at 5 for i in 1..2 { crash } at 12 {", "  at 5 |for"),
        "loops stand around `at` and other items, and in the blocks of `at`, `when`, `expect` and `stub`",
    ),
    ("at 12 {", "for i in [1, 2] { at i crash } at 12 {", "  for i in |[", "a loop runs over a range such as `1..3`"),
]


@pytest.mark.parametrize(("old", "new", "place", "help_text"), SLIPS, ids=lambda value: None)
def test_slips(complaints_about: Callable[..., Any], old: str, new: str, place: str, help_text: str) -> None:
    assert old in SCENARIO
    complaint = complaints_about(SCENARIO.replace(old, new, 1))[0]
    unit = "all times are in ticks, and no unit is written: "
    assert f"{complaint.behind}|{complaint.at}" == place
    assert complaint.help == (unit + help_text if help_text[1:-1].isdigit() else help_text)


@pytest.mark.parametrize(
    ("old", "new", "place", "help_text"),
    [
        ('"order" and', '"order" or', '"order" |or', "conditions are joined by `and`; an alternative is another rule"),
        ('"order" and', '"order",', '"order"|,', "conditions are joined by `and`"),
        ('["a", "b"]', '"a"', 'from in |"a"', 'a list stands in brackets: `in ["a"]`'),
    ],
)
def test_slips_in_rules(complaints_about: Callable[..., Any], old: str, new: str, place: str, help_text: str) -> None:
    (complaint,) = complaints_about(RULES.replace(old, new, 1), "a.rules")
    assert f"{complaint.behind}|{complaint.at}".endswith(place)
    assert complaint.help == help_text


def misspellings(word: str) -> set[str]:
    return {word[0] + word[2:], word[0] + word[2] + word[1] + word[3:], word.capitalize(), word + word[-1]}


def test_every_misspelt_word_is_underlined_and_the_right_one_is_named() -> None:
    words = {word for word in load().patterns.values() if word is not None and word.isalpha() and len(word) > 2}
    right = total = 0
    for path in LIBRARY:
        text = path.read_text("utf-8")
        for token in [token for token in load().tokens(text) if str(token) in words][::5]:
            word = str(token)
            for wrong in sorted(misspellings(word) - words):
                start, end = token.start_pos or 0, token.end_pos or 0
                _, findings = parse(SourceFile(path.name, text[:start] + wrong + text[end:]))
                if not findings:
                    continue  # it is a name, and a name can stand there
                total += 1
                place = findings[0].place
                assert isinstance(place, Span)
                right += len(findings) == 1 and place.start == start and findings[0].help == f"did you mean `{word}`?"
    assert total > 400
    assert right == total
