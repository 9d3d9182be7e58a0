"""One run directory to what it breaks: read, resolved, replayed, and judged by the rows of the log checker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.opened import Refused
from wellposed.dsl.vocabulary import OBLIGATIONS
from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.checker import EXPECT, ROWS, WELL_FORMED
from wellposed.verifier.amr.checker.case import Case, open_case
from wellposed.verifier.amr.checker.claims import expectations
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.checker.environment import Happening, replay
from wellposed.verifier.amr.checker.form import placement
from wellposed.verifier.amr.checker.places import choices
from wellposed.verifier.amr.checker.rules import Policy
from wellposed.verifier.amr.judge.audit import AuditReader
from wellposed.verifier.amr.judge.clusters import Cluster, clusters, messages_of
from wellposed.verifier.amr.judge.drafts import Anchors, DraftReader, read_outbox, trace_origins
from wellposed.verifier.amr.judge.folder import (
    AUDIT,
    CALLS,
    DRAFTS,
    FILES,
    OUTBOX,
    RUN,
    STATE,
    Digested,
    RunFiles,
    RunFolder,
)
from wellposed.verifier.amr.judge.harness import HarnessReader, blame_for_held
from wellposed.verifier.amr.judge.levels import NAMES, exercised, level_of
from wellposed.verifier.amr.judge.limits import LIMITS, JudgeLimits
from wellposed.verifier.amr.judge.logs import Logs
from wellposed.verifier.amr.judge.only_in_logs import only_in_logs
from wellposed.verifier.amr.judge.resolve import (
    Resolved,
    cite_versions,
    complete,
    courses,
    run_of,
    unseen_ticks,
    versions_of,
)
from wellposed.verifier.amr.judge.snapshots import Observed, SnapshotReader
from wellposed.verifier.amr.judge.stamps import Stamps
from wellposed.verifier.amr.judge.timeline import Timeline, read_timeline
from wellposed.verifier.amr.judge.told import (
    FORM,
    MISSING,
    OUTSIDE,
    SELF_REPORTED,
    STRANGE_NAME,
    Broken,
    Told,
)
from wellposed.verifier.amr.run import Contention, Run
from wellposed.verifier.judged import Breach, Evidence, JudgedRun, RunFailure


def judge_run(
    bundle: Bundle, path: Path, shown: str, limits: JudgeLimits = LIMITS, answers: Answers = BASE
) -> JudgedRun:
    """Judge one run directory, whose display path is `shown`. Raises OSError where there is no such folder.

    The budgets are those of the model, unless a test scales them down.
    """
    told = Told(shown, limits)
    try:
        with RunFolder(path) as folder:
            return _Judging(bundle, folder, told, answers).judge()
    except Refused as refused:
        name = refused.path.removeprefix(path.as_posix()).lstrip("/")
        told.blame_harness(f"{name or 'the run'}: {refused.message}", name or None)
        return JudgedRun(shown, (0, 0), harness=tuple(told.harness), findings=told.findings())


def judge_files(bundle: Bundle, files: RunFiles, shown: str, limits: JudgeLimits = LIMITS) -> JudgedRun:
    """Judge one run whose files come from somewhere else than an open folder, under the display path `shown`."""
    return _Judging(bundle, files, Told(shown, limits), BASE).judge()


class _Judging:
    def __init__(self, bundle: Bundle, folder: RunFiles, told: Told, answers: Answers) -> None:
        self.bundle = bundle
        self.answers = answers
        self.document: Mapping[str, Any] = bundle.document
        self.folder = Digested(folder)
        self.told = told
        self.blamed = told
        """Where a harness that does not follow the schedule is told of; nowhere, if nobody can know."""
        self.logs = Logs()
        self.timeline: Timeline | None = None
        self.counts: dict[str, int] = {}

    def judge(self) -> JudgedRun:
        if not self._names():
            return self._result()
        self._read()
        base = run_of(self.logs, versions_of(self.document))
        clock, happenings = replay(self.document, base, self.answers)
        if not self._comparable(base):
            self.blamed = Told(self.told.path, self.told.limits)
        targets = self._harness(clock, happenings)
        if not self._visible(clock):
            return self._result()
        resolved = self._complete(base, clock, happenings, targets)
        if self.told.harness:
            return self._result()
        return self._judged(resolved, clock)

    def _comparable(self, run: Run) -> bool:
        """Whether it is certain what the harness saw: by a timeline, and in records that it could read and place."""
        legible = all(one.obligation not in (FORM, "K.admitted") for one in self.told.broken)
        early = any(draft.tick < (item.admitted or 0) for item in run.items.values() for draft in item.drafts)
        return self.timeline is not None and legible and not early

    def _names(self) -> bool:
        names = self.folder.names()
        for name in names:
            if name not in FILES:
                self.told.say(STRANGE_NAME, f"a run has no {name!a}; it is not looked at")
        missing = [name for name in FILES if name not in names and name != RUN]
        for name in missing:
            self.told.say(MISSING, f"the run has no {name}, so it cannot be judged")
            self.told.blame_harness(f"there is no {name}", told=True)
        if RUN not in names:
            text = f"there is no {RUN}: every tick is the system's own word, and the harness is not looked at"
            self.told.say(SELF_REPORTED, text)
        else:
            self.timeline = Timeline()
        return not missing

    def _read(self) -> None:
        schedule, horizon = self.document["schedule"], self.bundle.horizon
        if self.timeline is not None:
            self.timeline = read_timeline(self.folder, self.told, horizon, 3 * len(schedule) + 10)
        stamps = {
            file: Stamps(file, None if self.timeline is None else self.timeline.seen[file], horizon, self.told)
            for file in (AUDIT, DRAFTS, OUTBOX, CALLS)
        }
        forged = frozenset(
            entry["record"]["approval_id"]
            for entry in schedule
            if entry["channel"] == "approvals" and "forged" in entry["record"]
        )
        deliveries = {
            entry["record"]["id"]: f"/schedule/{place}"
            for place, entry in reversed(list(enumerate(schedule)))
            if entry["channel"] == "inbox"
        }
        before = 0
        AuditReader(self.logs, stamps[AUDIT], self.told, deliveries, forged).read(self.folder)
        before = self._counted(AUDIT, before)
        known = {entry["record"]["conversation_id"] for entry in schedule if entry["channel"] == "inbox"}
        known |= {row["conversation_id"] for part in ("anchors", "replies") for row in self.document["stub"][part]}
        anchors = Anchors(self.document)
        DraftReader(self.logs, stamps[DRAFTS], self.told, anchors, frozenset(known)).read(self.folder)
        before = self._counted(DRAFTS, before)
        read_outbox(self.folder, self.logs, stamps[OUTBOX], self.told)
        before = self._counted(OUTBOX, before)
        trace_origins(self.folder, self.logs, stamps[CALLS], self.told)
        self._counted(CALLS, before)

    def _counted(self, file: str, before: int) -> int:
        self.counts[file] = self.logs.lines - before
        return self.logs.lines

    def _harness(self, clock: Clock, happenings: tuple[Happening, ...]) -> Mapping[int, str]:
        reader = HarnessReader(self.document, happenings, self.logs, self.timeline, self.told, self.blamed)
        reader.read(self.folder)
        reader.compare_timeline(clock, self.counts)
        return reader.targets

    def _visible(self, clock: Clock) -> bool:
        """Whether all records stand at ticks of the run, without which nothing can be asked about them."""
        unseen = list(unseen_ticks(self.logs, clock))
        for message, file, line, tick in unseen:
            text = f"a record of {message} at {tick}, a tick that the clock skips"
            self.told.say(OUTSIDE, text, file, line)
            self.told.breach(Broken(FORM, message, text, "/level", file, line, told=True))
        return not unseen

    def _complete(
        self, base: Run, clock: Clock, happenings: tuple[Happening, ...], targets: Mapping[int, str]
    ) -> Resolved:
        deaths = [event for event in happenings if event.order in targets and not event.again]
        forced = frozenset() if self.timeline is None else frozenset(self.timeline.forced)
        snapshots = SnapshotReader(
            self.told,
            self.blamed,
            courses(self.logs, happenings),
            [(event.tick, targets[event.order]) for event in deaths],
            forced,
            clock,
        )
        observed = snapshots.read(self.folder)
        holders = {event.order: held for event, held in zip(deaths, observed.holders, strict=True)}
        self._holders(deaths, targets, holders)
        resolved = complete(base, self.logs, happenings, targets, holders, observed)
        self._snapshots(observed)
        return resolved

    def _holders(
        self, deaths: list[Happening], targets: Mapping[int, str], holders: Mapping[int, Mapping[str, str]]
    ) -> None:
        """Whoever holds an item is the agent that the snapshot before assigns it."""
        for event in deaths:
            item = self.logs.items.get(event.message or "")
            if item is not None and holders[event.order].get(item.work) != targets[event.order]:
                text = f"{event.name} names {targets[event.order]}, which does not hold {event.message} at {event.tick}"
                self.blamed.blame_harness(text)

    def _snapshots(self, observed: Observed) -> None:
        for line, tick, text in observed.disagreements:
            told = f"the snapshot of tick {tick} disagrees with the logs: {text}"
            self.told.breach(Broken("L3.state", None, told, "/level", STATE, line))

    def _judged(self, resolved: Resolved, clock: Clock) -> JudgedRun:
        run = cite_versions(
            resolved.run,
            self.logs,
            versions_of(self.document),
            Policy.of(self.document, clock, resolved.happenings),
            clock,
            self.answers,
        )
        places = next(choices(run, resolved.happenings, self.answers))
        case = open_case(self.document, run, self.answers, clock, resolved.happenings, places)
        if self.timeline is not None:
            blame_for_held(case, self.logs, self.blamed)
        broken = [*self.told.breaches(), *only_in_logs(self.logs, self.document), *self._rows(case, resolved.contests)]
        failed = {int(one.pointer.rpartition("/")[2]): one for one in expectations(case)}
        broken += [Broken(EXPECT, one.message, one.text, one.pointer) for one in failed.values()]
        counting = [one for one in broken if self._counts(one)]
        if self.told.harness:
            return self._result()
        return self._result(
            counting,
            exercised(case),
            tuple(number not in failed for number in range(len(self.document["expect"]))),
        )

    def _rows(self, case: Case, found: Mapping[str, Sequence[Contention]]) -> list[Broken]:
        broken = [Broken(one.obligation, one.message, one.text, one.pointer) for one in placement(case)]
        for obligation in (row.id for row in OBLIGATIONS if row.level <= case.level and row.id in ROWS):
            for item in case.items.values():
                runs = [item]
                if obligation == "L3.claims" and item.message in found:
                    runs = [replace(item, run=replace(item.run, contention=one)) for one in found[item.message]]
                for one in runs:
                    for pointer, text in ROWS[obligation](case, one):
                        broken.append(Broken(obligation, item.message, text, pointer))
        return broken

    def _counts(self, one: Broken) -> bool:
        """Whether a breach counts in this scenario: of its level, and one that is not left to the expectations alone."""
        if one.obligation == EXPECT or one.obligation == FORM:
            return True
        if not self.document["invariants"]:
            return False
        return one.obligation == WELL_FORMED or one.obligation in self.document["invariants"]

    def _result(
        self,
        broken: list[Broken] | None = None,
        exercised: frozenset[str] = frozenset(),
        expected: tuple[bool | None, ...] | None = None,
    ) -> JudgedRun:
        found = self.told.breaches() if broken is None else broken
        groups = () if self.told.harness else clusters(found, messages_of(self.document))
        return JudgedRun(
            self.told.path,
            self.folder.identity,
            self.timeline is not None,
            0 if self.timeline is None else self.timeline.forced_advances,
            self.logs.origin,
            self.logs.lines,
            exercised,
            tuple(self._failure(one) for one in groups),
            expected or tuple(None for _ in self.document["expect"]),
            tuple(self.told.harness),
            self.told.findings(),
            self.folder.content,
        )

    def _failure(self, cluster: Cluster) -> RunFailure:
        root, *follows = (self._breach(one, cluster) for one in cluster.all)
        return RunFailure(cluster.id, root, tuple(follows), tuple(self._evidence(cluster.root)), cluster.root.told)

    def _breach(self, one: Broken, cluster: Cluster) -> Breach:
        top = self.bundle.level
        levels: tuple[str, ...] = (level_of(one.obligation, top),)
        if one.obligation == EXPECT:
            # An expectation is a theorem: what it follows from is broken as well, and fails its own level.
            levels = (f"L{top}",) if cluster.root is one else ()
        elif one.obligation == FORM:
            levels = NAMES[: top + 1]
        return Breach(one.obligation, levels, one.message, one.pointer, one.text)

    def _evidence(self, root: Broken) -> list[Evidence]:
        found = []
        if root.file is not None and root.line is not None:
            found.append(Evidence(root.file, root.line, None, root.text))
        item = self.logs.items.get(root.message or "")
        if item is not None:
            found.append(Evidence(AUDIT, item.line, item.tick, "admission"))
            drafts = ((identity, self.logs.drafts[identity]) for identity in item.drafts)
            found += [Evidence(DRAFTS, one.line, one.tick, f"draft {identity}") for identity, one in drafts]
            found += [Evidence(OUTBOX, one.line, one.tick, f"sends {one.draft}") for one in item.sends]
            found += [Evidence(AUDIT, one.line, one.tick, one.outcome) for one in item.resolutions]
        return found[: self.told.limits.evidence]
