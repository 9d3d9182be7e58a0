"""Write docs/proof.md, why a verdict can be believed, from the tables of seeded faults and of mutants: `make docs`. A test compares every byte."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.oracle.census import NOT_IN_TRACES
from tests.verifier.mutation import results
from tests.verifier.mutation.equivalent import argued, arguments
from tests.verifier.mutation.results import Result
from tests.verifier.mutation.sources import MODULES, PARTS, SEED, Name
from tests.verifier.seeded_faults import BUDGET_STEPS, EDITS, EQUIVALENT, Edit
from tests.verifier.test_seeded_faults import rare

from wellposed.verifier.amr import obligations as table

SCENARIOS_GENERATED = 100_000
TRACES_COMPARED = 46_673
DIFFERENCES_FOUND = "there was no difference; the one that an earlier run had found was fixed before"
"""A comparison of sets of runs at length, made once; written down by hand."""

PAGE = """# Why believe a verdict

A verdict of wellposed is a statement about every run that a system may lawfully make, and nobody can look at all of them. This page says what such a
statement rests on, how each of these supports was tried, and what was found. Every one of them can be run again with the command beside it; the seed of
everything random stands in the tests, so it is the same run. Commands are given for an installation by `make setup`.

## What a verdict rests on

| what | what it guards against | run it again |
|---|---|---|
| **The engine**: the model as constraints over ticks, decided by a solver of its own | nothing by itself: it is what the others look at | `.venv/bin/wellposed check scenarios/` |
| **The log checker**, a second program part that shares with the engine only the shape of a run and the budgets. Every run that is shown is judged by it again, as a log, row by row; if it disagrees, the tool reports an error of its own instead of a verdict | a run that is shown and is not what is said of it | at every `check`; its own tests: `.venv/bin/pytest tests/verifier/ -k checker` |
| **The oracle**, a third implementation in the tests that walks over the ticks one record at a time and shares no code with the product; itself held against a declarative restatement of the rows | a run that the engine forgets or invents, which no single shown run would reveal: *sets of all runs* are compared, then verdicts, exercised levels, dead stimuli, cores | `.venv/bin/pytest tests/verifier/test_agreement.py tests/verifier/test_agreement_readings.py tests/oracle`; at length: `make test-slow` |
| **z3**, asked what the solver is asked, formula by formula; and a direct encoding of [the model](model.md) for z3 that shares no formula with the engine | a wrong solver; a wrong formula | `.venv/bin/pytest tests/verifier/test_z3.py tests/verifier/test_direct_encoding.py` |
| **SPIN**, which explores a written process of the model tick by tick | the same, by a tool of another kind: no constraints, no solver | `make clients`; [peers.md](peers.md) has the figures |
| **All assignments**: small random theories, every question to them answered by going through all values | a kernel that answers another question than it was asked | `.venv/bin/pytest tests/verifier/test_questions.py` |
| **Relations between scenarios**: names, the time of day, strangers, idle time and order without consequence must not matter | errors that all implementations share because they share a reader of the model | `.venv/bin/pytest tests/verifier/test_metamorphic.py` |
| **Known answers**: verdicts and cores that [the model](model.md) works out by hand | a drift of the meaning | `.venv/bin/pytest tests/verifier/test_known_answers.py tests/verifier/test_corners.py` |
| **Rows on logs**: what each obligation says of a log that is written down record by record, which logs can be written at all, how each argument is worded, how a schedule is read; by hand, with the tick before and the tick after each border | a row that is wrong where another one hides it | `.venv/bin/pytest tests/verifier/test_rows.py tests/verifier/test_binding.py tests/verifier/test_excuses.py tests/verifier/test_logs.py tests/verifier/test_arguments.py tests/verifier/test_admission.py tests/verifier/test_environment.py` |
| **Counts of work**: what a verdict costs does not depend on the horizon, and grows with the messages and no faster | an engine that only becomes slower, and so undecided | `.venv/bin/pytest tests/verifier/test_work.py` |
| **Seeded faults**, below: {seeded} errors made by hand in the engine, each of which the comparison with the oracle must notice | a comparison that is too weak to notice | `.venv/bin/pytest tests/verifier/test_seeded_faults.py` |
| **Mutation**, below: {mutants} errors made by a program, each of which some test must notice | tests that look at something and would accept anything | `make mutation` |

Beyond what the tests repeat, sets of runs were compared once at length: {generated:,} scenarios were generated, {compared:,} of them were small enough
to write out all runs of both sides, and {differences}.

What none of this shows is that [the model](model.md) reads the benchmark's specification rightly. Where the text leaves a choice, [readings.md](readings.md)
names it, and `wellposed check --readings` tells what becomes of a verdict under each other answer.

## Seeded faults

{edits} edits of single functions are written by hand, each the kind of slip that is easily made: a bound off by one, an excuse left out, a cause ignored, the
order of two decisions confused. {steps} more change one budget by one tick in either direction. With each of them in place the engine's sets of runs must differ from the
oracle's on some scenario of a fixed pool: some hundred generated ones and {by_hand} written by hand. All {seeded} are killed, every one by
`tests/verifier/test_seeded_faults.py`; by verdicts alone many would not be. Without a fault the same pool shows no difference.

Six rows have no place in that table, because no set of runs can show them: {not_shown} bind choices that a run is free in, or hold of whatever is written. Each of them is
broken by mutation, below, and killed by `tests/verifier/test_rows.py`, which works their answers out by hand, as it does the budget of the claims.

| row or function | edit | killed by |
|---|---|---|
{faults}

{equivalent} edits were tried that change no run at all. The same test holds that none of them shows:

{unseen}

## Mutation

`make mutation` changes the source of the engine at one place at a time: another operator, another number, a negated condition, a loop that never turns, a
member or a statement that is missing, one of a pair of names for the other. Each such mutant is run against the tests, in the order in which they are most
likely to notice. A mutant with which some test does not come to an end (it takes eight times its processor time and more) is killed as well, and counted apart.

Results hold for the content of a file, of which the table gives the beginning of its SHA-256; a file that has changed since is named by
`tests/verifier/test_mutation.py`, and the next `make mutation` tries its mutants anew. The kernel comes first, then the table of obligations, then the rules
that bind decisions to drafts. {rest}

| file | content | mutants | tried | killed | of these endless | survived | argued | open |
|---|---|---|---|---|---|---|---|---|
{modules}

### Survivors that change nothing that counts

{arguments}

### Survivors that are open

Each of these is a fault that no test has noticed, or a change that is harmless for a reason that has not been found yet. Every mutant faces quick tests first; what
survives these and has no argument faces the comparisons with the oracle and most other tests of the verifier too.

{open}
"""


def page() -> str:
    """The whole page."""
    found = results.read()
    known = argued()
    seeded = len(EDITS) + len(BUDGET_STEPS)
    return PAGE.format(
        seeded=seeded,
        mutants=f"{sum(result.tried - result.same for result in found.values()):,}",
        generated=SCENARIOS_GENERATED,
        compared=TRACES_COMPARED,
        differences=DIFFERENCES_FOUND,
        edits=len(EDITS),
        by_hand=len(rare()),
        not_shown=", ".join(sorted(f"`{row}`" for row in NOT_IN_TRACES)),
        steps=len(BUDGET_STEPS),
        faults="\n".join(_faults()),
        equivalent=f"{len(EQUIVALENT)}",
        unseen="\n".join(f"- {_where(edit)}: {_edit(edit)}: {why}." for edit, why in EQUIVALENT.items()),
        rest=_rest(found),
        modules="\n".join(_modules(found, known)),
        arguments="\n".join(_arguments(found)) or "None.",
        open="\n".join(_open(found, known)) or "None.",
    )


def _faults() -> Iterator[str]:
    for edit in EDITS:
        yield f"| {_where(edit)} | {_cell(_edit(edit))} | a set of runs |"
    for name, step in BUDGET_STEPS:
        yield f"| budget of `{name}` | `{name}` -> `{name} {step:+d}` | a set of runs |"


def _where(edit: Edit) -> str:
    """The rows that a function of the obligation table makes, or the function."""
    function = inspect.getattr_static(edit.owner, edit.name)
    rows = [f"`{row}`" for row, made_by in table.ROWS.items() if made_by is function]
    owner = edit.owner.__name__.rpartition(".")[2]
    return f"{', '.join(rows)} (`{owner}.{edit.name}`)" if rows else f"`{owner}.{edit.name}`"


def _edit(edit: Edit) -> str:
    return f"`{edit.old}` -> {f'`{edit.new}`' if edit.new else 'nothing'}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _rest(found: dict[str, Result]) -> str:
    """What has not been tried."""
    waiting = {name: result.mutants - result.tried for name, result in found.items() if not result.complete}
    told = []
    if waiting:
        files = ", ".join(f"`{name}.py` ({count})" for name, count in waiting.items())
        told.append(
            f"**{sum(waiting.values()):,} mutants have not been tried yet**: {files}. Those of a file are tried in a random order with the seed {SEED}, so "
            "what has been tried of it is a sample at random."
        )
    missing = [name for name in MODULES if name not in found]
    if missing:
        told.append(f"Not even counted yet are those of {', '.join(f'`{name}.py`' for name in missing)}.")
    return " ".join(told) or "All of them were tried."


def _modules(found: dict[str, Result], known: dict[Name, str]) -> Iterator[str]:
    for names in PARTS.values():
        for name in names:
            if name in found:
                result = found[name]
                survived, reasoned = len(result.survivors), sum(one in known for one in result.survivors)
                counts = (result.mutants - result.same, result.tried - result.same, result.killed, result.endless, survived, reasoned, survived - reasoned)
                yield f"| `{name}.py` | `{result.sha256[:12]}` | {' | '.join(map(str, counts))} |"


def _arguments(found: dict[str, Result]) -> Iterator[str]:
    survived = {one for result in found.values() for one in result.survivors}
    for argument in arguments():
        shown = [one for one in argument.mutants if one in survived]
        if shown:
            yield f"- {argument.why}"
            yield from (f"  - {_mutant(one)}" for one in shown)


def _open(found: dict[str, Result], known: dict[Name, str]) -> Iterator[str]:
    for module, result in found.items():
        survivors = [one for one in result.survivors if one not in known]
        if survivors:
            yield f"- `{module}.py`{'' if result.thorough else ', which have faced the quick tests only'}:"
            yield from (f"  - {_mutant(one)}" for one in survivors)


def _mutant(name: Name) -> str:
    return f"`{name.module}`, `{name.definition or 'constants'}`: `{name.before}` -> {f'`{name.after}`' if name.after else 'nothing'}"


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "proof.md"
    path.write_text(page(), encoding="utf-8", newline="\n")
