"""Pages of HTML that stand alone: no script, nothing from the network, dark and light, usable with the keyboard."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from wellposed.cli.render.escape import escape

STYLE = """\
:root {
  color-scheme: light dark;
  --line: #c8ccd2; --soft: #f3f5f7; --good: #17692b; --some: #8a5300; --bad: #b3261e; --dim: #6b7280;
}
@media (prefers-color-scheme: dark) {
  :root { --line: #444b55; --soft: #1e2227; --good: #7fd08f; --some: #f0b35e; --bad: #ff8a80; --dim: #9aa3af; }
}
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.scroll { overflow: auto; max-height: 90vh; border: 1px solid var(--line); }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .15rem .5rem; text-align: center; }
th[scope=row], td.text { text-align: left; font-weight: normal; }
thead th { position: sticky; top: 0; background: Canvas; vertical-align: bottom; }
th[scope=row] { position: sticky; left: 0; background: Canvas; white-space: nowrap; }
.up { writing-mode: vertical-rl; transform: rotate(180deg); font-weight: normal; }
.good { color: var(--good); } .some { color: var(--some); font-weight: bold; }
.bad { color: var(--bad); font-weight: bold; } .dim { color: var(--dim); }
td a { color: inherit; } :target { background: var(--soft); }
:focus-visible { outline: 3px solid Highlight; outline-offset: 1px; }
pre { background: var(--soft); padding: .5rem; overflow: auto; } code { white-space: nowrap; }
"""


def text(words: str) -> str:
    """Text of an input, safe in a page and in an attribute."""
    return html.escape(escape(words))


def page(title: str, parts: Iterable[str]) -> str:
    """A whole page with its title as the heading; parts are HTML."""
    viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">\n{viewport}\n<title>{text(title)}</title>\n<style>\n{STYLE}</style>'
    body = "\n".join((f"<h1>{text(title)}</h1>", *parts))
    return f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n'


def table(name: str, columns: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """A table in a region that the keyboard can scroll; columns and rows have names, cells are whole `td` elements."""
    head = "".join(f'<th scope="col"><span class="up">{text(column)}</span></th>' for column in columns)
    lines = [f'<tr><th scope="row">{text(row)}</th>{"".join(cells)}</tr>' for row, cells in rows]
    inner = "\n".join((f"<thead><tr><td></td>{head}</tr></thead>", "<tbody>", *lines, "</tbody>"))
    return (
        f'<div class="scroll" role="region" aria-label="{text(name)}" tabindex="0">\n<table>\n{inner}\n</table>\n</div>'
    )


def cell(mark: str, kind: str, meaning: str, link: str | None = None) -> str:
    """A cell with a mark, what it means for whoever cannot see its colour, and a link to more."""
    inner = text(mark) if link is None else f'<a href="#{text(link)}">{text(mark)}</a>'
    return f'<td class="{kind}" title="{text(meaning)}">{inner}</td>'


def paragraph(words: str) -> str:
    """One paragraph of text."""
    return f"<p>{text(words)}</p>"


def items(lines: Iterable[str]) -> str:
    """A list of lines of text."""
    return "<ul>\n" + "\n".join(f"<li>{text(line)}</li>" for line in lines) + "\n</ul>"


def block(lines: Iterable[str]) -> str:
    """Preformatted lines."""
    return "<pre>" + "\n".join(map(text, lines)) + "</pre>"
