"""Write docs/codes/ from the one table of diagnostic codes: `make docs`. A test compares every byte."""

from __future__ import annotations

import sys
from pathlib import Path

from wellposed.cli.commands.explain import WHAT
from wellposed.cli.render.escape import escape
from wellposed.dsl.codes import TABLE, Code, Example

FAMILIES = {
    "WP0": "The tool, its command line and its input files",
    "WP1": "Text and syntax",
    "WP2": "Names, types and values",
    "WP3": "Fixture lint: schedule, rules, anchors, identities",
    "WP4": "Unsatisfiable",
    "WP5": "Ambiguous",
    "WP6": "Vacuous, untested, coverage",
    "WP7": "Bundles and the canonical form",
    "WP8": "The reserve",
    "WP9": "Claims and pull requests",
}
LANGUAGE = {"bundle": "json", "claim": "yaml", "command": "sh", "folder": "sh", "logs": "sh", "pull": "sh", "reserve": "sh", "run": "sh", "settings": "toml", "ledger": "json", "bytes": "python"}


def pages() -> dict[str, str]:
    """File name to content, for every page of the folder."""
    return {"README.md": _index(), **{f"{row.id}.md": _page(row) for row in TABLE}}


def _page(row: Code) -> str:
    parts = [f"# {row.id} {row.slug}", f"**{row.severity.value}**: {row.title}", row.explanation.strip()]
    parts += _example("raises it", row.bad) + _example("does not", row.good)
    return "\n\n".join(parts) + "\n"


def _example(what: str, example: Example) -> list[str]:
    if not example.text:
        return []
    fence = "````" if "```" in example.text else "```"
    text = "\n".join(map(escape, example.text.rstrip("\n").split("\n")))
    return [f"{WHAT[example.kind]} {what}:", f"{fence}{LANGUAGE.get(example.kind, 'text')}\n{text}\n{fence}"]


def _index() -> str:
    parts = [
        "# Diagnostic codes",
        "Generated from the table of codes by `make docs`; `wellposed explain CODE` prints the same pages.",
    ]
    for prefix, title in FAMILIES.items():
        rows = [
            f"| [{row.id}]({row.id}.md) | {row.slug} | {row.severity.value} | {row.title.replace('|', chr(92) + '|')} |"
            for row in TABLE
            if row.id.startswith(prefix)
        ]
        if rows:
            parts += [
                f"## {prefix}xx: {title}",
                "\n".join(["| code | name | severity | |", "|---|---|---|---|", *rows]),
            ]
    return "\n\n".join(parts) + "\n"


def main(folder: Path) -> None:
    """Write the pages and remove those of codes that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "codes")
