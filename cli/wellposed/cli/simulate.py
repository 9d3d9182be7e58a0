"""Simulated runs as folders. What is written, file by file: `docs/runs.md`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from wellposed.cli.output import OutputError, reason
from wellposed.cli.render.escape import escape
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.suggest import Suggester
from wellposed.verifier.models import SIMULATORS, Logs, Simulator


def unknown(bundle: Bundle, system: str) -> str | None:
    """Why there is no such system, in a sentence, with the name that may be meant; None if there is one."""
    known = _simulator(bundle).systems
    if system in known:
        return None
    near = Suggester().nearest(system, known)
    hint = f"did you mean {near}?" if near else "there is `reference`, and what `wellposed spec mutants` lists"
    return f"there is no system {system[:80]}; {hint}"


def runs(bundle: Bundle, system: str, seed: int, count: int | None, out: str) -> Iterator[str]:
    """Make a run and write it to `out`; with a `count`, so many, each in a folder that is named by its seed.

    Yields a line per run that says what was written. Raises OutputError for a folder that is not empty or cannot be
    written.
    """
    simulator = _simulator(bundle)
    _fresh(out)
    for chosen in (seed,) if count is None else range(seed, seed + count):
        folder = out if count is None else os.path.join(out, str(chosen))
        logs = simulator.run(bundle.document, system, chosen)
        _write(folder, logs.written())
        yield _line(folder, bundle.id, system, chosen, logs)


def _simulator(bundle: Bundle) -> Simulator:
    return SIMULATORS[bundle.document["spec"]]


def _line(folder: str, scenario: str, system: str, seed: int, logs: Logs) -> str:
    sends = "1 send" if logs.sends == 1 else f"{logs.sends} sends"
    ticks = "1 tick" if logs.ticks == 1 else f"{logs.ticks} ticks"
    return f"{escape(folder)}  {scenario}  {system}  seed {seed}  {ticks}  {sends}\n"


def _fresh(folder: str) -> None:
    """Make the folder, or see that it is empty; a link is not followed."""
    try:
        if os.path.islink(folder):
            raise OutputError(f"cannot write {folder}: it is a link, and links are not followed")
        if not os.path.lexists(folder):
            os.makedirs(folder)
        if not os.path.isdir(folder):
            raise OutputError(f"cannot write {folder}: it is not a folder")
        with os.scandir(folder) as entries:
            if any(True for _ in entries):
                raise OutputError(f"cannot write {folder}: it is not empty, and a run starts from nothing; give a new folder")
    except (OSError, ValueError) as failure:
        why = reason(failure) if isinstance(failure, OSError) else "the name is impossible"
        raise OutputError(f"cannot write {folder}: {why}") from failure


def _write(folder: str, files: Mapping[str, bytes]) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
        for name, raw in files.items():
            with open(os.path.join(folder, name), "xb") as stream:
                stream.write(raw)
    except (OSError, ValueError) as failure:
        why = reason(failure) if isinstance(failure, OSError) else "the name is impossible"
        raise OutputError(f"cannot write {folder}: {why}") from failure
