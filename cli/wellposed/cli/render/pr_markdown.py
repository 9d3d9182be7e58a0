"""A pull request as Markdown, for the summary of a job or a comment: bounded, and deaf to what an input says.

Text of an input is escaped mark by mark. What a forge makes of finished text (mentions, references to issues) no backslash
prevents; there an empty comment parts what would be taken together. Runs stand in fences longer than any in them, indented.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from wellposed.cli.render import diff_text, pr_outline
from wellposed.cli.render.escape import escape
from wellposed.cli.render.snippet import place_text
from wellposed.cli.review.pull import Pull
from wellposed.compiler.limits import LIMITS
from wellposed.dsl.findings import Finding

_MARKS = re.compile(r"[\\`*_\[\]<>|~&$@#]")
_PARTED = "<!-- -->"
_TAKEN = re.compile(r"(?i):(?=//)|:(?=(?:\\?[\w+-])+:)|(?<=\bwww)\.|\bgh(?=-\d)|(?<=\\[@#])")
"""What would be taken for an address, an emoji, a reference to an issue or a mention if the next character followed at once."""
_BACKTICKS = re.compile("`+")
_SHOWN = 25
_CUT = "_More than a summary holds; the text report has everything._"


def render(pull: Pull) -> str:
    """The summary, with a final newline; of at most `LIMITS.markdown_length` characters."""
    parts: list[str] = []
    left = LIMITS.markdown_length - len(_CUT) - 4
    for part in _parts(pull):
        if len(part) + 2 > left:
            parts.append(_CUT)
            break
        left -= len(part) + 2
        parts.append(part)
    return "\n\n".join(parts) + "\n"


def plain(text: str, most: int = 600) -> str:
    """Text of an input, on one line, that Markdown and what a forge makes of it take for nothing but text."""
    shown = escape(text if len(text) <= most else text[: most - 1] + "…")
    return _TAKEN.sub(lambda found: found.group() + _PARTED, _MARKS.sub(r"\\\g<0>", shown))


def _parts(pull: Pull) -> Iterator[str]:
    yield f"## {plain(pr_outline.headline(pull), 300)}"
    compared = pr_outline.compared(pull)
    if compared:
        yield plain(compared)
    for title, found in pr_outline.sections(pull):
        yield f"### {title[0].upper()}{title[1:]}"
        yield "\n".join(map(_line, found[:_SHOWN])) + _rest(found)
    rows = [(row.what, row.id, row.states, row.hashes, row.remark) for row in pr_outline.rows(pull)]
    if rows:
        yield "### Scenarios"
        yield _table(("", "scenario", "before and after", "bundle", ""), rows[:_SHOWN]) + _rest(rows)
    claims = pr_outline.claims(pull)
    if claims:
        yield "### Claims"
        yield _table(("claim", "verdict", "because"), claims[:_SHOWN]) + _rest(claims)
    listed = pr_outline.files(pull)
    if listed:
        yield "### Files"
        yield "\n".join(f"- {plain(kind)}: {plain(some)}" for kind, some in listed)
    for title, found in pr_outline.sections(pull):
        for one in found[:_SHOWN]:
            if one.detail:
                yield _folded(f"{one.code}: {one.message}", one.detail)
    for change in pull.scenarios[:_SHOWN]:
        if change.difference is not None and not change.because:
            yield _folded(f"{change.kind}: {change.id}", diff_text.render(change.difference, "the version before", "the version after").rstrip("\n").split("\n"))


def _line(finding: Finding) -> str:
    where = "" if finding.place is None else f"{plain(place_text(finding.place))} — "
    lines = [f"- **{finding.code}** {where}{plain(finding.message)}"]
    lines += [f"  - {plain(' '.join(note.split()))}" for note in finding.notes[:5]]
    if finding.help is not None:
        lines.append(f"  - what to do: {plain(' '.join(finding.help.split()))}")
    return "\n".join(lines)


def _rest(some: Sequence[object]) -> str:
    return f"\n\nAnd {len(some) - _SHOWN} more." if len(some) > _SHOWN else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([plain(cell, 200) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _folded(title: str, lines: Sequence[str]) -> str:
    """Preformatted lines behind a title that unfolds them; each is indented, so that none of them is a command of a bot."""
    shown = "\n".join(f"  {escape(line)}"[:240] for line in lines[:120])
    fence = "`" * max(3, *(len(run) + 1 for run in _BACKTICKS.findall(shown)), 3)
    rest = f"\n  and {len(lines) - 120} more lines" if len(lines) > 120 else ""
    return f"<details><summary>{_html(title)}</summary>\n\n{fence}text\n{shown}{rest}\n{fence}\n\n</details>"


def _html(text: str) -> str:
    """Text inside an HTML element, where Markdown is not read: every character that is not plain becomes a reference."""
    shown = escape(text if len(text) <= 120 else text[:119] + "…")
    return "".join(one if one.isalnum() or one in " .,;/" else f"&#{ord(one)};" + (_PARTED if one in "@#" else "") for one in shown)
