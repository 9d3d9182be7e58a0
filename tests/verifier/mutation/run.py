"""The mutation lane: `make mutation`, or `python -m tests.verifier.mutation.run [MODULE …]` for some modules only.

Mutates a copy of the repository. Every mutant faces a quick set of tests, cheapest first; the survivors face everything
that runs the verifier. The results stand in `results.json` next to this file, `equivalent.toml` says of each mutant that
survives why it is no fault.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.verifier.mutation.sources import KERNEL, MODULES, RESULTS, ROOT, Name

PORTIONS = ("dsl", "compiler", "verifier", "reserve", "cli")
COPIED = (*PORTIONS, "tests", "scenarios", "examples", "docs", "pyproject.toml", "README.md")

AGREEMENT = "tests/verifier/test_agreement.py"
QUICK = {
    "kernel": (
        "tests/verifier/test_questions.py",
        "tests/second_model",
        "tests/verifier/test_kernel.py",
        "tests/verifier/test_known_answers.py",
        "tests/verifier/test_z3.py::test_random_formulas",
        "tests/verifier/test_z3.py::test_random_components",
    ),
    "model": (
        "tests/verifier/test_known_answers.py",
        "tests/verifier/test_clock.py",
        f"{AGREEMENT}::test_trace_sets_agree[0]",
        f"{AGREEMENT}::test_verdicts_agree[1000]",
        f"{AGREEMENT}::test_trace_sets_agree[25]",
    ),
}
"""What every mutant of these modules faces, the cheapest first."""

THOROUGH = (
    AGREEMENT,
    "tests/verifier/test_corners.py",
    "tests/verifier/test_windows.py",
    "tests/verifier/test_pairs.py",
    "tests/verifier/test_redundant.py",
    "tests/verifier/test_z3.py",
    "tests/verifier/test_metamorphic.py",
    "tests/verifier/test_seeded_faults.py::test_the_pool_holds_no_difference_without_a_fault",
    "tests/library",
    "tests/docs/test_model.py",
    "tests/cli/test_golden.py",
    "tests/cli/test_json.py",
    "tests/cli/test_timeline.py",
    "tests/cli/test_verbs.py",
    "tests/cli/test_code_examples.py",
)
"""What runs the verifier. The other tests of the command line start programs, and look at nothing that these do not."""

QUICK_SECONDS, THOROUGH_SECONDS = 30, 240
"""Processor time; a mutant that takes longer is killed, since the tests without a fault take a tenth of it."""


def main(modules: list[str]) -> None:
    """Run the modules named, or all of them, in a copy of the repository, and write the results down."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder)
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, copy / name)
        paths = [*(str(copy / portion) for portion in PORTIONS), str(copy)]
        found = copy / "results.json"
        command = [sys.executable, "-c", f"from tests.verifier.mutation.run import inside; inside({modules!r}, {str(found)!r})"]
        subprocess.run(command, cwd=copy, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, check=True)
        known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        known |= json.loads(found.read_text(encoding="utf-8"))
    ordered = {name: known[name] for name in MODULES if name in known}
    RESULTS.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


def inside(modules: list[str], found: str) -> None:
    """What the copy does."""
    from tests.verifier.mutation.trials import passes, prepare, recall

    prepare()
    memory = Path("memory")
    for tests in (*QUICK.values(), THOROUGH):
        print(f"{len(tests)} files of tests without a mutant …", flush=True)
        if not passes(tests, THOROUGH_SECONDS, memory):
            raise SystemExit("they fail")
        recall(memory)
    results = {}
    for module in modules or MODULES:
        results[module] = _of_module(module)
        Path(found).write_text(json.dumps(results), encoding="utf-8")


def _of_module(module: str) -> dict[str, Any]:
    """Every mutant of one module, faced with the tests."""
    from tests.verifier.mutation.mutants import mutants
    from tests.verifier.mutation.trials import passes

    path = MODULES[module]
    original = path.read_text(encoding="utf-8")
    quick = QUICK["kernel" if module in KERNEL else "model"]
    killed, killed_late = 0, 0
    survivors: list[Name] = []
    start = time.monotonic()
    try:
        for name, source in mutants(path):
            path.write_text(source, encoding="utf-8")
            Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
            if not passes(quick, QUICK_SECONDS):
                killed += 1
            elif not passes(THOROUGH, THOROUGH_SECONDS):
                killed_late += 1
            else:
                survivors.append(name)
                print(f"  survived: {name}", flush=True)
    finally:
        path.write_text(original, encoding="utf-8")
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
    total = killed + killed_late + len(survivors)
    seconds = time.monotonic() - start
    print(f"{module}: {total} mutants, {killed} + {killed_late} killed, {len(survivors)} survived, {seconds:.0f} s", flush=True)
    return {"mutants": total, "quick": killed, "thorough": killed_late, "survivors": [list(name) for name in survivors]}


if __name__ == "__main__":
    main(sys.argv[1:])
