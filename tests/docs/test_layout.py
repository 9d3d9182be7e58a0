"""Every example of the README and of docs/*.md is laid out as `fmt` lays it out."""

from __future__ import annotations

import pytest
from pages import PAGES, examples

from wellposed.dsl.format import format_source
from wellposed.dsl.source import SourceFile

EXAMPLES = [
    (name, path) for name in PAGES for path in examples(name) if path.endswith((".scenario", ".rules", ".skin"))
]


@pytest.mark.parametrize(("name", "path"), EXAMPLES)
def test_an_example(name: str, path: str) -> None:
    text, findings = format_source(SourceFile(path, examples(name)[path]))
    assert findings == ()
    assert text == examples(name)[path]
