"""Goes through the files and scenarios of a pull request and collects what is found."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wellposed.cli.report import Report, ScenarioResult
from wellposed.cli.review import claimed, decisions, file_findings, published, sealed
from wellposed.cli.review.changes import ADDED, ScenarioChange, change_of, kind_of
from wellposed.cli.review.files import LEDGER, FileKind, folders_around
from wellposed.cli.review.files import kind_of as kind_of_file
from wellposed.cli.review.finding import at
from wellposed.cli.review.objects import Changed, Objects, TooMany, shown
from wellposed.cli.review.pairing import Pair, pairs
from wellposed.cli.review.sources import Side, below
from wellposed.cli.review.suppressions import Suppression, allows_added, marks_added
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.folder import BUNDLE_FILE
from wellposed.compiler.limits import LIMITS, Limits
from wellposed.dsl.findings import Finding, Label
from wellposed.dsl.source import SourceFile, read_source
from wellposed.reserve.content import same_test
from wellposed.verifier.claims import ClaimResult
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify

_DATA = (FileKind.SCENARIO, FileKind.IMPORTED, FileKind.BUNDLE, FileKind.CLAIM, FileKind.RESERVE)
COPIED, TAKEN = "WP959", "WP225"


class Inspection:
    """One look at one pull request. `over` are the limits that stopped a part of it, each of which is an error."""

    def __init__(self, objects: Objects, before: Side, after: Side, base: Side, budget: int, limits: Limits) -> None:
        self._objects = objects
        self._before, self._after, self._base = before, after, base
        self._budget, self._limits = budget, limits
        self._affected: dict[str, None] = {}
        self._verified: dict[tuple[str, str], Verification] = {}
        self.findings: list[Finding] = []
        self.over: list[TooMany] = []
        self.scenarios: list[ScenarioChange] = []
        self.suppressions: list[Suppression] = []
        self.claims: list[ClaimResult] = []
        self.report = Report()
        self.files: dict[str, list[str]] = {}

    def look(self, changed: Sequence[Changed], commits: Sequence[str], more: bool, skipped: Sequence[str]) -> None:
        """Look at everything. Raises GitError, WitnessRejected, and TooMany where nothing more can be said."""
        self._weigh(changed)
        ledgers = {posixpath.dirname(path) for path in (*self._base.files, *self._after.files) if posixpath.basename(path) == LEDGER}
        folders = published.bundle_folders(self._before)
        bundles = frozenset(self._bundles(changed, folders))
        files: dict[FileKind, list[Changed]] = {}
        for one in changed:
            kind = kind_of_file(one, frozenset(ledgers), bundles)
            if kind in _DATA and below(one.path, skipped):
                kind = FileKind.OTHER
            files.setdefault(kind, []).append(one)
        self.files = {kind.value: [shown(one.path) for one in files[kind]] for kind in FileKind if kind in files}
        self.findings += file_findings.findings(self._before, self._after, files)
        unread = set()
        for one, finding in file_findings.too_large(self._after, changed):
            unread.add(one.path)
            self.findings.append(finding)
        self._reserves(changed, ledgers, commits, more)
        self.findings += published.bundles_edited(self._before, files.get(FileKind.BUNDLE, ()), folders)
        added = [one for one in files.get(FileKind.BUNDLE, ()) if one.before is None and one.path not in unread]
        self._sources(files, skipped, unread, added)
        self._claims(files.get(FileKind.CLAIM, ()))
        self.findings += decisions.decisions(self.scenarios, claimed.speaking_for(self.claims, self.scenarios))
        self.findings += decisions.excuses(self.suppressions, self.report.suppressed)

    def _weigh(self, changed: Sequence[Changed]) -> None:
        """Refuse what is too much to read. Raises TooMany."""
        limit, total = self._limits.changed_bytes, 0
        for one in changed:
            for side in (one.before, one.after):
                if side is not None and side.is_file:
                    total += min(self._objects.size(side.id), LIMITS.bundle_bytes)
            if total > limit:
                raise TooMany("changed_bytes", f"the changed files have more than {limit} bytes; nothing of them was looked into")

    def _bundles(self, changed: Sequence[Changed], folders: frozenset[str]) -> Iterator[str]:
        """The changed files that are bundles, or belong to the folder of one."""
        folders |= published.bundle_folders(self._after)
        for one in changed:
            if any(folder and folder in folders for folder in folders_around(one.path)):
                yield one.path
            elif one.path.endswith(".json"):
                sides = (self._before if one.before else None, self._after if one.after else None)
                if any(side is not None and published.is_bundle(side.read(one.path, LIMITS.bundle_bytes)) for side in sides):
                    yield one.path

    def _reserves(self, changed: Sequence[Changed], ledgers: set[str], commits: Sequence[str], more: bool) -> None:
        old, new = published.reserves(self._before, ledgers), published.reserves(self._after, ledgers)
        self.findings += published.reserve_findings(self._before, self._after, changed, old, new)
        hidden = sealed.secrets(published.reserves(self._base, ledgers), new)
        if not hidden.commits:
            return
        try:
            self.findings += sealed.leaks(self._objects, changed, commits, hidden, self._limits)
            if more:
                limit = self._limits.changed_commits
                raise TooMany("changed_commits", f"the pull request has more than {limit} commits; sealed entries were looked for in these")
        except TooMany as over:
            self.over.append(over)

    def _verify(self, bundle: Bundle) -> Verification:
        key = bundle.hash, bundle.path
        if key not in self._verified:
            self._verified[key] = verify(bundle, self._budget)
        return self._verified[key]

    def _sources(
        self, files: Mapping[FileKind, Sequence[Changed]], skipped: Sequence[str], unread: set[str], bundles: Sequence[Changed]
    ) -> None:
        edited = [one.path for one in files.get(FileKind.SCENARIO, ()) if one.path not in unread]
        imported = frozenset(one.path for one in files.get(FileKind.IMPORTED, ()))
        affected = self._affected
        affected |= dict.fromkeys(edited)
        if imported:
            for side in (self._before, self._after):
                affected |= dict.fromkeys(side.importing(imported, side.scenarios(skipped)))
        paths = self._within_limit(sorted(affected))
        old = self._before.examined(paths, (), None)
        folders = [posixpath.dirname(one.path) for one in bundles if posixpath.basename(one.path) == BUNDLE_FILE]
        for folder in folders:
            names = [path[len(folder) + 1 :] for path in self._after.files if path.startswith(f"{folder}/")]
            self.findings += published.folder_findings(self._after, folder, names)
        documents = [
            one.path for one in bundles
            if posixpath.basename(one.path) == BUNDLE_FILE or not below(one.path, folders)
        ]  # fmt: skip
        self.report = self._after.examined(paths, documents, self._verify)
        sources = [one for one in self.report.scenarios if one.source in affected]
        matched = pairs(old.scenarios, sources)
        for pair in matched:
            self._pair(pair, edited, sorted(imported))
        self.scenarios += [
            ScenarioChange(ADDED, None, one) for one in self.report.scenarios if one.source not in affected
        ]
        moved = {pair.after.source: pair.before.source for pair in matched if pair.before is not None and pair.after is not None}
        texts = [path for path in (*edited, *sorted(imported)) if path not in unread]
        self.suppressions += allows_added(self._before, self._after, moved, texts)
        self.suppressions += marks_added(matched)
        self._against_library(skipped)

    def _within_limit(self, paths: Sequence[str]) -> list[str]:
        """The files whose scenarios, before and after, are few enough to be verified; a file is looked at whole or not at all."""
        limit, total = self._limits.changed_scenarios, 0
        kept: list[str] = []
        for path in paths:
            here = max(len(side.examined([path], (), None).scenarios) for side in (self._before, self._after))
            if total + here > limit:
                left = len(paths) - len(kept)
                self.over.append(TooMany("changed_scenarios", f"more than {limit} scenarios change; {left} files were not verified, from {shown(path)} on"))
                break
            total += here
            kept.append(path)
        return kept

    def _pair(self, pair: Pair, edited: Sequence[str], imported: Sequence[str]) -> None:
        kind = kind_of(pair)
        if kind is None:
            return
        before, after = pair.before, pair.after
        only_imports = before is not None and after is not None and after.source not in edited
        if before is not None and before.bundle is not None and before.verdict != "invalid":
            verification = self._verify(before.bundle)
            before = ScenarioResult(before.id, before.source, before.bundle, verification.verdict, before.rejection, verification)
        because = self._imports_of(after, imported) if only_imports else ()
        self.scenarios.append(change_of(kind, before, after, because, self._budget))

    def _imports_of(self, one: ScenarioResult | None, imported: Sequence[str]) -> Sequence[str]:
        """Those of the changed imports that a scenario's file brings in."""
        if one is None:
            return ()
        sides = (self._before, self._after)
        return [path for path in imported if any(side.importing(frozenset((path,)), [one.source]) for side in sides)]

    def _library(self, skipped: Sequence[str]) -> Sequence[ScenarioResult]:
        """The scenarios that the pull request does not touch, compiled."""
        rest = [path for path in self._after.scenarios(skipped) if path not in self._affected]
        return self._after.examined(rest, (), None).scenarios

    def _against_library(self, skipped: Sequence[str]) -> None:
        """New scenarios against those that nobody touched: an id that is taken, a test that is there already."""
        new = [change.after for change in self.scenarios if change.before is None]
        added = {one.id.casefold(): one for one in new if one is not None}
        if not added:
            return
        library = self._library(skipped)
        tests = {same_test(one.bundle.document): one for one in library if one.bundle is not None}
        for known in library:
            taken = added.get(known.id.casefold())
            if taken is not None and taken.source.endswith(".scenario"):
                place = taken.bundle.place("/id") if taken.bundle is not None else taken.source
                label = Label(known.bundle.place("/id"), "by this scenario") if known.bundle is not None else None
                labels = () if label is None else (label,)
                self.findings.append(at(TAKEN, f"the scenario id `{taken.id}` is taken", place, labels=labels, help="choose another id"))
        for one in added.values():
            same = None if one.bundle is None else tests.get(same_test(one.bundle.document))
            if same is not None and one.bundle is not None and same.id.casefold() != one.id.casefold():
                help = "no system can tell the two apart, and both demand the same; a second one counts the same thing twice"
                self.findings.append(at(COPIED, f"{one.id} is the same test as {same.id}", one.bundle.place("/id"), scenario=one.id, help=help))

    def _claims(self, changed: Sequence[Changed]) -> None:
        folders = claimed.folders_of(changed)
        if not folders:
            return
        library = self._library(())
        for folder in folders:
            result = claimed.examine(self._after, folder, self.scenarios, library, self._budget, self._verify)
            self.findings += claimed.findings_of(self._before, folder, result)
            self.claims += [] if result is None else [result]
        texts: dict[str, SourceFile] = {}
        for result in self.claims:
            raw = self._after.read(result.path, LIMITS.claim_bytes)
            source = None if raw is None else read_source(result.path, raw)[0]
            texts |= {} if source is None else {result.path: source}
        self.report = replace(self.report, sources={**self.report.sources, **texts})
