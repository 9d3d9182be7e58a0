"""`timeline X`: every scenario of a file, bundle or folder as lanes over its ticks."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wellposed.cli.usage import add_paths, positive

if TYPE_CHECKING:
    from wellposed.cli.timeline.chart import Chart

FORMATS = {
    "text": "plain, at most 100 columns",
    "svg": "one picture that stands alone",
    "html": "one page that stands alone, with the same as a table",
    "mermaid": "a sequence diagram; of several scenarios, Markdown with one for each",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to draw, and where to."""
    add_paths(parser)
    parser.add_argument(
        "--budget", type=positive, metavar="N", help="how much work one scenario may cost before it is undecided"
    )
    group = parser.add_argument_group("output")
    explained = "; ".join(f"{name}: {what}" for name, what in FORMATS.items())
    group.add_argument("--format", choices=FORMATS, default="text", help=explained)
    group.add_argument("--output-file", metavar="FILE", help="write the timeline to FILE instead of standard output")
    volume = group.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="do not list what was found on standard error")
    volume.add_argument("-v", "--verbose", action="store_true", help="list notes, too")
    group.add_argument("--deny", choices=("warnings",), help="let warnings count as errors in the exit status")


def run(arguments: argparse.Namespace) -> int:
    """Verify, draw, list the findings on stderr, one line each; the exit status is that of `check`."""
    from wellposed.cli.finish import finish_beside
    from wellposed.cli.gather import gather
    from wellposed.cli.pipeline import examine
    from wellposed.cli.timeline.build import chart_of
    from wellposed.verifier.verify import DEFAULT_BUDGET, verify

    gathered = gather(arguments.paths, arguments.stdin_filename)
    report = examine(gathered, functools.partial(verify, budget=arguments.budget or DEFAULT_BUDGET, windows=True))
    charts = [chart for chart in map(chart_of, report.scenarios) if chart is not None]
    return finish_beside(report, _drawn(charts, arguments.format), arguments, gathered.notices)


def _drawn(charts: Sequence[Chart], name: str) -> str:
    """The charts in the format of this name. Only what it needs is imported."""
    match name:
        case "svg":
            from wellposed.cli.render import timeline_svg

            return timeline_svg.render(charts)
        case "html":
            from wellposed.cli.render import timeline_html

            return timeline_html.render(charts)
        case "mermaid":
            from wellposed.cli.render import timeline_mermaid

            return timeline_mermaid.render(charts)
    from wellposed.cli.render import timeline_text

    return timeline_text.render(charts)
