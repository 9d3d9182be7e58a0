"""The entry point: picks the verb, runs it, and is the one boundary where a crash becomes a coded finding.

Only the chosen verb's module is imported, so that `--version`, `--help` and `explain` start fast.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import sys
from collections.abc import Callable, Container, Sequence
from pathlib import Path

from wellposed.cli import output
from wellposed.cli._version import __version__
from wellposed.cli.settings import WITHOUT, BadSettings, read
from wellposed.cli.status import INTERNAL, INTERRUPTED, UNUSABLE
from wellposed.cli.usage import Parser

VERBS = {
    "check": "verify scenarios and bundles",
    "build": "write bundle folders and print their hashes",
    "bundle": "check: derive a bundle folder again and compare every byte",
    "decompile": "print a source whose compilation is a given bundle",
    "diff": "what a scenario newly allows and forbids against another, one run each",
    "claim": "examine claims: counterexamples, defects of fixtures, new scenarios and readings",
    "pr": "what a pull request changes, and what of it a person has to decide",
    "adopt": "print a foreign fixture folder as a source, and what was guessed",
    "timeline": "draw scenarios as lanes over their ticks",
    "mutants": "which faulty systems each scenario catches, and what would catch the others",
    "coverage": "which obligations and faulty systems the scenarios cover together, gaps first",
    "simulate": "run the reference or a faulty system in a scenario and write its logs",
    "judge": "judge the logs of real systems against a scenario",
    "board": "the feature matrix of judgements, as one HTML page and as Markdown",
    "new": "write a well-posed starting point",
    "reserve": "hash-only scenario sets: seal, publish, apply, reveal, verify",
    "fmt": "lay source files out in the canonical way",
    "lsp": "serve editors: diagnostics, completion, formatting and fixes while a text is written",
    "completion": "print the script that completes verbs, options and paths in a shell",
    "show-config": "print the settings of this folder, and where each is from",
    "explain": "the page of a diagnostic code, a reading or a faulty system",
    "spec": "the tables of the specification: levels, readings, faulty systems",
}

DESCRIPTION = """\
A linter and static verifier for scenario suites: it decides whether a benchmark's
scenarios are well-posed before any system is judged by them."""

EPILOG = """\
exit status: 0 clean, 1 errors found, 2 wrong use, unreadable or no input,
3 undecided within the budget, 70 internal error"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status. Never raises for anything that an input can cause."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    output.prepare_streams()
    tune_memory()
    try:
        return _run(arguments)
    except SystemExit as stop:  # argparse: --help, --version or wrong use
        return stop.code if isinstance(stop.code, int) else UNUSABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has had enough. Without a result there is nothing to report either.
        output.drop_streams()
        return 0
    except output.OutputError as failure:
        output.notice(f"error[WP005]: {failure}")
        return UNUSABLE
    except BadSettings as failure:
        from wellposed.cli.crash import report_alone
        from wellposed.dsl.findings import Finding, Severity

        report_alone(Finding("WP009", Severity.ERROR, str(failure)), arguments)
        return UNUSABLE
    # The one boundary: a crash is reported, under a code, and never taken for a verdict.
    except Exception as failure:  # noqa: BLE001
        from wellposed.cli.crash import report_crash

        report_crash(failure, arguments)
        return INTERNAL


def tune_memory() -> None:
    """Let the garbage collector look less often: what a verification builds is large, lives long and has few cycles.

    Without this, walking the same objects again and again makes the cost of a message grow with the number of messages.
    """
    gc.set_threshold(100_000, 20, 20)


def whole_parser() -> Parser:
    """The parser with the options of every verb."""
    return _parser(VERBS)[0]


def _parser(chosen: Container[str]) -> tuple[Parser, dict[str, Callable[[argparse.Namespace], int]]]:
    """The parser with the options of some verbs, and what each of these runs."""
    parser = Parser(prog="wellposed", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"wellposed {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", dest="verb", required=True, title="verbs", parser_class=Parser)
    runs = {}
    for verb, purpose in VERBS.items():
        verb_parser = verbs.add_parser(verb, help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
        if verb in chosen:
            module = importlib.import_module(f"wellposed.cli.commands.{verb.replace('-', '_')}")
            module.add_arguments(verb_parser)
            runs[verb] = module.run
    return parser, runs


def _run(arguments: list[str]) -> int:
    chosen = arguments[0] if arguments else ""
    parser, runs = _parser((chosen,))
    settings = None
    if chosen in runs and chosen not in WITHOUT and "--isolated" not in arguments:
        settings = read(Path.cwd())
        settings.prefer(parser)
    parsed = parser.parse_args(arguments)
    if not runs:  # only reachable for an option before the verb, and there are none
        parser.error("the verb comes first")
    if settings is not None:
        settings.settle(parsed)
    return runs[chosen](parsed)
