"""Start-up is a feature: what a short command imports, and that it runs anywhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SLOW_TO_IMPORT = {"networkx", "jsonschema", "rich", "yaml", "pygls", "lark", "asyncio", "importlib.metadata"}
COMMANDS = (
    ["--version"],
    ["--help"],
    ["check", "--help"],
    ["fmt", "--help"],
    ["explain", "WP001"],
    ["spec", "levels"],
)


def imports(command: list[str], folder: Path) -> set[str]:
    """The modules that a command imports, and the packages that they are in."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "wellposed", *command],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    imported = {line.rsplit("|", 1)[1].strip() for line in run.stderr.splitlines() if line.startswith("import time:")}
    assert "wellposed.cli.main" in imported
    return imported | {name.split(".")[0] for name in imported}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_short_commands_import_nothing_slow(command: list[str], tmp_path: Path) -> None:
    assert imports(command, tmp_path) & SLOW_TO_IMPORT == set()


def test_the_formatter_imports_a_parser_and_nothing_else_that_is_slow(tmp_path: Path) -> None:
    """Nor what would compile or verify."""
    (tmp_path / "a.scenario").write_text("scenario a{}")
    for command in (["fmt", "a.scenario"], ["fmt", "--diff", "a.scenario"]):
        imported = imports(command, tmp_path)
        assert imported & SLOW_TO_IMPORT == {"lark"}
        assert imported & {"wellposed.compiler.compilation", "wellposed.verifier.verify"} == set()
    assert (tmp_path / "a.scenario").read_text() == "scenario a {}\n"


def test_a_checked_tree_cannot_replace_the_tool(tmp_path: Path) -> None:
    """A tree with a `wellposed` package of its own is linted from inside, by the installed command and by `python -P`."""
    trap = tmp_path / "wellposed"
    trap.mkdir()
    (tmp_path / "executed").mkdir()
    for name in ("wellposed/__init__.py", "json.py", "argparse.py", "lark.py", "sitecustomize.py"):
        marker = tmp_path / "executed" / name.replace("/", "_")
        (tmp_path / name).write_text(f"open({str(marker)!r}, 'w')\n")
    script = Path(sys.executable).with_name("wellposed")
    for command in ([str(script)], [sys.executable, "-P", "-m", "wellposed"]):
        run = subprocess.run([*command, "check", "."], cwd=tmp_path, check=False, capture_output=True, text=True)
        assert run.returncode == 2, run.stdout + run.stderr
        assert "no scenarios found in ." in run.stderr
    assert list((tmp_path / "executed").iterdir()) == []
