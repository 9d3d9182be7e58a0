"""The shape of one row of the table of diagnostic codes."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from wellposed.dsl.findings import Severity


@dataclass(frozen=True, slots=True)
class Example:
    """An input that shows a code. `kind` says how it is to be read: a scenario file, a rules file, a bundle or a command line.

    The kind `bytes` is a scenario file too, written as Python writes bytes, with `+` and `*`: for what is not text. The kind
    `files` is several source files, each after a line `#: PATH`; the first is the one to check. The kind `fixture` is the
    files of a folder to adopt, written the same way. The kind `reread` is a scenario file to check under every reading.
    """

    kind: str
    text: str

    @property
    def raw(self) -> bytes:
        """The bytes of the file that the example is; raises ValueError where an example of kind `bytes` is not one."""
        return _bytes_of(ast.parse(self.text.strip(), mode="eval").body) if self.kind == "bytes" else self.text.encode()

    def files(self) -> dict[str, bytes]:
        """The source files of the example by path, the one to check first."""
        if self.kind != "files":
            return {"example.scenario": self.raw}
        parts = (part.partition("\n") for part in f"\n{self.text}".split("\n#: ")[1:])
        return {path: text.encode() for path, _, text in parts}


@dataclass(frozen=True, slots=True)
class Code:
    """One diagnostic code: default severity, what it says in a few words, why it matters and what to do.

    `bad` raises exactly this code and `good` raises none; tests run both.
    """

    id: str
    slug: str
    severity: Severity
    title: str
    explanation: str
    bad: Example
    good: Example


def _bytes_of(node: ast.expr) -> bytes:
    match node:
        case ast.Constant(value=bytes() as value):
            return value
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _bytes_of(left) + _bytes_of(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=int() as times)):
            return _bytes_of(left) * times
    raise ValueError("an example of kind `bytes` has bytes, `+` and `*` only")
