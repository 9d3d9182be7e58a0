"""Every way to break a file by one token: errors in words, inside the file, on what lark refuses too.

How many messages there are, and where, is tested in `test_recovery.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from lark import Lark, Token
from lark.exceptions import UnexpectedInput

from wellposed.dsl.findings import Span
from wellposed.dsl.grammar import START_SYMBOLS, grammar_text, load
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile

SAMPLES = (
    """import "a.rules"
scenario s {
  title "x" level L6 horizon 2 * (20 + 1) rules all posture normal skin k
  conversation c { from "f" subject "s" anchor "a" }
  at go + 1 deliver m in c "hi {anchor}" with { from "g" } as n
  at 12 {
    x: approve m
    reject m
    redeliver m repeat x escalate m crash
  }
  at 3 kill agent of m
  at 3 kill agent "a"
  invariants only expect
  rejected ambiguous WP501 "why"
}
""",
    """scenario s {
  at 1 { forge approval "f" for draft "ghost-1" forge rejection "g" for m with wrong hash
    jump to 60 jump by 5 posture vip-only rules r as y }
  when m drafted { crash }
  expect {
    m admitted within 5 m not admitted m drafted
    m sent exactly once within 5 of go
    m never sent m not sent after go
    m abandoned because rejected m open m completed
    m reply carries anchor of c m reply in c
    m, n distinct claims on m settle within 5
    m reassigned or orphaned state agrees
    any of { m open n open } or { m sent }
    if m open then n open else state agrees
  }
}
""",
    """rules r {
  admit a when subject contains "x" and from not in ["a", "b"]
  refuse b when sender.messages >= 2 and posture is not normal
  refuse rest
}
skin k { message "m" work-item "w" }
""",
    '''allow WP501 "y" family f(gap in [10, 50], posture in [normal, vip-only], n in 1..2 * 3) {
  title """
    x
    """ level L1 posture posture rules rules
  for i in 1..n { conversation c[i] { anchor "a{i}" } at 2 * i deliver m[i] in c[i] "x" }
  stub { anchors [c[1], `at`] reply c[1] "x" for j in 1..2 { reply d[j] "y" } }
  catches a, b-c
  at m[1] + gap { for i in 1..n { go[i]: approve m[i] allow WP501 "s" reject m[i] } }
  when m[1] drafted { crash }
  expect { for i in 1..n { m[i] sent within 5 of go[i] } allow WP501 "x" m[1], m[2] distinct }
}
''',
)
INTRUDERS = ("}", "{", "x", '"s"', "7", "at", "never", "for", ",", ")", "[", "a.b", "-", "é")
TERMINALS = re.compile(r"[A-Z]{2,}(?:_[A-Z]+)*|\$END|__\w+|_[a-z]\w*|\b\w+_\w+\b")
SPECIAL = {"UTF-8"}


def breakages(text: str) -> Iterator[str]:
    tokens: list[Token] = list(load().tokens(text))
    for index, token in enumerate(tokens):
        start, end = token.start_pos or 0, token.end_pos or 0
        yield text[:start] + text[end:]
        yield text[:start]
        yield text[:end]
        yield text[:start] + text[end:].lstrip()
        for shift in range(3):
            intruder = INTRUDERS[(index + shift * 5) % len(INTRUDERS)]
            yield f"{text[:start]} {intruder} {text[end:]}"
            yield f"{text[:start]} {intruder} {text[start:]}"


def unquoted(message: str) -> str:
    return re.sub(r"`[^`]*`", "", message)


@pytest.mark.parametrize("sample", SAMPLES, ids=["schedule", "claims", "rules", "loops"])
def test_no_message_leaks_what_the_parser_calls_things(sample: str) -> None:
    broken = messages = 0
    for text in breakages(sample):
        source = SourceFile("a.scenario", text)
        file, findings = parse(source)
        assert (file is None) == bool(findings)
        broken += bool(findings)
        messages += len(findings)
        for finding in findings:
            words = (finding.message, finding.help or "", *(label.text for label in finding.labels))
            assert not any(TERMINALS.search(unquoted(word)) for word in words), (words, text)
            for place in (finding.place, *(label.place for label in finding.labels)):
                assert isinstance(place, Span)
                assert 0 <= place.start <= place.end <= len(text)
                assert place == source.span(place.start, place.end)
                assert place.line == place.end_line
    assert broken > 300
    assert messages <= 1.2 * broken


@pytest.mark.parametrize("sample", SAMPLES, ids=["schedule", "claims", "rules", "loops"])
def test_the_same_files_are_refused_as_by_lark(sample: str) -> None:
    lark = Lark(grammar_text(), parser="lalr", lexer="basic", start=START_SYMBOLS, maybe_placeholders=False)
    beyond = {"WP106", "WP112", "WP113", "WP114", "WP115", "WP116", "WP117", "WP118", "WP119", "WP125", "WP127"}
    for text in list(breakages(sample))[::3]:
        _, findings = parse(SourceFile("a.scenario", text))
        try:
            lark.parse(text, start="file")
            refused = False
        except UnexpectedInput:
            refused = True
        assert refused == any(finding.code not in beyond for finding in findings), text


def test_the_first_wrong_token_is_where_lark_says() -> None:
    """Lark stops at the wrong token; what is underlined never begins behind it."""
    lark = Lark(grammar_text(), parser="lalr", lexer="basic", start=START_SYMBOLS, maybe_placeholders=False)
    for sample in SAMPLES:
        for text in list(breakages(sample))[1::7]:
            try:
                lark.parse(text, start="file")
            except UnexpectedInput as problem:
                at = problem.pos_in_stream if problem.token.type != "$END" else len(text)  # type: ignore[attr-defined]
                _, findings = parse(SourceFile("a.scenario", text))
                assert isinstance(findings[0].place, Span)
                assert findings[0].place.start <= (at or 0)
