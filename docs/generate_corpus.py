"""Write docs/corpus.md and docs/limits.md: the corpus of retold public reports, and what of it cannot be expressed.

Tests compare every byte.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.render.colour import Palette
from wellposed.cli.render.concise import render_line
from wellposed.cli.report import Report
from wellposed.dsl.findings import Finding
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
verdict and every code; *prints* is the line of `wellposed check` that carries the reason. What cannot be expressed is explained in
[limits.md](limits.md).

"""
LIMITS = """# What cannot be expressed

A scenario speaks of messages, decisions, signals and faults at written ticks, and of admissions, claims, drafts, sends and resolutions; that is the
kernel, and [model.md](model.md) ends with what is not modelled. This page says what of the [corpus of public reports](corpus.md) lies outside of it: what
is missing, and what an author can write instead. It lies outside for one of three reasons.

- **The benchmark has no channel for it.** No event or record of the specification carries it: a decision that sends a draft back, a pause for everything,
  an agent that is slow, a subject or a recipient of a reply.
- **It is not modelled**: texts, content hashes, the answers of a model, the bytes of files.
- **It is about the harness**, and not about one run: results and averages, what one run leaves for the next, the clock of the machine.

"""


def entries() -> list[tuple[Path, Mapping[str, str]]]:
    """The folders of the corpus with their `entry.toml`, in the order of their ids."""
    return [
        (path.parent, tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(CORPUS.glob("*/entry.toml"))
    ]


def examined(folder: Path) -> Report:
    """What `wellposed check` finds in all files of one entry together, the display paths relative to the corpus."""
    before = Path.cwd()
    os.chdir(CORPUS)
    try:
        paths = sorted(path for path in Path(folder.name).iterdir() if path.suffix in (".scenario", ".rules", ".json"))
        return examine(gather([str(path) for path in paths], ""), verify, check_suite)
    finally:
        os.chdir(before)


def telling(report: Report, code: str) -> Finding:
    """The first finding with this code, those of scenarios that are rejected on purpose included."""
    return next(finding for finding in (*report.suppressed, *report.findings) if finding.code == code)


def page() -> str:
    """The whole page."""
    found = entries()
    return INTRODUCTION + _counts(found) + _table(found) + _differences(found)


def limits() -> str:
    """The whole page of what cannot be expressed."""
    lines = []
    for entry in (entry for _, entry in entries() if "limit" in entry):
        why = entry["limit"][0].upper() + entry["limit"][1:].rstrip(".")
        lines.append(f"- **[{entry['id']}]({entry['link']})** {entry['title']}. {why}.\n")
    return LIMITS + "".join(lines)


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


def _differences(found: list[tuple[Path, Mapping[str, str]]]) -> str:
    lines = ["\n## Where the verdict is not the one that the report suggests\n\n"]
    lines += [f"- **{entry['id']}** {entry['differs']}\n" for _, entry in found if "differs" in entry]
    return "".join(lines)


if __name__ == "__main__":
    for name, text in (("corpus", page()), ("limits", limits())):
        (ROOT / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
        sys.stdout.write(f"docs/{name}.md\n")
