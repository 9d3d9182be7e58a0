"""Write docs/readings.md from the one table of readings: `make docs`. A test compares every byte."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from wellposed.dsl.vocabulary import READINGS, SPEC
from wellposed.verifier.models import READING_TABLES, Reading

HEAD = """# Readings

Generated from the table of readings by `make docs`; `wellposed spec readings` prints the same table, with `--format
json` for programs, and `wellposed explain ID` one row of it.

Where the specification of the benchmark (`{spec}`) is silent or contradicts itself, somebody has to decide, or no
scenario has a verdict. Each such decision is a **reading**: a question, the answer that was taken, and the sections
that raise the question. What follows from all answers together is on [the page of the model](model.md).

Some questions have another answer that the text allows as well and that changes what a system may do. It is an
**alternative** of the reading, and the verifier can take it: it is the answers of this page with that one changed.
`wellposed check --readings` says which alternatives would change the verdict of a scenario, so that its author learns
on which questions it depends; `wellposed spec audit` asks the same of the specification. All other questions have no
alternative, because no scenario could show the difference, or because no other answer makes sense of the text.

The version of this table is `{readings}`, and every bundle names it, because a verdict is a function of the bundle
and the readings. If one answer changes, the table gets another version: a source compiled under it is another bundle
with another hash, and what was judged under the old version keeps its verdict. The id of a reading or an alternative
never gets another meaning. [versions.md](versions.md) has the promises.

Two lists of what the specification leaves to its readers are covered. *Place* numbers one of {places} places at which
it is silent or contradicts itself, *hazard* one of {hazards} traps in it for whoever writes a fixture; each belongs
to at least one row, and questions that came up later have no number.

| topic | readings | alternatives |
|---|---|---|
{topics}
"""


def page() -> str:
    """The whole page."""
    readings = READING_TABLES[READINGS]
    topics = [(topic, list(group)) for topic, group in groupby(readings, lambda reading: reading.topic)]
    head = HEAD.format(
        spec=SPEC,
        readings=READINGS,
        places=len({number for reading in readings for number in reading.places}),
        hazards=len({number for reading in readings for number in reading.hazards}),
        topics="\n".join(_contents(topic, group) for topic, group in topics),
    )
    return head + "".join(f"\n## {topic}\n" + "".join(map(_section, group)) for topic, group in topics)


def _contents(topic: str, group: Sequence[Reading]) -> str:
    link = topic.lower().replace(" ", "-")
    return f"| [{topic}](#{link}) | {len(group)} | {sum(len(reading.alternatives) for reading in group)} |"


def _section(reading: Reading) -> str:
    source = [reading.source[0].upper() + reading.source[1:]]
    source += [f"{what} {', '.join(map(str, ns))}" for what, ns in _numbers(reading) if ns]
    parts = [f"### {reading.id}", f"**{reading.question}**", f"{reading.answer} {reading.why}".rstrip()]
    parts += [f"{' · '.join(source)}"]
    if reading.alternatives:
        parts.append("\n".join(f"- `{one.id}`: {one.text}" for one in reading.alternatives))
    return "\n" + "\n\n".join(parts) + "\n"


def _numbers(reading: Reading) -> tuple[tuple[str, Sequence[int]], ...]:
    return ("place", reading.places), ("hazard", reading.hazards)


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "readings.md"
    path.write_text(page(), encoding="utf-8", newline="\n")
