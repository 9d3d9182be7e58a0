"""A small part of YAML, read exactly: mappings of plain keys, lists of texts, quoted, plain and literal (`|`) texts, comments.

Every scalar is a text. What any reader of YAML 1.1 or 1.2 may take for something else (`no`, `010`, `1:30`, `2024-01-01`) has to be
quoted, and anchors, aliases, tags, merge keys, flow collections that are not empty, keys that stand twice, tabs and further
documents are refused: so what is accepted here is what every YAML reader makes of it. The first fault ends the reading.
Source: the classes of hostile YAML, all of which `yaml.safe_load` lets pass but tags.
"""

from __future__ import annotations

from dataclasses import replace

from wellposed.compiler.limits import LIMITS, Limits
from wellposed.compiler.plain_yaml.lines import TOO_LARGE, Wrong, finding
from wellposed.compiler.plain_yaml.nodes import Members, Node, Text, Texts, value_of
from wellposed.compiler.plain_yaml.reader import Reader
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.source import invisible_characters, read_source

__all__ = ["Members", "Node", "Text", "Texts", "read_yaml", "value_of"]


def read_yaml(path: str, raw: bytes, limits: Limits = LIMITS) -> tuple[Node | None, tuple[Finding, ...]]:
    """What a file says, or what is wrong with it: WP101 to WP106 and WP900 to WP906. Never raises, whatever the bytes are."""
    if len(raw) > limits.claim_bytes:
        text = f"this file is {len(raw):,} bytes long, and at most {limits.claim_bytes:,} are read"
        place = Span(path, 0, 0, 1, 1, 1, 1)
        return None, (finding(TOO_LARGE, place, text, "say less, and leave the evidence to the files beside it"),)
    source, findings = read_source(path, raw)
    if source is None:
        return None, findings
    hidden = next(invisible_characters(source), None)
    if hidden is not None and isinstance(hidden.place, Span):
        written = _escaped(source.text_of(hidden.place))
        return None, (replace(hidden, help=f"remove it; between double quotes it can be written as {written}"),)
    try:
        return Reader(source, limits).document(), ()
    except Wrong as wrong:
        return None, (wrong.finding,)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
