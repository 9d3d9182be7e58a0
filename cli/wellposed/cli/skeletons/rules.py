"""A starting point for a rules file: a few rules, each of its own kind, that do not get in each other's way."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from wellposed.cli.skeletons.parts import comment
from wellposed.compiler.spelling import name as spelt


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that rules can look at: a line for the list to choose from, a comment, and a rule."""

    name: str
    what: str
    comment: str
    rule: str


CHOICES = (
    Choice(
        "sender",
        "who writes",
        "Mail of these senders. What is to be refused among it needs a rule of its own before this one: the first decides.",
        'admit partners when from ends with "@partner.test" and posture is normal',
    ),
    Choice(
        "posture",
        "the posture that is in force",
        "In the posture vip-only only these senders are served. Other postures are normal and maintenance.",
        'admit vip when posture is vip-only and from in ["ceo@example.test", "cfo@example.test"]',
    ),
    Choice(
        "subject",
        "the words of the subject",
        "What the desk is there for. All text is compared exactly, upper and lower case included.",
        'admit orders when subject contains "order" and posture is normal',
    ),
    Choice(
        "history",
        "what was written before",
        "Senders who have written at least twice before; mail that was not admitted counts, duplicates do not.",
        "admit known when sender.messages >= 2 and posture is normal",
    ),
)
DEFAULT = ("posture", "subject")


def skeleton(name: str, choices: Collection[str]) -> str:
    """The source, not yet laid out, with the rules of these choices."""
    lines = [
        *comment(
            "Which messages become work. The first rule that matches a message decides; the conditions of a rule, joined by "
            "`and`, must all hold; what no rule admits is no work."
        ),
        "#",
        *comment(
            f'A scenario beside this file imports it with `import "FILE.rules"` and names it with `rules {name}`.'
        ),
        "",
        f"rules {spelt(name)} {{",
    ]
    for choice in CHOICES:
        if choice.name in choices:
            lines += [*comment(choice.comment, "  "), f"  {choice.rule}", ""]
    return "\n".join([*lines, *comment("Everything else.", "  "), "  refuse rest", "}"]) + "\n"
