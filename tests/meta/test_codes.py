"""The table of codes: well-formed rows, generated pages without drift, and every code that is used stands in it."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

from repository import ROOT, modules

from wellposed.dsl.codes import TABLE


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_codes", ROOT / "docs" / "generate_codes.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_ids_and_names_are_unique_and_well_formed() -> None:
    assert len({row.id for row in TABLE}) == len(TABLE)
    assert len({row.slug for row in TABLE}) == len(TABLE)
    for row in TABLE:
        assert re.fullmatch(r"WP[0-9]\d\d", row.id)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row.slug), row.id
        assert row.title and not row.title.endswith("."), row.id
        assert len(row.explanation) > 40, row.id


def test_the_table_is_in_order_within_families() -> None:
    ids = [row.id for row in TABLE]
    for family in {code[:3] for code in ids}:
        within = [code for code in ids if code.startswith(family)]
        assert within == sorted(within)


def test_pages_are_what_the_table_says() -> None:
    """`make docs` writes them."""
    folder = ROOT / "docs" / "codes"
    written = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*")}
    assert written == _generator().pages()


def test_every_code_in_the_program_has_a_row() -> None:
    known = {row.id for row in TABLE}
    for path in modules():
        for code in re.findall(r"\bWP\d{3}\b", path.read_text()):
            assert code in known, f"{path.relative_to(ROOT)} uses {code}"
