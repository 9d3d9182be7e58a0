"""Step 6: the judge, asked again with the published logs, says what was recorded."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from wellposed.compiler.bundle import Bundle
from wellposed.reserve.judging import Judged, judge
from wellposed.reserve.lines import LEDGER
from wellposed.reserve.report import Refusal, at_file, at_line
from wellposed.reserve.shapes import RUNS
from wellposed.reserve.verify.case import Applied, Case

CODE = "WP872"


def check(case: Case) -> None:
    """Every result whose logs are what was promised."""
    for applied in case.manifests:
        if applied.bundle is not None and len(applied.files) == RUNS:
            _check(case, applied, applied.bundle)
    if case.manifests:
        case.checked.append(f"{len(case.manifests)} outcomes judged again from the logs")


def _check(case: Case, applied: Applied, bundle: Bundle) -> None:
    try:
        judged = _judged(bundle, applied.files)
    except Refusal as refusal:
        case.findings.append(at_file(CODE, f"the logs give no outcome: {refusal.findings[0].message}", applied.path))
        return
    recorded = applied.line.body["outcome"]
    if dict(judged.outcome) != recorded:
        what = f"the logs come to {_shown(judged.outcome)}, recorded is {_shown(recorded)}"
        case.findings.append(at_line(CODE, what, case.path(LEDGER), applied.line.number))
        return
    if judged.origin != applied.line.body["origin"]:
        what = f"the logs are of drafts whose origin is {judged.origin}, recorded is {applied.line.body['origin']}"
        case.findings.append(at_line(CODE, what, case.path(LEDGER), applied.line.number))
    for number, (said, found) in enumerate(zip(applied.manifest["runs"], _runs(judged), strict=True), 1):
        if (said["outcome"], said["forced_advances"]) != found:
            what = f"the manifest says {_shown(said['outcome'])} of run {number}, and its logs come to {_shown(found[0])}"
            case.findings.append(at_file(CODE, what, f"{applied.path}/manifest.json"))


def _runs(judged: Judged) -> list[tuple[dict[str, str], int]]:
    return [(dict(run), forced) for run, forced in zip(judged.runs, judged.forced_advances, strict=True)]


def _judged(bundle: Bundle, runs: Sequence[Mapping[str, bytes]]) -> Judged:
    with tempfile.TemporaryDirectory() as top:
        folders = []
        for number, files in enumerate(runs, 1):
            folder = Path(top) / f"run-{number}"
            folder.mkdir()
            for name, raw in files.items():
                (folder / name).write_bytes(raw)
            folders.append(folder)
        return judge(bundle, folders)


def _shown(outcome: Mapping[str, str]) -> str:
    return ", ".join(f"{level} {result}" for level, result in outcome.items())
