"""`simulate BUNDLE --system NAME --out RUN_DIR`: run a scenario in process and write the logs of the run."""

from __future__ import annotations

import argparse

MOST_RUNS = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The scenario, the system, and where the logs go."""
    parser.add_argument(
        "bundle",
        metavar="BUNDLE",
        help="a .scenario file with one scenario, a bundle, a bundle folder, or - for a bundle on standard input",
    )
    parser.add_argument(
        "--system",
        metavar="NAME",
        required=True,
        help="reference, or a faulty system (`wellposed spec mutants` lists them)",
    )
    parser.add_argument(
        "--seed", type=natural, default=0, metavar="N", help="what every choice of the system is drawn from; 0 if not given"
    )
    parser.add_argument(
        "--runs",
        type=natural,
        metavar="N",
        help="make N runs with the seeds from --seed on, each in a folder of its own: RUN_DIR/0, RUN_DIR/1, …",
    )
    parser.add_argument(
        "--out", metavar="RUN_DIR", required=True, help="a folder that is new or empty; docs/runs.md says what it will hold"
    )
    group = parser.add_argument_group("output")
    volume = group.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="do not say what was written")
    volume.add_argument("-v", "--verbose", action="store_true", help="list what was found in the source, notes too")
    group.add_argument("--deny", choices=("warnings",), help="let warnings count as errors in the exit status")


def natural(text: str) -> int:
    """An argument that must be a whole number from 0 on."""
    if not (text.isascii() and text.isdigit()) or len(text) > 15:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 15 nines")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Compile, never verify; simulate, write, and say in one line per run what came out."""
    from wellposed.cli import output
    from wellposed.cli.finish import finish, finish_beside
    from wellposed.cli.gather import gather, several_bundles
    from wellposed.cli.pipeline import examine
    from wellposed.cli.simulate import runs, unknown
    from wellposed.cli.status import UNUSABLE
    from wellposed.dsl.findings import has_errors

    if arguments.runs is not None and not 1 <= arguments.runs <= MOST_RUNS:
        output.notice(f"--runs {arguments.runs} is not a number from 1 to {MOST_RUNS}")
        return UNUSABLE
    told = argparse.Namespace(**vars(arguments), format="text", output_file=None, color="never")
    gathered = gather([arguments.bundle], "stdin.json")
    report = examine(gathered, None)
    if len(report.scenarios) > 1:
        report = report.with_findings([several_bundles(arguments.bundle)])
    if has_errors(report.findings) or report.scenarios[0].bundle is None:
        return finish(report, told, gathered.notices, body="")
    bundle = report.scenarios[0].bundle
    problem = unknown(bundle, arguments.system)
    if problem is not None:
        output.notice(problem)
        return UNUSABLE
    listing = "".join(runs(bundle, arguments.system, arguments.seed, arguments.runs, arguments.out))
    return finish_beside(report, "" if arguments.quiet else listing, told, gathered.notices)
