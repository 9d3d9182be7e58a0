"""The scenarios that tests of the judge use, and systems that conform in them."""

from __future__ import annotations

from functools import cache

from tests.judge.runs import Act, admit, bundle_of, claim, draft, resolve, send

from wellposed.compiler.bundle import Bundle

HEAD = """scenario {name} {{
  level L{level}
  horizon {horizon}
  conversation order {{ from "ada@example.test" subject "Where is my order?" anchor "ORD-1001" }}
  conversation other {{ from "bob@example.test" subject "Where is my order?" anchor "ORD-2002" }}
"""
BODY = "Regarding ORD-1001."
OTHER = "Regarding ORD-2002."


@cache
def world(level: int, events: str, expect: str = "", horizon: int = 60, name: str = "world") -> Bundle:
    """A scenario of this level with these events and expectations."""
    text = HEAD.format(name=name, level=level, horizon=horizon) + events + "\n"
    return bundle_of(text + (f"  expect {{ {expect} }}\n" if expect else "") + "}\n")


DELIVERED = '  at 0 deliver m1 in order "Hello?"\n'
APPROVED = DELIVERED + "  at 12 approve m1\n"
ESCALATED = APPROVED + "  at 12 escalate m1\n"


def answered(at: int = 14, message: str = "m1", body: str = BODY) -> list[Act]:
    """A system that admits and drafts at once, and sends and completes at a tick."""
    more = {} if body == BODY else {"conversation_id": "other"}
    return [admit(0, message), draft(1, message, body, **more), send(at, message), resolve(at, message)]


def given_up(at: int, reason: str, message: str = "m1") -> list[Act]:
    return [admit(0, message), draft(1, message, BODY), resolve(at, message, reason)]


def fleet(*more: Act) -> list[Act]:
    """An item whose agent a1 dies at 6 and that a2 takes over."""
    return [admit(0, "m1"), claim(0, "m1", "a1", "won"), draft(1, "m1", BODY), claim(8, "m1", "a2", "won"), *more]
