"""The problem matcher takes every line that `--format concise` prints, and takes it for what it is."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from tests.meta.repository import ROOT

from wellposed.cli.main import main

MATCHERS: list[dict[str, Any]] = json.loads((ROOT / "editors" / "problem-matcher.json").read_text(encoding="utf-8"))[
    "problemMatcher"
]


def _matched(line: str) -> list[dict[str, str]]:
    """What each matcher that takes the line makes of it."""
    found = []
    for matcher in MATCHERS:
        (pattern,) = matcher["pattern"]
        match = re.search(pattern["regexp"], line)
        if match:
            groups = {name: match[group] for name, group in pattern.items() if name != "regexp"}
            found.append({"severity": matcher.get("severity", ""), **groups})
    return found


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "tests" / "golden").iterdir()))
def test_every_line_is_taken_by_one(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tests" / "golden" / name)
    for form in ("json", "concise"):
        main(["check", ".", "-v", "--format", form, "--output-file", str(tmp_path / form)])
    findings = [one for one in json.loads((tmp_path / "json").read_text(encoding="utf-8"))["findings"] if one["path"]]
    lines = [
        line
        for line in (tmp_path / "concise").read_text(encoding="utf-8").splitlines()
        if re.match(r".+: (error|warning|note)\[", line)
    ]
    assert len(lines) >= len([one for one in findings if not one["suppressed"]])
    taken = [_matched(line) for line in lines]
    assert [line for line, found in zip(lines, taken, strict=True) if len(found) != 1] == []
    severities = {"error": "error", "warning": "warning", "note": "notice"}
    known = {
        (one["path"], str(one["line"]), str(one["column"]), one["code"], severities[one["severity"]], one["message"])
        for one in findings
    }
    whole = {(one["path"], one["code"], one["message"]) for one in findings if one["line"] is None}
    for (one,) in taken:
        if "line" in one:
            assert (one["file"], one["line"], one["column"], one["code"], one["severity"], one["message"]) in known
        else:
            assert (one["file"], one["code"], one["message"]) in whole


def test_a_name_of_a_file_is_taken_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a: b.scenario").write_text("scenario {", encoding="utf-8")
    main(["check", "a: b.scenario", "--format", "concise", "--output-file", "told"])
    (line, *_) = Path("told").read_text(encoding="utf-8").splitlines()
    (found,) = _matched(line)
    assert (found["file"], found["line"], found["column"]) == ("a: b.scenario", "1", "10"), line
    assert os.path.exists(found["file"])
