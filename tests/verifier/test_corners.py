"""Corners that random generation seldom reaches: each verdict fixed by hand, and the oracle's at full budgets."""

from __future__ import annotations

import pytest
from tests.oracle import Budgets
from tests.verifier.agreement import verdict_difference

from wellposed.compiler.compilation import compile_source
from wellposed.dsl.source import SourceFile

SCENARIO = """scenario corner {{
  level   {level}
  horizon {horizon}
  conversation order {{ from "ada@example.test" subject "Where is my order?" }}
  at 0 deliver m1 in order "Hello?"
{lines}}}
"""

CORNERS = {
    "a second death in the restarted window restarts the claims again": (
        ("L3", 50, "at 15 kill agent of m1\nat 20 kill agent of m1\nat 36 approve m1\nexpect { claims on m1 settle within 10 }"),
        "ambiguous",
    ),
    "fifteen ticks are enough for claims over two deaths": (
        ("L3", 50, "at 15 kill agent of m1\nat 20 kill agent of m1\nat 36 approve m1\nexpect { claims on m1 settle within 15 }"),
        "well-posed",
    ),
    "a name of a repeated forgery means the first": (
        (
            "L2",
            40,
            'at 12 forge approval "f" for draft "ghost-1"\nat 20 approve m1\nat 30 repeat f\nexpect { m1 not sent after f }',
        ),
        "unsatisfiable",
    ),
    "a repeated forgery is no stimulus of its own": (
        (
            "L2",
            40,
            'at 12 forge approval "f" for draft "ghost-1"\nat 20 approve m1\nat 30 repeat f\nexpect { m1 sent within 30 }',
        ),
        "well-posed",
    ),
    "unsettled claims are no omission: no schedule makes them due": (
        (
            "L3",
            40,
            "invariants only expect\nat 37 approve m1\nat 38 kill agent of m1\nexpect {\n"
            + "m1 admitted within 5\nm1 drafted within 10\nclaims on m1 settle within 9\n}",
        ),
        "undecided",
    ),
    "one send cannot serve two windows": (
        ("L2", 40, "at 12 approve m1\nat 30 approve m1 as late\nexpect { m1 sent within 17  m1 sent within 3 of late }"),
        "unsatisfiable",
    ),
    "a send asked for late contradicts the send that is due": (
        ("L2", 40, "at 12 approve m1\nat 30 crash as late\nexpect { m1 sent within 3 of late }"),
        "unsatisfiable",
    ),
}


@pytest.mark.parametrize("name", CORNERS)
def test_corner(name: str) -> None:
    (level, horizon, lines), verdict = CORNERS[name]
    indented = "".join(f"  {line}\n" for line in lines.splitlines())
    text = SCENARIO.format(level=level, horizon=horizon, lines=indented)
    compilation = compile_source(SourceFile("corner.scenario", text))
    bundle = compilation.scenarios[0].bundle
    assert bundle is not None, compilation.findings
    assert verdict_difference(dict(bundle.document), Budgets()) == (verdict, [])
