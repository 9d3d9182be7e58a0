"""The engine's clock: several jumps at one tick are one, the furthest, as the log checker replays them."""

from __future__ import annotations

import pytest

from wellposed.compiler.compilation import compile_source
from wellposed.dsl.source import SourceFile
from wellposed.verifier.amr.clock import Clock
from wellposed.verifier.verify import verify


@pytest.mark.parametrize(
    ("jumps", "visible"),
    [
        ([(3, 6), (3, 9)], [0, 1, 2, 3, 9, 10]),
        ([(3, 9), (3, 6)], [0, 1, 2, 3, 9, 10]),
        ([(3, 9), (3, 9)], [0, 1, 2, 3, 9, 10]),
        ([(3, 9), (5, 7)], [0, 1, 2, 3, 9, 10]),
        ([(2, 4), (3, 9), (4, 6)], [0, 1, 2, 4, 9, 10]),
        ([(3, 3), (3, 4), (5, 8)], [0, 1, 2, 3, 4, 5, 8, 9, 10]),
    ],
)
def test_the_furthest_jump_of_a_tick_counts(jumps: list[tuple[int, int]], visible: list[int]) -> None:
    clock = Clock(10, jumps)
    assert [tick for tick in range(11) if clock.lands(tick) == tick] == visible
    assert [clock.index(tick) for tick in visible] == list(range(len(visible)))
    assert [clock.tick(index) for index in range(clock.horizon + 1)] == visible


@pytest.mark.parametrize(
    "jumps", ["jump to 30 jump to 20", "jump to 20 jump to 30", "jump to 30 jump to 30", "jump to 30"]
)
def test_it_is_that_of_the_log_checker(jumps: str) -> None:
    """A run that the two clocks do not tell alike is refused by the checker, and that is an error of the tool."""
    text = f"""\
scenario two-jumps {{
  level L0
  horizon 60
  conversation order {{ from "ada@example.test" subject "s" }}
  at 0 deliver m1 in order "Hello."
  at 3 {{ {jumps} }}
  expect {{ m1 sent within 10 }}
}}
"""
    bundle = compile_source(SourceFile("x.scenario", text)).scenarios[0].bundle
    assert bundle is not None
    result = verify(bundle)
    assert result.verdict == "well-posed"
    assert [(one.first, one.last) for one in result.outcomes["m1"]] == [(0, 36)]
