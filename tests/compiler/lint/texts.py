"""Scenarios for the checks, and what is found in them: codes with the text that they underline."""

from __future__ import annotations

from collections.abc import Iterable

from wellposed.compiler.compilation import Compilation, check_together, compile_source
from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.dsl.source import SourceFile

ORDER = 'conversation order { from "ada@example.test" subject "Where is my order?" anchor "ORD-1001" }'
REFUND = 'conversation refund { from "bob@example.test" subject "My money" anchor "REF-2002" }'


def scenario(
    *lines: str,
    level: int = 2,
    horizon: int = 60,
    rules: Iterable[str] = (),
    posture: str = "normal",
    expect: str = "",
    name: str = "x",
    conversations: str = f"{ORDER}\n{REFUND}",
) -> str:
    """The text of a scenario with these lines, under these rules where there are any, each in a line of its own."""
    desk = "".join(f"  {rule}\n" for rule in rules)
    body = "\n".join(lines)
    return (
        (f"rules desk {{\n{desk}}}\n" if desk else "")
        + f"scenario {name} {{\nlevel L{level}\nhorizon {horizon}\n"
        + ("rules desk\n" if desk else "")
        + f"posture {posture}\n{conversations}\n{body}\n"
        + (f"expect {{ {expect} }}\n" if expect else "")
        + "}\n"
    )


def compiled(text: str, path: str = "x.scenario") -> Compilation:
    """The compilation of a text without errors."""
    compilation = compile_source(SourceFile(path, text))
    assert not [one for one in compilation.findings if one.severity is Severity.ERROR], compilation.findings
    return compilation


def findings(text: str, code: str) -> list[Finding]:
    """The findings of one code in a text, those over a whole invocation included."""
    compilation = compiled(text)
    return [one for one in (*compilation.findings, *check_together([compilation])) if one.code == code]


def underlined(text: str, place: object) -> str:
    """What a finding or a label underlines."""
    assert isinstance(place, Span)
    return text[place.start : place.end]


def found(text: str, code: str) -> list[str]:
    """What the findings of one code underline."""
    return [underlined(text, one.place) for one in findings(text, code)]


def labelled(text: str, code: str) -> list[str]:
    """What the second labels of the findings of one code underline."""
    return [underlined(text, label.place) for one in findings(text, code) for label in one.labels]
