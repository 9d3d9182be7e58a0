"""What cannot be expressed: its words are found wherever they are written, and nothing else becomes an error by them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.grammar import load
from wellposed.dsl.inexpressible import LIMITS, PAGE, Limit, Where
from wellposed.dsl.parser import MAX_FINDINGS, parse
from wellposed.dsl.source import SourceFile

# Gaps for one line of each kind; everything else is right.
SCENARIO = """rules open-door {{
  admit known when {field} is "x"
}}

scenario s {{
  level   L2
  horizon 60

  conversation order {{
    from    "ada@example.test"
    {line}
  }}

  at 0 deliver m1 {delivered} in order "Hello"
  {item}
  at 12 {{
    approve m1 as go
    {statement}
    crash
  }}
  at 20 {one}

  expect {{
    m1 sent within 5 of go
    {claim}
    any of {{ m1 open }} or {{ m1 never sent {alternative} }}
  }}
}}
"""
RIGHT = {"field": "subject", "one": "crash"}
GAPS = ("field", "line", "delivered", "item", "statement", "one", "claim", "alternative")

# What stands before a phrase, and what may stand behind it on its line, by the gap in which it is written.
BEHIND = ("", " m1", ' "x"')
STANZAS: dict[Where, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    Where.STATEMENT: (
        *(("item", "", BEHIND), ("statement", "", (*BEHIND, " m1 now and then")), ("one", "", BEHIND)),
        *(("statement", "named: ", BEHIND), ("one", "named: ", BEHIND)),
    ),
    Where.DECIDED: (("statement", "approve m1 ", BEHIND), ("one", "reject oldest draft of m1 ", ("", ' "x"'))),
    Where.DELIVERED: (("delivered", "", ("", " m2")),),
    Where.ATTRIBUTE: (("line", "", (' "x"', " yes")),),
    Where.FIELD: (("field", "", ("",)),),
    Where.HASH: (("statement", 'forge approval "f" for m1 ', ("", ' "x"')),),
    Where.EXPECTATION: (("claim", "", BEHIND), ("alternative", "", BEHIND)),
    Where.PREDICATE: (("claim", "m1 ", BEHIND), ("alternative", "m1 ", ("", ' "x"')), ("claim", "m[3] ", BEHIND)),
}
ROWS = [pytest.param(limit, id=f"{limit.entry}-{limit.wants}") for limit in LIMITS]


def findings_in(**gaps: str) -> tuple[Finding, ...]:
    text = SCENARIO.format(**{**dict.fromkeys(GAPS, ""), **RIGHT, **gaps})
    return parse(SourceFile("a.scenario", text))[1]


def written(phrase: tuple[str, ...], where: Where) -> str:
    joint = "." if where is Where.FIELD and phrase[0] in ("message", "sender") else "-" if where is Where.FIELD else " "
    return joint.join(phrase).replace(".in.reply.to", ".in-reply-to").replace(".id", "-id").replace("*", "bob")


def asking(limit: Limit) -> Iterator[tuple[str, str, str]]:
    """The gap, the line and the phrase, for every phrase of a limit in everything that may stand around it."""
    for where, stanzas in STANZAS.items():
        for phrase in limit.phrases(where):
            for gap, before, tails in stanzas:
                for behind in tails:
                    if not phrase[-1] in ("for", "as") or not behind:  # else it is a loop, or a name
                        yield gap, f"{before}{written(phrase, where)}{behind}", written(phrase, where)


def test_the_gaps_are_right() -> None:
    assert findings_in() == ()
    assert set(STANZAS) == set(Where)


@pytest.mark.parametrize("limit", ROWS)
def test_every_phrase_of_a_limit_is_one_finding_that_explains_it(limit: Limit) -> None:
    lines = list(asking(limit))
    assert lines != []
    for gap, line, phrase in lines:
        found = findings_in(**{gap: line})
        assert [finding.code for finding in found] == ["WP129" if gap in ("claim", "alternative") else "WP128"], line
        (finding,) = found
        assert isinstance(finding.place, Span)
        shown = re.match(r"`(.*)` asks for (.*), which cannot be expressed$", finding.message)
        assert shown is not None and shown[2] in {one.wants for one in LIMITS}, line
        if len(phrase.split()) > 1 or " " not in line:  # with a word more it may be a phrase of another limit
            assert shown[2] == limit.wants or len(shown[1]) > len(phrase), line
        asked = next(one for one in LIMITS if one.wants == shown[2])
        assert finding.notes == (asked.why, f"{PAGE} explains this limit under {asked.entry}")
        assert finding.help == asked.instead


# What an author writes, and the limit that answers.
WRITTEN = [
    ("statement", "pause", "SF-30"),
    ("item", "resume", "SF-30"),
    ("one", "pause agent of m1", "SF-40"),
    ("statement", "stall agent of m1 until 40", "SF-40"),
    ("statement", "hold model", "SF-40"),
    ("statement", 'revise m1 "shorter, please"', "SF-02"),
    ("statement", "jump backwards by 5", "SF-51"),
    ("statement", "jump back to 3", "SF-51"),
    ("statement", "merge order into billing", "SF-45"),
    ("line", 'merged-into "billing"', "SF-45"),
    ("statement", "hand back m1", "SF-31"),
    ("one", "hand-back m1", "SF-31"),
    ("statement", "approve m1 as approver bob", "SF-16"),
    ("one", 'approve m1 by "bob"', "SF-16"),
    ("statement", "revoke go", "SF-13"),
    ("statement", "approve m1 until 40", "SF-19"),
    ("statement", "crash until 20", "SF-36"),
    ("statement", "crash between m1 sent", "SF-32"),
    ("statement", "escalate conversation order", "SF-28"),
    ("statement", 'forge approval "f" for m1 with hash "sha256:00"', "FD-20"),
    ("statement", "forge message m2", "SF-47"),
    ("delivered", "in reply to m0", "SF-43"),
    ("field", "sender.authenticated", "SF-47"),
    ("field", "in-reply-to", "SF-43"),
    ("item", "score 5", "FD-57"),
    ("claim", 'm1 reply subject "Your order"', "SF-42"),
    ("claim", 'm1 sent exactly once with subject "Your order"', "SF-42"),
    ("claim", "m1 reply body is the approved one", "SF-11"),
    ("claim", 'm1 draft hash = "sha256:00"', "FD-20"),
    ("claim", 'm1 sent within 5 of go to "bob@example.test"', "SF-45"),
    ("claim", "m1 recipient bob", "SF-45"),
    ("claim", "m1 sent newest draft", "FD-19"),
    ("claim", "m1 not drafted after go", "SF-03"),
    ("claim", "m1 asked once", "SF-20"),
    ("claim", "m1 uncertain outcome", "SF-32"),
    ("claim", "state equals the replay of the logs", "FD-12"),
    ("claim", "m1 stood down", "SF-52"),
    ("alternative", 'm1 body contains "x"', "SF-11"),
]


@pytest.mark.parametrize(("gap", "line", "entry"), WRITTEN)
def test_what_authors_write_is_answered_by_its_limit(gap: str, line: str, entry: str) -> None:
    (finding,) = findings_in(**{gap: line})
    assert finding.notes[-1] == f"{PAGE} explains this limit under {entry}"


def names() -> list[str]:
    """Every word of a limit that is no word of the language: those can be names."""
    words = {"-".join(phrase) for limit in LIMITS for where in Where for phrase in limit.phrases(where)}
    language = {pattern for pattern in load().patterns.values() if pattern is not None}
    return sorted(word for word in words if "*" not in word and word not in language)


def test_the_words_are_names_wherever_a_name_can_stand() -> None:
    assert len(names()) > 200
    for name in names():
        found = findings_in(
            line=f'anchor "{name}"',
            item=f"conversation {name} {{ }} at 1 deliver {name} in {name} when {name} sent crash".replace(
                f"in {name} ", f'in {name} "{name}" '
            ),
            statement=f"{name}-1: approve {name} reject m1 as {name}",
            claim=f"{name} sent within 5 of {name} {name}, m1 distinct only m1, {name} sent",
        )
        assert found == (), name


@pytest.mark.parametrize(
    ("gaps", "code"),
    [
        ({"statement": "aprove m1"}, "WP120"),
        ({"statement": "pause approve m1"}, "WP120"),  # a name without its colon
        ({"statement": "gold effects"}, "WP120"),
        ({"statement": 'deliver m2 in order "Hi" from "bob@example.test"'}, "WP120"),
        ({"claim": "m1 sent within 5 to 10"}, "WP120"),
        ({"claim": "state agree"}, "WP120"),
        ({"claim": "m1 replies in order"}, "WP120"),
        ({"statement": 'forge approval "f" for m1 with wong hash'}, "WP120"),
        ({"field": "sender.messages"}, None),
    ],
)
def test_what_only_looks_like_it_is_told_as_before(gaps: dict[str, str], code: str | None) -> None:
    assert [finding.code for finding in findings_in(**gaps)] == ([] if code is None else [code])


def test_a_phrase_belongs_to_one_limit_at_its_place() -> None:
    counted = Counter((where, phrase) for limit in LIMITS for where in Where for phrase in limit.phrases(where))
    assert [one for one, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("limit", ROWS)
def test_a_row_is_written_like_the_others(limit: Limit) -> None:
    assert re.fullmatch(r"(FD|SF)-\d\d", limit.entry)
    for text in (limit.wants, limit.why, limit.instead):
        assert text == text.strip() != "" and not text.endswith(".") and (text[0].islower() or text[0] == "`")
    assert any(limit.phrases(where) for where in Where)
    assert all(word == word.lower() for where in Where for phrase in limit.phrases(where) for word in phrase)


def test_many_of_them_and_long_names_stay_within_bounds() -> None:
    found = findings_in(statement="\n".join(["pause m1"] * (MAX_FINDINGS + 20)))
    assert len(found) == MAX_FINDINGS and {finding.code for finding in found} == {"WP128"}
    (finding,) = findings_in(statement=f"approve m1 as approver {'b' * 5000}")
    assert finding.code == "WP128" and len(finding.message) < 200


PIECES = {"any of", "jump", "escalate", 'for draft "ghost-1"', 'with { subject "…" }'}
"""What is written instead and is only a part of something."""


def test_what_is_written_instead_can_be_written() -> None:
    """As a statement, an item, an expectation or a rule; that it is well-posed is shown in the corpus."""
    checked = 0
    for limit in LIMITS:
        for piece in re.findall(r"`([^`]*)`", limit.instead):
            if piece in PIECES or piece.startswith("wellposed "):
                continue
            rules = f'subject is "x" {piece} admit more when subject'
            tries = (
                {"statement": piece},
                {"item": piece},
                {"item": f"at 30 {piece}"},
                {"claim": piece},
                {"field": rules},
            )
            assert () in [findings_in(**gaps) for gaps in tries], piece
            checked += 1
    assert checked > 30
