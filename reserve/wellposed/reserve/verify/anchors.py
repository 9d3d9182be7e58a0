"""Step 4: what somebody else attests of the time at which the ledger was what it is."""

from __future__ import annotations

from datetime import timedelta

from wellposed.compiler.canonical import sha256
from wellposed.reserve.anchors import MAX_PROOF, examine_proof
from wellposed.reserve.dates import moment_of
from wellposed.reserve.lines import LEDGER, Line
from wellposed.reserve.report import at_line
from wellposed.reserve.trees import NotReadable
from wellposed.reserve.verify.case import Anchored, Case

UNFIT, MISSING = "WP820", "WP821"
_SKEW = timedelta(hours=1)
"""How far the clock of an operator may be ahead of that of an authority."""


def check(case: Case) -> None:
    """Every anchor, then what none covers."""
    for line in case.state.anchors:
        _check(case, line)
    if case.state.anchors:
        case.checked.append(f"{len(case.anchored)} of {len(case.state.anchors)} time anchors verified")
    bare = [line for line in case.state.lines if line.type in ("seal", "announce") and not case.in_time(line)]
    if not bare:
        return
    path = case.path(LEDGER)
    if case.options.require_anchor or case.state.policy["anchor"] == "required":
        for line in bare:
            what = f"no verified time anchor {_before(line)}: that this was written by {line.t[:10]} rests on the operator's word"
            help = "record one with `wellposed reserve anchor`, and name the certificates you trust with --tsa-roots"
            case.findings.append(at_line(MISSING, what, path, line.number, help=help))
    else:
        case.unchecked.append(f"the time of {_these(bare)}: no verified time anchor before the batch was used, it rests on the operator's word")


def _before(line: Line) -> str:
    return "before the announcement" if line.type == "seal" else "before the first result"


def _these(lines: list[Line]) -> str:
    first = f"the {lines[0].type} of line {lines[0].number} ({lines[0].t[:10]})"
    more = len(lines) - 1
    return first + (f" and of {more} later line{'s' if more > 1 else ''} of that kind" if more else "")


def _check(case: Case, line: Line) -> None:
    body, path = line.body, case.path(LEDGER)

    def tell(what: str) -> None:
        case.findings.append(at_line(UNFIT, what, path, line.number))

    try:
        raw = case.tree.read(case.path(body["path"]), MAX_PROOF)
    except NotReadable as problem:
        tell(f"the proof {body['path']} {problem}")
        return
    if sha256(raw) != body["proof"]:
        tell(f"the proof {body['path']} is not the one that was recorded: it hashes to {sha256(raw)}")
        return
    proof = examine_proof(body["kind"], raw, body["head"].removeprefix("sha256:"), case.options.roots)
    if proof.wrong is not None:
        tell(f"{body['path']}: {proof.wrong}")
    elif proof.time is None:
        case.unchecked.append(f"{body['path']}, up to line {body['of'] + 1}: {proof.unchecked}")
    elif moment_of(case.state.lines[body["of"]].t) > moment_of(proof.time) + _SKEW:
        tell(f"{body['path']} is of {proof.time}, and line {body['of'] + 1} claims to be written later")
    elif moment_of(line.t) + _SKEW < moment_of(proof.time):
        tell(f"{body['path']} is of {proof.time}, and the line that records it claims to be older: it was back-dated")
    else:
        case.anchored.append(Anchored(body["of"], body["kind"], proof.time, line.seq))
