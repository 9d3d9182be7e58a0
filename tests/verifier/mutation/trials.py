"""Running tests against one mutant: in a fork, so that what is not mutated is loaded, and judged by the oracle, only once."""

from __future__ import annotations

import importlib
import os
import pickle
import resource
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import tests.oracle
import tests.oracle.generate
from tests.oracle.basics import TooLarge

LOADED = ("networkx", "z3", "jsonschema", "wellposed.compiler.compilation", "wellposed.compiler.schemas")
"""What the tests need and no mutant touches."""

Answers = dict[str, tuple[Any, TooLarge | None]]
MEMORY: dict[str, Answers] = {}
"""What the oracle has answered: per function, by its arguments."""

BYTES = 3 * 2**30


def prepare() -> None:
    """Load what no mutant touches; let the oracle answer from memory; let hypothesis stop at the first failure."""
    for module in LOADED:
        importlib.import_module(module)
    hypothesis.settings.register_profile(
        "mutation", phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate), database=None, derandomize=True
    )
    hypothesis.settings.load_profile("mutation")
    _remember(tests.oracle.generate, "sample")
    for name in ("judge", "explore", "core_is_minimal"):
        _remember(tests.oracle, name)


def _remember(owner: Any, name: str) -> None:
    original: Callable[..., Any] = getattr(owner, name)
    answers = MEMORY.setdefault(name, {})

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


def passes(tests: Sequence[str], seconds: int, memory: Path | None = None) -> bool:
    """Whether the tests pass, within so much processor time; writes down what the oracle has answered if asked to."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = _run(tests, seconds, memory)
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return status == 0


def _run(tests: Sequence[str], seconds: int, memory: Path | None) -> int:
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    for test in tests:  # one after the other: most mutants do not live to see the second collected
        if pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", test]) != 0:
            return 1
    if memory is not None:
        memory.write_bytes(pickle.dumps(MEMORY))
    return 0


def recall(memory: Path) -> None:
    """Take over what a child has written down."""
    for name, answers in pickle.loads(memory.read_bytes()).items():
        MEMORY[name].update(answers)
