"""What checking one document gives, and the work of it, which is done beside the editor and can be given up.

It is what `wellposed check` does with that one file, but that imports are read as they stand in the editor.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from wellposed.cli.gather import Gathered, Quotable
from wellposed.cli.lsp.documents import Document, Overlay
from wellposed.cli.pipeline import Verify, examine
from wellposed.cli.repairs import REPAIRED, WORK, Fixes
from wellposed.cli.report import Report
from wellposed.cli.watch import Remembering
from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Finding
from wellposed.verifier.report import Verification
from wellposed.verifier.suite.check import check_suite
from wellposed.verifier.verify import DEFAULT_BUDGET, verify

LOOK = 0.05
"""Seconds after which what waits for its turn looks whether anybody still waits for it."""


class GivenUp(Exception):
    """The document has changed: nobody waits for this result any more."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The report on one state of a document, and the hashes of what it imported by display path.

    `complete` is False where nothing has been verified yet.
    """

    document: Document
    report: Report
    imports: Mapping[str, str | None]
    complete: bool

    def is_of(self, document: Document, reader: Overlay) -> bool:
        """Whether this is what checking the document would give: the same text, and the same imports."""
        same = self.complete and self.document.hash == document.hash and self.document.path == document.path
        return same and all(reader.hash_of(path) == known for path, known in self.imports.items())


class Analyst:
    """Checks one document again and again. What has the same bundle and places is not verified again."""

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self._budget = budget
        self._given_up = threading.Event()
        self._turn = threading.Lock()
        self._verify = Remembering(self._verified)
        self._fixes = Fixes(self._tried)

    def compiled(self, document: Document, reader: Overlay) -> Analysis:
        """What is known without verifying."""
        return self._analysis(document, reader, None)

    def analysis(self, document: Document, reader: Overlay, given_up: threading.Event) -> Analysis:
        """Everything that is to be known. Raises GivenUp."""
        with self._its_turn(given_up):
            self._verify.turn()
            return self._analysis(document, reader, self._verify)

    def fixes(self, analysis: Analysis, reader: Overlay, given_up: threading.Event) -> tuple[Finding, ...]:
        """The findings for which there is a fix that was verified. Raises GivenUp."""
        if not any(one.verdict in REPAIRED for one in analysis.report.scenarios):
            return ()
        with self._its_turn(given_up):
            report = self._fixes.added_to(analysis.report, reader)
        return tuple(one for one in report.findings if one.fix is not None)

    @contextmanager
    def _its_turn(self, given_up: threading.Event) -> Iterator[None]:
        """One after the other: what was given up ends before its next scenario. Raises GivenUp."""
        while not self._turn.acquire(timeout=LOOK):
            if given_up.is_set():
                raise GivenUp
        try:
            self._given_up = given_up
            self._go_on()
            yield
        finally:
            self._turn.release()

    def _analysis(self, document: Document, reader: Overlay, verify: Verify | None) -> Analysis:
        suite = None if verify is None else lambda pairs: check_suite(pairs, budget=self._budget)
        report = examine(Gathered((document.input,), (), ()), verify, suite, reader)
        assert isinstance(report.sources, Quotable)
        imports = {path: reader.hash_of(path) for path in report.sources.imports}
        return Analysis(document, report, imports, verify is not None)

    def _verified(self, bundle: Bundle) -> Verification:
        self._go_on()
        return verify(bundle, budget=self._budget, windows=True)

    def _tried(self, bundle: Bundle, *, windows: bool = False) -> Verification:
        self._go_on()
        return verify(bundle, budget=min(self._budget, WORK), windows=windows)

    def _go_on(self) -> None:
        if self._given_up.is_set():
            raise GivenUp
