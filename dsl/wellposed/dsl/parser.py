"""`parse`: from a source text to its syntax tree.

One pass: tokens are checked as they come (`lexing.py`), run through the LALR(1) table (`grammar.py`), and nodes are
built as rules complete (`build.py`). No step recurses, whatever the input.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from lark import Token

from wellposed.dsl import tree
from wellposed.dsl.build import Builder, builders
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.form import check_form
from wellposed.dsl.grammar import Grammar, Reduction, load
from wellposed.dsl.lexing import REFUSED, checked_tokens, span_between
from wellposed.dsl.mistakes import LOOK_AHEAD, explain
from wellposed.dsl.source import SourceFile, invisible_characters

MAX_FINDINGS = 100
"""How many findings are reported of one text."""


class _Spliced(list[object]):
    """Values that become values of their own in whatever is built from them."""


def parse(source: SourceFile) -> tuple[tree.File | None, tuple[Finding, ...]]:
    """The syntax tree of a text, or None and what is wrong with it, in source order.

    The suffix of the path decides what the file may hold: `.rules` and `.skin` only their kind, anything else all.
    Reports the first error of syntax (WP120 to WP127), all errors of tokens, strings and numbers before it (WP110 to
    WP119), and all invisible characters (WP106), up to MAX_FINDINGS. There is a tree exactly when there is no finding.
    """
    findings: list[Finding] = []
    file = _run(source, load(), findings)
    if file is not None:
        findings += check_form(file)
    findings += islice(invisible_characters(source), MAX_FINDINGS)
    if not findings:
        return file, ()
    return None, tuple(sorted(findings, key=_start)[:MAX_FINDINGS])


def _run(source: SourceFile, grammar: Grammar, findings: list[Finding]) -> tree.File | None:
    table, make = grammar.table, builders(source, findings)
    states, values, firsts = [grammar.start], list[object](), list[Token]()
    seen: list[Token] = []
    stream = checked_tokens(grammar.tokens(source.text), source, findings)
    last = None
    for token in stream:
        seen.append(token)
        kind = token.type
        while True:
            action = table[states[-1]].get(kind)
            if isinstance(action, int):
                states.append(action)
                values.append(token)
                firsts.append(token)
                last = token
                break
            if action is None:
                if kind != REFUSED:
                    wrong, known = len(seen) - 1, len(findings)
                    seen += islice(stream, LOOK_AHEAD)
                    findings[known:] = [explain(grammar, source, seen, wrong)]
                return None
            if size := action.size:
                first = firsts[-size]
                parts = values[-size:]
                del states[-size:], values[-size:], firsts[-size:]
            else:
                first, parts = token, []
            value = _reduced(action, parts, first, last or token, source.path, make)
            goto = table[states[-1]][action.origin]
            assert isinstance(goto, int)
            if goto == grammar.accept:
                assert isinstance(value, tree.File)
                return value
            states.append(goto)
            values.append(value)
            firsts.append(first)
    return None


def _reduced(
    action: Reduction, parts: list[object], first: Token, last: Token, path: str, make: Mapping[str, Builder]
) -> object:
    if action.rule is None and not action.spliced:
        return parts[action.kept[0]]
    if action.spliced and parts and isinstance(parts[0], _Spliced):
        arguments, kept = parts[0], action.kept[1:]  # a repetition grows in place: linear in its length
    else:
        arguments, kept = _Spliced(), action.kept
    for index in kept:
        part = parts[index]
        if isinstance(part, _Spliced):
            arguments += part
        else:
            arguments.append(part)
    if action.rule is None:
        return arguments
    return make[action.rule](*arguments, span_between(first, last, path))


def _start(finding: Finding) -> tuple[int, str]:
    return (finding.place.start if isinstance(finding.place, Span) else 0), finding.code
