"""Imports: the graph of files behind a source, read once, and what is wrong on the way.

An import brings what the imported file declares and, through its own imports, what those declare. The graph of files
may join again but not turn in a circle. Paths are relative POSIX paths that only lead downwards, so a source tree
means the same wherever it is checked out.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from wellposed.compiler.declarations import Declared, declarations_of
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.lint import lint_rules
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.scenario import RuleSet
from wellposed.compiler.suggest import Suggester
from wellposed.compiler.suppress import possible
from wellposed.compiler.texts import literal
from wellposed.dsl import tree
from wellposed.dsl.findings import Finding, Span, has_errors
from wellposed.dsl.parser import parse
from wellposed.dsl.source import read_source

SUFFIXES = (".rules", ".skin")


class ImportFailed(Exception):
    """An imported file cannot be read; the message ends a sentence that begins with its path."""


class Reader(Protocol):
    """Where imported files come from; `wellposed.compiler.inputs` has the one that reads the file system."""

    def read_import(self, folder: str, path: str) -> bytes:
        """The bytes of the file at the POSIX `path` below the folder of the importing file; raises ImportFailed."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One well-formed `import` line: the path as written and the display path of the file that it means."""

    span: Span
    path: str
    target: str


@dataclass(frozen=True, slots=True)
class Module:
    """One file as other files see it.

    `complete` is False where errors may have hidden declarations or imports. A file that could not be read has a
    `failure` and nothing else. `allows` are the `allow` lines that can suppress something.
    """

    path: str
    declared: tuple[Declared, ...] = ()
    edges: tuple[Edge, ...] = ()
    complete: bool = True
    findings: tuple[Finding, ...] = ()
    failure: str | None = None
    allows: tuple[tree.Allow, ...] = ()


class Importer:
    """Reads and parses each imported file once per invocation, however many sources use it."""

    def __init__(self, reader: Reader | None = None) -> None:
        self._reader = reader
        self._modules: dict[str, Module] = {}

    def reachable(self, root: Module) -> tuple[dict[str, Module], tuple[Finding, ...]]:
        """Every module that `root` imports, itself included, by display path; and what could not be read."""
        reporter = Reporter(Suggester())
        modules = {root.path: root}
        waiting = [root]
        while waiting:
            module = waiting.pop()
            for edge in module.edges:
                if edge.target in modules:
                    found = modules[edge.target]
                elif len(modules) > LIMITS.imports:
                    found = Module(
                        edge.target, failure=f"would be one import too many, at most {LIMITS.imports} are possible"
                    )
                else:
                    found = modules[edge.target] = self._module(module.path, edge)
                    waiting.append(found)
                if found.failure is not None:
                    reporter.add(
                        "WP221",
                        edge.span,
                        f"`{edge.path}` {found.failure}",
                        help=f"the path starts at the folder of this file, `{posixpath.dirname(module.path) or '.'}`",
                    )
        return modules, reporter.findings()

    def _module(self, importing: str, edge: Edge) -> Module:
        if edge.target not in self._modules:
            self._modules[edge.target] = self._read(posixpath.dirname(importing), edge)
        return self._modules[edge.target]

    def _read(self, folder: str, edge: Edge) -> Module:
        if self._reader is None:
            return Module(edge.target, failure="cannot be read: there is no folder to import from")
        try:
            raw = self._reader.read_import(folder, edge.path)
        except ImportFailed as problem:
            return Module(edge.target, failure=str(problem))
        source, findings = read_source(edge.target, raw)
        if source is None:
            return Module(edge.target, complete=False, findings=findings)
        file, syntax = parse(source)
        return module_of(file, edge.target, (*findings, *syntax))


def module_of(file: tree.File | None, path: str, syntax: tuple[Finding, ...]) -> Module:
    """A parsed file as a module; `syntax` are the findings that reading and parsing it had."""
    if file is None:
        return Module(path, complete=False, findings=syntax)
    reporter = Reporter(Suggester())
    declared = declarations_of(file, reporter)
    edges = tuple(edge for edge in (_edge(one, path, reporter) for one in file.imports) if edge is not None)
    complete = not has_errors(syntax) and len(edges) == len(file.imports)
    advice = (finding for one in declared if isinstance(one.value, RuleSet) for finding in lint_rules(one.value))
    allows = possible(file.allows, reporter)
    return Module(path, declared, edges, complete, (*syntax, *reporter.findings(), *advice), allows=allows)


def _edge(node: tree.Import, importing: str, reporter: Reporter) -> Edge | None:
    path = literal(node.path)
    problem = _wrong_path(path)
    if problem is None:
        path = posixpath.normpath(path)
        return Edge(node.path.span, path, posixpath.normpath(posixpath.join(posixpath.dirname(importing), path)))
    reporter.add(
        "WP220",
        node.path.span,
        f"an import {problem}",
        help='write the path from the folder of this file downwards, for example "rules/support-desk.rules"',
    )
    return None


def _wrong_path(path: str) -> str | None:
    """What an import path is or does that it must not, as the end of "an import …"."""
    if len(path) > LIMITS.path_length:
        return f"path has at most {LIMITS.path_length} characters"
    if "\0" in path:
        return "path cannot contain the character U+0000"
    if "\\" in path:
        return "path uses `/` between folders, not `\\`"
    if path.startswith("/"):
        return "path is relative to its file, it does not start with `/`"
    parts = path.split("/")
    if ".." in parts:
        return "path does not lead upwards, it has no `..`"
    if "" in parts:
        return "path names a file, with one `/` between folders"
    if not path.endswith(SUFFIXES) or parts[-1] in SUFFIXES:
        return "brings rules or a skin, from a file whose name ends in `.rules` or `.skin`"
    return None


def cycles(root: Module, modules: Mapping[str, Module]) -> tuple[tuple[Edge, ...], ...]:
    """The circles of imports that can be reached from `root`, each once.

    A circle starts at its alphabetically first file, so it is told alike whichever of its files was the first to be
    read.
    """
    found: dict[tuple[str, ...], tuple[Edge, ...]] = {}
    done: set[str] = set()
    trail: list[Edge] = []
    on_trail = {root.path: 0}
    stack = [iter(root.edges)]
    names = [root.path]
    while stack:
        edge = next(stack[-1], None)
        if edge is None:
            stack.pop()
            name = names.pop()
            on_trail.pop(name, None)
            done.add(name)
            if trail:
                trail.pop()
        elif edge.target in on_trail:
            circle = (*trail[on_trail[edge.target] :], edge)
            start = min(range(len(circle)), key=lambda index: circle[index - 1].target)
            turned = circle[start:] + circle[:start]
            found.setdefault(tuple(one.target for one in turned), turned)
        elif edge.target not in done and edge.target in modules:
            on_trail[edge.target] = len(names)
            names.append(edge.target)
            trail.append(edge)
            stack.append(iter(modules[edge.target].edges))
    return tuple(found[key] for key in sorted(found))
