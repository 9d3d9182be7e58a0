"""`check --fix`: the safe fixes written into their files, and everything checked again."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from wellposed.cli import output
from wellposed.cli.finish import finish
from wellposed.cli.gather import STDIN, gather
from wellposed.cli.pipeline import Suite, Verify, examine
from wellposed.cli.render.snippet import place_text
from wellposed.cli.repairs import Fixes
from wellposed.cli.report import Report
from wellposed.cli.rewrite import RewriteError, rewrite
from wellposed.cli.status import UNUSABLE
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader, Input
from wellposed.compiler.text_edits import with_edits
from wellposed.dsl.findings import Edit, Finding, Severity
from wellposed.dsl.source import SourceFile


def fix(arguments: argparse.Namespace, verify: Verify | None, suite: Suite | None, fixes: Fixes | None) -> int:
    """Apply safe fixes until none is left, and report what is. A file that cannot be written is left as it is."""
    if verify is None or fixes is None or arguments.watch:
        output.notice("--fix verifies, and ends: it goes with neither --no-verify nor --watch")
        return UNUSABLE
    if STDIN in arguments.paths:
        output.notice("--fix needs files: standard input cannot be written back")
        return UNUSABLE
    notices: list[str] = []
    failures: dict[str, Finding] = {}
    while True:
        gathered = gather(arguments.paths, arguments.stdin_filename)
        report = fixes.added_to(examine(gathered, verify, suite))
        inputs = [one for one in gathered.inputs if one.path not in failures]
        done, failed = _apply(report, inputs)
        notices += done
        failures |= failed
        if not done and not failed:
            notices.append("1 fix applied" if len(notices) == 1 else f"{len(notices)} fixes applied")
            return finish(report.with_findings(failures.values()), arguments, (*gathered.notices, *notices))


def _apply(report: Report, inputs: Iterable[Input]) -> tuple[list[str], dict[str, Finding]]:
    """Write the safe fixes of each file in one piece; what was done in words, and WP005 by path for what could not be."""
    done: list[str] = []
    failures: dict[str, Finding] = {}
    for one in inputs:
        findings = [it for it in report.findings if it.fix and it.fix.safe and it.fix.edits[0].span.path == one.path]
        if not findings:
            continue
        applied, text = _together(report.sources[one.path], findings)
        try:
            _refuse_links(one.location)
            rewrite(one.location, one.raw, text.encode())
        except RewriteError as failure:
            failures[one.path] = Finding("WP005", Severity.ERROR, f"cannot write {one.path}: {failure}")
        else:
            done += map(_told, applied)
    return done, failures


def _told(finding: Finding) -> str:
    assert finding.fix is not None and finding.place is not None
    return f"fixed {place_text(finding.place)}: {finding.fix.description}"


def _together(source: SourceFile, findings: Sequence[Finding]) -> tuple[list[Finding], str]:
    """As many fixes as go together, in order, and the text with them: each makes of its scenario what it makes alone."""
    applied: list[Finding] = []
    edits: list[Edit] = []
    text = source.text
    expected: dict[str, bytes] = {}
    before = _bundles(source)
    for finding in findings:
        assert finding.fix is not None
        alone, more = with_edits(source.text, finding.fix.edits), with_edits(source.text, (*edits, *finding.fix.edits))
        if alone is None or more is None:
            continue
        changed = dict(_bundles(SourceFile(source.path, alone)).items() - before.items())
        if _bundles(SourceFile(source.path, more)).items() >= (expected | changed).items():
            applied.append(finding)
            edits += finding.fix.edits
            expected |= changed
            text = more
    return applied, text


def _bundles(source: SourceFile) -> dict[str, bytes]:
    """The bytes of the bundles of a source by id: what says the same is the same."""
    scenarios = compile_source(source, Importer(FolderReader())).scenarios
    return {one.id: one.bundle.raw for one in scenarios if one.bundle is not None}


def _refuse_links(location: Path) -> None:
    """Raises RewriteError where the file is a link, or is reached through one from the working directory."""
    here = Path.cwd()
    for part in Path(os.path.relpath(location, here)).parts:
        here = here / part
        if here.is_symlink():
            raise RewriteError("it is a link, or is reached through one; links are not followed")
