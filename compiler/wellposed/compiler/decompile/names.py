"""Names as a decompiled source writes them: `m[3]` for what a loop made of `m`, backquotes for what is no name otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.references import record_id
from wellposed.compiler.spelling import is_name, name

_INDEXED = re.compile(r"([^.]+)((?:\.(?:0|[1-9][0-9]{0,14}))+)")


class Names:
    """The names of one document. A name has the same number of indices everywhere, or it is written without any."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._records = _indexable(record_id(entry)[1] for entry in document["schedule"])
        self._conversations = _indexable(one["conversation_id"] for one in document["stub"]["replies"])

    def record(self, id: str) -> str:
        """A message or a named statement."""
        return _spelt(id, self._records)

    def conversation(self, id: str) -> str:
        """A conversation."""
        return _spelt(id, self._conversations)


def _indexable(ids: Iterable[str]) -> frozenset[str]:
    """The names of which all ids are made with one number of indices, at least one."""
    counts: dict[str, set[int]] = {}
    for id in ids:
        match = _INDEXED.fullmatch(id)
        base, count = (id, 0) if match is None else (match[1], match[2].count("."))
        counts.setdefault(base, set()).add(count)
    return frozenset(
        base
        for base, found in counts.items()
        if len(found) == 1 and found != {0} and is_name(base) and len(base) <= LIMITS.id_length
    )


def _spelt(id: str, indexable: frozenset[str]) -> str:
    match = _INDEXED.fullmatch(id)
    if match is None or match[1] not in indexable:
        return name(id)
    return match[1] + "".join(f"[{index}]" for index in match[2][1:].split("."))
