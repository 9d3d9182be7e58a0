"""pytest-lsp, in the roles of Visual Studio Code and Neovim, has a session with the language server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.clients.install_pytest_lsp import FOLDER
from tests.lsp.texts import WAITS
from tests.meta.repository import ROOT

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(not FOLDER.exists() and "CI" not in os.environ, reason="pytest-lsp is not installed"),
]


def test_sessions(tmp_path: Path) -> None:
    scenario = tmp_path / "a.scenario"
    scenario.write_text(WAITS, encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": str(FOLDER),
        "WELLPOSED_PYTHON": sys.executable,
        "WELLPOSED_SCENARIO": str(scenario),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    session = ROOT / "tests" / "clients" / "lsp_session.py"
    plugins = ["-p", "pytest_asyncio.plugin", "-p", "pytest_lsp", "-p", "no:cacheprovider"]
    options = [*plugins, "-c", os.devnull, "-o", "asyncio_default_fixture_loop_scope=function", f"--rootdir={tmp_path}"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, str(session)],
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "2 passed" in run.stdout
