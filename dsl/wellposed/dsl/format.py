"""The canonical layout of a source text: the same tokens and comments in the same order, with other space between them.

The layout is a function of the tokens, the comments, the empty lines, and of which braces the author wrote on one line.
"""

from __future__ import annotations

from wellposed.dsl.findings import Finding
from wellposed.dsl.format_blocks import blocks_of
from wellposed.dsl.format_comments import text_of
from wellposed.dsl.format_layout import lines_of
from wellposed.dsl.format_marks import entry_starts
from wellposed.dsl.format_stream import stream_of
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile


def format_source(source: SourceFile) -> tuple[str | None, tuple[Finding, ...]]:
    """The text in canonical layout with LF for line ends, or None and what is wrong with it.

    What it says never changes: tokens and comments are those of `source`, but for space at the end of comments. A text
    that does not parse has no layout; its findings are those of `parse`.
    """
    file, findings = parse(source)
    if file is None or findings:
        return None, findings
    stream = stream_of(source.text)
    text = text_of(lines_of(stream, blocks_of(stream, entry_starts(file))))
    if stream_of(text).signature() != stream.signature():
        raise AssertionError(f"the layout of {source.path} would change what it says")
    return text, ()
