"""`reserve seal`: store scenarios with a nonce, and print what commits to them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from wellposed.cli.reserve.end import Outcome, carry_out, refuse
from wellposed.cli.reserve.options import add_store
from wellposed.cli.usage import add_report_options, positive

if TYPE_CHECKING:
    from wellposed.compiler.bundle import Bundle
    from wellposed.dsl.findings import Finding
    from wellposed.reserve.seal import Known
    from wellposed.reserve.store import Store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is sealed, or from which family it is drawn, and where it is stored for whom."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="bundles, bundle folders or sources of scenarios")
    parser.add_argument("--family", metavar="NAME", help="seal members of this family instead, as many as --draw says")
    parser.add_argument("--draw", metavar="N", type=positive, help="how many members, drawn at random without repetition")
    add_store(parser)
    parser.add_argument(
        "--to", metavar="RECIPIENT", action="append", default=[],
        help="encrypt the entries to this age or ssh recipient; two are recommended, so that one lost key loses nothing",
    )  # fmt: skip
    parser.add_argument(
        "--public", metavar="DIR", type=Path, default=Path("scenarios"),
        help="the published scenarios, which no sealed one may repeat; else `scenarios`",
    )  # fmt: skip
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Seal all of it or nothing; print `sha256:…  id` for each entry."""
    if (arguments.family is None) != (arguments.draw is None):
        return refuse("--family and --draw go together")
    return carry_out(arguments, lambda: _seal(arguments))


def _seal(arguments: argparse.Namespace) -> Outcome:
    from wellposed.dsl.findings import has_errors
    from wellposed.reserve.public import public_tests
    from wellposed.reserve.seal import Known, check, labels, seal
    from wellposed.reserve.secrecy import identities, recipients
    from wellposed.reserve.store import Store
    from wellposed.reserve.trees import Folder

    to = recipients(arguments.to) if arguments.to else []
    store = Store(arguments.store, identities(arguments.identity))
    warnings = list(store.prepare())
    public = public_tests(Folder(arguments.public.parent), arguments.public.name)
    bundles, notices, findings = _compiled(arguments)
    if has_errors(findings):
        return Outcome("", findings=findings, notices=notices)
    with store.held():
        known = Known(public, store)
        if arguments.family is None:
            check(bundles, known)
        else:
            bundles, remark = _drawn(arguments, bundles, known)
            notices.append(remark)
        sealed = seal(bundles, store, to)
    for bundle in bundles:
        warnings += labels(bundle)
    if not to:
        warnings.append(_in_plain(arguments.store))
    notices += _remarks(arguments, known)
    notices += [f"the identities given do not open {one.commit}" for one in sealed if _locked(arguments, store, one.commit)]
    members = {"sealed": [{"commit": one.commit, "id": one.id} for one in sealed]}
    return Outcome("".join(f"{one.commit}  {one.id}\n" for one in sealed), members, warnings, notices, data=True)


def _compiled(arguments: argparse.Namespace) -> tuple[list[Bundle], list[str], tuple[Finding, ...]]:
    """The bundles in what the paths name, and why there are none; what a source allows or rejects is not asked."""
    from wellposed.cli.gather import gather
    from wellposed.cli.pipeline import examine
    from wellposed.dsl.findings import Severity

    gathered = gather(arguments.paths, "stdin.scenario")
    report = examine(gathered, None)
    errors = tuple(one for one in (*report.findings, *report.suppressed) if one.severity is Severity.ERROR)
    return [one.bundle for one in report.scenarios if one.bundle is not None], list(gathered.notices), errors


def _drawn(arguments: argparse.Namespace, bundles: Sequence[Bundle], known: Known) -> tuple[list[Bundle], str]:
    from wellposed.reserve.draw import bits, draw

    family = arguments.family
    members = [one for one in bundles if one.id.startswith(f"{family}.")]
    drawn = list(draw(family, members, arguments.draw, known))
    return drawn, (
        f"drawn from {len(members)} members of {family}: who knows the family lacks {bits(len(members)):.1f} bits of an entry, "
        "which only the nonce makes unguessable"
    )


def _locked(arguments: argparse.Namespace, store: Store, commit: str) -> bool:
    return bool(arguments.to and arguments.identity) and not store.restorable(commit)


def _remarks(arguments: argparse.Namespace, known: Known) -> list[str]:
    remarks = []
    if known.locked:
        remarks.append(f"not compared with {known.locked} encrypted entries of the store; open them with --identity")
    if len(arguments.to) == 1:
        remarks.append("one recipient: if that key is lost, so is the entry; two are recommended")
    return remarks


def _in_plain(store: Path) -> Finding:
    from wellposed.reserve.report import at_file

    what = "the entries are stored as plain text, for this user only"
    return at_file("WP889", what, str(store), "encrypt them to two recipients with --to (the extra `reserve` is needed)")
