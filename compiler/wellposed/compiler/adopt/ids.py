"""What a fixture's ids become: names of the language, and the messages behind work ids."""

from __future__ import annotations

import re
from collections import Counter

from wellposed.compiler.adopt.report import UNKNOWN_WORK, AdoptReport, Item
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.shapes import WORK_PREFIX
from wellposed.dsl.vocabulary import GHOST_PREFIX

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_STRANGE = re.compile(r"[^A-Za-z0-9_.-]+")
# How work ids are made of message ids.
_PREFIXES = (WORK_PREFIX, "work-", "work_", "item:", "item-", "ticket:", "ticket-")


class Ids:
    """What the things of one space of names are called in the language: as in the fixture wherever that is possible."""

    def __init__(self, report: AdoptReport) -> None:
        self._report = report
        self._used: set[str] = set()
        self._numbers: Counter[str] = Counter()
        self._names: dict[tuple[str, str], str] = {}

    def find(self, kind: str, id: str) -> str | None:
        """The name of a thing that has one already."""
        return self._names.get((kind, id))

    def name(self, kind: str, id: str, item: Item | None) -> str:
        """The name of the `kind` that the fixture calls `id`; another one is a guess that is reported."""
        known = self._names.get((kind, id))
        return known or self.own(kind, id, item)

    def own(self, kind: str, id: str, item: Item | None) -> str:
        """As `name`, for something new, which the fixture may call by the id of another thing."""
        fitting = id if _fits(id) else _STRANGE.sub("-", id).lstrip("-.")[: LIMITS.id_length - 8]
        if fitting == "" or not _fits(fitting):
            fitting = f"{kind}-{fitting}" if fitting else kind
        name, stem = fitting, fitting[: LIMITS.id_length - 8].casefold()
        while name.casefold() in self._used:
            self._numbers[stem] += 1
            name = f"{fitting[: LIMITS.id_length - 8]}-{self._numbers[stem] + 1}"
        if name != id:
            self._report.guess(f"the {kind} {id[:64]!a} is called `{name}`", item)
        self._used.add(name.casefold())
        self._names[kind, id] = name
        return name

    def derived(self, stem: str) -> str:
        """An id for a record that has none, as the language derives it."""
        while True:
            self._numbers[stem + "."] += 1
            name = f"{stem}.{self._numbers[stem + '.']}"
            if name.casefold() not in self._used:
                self._used.add(name.casefold())
                return name


def _fits(id: str) -> bool:
    longest = LIMITS.expanded_id_length if "." in id else LIMITS.id_length
    return _ID.fullmatch(id) is not None and len(id) <= longest and not id.casefold().startswith(GHOST_PREFIX)


class WorkItems:
    """Which message's work item a fixture means by a work id."""

    def __init__(self, report: AdoptReport) -> None:
        self._report = report
        self._messages: dict[str, str] = {}
        self._conversations: dict[str, dict[str, None]] = {}

    def add(self, id: str, name: str, conversation: str) -> None:
        """A message by its id in the fixture, its name, and its conversation's id in the fixture."""
        self._messages[id] = name
        self._conversations.setdefault(conversation, {})[name] = None

    def message(self, item: Item) -> str | None:
        """The message with this id, or None after reporting that there is none."""
        found = self._messages.get(item.value) if isinstance(item.value, str) else None
        if found is None:
            self._unknown(item, "a message")
        return found

    def work(self, item: Item) -> str | None:
        """The message whose work item has this id, or None after reporting that there is none."""
        found = self.guess(item) if isinstance(item.value, str) else None
        if found is None:
            self._unknown(item, "the work item of a message")
        return found

    def guess(self, item: Item) -> str | None:
        """As `work`, but nothing is reported where there is none."""
        id: str = item.value
        if id in self._messages:
            self._report.guess("a work id that is the id of a message means the work item of that message", item)
            return self._messages[id]
        for prefix in _PREFIXES:
            if id.startswith(prefix) and id.removeprefix(prefix) in self._messages:
                if prefix != WORK_PREFIX:
                    self._report.guess(f"a work id `{prefix}` and the id of a message means its work item", item)
                return self._messages[id.removeprefix(prefix)]
        for prefix in ("", *_PREFIXES):
            conversation = self._conversations.get(id.removeprefix(prefix)) if id.startswith(prefix) else None
            if conversation is not None and len(conversation) == 1:
                self._report.guess("a work id that names a conversation means the work item of its one message", item)
                return next(iter(conversation))
        return None

    def conversation(self, item: Item) -> str | None:
        """The one message of this conversation, or None after reporting that it has none or several."""
        own = self._conversations.get(item.value, {}) if isinstance(item.value, str) else {}
        if len(own) != 1:
            self._unknown(item, "a conversation with exactly one message")
            return None
        return next(iter(own))

    def _unknown(self, item: Item, what: str) -> None:
        shown = ascii(item.value[:64]) if isinstance(item.value, str) else "this"
        self._report.refuse(UNKNOWN_WORK, f"{shown} is not {what} of this fixture", item)
