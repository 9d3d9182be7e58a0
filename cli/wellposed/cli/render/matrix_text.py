"""The kill matrix as text: the table, then every system that is not always caught anywhere, with a run and a change."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wellposed.cli.matrix import FAULTS, Matrix, Row
from wellposed.cli.render.escape import escape
from wellposed.cli.render.fill import fill
from wellposed.cli.render.table import Cell, render_table
from wellposed.verifier.matrix import Survivor
from wellposed.verifier.models import Fault
from wellposed.verifier.mutants import ABSENT, KILLED, SOMETIMES, SURVIVES
from wellposed.verifier.tables import alone

MEANINGS = {
    KILLED: "caught under every timing",
    SOMETIMES: "caught under some timings",
    SURVIVES: "never caught",
    ABSENT: "cannot err there",
}
COLOURS = {KILLED: "good", SOMETIMES: "warning", SURVIVES: "error", ABSENT: "dim"}

COLUMNS = 96
"""Of what is said below a run."""

Paint = Callable[[str, str], str]


def render(matrix: Matrix, paint: Paint, verbose: bool) -> str:
    """The whole, with a final newline; with `verbose` also the runs of systems that another scenario always catches."""
    if not matrix.rows:
        return "".join(f"{line}\n" for line in left_out(matrix))
    blocks = [grid(matrix, paint).rstrip("\n")]
    told = FAULTS if verbose else matrix.missed()
    blocks += [block for fault in told for block in _survivors(matrix, fault, paint, verbose)]
    blocks.append("\n".join([*left_out(matrix), summary(matrix)]))
    return "\n\n".join(blocks) + "\n"


def grid(matrix: Matrix, paint: Paint) -> str:
    """The table alone, with what its marks and columns mean and a final newline."""
    return "\n".join((*_legend(matrix), "", _table(matrix, paint), ""))


def summary(matrix: Matrix) -> str:
    """One line: how many systems are always caught somewhere, only sometimes, never, or cannot err at all."""
    best = [matrix.best(fault.id) for fault in FAULTS]
    counts = {value: best.count(value) for value in MEANINGS}
    words = {
        KILLED: "always caught",
        SOMETIMES: "caught under some timings only",
        SURVIVES: "never caught",
        ABSENT: "unable to err",
    }
    told = ", ".join(f"{counts[value]} {words[value]}" for value in MEANINGS if counts[value])
    scenarios = f"{len(matrix.rows)} scenario{'s' if len(matrix.rows) != 1 else ''}"
    return f"{len(FAULTS)} faulty systems, {scenarios}: {told}"


def left_out(matrix: Matrix) -> Iterator[str]:
    """Which scenarios have no cells, and why."""
    if matrix.left_out:
        names = ", ".join(f"{escape(name)} ({verdict})" for name, verdict in matrix.left_out)
        yield f"left out, as a cell says nothing where conforming runs fail or there is no verdict: {names}"


def _legend(matrix: Matrix) -> Iterator[str]:
    yield "  ".join(f"{value} {meaning}" for value, meaning in MEANINGS.items())
    yield ""
    if _wide(matrix):
        yield from (f"{number:>3}  {fault.id}" for number, fault in enumerate(FAULTS, start=1))
    else:
        yield from (f"{number:>3}  {escape(row.result.id)}" for number, row in enumerate(matrix.rows, start=1))


def _wide(matrix: Matrix) -> bool:
    """Whether the table is narrower with a column for each system than with one for each scenario."""
    return len(matrix.rows) > len(FAULTS)


def _table(matrix: Matrix, paint: Paint) -> str:
    if _wide(matrix):
        names = [escape(row.result.id) for row in matrix.rows]
        values = [[row.value(fault.id) for fault in FAULTS] for row in matrix.rows]
    else:
        names = [fault.id for fault in FAULTS]
        values = [[row.value(fault.id) for row in matrix.rows] for fault in FAULTS]
    head = ("", *(str(number) for number in range(1, len(values[0]) + 1)))
    rows: list[list[Cell]] = [[[name], *([value] for value in line)] for name, line in zip(names, values, strict=True)]
    return render_table(head, rows, paint, [["", *(COLOURS[value] for value in line)] for line in values])


def _survivors(matrix: Matrix, fault: Fault, paint: Paint, verbose: bool) -> Iterator[str]:
    """The runs of one system that pass: of the first scenario that tells most, or of all."""
    rows = [row for row in matrix.rows if row.kills[fault.id].survivor is not None]
    rows.sort(
        key=lambda row: (
            not row.kills[fault.id].cell.shown,
            fault.id not in row.changes or row.changes[fault.id] is None,
        )
    )
    for row in rows if verbose else rows[:1]:
        survivor = row.kills[fault.id].survivor
        assert survivor is not None
        yield "\n".join(_told(row, fault, survivor, len(rows) - 1, paint))


def _told(row: Row, fault: Fault, survivor: Survivor, others: int, paint: Paint) -> Iterator[str]:
    cell = row.kills[fault.id].cell
    how = MEANINGS[cell.value]
    yield paint(f"{fault.id} in {escape(row.result.id)}: {how}", "bold")
    yield f"  it {fault.text}; that attacks {', '.join(cell.attacked)}"
    yield from (f"  {escape(line)}" for line in alone(survivor.trace, "a run of it that passes"))
    for remark in remarks(row, fault, survivor):
        yield from (f"  {line}" for line in fill(escape(remark), COLUMNS))
    if others:
        yield f"  {others} more of these scenarios let it pass, all with -v"


def remarks(row: Row, fault: Fault, survivor: Survivor) -> Iterator[str]:
    """What is said below a run: whether the fault shows, what else breaks, what would catch it."""
    if not row.kills[fault.id].cell.shown:
        yield "in this run the fault does not show: the timing spares it"
    elif survivor.broken:
        yield f"what it breaks: {', '.join(survivor.broken)}"
    if fault.unforced:
        yield f"no schedule can force it: {fault.unforced[0].lower()}{fault.unforced[1:]}"
    elif fault.id in row.changes:
        change = row.changes[fault.id]
        if change is None:
            yield "no small change was found that catches it and leaves the scenario well-posed"
        else:
            yield f"what catches it: {change.words} (verified)"
