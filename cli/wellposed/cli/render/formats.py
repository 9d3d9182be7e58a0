"""The formats of a report that programs read, by name: one row each. The formats for people are `text` and `concise`."""

from __future__ import annotations

import importlib

from wellposed.cli.report import Report

MACHINE = {
    "json": ("json_report", "wellposed-report/1"),
    "sarif": ("sarif", "SARIF 2.1.0, for code scanning"),
    "github": ("github", "annotations of a GitHub workflow run"),
    "junit": ("junit", "one test case per scenario, for CI servers"),
}


def render(name: str, report: Report) -> str:
    """The report in the format of this name, complete and valid whatever was found. Only the chosen module is imported."""
    module = importlib.import_module(f"wellposed.cli.render.{MACHINE[name][0]}")
    text: str = module.render(report)
    return text
