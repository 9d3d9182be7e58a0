"""JUnit's XML: one test suite per source, one test case per scenario, and one for what belongs to no scenario.

A case fails by the errors of its scenario (an undecided verdict is an error, not a failure: nobody said that it is wrong).
What was rejected as announced passes. Warnings and notes stand in the output of their case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from wellposed.cli.render.escape import escape
from wellposed.cli.render.severest import full_text
from wellposed.cli.render.snippet import place_text
from wellposed.cli.report import UNDECIDED_CODE, Report, ScenarioResult
from wellposed.dsl.findings import Finding, Severity

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COMMAND_LINE = re.compile(r"(?m)^([^\S\n]*)::")
WHOLE = "(the file as a whole)"


def render(report: Report) -> str:
    """The report as an XML document with a final newline."""
    root = ElementTree.Element("testsuites", name="wellposed")
    suites: dict[str, ElementTree.Element] = {}

    def suite(path: str) -> ElementTree.Element:
        if path not in suites:
            suites[path] = ElementTree.SubElement(root, "testsuite", name=_text(path))
        return suites[path]

    scenarios = {(one.source, one.id) for one in report.scenarios}
    elsewhere: dict[str, list[Finding]] = {}
    of: dict[tuple[str, str], list[Finding]] = {}
    sources = {one.id: one.source for one in report.scenarios}
    for finding in report.findings:
        path = "" if finding.place is None else finding.place.path
        key = (sources.get(finding.scenario or "", path), finding.scenario or "")
        if key in scenarios:
            of.setdefault(key, []).append(finding)
        else:
            elsewhere.setdefault(path or "wellposed", []).append(finding)
    for one in report.scenarios:
        _scenario(suite(one.source), one, of.get((one.source, one.id), []))
    for path, findings in elsewhere.items():
        _case(suite(path), path, WHOLE, findings, undecided=False)
    for element in suites.values():
        _count(element)
    _count(root)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _defuse(ElementTree.tostring(root, encoding="unicode")) + "\n"


def _defuse(document: str) -> str:
    """The same document, but that a CI runner in whose log it ends up takes no line of it for a command."""
    return _COMMAND_LINE.sub(r"\1&#58;:", document).replace("##[", "##&#91;")


def _scenario(suite: ElementTree.Element, one: ScenarioResult, findings: Sequence[Finding]) -> None:
    undecided = one.verdict == "undecided" and not (one.rejection and one.rejection.holds)
    case = _case(suite, one.source, one.id, findings, undecided)
    if one.verdict is None and not len(case):
        ElementTree.SubElement(case, "skipped", message="not verified")


def _case(
    suite: ElementTree.Element, path: str, name: str, findings: Sequence[Finding], undecided: bool
) -> ElementTree.Element:
    case = ElementTree.SubElement(suite, "testcase", classname=_text(path), name=_text(name))
    errors = [one for one in findings if one.severity is Severity.ERROR and one.code != UNDECIDED_CODE]
    if errors:
        first = errors[0]
        message = first.message + (f" (and {len(errors) - 1} more)" if len(errors) > 1 else "")
        failure = ElementTree.SubElement(case, "failure", type=first.code, message=_text(message))
        failure.text = _told(errors)
    elif undecided:
        error = ElementTree.SubElement(case, "error", type=UNDECIDED_CODE, message="undecided within the budget")
        error.text = _told(one for one in findings if one.code == UNDECIDED_CODE)
    rest = [one for one in findings if one not in errors]
    if rest:
        ElementTree.SubElement(case, "system-out").text = _told(rest)
    return case


def _told(findings: Iterable[Finding]) -> str:
    texts = []
    for finding in findings:
        where = "" if finding.place is None else place_text(finding.place) + ": "
        body = "\n".join(_text(line) for line in full_text(finding).split("\n"))
        texts.append(f"{where}{finding.severity.value}[{finding.code}]: {body}")
    return "\n\n".join(texts)


def _text(text: str) -> str:
    """Text of an input with what XML cannot hold, and what nobody can see, spelled out."""
    return _NOT_XML.sub("\ufffd", escape(text))


def _count(element: ElementTree.Element) -> None:
    for plural, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(plural, str(sum(1 for _ in element.iter(tag))))
