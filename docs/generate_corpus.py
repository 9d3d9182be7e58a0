"""Write docs/corpus.md and docs/limits.md: the corpus of retold public reports, and what cannot be expressed.

Tests compare every byte.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.render.colour import Palette
from wellposed.cli.render.concise import render_line
from wellposed.cli.report import Report
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding
from wellposed.dsl.inexpressible import LIMITS, Where
from wellposed.dsl.vocabulary import READINGS
from wellposed.verifier.models import READING_TABLES
from wellposed.verifier.suite.check import check_suite
from wellposed.verifier.verify import verify

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "corpus"
KINDS = {
    "ATTR": "harness trouble or unreached step booked as result",
    "CANCEL": "escalation, cancel, pause versus in-flight work",
    "CLOCK": "ticks, windows, jumps, horizons and budgets",
    "CONTRA": "expectation contradicts rules, posture or level text",
    "DUP": "duplicate intake or effect",
    "EARLY": "signal or event before its receiver",
    "FLAKY": "environment or checker non-deterministic, state carried over",
    "FORGE": "forged, contradictory or unauthenticated authority",
    "HASH": "digest or canonical form not a function of content",
    "IDENT": "conversation or identity confusion",
    "INCONS": "two oracles, or two sibling scenarios, disagree",
    "LEAK": "held-out content or labels readable",
    "LENIENT": "violating run accepted",
    "LOOP": "feedback loop",
    "LOST": "work or pending decision lost or stranded by a crash",
    "NOFAULT": "fault, trigger or guard never takes effect",
    "NOOP": "doing nothing passes",
    "OBS": "operator view contradicts the log",
    "OWN": "ownership, zombie, lease",
    "POSTURE": "stale rules, flags, policy",
    "RACE": "outcome hangs on an undefined order or boundary",
    "REEXEC": "resume re-executes or restarts",
    "REF": "expected value or referent unreachable, unbound, misspelt",
    "SCHEMA": "mistyped, unknown or duplicate fixture fields",
    "STALE": "approval and content out of step",
    "STIM": "stimulus itself ambiguous or not fixed",
    "STRICT": "lawful outcome rejected (several valid, one accepted)",
}
"""What is wrong in a report: the kinds that an entry can have."""
INTRODUCTION = """# The corpus of public reports

Benchmarks and systems of agents have faults that somebody has found, argued about and written down in public. This page lists reports of that kind,
each retold as one small scenario of the benchmark: `FD` for a fault in a test fixture, which the tool is to find before any system runs, and `SF` for a
fault in a system, which a scenario is to be able to ask for. Each entry is a folder of [tests/corpus](../tests/corpus), with the scenario, the twin in
which the fault is repaired, and, where the verdict is not the one that the report suggests, the argument from [model.md](model.md). The tests hold every
verdict and every code; *prints* is the line of `wellposed check` that carries the reason. What cannot be expressed (*limit*) is explained in
[limits.md](limits.md); its folder has the scenario that one would want, with the finding that answers it, and one that can be written instead.

The page ends with the [traps of the specification](#hazards) that the corpus shows, and with the [checks](#checks) that find its faults.

"""
PAGE = """# What cannot be expressed

A scenario speaks of messages, decisions, signals and faults at written ticks, and of admissions, claims, drafts, sends and resolutions; that is the
kernel, and [model.md](model.md) ends with what is not modelled. This page says what of the [corpus of public reports](corpus.md) lies outside of it: what
is missing, and what an author can write instead. It lies outside for one of three reasons.

- **The benchmark has no channel for it.** No event or record of the specification carries it: a decision that sends a draft back, a pause for everything,
  an agent that is slow, a subject or a recipient of a reply.
- **It is not modelled**: texts, content hashes, the answers of a model, the bytes of files.
- **It is about the harness**, and not about one run: results and averages, what one run leaves for the next, the clock of the machine.

A word that asks for one of these is no typing error, and is not told as one: where it cannot stand, [WP128](codes/WP128.md) (an event, or what a message
or record would have to say) or [WP129](codes/WP129.md) (an expectation) says what is missing, why, and what to write instead. The words stand below each
limit; those that are no words of the language can still be names.

"""
DIFFERENCES = """
<a id="differences"></a>

## Where the verdict is not the one that the report suggests

Each report was first given a verdict by hand, from its own text alone. Where the tool's is another one, or is the same for another reason or with
other ticks, this is the argument. Everywhere else the two agree.

| entry | by hand | here | why |
|---|---|---|---|
"""
HAZARDS = """
<a id="hazards"></a>

## Traps of the specification

Places at which the text of the benchmark's specification is a trap for whoever writes a scenario, and the entries that show each. The
[readings](readings.md) decide it; where the model can take another answer, the verdict that a scenario would have then is the proof that it matters.

| | trap | what shows it | entries | readings |
|---|---|---|---|---|
"""
CHECKS = """
<a id="checks"></a>

## The ten checks

What to look for, by what finds most of it. A code without an entry is raised by the example on its own page.

| | check | codes |
|---|---|---|
"""


def entries() -> list[tuple[Path, Mapping[str, str]]]:
    """The folders of the corpus with their `entry.toml`, in the order of their ids."""
    return [
        (path.parent, tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(CORPUS.glob("*/entry.toml"))
    ]


def examined(folder: Path) -> Report:
    """What `wellposed check` finds in the folder of one entry, or of all, the display paths relative to the corpus."""
    before = Path.cwd()
    os.chdir(CORPUS)
    try:
        return examine(gather([os.path.relpath(folder)], ""), verify, check_suite)
    finally:
        os.chdir(before)


def telling(report: Report, code: str) -> Finding:
    """The first finding with this code, those of scenarios that are rejected on purpose included."""
    return next(finding for finding in (*report.suppressed, *report.findings) if finding.code == code)


def page() -> str:
    """The whole page."""
    found = entries()
    return INTRODUCTION + _counts(found) + _table(found) + _differences(found) + _hazards() + _checks()


def data(name: str) -> Sequence[Mapping[str, Any]]:
    """The rows of `hazards.toml` (`hazard`) or `checks.toml` (`check`)."""
    rows: Sequence[Mapping[str, Any]] = tomllib.loads((CORPUS / f"{name}s.toml").read_text(encoding="utf-8"))[name]
    return rows


def limits() -> str:
    """The whole page of what cannot be expressed."""
    limited = [entry for _, entry in entries() if "limit" in entry]
    whole = [_limit(entry) for entry in limited if entry["verdict"] == "limit"]
    part = [_limit(entry) for entry in limited if entry["verdict"] != "limit"]
    return f"{PAGE}## Entries that cannot be expressed\n\n{''.join(whole)}\n## What is left out of others\n\n{''.join(part)}"


def _limit(entry: Mapping[str, str]) -> str:
    why = entry["limit"][0].upper() + entry["limit"][1:].rstrip(".")
    words = ", ".join(f"`{word}`" for word in sorted(set(_words(entry["id"]))))
    asked = f"\n  Words: {words}.\n" if words else ""
    return f"- **[{entry['id']}]({entry['link']})** {entry['title']}. {why}.\n{asked}"


def _words(id: str) -> Iterator[str]:
    """The phrases that ask for what an entry says is a limit, as they are written."""
    for limit in LIMITS:
        if limit.entry == id:
            for where in Where:
                before = {Where.PREDICATE: "m1 ", Where.DECIDED: "approve m1 "}.get(where, "")
                yield from (before + " ".join(phrase).replace("*", "…") for phrase in limit.phrases(where))


def _counts(found: list[tuple[Path, Mapping[str, str]]]) -> str:
    kinds = Counter(entry["kind"] for _, entry in found)
    verdicts = Counter(entry["verdict"] for _, entry in found)
    named = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    rows = "".join(f"| {kind} | {KINDS[kind]} | {count} |\n" for kind, count in sorted(kinds.items()))
    return f"{len(found)} entries: {named}.\n\n| kind | what is wrong | entries |\n|---|---|---|\n{rows}\n"


def _table(found: list[tuple[Path, Mapping[str, str]]]) -> str:
    lines = ["## Entries\n\n| entry | report | kind | verdict | code | prints |\n|---|---|---|---|---|---|\n"]
    for folder, entry in found:
        code = entry.get("code")
        printed = ""
        if code is not None and entry["verdict"] != "leak":
            line = render_line(telling(examined(folder), code), Palette(False))
            printed = "`` " + line.removeprefix(f"{folder.name}/").replace("|", "\\|") + " ``"
        shown = "" if code is None else f"[{code}](codes/{code}.md)"
        name = f"[{entry['id']}](../tests/corpus/{folder.name})"
        report = f"[{entry['title']}]({entry['link']})"
        lines.append(f"| {name} | {report} | {entry['kind']} | {entry['verdict']} | {shown} | {printed} |\n")
    return "".join(lines)


def _hazards() -> str:
    lines = [HAZARDS]
    for row in data("hazard"):
        shown = row["shows"]
        for scenario, answer, verdict in row.get("flips", ()):
            shown += f"; `{scenario}` would be {verdict} under `{answer}`"
        deciding = ", ".join(
            f"[{one.id}](readings.md#{one.id})" for one in READING_TABLES[READINGS] if row["number"] in one.hazards
        )
        lines.append(f"| {row['number']} | {row['what']} | {shown} | {_linked(row['entries'])} | {deciding} |\n")
    return "".join(lines)


def _checks() -> str:
    lines = [CHECKS]
    for row in data("check"):
        codes = "; ".join(
            f"[{code}](codes/{code}.md) {BY_ID[code].slug}" + (f" ({_linked(raised)})" if raised else "")
            for code, raised in row["codes"].items()
        )
        lines.append(f"| {row['number']} | {row['name']} | {codes} |\n")
    return "".join(lines)


def _linked(ids: Sequence[str]) -> str:
    return ", ".join(f"[{id}](../tests/corpus/{id.lower()})" for id in ids)


def _differences(found: list[tuple[Path, Mapping[str, str]]]) -> str:
    lines = [DIFFERENCES]
    for _, entry in found:
        if "differs" in entry:
            code = f" ({entry['code']})" if "code" in entry else ""
            lines.append(
                f"| {_linked([entry['id']])} | {entry['suggested']} | {entry['verdict']}{code} | {entry['differs']} |\n"
            )
    return "".join(lines)


if __name__ == "__main__":
    for name, text in (("corpus", page()), ("limits", limits())):
        (ROOT / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
        sys.stdout.write(f"docs/{name}.md\n")
