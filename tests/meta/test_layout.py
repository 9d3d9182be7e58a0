"""The shape of the repository: portions, module sizes, what is shipped."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

from repository import PORTIONS, ROOT, files, modules

LINE_LIMIT = 400
# Tables: one node per construct of the language, one row per diagnostic code.
TABLES = ("dsl/wellposed/dsl/tree.py", "dsl/wellposed/dsl/codes/")


def test_no_portion_hides_the_others() -> None:
    for portion in PORTIONS:
        assert not (ROOT / portion / "wellposed" / "__init__.py").exists()
        assert (ROOT / portion / "wellposed" / portion / "py.typed").exists()


def test_the_wheel_is_made_of_all_portions() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert settings["hatch"]["build"]["targets"]["wheel"]["packages"] == [
        f"{portion}/wellposed" for portion in PORTIONS
    ]
    assert settings["mypy"]["files"] == list(PORTIONS)
    assert settings["coverage"]["run"]["source"] == list(PORTIONS)


def test_modules_stay_small() -> None:
    sizes = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in modules()}
    assert {name: size for name, size in sizes.items() if size > LINE_LIMIT and not name.startswith(TABLES)} == {}


def test_mypy_sees_every_module() -> None:
    """`mypy -p wellposed` sees the first portion only and calls that a success, so the number is checked."""
    run = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    checked = re.search(r"no issues found in (\d+) source files?", run.stdout)
    assert checked is not None, run.stdout
    assert int(checked.group(1)) == len(modules())


def test_only_one_module_serialises() -> None:
    """Ruff bans `json.dumps` by name; this also finds an encoder that is built by hand."""
    wanted = re.compile(r"json\.dumps?\b|JSONEncoder|from json import")
    users = [path.relative_to(ROOT).as_posix() for path in modules() if wanted.search(path.read_text())]
    assert users == ["compiler/wellposed/compiler/canonical.py"]


def test_one_boundary_catches_everything() -> None:
    broad = re.compile(r"except\s+(Base)?Exception\b|except\s*:")
    users = [path.relative_to(ROOT).as_posix() for path in modules() if broad.search(path.read_text())]
    assert users == ["cli/wellposed/cli/main.py"]


def test_bytes_that_are_hashed_are_never_rewritten_by_git() -> None:
    lines = [line.split() for line in (ROOT / ".gitattributes").read_text().splitlines()]
    assert {("scenarios/**", "-text"), ("reserve/**", "-text"), ("tests/**/expected/**", "-text")} <= {
        tuple(line) for line in lines
    }


def test_no_file_is_marked_executable_but_scripts() -> None:
    executable = [path.relative_to(ROOT).as_posix() for path in files() if path.stat().st_mode & 0o111]
    assert executable == [".ci/run"]
