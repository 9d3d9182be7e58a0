"""For each bound of `compiler/limits.py`, what is said when it is reached, and an input that reaches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.inputs import GOOD, Command
from tests.hostile.sources import HEAD, TAIL

CLAIM = 'format: wellposed-claim/1\nkind: spec-reading\nreading: "x"\nanswer: "a"\njustification: "z"\n'
PASSES = "format: wellposed-claim/1\nkind: mechanism-passes\nscenario: good\nlevel: L2\nsystem: s\njustification: z\ndisclosure: z\nlogs:\n"


@dataclass(frozen=True)
class Bound:
    """`code` is what is told; where only a list is cut, or another test reaches the bound, there is nothing to put."""

    code: str | None
    put: Callable[[Path], object] | None = None
    command: Command = ("check", "x.scenario")
    heavy: bool = False


def _source(text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / "x.scenario").write_text(text, encoding="utf-8")


def _claim(text: str, files: int = 0, size: int = 0) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        claim = folder / "claims" / "c"
        claim.mkdir(parents=True)
        (claim / "claim.yaml").write_text(text, encoding="utf-8")
        for number in range(files):
            (claim / f"f{number}").touch()
        if size:
            with open(claim / "big", "wb") as file:
                file.truncate(size)

    return put


def _claims(folder: Path) -> None:
    for number in range(1_001):
        (folder / "claims" / f"c{number}").mkdir(parents=True)
        (folder / "claims" / f"c{number}" / "claim.yaml").write_text(CLAIM, encoding="utf-8")


def _imports(folder: Path) -> None:
    names = [f"r{number}.rules" for number in range(257)]
    for number, name in enumerate(names):
        (folder / name).write_text(f'rules q{number} {{ admit a{number} when subject is "s" }}', encoding="utf-8")
    text = "".join(f'import "{name}"\n' for name in names)
    (folder / "x.scenario").write_text(text + HEAD + TAIL, encoding="utf-8")


def _deep(folder: Path) -> None:
    below = folder.joinpath("x", *["d"] * 34)
    below.mkdir(parents=True)
    (below / "x.scenario").write_text(GOOD, encoding="utf-8")


def _bundle(folder: Path) -> None:
    (folder / "x.json").write_bytes(b'"' + b"a" * 2**24 + b'"')


def _wide(count: int, size: int, suffix: str) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        (folder / "x").mkdir()
        for number in range(count):
            with open(folder / "x" / f"{number}{suffix}", "wb") as file:
                file.truncate(size)

    return put


LONG = "m" * 60
BOUNDS = {
    "source_bytes": Bound("WP101", _source("#" * (2**20 + 1))),
    "bundle_bytes": Bound("WP714", _bundle, ("check", "x.json")),
    "records": Bound("WP229", _source(HEAD + "for i in 1..100001 { at 1 crash }" + TAIL)),
    "scenarios": Bound("WP229", _source(HEAD.replace("scenario x", "family x(a in 1..10001)") + TAIL)),
    "text_length": Bound("WP226", _source(HEAD.replace('"b"', f'"{"b" * 100_001}"') + TAIL)),
    "total_bytes": Bound("WP004", _wide(130, 2**20, ".scenario"), ("check", "x"), heavy=True),
    "files": Bound("WP004", _wide(50_001, 0, ".scenario"), ("check", "x"), heavy=True),
    "entries": Bound("WP004", _wide(500_001, 0, ".txt"), ("check", "x"), heavy=True),
    "folder_depth": Bound("WP004", _deep, ("check", "x")),
    "imports": Bound("WP221", _imports),
    "path_length": Bound("WP220", _source(f'import "{"a" * 1_025}.rules"\n{HEAD}{TAIL}')),
    "id_length": Bound("WP212", _source((HEAD + TAIL).replace("m1", "m" * 65))),
    "expanded_id_length": Bound(
        "WP212", _source(HEAD + f'for i in 1..2 {{ at 1 deliver {LONG}{"[i]" * 35} in c "b" }}' + TAIL)
    ),
    "suggestion_cells": Bound(None),
    "chain_labels": Bound(None),
    "claim_bytes": Bound("WP900", _claim(CLAIM + "#" * 2**16), ("claim", ".")),
    "yaml_depth": Bound(
        "WP900", _claim("".join(f"{'  ' * depth}a:\n" for depth in range(12)) + f"{'  ' * 12}a: b\n"), ("claim", ".")
    ),
    "yaml_values": Bound("WP900", _claim(CLAIM + "logs:\n" + "  - a\n" * 2_001), ("claim", ".")),
    "claims": Bound("WP004", _claims, ("claim", ".")),
    "claim_files": Bound("WP900", _claim(CLAIM, files=1_001), ("claim", ".")),
    "claim_folder_bytes": Bound("WP900", _claim(CLAIM, size=2**26 + 1), ("claim", ".")),
    "claim_runs": Bound(
        "WP912",
        _claim(PASSES + "".join(f"  - r/{number}\n" for number in range(101))),
        ("claim", ".", "--scenarios", "good.scenario"),
    ),
    "changed_files": Bound("WP944"),
    "changed_bytes": Bound("WP945"),
    "changed_scenarios": Bound("WP946"),
    "changed_commits": Bound("WP947"),
    "history": Bound("WP947"),
    "told_files": Bound(None),
    "markdown_length": Bound(None),
}
"""The bounds of pull requests are reached in tests/pr/test_sides.py; those without a code cut what is told, and say so."""
