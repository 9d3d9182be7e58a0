"""`explain CODE…`: the page of a diagnostic code, from the one table."""

from __future__ import annotations

import argparse
import difflib

from wellposed.cli import output
from wellposed.cli.render.escape import defuse, escape
from wellposed.cli.status import CLEAN, UNUSABLE
from wellposed.dsl.codes import BY_ID, TABLE, Code

WIDTH = 88


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The codes to explain."""
    parser.add_argument("codes", nargs="+", metavar="CODE", help="a code such as WP501, or its name")


def run(arguments: argparse.Namespace) -> int:
    """Print the pages; exit 2 with a suggestion where a code is unknown."""
    pages = []
    for word in arguments.codes:
        row = find(word)
        if row is None:
            output.notice(f"unknown code {word!r}{_near(word)}")
            return UNUSABLE
        pages.append(text_page(row))
    output.write_result(defuse("\n\n".join(pages) + "\n"), None)
    return CLEAN


def find(word: str) -> Code | None:
    """The row whose id or name is `word`, whatever its case."""
    row = BY_ID.get(word.upper())
    return row or next((row for row in TABLE if row.slug == word.lower()), None)


def _near(word: str) -> str:
    ids = difflib.get_close_matches(word.upper()[:40], list(BY_ID), n=3, cutoff=0.6)
    slugs = [
        row.id
        for slug in difflib.get_close_matches(word.lower()[:40], [row.slug for row in TABLE], n=3, cutoff=0.6)
        for row in TABLE
        if row.slug == slug
    ]
    near = list(dict.fromkeys(ids + slugs))[:3]
    return f"; did you mean {', '.join(near)}?" if near else "; the codes are listed in docs/codes/README.md"


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
}


def _wrapped(text: str) -> str:
    """Paragraphs filled to the width of a terminal; what is indented stays as it is."""
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(one if one.startswith(" ") else "\n".join(_filled(one.split())) for one in paragraphs)


def _filled(words: list[str]) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _indented(text: str) -> str:
    """An example as it stands, but for a line that no terminal could show."""
    lines = text.rstrip("\n").split("\n")
    return "\n".join("    " + escape(line) if line else "" for line in lines)
