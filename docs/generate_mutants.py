"""Write docs/mutants.md from the one table of faulty systems: `make docs`. A test compares every byte."""

from __future__ import annotations

import sys
from pathlib import Path

from wellposed.dsl.vocabulary import SPEC
from wellposed.verifier.models import FAULT_TABLES, Fault

HEAD = """# Faulty systems

A scenario is worth something if a wrong system fails it. This page defines {count} systems that each err in one way, and what it means that a scenario
**catches** one. `wellposed mutants` finds it out for every scenario and every system, by proof; `wellposed spec mutants` prints the table below, and
`wellposed explain NAME` one system of it. An author who writes `catches NAME` in a scenario has this proved or refuted by `check`
([WP610](codes/WP610.md)). The words are those of [the page of the model](model.md).

## What a faulty system is

A faulty system is a set of logs under the scenario's schedule: everything that it may write, at any tick that it likes. Timing is as free as that of an
honest system. It errs by its **policy**, which says for a work item what the system does wrong (the consequence) when something is the case (the
cause). Each system has its causes and consequences below. Where there are several, such as two crashes, each counts. Its logs are all that satisfy these:

- The physics of a log, as in the rows `K` of the model, but for those that the list *does not keep* names.
- An item for which **no cause** holds is treated as by a conforming system: it owes every obligation of the scenario's levels.
- An item for which **some cause** holds satisfies every consequence whose cause holds. It owes the obligations as well, but for those that the list
  *does not keep* names: the ones that the fault breaks, and the ones that nobody can keep who does this.

What a faulty system can write besides: a second send of the same draft; a second admission of a message; two agents that contend for an item and
never settle it; a reply in another conversation, or with other anchors; snapshots that contradict the logs. Of all this a system does only what its
policy speaks of. A record that is stamped wrongly counts at the tick at which the harness saw it.

A fault **attacks** some obligations, and shows in a log if the log breaks one of these that is in force at the scenario's level. What else goes wrong
in such a log is a consequence of the one fault, and kills nothing.

Some rows are physics for a conforming system and are judged here nevertheless: `K.reason` is broken by an abandonment whose reason has not happened by
then, `K.completed` by the completion of an unsent item, `L1.fork` by a second admission, `L2.forged` by a send without authority at or after a forged
approval of the item or of a draft that nobody declared, `L3.state` by a snapshot that disagrees.

## What the cells mean

A log of the system **passes** if every expectation holds and, unless the scenario says `invariants only expect`, no attacked obligation in force is
broken. The cell of a scenario and a system is:

| cell | |
|---|---|
| `-` | no log of the system shows the fault: it cannot err here. That includes systems of which no attacked obligation is in force |
| `K` | no log of the system passes: it is caught under every timing |
| `.` | every log that shows the fault passes: it is never caught |
| `k` | anything else: some timings are caught, and some pass, with or without the fault showing |

A system with variants has `-` if all variants have. Else the variants that have not must agree; if they do not, the cell is `k`.

`K` needs a cause that the schedule forces: if a quick system has its work done before the crash comes, a system that crashes badly may be quick. A
survivor of `k` or `.` is a log that passes, and it is shown, judged again by the log checker. Only scenarios that every conforming run passes have
cells: well-posed ones, and vacuous ones, which say what they accept too much.

## What would catch it

For a system that no scenario of the invocation always catches, a change is looked for that makes a survivor's cell `K`. Where the expectations alone
count and the survivor shows the fault: up to {together} expectations that hold in every conforming run. They are taken from all forms of claims over the
items and names of the scenario, with the shortest windows that hold. Else a small change of the schedule: one event up to {farthest} ticks earlier or
later, or one more event of the kind that the fault needs. At most {attempts} changed scenarios are looked at for one cell. What is shown was verified: the
changed scenario is well-posed, or, where the expectations alone count, has no other fault than to accept too much of other systems.

## The systems

| system | a system that | attacks |
|---|---|---|
{rows}
"""


def page() -> str:
    """The whole page."""
    from wellposed.verifier.amr.catching.schedule import FARTHEST
    from wellposed.verifier.catching import ATTEMPTS, TOGETHER

    faults = FAULT_TABLES[SPEC]
    rows = (f"| [`{fault.id}`](#{fault.id}) | {fault.text} | {_rows(fault.attacks)} |" for fault in faults)
    head = HEAD.format(count=len(faults), rows="\n".join(rows), together=TOGETHER, farthest=FARTHEST, attempts=ATTEMPTS)
    return head + "".join(map(_section, faults))


def _rows(rows: tuple[str, ...]) -> str:
    return " ".join(f"`{row}`" for row in rows)


def _section(fault: Fault) -> str:
    points = (
        f"Errs with an item if: {fault.cause}.",
        f"Then: {fault.consequence}.",
        f"Attacks: {_rows(fault.attacks)}",
        f"Does not keep: {_rows(fault.owes_not or fault.attacks)}",
    )
    lines = [f"### {fault.id}", f"A system that {fault.text}.", "\n".join(f"- {point}" for point in points)]
    if fault.unforced:
        lines.append(f"No scenario can always catch it. {fault.unforced}")
    return "\n" + "\n\n".join(lines) + "\n"


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "mutants.md"
    path.write_text(page(), encoding="utf-8", newline="\n")
