"""What the last run of the mutation lane left, and what is said of it: every survivor is argued away, and no other mutant."""

from __future__ import annotations

import json
import runpy
from collections import Counter

import pytest
from tests.verifier.mutation.equivalent import arguments, stands
from tests.verifier.mutation.sources import MODULES, RESULTS, ROOT, Name

FOUND = json.loads(RESULTS.read_text(encoding="utf-8"))
ARGUED = [name for argument in arguments() for name in argument.mutants]


def test_every_survivor_has_one_argument_and_every_argument_a_survivor() -> None:
    survivors = [Name(*survivor) for found in FOUND.values() for survivor in found["survivors"]]
    assert Counter(ARGUED) == Counter(survivors)


@pytest.mark.parametrize("name", ARGUED, ids=str)
def test_an_argued_mutant_can_still_be_made(name: Name) -> None:
    assert stands(name), "the text is gone: run `make mutation` for this module and correct equivalent.toml"


def test_every_module_was_run() -> None:
    assert list(FOUND) == list(MODULES)


def test_the_page_has_the_figures() -> None:
    generator = runpy.run_path(str(ROOT / "docs" / "generate_proof.py"))
    text = generator["PAGE"].read_text(encoding="utf-8")
    assert text == generator["page"](text), "run `make docs`"
