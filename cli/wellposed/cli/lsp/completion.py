"""What can be written at a place: the words that the grammar accepts there, and the names that fit.

The tokens before the place are run through the parser's own table. Where they are wrong, the run goes on at the next
line that can begin something, so that an error above does not end all help below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lark import Token
from lsprotocol import types

from wellposed.cli.lsp import names
from wellposed.cli.lsp.documents import Document, Documents
from wellposed.cli.lsp.navigation import imported
from wellposed.compiler.scope import REPEATABLE
from wellposed.compiler.spelling import name as spelt
from wellposed.dsl import tree
from wellposed.dsl.codes import TABLE
from wellposed.dsl.grammar import Grammar, Reduction, load
from wellposed.dsl.vocabulary import (
    BUILT_IN_RULES,
    BUILT_IN_SKIN,
    FAULTY_SYSTEMS,
    LEVELS,
    NUMBER_FIELDS,
    POSTURES,
    REASONS,
    SKIN_WORDS,
    TEXT_FIELDS,
    VERDICTS,
)

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*\Z")
_IS_WORD = re.compile(r"[a-z][a-z-]*\Z")
_KEYWORD, _NAME, _VALUE = types.CompletionItemKind.Keyword, types.CompletionItemKind.Variable, types.CompletionItemKind.EnumMember

# The rules of the grammar that give a name its role, by what may stand there.
_VALUES: dict[str, Iterable[str]] = {
    "posture": POSTURES,
    "level": [f"L{one.number}" for one in LEVELS],
    "verdict": VERDICTS,
    "reason": REASONS,
    "system": FAULTY_SYSTEMS,
    "code": [row.id for row in TABLE],
    "field": (*TEXT_FIELDS, *NUMBER_FIELDS),
    "skin_word": SKIN_WORDS,
}
_DECLARING = ("label", "variable", "scenario_name", "conversation_name", "rules_name", "rule_name", "skin_name")


def completions(documents: Documents, document: Document, offset: int) -> list[types.CompletionItem]:
    """What can stand at an offset, in place of the word that ends there; nothing inside of strings and comments."""
    text = document.text
    word = _WORD.search(text[max(0, offset - 200) : offset])
    start = offset - (0 if word is None else len(word.group()))
    grammar = load()
    tokens = list(grammar.tokens(text[:start]))
    if _is_inside(text, tokens, start):
        return []
    states = _states(grammar, tokens)
    possible = grammar.possible(states)
    words = sorted({it for one in possible if (it := grammar.patterns.get(one)) is not None and _IS_WORD.match(it)})
    place = document.positions.range(start, offset)
    offered: dict[str, types.CompletionItem] = {}
    for role in sorted(_roles(grammar, states)) if "NAME" in possible else ():
        for label, detail, kind in _names(documents, document, role, start):
            offered.setdefault(label, _item(label, detail, kind, place, "0"))
    for field in NUMBER_FIELDS if "DOTTED" in possible else ():
        offered.setdefault(field, _item(field, "field", _VALUE, place, "0"))
    for one in words:
        offered.setdefault(one, _item(one, "", _KEYWORD, place, "1"))
    return list(offered.values())


def _item(label: str, detail: str, kind: types.CompletionItemKind, place: types.Range, order: str) -> types.CompletionItem:
    edit = types.TextEdit(place, label)
    return types.CompletionItem(label=label, detail=detail or None, kind=kind, sort_text=f"{order}{label}", text_edit=edit)


def _is_inside(text: str, tokens: list[Token], offset: int) -> bool:
    """Whether an offset is in a string that is open, or in a comment."""
    last = tokens[-1] if tokens else None
    if last is not None and last.type == "OPEN_STRING":
        return "\n" not in text[last.end_pos or 0 : offset]
    if last is not None and last.type == "LONG_STRING" and (len(last) < 6 or not last.endswith('"""')):
        return True
    behind = text[0 if last is None else last.end_pos or 0 : offset]
    return "#" in behind[behind.rfind("\n") + 1 :]


def _states(grammar: Grammar, tokens: list[Token]) -> list[int]:
    """The stack of states after the tokens; what cannot be read is passed over."""
    stack = [grammar.start]
    line = 0
    resuming = False
    for token in tokens:
        begins = token.line != line
        line = token.end_line or 0
        if resuming and not begins and token.type != "RBRACE":
            continue
        trial = list(stack)
        while trial and not grammar.advance(following := list(trial), token.type):
            # Out of the construct that is begun, to where the token can stand, but only at the start of a line.
            trial = trial[:-1] if begins or token.type == "RBRACE" else []
        resuming = not trial
        if trial:
            stack = following
    return stack


def _roles(grammar: Grammar, states: list[int]) -> set[str]:
    """The rules that a name at this place could be."""
    stack = list(states)
    if not grammar.advance(stack, "NAME"):
        return set()
    actions = [one for one in grammar.table[stack[-1]].values() if isinstance(one, Reduction)]
    return {it for one in actions for it in (one.origin, one.rule) if it is not None} - set(_DECLARING)


def _names(
    documents: Documents, document: Document, role: str, offset: int
) -> Iterator[tuple[str, str, types.CompletionItemKind]]:
    yield from ((one, role.replace("_", " "), _VALUE) for one in _VALUES.get(role, ()))
    around = _around(document, offset)
    scope = None if around is None else around.span.start
    variables = [it for it in document.names.declarations(names.VARIABLE, scope)] if scope is not None else []
    if role in ("name", "level", "posture", "rules_reference", "skin_reference", "atom"):
        yield from ((spelt(it.name), "parameter", _NAME) for it in variables)
    if role == "rules_reference":
        yield BUILT_IN_RULES, "built in", _VALUE
        yield from _shared(documents, document, names.RULES)
    elif role == "skin_reference":
        yield BUILT_IN_SKIN, "built in", _VALUE
        yield from _shared(documents, document, names.SKIN)
    elif role == "conversation":
        yield from ((spelt(it.name), "conversation", _NAME) for it in document.names.declarations(names.CONVERSATION, scope))
    elif role in ("message", "moment", "name", "original"):
        for it in document.names.declarations(names.RECORD, scope):
            is_message = isinstance(it.owner, tree.Deliver)
            fits = {"message": is_message, "original": isinstance(it.owner, REPEATABLE)}.get(role, True)
            if fits:
                yield spelt(it.name), "message" if is_message else "statement", _NAME
        if role == "name":
            loops = [it for it in document.names.all if it.declares and isinstance(it.owner, tree.For)]
            inside = (it for it in loops if isinstance(it.owner, tree.For) and it.owner.span.start <= offset <= it.owner.span.end)
            yield from ((spelt(it.name), "loop", _NAME) for it in inside)


def _shared(documents: Documents, document: Document, kind: str) -> Iterator[tuple[str, str, types.CompletionItemKind]]:
    for each in (document, *imported(documents, document)):
        where = "declared here" if each is document else each.path
        yield from ((spelt(it.name), where, _NAME) for it in each.names.declarations(kind))


def _around(document: Document, offset: int) -> tree.Declaration | None:
    """The declaration around an offset, or the last one that begins before it."""
    before = [one for one in (document.file.declarations if document.file else ()) if one.span.start <= offset]
    return before[-1] if before else None
