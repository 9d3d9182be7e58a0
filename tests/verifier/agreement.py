"""The engine against the oracle on one generated scenario: trace sets, verdicts with everything they rest on, cores."""

from __future__ import annotations

import dataclasses
from typing import Any

from tests.oracle import core_is_minimal, explore, judge
from tests.oracle.answers import BASE
from tests.oracle.basics import TooLarge
from tests.oracle.faulty import escapes
from tests.verifier.engine_traces import TooMany, engine_traces

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.entry import AsyncMessageResponder
from wellposed.verifier.amr.model import theory
from wellposed.verifier.judgement import Judgement
from wellposed.verifier.solver import Budget
from wellposed.verifier.theory import Claim, Constraint
from wellposed.verifier.verdict import judge as engine_judge

MAX_DRAFTS = 2
OF_THE_ITEM = {"L0.abandon", "L1.once", "L1.anchor", "L2.only", "L2.authority", "L3.claims", "L5.identity"}
"""Obligations whose instance belongs to the item, whatever event the engine points at."""


def engine_answers(budgets: Any, reading: Any = BASE) -> Answers:
    """The oracle's budgets and answers as the engine's."""
    return Answers(**dataclasses.asdict(budgets), **dataclasses.asdict(reading))


def seen_alike(trace: tuple[Any, ...]) -> tuple[Any, ...]:
    """A trace without the drafts on which nothing rests: the first, the sent one and its successor stay."""
    alike = []
    for admitted, rules, drafts, send, resolution, won, held in trace:
        if send is None:
            kept, sent = drafts[:1], None
        else:
            places = sorted({0, send[1], send[1] + 1} & set(range(len(drafts))))
            kept, sent = tuple(drafts[place] for place in places), (send[0], places.index(send[1]))
        alike.append((admitted, rules, kept, sent, resolution, won, tuple(sorted(held))))
    return tuple(alike)


def trace_difference(
    document: dict[str, Any], budgets: Any, limit: int, reading: Any = BASE
) -> tuple[set[Any], set[Any]] | None:
    """Runs that only the oracle has and runs that only the engine has; None where there are too many to compare."""
    try:
        wanted = explore(document, budgets, max_drafts=MAX_DRAFTS, max_traces=limit, answers=reading)
        engine = engine_runs(document, engine_answers(budgets, reading), limit)
    except (TooLarge, TooMany):
        return None
    oracle = {seen_alike(trace) for trace in wanted}
    return oracle - engine, engine - oracle


def engine_runs(document: dict[str, Any], budgets: Answers, limit: int) -> set[tuple[Any, ...]]:
    """The engine's runs with no more drafts than the oracle explores. Raises TooMany."""
    _, found = engine_traces(document, budgets, limit)
    return {trace for trace in found if all(len(item[2]) <= MAX_DRAFTS for item in trace)}


def verdict_difference(document: dict[str, Any], budgets: Any, reading: Any = BASE) -> tuple[str, list[str]] | None:
    """The oracle's verdict and every point on which the engine differs; None where the oracle gives up."""
    try:
        oracle = judge(document, budgets, max_drafts=3, answers=reading)
    except TooLarge:
        return None
    model = AsyncMessageResponder(engine_answers(budgets, reading))
    work = Budget(50_000_000)
    engine = engine_judge(theory(document, work, model.answers), work)
    different = []
    if oracle.verdict == "undecided":  # its judgement leaves open which faulty systems pass
        different += _lenience(document, budgets, engine)
    elif oracle.verdict != engine.verdict:
        different.append(f"verdict: {oracle.verdict} against {engine.verdict}")
    if oracle.satisfiable and oracle.passable:
        different += _reasons(document, oracle, engine)
    if engine.core:
        members = [_instance(document, member) for member in engine.core]
        refuted, spare = core_is_minimal(document, budgets, members, max_drafts=3, answers=reading)
        if not refuted or spare:
            different.append(f"core {members}: admits none {refuted}, to spare {spare}")
    different += _witnesses(document, model, engine)
    return oracle.verdict, different


def _lenience(document: dict[str, Any], budgets: Any, engine: Judgement) -> list[str]:
    """Which faulty systems pass where the author's expectations alone count, by the oracle for the kill matrix."""
    try:
        wanted = escapes(document, budgets)
    except TooLarge:
        return []
    found = {cell.system for cell in engine.accepted}
    verdict = "vacuous" if found else "well-posed"
    return [] if (found, verdict) == (wanted, engine.verdict) else [f"faulty systems: {wanted} against {found}"]


def _reasons(document: dict[str, Any], oracle: Any, engine: Judgement) -> list[str]:
    def name(pointer: str) -> str:
        record = document["schedule"][int(pointer.rpartition("/")[2])]["record"]
        return str(record.get("approval_id") or record.get("signal_id") or record.get("fault_id"))

    reasons = set(oracle.vacuity)
    levels = {int(level[1:]) for level, state in engine.levels.items() if state == "exercised"}
    pairs = {
        "ambiguous": (
            [violated and held for violated, held in zip(oracle.violated, oracle.held, strict=True)],
            [state == "ambiguous" for state in engine.claims],
        ),
        "levels": (set(oracle.exercised), levels),
        "dead": ({reason[5:] for reason in reasons if reason.startswith("dead ")}, {name(dead) for dead in engine.dead}),
        "hollow": ({int(reason.split()[1]) for reason in reasons if reason.startswith("not-")}, set(engine.hollow)),
        "idle": (bool(reasons & {"idle", "idle-passes-expect"}), engine.idle_passes),
        "omission": ("omission" in reasons, engine.omission is not None),
    }
    if engine.finds:
        pairs["finds"] = (oracle.finds, {name(pointer): finds for pointer, finds in engine.finds.items()})
    return [f"{what}: {theirs} against {ours}" for what, (theirs, ours) in pairs.items() if theirs != ours]


def _instance(document: dict[str, Any], member: Constraint | Claim) -> tuple[str, str, str]:
    if isinstance(member, Claim):
        return "expect", "", str(member.index)
    if not member.item:
        return member.obligation, "*", "*"
    record = document["schedule"][int(member.pointer.rpartition("/")[2])]["record"]
    cause = record.get("approval_id") or record.get("signal_id") or record.get("fault_id") or member.item
    return member.obligation, member.item, member.item if member.obligation in OF_THE_ITEM else str(cause)


def _witnesses(document: dict[str, Any], model: AsyncMessageResponder, engine: Judgement) -> list[str]:
    """Every run that would be shown, judged by the log checker."""
    wrong = []
    pairs = [(ambiguity.passing, ambiguity.failing) for ambiguity in engine.ambiguities]
    for solution, beside in [*pairs, *([(engine.example, None)] if engine.example is not None else [])]:
        seen = model.witness(document, solution, beside=beside)
        if seen.broken or seen.failed:
            wrong.append(f"passing run: broken {seen.broken}, failed {seen.failed}")
    for ambiguity in engine.ambiguities:
        seen = model.witness(document, ambiguity.failing, ambiguity.index, ambiguity.passing)
        if seen.broken or ambiguity.index not in seen.failed:
            wrong.append(f"failing run of {ambiguity.index}: broken {seen.broken}, failed {seen.failed}")
    if engine.omission is not None:
        seen = model.witness(document, engine.omission.solution)
        if seen.failed or engine.omission.omitted.obligation not in seen.broken:
            wrong.append(f"omission: broken {seen.broken}, failed {seen.failed}")
    return wrong
