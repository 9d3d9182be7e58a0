"""The weak systems of the gallery: the judge says of each what its page says, and nothing of the honest one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.simulator.library import ROOT, published

from wellposed.verifier.models import JUDGES

GALLERY = ROOT / "examples" / "systems"
ROW = re.compile(r"\| \[([a-z-]+)\]\(\1\) \| ([a-z0-9-]+) \| [^|]+ \| (.+) \|")
ROWS = {
    match.group(1): match for match in map(ROW.fullmatch, (GALLERY / "README.md").read_text().splitlines()) if match
}


def test_the_page_lists_every_folder() -> None:
    assert set(ROWS) == {path.name for path in GALLERY.iterdir() if path.is_dir()}
    assert len(ROWS) > 10


@pytest.mark.parametrize("system", ROWS)
def test_a_system_of_the_gallery(system: str) -> None:
    scenario, said = ROWS[system].group(2, 3)
    run = JUDGES["amr/0.14"].run(published(scenario), GALLERY / system, system)
    assert run.harness == ()
    assert {failure.id for failure in run.failures} == set(re.findall(r"`([^`]+)`", said))
    assert (system == "reference") is (said == "no failure")
    assert {finding.code for finding in run.findings} == ({"WP639"} if system == "back-dates" else set())


def test_the_gallery_is_small() -> None:
    assert sum(path.stat().st_size for path in Path(GALLERY).rglob("*") if path.is_file()) < 200_000
