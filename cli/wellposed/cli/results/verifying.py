"""Verifies many bundles: what is known already from the store, the others one after the other or in several processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from wellposed.cli.results.progress import Progress
from wellposed.cli.results.store import Store
from wellposed.compiler.bundle import Bundle
from wellposed.verifier.report import Verification

MANY = 300
"""Bundles from which on several processes are worth their start, if nothing else is asked for."""
_PORTION = 8
"""Bundles that a process is given at once."""


class Verifying:
    """Verifies, and remembers for this run. `verify` must be picklable; `jobs` is the number of processes, None by need."""

    def __init__(
        self,
        verify: Callable[[Bundle], Verification],
        store: Store | None,
        jobs: int | None = None,
        quiet: bool = True,
    ) -> None:
        self._verify = verify
        self._store = store
        self._jobs = jobs
        self._quiet = quiet
        self._ahead: dict[int, tuple[Bundle, Verification]] = {}
        # By identity; each bundle is kept alive with its result, so that no other one can take its identity.

    def __call__(self, bundle: Bundle) -> Verification:
        """What is to be said about one bundle."""
        if id(bundle) in self._ahead:
            return self._ahead.pop(id(bundle))[1]
        found = self._store.get(bundle) if self._store is not None else None
        if found is None:
            found = self._kept(bundle, self._verify(bundle))
            if self._store is not None:
                self._store.flush()
        return found

    def ahead(self, bundles: Iterable[Bundle]) -> None:
        """Find out about these, each of which is asked for once at most."""
        waiting = []
        for bundle in bundles:
            found = self._store.get(bundle) if self._store is not None else None
            if found is None:
                waiting.append(bundle)
            else:
                self._ahead[id(bundle)] = bundle, found
        with Progress(len(waiting), self._quiet) as progress:
            for bundle, found in zip(waiting, self._found(waiting), strict=True):
                self._ahead[id(bundle)] = bundle, self._kept(bundle, found)
                progress.step()
        if self._store is not None:
            self._store.flush()

    def _found(self, bundles: Sequence[Bundle]) -> Iterator[Verification]:
        jobs = min(self._wanted(len(bundles)), len(bundles))
        if jobs < 2:
            yield from map(self._verify, bundles)
            return
        processes = ProcessPoolExecutor(jobs, initializer=_leave_interrupts)
        try:
            yield from processes.map(self._verify, bundles, chunksize=_PORTION)
        finally:
            processes.shutdown(cancel_futures=True)

    def _wanted(self, count: int) -> int:
        if self._jobs is not None:
            return self._jobs
        return len(os.sched_getaffinity(0)) if count >= MANY and hasattr(os, "sched_getaffinity") else 1

    def _kept(self, bundle: Bundle, found: Verification) -> Verification:
        if self._store is not None:
            self._store.put(bundle, found)
        return found


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of the terminal; only the first one is to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
