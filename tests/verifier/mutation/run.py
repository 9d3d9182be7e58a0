"""The mutation lane: `make mutation`, or `python -m tests.verifier.mutation.run [--fresh] [--quick] [MODULE …]`.

Every mutant faces a quick set of tests, those first that have killed most for their time. Survivors without an argument in
`equivalent.toml` then face most of what runs the verifier. Results are written down all the time, and hold for the content
of a module's file: a run goes on where the last one stopped, tries survivors again, and begins anew with what has changed.
The mutants of a module come in a random order, which is always the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest
from tests.verifier.mutation import results
from tests.verifier.mutation.equivalent import argued
from tests.verifier.mutation.lane import Battery, Outcome, collect
from tests.verifier.mutation.mutants import Mutant, mutants
from tests.verifier.mutation.results import Result
from tests.verifier.mutation.sources import MODULES, PARTS, SEED, digest

VERIFIER = "tests/verifier"
AGREEMENT = f"{VERIFIER}/test_agreement.py"
ALWAYS = (
    f"{VERIFIER}/test_work.py",
    f"{VERIFIER}/test_known_answers.py",
    f"{VERIFIER}/test_redundant.py",
    "tests/cli/test_golden.py",
)
BY_HAND = tuple(
    f"{VERIFIER}/test_{name}.py"
    for name in (
        "admission",
        "arguments",
        "binding",
        "clock",
        "clock_counts",
        "environment",
        "excuses",
        "interleaved_sends",
        "logs",
        "outbox",
        "rows",
    )
)
QUICK = {
    "kernel": (
        *ALWAYS,
        f"{VERIFIER}/test_questions.py::test_questions_are_answered_as_all_assignments_answer_them[0]",
        f"{VERIFIER}/test_questions.py::test_a_core",
        f"{VERIFIER}/test_questions.py::test_what",
        f"{VERIFIER}/test_kernel.py::test_a_solution",
        f"{VERIFIER}/test_kernel.py::test_without_choices",
        f"{VERIFIER}/test_kernel.py::test_negation",
        f"{VERIFIER}/test_kernel.py::test_domains",
        f"{VERIFIER}/test_kernel.py::test_the",
        f"{VERIFIER}/test_kernel.py::test_work",
        f"{VERIFIER}/test_kernel.py::test_an_empty",
        f"{VERIFIER}/test_solver.py",
        f"{VERIFIER}/test_prover.py",
        f"{VERIFIER}/test_closest.py",
        f"{VERIFIER}/test_judgements.py",
        f"{VERIFIER}/test_formulas.py",
        "tests/second_model",
    ),
    "rows": BY_HAND,
    "binding": BY_HAND,
    "environment": BY_HAND,
}
"""What every mutant faces, by the beginnings of the tests' names."""

THOROUGH = (
    *ALWAYS,
    *BY_HAND,
    AGREEMENT,
    *(
        f"{VERIFIER}/test_{name}.py"
        for name in (
            "agreement_readings",
            "closest",
            "corners",
            "formulas",
            "guarded",
            "judgements",
            "kernel",
            "pairs",
            "prover",
            "questions",
            "solver",
            "told",
            "windows",
            "z3",
        )
    ),
    "tests/second_model",
)
"""What survivors face: most of what runs the verifier."""

WRITTEN_EVERY = 25


class Run:
    """One run over some modules."""

    def __init__(self, modules: Sequence[str], fresh: bool, quick: bool) -> None:
        self._modules = modules
        self._fresh = fresh
        self._quick = quick
        self._results = results.read()

    def __call__(self, items: list[pytest.Item]) -> None:
        for part, modules in PARTS.items():
            chosen = [module for module in modules if module in self._modules]
            unfinished = [module for module in chosen if not self._entry(module).complete]
            open_ones = [module for module in chosen if self._open(module)]
            if unfinished or open_ones:
                battery = self._battery(part, [item for item in items if item.nodeid.startswith(QUICK[part])])
                for module in open_ones:
                    self._try_survivors(module, battery)
                for module in unfinished:
                    self._try_all(module, battery)
                print(f"{part}: {battery.kills()}", flush=True)
        if not self._quick:
            open_ones = [module for module in self._modules if self._open(module)]
            if open_ones:
                battery = self._battery("survivors", items)
                for module in open_ones:
                    self._try_survivors(module, battery)
                    self._results[module].thorough = True
                    results.write(self._results)

    def _battery(self, name: str, items: list[pytest.Item]) -> Battery:
        battery = Battery(items)
        failed = battery.measure()
        if failed:
            raise SystemExit(f"these fail without a mutant: {failed}")
        print(f"{name}: {len(battery)} tests, {battery.seconds:.0f} s without a mutant", flush=True)
        return battery

    def _entry(self, module: str) -> Result:
        known = self._results.get(module)
        if known is None or known.sha256 != digest(module) or self._fresh:
            known = self._results[module] = Result(digest(module), -1)
        return known

    def _try_all(self, module: str, battery: Battery) -> None:
        entry = self._entry(module)
        made = list(mutants(module))
        entry.mutants = len(made)
        entry.thorough = False
        Random(SEED).shuffle(made)
        for number, mutant in enumerate(islice(made, entry.tried, None), start=1):
            self._try(mutant, battery, entry)
            entry.tried += 1
            if number % WRITTEN_EVERY == 0:
                results.write(self._results)
        results.write(self._results)
        print(f"{module}: {entry.mutants} mutants, {entry.killed} killed, {len(entry.survivors)} survived", flush=True)

    def _open(self, module: str) -> list[str]:
        known = argued()
        return [str(name) for name in self._results[module].survivors if name not in known]

    def _try_survivors(self, module: str, battery: Battery) -> None:
        entry = self._results[module]
        again = set(self._open(module))
        survivors = {mutant.name: mutant for mutant in mutants(module) if mutant.name in entry.survivors}
        for name, mutant in survivors.items():
            if str(name) in again:
                entry.survivors.remove(name)
                self._try(mutant, battery, entry)
                results.write(self._results)

    def _try(self, mutant: Mutant, battery: Battery, entry: Result) -> None:
        module = MODULES[mutant.name.module].removeprefix("verifier/").removesuffix(".py").removesuffix("/__init__")
        outcome = battery.face(module.replace("/", "."), mutant.source)
        entry.killed += outcome in (Outcome.KILLED, Outcome.ENDLESS)
        entry.endless += outcome is Outcome.ENDLESS
        entry.same += outcome is Outcome.SAME
        if outcome is Outcome.SURVIVED:
            entry.survivors.append(mutant.name)
            print(f"  survived: {mutant.name}", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Run the modules named, or all of them."""
    parser = argparse.ArgumentParser(prog="run")
    parser.add_argument("--fresh", action="store_true", help="try everything again")
    parser.add_argument("--quick", action="store_true", help="leave the survivors alone")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=", ".join(MODULES))
    given = parser.parse_args(arguments)
    files = sorted({name.partition("::")[0] for name in (*THOROUGH, *(one for ones in QUICK.values() for one in ones))})
    return collect(files, Run(given.modules or list(MODULES), given.fresh, given.quick))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
