"""The end of the verbs below `reserve`: findings and a result in the format asked for, and refusals as findings."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from wellposed.cli import output
from wellposed.cli.finish import finish, finish_beside
from wellposed.cli.report import Report, in_order
from wellposed.cli.status import UNUSABLE, status_of
from wellposed.dsl.findings import Finding, Severity

FORMAT = "wellposed-reserve/1"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verb has to say: text, members of the JSON document, findings, and remarks for stderr.

    Where the text is for programs too (`data`), findings that do not stand in its way go to stderr.
    """

    text: str
    members: Mapping[str, object] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    notices: Sequence[str] = ()
    data: bool = False


def carry_out(arguments: argparse.Namespace, work: Callable[[], Outcome]) -> int:
    """Do the work and show what came out; a refusal, a repository or file that cannot be read become findings."""
    from wellposed.reserve.gitblobs import GitError
    from wellposed.reserve.report import Refusal

    try:
        outcome = work()
    except Refusal as refusal:
        outcome = Outcome("", findings=refusal.findings)
    except GitError as problem:
        outcome = Outcome("", findings=(Finding("WP004", Severity.ERROR, str(problem)),))
    except OSError as failure:
        where = "" if failure.filename is None else f"{failure.filename}: "
        outcome = Outcome("", findings=(Finding("WP005", Severity.ERROR, where + output.reason(failure)),))
    return show(arguments, outcome)


def refuse(sentence: str) -> int:
    """Wrong use that only shows once all arguments are known."""
    output.notice(sentence)
    return UNUSABLE


def show(arguments: argparse.Namespace, outcome: Outcome) -> int:
    """Write the result. In JSON it is a document of its own, in which the findings stand as in any report."""
    report = Report(findings=in_order(outcome.findings))
    if outcome.data and arguments.format in ("text", "concise"):
        return finish_beside(report, outcome.text, arguments, outcome.notices)
    if arguments.format != "json":
        return finish(report, arguments, outcome.notices, body=outcome.text)
    from wellposed.cli.render import json_report

    document = {
        "format": FORMAT,
        "tool": json_report.document(report)["tool"],
        "verb": arguments.reserve_verb,
        **outcome.members,
        "findings": json_report.findings(report),
    }
    if not arguments.quiet:
        for sentence in outcome.notices:
            output.notice(sentence)
    try:
        output.write_result(json_report.json_text(document), arguments.output_file)
    except BrokenPipeError:
        output.drop_streams()  # whoever read the output has had enough; what was found stays found
    return status_of(report.findings, False, arguments.deny == "warnings")
