"""The audit of readings: the page is what the program finds, and it finds what the readings were made for."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

from tests.meta.repository import ROOT

PAGE: Path = ROOT / "docs" / "audit.md"


def test_the_page_is_what_the_program_prints() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "generate_audit.py"))["page"]
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


def test_readings_that_make_levels_unsatisfiable(wellposed: Any) -> None:
    """The literal clock of L0 leaves no run of anything approved late, the literal crash rule none of a late approval over restarts."""
    rows = {row["id"]: row for row in json.loads(wellposed("spec", "audit", str(ROOT / "scenarios"), "--format", "json").out)["rows"]}
    literal = rows["reply-clock=arrival"]
    assert literal["flipped"]["l2-approval-redelivery"] == "unsatisfiable"
    assert ["L0.reply", "L2.authority"] in [core["obligations"] for core in literal["cores"]]
    crash = rows["pending-at-crash=waiting"]
    assert crash["flipped"] == {"l2-late-approval-two-restarts": "unsatisfiable"}
    assert rows["atomic-tick=interleaved"]["flipped"] == {
        "l2-withdrawn-approval": "ambiguous",
        "l2-crash-at-approval": "vacuous",  # a system that sends before the crash has nothing to lose in it (WP610)
        "l6-post-approval-escalation": "ambiguous",
    }
