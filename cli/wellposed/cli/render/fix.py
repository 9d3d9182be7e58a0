"""A fix as people see it: what it does, and the lines of the source that it takes away and puts in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from os.path import commonprefix

from wellposed.cli.render.colour import Palette
from wellposed.cli.render.escape import lay_out, window
from wellposed.compiler.text_edits import with_edits
from wellposed.dsl.findings import Fix
from wellposed.dsl.source import SourceFile

APPLIED = "verified; `check --fix` applies it"
SHOWN = "verified, and for you to decide: it changes what is tested"


def fix_text(fix: Fix) -> str:
    """What a fix does, and whether it is applied when asked for safe ones."""
    return f"{fix.description} ({APPLIED if fix.safe else SHOWN})"


def diff_lines(fix: Fix, sources: Mapping[str, SourceFile], palette: Palette) -> Iterator[str]:
    """The lines that go, with the numbers that they have, and those that come, with the numbers that they will have.

    None where the source cannot be quoted.
    """
    source = sources.get(fix.edits[0].span.path)
    text = None if source is None else with_edits(source.text, fix.edits)
    if source is None or text is None:
        return
    before, after = source.text.split("\n"), text.split("\n")
    opcodes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changes = [one[1:] for one in opcodes if one[0] != "equal"]
    gutter = max((len(str(max(last, new_last))) for _, last, _, new_last in changes), default=0)
    for number, (first, last, new_first, new_last) in enumerate(changes):
        if number:
            yield palette.paint("...", "gutter")
        # Where lines begin to differ, which is what must be seen of long ones.
        pairs = zip(before[first:last], after[new_first:new_last], strict=False)
        at = [len(commonprefix(pair)) for pair in pairs] + [0] * max(last - first, new_last - new_first)
        for index, place in zip(range(first, last), at, strict=False):
            yield palette.paint(_line(index, "-", before[index], place, gutter), "error")
        for index, place in zip(range(new_first, new_last), at, strict=False):
            yield palette.paint(_line(index, "+", after[index], place, gutter), "good")


def _line(index: int, sign: str, text: str, at: int, gutter: int) -> str:
    shown, _ = lay_out(window(text.removesuffix("\r"), at, at)[0])
    return f"{index + 1:>{gutter}} {sign} {shown}".rstrip()
