"""`explain WORD…`: the page of a diagnostic code, verdict, obligation, reading or faulty system, from the one table of each."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wellposed.cli import output
from wellposed.cli.render.escape import defuse, escape
from wellposed.cli.render.fill import fill
from wellposed.cli.status import CLEAN, UNUSABLE
from wellposed.dsl.codes import BY_ID, TABLE, Code
from wellposed.dsl.vocabulary import OBLIGATIONS, READINGS, SPEC, Obligation

if TYPE_CHECKING:
    from wellposed.verifier.models import Fault, Reading

WIDTH = 88


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to explain."""
    parser.add_argument(
        "words",
        nargs="+",
        metavar="WORD",
        help="a code such as WP501, a verdict, an obligation such as L2.send, a reading such as reply-clock, or a faulty system",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the pages; exit 2 with a suggestion where a word names nothing."""
    pages = []
    for word in arguments.words:
        page = _page(word)
        if page is None:
            output.notice(f"unknown code {word!r}{_near(word)}")
            return UNUSABLE
        pages.append(page)
    output.write_result(defuse("\n\n".join(pages) + "\n"), None)
    return CLEAN


def _page(word: str) -> str | None:
    row = find(word)
    if row is not None:
        return text_page(row)
    obligation = next((one for one in OBLIGATIONS if one.id.lower() == word.lower()), None)
    if obligation is not None:
        return _obligation_page(obligation)
    if word.lower() in VERDICT_PAGES:
        return "\n".join(fill(f"{word.lower()}: {VERDICT_PAGES[word.lower()]}", WIDTH))
    from wellposed.cli.render import faults, readings

    reading = next((one for one in _readings() if one.id == word.lower().partition("=")[0]), None)
    if reading is not None:
        return readings.text_page(reading, WIDTH)
    fault = next((one for one in _faults() if one.id == word.lower()), None)
    return None if fault is None else faults.text_page(fault, WIDTH)


def _obligation_page(row: Obligation) -> str:
    """An obligation: from which level, what kind, and what it demands."""
    kind = "demands a response by a deadline" if row.due else "forbids something"
    text = f"{row.id}, in force from level L{row.level} on, {kind}: {row.text}."
    where = "Its cause, its deadline and what excuses it stand on the page of the model, docs/model.md, under Obligations."
    return "\n".join(fill(f"{text} {where}", WIDTH))


VERDICT_PAGES = {
    "invalid": "the text has errors of syntax, names, types or schedule (WP1xx to WP3xx), so there is nothing to judge.",
    "unsatisfiable": "no conforming run passes. Shown with a minimal core (WP401, WP402): obligations and expectations that admit "
    "no run together, while any of them left out admits one.",
    "ambiguous": "an expectation holds in some conforming runs and fails in others (WP501). Shown with two of them.",
    "vacuous": "a wrong system can pass, or nothing is tested (WP601 to WP605, WP610, WP611).",
    "undecided": "the work budget ran out (WP403). Never a pass; a larger --budget may help.",
    "well-posed": "every expectation is a theorem about all conforming runs, and a wrong system can fail.",
}


def _readings() -> Sequence[Reading]:
    from wellposed.verifier.models import READING_TABLES

    return READING_TABLES[READINGS]


def _faults() -> Sequence[Fault]:
    from wellposed.verifier.models import FAULT_TABLES

    return FAULT_TABLES[SPEC]


def find(word: str) -> Code | None:
    """The row whose id or name is `word`, whatever its case."""
    row = BY_ID.get(word.upper())
    return row or next((row for row in TABLE if row.slug == word.lower()), None)


def _near(word: str) -> str:
    names = {row.id.lower(): row.id for row in TABLE} | {row.slug: row.id for row in TABLE}
    names |= {reading.id: reading.id for reading in _readings()} | {fault.id: fault.id for fault in _faults()}
    near = dict.fromkeys(names[name] for name in difflib.get_close_matches(word.lower()[:40], names, n=3, cutoff=0.6))
    return f"; did you mean {', '.join(near)}?" if near else "; what can be explained: codes (WP501), verdicts, obligations (`wellposed spec levels`), readings (`spec readings`), faulty systems (`spec mutants`)"


def text_page(row: Code) -> str:
    """A code's page as plain text."""
    parts = [f"{row.id} {row.slug} ({row.severity.value}): {row.title}", _wrapped(row.explanation)]
    if row.bad.text:
        parts += [f"{WHAT[row.bad.kind]} raises it:", _indented(row.bad.text)]
    if row.good.text:
        parts += [f"{WHAT[row.good.kind]} does not:", _indented(row.good.text)]
    return "\n\n".join(parts)


WHAT = {
    "scenario": "This scenario file",
    "rules": "This rules file",
    "skin": "This skin file",
    "files": "This folder of files",
    "bundle": "This bundle",
    "bytes": "This file, with bytes written as in Python,",
    "folder": "This, done inside a built bundle folder,",
    "fixture": "This folder of a fixture's files",
    "command": "This command",
    "settings": "This `wellposed.toml`, in the folder in which a scenario is checked,",
    "ledger": "This ledger, in which `format`, `seq` and `prev` are filled in,",
    "revealed": "This, sealed and revealed by a tool that checks nothing,",
    "logs": "This, done to the logs of a result before their hash is published,",
    "reserve": "This, done in a repository with a reserve,",
    "claim": "This claim, in a repository with a few scenarios and logs,",
    "pull": "This, committed on a branch of a repository with published scenarios,",
    "run": "This, done beside five runs of a scenario,",
    "reread": "This scenario file, checked with `--readings`,",
}


def _wrapped(text: str) -> str:
    """Paragraphs filled to the width of a terminal; what is indented stays as it is."""
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(one if one.startswith(" ") else "\n".join(fill(one, WIDTH)) for one in paragraphs)


def _indented(text: str) -> str:
    """An example as it stands, but for a line that no terminal could show."""
    lines = text.rstrip("\n").split("\n")
    return "\n".join("    " + escape(line) if line else "" for line in lines)
