"""Install wellposed under every other supported Python that can be had here, one environment each, below a folder.

`make clients` runs this before `pytest -m clients`. A version that is not on this machine is not a fault: it is said,
and the tests run with what there is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MINORS = range(11, 16)


def interpreter(minor: int) -> str | None:
    """A working `python3.<minor>`: on PATH, or where pyenv keeps its versions."""
    name = f"python3.{minor}"
    keeper = Path(os.environ.get("PYENV_ROOT", str(Path.home() / ".pyenv"))) / "versions"
    found = [shutil.which(name), *sorted(str(path) for path in keeper.glob(f"3.{minor}.*/bin/{name}"))]
    check = f"import sys, venv, ensurepip; print(sys.version_info[:2] == (3, {minor}))"
    for path in found:
        if path is not None:
            run = subprocess.run([path, "-c", check], check=False, capture_output=True, text=True)
            if run.returncode == 0 and run.stdout.strip() == "True":
                return path
    return None


def install(python: str, folder: Path) -> None:
    """A fresh environment with the pinned requirements and the checkout, not editable."""
    subprocess.run([python, "-m", "venv", "--clear", str(folder)], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--require-hashes", "-r", str(ROOT / "requirements.txt")], check=True)
    subprocess.run([*pip, "--no-deps", str(ROOT)], check=True)


def main(target: Path) -> None:
    """Make one environment per version, named `py3.<minor>`, and say what was found."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for minor in MINORS:
        if minor == sys.version_info.minor:
            print(f"clients: python3.{minor} runs the test suite itself", flush=True)
            continue
        python = interpreter(minor)
        if python is None:
            print(f"clients: python3.{minor} is not on this machine, not tested", flush=True)
            continue
        print(f"clients: installing under python3.{minor}", flush=True)
        install(python, target / f"py3.{minor}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
