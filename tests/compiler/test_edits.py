"""Edits of a bundle as edits of its source: the smallest place, everything else as it was written, or no rendering."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellposed.compiler.bundle import bundle_of
from wellposed.compiler.bundle_edits import BundleEdit, Insert, Remove, Replace
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.edits import edited
from wellposed.compiler.text_edits import differences, laid_out_alike, with_edits, without_names
from wellposed.dsl.findings import Edit
from wellposed.dsl.source import SourceFile

SOURCE = """\
scenario x {
  level L6 horizon 40  # far enough

  conversation c { from "a@x" subject "s" }

  at 0 deliver m1 in c "b"
  # Now it is approved,
  at 12 approve m1 as go  # by hand,
  at go + 1 escalate m1
  at 20 {  # and then
    crash  # boom
    redeliver m1
  }

  expect {
    m1 admitted within 5
    any of { m1 sent within 3 of go } or { m1 never sent }  # either
  }
}
"""
LOOP = """\
scenario x {
  level L2 horizon 40
  for i in 1..2 {
    conversation c[i] { from "a{i}@x" subject "s" }
    at i deliver m[i] in c[i] "b"
  }
  expect { for i in 1..2 { m[i] admitted within 2 } }
}
"""
CRASH = {"at": 12, "channel": "faults", "record": {"fault_id": "crash.9", "fault": "crash"}}


def rendered(text: str, *edits: BundleEdit) -> str | None:
    """The text after the edits of its one scenario."""
    source = SourceFile("x.scenario", text)
    compilation = compile_source(source)
    assert compilation.tree is not None, compilation.findings
    (scenario,) = compilation.scenarios
    assert scenario.bundle is not None, compilation.findings
    return edited(scenario.bundle, source, compilation.tree, edits)


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        (Replace("/level", 5), "level L6 horizon", "level L5 horizon"),
        (Replace("/horizon", 60), "horizon 40  #", "horizon 60  #"),
        (Replace("/schedule/1/at", 9), "at 12 approve", "at 9 approve"),
        (Replace("/schedule/2/at", 12), "at go + 1 escalate", "at go escalate"),
        (Replace("/schedule/2/at", 17), "at go + 1 escalate", "at go + 5 escalate"),
        (Replace("/schedule/2/at", 10), "at go + 1 escalate", "at go - 2 escalate"),
        (
            Replace("/schedule/3/at", 30),
            "  at 20 {  # and then\n    crash  # boom\n",
            "  at 30 crash\n  at 20 {  # and then\n  # boom\n",
        ),
        (Remove("/schedule/2"), "  at go + 1 escalate m1\n", ""),
        (Remove("/schedule/1"), "  at 12 approve m1 as go  # by hand,\n", "  # by hand,\n"),
        (Remove("/schedule/4"), "    redeliver m1\n", ""),
        (Insert("/schedule", CRASH), "  # by hand,\n", "  # by hand,\n  at 12 crash\n"),
        (Insert("/schedule", {**CRASH, "at": 5}), '"b"\n', '"b"\n  at 5 crash\n'),
        (Replace("/expect/0/within", 7), "admitted within 5", "admitted within 7"),
        (Replace("/expect/1/of/0/0/within", 5), "sent within 3 of go", "sent within 5 of go"),
        (Replace("/expect/0", {"claim": "not-admitted", "of": "m1"}), "m1 admitted within 5", "m1 not admitted"),
        (Remove("/expect/0"), "    m1 admitted within 5\n", ""),
        (
            Insert("/expect", {"claim": "sent", "of": "m1", "once": True, "within": 5, "from": "go"}),
            "  # either\n",
            "  # either\n    m1 sent exactly once within 5 of go\n",
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_only_the_place_of_an_edit_changes(edit: BundleEdit, before: str, after: str, newline: str) -> None:
    assert SOURCE.count(before) == 1
    expected = SOURCE.replace(before, after)
    assert rendered(SOURCE.replace("\n", newline), edit) == expected.replace("\n", newline)


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        (SOURCE, Replace("/mode/posture", "vip-only")),
        (SOURCE.replace("or { m1", "or { # no\n m1"), Replace("/expect/1", {"claim": "open", "of": "m1"})),
        (SOURCE.replace("  at go", '  allow WP330 "a race"\n  at go'), Remove("/schedule/2")),
        (SOURCE.replace("  at 20", '  allow WP330 "a race"\n  at 20'), Replace("/schedule/3/at", 30)),
        (LOOP, Replace("/schedule/0/at", 7)),
        (LOOP, Replace("/expect/0", {"claim": "open", "of": "m.1"})),
    ],
    ids=["no posture line", "a comment inside", "allowed", "in an allowed block", "a pass", "a claim of a pass"],
)
def test_what_a_text_cannot_say_has_no_rendering(text: str, edit: BundleEdit) -> None:
    assert rendered(text, edit) is None


def test_a_bundle_without_a_map_has_no_rendering() -> None:
    source = SourceFile("x.scenario", SOURCE)
    compilation = compile_source(source)
    bundle = compilation.scenarios[0].bundle
    assert bundle is not None and compilation.tree is not None
    assert edited(bundle_of(bundle.document, None, "x"), source, compilation.tree, [Replace("/level", 5)]) is None


def test_edits_that_overlap_have_no_rendering() -> None:
    assert rendered(SOURCE, Replace("/level", 5), Replace("/level", 4)) is None


def test_a_window_in_a_loop_is_that_of_every_pass() -> None:
    assert rendered(LOOP, Replace("/expect/1/within", 5)) == LOOP.replace("within 2", "within 5")


def test_a_block_on_one_line_is_opened_for_another_expectation() -> None:
    text = SOURCE[: SOURCE.index("  expect")] + "  expect { m1 admitted  m1 drafted }\n}\n"
    after = rendered(text, Insert("/expect", {"claim": "open", "of": "m1"}))
    assert after is not None
    assert after.endswith("  expect {\n    m1 admitted\n    m1 drafted\n    m1 open\n  }\n}\n")


def test_a_block_without_expectations_goes_with_its_last_one() -> None:
    text = SOURCE.replace("  expect {", "  expect { m1 drafted }\n  expect {")
    assert rendered(text, Remove("/expect/0")) == SOURCE


def test_a_message_that_is_there_is_redelivered() -> None:
    message = {"id": "m1", "conversation_id": "c", "from": "a@x", "subject": "s", "body": "b", "at": 2}
    after = rendered(SOURCE, Insert("/schedule", {"at": 2, "channel": "inbox", "record": message}))
    assert after == SOURCE.replace('"b"\n', '"b"\n  at 2 redeliver m1\n')
    other = {**message, "id": "m2", "subject": "t"}
    after = rendered(SOURCE, Insert("/schedule", {"at": 2, "channel": "inbox", "record": other}))
    assert after == SOURCE.replace('"b"\n', '"b"\n  at 2 deliver m2 in c "b" with { subject "t" }\n')


def test_the_invariants_stand_again() -> None:
    text = SOURCE.replace("  # far enough\n", "\n  invariants only expect  # for now\n")
    assert rendered(text, Remove("/invariants")) == text.replace("  invariants only expect  # for now", "  # for now")


def test_names_are_taken_away_wherever_they_stand() -> None:
    source = SourceFile("x", "at 1 approve m1 as go at 2 stop : crash")
    places = [(source.text.index(name), len(name)) for name in ("go", "stop")]
    names = [source.span(start, start + length) for start, length in places]
    assert without_names(source, [*names, *names]) == "at 1 approve m1 at 2 crash"


LINES = st.lists(st.sampled_from(["a b", "a c", "", "  a  b", "x"]), max_size=6).map("\n".join)


@given(LINES, LINES)
def test_the_differences_of_two_texts_make_one_of_the_other(before: str, after: str) -> None:
    source = SourceFile("x", before)
    edits = differences(source, after)
    assert with_edits(before, edits) == after
    assert all(one.replacement != source.text_of(one.span) for one in edits)


def test_differences_are_words() -> None:
    source = SourceFile("x", "at 13 escalate m1\nat 14 crash\n")
    assert differences(source, "at 12 escalate m1\nat 15 crash\n") == (
        Edit(source.span(3, 5), "12"),
        Edit(source.span(21, 23), "15"),
    )


def test_edits_that_overlap_are_none() -> None:
    source = SourceFile("x", "abc")
    assert with_edits("abc", [Edit(source.span(0, 2), "x"), Edit(source.span(1, 3), "y")]) is None
    assert with_edits("abc", [Edit(source.span(1, 1), "x"), Edit(source.span(1, 1), "y")]) == "axybc"


def test_only_a_text_that_was_laid_out_stays_laid_out() -> None:
    after = 'skin a { message "x" }\n'
    untidy = after.replace("{ m", "{  m")
    assert laid_out_alike(SourceFile("x.skin", after), untidy) == after
    assert laid_out_alike(SourceFile("x.skin", untidy), untidy) == untidy
