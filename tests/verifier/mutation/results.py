"""What the lane has found so far: `results.json`, per module, for one content of its file. Needs no mutation program."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from tests.verifier.mutation.sources import MODULES, RESULTS, Name, digest


@dataclass(slots=True)
class Result:
    """Of the mutants of one module `tried` in their order; `endless` of the killed are those with which a test never ended.

    `same` compile to what the module compiles to, and are no mutants. `thorough` says that the survivors without an argument
    have faced more than the quick tests.
    """

    sha256: str
    mutants: int
    tried: int = 0
    killed: int = 0
    endless: int = 0
    same: int = 0
    thorough: bool = False
    survivors: list[Name] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return self.tried == self.mutants


def read() -> dict[str, Result]:
    """The results by module, of whatever content it had."""
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name, entry in known.items():
        entry["survivors"] = [Name(name, *survivor) for survivor in entry["survivors"]]
    return {name: Result(**entry) for name, entry in known.items()}


def write(results: dict[str, Result]) -> None:
    """Write them down in the order of the modules, of modules whose mutants have been counted."""
    entries = {name: asdict(results[name]) for name in MODULES if name in results and results[name].mutants >= 0}
    for entry in entries.values():
        entry["survivors"] = [list(survivor[1:]) for survivor in entry["survivors"]]
    RESULTS.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


def current(results: dict[str, Result]) -> dict[str, Result]:
    """Those that hold of the files as they are now."""
    return {name: result for name, result in results.items() if name in MODULES and result.sha256 == digest(name)}
