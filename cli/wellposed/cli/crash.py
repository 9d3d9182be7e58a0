"""The last resort: a crash of the tool as the coded finding WP001, in whatever format was asked for."""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from pathlib import PurePath

from wellposed.cli import output
from wellposed.cli.render import formats
from wellposed.cli.report import Report
from wellposed.dsl.findings import Finding, Severity

# The folders of an absolute path: whose machine it was is nobody's business.
_PATH = re.compile(r"(?<![\w.])/(?:[^\s'\"/]+/)+")
# Innermost places that are worth reporting.
FRAMES = 6


def finding_of(failure: BaseException) -> Finding:
    """WP001 with the kind of failure and where in the program it happened; no path of this machine."""
    places = [
        f"{_module(frame.filename)}:{frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(failure.__traceback__)[-FRAMES:]
    ]
    message = _PATH.sub("…/", " ".join(str(failure).split()))[:200]
    return Finding(
        code="WP001",
        severity=Severity.ERROR,
        message=f"internal error: {type(failure).__name__}" + (f": {message}" if message else ""),
        notes=tuple(f"at {place}" for place in reversed(places)),
        help="this is a fault of wellposed, not of your files, and no verdict was reached; "
        "please report it with the input that shows it",
    )


def _module(filename: str) -> str:
    """`wellposed/…` for our own files, the bare file name for others."""
    parts = PurePath(filename).parts
    own = len(parts) - parts[::-1].index("wellposed") - 1 if "wellposed" in parts else len(parts) - 1
    return "/".join(parts[own:])


def report_crash(failure: BaseException, arguments: Sequence[str]) -> None:
    """Write the finding: as a JSON report where JSON was asked for, always as one line on stderr too."""
    finding = finding_of(failure)
    report_alone(finding, arguments, f" ({finding.notes[0] if finding.notes else 'no place known'})")


def report_alone(finding: Finding, arguments: Sequence[str], more: str = "") -> None:
    """Write a finding that stands for the whole result, by what can be told of the format from the words themselves."""
    output.notice(f"error[{finding.code}]: {finding.message}{more}")
    try:
        chosen = _option(arguments, "--format")
        if chosen in formats.MACHINE:
            report = Report(findings=(finding,))
            output.write_result(formats.render(chosen, report), _option(arguments, "--output-file"))
        else:
            from wellposed.cli.render.colour import Palette
            from wellposed.cli.render.escape import defuse
            from wellposed.cli.render.snippet import render_finding

            output.write_result(
                defuse(render_finding(finding, {}, Palette(False)) + "\n"), _option(arguments, "--output-file")
            )
    except (output.OutputError, OSError, ImportError):
        pass  # the line on stderr and the exit status say it


def _option(arguments: Sequence[str], name: str) -> str | None:
    """The value of an option on a command line that may never have been parsed."""
    for index, word in enumerate(arguments):
        if word == name and index + 1 < len(arguments):
            return arguments[index + 1]
        if word.startswith(name + "="):
            return word[len(name) + 1 :]
    return None
