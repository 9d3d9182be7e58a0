"""`allow` over a whole invocation: which findings are allowed, and which `allow` lines nothing needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wellposed.cli.report import ScenarioResult
from wellposed.compiler.compilation import Compilation, CompiledScenario
from wellposed.compiler.suppress import needs_verdict, suppress
from wellposed.dsl.findings import Finding
from wellposed.dsl.tree import Allow

Results = Sequence[tuple[CompiledScenario, ScenarioResult]]


@dataclass(frozen=True, slots=True)
class Settled:
    """Findings that count, those that an `allow` covers, and findings about `allow` lines that cover none."""

    counting: tuple[Finding, ...]
    allowed: tuple[Finding, ...]
    unused: tuple[Finding, ...]


def settle(findings: Iterable[Finding], compilations: Iterable[Compilation], results: Results) -> Settled:
    """Apply the `allow` lines of all sources and of what they import.

    Those of files that are only imported may be there for others, so nothing is said where they are unused; nor is it
    where what could need them was not compiled, or not verified to the end.
    """
    own: dict[Allow, None] = {}
    imported: dict[Allow, None] = {}
    for one in compilations:
        own |= dict.fromkeys(one.allows)
        imported |= dict.fromkeys(one.library.allows)
    every = list(own | imported)
    marked, unused = suppress(findings, every, lambda allow: allow in own and _judged(allow, results))
    return Settled(
        tuple(one for one in marked if one.suppressed is None),
        tuple(one for one in marked if one.suppressed is not None),
        unused,
    )


def _judged(allow: Allow, results: Results) -> bool:
    """Whether all that the `allow` could be for has been looked at: the scenarios around it or in it, else all."""
    covers = allow.covers
    near = [
        (compiled, result)
        for compiled, result in results
        if compiled.span.path == covers.path and compiled.span.start < covers.end and covers.start < compiled.span.end
    ]
    concerned = near or results
    return bool(concerned) and all(
        compiled.bundle is not None and (not needs_verdict(allow) or result.verdict not in (None, "undecided"))
        for compiled, result in concerned
    )
