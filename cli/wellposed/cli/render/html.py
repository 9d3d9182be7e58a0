"""Pages of HTML that stand alone: no script, nothing from the network, dark and light, usable with the keyboard."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from wellposed.cli.render.escape import escape

STYLE = """\
:root {
  color-scheme: light dark;
  --line: #c8ccd2; --soft: #f3f5f7; --good: #17692b; --some: #8a5300; --bad: #b3261e; --dim: #636b78;
  --some-cell: #fdf0dc; --bad-cell: #fde8e6;
}
@media (prefers-color-scheme: dark) {
  :root { --line: #444b55; --soft: #1e2227; --good: #7fd08f; --some: #f0b35e; --bad: #ff8a80; --dim: #9aa3af; --some-cell: #3a2a10; --bad-cell: #47201d; }
}
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.scroll { overflow: auto; width: fit-content; max-width: 100%; max-height: 90vh; border: 1px solid var(--line); box-sizing: border-box; }
table { border-collapse: separate; border-spacing: 0; }
th, td { border: solid var(--line); border-width: 0 1px 1px 0; padding: .15rem .5rem; text-align: center; }
tr > :last-child { border-right-width: 0; } tbody tr:last-child > * { border-bottom-width: 0; }
th { font-weight: normal; background: Canvas; position: sticky; }
thead > tr > * { top: 0; vertical-align: bottom; z-index: 1; }
tr > :first-child { left: 0; text-align: left; white-space: nowrap; } thead > tr > :first-child { z-index: 2; }
td.text { text-align: left; min-width: 4rem; } td.some { background: var(--some-cell); } td.bad { background: var(--bad-cell); }
.up { writing-mode: vertical-rl; transform: rotate(180deg); text-align: left; max-height: 16rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) { tr > :first-child { position: static; } .up { max-height: 12rem; } }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
.mark { font-family: ui-monospace, monospace; }
.good { color: var(--good); } .some { color: var(--some); font-weight: bold; }
.bad { color: var(--bad); font-weight: bold; } .dim { color: var(--dim); }
td a, th a { color: inherit; } td a { display: block; } :target { background: var(--soft); }
:focus-visible { outline: 3px solid Highlight; outline-offset: 1px; }
pre { background: var(--soft); padding: .5rem; overflow: auto; } p, li, h3 { overflow-wrap: anywhere; }
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


def table(
    name: str,
    corner: str,
    columns: Sequence[str],
    rows: Iterable[tuple[str, Sequence[str]]],
    upright: bool = True,
    links: bool = False,
) -> str:
    """A table in a region that the keyboard can scroll; columns and rows have names, cells are whole `td` elements.

    `corner` says what the rows are. The names of columns are `upright` where the cells are marks; with `links` the name
    of a row leads to the element with that id.
    """
    names = [f'<span class="up">{text(column)}</span>' if upright else text(column) for column in columns]
    head = "".join(f'<th scope="col">{column}</th>' for column in (text(corner), *names))
    lines = [f'<tr><th scope="row">{_row(row, links)}</th>{"".join(cells)}</tr>' for row, cells in rows]
    inner = "\n".join((f"<thead><tr>{head}</tr></thead>", "<tbody>", *lines, "</tbody>"))
    return (
        f'<div class="scroll" role="region" aria-label="{text(name)}" tabindex="0">\n<table>\n{inner}\n</table>\n</div>'
    )


def _row(name: str, link: bool) -> str:
    return f'<a href="#{text(name)}">{text(name)}</a>' if link else text(name)


def legend(marks: Iterable[tuple[str, str, str]]) -> str:
    """What marks mean: each with its kind."""
    lines = (f'<li><span class="mark {kind}">{text(mark)}</span> {text(words)}</li>' for mark, kind, words in marks)
    return '<ul class="legend">\n' + "\n".join(lines) + "\n</ul>"


def cell(mark: str, kind: str, meaning: str, link: str | None = None) -> str:
    """A cell with a mark, what it means for whoever cannot see its colour, and a link to more."""
    inner = text(mark) if link is None else f'<a href="#{text(link)}">{text(mark)}</a>'
    return f'<td class="mark {kind}" title="{text(meaning)}">{inner}</td>'


def paragraph(words: str) -> str:
    """One paragraph of text."""
    return f"<p>{_prose(words)}</p>"


def items(lines: Iterable[str]) -> str:
    """A list of lines of text."""
    return "<ul>\n" + "\n".join(f"<li>{_prose(line)}</li>" for line in lines) + "\n</ul>"


def _prose(words: str) -> str:
    """Text in which what stands between two backquotes is code."""
    parts = words.split("`")
    if len(parts) % 2 == 0:
        return text(words)
    return "".join(f"<code>{text(part)}</code>" if index % 2 else text(part) for index, part in enumerate(parts))


def block(name: str, lines: Iterable[str]) -> str:
    """Preformatted lines, in a region that the keyboard can scroll."""
    return f'<pre role="region" aria-label="{text(name)}" tabindex="0">' + "\n".join(map(text, lines)) + "</pre>"
