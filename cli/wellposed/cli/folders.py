"""Writing bundle folders for `build`, and comparing built ones. What goes wrong becomes findings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from wellposed.cli.output import reason
from wellposed.cli.report import ScenarioResult
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.folder import BUNDLE_FILE, FolderError, check_folder, write_folder
from wellposed.dsl.findings import Finding, Label, Pointer, Severity


def buildable(scenarios: Sequence[ScenarioResult], notices: list[str]) -> tuple[list[Bundle], tuple[Finding, ...]]:
    """The bundles to build, each once; scenarios that are rejected on purpose are left out, with a notice.

    One id with two contents is WP225: sources and built bundles may be given together, and then have to agree.
    """
    chosen: dict[str, Bundle] = {}
    findings = []
    for one in scenarios:
        if one.rejection is not None:
            notices.append(f"{one.id} is rejected on purpose and is not built")
        elif one.bundle is not None:
            first = chosen.setdefault(one.id.casefold(), one.bundle)
            if first.hash != one.bundle.hash:
                label = Label(first.place("/id"), "by this one, which has another content")
                message = f"the scenario id `{one.id}` is taken"
                findings.append(
                    Finding("WP225", Severity.ERROR, message, one.bundle.place("/id"), (label,), scenario=one.id)
                )
    return list(chosen.values()), tuple(findings)


def write(bundles: Sequence[Bundle], parent: str) -> tuple[Finding, ...]:
    """Write every bundle's folder below `parent`; stops at the first that cannot be written."""
    for bundle in bundles:
        try:
            write_folder(bundle, Path(parent))
        except FolderError as refused:
            return (_error(refused.code, refused.message, Pointer(refused.path, "")),)
        except (OSError, ValueError) as failure:
            why = reason(failure) if isinstance(failure, OSError) else "the name is impossible"
            return (_error("WP005", f"cannot write {parent}/{bundle.id}: {why}", None),)
    return ()


def compare(bundles: Sequence[Bundle], parent: str) -> tuple[Finding, ...]:
    """What is missing, different or too many below `parent`."""
    findings: list[Finding] = []
    try:
        present = {entry.name for entry in os.scandir(parent) if os.path.lexists(os.path.join(entry.path, BUNDLE_FILE))}
    except FileNotFoundError:
        return (_error("WP002", f"{parent} does not exist", None),)
    except (OSError, ValueError) as failure:
        why = reason(failure) if isinstance(failure, OSError) else "the name is impossible"
        return (_error("WP004", f"{parent} cannot be read: {why}", None),)
    for bundle in bundles:
        folder = Path(parent) / bundle.id
        place = Pointer(folder.as_posix(), "")
        if bundle.id not in present:
            findings.append(_error("WP007", f"the folder of `{bundle.id}` is missing", place))
            continue
        try:
            _, found = check_folder(folder, bundle.hash)
        except OSError as failure:
            findings.append(_error("WP004", f"{place.path} cannot be read: {reason(failure)}", None))
        else:
            findings += found
    ids = {bundle.id for bundle in bundles}
    for name in sorted(present - ids):
        place = Pointer((Path(parent) / name).as_posix(), "")
        findings.append(_error("WP007", "this folder belongs to no scenario of the sources", place))
    return tuple(findings)


def _error(code: str, message: str, place: Pointer | None) -> Finding:
    return Finding(code, Severity.ERROR, message, place)
