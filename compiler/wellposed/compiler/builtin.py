"""What needs no import: the skin `support-desk` and the rules `all`."""

from __future__ import annotations

from wellposed.compiler.scenario import Rule, RuleSet, Skin
from wellposed.dsl.vocabulary import BUILT_IN_RULES, BUILT_IN_SKIN

ALL_RULES = RuleSet(
    name=BUILT_IN_RULES,
    rules=(Rule(id=BUILT_IN_RULES, effect="admit", conditions=(), span=None),),
    span=None,
)
"""Admits every message."""

SUPPORT_DESK = Skin(
    name=BUILT_IN_SKIN,
    words=(
        ("message", "customer email"),
        ("work-item", "ticket"),
        ("agent", "agent"),
        ("effect", "email reply"),
        ("draft", "proposed reply"),
        ("approval", "go-ahead"),
    ),
    span=None,
)
"""The skin of a scenario that names none."""
