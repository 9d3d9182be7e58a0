"""Neovim without a screen, with the plugin of `editors/neovim`: diagnostics, columns, hover, definition, layout, colours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.clients.install_debian import missing
from tests.lsp.texts import WAITS
from tests.lsp.words import words
from tests.meta.repository import ROOT

from wellposed.cli.lsp.meanings import MEANINGS
from wellposed.dsl import tree

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(bool(missing("neovim")) and "CI" not in os.environ, reason="neovim is not on this machine"),
]


def test_a_session(tmp_path: Path) -> None:
    (tmp_path / "a.scenario").write_text(WAITS, encoding="utf-8")
    plugin = ROOT / "editors" / "neovim"
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "WORDS": " ".join(words()),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "HOME": str(tmp_path),
    }
    run = subprocess.run(
        [
            "nvim",
            "--headless",
            "--clean",
            "--cmd",
            f"set runtimepath^={plugin}",
            "a.scenario",
            "-c",
            "syntax on",
            "-c",
            f"luafile {ROOT / 'tests' / 'clients' / 'neovim.lua'}",
        ],
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    told = json.loads(run.stdout.strip().splitlines()[-1])
    assert told["filetype"] == "wellposed"
    assert told["first"] == 0
    assert told["code"] == "WP120"
    assert told["column"] == told["expected_column"]
    assert MEANINGS[tree.Decide].text in told["hover"]
    assert "L2.send" in told["hover"]
    assert told["definition"] == told["declared"]
    assert told["symbols"] == "waits"
    assert told["formatted"] == "  at 12 approve m1 as go"
    assert told["plain_words"] == ""
