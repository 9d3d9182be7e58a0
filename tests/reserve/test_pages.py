"""The page of the operator is a session that is run; the pages name every type of line and only codes that there are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.reserve.sample import ENVIRONMENT, git

from wellposed.dsl.codes import BY_ID
from wellposed.reserve.shapes import BODIES
from wellposed.reserve.verify import Options, verify

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "reserve"
PAGES = sorted(FOLDER.glob("*.md"))


def test_the_operator_s_page_can_be_done_as_it_is_written(tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (FOLDER / "operator.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 6
    for name in ("repo", "temporal"):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "-q")
        git(tmp_path / name, "commit", "-q", "--allow-empty", "-m", "begin")
    (tmp_path / "harness").write_text("a harness\n")
    path = os.pathsep.join((str(Path(sys.executable).parent), ENVIRONMENT["PATH"]))
    done = subprocess.run(
        ["sh", "-ec", "\n".join(blocks)], cwd=tmp_path / "repo", env={**ENVIRONMENT, "PATH": path, "DAY": "2099-12-31"},
        capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found = verify(Options(tmp_path / "repo"))
    assert found.findings == ()
    assert (found.figures["revealed"], found.figures["results"]) == (3, 3)


def test_the_ledger_s_page_has_every_type_with_its_members() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert {kind: set(re.findall(r"`(\w+)`", text)) for kind, text in rows.items()} == {
        kind: set(body.members) for kind, body in BODIES.items()
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_codes_that_there_are(page: Path) -> None:
    codes = set(re.findall(r"WP\d{3}", page.read_text(encoding="utf-8")))
    assert codes <= set(BY_ID)
    assert {"operator.md": "WP893", "README.md": "WP891"}.get(page.name, "WP830") in codes
