"""When documents are checked: a moment after the last change, beside the editor, and never for a state that is gone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from wellposed.cli.lsp.analysis import Analysis, Analyst, GivenUp
from wellposed.cli.lsp.documents import Document, Documents
from wellposed.dsl.findings import Finding

DEBOUNCE = 0.1
"""Seconds without a further change before a document is checked."""
PATIENCE = 0.3
"""Seconds after which what is known without verifying is told first."""
THREADS = 4
"""One for what was given up and has not ended yet, one for what follows it, and one for what is known without verifying."""
WAIT = 10.0
"""Seconds for which a question of the editor waits for the check that answers it."""

Publish = Callable[[Analysis], None]
Failed = Callable[[BaseException], None]
_T = TypeVar("_T")


@dataclass(slots=True)
class _State:
    """One open document: what checks it, what is under way, and what was found last."""

    analyst: Analyst
    given_up: threading.Event = field(default_factory=threading.Event)
    task: asyncio.Task[Analysis | None] | None = None
    last: Analysis | None = None
    fixes: asyncio.Task[tuple[Finding, ...]] | None = None


class Checker:
    """Checks open documents in threads, so that the editor is always answered."""

    def __init__(self, documents: Documents, publish: Publish, failed: Failed, debounce: float = DEBOUNCE) -> None:
        self._documents = documents
        self._publish = publish
        self._failed = failed
        self._debounce = debounce
        self._threads = ThreadPoolExecutor(THREADS, "wellposed-check")
        self._states: dict[str, _State] = {}

    def changed(self, uri: str, at_once: bool = False) -> None:
        """A document is open or has changed: check it, and those that import it."""
        document = self._documents.get(uri)
        if document is not None:
            self._begin(document, 0 if at_once else self._debounce)
            self.files_changed({document.path})

    def files_changed(self, paths: set[str]) -> None:
        """These files may have changed: check the open documents that import them."""
        for document in self._documents.open:
            state = self._states.get(document.uri)
            if state is not None and state.last is not None and not paths.isdisjoint(state.last.imports):
                self._begin(document, self._debounce)

    def closed(self, uri: str) -> None:
        """A document is not open any more."""
        state = self._states.pop(uri, None)
        if state is not None:
            _give_up(state)

    async def current(self, uri: str) -> Analysis | None:
        """The analysis of a document as it stands, waited for; None if it takes too long or is given up."""
        state = self._states.get(uri)
        if state is None or state.task is None:
            return None
        return await _patiently(state.task)

    async def fixes(self, uri: str) -> tuple[Analysis, tuple[Finding, ...]] | None:
        """The analysis of a document as it stands and its findings that have a fix, waited for as in `current`."""
        analysis = await self.current(uri)
        state = self._states.get(uri)
        if analysis is None or state is None or state.last is not analysis:
            return None
        if state.fixes is None:
            state.fixes = asyncio.ensure_future(self._fixes(state, analysis))
            state.fixes.add_done_callback(self._ended)
        found = await _patiently(state.fixes)
        return None if found is None else (analysis, found)

    def stop(self) -> None:
        """Give everything up."""
        for uri in list(self._states):
            self.closed(uri)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _begin(self, document: Document, wait: float) -> None:
        state = self._states.get(document.uri)
        if state is None:
            state = self._states[document.uri] = _State(Analyst())
        _give_up(state)
        state.given_up = threading.Event()
        state.task = asyncio.ensure_future(self._check(document, state, state.given_up, wait))
        state.task.add_done_callback(self._ended)

    async def _check(
        self, document: Document, state: _State, given_up: threading.Event, wait: float
    ) -> Analysis | None:
        await asyncio.sleep(wait)
        loop = asyncio.get_running_loop()
        reader = self._documents.reader()
        if state.last is not None and state.last.is_of(document, reader):
            state.last = Analysis(document, state.last.report, state.last.imports, True)
            self._publish(state.last)
            return state.last
        under_way = loop.run_in_executor(self._threads, state.analyst.analysis, document, reader, given_up)
        under_way.add_done_callback(lambda done: done.cancelled() or done.exception())  # it may be given up
        done, _ = await asyncio.wait((under_way,), timeout=PATIENCE)
        if not done:
            compiled = await loop.run_in_executor(self._threads, state.analyst.compiled, document, reader)
            if not given_up.is_set() and not under_way.done():
                state.last = compiled
                self._publish(compiled)
        try:
            analysis = await under_way
        except GivenUp:
            return None
        if given_up.is_set():
            return None
        state.last, state.fixes = analysis, None
        self._publish(analysis)
        return analysis

    async def _fixes(self, state: _State, analysis: Analysis) -> tuple[Finding, ...]:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._threads, state.analyst.fixes, analysis, self._documents.reader(), state.given_up
            )
        except GivenUp:
            return ()

    def _ended(self, task: asyncio.Task[Analysis | None] | asyncio.Task[tuple[Finding, ...]]) -> None:
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            self._failed(failure)


def _give_up(state: _State) -> None:
    state.given_up.set()
    for task in (state.task, state.fixes):
        if task is not None:
            task.cancel()
    state.task = state.fixes = None


async def _patiently(task: asyncio.Task[_T]) -> _T | None:
    done, _ = await asyncio.wait((task,), timeout=WAIT)
    for one in done:
        return None if one.cancelled() or one.exception() is not None else one.result()
    return None
