"""Joins the stages: inputs to compilations and bundles, these to verdicts, all of it to one report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from wellposed.cli.allowed import settle
from wellposed.cli.gather import Gathered, Quotable, nothing_in
from wellposed.cli.output import reason
from wellposed.cli.rejection import judge
from wellposed.cli.report import Report, ScenarioResult, in_order
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import (
    Compilation,
    CompiledScenario,
    check_together,
    check_unique,
    compile_source,
    families_of,
)
from wellposed.compiler.folder import check_folder
from wellposed.compiler.imports import Importer, Reader
from wellposed.compiler.inputs import Input, Kind
from wellposed.compiler.load import load_bundle
from wellposed.compiler.passes import once_per_family, once_per_loop
from wellposed.dsl.findings import Finding, Severity, has_errors
from wellposed.dsl.source import read_source
from wellposed.verifier.report import Verification

Verify = Callable[[Bundle], Verification]


@runtime_checkable
class Ahead(Protocol):
    """A `Verify` that may find out about many bundles before it is asked about each of them once."""

    def ahead(self, bundles: Iterable[Bundle]) -> None:
        """Bundles that will be asked for, in this order."""


Suite = Callable[[Sequence[tuple[Bundle, Verification]]], tuple[Finding, ...]]


@dataclass(frozen=True, slots=True)
class _Examined:
    """One scenario or bundle on its way into the report, with the findings that are its own.

    `compiled` is None for a bundle.
    """

    result: ScenarioResult
    findings: tuple[Finding, ...]
    suppressed: bool = False
    compiled: CompiledScenario | None = None

    @property
    def meant_to_pass(self) -> tuple[Bundle, Verification] | None:
        """What was verified, unless it is rejected on purpose."""
        bundle, verification = self.result.bundle, self.result.verification
        return None if bundle is None or verification is None or self.result.rejection else (bundle, verification)


def examine(
    gathered: Gathered, verify: Verify | None, suite: Suite | None = None, reader: Reader | None = None
) -> Report:
    """Compile everything and, with `verify`, verify everything that has a bundle; with `suite`, also all of it together.

    What is rejected on purpose takes no part in that. Imports are read from the file system, or by `reader`.
    """
    quotable = Quotable(reader)
    importer = Importer(quotable)
    compilations: list[Compilation] = []
    findings = list(gathered.findings)
    loaded: list[tuple[Input, Bundle | None, tuple[Finding, ...]]] = []
    for one in gathered.inputs:
        if one.kind in (Kind.BUNDLE, Kind.BUNDLE_FOLDER):
            loaded.append((one, *_loaded(one)))
            continue
        source, problems = read_source(one.path, one.raw)
        findings += problems
        if source is not None:
            quotable.add(source)
            compilations.append(compile_source(source, importer))
    taken = check_unique(compilations)
    findings += check_together(compilations)
    if isinstance(verify, Ahead):
        compiled = (one.bundle for compilation in compilations for one in compilation.scenarios)
        verify.ahead(bundle for bundle in (*(bundle for _, bundle, _ in loaded), *compiled) if bundle is not None)
    examined = [_bundle(*each, verify) for each in loaded]
    for compilation in compilations:
        findings += compilation.file_findings
        examined += [_scenario(one, compilation, taken, verify) for one in compilation.scenarios]
    examined.sort(key=lambda one: one.result.source)
    if not examined and not any(finding.severity is Severity.ERROR for finding in findings):
        findings.append(nothing_in(gathered.inputs))
    family_of = families_of(compilations).get
    counting = [finding for each in examined if not each.suppressed for finding in each.findings]
    if suite is not None:
        counting += suite([pair for each in examined if (pair := each.meant_to_pass) is not None])
    expected = (finding for each in examined if each.suppressed for finding in each.findings)
    results = [(each.compiled, each.result) for each in examined if each.compiled is not None]
    found = settle((*findings, *once_per_family(counting, family_of)), compilations, results)
    # What a scenario that is wrong on purpose has may be covered by an `allow` as well, which is then not unused.
    suppressed = settle(once_per_family(expected, family_of), compilations, results)
    unused = [one for one in found.unused if one in suppressed.unused]
    return Report(
        tuple(each.result for each in examined),
        in_order((*found.counting, *unused)),
        in_order((*found.allowed, *suppressed.allowed, *suppressed.counting)),
        quotable,
    )


def _scenario(
    one: CompiledScenario, compilation: Compilation, taken: Sequence[Finding], verify: Verify | None
) -> _Examined:
    own = list(one.findings)
    own += [finding for finding in taken if finding.place == one.name_span and finding.scenario == one.id]
    result = ScenarioResult(one.id, compilation.source.path, one.bundle, None)
    if one.bundle is None or has_errors(own) or has_errors(list(compilation.file_findings)):
        result = replace(result, verdict="invalid")
    elif verify is not None:
        verification = verify(one.bundle)
        own += once_per_loop(verification.findings)
        result = replace(result, verdict=verification.verdict, verification=verification)
    if one.rejected is None:
        return _Examined(result, tuple(own), compiled=one)
    # Where its own text has no error, a scenario is invalid for what it uses: the file's rules, skins and imports.
    grounds = own if result.verdict != "invalid" or own else list(compilation.file_findings)
    rejection, complaint = judge(one.rejected, one.id, result.verdict, grounds)
    result = replace(result, rejection=rejection)
    if complaint is not None:
        own.append(complaint)
    return _Examined(result, tuple(own), suppressed=rejection.holds, compiled=one)


def _bundle(one: Input, bundle: Bundle | None, findings: tuple[Finding, ...], verify: Verify | None) -> _Examined:
    if bundle is None:
        name = one.path.rstrip("/").rsplit("/", 1)[-1]
        return _Examined(ScenarioResult(name, one.path, None, "invalid"), findings)
    result = ScenarioResult(bundle.id, one.path, bundle, None)
    if any(finding.severity is Severity.ERROR for finding in findings):
        return _Examined(replace(result, verdict="invalid"), findings)
    if verify is None:
        return _Examined(result, findings)
    verification = verify(bundle)
    return _Examined(
        replace(result, verdict=verification.verdict, verification=verification), (*findings, *verification.findings)
    )


def _loaded(one: Input) -> tuple[Bundle | None, tuple[Finding, ...]]:
    if one.kind is Kind.BUNDLE:
        return load_bundle(one.raw, one.path)
    try:
        return check_folder(Path(os.path.relpath(one.location)))
    except OSError as failure:
        return None, (Finding("WP004", Severity.ERROR, f"{one.path} cannot be read: {reason(failure)}"),)
