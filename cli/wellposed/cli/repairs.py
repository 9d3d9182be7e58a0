"""The search for fixes: repairs that the verifier proposes, rendered as source edits, compiled and verified again.

Only what was verified to be well-posed is shown. The search goes on from edits that leave fewer findings, so that a
scenario with several faults gets one fix for all of them. It is bounded by counts, never by time, so that it finds the
same everywhere.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from wellposed.cli.report import Report
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import Compilation, CompiledScenario, compile_source
from wellposed.compiler.edits import edited
from wellposed.compiler.imports import Importer, Reader
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.suppress import needs_verdict
from wellposed.compiler.text_edits import differences, laid_out_alike, without_names
from wellposed.dsl import tree
from wellposed.dsl.findings import Finding, Fix, Severity, Span, has_errors
from wellposed.dsl.format_stream import stream_of
from wellposed.dsl.source import SourceFile
from wellposed.verifier.models import MODELS
from wellposed.verifier.repair import Repair
from wellposed.verifier.report import Verification

ATTEMPTS = 80
"""How many edited texts are compiled and verified at most in the search for one fix."""
ENTRIES = 2_000
"""How many entries the schedules of these may have together: long scenarios get fewer attempts."""
ALL_ATTEMPTS = 2_000
"""How many attempts there are in one report."""
STEPS = 6
"""How many repairs one fix consists of at most."""
WORK = 20_000
"""The work budget of one attempt, where that of the report is not smaller."""
UNDECIDED = 3
"""After so many attempts without a verdict a search ends."""

REPAIRED = ("unsatisfiable", "ambiguous", "vacuous")
UNUSED_NAME = "WP313"
OF_SEVERAL = "WP404"
"""Told at one scenario, and no repair of it alone is the answer."""


class Verify(Protocol):
    """Verifies a bundle; with the windows of its records if asked to."""

    def __call__(self, bundle: Bundle, *, windows: bool = False) -> Verification: ...


@dataclass(frozen=True, slots=True)
class _State:
    """A text on the way to a fix: the scenarios of the declaration in it, verified, and the repairs that led to it."""

    source: SourceFile
    file: tree.File
    members: tuple[tuple[Bundle, Verification], ...]
    steps: tuple[Repair, ...] = ()

    @property
    def errors(self) -> int:
        """How many findings are left."""
        return sum(one.severity is Severity.ERROR for _, result in self.members for one in result.findings)

    @property
    def warnings(self) -> Counter[str]:
        """What the verifier warns of, by code."""
        return Counter(it.code for _, result in self.members for it in result.findings if it.severity is Severity.WARNING)

    @property
    def well_posed(self) -> bool:
        """Whether every scenario of the declaration is, and nothing else is an error."""
        return not self.errors and all(result.verdict == "well-posed" for _, result in self.members)


_Key = tuple[str, str, tuple[bytes, ...]]
"""What a search depends on: the path and the text of a source, and the bundles of a declaration in it."""


class Fixes:
    """Finds fixes, and remembers them: `check --watch` asks again and again about texts that have not changed."""

    def __init__(self, verify: Verify) -> None:
        self._verify = verify
        self._known: dict[_Key, _State | None] = {}

    def added_to(self, report: Report, reader: Reader | None = None) -> Report:
        """The report with a fix at one finding of each scenario, or family of scenarios, for which one was found.

        Scenarios that are rejected on purpose get none, nor do those of bundles: a bundle is its hash. Imports are read
        from the file system, or by `reader`.
        """
        fixes: dict[Finding, Fix] = {}
        known: dict[_Key, _State | None] = {}
        importer = Importer(reader or FolderReader())
        attempts = ALL_ATTEMPTS
        for source, compilation, members, findings in _wanting(report, importer):
            key = source.path, source.text, tuple(one.bundle.raw for one in members if one.bundle is not None)
            if key in self._known:
                known[key] = self._known[key]
            elif attempts > 0:
                search = _Search(compilation, members, importer, self._verify)
                known[key] = search.run()
                attempts -= search.attempts
            found = known.get(key)
            if found is not None:
                fixes[_answered(found, findings, members)] = _fix(source, found, importer)
        self._known = known
        return replace(report, findings=tuple(replace(one, fix=fixes.get(one)) for one in report.findings))


def _wanting(
    report: Report, importer: Importer
) -> Iterator[tuple[SourceFile, Compilation, list[CompiledScenario], list[Finding]]]:
    """The declarations with findings that count and that a repair may answer: source, scenarios, and these findings.

    What a family expands to is one declaration, of which one text says everything. One whose author accepts something
    (`allow`) is left to its author: an edit could take the ground from under that.
    """
    wanting = [one for one in report.scenarios if one.rejection is None and one.verdict in REPAIRED]
    for path in dict.fromkeys(one.source for one in wanting):
        source = report.sources.get(path)
        if source is None:
            continue  # of a bundle
        compilation = compile_source(source, importer)
        declarations: dict[int, list[CompiledScenario]] = {}
        for scenario in compilation.scenarios:
            declarations.setdefault(scenario.span.start, []).append(scenario)
        for members in declarations.values():
            ids = {one.id for one in members}
            findings = [
                one
                for one in report.findings
                if one.scenario in ids and one.severity is Severity.ERROR and one.code != OF_SEVERAL
            ]
            accepted = any(_stands_in(allow, one) for one in members for allow in compilation.allows if needs_verdict(allow))
            if findings and not accepted and any(one.source == path and one.id in ids for one in wanting):
                yield source, compilation, members, findings


def _stands_in(allow: tree.Allow, scenario: CompiledScenario) -> bool:
    return scenario.span.start <= allow.span.start < scenario.span.end or allow.covers == scenario.span


def _answered(found: _State, findings: Sequence[Finding], members: Iterable[CompiledScenario]) -> Finding:
    """The finding that the first repair is the answer to."""
    pointer = found.steps[0].pointer
    places = [one.bundle.place(pointer) for one in members if one.bundle is not None]
    return next((one for one in findings if one.place in places), findings[0])


def _fix(source: SourceFile, found: _State, importer: Importer) -> Fix:
    """The edits that lead to what was found, laid out in the canonical way if the source is and it stays the same."""
    text = laid_out_alike(source, found.source.text)
    compiled = compile_source(replace(source, text=text), importer).scenarios
    if not {bundle.raw for bundle, _ in found.members} <= {
        one.bundle.raw for one in compiled if one.bundle is not None
    }:
        text = found.source.text
    words = "; ".join(dict.fromkeys(step.words for step in found.steps))
    return Fix(words, differences(source, text), all(step.safe for step in found.steps))


class _Search:
    """The search for one declaration, best first: fewest findings, then fewest repairs, then the order of the table."""

    def __init__(
        self, compilation: Compilation, members: Sequence[CompiledScenario], importer: Importer, verify: Verify
    ) -> None:
        self.attempts = 0
        self._undecided = 0
        self._compilation = compilation
        self._importer = importer
        self._verify = verify
        self._ids = [one.id for one in members]
        self._entries = sum(len(one.bundle.document["schedule"]) for one in members if one.bundle is not None)
        self._warnings = Counter(_warnings(members))
        self._texts = {compilation.source.text}
        self._comments = _comments(compilation.source)

    def run(self) -> _State | None:
        """A state in which everything is well-posed, or None where none was found."""
        waiting: list[tuple[int, int, int, _State]] = []
        first = self._verified(self._compilation, ()) if self._may_go_on() else None
        if first is not None:
            waiting.append((first.errors, 0, 0, first))
        while waiting:
            *_, state = heapq.heappop(waiting)
            for following in self._following(state):
                if following.well_posed:
                    if first is not None and following.warnings - first.warnings:
                        continue  # it would leave something else to repair
                    return following
                heapq.heappush(waiting, (following.errors, len(following.steps), self.attempts, following))
                if following.steps[-1].safe and following.errors < state.errors:
                    break  # what is safe to do is done first
        return None

    def _may_go_on(self) -> bool:
        affordable = self.attempts < ATTEMPTS and (self.attempts + 1) * self._entries <= ENTRIES
        return affordable and self._undecided < UNDECIDED

    def _following(self, state: _State) -> Iterator[_State]:
        """What repairs make of a state, one after the other."""
        wanting = (one for one in state.members if one[1].verdict != "well-posed")
        bundle, result = next(wanting, state.members[0])
        for repair in MODELS[bundle.document["spec"]].repairs(bundle.document, result):
            if len(state.steps) == STEPS or not self._may_go_on():
                return
            text = edited(bundle, state.source, state.file, repair.edits)
            if text is not None and text not in self._texts:
                self._texts.add(text)
                self.attempts += 1
                following = self._attempt(replace(state.source, text=text), (*state.steps, repair))
                if following is not None:
                    yield following

    def _attempt(self, source: SourceFile, steps: tuple[Repair, ...]) -> _State | None:
        """The text compiled and verified, without names for which there is no use any more."""
        compilation = compile_source(source, self._importer)
        own = (it for one in self._members(compilation) for it in one.findings)
        unused = [it.place for it in own if it.code == UNUSED_NAME and isinstance(it.place, Span)]
        text = without_names(source, unused) if UNUSED_NAME not in self._warnings else None
        if text is not None:
            compilation = compile_source(replace(source, text=text), self._importer)
        if compilation.tree is None or _comments(compilation.source) != self._comments:
            return None
        return self._verified(compilation, steps)

    def _members(self, compilation: Compilation) -> list[CompiledScenario]:
        return [one for one in compilation.scenarios if one.id in self._ids]

    def _verified(self, compilation: Compilation, steps: tuple[Repair, ...]) -> _State | None:
        """The declaration verified; None where the file has errors, there is something new to warn of, or no verdict."""
        members = self._members(compilation)
        wrong = has_errors(compilation.file_findings) or any(has_errors(one.findings) for one in members)
        if compilation.tree is None or wrong or [one.id for one in members] != self._ids:
            return None
        if Counter(_warnings(members)) - self._warnings:
            return None
        results = []
        for one in members:
            assert one.bundle is not None, "there are no errors"
            # For itself, without its source: repairs are edits of the bundle, and need its pointers.
            result = self._verify(replace(one.bundle, source_map=None), windows=True)
            if result.verdict == "undecided":
                self._undecided += 1
                return None
            results.append((one.bundle, result))
        return _State(compilation.source, compilation.tree, tuple(results), steps)


def _comments(source: SourceFile) -> Counter[str]:
    """The comments of a text without errors; an edit keeps them all."""
    return Counter(comment.text for comments in stream_of(source.text).comments.values() for comment in comments)


def _warnings(members: Iterable[CompiledScenario]) -> Iterator[str]:
    return (it.code for one in members for it in one.findings if it.severity is Severity.WARNING)
