"""Pictures as one page of HTML that stands alone: every sign can be reached with the keyboard, and leads into a table of the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellposed.cli.render import html
from wellposed.cli.render.timeline_svg import NOTHING, PATTERNS, STYLE, drawn, names
from wellposed.cli.timeline.chart import RUNS, Chart, RowKind
from wellposed.cli.timeline.facts import Fact, Facts, facts_of
from wellposed.cli.timeline.layout import scene_of
from wellposed.cli.timeline.scene import Scene, Spot

HAPPENS = (RowKind.EVENTS, RowKind.WAITING, *RUNS)
TITLE = "Timeline"
NO_TICK = "–"

PAGE_STYLE = """\
.defs { position: absolute; width: 0; height: 0; }
.picture { max-height: none; }
.sheet { position: relative; display: grid; } .sheet > svg { grid-area: 1 / 1; } .names { display: none; }
.spots { list-style: none; margin: 0; padding: 0; }
.spots a { position: absolute; border-radius: 4px; color: inherit; text-decoration: none; scroll-margin: 6rem 1rem 6rem calc(var(--names) + 4px); }
.spots a:is(:hover, :focus-visible) { z-index: 1; background: color-mix(in srgb, Highlight 14%, transparent); }
.tip {
  display: none; position: absolute; left: 0; top: calc(100% + 4px); width: max-content; max-width: 20rem; padding: .3rem .6rem;
  border-radius: 4px; background: #1b1f24; color: #fff; font-size: .8rem; line-height: 1.4; pointer-events: none;
}
.spots a:is(:hover, :focus-visible) > .tip { display: block; }
.end > .tip { left: auto; right: 0; } .low > .tip { top: auto; bottom: calc(100% + 4px); }
@media screen and (max-width: 76rem) {
  .names { display: block; position: sticky; left: 0; z-index: 1; }
  .spots a > .tip { position: fixed; left: 1rem; right: 1rem; top: auto; bottom: 1rem; width: auto; max-width: none; }
}
@media screen and (prefers-color-scheme: dark) { .tip { background: #e8eaed; color: #121212; } }
@media print {
  :root { color-scheme: only light; --line: #c8ccd2; --soft: #f3f5f7; --good: #17692b; --bad: #b3261e; }
  .spots, .skip { display: none; } .scroll { overflow: visible; max-height: none; border: 0; }
  .sheet { width: auto !important; height: auto !important; } .sheet > svg { max-width: 100%; height: auto; }
  thead > tr > *, tr > :first-child { position: static; } tr { break-inside: avoid; }
}
"""


def render(charts: Sequence[Chart]) -> str:
    """The page, with a final newline."""
    title = charts[0].title or charts[0].id if len(charts) == 1 else TITLE
    return html.page(title, _parts(charts))


def _parts(charts: Sequence[Chart]) -> Iterator[str]:
    if not charts:
        yield html.paragraph(NOTHING)
        return
    yield f'<svg class="defs wp" aria-hidden="true" focusable="false"><style>\n{STYLE}{PAGE_STYLE}</style>{PATTERNS}</svg>'
    for number, chart in enumerate(charts, start=1):
        yield from _section(chart, number, alone=len(charts) == 1)


def _section(chart: Chart, number: int, alone: bool) -> Iterator[str]:
    facts = facts_of(chart)
    yield f'<section id="s{number}">'
    if not alone:
        yield f"<h2>{html.text(chart.title or chart.id)}</h2>"
    kind = "good" if chart.verdict == "well-posed" else "bad"
    verdict = f'<span class="{kind}">{html.text(chart.verdict)}</span>'
    yield f"<p>{html.text(chart.id)} · level L{chart.level} · {verdict} · {html.text(chart.source)}</p>"
    yield f'<p class="skip"><a href="#s{number}-facts">The same as a table</a></p>'
    yield from _picture(chart, scene_of(chart, facts, head=False), number)
    yield from _tables(chart, facts, number)
    yield "</section>"


def _picture(chart: Chart, scene: Scene, number: int) -> Iterator[str]:
    size = f"width:{scene.width}px;height:{scene.height}px;--names:{scene.left}px"
    name = html.text(f"Picture of {chart.id}")
    yield f'<div class="scroll picture" role="region" aria-label="{name}" tabindex="0"><div class="sheet" style="{size}">'
    box = f'viewBox="0 0 {scene.width} {scene.height}" width="{scene.width}" height="{scene.height}"'
    yield f'<svg class="wp" {box} role="img" aria-label="{html.text(scene.summary)}">'
    yield from drawn(scene, titles=False)
    box = f'viewBox="0 0 {scene.left} {scene.foot}" width="{scene.left}" height="{scene.foot}"'
    yield f'</svg>\n<svg class="wp names" {box} aria-hidden="true" focusable="false">'
    yield from names(scene)
    yield '</svg>\n<ol class="spots">'
    for spot in scene.spots:
        yield f"<li>{_link(spot, scene, number)}</li>"
    yield "</ol></div></div>"


def _link(spot: Spot, scene: Scene, number: int) -> str:
    """What lies over a sign: its name, its details while it is pointed at or focused, and the way to its row."""
    sides = [name for name, far in (("end", spot.x * 2 > scene.width), ("low", spot.y * 2 > scene.height)) if far]
    place = f"left:{spot.x}px;top:{spot.y}px;width:{spot.width}px;height:{spot.height}px"
    name = html.text(spot.fact.sentence)
    side = f' class="{" ".join(sides)}"' if sides else ""
    return f'<a href="#s{number}-f{spot.fact.number}"{side} style="{place}" aria-label="{name}"><span class="tip">{name}</span></a>'


def _tables(chart: Chart, facts: Facts, number: int) -> Iterator[str]:
    happens = [fact for fact in facts.ordered if fact.kind in HAPPENS]
    lawful = [fact for fact in facts.ordered if fact.kind not in HAPPENS]
    yield f'<h3 id="s{number}-facts">What happens</h3>'
    if chart.difference is not None:
        yield html.paragraph(f"The run that passes and the run that fails part at tick {chart.difference}.")
    yield _table(f"What happens in {chart.id}", "tick", happens, number)
    if lawful:
        yield "<h3>What is lawful, and what is expected</h3>"
        yield _table(f"What is lawful in {chart.id}, and what is expected", "ticks", lawful, number)


def _table(name: str, corner: str, facts: Sequence[Fact], number: int) -> str:
    runs = any(fact.said for fact in facts)
    rows = ((fact.ticks or NO_TICK, list(_cells(fact, number, runs))) for fact in facts)
    columns = ("where", "what", "in which run") if runs else ("where", "what")
    return html.table(name, corner, columns, rows, upright=False)


def _cells(fact: Fact, number: int, runs: bool) -> Iterator[str]:
    yield f'<td class="text" id="s{number}-f{fact.number}">{html.text(fact.place)}</td>'
    yield f'<td class="text">{html.text(fact.detail)}</td>'
    if runs:
        run = fact.said.removeprefix("in ") + (": here the runs part" if fact.parting else "")
        yield f'<td class="text">{html.text(run)}</td>'
