"""WP0xx: the tool itself, its command line and its input files.

Examples of kind "command" are run in a folder that holds `hello.scenario`, which is well-posed, and an empty folder
`empty`; "settings" is the folder's `wellposed.toml`, with which `hello.scenario` is checked.
"""

from __future__ import annotations

from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity

_HELLO = """scenario hello {
  level   L0
  horizon 20
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  expect { m1 sent exactly once within 10 }
%s}
"""
_REJECTED = """  rejected %s
"""


def _command(text: str) -> Example:
    return Example("command", text)


ROWS: tuple[Code, ...] = (
    Code(
        id="WP001",
        slug="internal-error",
        severity=Severity.ERROR,
        title="the tool itself failed",
        explanation="""\
A fault in wellposed, not in your files. The finding names the kind of failure and the innermost places in the
program, and the exit status is 70, so that no pipeline takes it for a verdict. Nothing that was checked before the
failure counts. Please report it with the input that shows it.

No input is known that raises it.""",
        bad=Example("none", ""),
        good=_command("wellposed check hello.scenario"),
    ),
    Code(
        id="WP002",
        slug="no-such-path",
        severity=Severity.ERROR,
        title="a path on the command line does not exist",
        explanation="""\
Every path that is named must exist; one that does not ends the run with exit status 2, whatever the other paths
hold. A pattern that matched nothing and was passed on by the shell is the usual cause.""",
        bad=_command("wellposed check no-such-file.scenario"),
        good=_command("wellposed check hello.scenario"),
    ),
    Code(
        id="WP003",
        slug="nothing-to-check",
        severity=Severity.ERROR,
        title="no scenarios were found",
        explanation="""\
The paths exist, but no scenario and no bundle is in them, so there is nothing that a clean result could be about.
The exit status is 2: a green answer about nothing is the mistake that this tool exists to find. A folder is
searched for `.scenario` files and for bundle folders, at any depth; links are not followed.""",
        bad=_command("wellposed check empty"),
        good=_command("wellposed check ."),
    ),
    Code(
        id="WP004",
        slug="unreadable-input",
        severity=Severity.ERROR,
        title="an input cannot be read",
        explanation="""\
A named path is not a regular file or folder (a device, a pipe, a socket, a link), may not be read, is larger than
the limit, or fails while it is read. Links are never followed, because a checked tree may come from a stranger. The
exit status is 2.""",
        bad=_command("wellposed check /dev/null"),
        good=_command("wellposed check hello.scenario"),
    ),
    Code(
        id="WP005",
        slug="unwritable-output",
        severity=Severity.ERROR,
        title="an output cannot be written",
        explanation="""\
The file of `--output-file` or `--out`, or a bundle folder below `--out`, cannot be written: the folder is missing, a
file stands in its place (`new` overwrites none), permission is denied, or the disk is full. The exit status is 2.""",
        bad=_command("wellposed check --output-file no-such-folder/report.txt hello.scenario"),
        good=_command("wellposed check --output-file report.txt hello.scenario"),
    ),
    Code(
        id="WP006",
        slug="rejection-did-not-hold",
        severity=Severity.ERROR,
        title="a scenario marked as rejected came out otherwise",
        explanation="""\
`rejected ambiguous WP501 "why"` says that a scenario is wrong on purpose, and how. The check is content when
exactly that verdict and that code come out. Here another one did, or the scenario turned out well-posed: either the
scenario no longer shows what it was written to show, or the mark is out of date.""",
        bad=Example("scenario", _HELLO % (_REJECTED % 'ambiguous "meant to show two lawful outcomes"')),
        good=Example("scenario", _HELLO % ""),
    ),
    Code(
        id="WP007",
        slug="built-folder-differs",
        severity=Severity.ERROR,
        title="a built bundle folder is not what the source gives",
        explanation="""\
`build --check DIR` compiles the sources and compares every byte with the folders in DIR. A folder is missing,
differs, or belongs to no scenario of the sources. Build again, or find out who edited the built files.""",
        bad=_command("wellposed build --check empty hello.scenario"),
        good=_command("wellposed build --out built hello.scenario"),
    ),
    Code(
        id="WP008",
        slug="layout-differs",
        severity=Severity.ERROR,
        title="a file is not laid out in the canonical way",
        explanation="""\
`fmt --check` compares every source file with its canonical layout: two spaces for each level, one statement per line,
words that belong together in columns, LF at the end of each line. The first line that differs is shown. `fmt`
rewrites the file and `fmt --diff` shows what it would change. Only space and line ends differ: no layout changes what
a file says, nor the hash of anything that is built from it.""",
        bad=_command("wellposed fmt --check hello.scenario"),
        good=_command("wellposed fmt hello.scenario"),
    ),
    Code(
        id="WP009",
        slug="bad-settings",
        severity=Severity.ERROR,
        title="the settings of the folder are wrong",
        explanation="""\
`wellposed.toml` of the working directory, or the table `[tool.wellposed]` of its `pyproject.toml`, sets how results are
shown: `format`, `color` and `volume` (normal, quiet or verbose). It holds something else, a value that there is not, or
no TOML at all; or it is a link, and links are not followed. Correct it, or add `--isolated`, which looks at neither file.
`show-config` prints the settings in force. The exit status is 2, also where the settings would not have mattered: a
file that does not do what it says should not be silent.""",
        bad=Example("settings", 'format = "concise"\nquiet = true\n'),
        good=Example("settings", 'format = "concise"\nvolume = "quiet"\n'),
    ),
)
