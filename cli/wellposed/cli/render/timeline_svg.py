"""Pictures as one SVG that stands alone: no script, no font and nothing else from outside; dark and light, and for print."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from wellposed.cli.render.escape import escape
from wellposed.cli.render.timeline_signs import OTHER, SIGNS
from wellposed.cli.timeline.chart import Chart
from wellposed.cli.timeline.facts import facts_of
from wellposed.cli.timeline.layout import CONVERSATION, scene_of
from wellposed.cli.timeline.scene import SMALL, SMALL_SIZE, Branch, Glyph, Line, Part, Rect, Scene, Text

NOTHING = "No scenario could be drawn."
FONT = 'Arial, Helvetica, "Liberation Sans", sans-serif'

STYLE = f"""\
.wp text {{ font: 12px {FONT}; color: #1b1f24; fill: currentColor; }}
.wp .title {{ font-size: 17px; font-weight: bold; }} .wp .lane {{ font-size: 13px; font-weight: bold; }}
.wp :is({", ".join(f".{one}" for one in SMALL)}) {{ font-size: {SMALL_SIZE[0]}px; }}
.wp :is(.tick, .span, .note, .kind, .row, .said) {{ color: #565e69; }}
.wp :is(.good, .bad, .parted) {{ font-weight: bold; }} .wp .good {{ color: #0a6548; }}
.wp :is(.mark, .arrival, .record, .parted, .span, .said) {{ paint-order: stroke; stroke: #fff; stroke-width: 3px; stroke-linejoin: round; }}
.wp .paper {{ fill: #fff; }} .wp .lane-conversation {{ fill: #eef2f6; }} .wp .arrival {{ stroke: #eef2f6; }}
.wp :is(path, line) {{ fill: none; stroke-linecap: round; stroke-linejoin: round; }}
.wp .axis {{ stroke: #1b1f24; }} .wp .grid {{ stroke: #e3e7ec; }} .wp .rule {{ stroke: #c3cad2; }}
.wp .fold {{ stroke: #7a838f; stroke-dasharray: 1 4; stroke-width: 1.5px; }}
.wp .jump {{ fill: url(#wp-jump); }} .wp .jump-edge {{ stroke: #7a838f; }}
.wp .shared {{ stroke: #7b3f8f; stroke-dasharray: 5 4; stroke-width: 1.2px; }}
.wp .parting {{ stroke: #ab3a06; stroke-width: 1.6px; stroke-dasharray: 1 3.2; }}
.wp .bar {{ fill: #d8e0e9; stroke: #6d7987; }} .wp .outcome-sent {{ fill: #b9daf2; stroke: #0a5a9c; }}
.wp .outcome-abandoned {{ fill: url(#wp-given-up); stroke: #ab3a06; }} .wp .held {{ fill: url(#wp-held); stroke: #7b3f8f; }}
.wp .thread {{ stroke-width: 2.4px; }} .wp :is(.thread, .hang) {{ stroke: currentColor; }} .wp .hang {{ stroke-width: 1.2px; }}
.wp :is(.thread, .hang).failing {{ stroke-dasharray: 5 3.5; }} .wp .hang.failing {{ stroke-dasharray: none; }}
.wp :is(.common, .plain, .due) {{ color: #1b1f24; }} .wp :is(.passing, .run-passing, .mail) {{ color: #0a5a9c; }}
.wp :is(.failing, .run-failing, .stop, .parted, .bad) {{ color: #ab3a06; }} .wp .go {{ color: #0a6548; }}
.wp :is(.fault, .change) {{ color: #7b3f8f; }}
.wp .full {{ fill: currentColor; }} .wp .ring {{ fill: #fff; stroke: currentColor; stroke-width: 1.8px; }}
.wp .inner {{ stroke: #fff; stroke-width: 1.7px; }} .wp .stroke {{ stroke: currentColor; stroke-width: 2.2px; }}
.wp .dashed {{ fill: #fff; stroke: currentColor; stroke-width: 1.5px; stroke-dasharray: 2.5 2; }}
.wp .halo path {{ stroke-width: 1.4px; }}
.wp .tile {{ fill: #fff; }} .wp .tile-line {{ stroke: #98a2ae; }} .wp .stop-line {{ stroke: #d98a63; }} .wp .change-line {{ stroke: #b58cc4; }}
@media screen and (prefers-color-scheme: dark) {{
.wp text, .wp :is(.common, .plain, .due) {{ color: #e8eaed; }} .wp :is(.tick, .span, .note, .kind, .row, .said) {{ color: #a9b1bc; }}
.wp :is(.mark, .record, .parted, .span, .said, .inner) {{ stroke: #121212; }} .wp .arrival {{ stroke: #1f242a; }} .wp :is(.paper, .ring, .dashed, .tile) {{ fill: #121212; }}
.wp .lane-conversation {{ fill: #1f242a; }} .wp .axis {{ stroke: #e8eaed; }} .wp .grid {{ stroke: #2a2f36; }} .wp .rule {{ stroke: #444b55; }}
.wp :is(.fold, .jump-edge) {{ stroke: #98a2ae; }} .wp .shared {{ stroke: #d3a3e6; }} .wp .parting {{ stroke: #ff9d6b; }}
.wp .bar {{ fill: #333d48; stroke: #8e99a6; }} .wp .outcome-sent {{ fill: #1d4668; stroke: #82c4fb; }}
.wp .outcome-abandoned {{ fill: url(#wp-given-up); stroke: #ff9d6b; }} .wp .held {{ fill: url(#wp-held); stroke: #d3a3e6; }}
.wp :is(.passing, .run-passing, .mail) {{ color: #82c4fb; }} .wp :is(.failing, .run-failing, .stop, .parted, .bad) {{ color: #ff9d6b; }}
.wp :is(.go, .good) {{ color: #63d3a8; }} .wp :is(.fault, .change) {{ color: #d3a3e6; }}
.wp .tile-line {{ stroke: #59636f; }} .wp .stop-line {{ stroke: #8a4a26; }} .wp .change-line {{ stroke: #6e4a7c; }}
}}
"""

_PATTERN = (
    '<pattern id="wp-{name}" width="6" height="6" patternUnits="userSpaceOnUse"{turn}><rect class="tile" width="6" height="6"/>'
    '<path class="{line}" d="M0 3H6"/></pattern>'
)
PATTERNS = "<defs>{}</defs>".format(
    "".join(
        _PATTERN.format(name=name, line=line, turn=f' patternTransform="rotate({turn})"')
        for name, line, turn in (("jump", "tile-line", 45), ("given-up", "stop-line", -45), ("held", "change-line", 90))
    )
)


def render(charts: Sequence[Chart]) -> str:
    """The pictures below each other in one document, with a final newline."""
    scenes = [scene_of(chart, facts_of(chart)) for chart in charts]
    width = max((scene.width for scene in scenes), default=360)
    height = sum(scene.height for scene in scenes) or 40
    name = " · ".join(scene.name for scene in scenes) or NOTHING
    told = " ".join(part for scene in scenes for part in (scene.summary, *_sentences(scene)))
    box = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="wp" lang="en" {box} role="img" aria-labelledby="wp-title wp-desc">',
        f'<title id="wp-title">{quoted(name)}</title>',
        f'<desc id="wp-desc">{quoted(told)}</desc>',
        f"<style>\n{STYLE}</style>",
        PATTERNS,
        f'<rect class="paper" width="{width}" height="{height}"/>',
    ]
    at = 0
    for scene in scenes:
        lines += [f'<g transform="translate(0 {at})">', *drawn(scene, titles=True), "</g>"]
        at += scene.height
    if not scenes:
        lines.append(_part(Text(16, 25, NOTHING, "row")))
    return "\n".join([*lines, "</svg>\n"])


def drawn(scene: Scene, titles: bool) -> Iterator[str]:
    """The elements of a picture; with `titles` each spot says what it is."""
    yield from map(_part, (*scene.back, *scene.names))
    for spot in scene.spots:
        title = f"<title>{quoted(spot.fact.sentence)}</title>" if titles else ""
        yield f'<g class="spot">{title}{"".join(map(_part, spot.parts))}</g>'


def names(scene: Scene) -> Iterator[str]:
    """The elements of the names of a picture, on paper of their own."""
    lanes = (part for part in scene.back if isinstance(part, Rect) and part.style == CONVERSATION)
    paper = Rect(0, 0, scene.left, scene.foot, "paper")
    yield from map(_part, (paper, *lanes, *scene.names))


def _sentences(scene: Scene) -> Iterator[str]:
    yield from (f"{spot.fact.sentence}." for spot in scene.spots)


def quoted(text: str) -> str:
    """Text of an input, safe between tags and in an attribute."""
    return html.escape(escape(text))


def _part(part: Part) -> str:
    match part:
        case Rect():
            place = f'x="{part.x}" y="{part.y}" width="{part.width}" height="{part.height}"'
            rounded = f' rx="{part.round}"' if part.round else ""
            return f'<rect class="{_class(part.style)}" {place}{rounded}/>'
        case Line():
            return f'<line class="{part.style}" x1="{part.x1}" y1="{part.y1}" x2="{part.x2}" y2="{part.y2}"/>'
        case Branch():
            middle = (part.x1 + part.x2) // 2
            way = f"M{part.x1} {part.y1}C{middle} {part.y1} {middle} {part.y2} {part.x2} {part.y2}"
            return f'<path class="{part.style}" d="{way}"/>'
        case Glyph():
            return _glyph(part)
        case Text():
            x = part.x - part.width if part.ends else part.x
            fit = f'textLength="{part.width}" lengthAdjust="spacingAndGlyphs"'
            return f'<text class="{part.style}" x="{x}" y="{part.y}" {fit}>{html.escape(part.text)}</text>'


def _glyph(glyph: Glyph) -> str:
    colour, layers = SIGNS.get(glyph.shape, OTHER)
    names = " ".join(name for name in ("halo" if glyph.shape == "halo" else "", colour or "plain", glyph.style) if name)
    paths = "".join(f'<path class="{paint}" d="{path}"/>' for paint, path in layers)
    return f'<g class="{names}" transform="translate({glyph.x} {glyph.y})">{paths}</g>'


def _class(style: str) -> str:
    """The names of a style; those of a bar come from the model's words."""
    return quoted(style.replace("/", "-"))
