"""The tests as pytest collects them, run against one mutant after the other, each in a fork of the process that has all loaded."""

from __future__ import annotations

import gc
import importlib
import mmap
import os
import resource
import signal
import struct
import time
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

import hypothesis
import pytest
import tests.oracle
import tests.oracle.generate
from _pytest.runner import runtestprotocol
from tests.oracle.basics import TooLarge
from tests.verifier.mutation.transplant import Transplant

BYTES = 3 * 2**30
LEAST, TIMES = 0.5, 8
"""Seconds of processor time that a test may take with a mutant: so many, and so many times what it takes without."""

FROM_OUTSIDE = (signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM)
"""What ends a mutant without a verdict on it."""

SETTINGS = {
    "phases": (hypothesis.Phase.explicit, hypothesis.Phase.generate),
    "database": None,
    "deadline": None,
    "derandomize": True,
    "report_multiple_bugs": False,
}


class Outcome(Enum):
    """What becomes of a mutant. `ENDLESS` is killed too: a test did not come to an end with it."""

    KILLED = "killed"
    ENDLESS = "endless"
    SURVIVED = "survived"
    SAME = "same"


class Battery:
    """Tests in the order in which they are most likely to kill soon: by how many they have killed, and what they cost."""

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        self._items = list(items)
        self._cost: dict[str, float] = {}
        self._kills: dict[str, int] = dict.fromkeys((item.nodeid for item in self._items), 0)
        self._shared = mmap.mmap(-1, 8 * (len(self._items) + 1))

    def __len__(self) -> int:
        return len(self._items)

    @property
    def seconds(self) -> float:
        """Processor time of all tests."""
        return sum(self._cost.values())

    def kills(self) -> dict[str, int]:
        """How many mutants each test has killed."""
        return {name: count for name, count in self._kills.items() if count}

    def measure(self) -> list[str]:
        """Run every test without a mutant, so that the oracle has answered all that it is asked; the tests that fail."""
        failed = []
        for item in self._items:
            start = time.process_time()
            if not _passes(item):
                failed.append(item.nodeid)
            self._cost[item.nodeid] = time.process_time() - start
        return failed

    def face(self, module: str, source: str) -> Outcome:
        """What becomes of a mutant."""
        self._items.sort(key=lambda item: (self._kills[item.nodeid] + 0.2) / (self._cost[item.nodeid] + 0.002), reverse=True)
        self._shared.seek(0)
        self._shared.write(struct.pack("q", -1))
        child = os.fork()
        if child == 0:
            code = 3
            try:
                code = self._inside(module, source)
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if status == 0:
            costs = struct.unpack_from(f"{len(self._items)}d", self._shared, 8)
            self._cost.update((item.nodeid, cost) for item, cost in zip(self._items, costs, strict=True))
            return Outcome.SURVIVED
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 2:
            return Outcome.SAME
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in FROM_OUTSIDE:
            raise SystemExit("stopped from outside while a mutant was tried")
        place = struct.unpack_from("q", self._shared)[0]
        if place >= 0:
            self._kills[self._items[place].nodeid] += 1
        return Outcome.ENDLESS if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGVTALRM else Outcome.KILLED

    def _inside(self, module: str, source: str) -> int:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_VIRTUAL, LEAST)
        if not Transplant(importlib.import_module(module), source).apply():
            return 2
        for place, item in enumerate(self._items):
            struct.pack_into("q", self._shared, 0, place)
            signal.setitimer(signal.ITIMER_VIRTUAL, LEAST + TIMES * self._cost[item.nodeid])
            start = time.process_time()
            if not _passes(item):
                return 1
            struct.pack_into("d", self._shared, 8 * (place + 1), time.process_time() - start)
        return 0


class Lane:
    """A plugin that hands the tests collected to `work` instead of running them."""

    def __init__(self, work: Callable[[list[pytest.Item]], None]) -> None:
        self._work = work

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        gc.collect()
        self._work(session.items)
        return True


def collect(tests: Iterable[str], work: Callable[[list[pytest.Item]], None]) -> int:
    """Collect tests and hand them to `work`; the exit status of pytest. Nobody reads why a test fails, so that is not worked out."""
    _prepare()
    options = ["-q", "-s", "-p", "no:cacheprovider", "-m", "not slow and not clients", "--assert=plain", "--tb=native"]
    return int(pytest.main([*options, *tests], plugins=[Lane(work)]))


def _passes(item: pytest.Item) -> bool:
    return all(report.passed or report.skipped for report in runtestprotocol(item, log=False, nextitem=None))


def _prepare() -> None:
    """Let the oracle answer from memory, and hypothesis stop at the first failure and try the same each time."""
    hypothesis.settings.register_profile("mutation", **SETTINGS)
    hypothesis.settings.load_profile("mutation")
    _remember(tests.oracle.generate, "sample")
    for name in ("judge", "explore", "core_is_minimal"):
        _remember(tests.oracle, name)


def _remember(owner: Any, name: str) -> None:
    original: Callable[..., Any] = getattr(owner, name)
    answers: dict[str, tuple[Any, TooLarge | None]] = {}

    def answered(*arguments: Any, **named: Any) -> Any:
        key = repr((arguments, sorted(named.items())))
        if key not in answers:
            try:
                answers[key] = original(*arguments, **named), None
            except TooLarge as refusal:
                answers[key] = None, refusal
        answer, refused = answers[key]
        if refused is not None:
            raise refused
        return answer

    setattr(owner, name, answered)
