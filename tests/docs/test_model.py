"""The model page and the program say the same: levels, obligations, budgets, and every known answer, recomputed."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from pages import codes, examples, page, table

from wellposed.compiler.compilation import compile_source
from wellposed.dsl.source import SourceFile
from wellposed.dsl.vocabulary import LEVELS, OBLIGATIONS, READINGS, SPEC, VERDICTS
from wellposed.verifier.amr.answers import BASE
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.environment import MAX_CASES
from wellposed.verifier.verify import verify

NAME = "docs/model.md"
# The budget that each row names in its cause, response or excuses.
BUDGETS = {
    "L0.draft": "draft",
    "L0.reply": "reply",
    "L1.crash": "crash",
    "L2.admit": "admit",
    "L2.only": "lag",
    "L2.send": "send",
    "L3.claims": "claims",
    "L3.death": "death",
    "L3.terminal": "terminal",
}


def test_the_page_names_its_specification_and_readings() -> None:
    assert f"`{SPEC}`" in page(NAME) and f"`{READINGS}`" in page(NAME)


def test_levels() -> None:
    rows = table(NAME, "level")
    assert [(row[0], row[1]) for row in rows] == [(f"L{level.number}", level.name) for level in LEVELS]
    exercised = page(NAME).partition("**exercised**")[2]
    assert re.findall(r"^\| (L\d) \|", exercised, re.MULTILINE) == [f"L{level.number}" for level in LEVELS]


def test_every_obligation_in_order_with_its_level_and_kind() -> None:
    rows = [(*codes(row[0]), row[1], row[2]) for row in table(NAME, "id")]
    assert rows == [(row.id, f"L{row.level}", "due" if row.due else "ban") for row in OBLIGATIONS]


def test_budgets() -> None:
    values = {field.name: getattr(BASE, field.name) for field in dataclasses.fields(Budgets)}
    rows = table(NAME, "budget")
    assert {row[0].strip("`"): int(row[1]) for row in rows} == values
    said = {codes(row[0])[0]: " ".join(row[3:]) for row in table(NAME, "id")}
    for obligation, budget in BUDGETS.items():
        assert re.search(rf"(?<!\d){values[budget]}(?!\d)", said[obligation]), obligation
        assert obligation in next(codes(row[2]) for row in rows if row[0] == f"`{budget}`")


def test_verdicts_in_order_of_precedence() -> None:
    assert tuple(row[0] for row in table(NAME, "verdict")) == VERDICTS


def test_the_limit_of_unfoldings() -> None:
    assert f"Above {MAX_CASES:,} cases" in " ".join(page(NAME).split())


class Known(NamedTuple):
    """A row of the table for one choice of its letters."""

    head: tuple[str, ...]
    events: tuple[str, ...]
    expect: tuple[str, ...]
    verdict: str
    cores: tuple[frozenset[str], ...]

    @property
    def text(self) -> str:
        """The example of the page with this head, these events and expectations."""
        lines = examples(NAME)["known-answer.scenario"].splitlines()
        level, horizon, deliver = "  level   L0", "  horizon 40", '  at 0 deliver m1 in desk "Hello?"'
        claim = "    m1 sent exactly once within 10"
        head = {line.split()[0]: line for line in self.head}
        delivers = any("deliver m1 " in event for event in self.events)
        put = {
            level: [f"  {line}" for word, line in head.items() if word != "horizon"],
            horizon: [f"  {head.get('horizon', 'horizon 40')}"],
            deliver: [*([] if delivers else [deliver]), *(f"  {event}" for event in self.events)],
            claim: [f"    {one}" for one in self.expect],
        }
        assert put.keys() <= set(lines)
        return "\n".join(new for line in lines for new in put.get(line, [line]))


def choices(written: str) -> Iterator[dict[str, int]]:
    """The values of the letters of a row: `a = 0..11, g = 1..max(5, a + 4)`."""
    ranges = re.findall(r"(?:^|, )([a-z]) = (.+?)\.\.(.+?)(?=, [a-z] = |$)", written)

    def chosen(rest: list[tuple[str, str, str]], values: dict[str, int]) -> Iterator[dict[str, int]]:
        if not rest:
            yield values
            return
        (letter, low, high), *others = rest
        first, last = (eval(bound, {"max": max}, dict(values)) for bound in (low, high))  # a bound of this page
        for value in range(first, last + 1):
            yield from chosen(others, {**values, letter: value})

    return chosen(ranges, {})


def known_answers() -> Iterator[Known]:
    for head, events, expect, verdict, core in table(NAME, "head"):
        cores = tuple(frozenset(codes(one)) for one in core.split(" or ")) if core else ()
        for values in choices(re.sub(r"`[^`]*`", "", events).strip(" ,")):
            told = []
            for event in codes(events):
                for letter, value in values.items():
                    event = re.sub(rf"\b{letter}\b", str(value), event)
                told.append(event)
            yield Known(tuple(codes(head)), tuple(told), tuple(codes(expect)), verdict, cores)


KNOWN = list(known_answers())


def test_no_row_is_lost() -> None:
    """27 rows without letters, 14 values of g alone, 12 times 18 of a and g."""
    assert len(KNOWN) == 27 + 14 + 12 * 18


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: " ".join((*known.head, *known.events)))
def test_a_known_answer(known: Known) -> None:
    compiled = compile_source(SourceFile("known-answer.scenario", known.text)).scenarios[0]
    assert compiled.bundle is not None, compiled.findings
    result = verify(compiled.bundle)
    assert result.verdict == known.verdict, known.text
    if known.cores:
        assert frozenset(member.obligation for member in result.core) - {"expectation"} in known.cores
