"""From logs with a system's own ids to a run in the terms of the bundle, as the log checker judges it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wellposed.compiler.folder import rules_hash
from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker import Happening
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.checker.places import live
from wellposed.verifier.amr.checker.rules import Policy
from wellposed.verifier.amr.judge.contests import Death, contests, reassignments, worst
from wellposed.verifier.amr.judge.folder import AUDIT, DRAFTS, OUTBOX
from wellposed.verifier.amr.judge.logs import ItemLog, Logs
from wellposed.verifier.amr.judge.snapshots import Course, Observed
from wellposed.verifier.amr.run import Contention, Draft, ItemRun, Run

_NEVER = 1 << 62


def run_of(logs: Logs, versions: Mapping[str, Sequence[str]]) -> Run:
    """The run without what takes the environment to know: who held what, contests and reassignments.

    `versions` are the names of the rules versions by hash; several where two versions are the same.
    """
    items = {message: _item_run(logs, item, versions) for message, item in logs.items.items()}
    return Run(items)


def versions_of(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of the rules versions of a bundle by the hash that an admission cites."""
    found: dict[str, list[str]] = {}
    for version in document["rules"]:
        found.setdefault(rules_hash(version["rules"]), []).append(version["name"])
    return found


def _item_run(logs: Logs, item: ItemLog, versions: Mapping[str, Sequence[str]]) -> ItemRun:
    # Without a recorded timeline nothing keeps a system's own stamps in order.
    item.drafts.sort(key=lambda identity: logs.drafts[identity].tick)
    item.sends.sort(key=lambda send: send.tick)
    place = {identity: number for number, identity in enumerate(item.drafts)}
    drafts = tuple(
        Draft(one.tick, one.conversation, one.carries) for one in (logs.drafts[identity] for identity in item.drafts)
    )
    resolution = None
    if item.resolutions:
        first = item.resolutions[0]
        resolution = (first.tick, first.outcome, first.reason if first.outcome == "abandoned" else None)
    return ItemRun(
        admitted=item.tick,
        rules=next(iter(versions.get(item.hash, ())), None),
        drafts=drafts,
        sends=tuple((send.tick, place[send.draft]) for send in item.sends),
        resolution=resolution,
        forked=item.again is not None,
    )


def unseen_ticks(logs: Logs, clock: Clock) -> Iterator[tuple[str, str, int, int]]:
    """The records, by message, file, line and tick, that stand at ticks which the run does not have."""
    for message, item in logs.items.items():
        dated = [(AUDIT, item.line, item.tick)]
        dated += [(AUDIT, one.line, one.tick) for one in item.claims]
        dated += [(AUDIT, one.line, one.tick) for one in item.resolutions]
        dated += [(DRAFTS, logs.drafts[one].line, logs.drafts[one].tick) for one in item.drafts]
        dated += [(OUTBOX, one.line, one.tick) for one in item.sends]
        yield from ((message, *one) for one in dated if not clock.visible(one[2]))


def courses(logs: Logs, happenings: Iterable[Happening]) -> dict[str, Course]:
    """How the status of each work item goes, by its own id."""
    decisions: defaultdict[str, list[Happening]] = defaultdict(list)
    for event in happenings:
        if event.kind in ("approve", "reject") and not event.again:
            decisions[event.message or ""].append(event)
    return {work: _course(work, items, logs, decisions) for work, items in logs.works.items()}


def _course(work: str, items: Sequence[ItemLog], logs: Logs, decisions: Mapping[str, Sequence[Happening]]) -> Course:
    admitted = min(item.tick for item in items)
    drafts = [logs.drafts[identity].tick for item in items for identity in item.drafts]
    sends = [send.tick for item in items for send in item.sends]
    drafted, sent = min(drafts, default=_NEVER), min(sends, default=_NEVER)
    resolved = ((one.tick, one.outcome) for item in items for one in item.resolutions[:1])
    ended, outcome = min(resolved, key=lambda one: one[0], default=(_NEVER, ""))
    decided = [one for item in items if not item.fork for one in decisions.get(item.message, ())]
    decided.sort(key=lambda one: one.order)
    approved = {one.tick: one.kind == "approve" for one in decided}  # the last of a tick
    ticks = sorted(tick for tick in {admitted, *drafts, *sends, ended, *approved} if admitted <= tick < _NEVER)
    standing = False
    statuses = []
    for tick in ticks:
        standing = approved.get(tick, standing)
        if tick >= ended:
            statuses.append(outcome)
        elif tick >= sent:
            statuses.append("sent")
        elif standing:
            statuses.append("approved")
        else:
            statuses.append("drafted" if tick >= drafted else "admitted")
    won = [(one.tick, one.agent) for item in items for one in item.claims if one.outcome == "won"]
    won.sort(key=lambda one: one[0])
    return Course(work, ticks, statuses, [tick for tick, _ in won], [agent for _, agent in won], items[0].fork)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A run with everything known, its events without the deaths that found nobody, and the contests of each item."""

    run: Run
    happenings: tuple[Happening, ...]
    contests: Mapping[str, Sequence[Contention]]


def complete(
    run: Run,
    logs: Logs,
    happenings: Sequence[Happening],
    targets: Mapping[int, str],
    holders: Mapping[int, Mapping[str, str]],
    observed: Observed,
) -> Resolved:
    """Adds what dying agents held, who took it over, and who contended.

    `targets` are the agents that died, and `holders` who held what before, by the order of the death.
    """
    held: dict[str, frozenset[str]] = {}
    deaths: defaultdict[str, list[Death]] = defaultdict(list)
    events = []
    for event in happenings:
        if event.kind != "death" or event.again:
            events.append(event)
            continue
        agent, assigned = targets.get(event.order), holders.get(event.order, {})
        touched = {
            message
            for message, item in logs.items.items()
            if agent is not None and assigned.get(item.work) == agent and _live(run, message, event)
        }
        for message in touched:
            deaths[message].append(Death(event.tick, agent or ""))
        held[event.name] = held.get(event.name, frozenset()) | touched
        # Whom it aimed at was nobody's: the system was never told.
        events.append(event if event.message in touched else replace(event, message=None))
    found = {message: contests(item.claims, deaths[message]) for message, item in logs.items.items()}
    items = {}
    for message, item in run.items.items():
        log = logs.items[message]
        takings = [(one.tick, one.agent) for one in log.claims if one.outcome == "won"]
        takings += observed.takings.get(log.work, ())
        resolved = item.resolution[0] if item.resolution else None
        won = tuple(sorted(set(reassignments(deaths[message], takings, resolved))))
        items[message] = replace(item, won=won, contention=worst(found[message]))
    return Resolved(Run(items, held, not observed.disagreements), tuple(events), found)


def _live(run: Run, message: str, event: Happening) -> bool:
    item = run.items[message]
    places = tuple(event.order + (1 if tick >= event.tick else 0) for tick, _ in item.sends)
    return live(item, places, event)


def cite_versions(
    run: Run, logs: Logs, versions: Mapping[str, Sequence[str]], policy: Policy, clock: Clock, answers: Answers
) -> Run:
    """Where two rules versions are the same, an admission cites the one that was in force."""
    items = dict(run.items)
    for message, item in run.items.items():
        names = versions.get(logs.items[message].hash, ())
        if len(names) > 1 and item.admitted is not None:
            last = clock.index(item.admitted)
            in_force = {policy.at(index)[1] for index in range(max(0, last - answers.lag), last + 1)}
            items[message] = replace(item, rules=next((name for name in names if name in in_force), names[0]))
    return replace(run, items=items)
