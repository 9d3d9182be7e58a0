"""What the table of the grammar says about constructs: where they stand line by line, and what begins them.

A construct is what stands one behind another in some block: a statement, an expectation, a rule, a declaration. Between
two of them a run is in one of the *block states*; that is where it can go on when something in a construct is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from lark import Token

from wellposed.dsl.grammar import END, Grammar
from wellposed.dsl.wording import LONGEST_SHOWN

CONSTRUCTS = frozenset(
    {
        *("import", "declaration", "header", "item", "part", "expectation", "guarded", "rule", "skin_entry"),
        *("conversation_line", "override", "stub_line"),
    }
)
"""The rules of `wording.RULES` that stand one behind another."""

_ENDS = ("RBRACE", END)

# The shortest contents of blocks that cannot be empty.
_FILLERS = (
    (),
    ("CRASH",),
    ("NAME", "OPEN"),
    ("CATCHES", "NAME"),
    ("REPLY", "NAME", "STRING"),
    ("REFUSE", "REST"),
    ("NAME", "STRING"),
)


@cache
def starts(grammar: Grammar) -> frozenset[str]:
    """The words that begin a construct in some block."""
    words = frozenset[str]().union(*(grammar.first[rule] for rule in CONSTRUCTS))
    return words - {"NAME", "BACKQUOTED"}


@cache
def block_states(grammar: Grammar) -> frozenset[int]:
    """The states in which a construct of some block begins."""
    return frozenset(state for state, row in grammar.table.items() if row.keys() & CONSTRUCTS)


@cache
def _behind(grammar: Grammar, terminal: str) -> frozenset[int]:
    """The states right behind a terminal."""
    shifts = (row.get(terminal) for row in grammar.table.values())
    return frozenset(state for state in shifts if isinstance(state, int))


def begins(grammar: Grammar, kind: str, following: str) -> bool:
    """Whether a token looks like the first of a construct, or like the end of a block, wherever it stands."""
    if kind in ("NAME", "BACKQUOTED"):
        return following in ("COLON", "COMMA", "LSQB") or following in grammar.first["predicate"]
    return kind in starts(grammar) or kind in _ENDS


def begins_at(grammar: Grammar, tokens: Sequence[Token], index: int) -> bool:
    """Whether the token at an index looks like the first of a construct, or like the end of a block."""
    return begins(grammar, tokens[index].type, tokens[index + 1].type if index + 1 < len(tokens) else END)


def opens_line(grammar: Grammar, tokens: Sequence[Token], index: int, block: Sequence[int]) -> bool:
    """Whether the first token of a line begins a construct in a block, or is a name where a word would.

    Such a name is close to a word in spelling, or what follows is right behind some word.
    """
    if resumption(grammar, block, tokens[index].type, 0) is not None:
        return True
    possible = grammar.possible(block)
    if tokens[index].type != "NAME" or misspelt(grammar, tokens[index], possible) is not None:
        return tokens[index].type == "NAME"
    behind = [token.type for token in tokens[index + 1 : index + 3]]
    return any(
        all(grammar.advance(states, kind) for kind in (word, *behind))
        for word in starts(grammar).intersection(possible)
        if (states := list(block))
    )


def begins_line(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token is the first on its line."""
    return index > 0 and tokens[index].line != tokens[index - 1].end_line


def is_between(grammar: Grammar, states: Sequence[int]) -> bool:
    """Whether what stands before is complete, so that a construct or the end of its block was due."""
    return states[-1] in block_states(grammar) or any(grammar.advance(list(states), end) for end in _ENDS)


def sizes_down_to_block(grammar: Grammar, states: Sequence[int]) -> Iterator[int]:
    """How many states are left as the construct that is begun is dropped, up to the block that it is in."""
    blocks, opened, closed = block_states(grammar), _behind(grammar, "LBRACE"), _behind(grammar, "RBRACE")
    inner = 0  # blocks of the construct itself
    for size in range(len(states), 0, -1):
        state = states[size - 1]
        if not inner:
            yield size
            if state in blocks:
                return
        inner += (state in closed) - (state in opened)


def block_below(grammar: Grammar, states: Sequence[int]) -> list[int]:
    """The states up to the innermost block, as they were before the construct that is begun."""
    *_, size = sizes_down_to_block(grammar, states)
    return list(states[:size])


def resumed(grammar: Grammar, states: Sequence[int], kind: str, closers: int = 0) -> list[int] | None:
    """The states from which `kind` begins a construct of the innermost block, or ends it; None if it does neither.

    So many blocks may end before it without a `}`.
    """
    for size in sizes_down_to_block(grammar, states):
        onto = list(states[:size])
        inserted = resumption(grammar, onto, kind, closers)
        if inserted is not None:
            for terminal in inserted:
                grammar.advance(onto, terminal)
            return onto
    return None


def resumption(grammar: Grammar, states: Sequence[int], kind: str, closers: int) -> tuple[str, ...] | None:
    """What to put in so that `kind` begins a construct or ends a block: the least number of `}`, if any.

    Something is put in before it where a block is empty that cannot be.
    """
    blocks = block_states(grammar)
    for filler in _FILLERS if states[-1] in blocks else _FILLERS[:1]:
        trial = list(states)
        if not all(grammar.advance(trial, terminal) for terminal in filler):
            continue
        for count in range(closers + 1):
            shifting = grammar.shifting_state(trial, kind)
            if shifting in blocks or (shifting is not None and kind in _ENDS):
                return filler + ("RBRACE",) * count
            if not grammar.advance(trial, "RBRACE"):
                break
    return None


def misspelt(grammar: Grammar, token: Token, terminals: Iterable[str]) -> str | None:
    """The word among `terminals` that a token was meant to be, if it is a name that is close to one."""
    return nearest(grammar, str(token), frozenset(terminals)) if token.type == "NAME" else None


@lru_cache(maxsize=4096)
def nearest(grammar: Grammar, written: str, terminals: frozenset[str]) -> str | None:
    """The word among `terminals` that is written most like this, if it is close."""
    from difflib import get_close_matches  # here, because most runs never need it

    if len(written) > LONGEST_SHOWN:
        return None
    words = {word: kind for kind in sorted(terminals) if (word := grammar.patterns.get(kind)) and word[0].isalpha()}
    lower = written.lower()
    swapped = [word for word in words if sorted(word) == sorted(lower)]
    close = swapped or get_close_matches(lower, sorted(words), n=1, cutoff=0.7)
    return words[close[0]] if close else None
