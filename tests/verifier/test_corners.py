"""Corners that random generation seldom reaches: each verdict fixed by hand, and the oracle's at full budgets."""

from __future__ import annotations

import pytest
from tests.oracle import Budgets
from tests.verifier.agreement import verdict_difference

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.dsl.source import SourceFile
from wellposed.verifier.verify import verify

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
    "two sends may be of two drafts, each approved when it is sent": (
        (
            "L2",
            32,
            "at 12 approve oldest draft of m1 as go\nat 17 reject oldest draft of m1\nat 18 crash as x\n"
            + "at 22 { approve m1 reject oldest draft of m1 }\n"
            + "expect { m1 sent within 8 of go  m1 sent within 12 of x }",
        ),
        "unsatisfiable",
    ),
    "of two crashes in one tick neither excuses the other": (
        ("L1", 40, "at 3 { crash crash }\nexpect { any of { m1 sent within 23 } or { m1 abandoned because crash } }"),
        "well-posed",
    ),
    "a crash in the next tick takes the place of the first": (
        ("L1", 40, "at 3 crash\nat 4 crash\nexpect { any of { m1 sent within 23 } or { m1 abandoned because crash } }"),
        "ambiguous",
    ),
    "whoever sends twice has not sent exactly once": (
        ("L0", 30, "expect { if m1 sent exactly once within 30 then m1 open else m1 completed }"),
        "unsatisfiable",
    ),
    "whoever sends twice has not sent exactly this": (
        ("L0", 30, "expect { if only m1 sent then m1 open else m1 completed }"),
        "unsatisfiable",
    ),
    "a send asked for late contradicts the send that is due": (
        ("L2", 40, "at 12 approve m1\nat 30 crash as late\nexpect { m1 sent within 3 of late }"),
        "unsatisfiable",
    ),
}


def bundle_of(level: str, horizon: int, lines: str) -> Bundle:
    indented = "".join(f"  {line}\n" for line in lines.splitlines())
    text = SCENARIO.format(level=level, horizon=horizon, lines=indented)
    compilation = compile_source(SourceFile("corner.scenario", text))
    bundle = compilation.scenarios[0].bundle
    assert bundle is not None, compilation.findings
    return bundle


@pytest.mark.parametrize("name", CORNERS)
def test_corner(name: str) -> None:
    written, verdict = CORNERS[name]
    assert verdict_difference(dict(bundle_of(*written).document), Budgets()) == (verdict, [])


LATE = """at 12 approve m1
at 30 approve m1 as x
at 33 crash as y
at 36 approve m1 as z
at 39 crash as u
at 42 crash as v
at 45 approve m1 as w
"""
EITHER = {
    f"{one}{other}": f"any of {{ m1 sent within 1 of {one} }} or {{ m1 sent within 1 of {other} }}"
    for one, other in ("xy", "zu", "vw")
}


@pytest.mark.parametrize("pairs", [("zu", "vw", "xy"), ("vw", "zu", "xy"), ("vw", "xy"), ("vw", "zu")])
def test_a_log_may_send_as_often_as_it_is_asked_to(pairs: tuple[str, ...]) -> None:
    """Only L1.once forbids one send per window, and one more for the approval: no core is without it.

    The oracle's logs have two sends at most, so it cannot tell.
    """
    expected = "\n".join(EITHER[pair] for pair in pairs)
    core = verify(bundle_of("L2", 60, f"{LATE}expect {{\n{expected}\n}}")).core
    assert "L1.once" in {member.obligation for member in core}
