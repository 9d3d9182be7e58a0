"""Runs command lines of wellposed, each list of them in a child of its own with little memory and a deadline.

Started by `children.py`. Everything that a verb imports is imported once, here; then each request is a fork. A request and its answer
are one line of JSON each: {"folder", "commands", "memory", "seconds"} and {"signal", "seconds", "peak", "results"}.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import math
import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from wellposed.cli.main import main

WARM = "scenario x { level L0 horizon 20 }"
VERBS = [
    "adopt",
    "board",
    "build",
    "bundle",
    "check",
    "coverage",
    "decompile",
    "diff",
    "fmt",
    "judge",
    "mutants",
    "reserve",
    "simulate",
    "timeline",
]
LATER = (
    *(f"wellposed.cli.commands.{verb}" for verb in VERBS),
    *(f"wellposed.cli.render.{name}" for name in ("sarif", "github", "junit", "json_report", "text", "concise")),
    *(f"wellposed.cli.render.{name}" for name in ("matrix_html", "matrix_json", "matrix_text", "timeline_text")),
    *("wellposed.verifier.verify", "wellposed.verifier.suite.check", "wellposed.cli.pipeline", "wellposed.cli.crash"),
)


def work(folder: str, commands: list[list[str]], seconds: int, answer: str) -> None:
    """In the child: one command line after the other, what each printed and its exit status."""
    os.chdir(folder)
    results = []
    for command in commands:
        used = math.ceil(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, resource.RLIM_INFINITY))
        signal.alarm(
            10 * seconds
        )  # for what waits instead of working; no handler: the kernel ends the child wherever it is
        written = io.BytesIO(), io.BytesIO()
        sys.stdout, sys.stderr = map(io.TextIOWrapper, written)
        sys.stdin = io.TextIOWrapper(io.BytesIO(b""))
        status = main(command)
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = (one.getvalue().decode("utf-8") for one in written)
        results.append({"command": command, "status": status, "out": out, "err": err})
        Path(answer).write_text(json.dumps(results), encoding="utf-8")


def serve(request: dict[str, Any]) -> dict[str, Any]:
    """Fork, wait, tell."""
    with tempfile.TemporaryDirectory() as scratch:
        answer = os.path.join(scratch, "answer")
        child = os.fork()
        if child == 0:
            try:
                resource.setrlimit(resource.RLIMIT_AS, (request["memory"], request["memory"]))
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                work(request["folder"], request["commands"], request["seconds"], answer)
            finally:
                os._exit(0)
        _, status, usage = os.wait4(child, 0)
        done = Path(answer).read_text(encoding="utf-8") if os.path.exists(answer) else "[]"
        return {
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
            "seconds": usage.ru_utime + usage.ru_stime,
            "peak": usage.ru_maxrss * 1024,
            "results": json.loads(done),
        }


def run() -> None:
    """Answer until the other side is gone."""
    for name in LATER:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as scratch:  # the tables of the parser are made once, too
        scenario = Path(scratch) / "x.scenario"
        scenario.write_text(WARM, encoding="utf-8")
        main(["check", str(scenario), "--output-file", os.devnull])
    requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    gc.freeze()
    for line in requests:
        answers.write(json.dumps(serve(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    run()
