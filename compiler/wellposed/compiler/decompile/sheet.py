"""The lines of a decompiled source: header, conversations, stub, schedule and expectations, then rules and skins.

Their columns are those of the formatter, through which they go last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wellposed.compiler.decompile.claims import claim_lines
from wellposed.compiler.decompile.names import Names
from wellposed.compiler.decompile.rules import is_built_in, is_built_in_skin, rule_lines, skin_lines, stub_lines
from wellposed.compiler.decompile.schedule import Block, Document, Thread, blocks_of, threads_of
from wellposed.compiler.spelling import name, pieces, string
from wellposed.dsl.vocabulary import POSTURES

_SKIN_COMMENT = "# A bundle has the name of its skin only; these are the benchmark's own words."


@dataclass(slots=True)
class Sheet:
    """The lines of a source, each with the JSON pointer of what it says."""

    lines: list[str] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)

    def add(self, indent: int, text: str, pointer: str = "") -> None:
        self.lines.append(" " * indent + text if text else "")
        self.pointers.append(pointer)

    def add_all(self, indent: int, texts: Iterable[str], pointer: str) -> None:
        for text in texts:
            self.add(indent, text, pointer)


def sheet_of(document: Document, heading: Sequence[str]) -> Sheet:
    """The source of a document that the language has words for; `heading` are lines of comment without their `#`."""
    sheet = Sheet()
    for line in heading:
        sheet.add(0, f"# {line}".rstrip())
    if heading:
        sheet.add(0, "")
    threads, names = threads_of(document), Names(document)
    sheet.add(0, f"scenario {name(document['id'])} {{", "/id")
    _headers(sheet, document)
    _conversations(sheet, document, threads, names)
    _stub(sheet, document, names)
    _schedule(sheet, blocks_of(document, threads, names))
    _expectations(sheet, document, names)
    sheet.add(0, "}", "")
    for index, version in enumerate(document["rules"]):
        if not is_built_in(version):
            sheet.add(0, "")
            sheet.add(0, f"rules {name(version['name'])} {{", f"/rules/{index}/name")
            for number, line in enumerate(rule_lines(version)):
                sheet.add(2, line, f"/rules/{index}/rules/{number}")
            sheet.add(0, "}", f"/rules/{index}")
    if not is_built_in_skin(document["skin"]):
        sheet.add(0, "")
        sheet.add(0, _SKIN_COMMENT)
        sheet.add(0, f"skin {name(document['skin'])} {{", "/skin")
        sheet.add_all(2, skin_lines(), "/skin")
        sheet.add(0, "}", "/skin")
    return sheet


def _headers(sheet: Sheet, document: Document) -> None:
    """The header lines, those that say what is so without them left out."""
    rules, posture, skin = document["rules"][0], document["mode"]["posture"], document["skin"]
    lines = [
        ("title", string([document["title"]]), "/title", document["title"] == document["id"]),
        ("level", f"L{document['level']}", "/level", False),
        ("horizon", str(document["horizon"]), "/horizon", False),
        ("rules", name(rules["name"]), "/rules", is_built_in(rules)),
        ("posture", posture, "/mode", posture == POSTURES[0]),
        ("skin", name(skin), "/skin", is_built_in_skin(skin)),
    ]
    for word, value, pointer, is_default in lines:
        if not is_default:
            sheet.add(2, f"{word} {value}", pointer)
    if not document["invariants"]:
        sheet.add(2, "invariants only expect", "/invariants")


def _conversations(sheet: Sheet, document: Document, threads: dict[str, Thread], names: Names) -> None:
    anchored = {one["conversation_id"]: index for index, one in enumerate(document["stub"]["anchors"])}
    if threads:
        sheet.add(0, "")
    for index, (id, thread) in enumerate(threads.items()):
        pointer = f"/stub/replies/{index}"
        sheet.add(2, f"conversation {names.conversation(id)} {{", pointer)
        if thread.sender is not None:
            sheet.add(4, f"from {string([thread.sender])}", pointer)
        if thread.subject is not None:
            sheet.add(4, f"subject {string(pieces(thread.subject, thread.anchor))}", pointer)
        if thread.anchor is not None:
            sheet.add(4, f"anchor {string([thread.anchor])}", f"/stub/anchors/{anchored[id]}")
        sheet.add(2, "}", pointer)


def _stub(sheet: Sheet, document: Document, names: Names) -> None:
    lines = stub_lines(document["stub"], names)
    if lines:
        sheet.add(0, "")
        sheet.add(2, "stub {", "/stub")
        for pointer, texts in lines:
            sheet.add_all(4, texts, pointer)
        sheet.add(2, "}", "/stub")


def _schedule(sheet: Sheet, blocks: Sequence[Block]) -> None:
    if blocks:
        sheet.add(0, "")
    for block in blocks:
        pointer = f"/schedule/{block.statements[0][0]}"
        if len(block.statements) == 1:
            first, *inner = block.statements[0][1]
            sheet.add(2, f"{block.head} {first}", pointer)
            sheet.add_all(2, inner, pointer)
            continue
        sheet.add(2, f"{block.head} {{", f"{pointer}/{'when' if block.at is None else 'at'}")
        for index, lines in block.statements:
            sheet.add_all(4, lines, f"/schedule/{index}")
        sheet.add(2, "}", pointer)


def _expectations(sheet: Sheet, document: Document, names: Names) -> None:
    if document["expect"]:
        sheet.add(0, "")
        sheet.add(2, "expect {", "/expect")
        for index, claim in enumerate(document["expect"]):
            sheet.add_all(4, claim_lines(claim, names), f"/expect/{index}")
        sheet.add(2, "}", "/expect")
    if document["catches"]:
        sheet.add(0, "")
        sheet.add(2, f"catches {', '.join(document['catches'])}", "/catches")
