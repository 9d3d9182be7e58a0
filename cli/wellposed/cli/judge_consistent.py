"""Whether a judgement agrees with itself: what stands in it must follow from the runs that stand in it.

A report that was edited by hand, in one place, does not. One that was rewritten throughout cannot be told from a true one:
for that there are the logs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellposed.verifier.judged import ANNULLED, FAIL, FIXTURE_DEFECT, combined, level_result


def contradiction(document: Mapping[str, Any]) -> str | None:
    """The first thing in which a judgement, valid by its schema, contradicts itself; None if it does not."""
    return next(_contradictions(document), None)


def _contradictions(document: Mapping[str, Any]) -> Iterator[str]:
    for scenario in document["scenarios"]:
        for told in _of_scenario(scenario):
            yield f"{scenario['id']}: {told}"
    levels: dict[str, set[str]] = {}
    for scenario in document["scenarios"]:
        for name, level in scenario["levels"].items():
            levels.setdefault(name, set()).add(level["result"])
    if document["levels"] != {name: combined(results) for name, results in levels.items()}:
        yield "the levels are not those of the scenarios"
    runs = [run for scenario in document["scenarios"] for run in scenario["runs"]]
    summary = document["summary"]
    counted = len(document["scenarios"]), len(runs), sum(run["result"] == ANNULLED for run in runs)
    if (summary["scenarios"], summary["runs"], summary["annulled"]) != counted:
        yield "the summary counts other scenarios or runs"


def _of_scenario(scenario: Mapping[str, Any]) -> Iterator[str]:
    runs = scenario["runs"]
    if list(scenario["levels"]) != [f"L{number}" for number in range(scenario["level"] + 1)]:
        yield "the levels are not those up to its own"
    for name, level in (*scenario["levels"].items(), *((one["text"], one) for one in scenario["expectations"])):
        if len(level["runs"]) != len(runs) or level_result(level["runs"]) != level["result"]:
            yield f"{name} is said to {level['result']}, which its runs do not come to"
        for run, result in zip(runs, level["runs"], strict=False):
            if run["result"] == ANNULLED and result != ANNULLED:
                yield f"{name} has a result of {run['path']}, which is annulled"
    if scenario["forced_advances"] != sum(run["forced_advances"] for run in runs):
        yield "the forced advances are not those of its runs"
    origins = {run["origin"] for run in runs if run["origin"] is not None and run["result"] != ANNULLED}
    if scenario["origin"] != (next(iter(origins)) if len(origins) == 1 else "mixed" if origins else None):
        yield "the origin is not that of its runs"
    yield from _of_failures(scenario)


def _of_failures(scenario: Mapping[str, Any]) -> Iterator[str]:
    failures, runs = scenario["failures"], scenario["runs"]
    for failure in failures:
        shown = [number for number, run in enumerate(runs, start=1) if failure["id"] in run["failures"]]
        if not shown or failure["runs"] != shown:
            yield f"the failure {failure['id']} is not one of the runs that it names"
        if failure["class"] == FIXTURE_DEFECT and not (failure["justification"] or "").strip():
            yield f"the failure {failure['id']} is a {FIXTURE_DEFECT} without a justification"
    known = {failure["id"]: failure for failure in failures}
    for number, run in enumerate(runs):
        if not known.keys() >= set(run["failures"]):
            yield f"{run['path']} has a failure that is not told"
        counting = [known[one] for one in run["failures"] if one in known and known[one]["class"] != FIXTURE_DEFECT]
        for name, level in scenario["levels"].items():
            failed = level["runs"][number : number + 1] == [FAIL]
            if failed is not any(name in failure["levels"] for failure in counting):
                yield f"{name} of {run['path']} is not what its failures say"
