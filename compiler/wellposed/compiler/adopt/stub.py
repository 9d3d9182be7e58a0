"""The stub model of a fixture: anchors in order and canned replies, as far as they belong to conversations."""

from __future__ import annotations

import re
from typing import Any

from wellposed.compiler.adopt import words
from wellposed.compiler.adopt.ids import Ids
from wellposed.compiler.adopt.report import WRONG_VALUE, AdoptReport, Item, drop_others, member, required, text
from wellposed.compiler.decompile.rules import default_reply

Record = dict[str, Any]
_ANCHOR = re.compile(r"\{\{anchor\}\}|\{anchor\}")


class StubReader:
    """Reads `stub.json`; conversations that it names and the inbox does not are taken over too."""

    def __init__(self, conversations: Ids, messages: list[Record], report: AdoptReport) -> None:
        self._conversations = conversations
        self._messages = messages
        self._report = report
        self._anchors: dict[str, str] = {}
        self._replies: dict[str, list[Any]] = {}
        self.places: dict[str, Item] = {}

    def read(self, item: Item | None) -> Record:
        """The stub of a bundle document; without a file, default replies and no anchors."""
        if item is None:
            self._report.guess("there is no stub.json, so no conversation has an anchor")
        elif not isinstance(item.value, dict):
            self._report.refuse(WRONG_VALUE, "the stub is an object", item)
        else:
            drop_others(item, list(words.ANCHORS.values()), self._report)
            # Replies first: they declare the conversations.
            replies = member(item, words.ANCHORS["replies"], self._report)
            if replies is not None:
                self._read_replies(replies)
            for one in self._list(member(item, words.ANCHORS["anchors"], self._report)):
                self._anchor(one)
        for message in self._messages:
            self._replies.setdefault(message["conversation_id"], [])
        return {
            "anchors": [{"anchor": anchor, "conversation_id": one} for one, anchor in self._anchors.items()],
            "replies": [{"conversation_id": one, "parts": self._parts(one)} for one in self._replies],
        }

    def _list(self, item: Item | None) -> list[Item]:
        if item is None or isinstance(item.value, list):
            return [] if item is None else item.items()
        self._report.refuse(WRONG_VALUE, "this is a list", item)
        return []

    def _read_replies(self, item: Item) -> None:
        if isinstance(item.value, dict):
            for id in item.value:
                self._reply(self._conversations.name("conversation", id, item), item.at(id))
            return
        for one in self._list(item):
            if not isinstance(one.value, dict):
                self._report.drop("a canned reply that names no conversation", one)
                continue
            drop_others(one, list(words.REPLY.values()), self._report)
            conversation = required(one, words.REPLY["conversation_id"], "a reply", self._report)
            id = text(conversation, self._report)
            given = member(one, words.REPLY["parts"], self._report) or required(
                one, words.REPLY["text"], "a reply without `parts`", self._report
            )
            if id is not None and conversation is not None and given is not None:
                self._reply(self._conversations.name("conversation", id, conversation), given)

    def _reply(self, conversation: str, item: Item) -> None:
        if conversation in self._replies:
            self._report.refuse(WRONG_VALUE, f"`{conversation}` has two replies", item)
        parts = item.items() if isinstance(item.value, list) else [item]
        read: list[Any] = []
        for part in parts:
            if isinstance(part.value, dict) and part.value == {"anchor": True}:
                read.append(part.value)
            else:
                read += self._template(text(part, self._report) or "", split=part is item)
        self._replies[conversation] = _merged(read)
        self.places[conversation] = item

    def _template(self, template: str, split: bool) -> list[Any]:
        """The parts of a reply given as one text, in which the anchor's place is marked."""
        if not split:
            return [template]
        pieces = _ANCHOR.split(template)
        parts: list[Any] = [pieces[0]]
        for piece in pieces[1:]:
            parts += [{"anchor": True}, piece]
        return parts

    def _anchor(self, item: Item) -> None:
        if isinstance(item.value, str):
            anchor, conversation = item.value, self._carrier(item.value)
            if conversation is None:
                self._report.drop("an anchor that stands in the messages of no conversation, or of several", item)
                return
            self._report.guess("an anchor belongs to the conversation whose messages carry it", item)
        elif isinstance(item.value, dict):
            drop_others(item, list(words.ANCHOR.values()), self._report)
            place = required(item, words.ANCHOR["conversation_id"], "an anchor", self._report)
            id, given = (
                text(place, self._report),
                text(required(item, words.ANCHOR["anchor"], "an anchor", self._report), self._report),
            )
            if id is None or place is None or given is None:
                return
            anchor, conversation = given, self._conversations.name("conversation", id, place)
        else:
            self._report.refuse(WRONG_VALUE, "an anchor is a string, or an object with `anchor`", item)
            return
        if not anchor or conversation in self._anchors:
            self._report.drop("a second anchor of one conversation, or an empty one", item)
            return
        self._anchors[conversation] = anchor
        self._replies.setdefault(conversation, [])

    def _carrier(self, anchor: str) -> str | None:
        carriers = {
            one["conversation_id"] for one in self._messages if anchor in one["body"] or anchor in one["subject"]
        }
        return carriers.pop() if len(carriers) == 1 and anchor else None

    def _parts(self, conversation: str) -> list[Any]:
        anchored = conversation in self._anchors
        if conversation not in self.places:
            self._report.guess("a conversation without a reply has the reply that the language gives it")
            return default_reply(anchored)
        parts = self._replies[conversation]
        if not anchored and {"anchor": True} in parts:
            self._report.guess("a reply without an anchor to carry is given without it", self.places[conversation])
            return _merged([part for part in parts if isinstance(part, str)])
        return parts


def _merged(parts: list[Any]) -> list[Any]:
    """The parts with texts that follow each other made one, and empty ones left out."""
    merged: list[Any] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return merged
