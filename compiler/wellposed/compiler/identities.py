"""Ids of records: the author's name, or one derived from what the record is about and counted in `seq` order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from wellposed.compiler.reporting import Reporter
from wellposed.compiler.scope import Placed
from wellposed.compiler.texts import literal
from wellposed.dsl import tree
from wellposed.dsl.findings import Span


def identify(ordered: Iterable[Placed], reporter: Reporter) -> dict[int, str]:
    """The id of each statement's record by the statement's `order`, for statements in the order of the schedule.

    Redeliveries and repeats have the id of their original. Only unnamed records are counted. Written ids that are equal
    to derived ones, which takes quotes or backquotes, are reported.
    """
    ids: dict[int, str] = {}
    counts: Counter[str] = Counter()
    written: dict[str, Span] = {}
    derived: list[tuple[str, Span]] = []
    for placed in ordered:
        statement = placed.statement
        name, span = _written(statement)
        if name is not None:
            ids[placed.order] = name
            written.setdefault(name.casefold(), span)
            continue
        stem = _stem(statement)
        if stem is not None:
            counts[stem] += 1
            ids[placed.order] = f"{stem}.{counts[stem]}"
            derived.append((ids[placed.order], span))
    seen: dict[str, Span] = {}
    for one, span in derived:
        taken = written.get(one.casefold()) or seen.get(one.casefold())
        seen.setdefault(one.casefold(), span)
        if taken is not None:
            reporter.add(
                "WP213",
                taken,
                f"the id `{one}` is that of a record that has no name of its own",
                labels=((span, f"this record is called `{one}`"),),
                help="choose an id without dots, or name the other statement",
            )
    return ids


def _written(statement: tree.Statement) -> tuple[str | None, Span]:
    if isinstance(statement, tree.Deliver):
        return statement.message.text, statement.message.span
    if isinstance(statement, tree.Redeliver | tree.Repeat):
        name = statement.message if isinstance(statement, tree.Redeliver) else statement.original
        return None, name.span
    if isinstance(statement, tree.ForgeDangling | tree.ForgeWrongHash):
        return literal(statement.id), statement.id.span
    if statement.label is not None:
        return statement.label.text, statement.label.span
    return None, statement.span


def _stem(statement: tree.Statement) -> str | None:
    """What a derived id starts with; None for what has the id of its original."""
    match statement:
        case tree.Decide():
            return f"{statement.message.text}.{statement.decision}"
        case tree.Escalate():
            return f"{statement.message.text}.escalate"
        case tree.KillAgentOf():
            return f"{statement.message.text}.death"
        case tree.KillAgent():
            return f"{literal(statement.agent)}.death"
        case tree.Crash():
            return "crash"
        case tree.Jump():
            return "jump"
        case tree.ChangePosture():
            return "posture"
        case tree.ChangeRules():
            return "rules"
        case tree.HoldEffects():
            return "hold"
        case tree.ReleaseEffects():
            return "release"
        case _:
            return None
