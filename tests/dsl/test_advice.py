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
IT_WAITS = "a signal that waits for its item is `deferred`"
ONLY_SIGNALS = (
    "only `escalate m1` and `kill agent of m1` are deferred; a decision waits for a draft without being told, and nothing "
    "else waits"
)
HELD = "it is the effects of all items together that are held: "
GOES_ON = "a hold goes on until effects are released: write `release effects` at the tick at which it ends"
IT_ENDS = "an `only` ends with `sent`: `only m1, m2 sent`"
JOINED = "the names are joined by `,`, for sends in any order, or by `then`, for sends in this order"
BETWEEN_ALL = (
    "between all names stands `,`, for sends in any order, or `then`, for sends in this order; `sent` ends them"
)
LIMIT = "a limit is a number of ticks: `within 5`, or `within 5 of go`, counted from the statement that is named `go`"
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
    # which draft
    (
        *("approve m1", "approve oldest m1", "    approve oldest |m1"),
        "the whole of it is `approve oldest draft of m1`",
    ),
    ("approve m1", "reject oldest", "    reject oldest|", "the whole of it is `reject oldest draft of m1`"),
    (
        *("approve m1", "approve newest draft m1", "    approve newest draft |m1"),
        "whose draft it is stands behind `of`: `draft of m1`",
    ),
    (
        *("approve m1", "approve m1 oldest draft", "    approve m1 |oldest"),
        "which draft is meant stands first: `approve oldest draft of m1`",
    ),
    (
        *("approve m1", "approve latest draft of m1", "    approve latest |draft"),
        "a draft is called by its age: `approve newest draft of m1` or `approve oldest draft of m1`",
    ),
    # what waits
    ("escalate m1", "escalate m1 defer", "    escalate m1 |defer", "did you mean `deferred`?"),
    ("escalate m1", "escalate m1 delayed", "    escalate m1 |delayed", IT_WAITS),
    ("escalate m1", "escalate m1 delayed as e", "    escalate m1 |delayed", IT_WAITS),
    ("at 12 {", "at 5 escalate m1 later at 12 {", "  at 5 escalate m1 |later", IT_WAITS),
    (
        *("escalate m1", "escalate deferred m1", "    escalate |deferred"),
        "it stands behind the message: `escalate m1 deferred`, `kill agent of m1 deferred`",
    ),
    (
        *("escalate m1", "escalate m1 as e deferred", "    escalate m1 as e |deferred"),
        "it stands before the name of the statement: `deferred as e`",
    ),
    (
        *("escalate m1", 'kill agent "a1" deferred', '    kill agent "a1" |deferred'),
        "no item is named here that this death could wait for: write `kill agent of m1 deferred`",
    ),
    ("approve m1", "approve m1 deferred", "    approve m1 |deferred", ONLY_SIGNALS),
    ("approve m1", "crash deferred", "    crash |deferred", ONLY_SIGNALS),
    # what is held
    ("approve m1", "hold", "    hold|", f"{HELD}`hold effects`"),
    ("approve m1", "hold m1", "    hold |m1", f"{HELD}`hold effects`"),
    ("approve m1", "release effect", "    release |effect", f"{HELD}`release effects`"),
    ("approve m1", "hold efects", "    hold |efects", "did you mean `effects`?"),
    ("approve m1", "hold effects until 20", "    hold effects |until", GOES_ON),
    ("approve m1", "hold effects for 5 ticks", "    hold effects for |5", GOES_ON),
    ("at 12 {", "hold effects at 12 {", "  |hold", "a statement stands under a tick: `at 12 hold …`, or several in a block: `at 12 { … }`"),
    # exactly these
    (
        *("m2 never sent", "only m1 sent exactly once", "    only m1 sent |exactly"),
        "`only` says exactly once of each message that it names: `only m1 sent`",
    ),
    (
        *("m2 never sent", "only m1 sent within 5", "    only m1 sent |within"),
        "an `only` has no window; beside it, write `m1 sent within 5`",
    ),
    ("m2 never sent", "only m1, m2", "    only m1, m2|", IT_ENDS),
    ("m2 never sent", "only m1 then m2", "    only m1 then m2|", IT_ENDS),
    ("m2 never sent", "if only m1 then m2 open else m1 open", "    if only m1|", IT_ENDS),
    ("m2 never sent", "if only m1 then m2 then m1 never sent else m1 open", "    if only m1 then m2|", IT_ENDS),
    ("m2 never sent", "only m1 then m2 open", "    only m1 then m2 |open", IT_ENDS),
    ("m2 never sent", "any of { only m1 } or { m1 open }", "    any of { only m1 |}", IT_ENDS),
    ("m2 never sent", "only m1, m2 distinct", "    only m1, m2 |distinct", IT_ENDS),
    ("m2 never sent", "only m1 then m2, m1 sent", "    only m1 then m2|,", BETWEEN_ALL),
    ("m2 never sent", "only m1, m2 then m1 sent", "    only m1, m2 |then", BETWEEN_ALL),
    ("m2 never sent", "only m1 and m2 sent", "    only m1 |and", JOINED),
    ("m2 never sent", "only m1 m2 sent", "    only m1 |m2", JOINED),
    ("m2 never sent", "only m1, m2 sennt", "    only m1, m2 |sennt", "did you mean `sent`?"),
    # prose and signs of other languages
    (
        *("m2 never sent", "m2 sent once", "    m2 sent |once"),
        "write `exactly once`",
    ),
    ("within 10", "within 10 ticks of m1", "    m1 sent exactly once within 10 |ticks", "`10`"),
    ("within 10", "within 5 of the approval", "    m1 sent exactly once within 5 of |the", f"{NAME_IT}`of go`"),
    ("within 10", "by 17", "    m1 sent exactly once |by", LIMIT),
    ("within 10", "before 17", "    m1 sent exactly once |before", LIMIT),
    (
        *("m2 never sent", "m2 abandoned with reason crash", "    m2 abandoned |with"),
        "the reason stands behind `because`: `m1 abandoned because crash`",
    ),
    ("m2 never sent", "either { m2 open } or { m2 sent }", "    |either", ANY_OF),
    (
        *("m2 never sent", "m2 should never be sent", "    m2 |should"),
        "what is expected is said plainly: `m1 sent`, `m1 never sent`",
    ),
    (
        *("m2 never sent", "system sends m2", "    system |sends"),
        "an expectation begins with the message and says what becomes of it: `m1 sent`, `m1 never sent`",
    ),
    ("at 12 {", "at tick 12 {", "  at |tick", "a tick is its number alone: `at 12`"),
    ("level L0", "level = L0", "  level |=", "nothing stands between a word and its value: `level L0`"),
    ("horizon 40", "horizon: 40", "  horizon|:", "nothing stands between a word and its value: `horizon 40`"),
    (
        *("approve m1", "send m1", "    |send"),
        "a schedule has what happens to the system; what the system does is expected: `expect { m1 sent }`",
    ),
    ("approve m1", 'deliver m3 "x"', '    deliver m3 |"x"', 'a message belongs to a conversation: `deliver m3 in order "…"`'),
    (
        *("approve m1", 'deliver "x" in order as m3', '    deliver |"x"'),
        'the name of the message comes first, its text last: `deliver m1 in order "…"`',
    ),
    ("scenario s {", "scenario My Test {", "scenario My |Test", "a name is one word, joined by hyphens: `My-Test`"),
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
