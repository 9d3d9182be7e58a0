"""The table of checks: every check has its row, every row of the family its check, and the library is silent."""

from __future__ import annotations

import pkgutil
import random
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest
from tests.compiler.lint.texts import compiled, scenario

from wellposed.compiler import lint
from wellposed.compiler.clock import Clock
from wellposed.compiler.compilation import check_together, compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.lint import budgets
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Severity, Span
from wellposed.dsl.source import read_source
from wellposed.verifier.amr.answers import BASE
from wellposed.verifier.amr.budgets import Budgets

ROOT = Path(__file__).resolve().parents[3]
CHECKS = (*lint.OF_A_SCENARIO, *lint.OF_RULES, *lint.OF_AN_INVOCATION)
FIRST, LAST = "WP320", "WP399"


def test_every_module_with_a_code_is_in_the_table_and_has_a_row_of_its_own() -> None:
    modules = [import_module(f"{lint.__name__}.{one.name}") for one in pkgutil.iter_modules(lint.__path__)]
    checks = [one for one in modules if hasattr(one, "CODE")]
    assert (
        {one.CODE for one in checks}
        == {one.CODE for one in CHECKS}
        == {code for code in BY_ID if FIRST <= code <= LAST}
    )
    assert len(checks) == len(CHECKS) == len({one.CODE for one in CHECKS})
    for one in checks:
        assert (one.__doc__ or "").startswith(f"{one.CODE}: ")


def test_a_check_never_stops_anything() -> None:
    assert {BY_ID[one.CODE].severity for one in CHECKS} == {Severity.WARNING, Severity.NOTE}
    assert [one.CODE for one in CHECKS if BY_ID[one.CODE].severity is Severity.NOTE] == ["WP328"]


def test_the_budgets_are_those_of_the_level_model() -> None:
    mine = {name.lower(): value for name, value in vars(budgets).items() if name.isupper()}
    theirs = {field.name: getattr(BASE, field.name) for field in fields(Budgets)}
    assert mine == {name: value for name, value in theirs.items() if name != "claims"}


LIBRARY = [
    *sorted((ROOT / "scenarios").rglob("*.*")),
    *sorted((ROOT / "tests/library/known").rglob("*.scenario")),
    *sorted((ROOT / "examples/defects").rglob("repaired.scenario")),
]


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_library_is_silent(path: Path) -> None:
    source, _ = read_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
    assert source is not None
    compilation = compile_source(source, Importer(FolderReader(ROOT)))
    assert [finding for finding in compilation.findings if FIRST <= finding.code <= LAST] == []


def test_rules_of_the_library_that_no_published_message_reaches() -> None:
    """The second version's `orders` has no message: the only order behind the change is a reseller's."""
    importer = Importer(FolderReader(ROOT))
    compilations = []
    for path in sorted((ROOT / "scenarios").glob("*.scenario")):
        source, _ = read_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
        assert source is not None
        compilations.append(compile_source(source, importer))
    (note,) = check_together(compilations)
    assert isinstance(note.place, Span)
    assert (note.place.path, note.place.line) == ("scenarios/rules/support-desk-v2.rules", 6)


def test_findings_of_a_scenario_bear_its_name_and_stand_in_source_order() -> None:
    mail = 'at 0 deliver m1 in order "b REF-2002"'
    lines = ("at 5 jump to 12", "at 7 redeliver m1", "at 30 escalate m1")
    (one,) = compiled(scenario(mail, *lines, name="some-name")).scenarios
    assert one.bundle is not None
    assert [finding.code for finding in one.findings] == ["WP310", "WP325", "WP322", "WP321", "WP332"]
    assert {finding.scenario for finding in one.findings} == {"some-name"}


def test_a_scenario_with_errors_is_not_linted() -> None:
    text = scenario('at 0 deliver m1 in order "b"', "at 12 escalate m9")
    (one,) = compile_source(read_source("x.scenario", text.encode())[0] or pytest.fail()).scenarios
    assert one.bundle is None
    assert {finding.code for finding in one.findings} == {"WP301"}


def test_a_clock_counts_its_visible_ticks() -> None:
    dice = random.Random(2)
    for _ in range(100):
        jumps = sorted((dice.randint(0, 40), dice.randint(1, 12)) for _ in range(dice.randint(0, 6)))
        lines = [f"at {tick} jump by {length}" for tick, length in jumps]
        text = scenario('at 0 deliver m1 in order "b"', *lines, horizon=200)
        compilation = compile_source(read_source("x.scenario", text.encode())[0] or pytest.fail())
        (one,) = compilation.scenarios
        if one.scenario is None:  # a jump that does not lead forward
            continue
        clock = Clock(one.scenario.events)
        visible = [tick for tick in range(201) if clock.lands(tick) == tick]
        assert [clock.index(tick) for tick in visible] == list(range(len(visible)))
        assert [clock.tick(index) for index in range(len(visible))] == visible
