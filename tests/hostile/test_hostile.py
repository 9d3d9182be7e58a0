"""Whatever an input is: in little memory and time, every verb that reads it says in whole output what is wrong, once per cause.

The default lane runs the first verb on every input that is quickly read; the slow lane runs all of them, on all inputs. The errors that the first verb finds are in `expected/codes.txt`.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from tests.hostile.bundles import BUNDLES
from tests.hostile.children import Child, Children
from tests.hostile.inputs import GOOD, VERBS, Command, Hostile
from tests.hostile.logs import FIXTURES, LEDGERS, RUNS
from tests.hostile.sources import SOURCES
from tests.hostile.trees import TREES
from tests.hostile.valid import faults

INPUTS = [*SOURCES, *BUNDLES, *RUNS, *FIXTURES, *LEDGERS, *TREES]
EXPECTED = Path(__file__).parent / "expected" / "codes.txt"
WRITTEN = {"built", "made", "board", "judged.json", "adopted.scenario"}
"""What the commands may write, below the folder in which they are called."""


def _codes(child: Child) -> str:
    """The errors of the first command and how often each stands there, on one line."""
    found = json.loads(child.said[0].out)["findings"]
    counts = Counter(one["code"] for one in found if one["severity"] == "error" and not one["suppressed"])
    return " ".join(f"{code}x{count}" if count > 1 else code for code, count in sorted(counts.items())) or "no error"


def _entries(folder: Path) -> set[str]:
    return set(os.listdir(folder))


def _tell(children: Children, folder: Path, one: Hostile, commands: list[Command]) -> Child:
    """Run the commands on an input, and see that their output is whole and that nothing was written elsewhere."""
    work = folder / "work"
    work.mkdir()
    (work / "good.scenario").write_text(GOOD)
    one.put(work)
    before = _entries(folder), _entries(work)
    child = children.run(work, commands)
    assert child.signal is None, (one, len(child.said), commands[len(child.said)])
    assert len(child.said) == len(commands), (one, child.said[-1:])
    assert [fault for said in child.said for fault in faults(said)] == [], one
    assert _entries(folder) == before[0]
    assert _entries(work) - before[1] <= WRITTEN
    return child


def test_expected_codes_are_those_of_the_inputs() -> None:
    names = [line.rpartition(" => ")[0] for line in EXPECTED.read_text(encoding="utf-8").splitlines()]
    assert names == list(dict.fromkeys(names)) == [str(one) for one in INPUTS]


def _compare(one: Hostile, child: Child) -> None:
    """Hold the errors against what is expected. With UPDATE_EXPECTED they are written behind what stands there."""
    told = f"{one} => {_codes(child)}"
    if "UPDATE_EXPECTED" in os.environ:
        with open(EXPECTED, "a", encoding="utf-8") as file:
            file.write(told + "\n")
    assert told in EXPECTED.read_text(encoding="utf-8").splitlines()


QUICK = [number for number, one in enumerate(INPUTS) if not one.heavy]


@pytest.mark.parametrize("number", QUICK, ids=[str(INPUTS[number]) for number in QUICK])
def test_an_input(children: Children, tmp_path: Path, number: int) -> None:
    _compare(INPUTS[number], _tell(children, tmp_path, INPUTS[number], VERBS[INPUTS[number].kind][:1]))


@pytest.mark.slow
@pytest.mark.parametrize("one", INPUTS, ids=str)
def test_an_input_for_every_verb(children: Children, tmp_path: Path, one: Hostile) -> None:
    _compare(one, _tell(children, tmp_path, one, VERBS[one.kind]))
