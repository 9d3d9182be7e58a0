"""The results of the mutation lane are whole: every mutant of a file that has not changed is killed, argued away, or named as open.

`make mutation` makes the results; they hold for the content of a file, and a file that has changed since is skipped here by name.
"""

from __future__ import annotations

import runpy
from collections import Counter
from pathlib import Path

import pytest
from tests.verifier.mutation import results
from tests.verifier.mutation.equivalent import argued, arguments, stands
from tests.verifier.mutation.sources import MODULES, PARTS, definitions, digest

ROOT = Path(__file__).resolve().parents[2]
FOUND = results.read()


@pytest.fixture(params=FOUND)
def module(request: pytest.FixtureRequest) -> str:
    """A module whose results hold for what it is now."""
    name = str(request.param)
    if FOUND[name].sha256 != digest(name):
        pytest.skip(f"{MODULES[name]} has changed since its mutants were tried: `make mutation` tries them anew")
    return name


def test_every_mutant_has_come_to_something(module: str) -> None:
    found = FOUND[module]
    assert found.mutants > 0
    assert found.killed + found.same + len(found.survivors) == found.tried <= found.mutants
    assert found.endless <= found.killed
    assert len(set(found.survivors)) == len(found.survivors)


def test_a_survivor_that_is_argued_away_is_one(module: str) -> None:
    """And what it changes still stands where it is said to stand."""
    names = [name for name in argued() if name.module == module]
    assert [str(name) for name in names if name not in FOUND[module].survivors] == []
    assert [str(name) for name in FOUND[module].survivors if not stands(name)] == []


def test_the_kernel_has_no_survivor_without_a_reason(module: str) -> None:
    """What every verdict passes through was tried as a whole."""
    if module in PARTS["kernel"]:
        assert FOUND[module].complete
        assert [str(name) for name in FOUND[module].survivors if name not in argued()] == []


def test_every_argument_is_one_of_a_sentence_or_two_and_made_once() -> None:
    for argument in arguments():
        assert argument.mutants and 30 < len(argument.why) < 400 and argument.why.endswith("."), argument.why
        assert argument.why.count(". ") <= 1, argument.why
    assert [name for name, times in Counter(one for ones in arguments() for one in ones.mutants).items() if times > 1] == []


def test_results_are_of_modules_that_there_are() -> None:
    assert list(FOUND) == [name for name in MODULES if name in FOUND]
    assert all((ROOT / path).is_file() for path in MODULES.values())


def test_the_page_is_what_the_results_say() -> None:
    """`make docs` writes it."""
    page = runpy.run_path(str(ROOT / "docs" / "generate_proof.py"))["page"]
    assert (ROOT / "docs" / "proof.md").read_text(encoding="utf-8") == page()


def test_a_line_belongs_to_the_innermost_definition() -> None:
    source = "A = 1\nclass B:\n    @property\n    def c(self):\n        def d():\n            return 1\n        return d\n"
    assert [definitions(source)[line] for line in range(1, 8)] == ["", "B", "B.c", "B.c", "B.c.d", "B.c.d", "B.c"]


@pytest.mark.slow
def test_the_results_count_every_mutant(module: str) -> None:
    pytest.importorskip("cosmic_ray", reason="comes with the extra `bench`")
    from tests.verifier.mutation.mutants import mutants

    made = [mutant.name for mutant in mutants(module)]
    assert len(made) == len(set(made)) == FOUND[module].mutants
    assert set(FOUND[module].survivors) <= set(made)
