"""The entries of the corpus that are about secrecy: the defect gets its code, the repaired twin gets nothing."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.reserve.examples import prepare

from wellposed.cli.main import main
from wellposed.dsl.codes import Example

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
ENTRIES = [
    (path.parent, entry["code"])
    for path in sorted(CORPUS.glob("*/entry.toml"))
    if (entry := tomllib.loads(path.read_text(encoding="utf-8")))["verdict"] == "leak"
]


def found(steps: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    arguments = prepare(Example("reserve", steps.read_text(encoding="utf-8")), folder)
    main([*arguments, "--format", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {one["code"] for one in report["findings"]}


@pytest.mark.parametrize(("entry", "code"), ENTRIES, ids=lambda value: getattr(value, "name", value))
def test_a_leak_has_its_code_and_its_repair_none(
    entry: Path, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert found(entry / "defect.sh", tmp_path / "defect", capsys) == {code}
    assert found(entry / "repaired.sh", tmp_path / "repaired", capsys) == set()


def test_the_corpus_has_its_leaks() -> None:
    assert [entry.name for entry, _ in ENTRIES] == ["fd-29", "fd-30", "fd-31", "fd-33"]
