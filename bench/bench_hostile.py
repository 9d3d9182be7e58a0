"""What hostile inputs cost: for each class the slowest of its inputs, in seconds of work and resident memory, for one command.

Each input is read by the first verb of its kind, in a child with 512 MiB of address space (tests/hostile). With `--all`, by every verb.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.hostile.children import Child, Children
from tests.hostile.inputs import GOOD, VERBS, Hostile
from tests.hostile.test_hostile import INPUTS


def measure(children: Children, one: Hostile, everything: bool) -> Child:
    """Read one input."""
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch) / "work"
        work.mkdir()
        (work / "good.scenario").write_text(GOOD, encoding="utf-8")
        one.put(work)
        return children.run(work, VERBS[one.kind] if everything else VERBS[one.kind][:1])


def main() -> None:
    """One line per class."""
    everything = "--all" in sys.argv
    worst: dict[str, list[tuple[float, int, Hostile]]] = defaultdict(list)
    with Children() as children:
        for one in INPUTS:
            child = measure(children, one, everything)
            if child.signal is not None:
                print(f"{one}: ended by signal {child.signal} after {len(child.said)} commands")
            worst[one.group].append((child.seconds, child.peak, one))
    print(f"{'class':28}  inputs  {'seconds':>8}  {'MiB':>5}  the slowest")
    for group, measured in worst.items():
        seconds, _, slowest = max(measured, key=lambda found: found[0])
        peak = max(found[1] for found in measured)
        print(f"{group:28}  {len(measured):6}  {seconds:8.2f}  {peak / 2**20:5.0f}  {slowest.name}")


if __name__ == "__main__":
    main()
