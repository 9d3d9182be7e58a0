"""The library of a file: the rules and skins that its scenarios can name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from wellposed.compiler.builtin import ALL_RULES, SUPPORT_DESK
from wellposed.compiler.declarations import Declared
from wellposed.compiler.imports import Edge, Importer, Module, cycles
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.reporting import Reporter, chained, source_order
from wellposed.compiler.scenario import RuleSet, Skin
from wellposed.compiler.suggest import Suggester
from wellposed.dsl import tree
from wellposed.dsl.findings import Finding


@dataclass(frozen=True, slots=True)
class Library:
    """Rules and skins by name; a value of None has errors of its own, which are reported where it is declared.

    `complete` is False where an import is missing or broken: a name that is not here may have stood there.
    `origins` says for an imported name, as (kind, name), which of the file's import lines bring it.
    """

    rules: Mapping[str, RuleSet | None]
    skins: Mapping[str, Skin | None]
    complete: bool
    origins: Mapping[tuple[str, str], tuple[Edge, ...]]
    allows: tuple[tree.Allow, ...] = ()
    """The `allow` lines of the files that are imported."""

    def find_rules(self, name: tree.Name, reporter: Reporter) -> RuleSet | None:
        """The rules that `name` means; None after reporting that there are none, or where another error hides them."""
        if name.text not in self.rules:
            self._unknown(name, "rules", self.rules, reporter)
        return self.rules.get(name.text)

    def find_skin(self, name: tree.Name, reporter: Reporter) -> Skin | None:
        """The skin that `name` means; None as for `find_rules`."""
        if name.text not in self.skins:
            self._unknown(name, "skin", self.skins, reporter)
        return self.skins.get(name.text)

    def _unknown(self, name: tree.Name, kind: str, known: Mapping[str, object], reporter: Reporter) -> None:
        if self.complete:
            message, path = f"there are no rules `{name.text}`", f"rules/{name.text}.rules"
            if kind == "skin":
                message, path = f"there is no skin `{name.text}`", f"skins/{name.text}.skin"
            otherwise = f'declare `{kind} {name.text}` in this file, or import one that does: `import "{path}"`'
            reporter.add("WP201", name.span, message, help=reporter.meant(name.text, known, otherwise))


def library_of(root: Module, importer: Importer) -> tuple[Library, tuple[Finding, ...]]:
    """What the file `root` can use, and the findings of all files behind it, those of `root` left out."""
    modules, unread = importer.reachable(root)
    reporter = Reporter(Suggester())
    for circle in cycles(root, modules):
        _report_circle(circle, reporter)
    found = _Found(reporter)
    for one in root.declared:
        found.add(one, None)
    for edge in root.edges:
        for module in _behind(edge, modules, root.path):
            for one in module.declared:
                found.add(one, edge)
    inner = [finding for path, module in sorted(modules.items()) if path != root.path for finding in module.findings]
    complete = not unread and all(module.complete for module in modules.values())
    findings = sorted({*inner, *unread, *reporter.findings()}, key=source_order)
    allows = (one for path, module in sorted(modules.items()) if path != root.path for one in module.allows)
    return replace(found.library(complete), allows=tuple(allows)), tuple(findings)


def _behind(edge: Edge, modules: Mapping[str, Module], root: str) -> list[Module]:
    """The modules that an import line brings, the nearest first."""
    seen = {root}
    waiting = [edge.target]
    order = []
    for path in waiting:
        if path not in seen and path in modules:
            seen.add(path)
            order.append(modules[path])
            waiting.extend(inner.target for inner in modules[path].edges)
    return order


def _report_circle(circle: tuple[Edge, ...], reporter: Reporter) -> None:
    first = circle[-1].target
    chain = chained([first, *(edge.target for edge in circle)])
    reporter.add(
        "WP222",
        circle[0].span,
        f"these files import each other in a circle: {chain}" if len(circle) > 1 else f"{first} imports itself",
        labels=[(edge.span, f"imports {edge.target}") for edge in circle[1 : LIMITS.chain_labels]],
        help="move what both need into a file of its own",
    )


class _Found:
    """Collects declarations by kind and name, the file's own first, and reports collisions at the import line."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._folded: dict[tuple[str, str], Declared] = {}
        self._values: dict[tuple[str, str], Declared] = {}
        self._origins: dict[tuple[str, str], tuple[Edge, ...]] = {}

    def add(self, one: Declared, edge: Edge | None) -> None:
        key = (one.kind, one.name.casefold())
        first = self._folded.setdefault(key, one)
        self._values.setdefault((one.kind, one.name), one)
        if first is one and edge is not None:
            self._origins[one.kind, one.name] = (*self._origins.get((one.kind, one.name), ()), edge)
        elif first.span != one.span and edge is not None:
            same = first.name == one.name
            self._reporter.add(
                "WP202" if same else "WP203",
                edge.span,
                f"this import brings {one.kind} called `{one.name}`, "
                + (
                    "a name that is taken already"
                    if same
                    else f"which differs from `{first.name}` only in upper and lower case"
                ),
                labels=((one.span, f"`{one.name}` is declared here"), (first.span, f"`{first.name}` is declared here")),
                help="rename one of the two, or import only one of the files",
            )

    def library(self, complete: bool) -> Library:
        rules: dict[str, RuleSet | None] = {ALL_RULES.name: ALL_RULES}
        skins: dict[str, Skin | None] = {SUPPORT_DESK.name: SUPPORT_DESK}
        for (kind, name), one in self._values.items():
            if kind == "rules" and name != ALL_RULES.name:
                rules[name] = one.value if isinstance(one.value, RuleSet) else None
            elif kind == "skin":
                skins[name] = one.value if isinstance(one.value, Skin) else None
        return Library(rules, skins, complete, self._origins)
