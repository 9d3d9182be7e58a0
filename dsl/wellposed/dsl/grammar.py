"""The grammar as this front end runs it: lark reads `grammar.lark`, and its LALR(1) table is taken over here.

The table is run in `parser.py` and not by lark, because a message needs to know what could have stood at the wrong
token (lark's own state has by then been reduced past it), and because nodes are built as the rules complete. Nothing
is cached on disk: lark's cache is a pickle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token
from lark.common import LexerConf
from lark.lexer import BasicLexer, LexerState
from lark.utils import TextSlice

END = "$END"
START_SYMBOLS = ["file", "unused"]


@dataclass(frozen=True, slots=True)
class Reduction:
    """A completed production: pop `size` symbols and build `rule` from those at the indices `kept`.

    `kept` leaves out words and signs that carry no meaning. `rule` is None where the values are passed on: all of them,
    spliced into what is built next (`spliced`: repetitions, and rules named `_…`), else the only one. `repeats` is set
    for repetitions alone, whose values do not depend on each other.
    """

    origin: str
    rule: str | None
    size: int
    kept: tuple[int, ...]
    spliced: bool
    repeats: bool


Action = int | Reduction


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """Lexer and table. `table[state]` has shifts (a state) and reductions by terminal, and gotos by rule."""

    lexer: BasicLexer
    table: Mapping[int, Mapping[str, Action]]
    start: int
    accept: int
    first: Mapping[str, frozenset[str]]
    patterns: Mapping[str, str | None]
    terminals: frozenset[str]

    def tokens(self, text: str) -> Iterator[Token]:
        """The tokens of a text, without comments and space, lazily. Never fails: a terminal for strays catches all."""
        return self.lexer.lex(LexerState(TextSlice.cast_from(text)), None)

    def advance(self, stack: list[int], terminal: str) -> bool:
        """Take `terminal` on a stack of states; False, with the stack spoilt, where it cannot stand."""
        while True:
            action = self.table[stack[-1]].get(terminal)
            if action is None:
                return False
            if isinstance(action, int):
                stack.append(action)
                return True
            if action.size:
                del stack[-action.size :]
            goto = self.table[stack[-1]][action.origin]
            assert isinstance(goto, int)
            stack.append(goto)
            if terminal == END and goto == self.accept:
                return True

    def possible(self, stack: Sequence[int]) -> list[str]:
        """The terminals that could follow on a stack of states."""
        row = self.table[stack[-1]]
        return [terminal for terminal in row if terminal in self.terminals and self.advance(list(stack), terminal)]

    def shifting_state(self, stack: Sequence[int], terminal: str) -> int | None:
        """The state in which `terminal` would be shifted after the reductions that it allows; None if it cannot be."""
        trial = list(stack)
        if not self.advance(trial, terminal):
            return None
        return trial[-2] if len(trial) > 1 else trial[-1]


@cache
def load() -> Grammar:
    """Read the grammar and build its table, once per process (about 40 ms)."""
    return _from_lark(_lark())


def grammar_text() -> str:
    """The text of `grammar.lark`."""
    return Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")


class _UncheckedLexer(BasicLexer):
    """Without the search for colliding terminals, which a test does in strict mode: it costs more than all the rest."""

    def __init__(self, conf: LexerConf, comparator: Any = None) -> None:
        conf.skip_validation = True
        super().__init__(conf, comparator)


def _lark() -> Lark:
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="basic",
        start=START_SYMBOLS,
        maybe_placeholders=False,
        _plugins={"BasicLexer": _UncheckedLexer},
    )


def _from_lark(lark: Lark) -> Grammar:
    lexer: BasicLexer = lark.parser.lexer
    parse_table = lark.parser.parser.parser.parse_table
    reductions = {rule: _reduction(rule) for rule in lark.rules}
    table = {
        state: {symbol: reductions.get(argument, argument) for symbol, (_, argument) in actions.items()}
        for state, actions in parse_table.states.items()
    }
    patterns = {t.name: t.pattern.value if t.pattern.type == "str" else None for t in lark.terminals}
    start, accept = parse_table.start_states["file"], parse_table.end_states["file"]
    terminals = frozenset(patterns) | {END}
    return Grammar(lexer, table, start, accept, _first_sets(lark.rules), patterns, terminals)


def _reduction(rule: Any) -> Reduction:
    # lark's own conventions: a rule marked `?` that keeps one value is that value; `_…` is spliced into its parent,
    # and so are lark's helpers for repetitions, `__…`.
    kept = tuple(i for i, symbol in enumerate(rule.expansion) if not (symbol.is_term and symbol.filter_out))
    origin = str(rule.origin.name)
    spliced = origin.startswith("_")
    passed_on = spliced or (rule.options.expand1 and rule.alias is None and len(kept) == 1)
    name = None if passed_on else str(rule.alias or origin)
    return Reduction(origin, name, len(rule.expansion), kept, spliced, origin.startswith("__"))


def _first_sets(rules: list[Any]) -> dict[str, frozenset[str]]:
    """For every rule, the terminals that it can begin with."""
    first: dict[str, set[str]] = {str(rule.origin.name): set() for rule in rules}
    nullable: set[str] = set()
    before = -1
    while before != (before := sum(map(len, first.values())) + len(nullable)):
        for rule in rules:
            origin = str(rule.origin.name)
            for symbol in rule.expansion:
                first[origin] |= {symbol.name} if symbol.is_term else first[symbol.name]
                if symbol.name not in nullable:
                    break
            else:
                nullable.add(origin)
    return {name: frozenset(terminals) for name, terminals in first.items()}
