"""`rejected ambiguous WP501 "why"`: content with a scenario that is wrong as announced, an error where it is not."""

from __future__ import annotations

from collections.abc import Sequence

from wellposed.cli.report import Rejection
from wellposed.compiler.scenario import RejectedMark
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Severity

CODE = "WP006"


def judge(
    mark: RejectedMark, scenario: str, verdict: str | None, findings: Sequence[Finding]
) -> tuple[Rejection, Finding | None]:
    """Whether a scenario came out as its mark says, and WP006 where it did not.

    An invalid scenario must have errors of the announced code and of no other: its text has one fault, the one on
    purpose. Another verdict may rest on several findings (an unexercised level often has a dead stimulus beside it), so
    there the announced code must be one of them. Without a verdict (`--no-verify`) nothing is said about marks that need one.
    """
    codes = {finding.code for finding in findings if finding.severity is Severity.ERROR}
    named = mark.code is None or (
        codes == {mark.code} if verdict == "invalid" else mark.code in {finding.code for finding in findings}
    )
    holds = verdict == mark.verdict and named
    rejection = Rejection(mark.verdict, mark.code, holds)
    if holds or verdict is None:
        return rejection, None
    found = ", ".join(sorted(codes))
    announced = mark.verdict + (f" with {mark.code}" if mark.code else "")
    came_out = f"{verdict}{f' with {found}' if found else ''}"
    return rejection, Finding(
        code=CODE,
        severity=BY_ID[CODE].severity,
        message=f"this scenario is marked as {announced}, but it is {came_out}",
        place=mark.span,
        notes=(f'the mark says why: "{mark.reason}"',),
        help="remove the mark if the scenario is meant to be well-posed"
        if verdict == "well-posed"
        else "repair the scenario or the mark",
        scenario=scenario,
    )
