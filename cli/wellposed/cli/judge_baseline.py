"""Older judgements: a level that passed there and does not here is a regression."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wellposed.cli.gather import gather, several_bundles
from wellposed.cli.judge import Judgement
from wellposed.cli.judge_consistent import contradiction
from wellposed.compiler.canonical import CanonicalError, read
from wellposed.compiler.schemas import violations
from wellposed.dsl.findings import Finding, Pointer, Severity
from wellposed.verifier.judged import PASS

REGRESSED = "WP655"
NO_JUDGEMENT = "WP656"


def load(path: str) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    """The judgement in a file, by its schema and of one mind with itself; or why there is none."""
    gathered = gather([path], "")
    if gathered.findings or len(gathered.inputs) != 1:
        return None, gathered.findings or (several_bundles(path),)
    place = Pointer(gathered.inputs[0].path, "")
    try:
        document = read(gathered.inputs[0].raw)
    except CanonicalError as error:
        return None, (Finding(NO_JUDGEMENT, Severity.ERROR, f"not a judgement: {error.message}", place),)
    wrong = next(violations("judgement", document), None)
    if wrong is not None or not isinstance(document, dict):
        return None, (Finding(NO_JUDGEMENT, Severity.ERROR, f"not a judgement: {wrong}", place),)
    wrong = contradiction(document)
    if wrong is not None:
        return None, (Finding(NO_JUDGEMENT, Severity.ERROR, f"not a judgement, it contradicts itself: {wrong}", place),)
    return document, ()


def compare(judgement: Judgement, path: str | None) -> Iterator[Finding]:
    """The levels that passed in the judgement at `path` and do not now, scenario by scenario."""
    if path is None:
        return
    document, findings = load(path)
    yield from findings
    now = {one.result.id: one for one in judgement.scenarios}
    for old in () if document is None else document["scenarios"]:
        judged = now.get(old["id"])
        for name, level in old["levels"].items():
            if level["result"] != PASS:
                continue
            result = None if judged is None else judged.scenario.levels.get(name)
            if result is not None and result.result == PASS:
                continue
            place = Pointer(path, "")
            what = "has no runs here" if judged is None else f"is {'gone' if result is None else result.result} now"
            text = f"{old['id']} {name} passed in the baseline and {what}"
            notes: tuple[str, ...] = ()
            if judged is not None and judged.result.bundle is not None and judged.result.bundle.hash != old["bundle"]:
                notes = ("the scenario is another one than in the baseline: its bundle has another hash",)
            yield Finding(REGRESSED, Severity.ERROR, text, place, notes=notes, scenario=old["id"])
