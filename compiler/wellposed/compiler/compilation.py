"""A compilation: one source text on its way to bundles, phase by phase, each computed when it is first asked for.

Every phase gives a value and its findings, and nothing is changed afterwards: the tree, the file as a module, the
library of rules and skins, the resolved scenarios, the bundles. Asking for the tree alone reads no import.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from wellposed.compiler.bundle import Bundle, bundle_of
from wellposed.compiler.canonical import CanonicalError
from wellposed.compiler.counting import Budget
from wellposed.compiler.emit import document_of, places_of
from wellposed.compiler.families import Instance, instances
from wellposed.compiler.imports import Importer, Module, module_of
from wellposed.compiler.library import Library, library_of
from wellposed.compiler.lint import lint, lint_together
from wellposed.compiler.passes import once_per_family, once_per_loop
from wellposed.compiler.profile import TOO_DEEP, TOO_LARGE
from wellposed.compiler.rejection import rejection
from wellposed.compiler.reporting import Reporter, source_order
from wellposed.compiler.resolve import Resolved, resolve
from wellposed.compiler.scenario import RejectedMark, Scenario
from wellposed.compiler.source_map import SourceMap
from wellposed.compiler.suggest import Suggester
from wellposed.dsl import tree as syntax
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile

# What a document of the compiler can be refused for; anything else would be a fault of the compiler.
_LIMIT_CODES = (TOO_DEEP, TOO_LARGE)
# What is not used, or does not happen: said of a family only where it holds in all its scenarios.
_UNUSED = frozenset(("WP231", "WP310", "WP313"))


@dataclass(frozen=True, slots=True)
class CompiledScenario:
    """One scenario of a file. `bundle` and `scenario` are None where it has errors, its own or of what it uses.

    `span` is that of the whole declaration, which is a family's where `family` has its name. A family that cannot be
    expanded is one scenario under its own name.
    """

    id: str
    name_span: Span
    bundle: Bundle | None
    findings: tuple[Finding, ...]
    rejected: RejectedMark | None
    scenario: Scenario | None
    span: Span
    family: str | None = None


@dataclass(frozen=True, slots=True)
class _Declaration:
    """The scenarios of one declaration, and the names of the library that they use; None where that is not known."""

    scenarios: tuple[CompiledScenario, ...]
    uses: frozenset[tuple[str, str]] | None


class Compilation:
    """The phases of one source text; see the module. Create it with `compile_source`."""

    def __init__(self, source: SourceFile, importer: Importer) -> None:
        self.source = source
        self._importer = importer

    @cached_property
    def _parsed(self) -> tuple[syntax.File | None, tuple[Finding, ...]]:
        return parse(self.source)

    @property
    def tree(self) -> syntax.File | None:
        """The syntax tree, or None where the text has errors of syntax."""
        return self._parsed[0]

    @cached_property
    def _module(self) -> Module:
        file, findings = self._parsed
        return module_of(file, self.source.path, findings)

    @cached_property
    def _library(self) -> tuple[Library, tuple[Finding, ...]]:
        return library_of(self._module, self._importer)

    @property
    def library(self) -> Library:
        """The rules and skins that the scenarios of this file can name."""
        return self._library[0]

    @cached_property
    def _declarations(self) -> tuple[_Declaration, ...]:
        suggester, budget = Suggester(), Budget()
        return tuple(self._declaration(node, budget, suggester) for node in self._nodes)

    def _declaration(self, node: syntax.Scenario | syntax.Family, budget: Budget, suggester: Suggester) -> _Declaration:
        compiled: list[CompiledScenario] = []
        uses: set[tuple[str, str]] = set()
        complete = True
        for one in instances(node, budget, suggester):
            if one.node is None:
                complete = False
                compiled.append(_refused(node, one))
                continue
            resolved = resolve(one.node, self.library, suggester, one.variables)
            uses |= resolved.uses
            compiled.append(_compiled(node, one, resolved, self.source.path))
        return _Declaration(_without_partly_unused(compiled), frozenset(uses) if complete else None)

    @cached_property
    def scenarios(self) -> tuple[CompiledScenario, ...]:
        """The scenarios of the file in the order written, families expanded; none where there are errors of syntax."""
        taken: dict[str, CompiledScenario] = {}
        compiled = []
        for one in (one for declaration in self._declarations for one in declaration.scenarios):
            first = taken.setdefault(one.id.casefold(), one)
            if first is not one:
                finding = _id_taken(one, first.name_span)
                one = replace(one, bundle=None, findings=tuple(sorted((*one.findings, finding), key=source_order)))
            compiled.append(one)
        return tuple(compiled)

    @property
    def allows(self) -> tuple[syntax.Allow, ...]:
        """The `allow` lines of the file that can suppress something."""
        return self._module.allows

    @cached_property
    def file_findings(self) -> tuple[Finding, ...]:
        """Findings that belong to no scenario: of syntax, imports, rules and skins, also those of imported files."""
        return (*self._module.findings, *self._library[1], *self._unused)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in source order; what several scenarios of a family have is told once."""
        of_scenarios = (finding for one in self.scenarios for finding in one.findings)
        every = (*self.file_findings, *once_per_family(of_scenarios, families_of([self]).get))
        return tuple(sorted(every, key=source_order))

    @property
    def _nodes(self) -> Iterator[syntax.Scenario | syntax.Family]:
        if self.tree is not None:
            kinds = syntax.Scenario | syntax.Family
            yield from (node for node in self.tree.declarations if isinstance(node, kinds))

    @cached_property
    def _unused(self) -> tuple[Finding, ...]:
        """WP311 and WP312, for files that have scenarios: the others are there to be imported."""
        if not self._declarations or any(one.uses is None for one in self._declarations):
            return ()
        reporter = Reporter(Suggester())
        used = {use for one in self._declarations for use in one.uses or ()}
        by_edge = {edge.span for use in used for edge in self.library.origins.get(use, ())}
        for edge in self._module.edges:
            if edge.span not in by_edge and self.library.complete:
                help = "remove the line, or use what it brings"
                reporter.add("WP311", edge.span, f"nothing that `{edge.path}` brings is used", help=help)
        for one in self._module.declared:
            if (one.kind, one.name) not in used:
                what = f"no scenario of this file uses the {one.kind} `{one.name}`"
                reporter.add("WP312", one.span, what, help="remove it, or move it to a file that others import")
        return reporter.findings()


def compile_source(source: SourceFile, importer: Importer | None = None) -> Compilation:
    """A compilation of `source`; without an importer its imports cannot be read. Nothing is computed yet."""
    return Compilation(source, importer or Importer())


def families_of(compilations: Iterable[Compilation]) -> dict[str, str]:
    """The family of each scenario that is from one, by the scenario's id."""
    scenarios = (one for compilation in compilations for one in compilation.scenarios)
    return {one.id: one.family for one in scenarios if one.family is not None}


def check_unique(compilations: Iterable[Compilation]) -> tuple[Finding, ...]:
    """Scenario ids that several files of one invocation use, upper and lower case taken for one.

    Which file keeps the id depends on their paths only, never on the order in which they are given: every later one
    gets the finding, and must not be written. Ids that one file uses twice are among that file's own findings.
    """
    taken: dict[str, CompiledScenario] = {}
    findings = []
    for compilation in sorted(compilations, key=lambda one: one.source.path):
        own: dict[str, CompiledScenario] = {}
        for scenario in compilation.scenarios:
            own.setdefault(scenario.id.casefold(), scenario)
        for folded, scenario in own.items():
            first = taken.setdefault(folded, scenario)
            if first is not scenario and first.name_span != scenario.name_span:
                findings.append(_id_taken(scenario, first.name_span))
    return tuple(sorted(findings, key=source_order))


def check_together(compilations: Iterable[Compilation]) -> tuple[Finding, ...]:
    """Notes about what the scenarios of one invocation share, such as rules that no message of theirs can reach.

    Scenarios that are rejected on purpose prove nothing and are left out. Where another one is missing because of
    errors, nothing is said.
    """
    compilations = tuple(compilations)
    scenarios = [one for each in compilations for one in each.scenarios if one.rejected is None]
    if any(one.bundle is None for one in scenarios) or any(each.tree is None for each in compilations):
        return ()
    return lint_together(one.scenario for one in scenarios if one.scenario is not None)


def _compiled(node: syntax.Scenario | syntax.Family, one: Instance, resolved: Resolved, path: str) -> CompiledScenario:
    bundle, findings = None, [*one.findings, *resolved.findings]
    if resolved.scenario is not None:
        try:
            places = SourceMap(places_of(resolved.scenario))
            bundle = bundle_of(document_of(resolved.scenario), places, path, resolved.scenario.skin)
        except CanonicalError as problem:
            if problem.code not in _LIMIT_CODES:
                raise
            reporter = Reporter(Suggester(), one.id)
            message = f"the bundle of `{one.id}` would be too large: {problem.message}"
            reporter.add("WP226", node.name.span, message, help="split the scenario")
            findings += reporter.findings()
    if resolved.scenario is not None and bundle is not None:
        findings += once_per_loop(lint(resolved.scenario))
    return CompiledScenario(
        id=one.id,
        name_span=node.name.span,
        bundle=bundle,
        findings=tuple(sorted(findings, key=source_order)),
        rejected=resolved.rejected,
        scenario=resolved.scenario,
        span=node.span,
        family=node.name.text if isinstance(node, syntax.Family) else None,
    )


def _refused(node: syntax.Scenario | syntax.Family, one: Instance) -> CompiledScenario:
    """What cannot be expanded, with the mark that may have announced just that."""
    reporter = Reporter(Suggester(), one.id)
    rejected = rejection(node.items, reporter)
    findings = tuple(sorted((*one.findings, *reporter.findings()), key=source_order))
    family = node.name.text if one.id != node.name.text else None
    return CompiledScenario(one.id, node.name.span, None, findings, rejected, None, node.span, family)


def _without_partly_unused(scenarios: list[CompiledScenario]) -> tuple[CompiledScenario, ...]:
    """The scenarios of a declaration without findings of what some of them do not use and others do."""
    if len(scenarios) < 2:
        return tuple(scenarios)
    unused = [{(it.code, it.place) for it in one.findings if it.code in _UNUSED} for one in scenarios]
    in_all = unused[0].intersection(*unused)
    return tuple(
        replace(
            one,
            findings=tuple(it for it in one.findings if it.code not in _UNUSED or (it.code, it.place) in in_all),
        )
        for one in scenarios
    )


def _id_taken(scenario: CompiledScenario, first: Span) -> Finding:
    reporter = Reporter(Suggester(), scenario.id)
    reporter.add(
        "WP225",
        scenario.name_span,
        f"the scenario id `{scenario.id}` is taken",
        labels=((first, "by this scenario"),),
        help="choose another id: it is the name of the bundle's folder, where case may not count",
    )
    return reporter.findings()[0]
