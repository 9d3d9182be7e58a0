"""Header lines: required ones, defaults, and values in their ranges."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wellposed.compiler.builtin import SUPPORT_DESK
from wellposed.compiler.conditions import unknown_posture
from wellposed.compiler.library import Library
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.scenario import RuleSet, Skin
from wellposed.compiler.texts import plain
from wellposed.compiler.times import Times
from wellposed.dsl import tree
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import BUILT_IN_RULES, LEVELS, MAX_HORIZON, POSTURES

_LEVEL = re.compile(r"L(0|[1-9][0-9]?)", re.ASCII)
_EXAMPLES = {"level": "level L2", "horizon": "horizon 40"}


class Headers:
    """The header of one scenario; a value that is missing or wrong is None, and reported."""

    def __init__(self, node: tree.Scenario, library: Library, times: Times, reporter: Reporter) -> None:
        self._reporter = reporter
        self._library = library
        self._times = times
        # The parser refuses a line given twice.
        self._lines = {line.word: line for line in node.headers}
        self.title: str = node.name.text
        self.level: int | None = self._level(node.name)
        self.horizon: int | None = self._horizon(node.name)
        self.posture: str | None = "normal"
        self.rules: RuleSet | None = library.rules[BUILT_IN_RULES]
        self.skin: Skin | None = SUPPORT_DESK
        self._optional()

    def span(self, word: str) -> Span | None:
        """Where a header line stands, None where it is not written."""
        line = self._lines.get(word)
        return None if line is None else line.span

    @property
    def spans(self) -> Mapping[str, Span]:
        """The lines that are written, by word."""
        return {word: line.span for word, line in self._lines.items()}

    def _missing(self, word: str, name: tree.Name) -> None:
        self._reporter.add(
            "WP207",
            name.span,
            f"the scenario `{name.text}` has no {word}",
            help=f"add a line such as `{_EXAMPLES[word]}` to its head",
        )

    def _level(self, name: tree.Name) -> int | None:
        line = self._lines.get("level")
        if line is None:
            self._missing("level", name)
            return None
        value = line.value
        written = value.text if isinstance(value, tree.Name) else ""
        match = _LEVEL.fullmatch(written)
        if match is not None and int(match[1]) < len(LEVELS):
            return int(match[1])
        self._reporter.add(
            "WP206",
            value.span,
            f"there is no level `{written}`" if written else "a level is one of the words L0 to L6",
            help=f"levels are L0 to L{len(LEVELS) - 1}",
        )
        return None

    def _horizon(self, name: tree.Name) -> int | None:
        line = self._lines.get("horizon")
        if line is None:
            self._missing("horizon", name)
            return None
        assert not isinstance(line.value, tree.Text), "the parser reads an expression here"
        value = self._times.number(line.value, "the horizon")
        if value is not None and value > MAX_HORIZON:
            self._reporter.add(
                "WP208",
                line.value.span,
                f"the horizon {value} is too far away",
                help=f"the last tick is at most {MAX_HORIZON}",
            )
            return None
        return value

    def _optional(self) -> None:
        for word, line in self._lines.items():
            value = line.value
            if word == "title" and isinstance(value, tree.Text):
                self.title = plain(value, self._reporter, "title")
            elif word == "posture" and isinstance(value, tree.Name):
                self.posture = value.text if value.text in POSTURES else None
                if self.posture is None:
                    unknown_posture(value, self._reporter)
            elif word == "rules" and isinstance(value, tree.Name):
                self.rules = self._library.find_rules(value, self._reporter)
            elif word == "skin" and isinstance(value, tree.Name):
                self.skin = self._library.find_skin(value, self._reporter)
