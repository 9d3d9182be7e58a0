"""A report of every verb that has one, and of many inputs, in a format that other programs read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.hostile.inputs import GOOD
from tests.hostile.logs import repository
from tests.hostile.sources import MARKUP, SHOWN, race
from tests.meta.repository import ROOT

from wellposed.cli.main import main

BROKEN = {
    "empty": "",
    "torn": "scenario {",
    "nul": "\0",
    "bom": "\ufeffscenario x { }",
    "no-scenario": "# nothing\n",
    "terminal": race(SHOWN),
    **{f"says-{number}": race(text) for number, text in enumerate(MARKUP.values())},
}


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def write(form: str, folder: Path) -> list[Path]:
    """Write one report per case into the folder, and tell which."""
    reports: list[Path] = []

    def report(name: str, *command: str) -> None:
        reports.append(folder / f"{name}.{form}")
        main([*command, "--format", form, "--output-file", str(reports[-1]), "-q"])
        assert reports[-1].exists(), command

    work = folder / "work"
    work.mkdir()
    with _inside(ROOT):
        for path in ("scenarios", "examples"):
            report(path, "check", path)
        for path in sorted((ROOT / "tests" / "golden").iterdir()):
            report(f"golden-{path.name}", "check", f"tests/golden/{path.name}")
    with _inside(work):
        Path("good.scenario").write_text(GOOD, encoding="utf-8")
        Path("race.scenario").write_text(race("x"), encoding="utf-8")
        for name, text in BROKEN.items():
            Path(f"{name}.scenario").write_text(text, encoding="utf-8", newline="")
            report(name, "check", f"{name}.scenario")
        report("no-input", "check", "nowhere")
        report("undecided", "check", "race.scenario", "--budget", "1")
        main(["build", "good.scenario", "--out", "built", "-q"])
        main(["simulate", "good.scenario", "--system", "acts-after-escalation", "--out", "run", "-q"])
        main(["simulate", "good.scenario", "--system", "reference", "--out", "lawful", "-q"])
        Path("fixture").mkdir()
        Path("fixture", "inbox.jsonl").write_text("{}\n", encoding="utf-8")
        Path("broken.json").write_text("{}", encoding="utf-8")
        report("build", "build", "good.scenario", "--check", "built")
        report("build-differs", "build", "race.scenario", "--check", "built")
        report("bundle", "bundle", "check", "built")
        report("bundle-broken", "bundle", "check", "broken.json")
        report("decompile", "decompile", "built/good")
        report("decompile-broken", "decompile", "broken.json")
        report("adopt", "adopt", "fixture")
        report("judge", "judge", "good.scenario", "run", "lawful", "--report", "judged.json")
        report("judge-nothing", "judge", "good.scenario", "fixture", "--report", "unjudged.json")
        report("board", "board", "judged.json", "--out", "board")
        report("board-broken", "board", "broken.json", "--out", "board")
        report("fmt", "fmt", "--check", ".")
        report("claim", "claim", ".")
        repository(work)
        report("pr", "pr", "--base", "HEAD", "--head", "HEAD")
        report("pr-nothing", "pr", "--base", "nowhere")
        report("reserve-status", "reserve", "status")
        report("reserve-verify", "reserve", "verify")
        report("reserve-audit", "reserve", "audit")
    return reports
