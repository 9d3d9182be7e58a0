"""Install pytest-lsp into a folder of its own, so that its pytest and its plugins are not those of the test suite."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv" / "clients" / "pytest-lsp"
REQUIREMENT = "pytest-lsp>=1,<2"


def main(target: Path) -> None:
    """Install it, or say why not: its tests are then skipped; under CI they fail."""
    shutil.rmtree(target, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--target", str(target)]
    print("clients: installing pytest-lsp", flush=True)
    if subprocess.run([*pip, REQUIREMENT], check=False).returncode != 0:
        shutil.rmtree(target, ignore_errors=True)
        print("clients: pytest-lsp cannot be installed, not tested", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
