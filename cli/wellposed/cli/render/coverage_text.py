"""The coverage as text: what is missing first, then the levels, the table, and what hangs on one scenario."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.cli.coverage import COUNTED, NOT_COUNTED, Coverage, Scenario
from wellposed.cli.matrix import FAULTS
from wellposed.cli.render.escape import escape
from wellposed.cli.render.matrix_text import Paint, left_out
from wellposed.cli.render.table import Cell, render_table
from wellposed.dsl.vocabulary import LEVELS, Obligation
from wellposed.verifier.models import Fault
from wellposed.verifier.mutants import ABSENT, KILLED, SOMETIMES, SURVIVES
from wellposed.verifier.tables import alone

NOTICED, UNNOTICED, NOT_IN_QUESTION = "+", ".", "-"
MEANINGS = {
    NOTICED: "it counts, and a log that breaks it is rejected",
    UNNOTICED: "it counts, and some log breaks it and passes",
    NOT_IN_QUESTION: "it does not count there",
}
COLOURS = {NOTICED: "good", UNNOTICED: "error", NOT_IN_QUESTION: "dim"}


def render(found: Coverage, paint: Paint) -> str:
    """The whole, with a final newline."""
    if not found.scenarios:
        return "".join(f"{line}\n" for line in left_out(found.matrix))
    blocks = [*_missing(found, paint), _levels(found, paint), _table(found, paint), *_only_cover(found, paint)]
    blocks.append("\n".join([*left_out(found.matrix), summary(found)]))
    return "\n\n".join(blocks) + "\n"


def summary(found: Coverage) -> str:
    """One line: how much is covered."""
    obligations = sum(bool(found.noticing(row.id)) for row in COUNTED)
    systems = sum(bool(found.catching(fault.id)) for fault in FAULTS)
    parts = f"{obligations} of {len(COUNTED)} obligations, {systems} of {len(FAULTS)} faulty systems"
    count = len(found.scenarios)
    return f"{count} {'scenario covers' if count == 1 else 'scenarios cover'} {found.percent} %: {parts}"


def mark(one: Scenario, obligation: str) -> str:
    """The cell of an obligation in a scenario."""
    if obligation not in one.covered:
        return NOT_IN_QUESTION
    return NOTICED if one.notices(obligation) else UNNOTICED


def why(found: Coverage, one: Obligation | Fault, gap: bool) -> str:
    """What is missing about an obligation or a faulty system."""
    if isinstance(one, Obligation):
        return f"{one.text}: {'in no scenario does that count' if gap else 'no scenario would see it broken'}"
    value = {SOMETIMES: "caught under some timings only", SURVIVES: "never caught"}.get(
        found.matrix.best(one.id), "cannot err"
    )
    return f"{value}: it {one.text}, which attacks {', '.join(one.attacks)}"


def spare(found: Coverage, obligation: Obligation) -> str:
    """Why no cell depends on an obligation that is covered."""
    attacking, caught = through(found, obligation.id)
    unable = [system for system in attacking if found.matrix.best(system) == ABSENT]
    others = [system for system in attacking if system not in (*caught, *unable)]
    reasons = (("caught without it as well", caught), ("not always caught", others), ("cannot err", unable))
    told = "; ".join(f"{reason}: {', '.join(systems)}" for reason, systems in reasons if systems)
    return f"{obligation.text}: covered, but no cell depends on it ({told})"


def not_counted() -> str:
    """Which obligations nothing is said of, and why."""
    return f"not counted, as the physics of every log: {', '.join(row.id for row in NOT_COUNTED)}"


def through(found: Coverage, obligation: str) -> tuple[list[str], list[str]]:
    """The faulty systems that attack an obligation, and those that are always caught somewhere where it is in force."""
    attacking = [fault.id for fault in FAULTS if obligation in fault.attacks]
    cells = [one.row.kills[system].cell for one in found.scenarios for system in attacking]
    caught = {cell.system for cell in cells if cell.value == KILLED and obligation in cell.attacked}
    return attacking, [system for system in attacking if system in caught]


def _missing(found: Coverage, paint: Paint) -> Iterator[str]:
    for title, missing, gap in (("gaps", found.gaps(), True), ("near misses", found.near_misses(), False)):
        lines = [paint(title, "bold")]
        ones, spares = list(missing), [] if gap else list(found.spare())
        names = max((len(one.id) for one in (*ones, *spares)), default=0)
        for one in ones:
            lines.append(f"  {one.id:<{names}}  {why(found, one, gap)}")
            if isinstance(one, Obligation) and not gap:
                scenario, survivor = found.unnoticed(one.id)
                lines += [
                    f"    {escape(line)}" for line in alone(survivor.trace, f"a run in {scenario.id} that passes")
                ]
        lines += [f"  {row.id:<{names}}  {spare(found, row)}" for row in spares]
        lines += [] if gap else [f"  {escape(line)}" for line in idle(found)]
        if len(lines) == 1:
            lines.append("  none")
        if gap:
            lines.append(f"  {not_counted()}")
        yield "\n".join(lines)


def idle(found: Coverage) -> Iterator[str]:
    """The expectations on which no cell depends."""
    for scenario, index in found.idle():
        yield f"`{scenario.expectation(index)}` in {scenario.id}: no cell depends on this expectation"


def levels(found: Coverage) -> Iterator[tuple[str, int, list[str], list[str]]]:
    """Per level: its name, how many scenarios have it as their own, its obligations, and those that nothing covers."""
    for level in LEVELS:
        own = [row.id for row in COUNTED if row.id.startswith(f"L{level.number}.")]
        scenarios = sum(one.row.bundle.level == level.number for one in found.scenarios)
        yield f"L{level.number} {level.name}", scenarios, own, [id for id in own if not found.noticing(id)]


def _levels(found: Coverage, paint: Paint) -> str:
    rows: list[list[Cell]] = []
    for name, scenarios, own, missing in levels(found):
        rows.append([[name], [str(scenarios)], [f"{len(own) - len(missing)} of {len(own)}"], [", ".join(missing)]])
    head = ("level", "its scenarios", "obligations", "not covered")
    return render_table(head, rows, paint, [["", "", "", "error"]] * len(rows))


def _table(found: Coverage, paint: Paint) -> str:
    legend = [f"{value} {meaning}" for value, meaning in MEANINGS.items()]
    names = [f"{number:>3}  {escape(one.id)}" for number, one in enumerate(found.scenarios, start=1)]
    head = ("", *(str(number) for number in range(1, len(names) + 1)), "of the systems that attack it, always caught")
    rows: list[list[Cell]] = []
    for row in COUNTED:
        attacking, caught = through(found, row.id)
        rows.append(
            [[row.id], *([mark(one, row.id)] for one in found.scenarios), [f"{len(caught)} of {len(attacking)}"]]
        )
    kinds = [["", *(COLOURS[cell[0]] for cell in row[1:-1]), ""] for row in rows]
    return "\n".join((*legend, "", *names, "", render_table(head, rows, paint, kinds)))


def _only_cover(found: Coverage, paint: Paint) -> Iterator[str]:
    lines = [f"  {escape(one.id)}: {', '.join(ids)}" for one, ids in found.only_cover()]
    if lines:
        yield "\n".join((paint("covered by one scenario only", "bold"), *lines))
