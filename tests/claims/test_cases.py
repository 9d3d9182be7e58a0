"""Claims, each good or with one fault, and what people are shown of them: `cases/NAME.yaml` and `expected/NAME.txt`.

UPDATE_EXPECTED=1 writes the expected files; read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.claims.conftest import Claimed

from wellposed.dsl.codes import claims

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "cases").glob("*.yaml"))


@pytest.mark.parametrize("name", CASES)
def test_what_is_shown(name: str, claimed: Claimed, wellposed: Callable[..., Any]) -> None:
    claimed((HERE / "cases" / f"{name}.yaml").read_text(), name)
    result = wellposed("claim", "claims", "-v")
    text = f"{result.out}exit status {result.status}\n{result.err}"
    path = HERE / "expected" / f"{name}.txt"
    if os.environ.get("UPDATE_EXPECTED"):
        path.write_text(text)
    assert text == path.read_text()


def test_nothing_is_expected_of_a_case_that_is_gone() -> None:
    assert {path.stem for path in (HERE / "expected").iterdir()} == set(CASES)


def test_every_code_has_a_case() -> None:
    told = "".join(path.read_text() for path in (HERE / "expected").iterdir())
    # Where a claim lies and how much work is allowed is no part of a case.
    assert {row.id for row in claims.ROWS if f"[{row.id}]" not in told} <= {"WP900", "WP915", "WP933"}
