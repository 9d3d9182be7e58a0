"""`new scenario NAME`, `new rules NAME`, `new claim NAME`: write a starting point with comments that explain it."""

from __future__ import annotations

import argparse
import os

from wellposed.cli.usage import Parser

STDOUT = "-"
ENDINGS = {"scenario": ".scenario", "rules": ".rules", "claim": "/claim.yaml"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs below `new`. What is left open is asked for on a terminal; elsewhere it has a default."""
    verbs = parser.add_subparsers(metavar="WHAT", dest="what", required=True, parser_class=Parser)
    purpose = "write a well-posed scenario to start from"
    scenario = verbs.add_parser("scenario", help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
    scenario.add_argument("name", metavar="NAME", help="the id of the scenario")
    scenario.add_argument("--level", metavar="Ln", help="L0 to L6; by default L2, or what the faults need")
    scenario.add_argument(
        "--faults", metavar="LIST", help="what goes wrong, separated by commas: crash,redelivery,...; by default none"
    )
    purpose = "write a rules file to start from"
    rules = verbs.add_parser("rules", help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
    rules.add_argument("name", metavar="NAME", help="the name of the rules version")
    rules.add_argument(
        "--by",
        metavar="LIST",
        help="what the rules look at: sender,posture,subject,history; by default posture,subject",
    )
    purpose = "write a claim to start from"
    claim = verbs.add_parser("claim", help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
    claim.add_argument("name", metavar="NAME", help="the name of the claim: a-z, 0-9 and -")
    claim.add_argument(
        "--kind", metavar="KIND", help="what it claims: fixture-defect, new-scenario, ...; docs/claims.md"
    )
    claim.add_argument(
        "--about", metavar="PATH", help="the scenario that it is about: a .scenario file with one scenario, or a bundle"
    )
    for verb, where in (
        (scenario, "NAME with its ending here"),
        (rules, "NAME with its ending here"),
        (claim, "claims/NAME/claim.yaml"),
    ):
        verb.add_argument("--out", metavar="FILE", help=f"where to write it, by default {where}; - for standard output")


def run(arguments: argparse.Namespace) -> int:
    """Write the file and say so; nothing that is there already is overwritten."""
    from wellposed.cli import output
    from wellposed.cli.ask import Unusable
    from wellposed.cli.render.escape import defuse, escape
    from wellposed.cli.starting import claim, rules, scenario
    from wellposed.cli.status import CLEAN, UNUSABLE

    start = {"scenario": scenario, "rules": rules, "claim": claim}[arguments.what]
    try:
        ending = ENDINGS[arguments.what]
        folder = "claims/" if arguments.what == "claim" else ""
        path = arguments.out if arguments.out is not None else folder + arguments.name + ending
        if path != STDOUT:
            if not path.endswith(ending):
                raise Unusable(f"--out {path} does not end in {ending}, so that no check would find it")
            output.refuse_existing(path)  # before anything is asked
        text, what = start(arguments)
    except Unusable as problem:
        output.notice(str(problem))
        return UNUSABLE
    if path == STDOUT:
        output.write_result(defuse(text), None)
    else:
        if folder:
            output.make_folder(os.path.dirname(path))
        output.write_new(text, path)
        output.write_result(defuse(f"wrote {escape(path)}: {escape(what)}\n"), None)
    return CLEAN
