"""Verifications as canonical JSON and back. Reading builds only the classes named here, whatever the bytes say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from wellposed.compiler import canonical
from wellposed.dsl.findings import Edit, Finding, Fix, Label, Pointer, Severity, Span
from wellposed.verifier.report import (
    CoreMember,
    ExpectationReport,
    Outcome,
    ReadingReport,
    TraceEvent,
    Verification,
    Window,
)

_KINDS: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *(Verification, ExpectationReport, Outcome, Window, CoreMember, TraceEvent, ReadingReport),
        *(Finding, Label, Fix, Edit, Span, Pointer),
    )
}
_DOCUMENT = "verification"
_TUPLE, _LIST, _MAP, _SEVERITY = "()", "[]", "{}", "severity"
"""What stands first in an array, in the place of a class's name."""


class Unreadable(Exception):
    """The bytes are not a verification."""


def encode(verification: Verification) -> bytes:
    """The bytes of a verification. Raises CanonicalError where a text is outside of canonical JSON."""
    return canonical.file_bytes({_DOCUMENT: _plain(verification)})


def decode(raw: bytes) -> Verification:
    """The verification that was encoded. Raises Unreadable."""
    try:
        document = canonical.decode(raw)
        found = _value(document[_DOCUMENT]) if isinstance(document, dict) else None
    except (canonical.CanonicalError, KeyError, TypeError, ValueError) as failure:
        raise Unreadable from failure
    if not isinstance(found, Verification):
        raise Unreadable
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_TUPLE, *map(_plain, value)]
    if isinstance(value, list):
        return [_LIST, *map(_plain, value)]
    if isinstance(value, Mapping):
        return [_MAP, *([key, _plain(part)] for key, part in value.items())]
    if isinstance(value, Severity):
        return [_SEVERITY, value.value]
    if is_dataclass(value):
        return [type(value).__name__, *(_plain(getattr(value, one.name)) for one in fields(value))]
    return value


def _value(plain: Any) -> Any:
    if not isinstance(plain, list):
        return plain
    kind, *parts = plain
    if kind == _TUPLE:
        return tuple(map(_value, parts))
    if kind == _LIST:
        return list(map(_value, parts))
    if kind == _MAP:
        return {key: _value(part) for key, part in parts}
    if kind == _SEVERITY:
        (severity,) = parts
        return Severity(severity)
    return _KINDS[kind](*map(_value, parts))
