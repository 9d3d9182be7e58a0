"""From a token that cannot stand where it stands to one finding in the author's terms.

Every kind of mistake is one function of the `WrongToken`; the first that recognises it speaks. The last one always
does: it names what was expected.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from lark import Token

from wellposed.dsl.advice import advice, advice_on_missing, advice_on_name, statement_as_name
from wellposed.dsl.advice_only import is_condition
from wellposed.dsl.asked import asked_for
from wellposed.dsl.brackets import Brackets
from wellposed.dsl.constructs import misspelt
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.grammar import END, Grammar
from wellposed.dsl.lexing import CLOSERS, OPENERS, span_between
from wellposed.dsl.place import WrongToken
from wellposed.dsl.source import SourceFile
from wellposed.dsl.wording import RULES, found_words, quoted

_LONGEST_STATEMENT = 400
"""How many tokens are looked at behind a name that may be the second of its statement."""


def explain(
    grammar: Grammar,
    source: SourceFile,
    tokens: Sequence[Token],
    wrong: int,
    stacks: Sequence[Sequence[int]],
    brackets: Brackets,
) -> Finding:
    """The finding for `tokens[wrong]`, which cannot follow those before it; the arguments are of `WrongToken`.

    Codes WP120 to WP126, WP128 and WP129.
    """
    place = WrongToken(grammar, source, tokens, wrong, stacks, brackets)
    return next(finding for mistake in _MISTAKES if (finding := mistake(place)) is not None)


def _closes_nothing(place: WrongToken) -> Finding | None:
    closer = place.token
    if closer.type not in CLOSERS:
        return None
    still_open = place.brackets.open
    if still_open and not still_open[-1]:
        return None
    if all(opener.type != CLOSERS[closer.type] for opener in still_open):
        return place.error("WP122", f"this `{closer}` closes nothing")
    if still_open[-1].type != CLOSERS[closer.type]:
        return _unclosed(place, still_open[-1], f"this `{closer}` does not close `{still_open[-1]}`")
    return None


def _unclosed(
    place: WrongToken, opener: Token, message: str, at: Span | None = None, help: str | None = None
) -> Finding:
    label = (opener, f"this `{opener}` is never closed") if opener else None  # a repair may have made it up
    return place.error("WP121", message, at, label, help)


def _end_of_file(place: WrongToken) -> Finding | None:
    if place.token.type != END or place.before is None:
        return None
    at = place.end_of(place.before)
    message = f"expected {place.expected} after {_after(place.before)}, but the file ends"
    missing = place.brackets.never_closed(place.wrong)
    if missing is None:
        return place.error("WP120", message, at)
    opener, behind = missing
    if place.between_constructs:
        if behind is not place.token:
            return _missing_before(place, opener, behind)
        message = f"the file ends, but a `{opener}` is still open"
        help_text = f"close the block of {quoted(place.head_of(opener))} on line {opener.line}" if opener else None
        return _unclosed(place, opener, message, at, help_text)
    return _unclosed(place, opener, message, at)


def _missing_before(place: WrongToken, opener: Token, behind: Token) -> Finding:
    this = "" if behind is place.token else "this "
    help_text = None
    if place.token.type in ("AT", "WHEN") and "part" in place.rules:
        help_text = "`at` and `when` do not nest"
    elif opener:
        help_text = f"close the block of {quoted(place.head_of(opener))} on line {opener.line}"
    at = place.span(behind)
    return _unclosed(place, opener, f"a `}}` is missing before {this}{quoted(str(behind))}", at, help_text)


def _unclosed_small(place: WrongToken) -> Finding | None:
    opener, before = place.brackets.innermost, place.before
    if not opener or before is None or opener.type == "LBRACE" or OPENERS[opener.type] not in place.possible:
        return None
    if (opener.type == "LSQB" or "COMMA" in place.possible) and place.token.type in ("STRING", "NAME", "NUMBER"):
        return None
    closer = {"LPAR": ")", "LSQB": "]"}[opener.type]
    message = f"expected `{closer}` after {_after(before)}"
    if not place.same_line:
        return _unclosed(place, opener, message, place.end_of(before))
    return _unclosed(place, opener, f"{message}, found {found_words(place.token)}")


def _two_labels(place: WrongToken) -> Finding | None:
    tokens, wrong = place.tokens, place.wrong
    if place.token.type != "AS" or wrong < 3:
        return None
    if tokens[wrong - 2].type == "AS":
        return _named_twice(place, tokens[wrong - 1])
    for index in range(wrong - 1, max(wrong - _LONGEST_STATEMENT, 1), -1):
        if tokens[index - 1].type == "COLON":
            return _named_twice(place, tokens[index - 2])
        if tokens[index].type in place.grammar.first["action"]:
            return None
    return None


def _named_twice(place: WrongToken, name: Token) -> Finding:
    label = (name, f"here it is named {quoted(str(name))}")
    return place.error("WP126", "this statement has a name already", label=label, help="keep one of the two")


def _too_late(place: WrongToken) -> Finding | None:
    kind = place.token.type
    if kind == "IMPORT" and "declaration" in place.rules:
        first = next(token for token in place.tokens if token.type in place.grammar.first["declaration"])
        label = (first, "the declarations begin here")
        return place.error("WP124", "this `import` comes too late; imports come before all declarations", label=label)
    if kind not in place.grammar.first["header"] or "item" not in place.rules or place.following(3)[2:] == ["LBRACE"]:
        return None
    item = _first_item(place)
    if item is None:
        return None
    message = f"`{place.token}` comes too late; the header lines of a scenario come before its items"
    help_text = "move it up to the other header lines"
    if kind in place.grammar.first["action"]:
        help_text += f", or write a change during the run as `at 12 {place.token} …`"
    return place.error("WP124", message, label=(item, "the items begin here"), help=help_text)


def _first_item(place: WrongToken) -> Token | None:
    opener = place.brackets.innermost
    start = 0 if opener is None else opener.start_pos or 0
    index = bisect_left(place.tokens, start, key=lambda token: token.start_pos or 0)
    items = place.grammar.first["item"]
    return next((token for token in place.tokens[index : place.wrong] if token.type in items), None)


def _missing_brace(place: WrongToken) -> Finding | None:
    closing: list[str] = []
    for opener in reversed(place.brackets.open):
        if opener.type != "LBRACE":
            return None
        closing.append("RBRACE")
        if place.fits(*closing, *place.following(3)):
            missing = place.brackets.never_closed(place.wrong)
            assert missing is not None
            return _missing_before(place, *missing)
    return None


def _word_as_name(place: WrongToken) -> Finding | None:
    if not place.is_word() or "NAME" not in place.possible:
        return None
    if not (place.same_line or place.rules & {"expectation", "guarded", "part"}):
        return None
    behind = place.following(3) if place.between_constructs or not place.same_line else place.on_line(3)
    if not place.fits("NAME", *behind[1:]) or place.fits("NAME", *behind):
        return None
    help_text = statement_as_name(place) or "pick another name"
    return place.error("WP123", f"`{place.token}` is a word of the language", help=help_text)


def _swallowed(place: WrongToken) -> Finding | None:
    before = place.one_before()
    if before is None or before.before is None or not place.same_line or before.between_constructs:
        return None
    behind = place.following(2)
    if not any(before.fits(kind, before.token.type, *behind) for kind in ("NAME", "NUMBER", "STRING")):
        return None
    if not place.fits("NAME", *behind):
        return None
    message = f"expected {before.expected} before {_after(before.token)}, or a name after it"
    return place.error("WP120", message, place.span(before.token))


def _misspelt_statement(place: WrongToken) -> Finding | None:
    # A name where a statement was due can only be its label, so that a misspelt word is noticed one token late.
    if set(place.possible) != {"COLON", "LSQB"}:
        return None
    first, written = _name_before(place)
    before = place.one_before() if first is place.before else None
    expected, help_text = (RULES["statement"], None) if before is None else (before.expected, advice(before))
    message = f"expected {expected}, found {quoted(written)}"
    at = span_between(first, place.before or first, place.source.path)
    return place.error("WP120", message, at, help=help_text or "a name for a statement is written `name: …`")


def _name_before(place: WrongToken) -> tuple[Token, str]:
    """The first token of the name, with its indices, that ends before the wrong token; and what is written."""
    index, depth = place.wrong - 1, 0
    while index > 0 and (depth or place.tokens[index].type == "RSQB"):
        depth += {"RSQB": 1, "LSQB": -1}.get(place.tokens[index].type, 0)
        index -= 1
    first = place.tokens[index]
    return first, place.source.text[first.start_pos or 0 : place.tokens[place.wrong - 1].end_pos or 0]


def _statement_without_tick(place: WrongToken) -> Finding | None:
    kind = place.token.type
    if "item" not in place.rules or kind in place.possible or kind not in place.grammar.first["action"]:
        return None
    help_text = f"a statement stands under a tick: `at 12 {place.token} …`, or several in a block: `at 12 {{ … }}`"
    return place.error("WP120", f"expected {place.expected}, found {found_words(place.token)}", help=help_text)


def _closed_too_early(place: WrongToken) -> Finding | None:
    first, before = place.grammar.first, place.before
    if "declaration" not in place.rules or before is None or before.type != "RBRACE":
        return None
    if place.token.type not in first["header"] | first["item"]:
        return None
    label = (before, "this `}` closes the declaration before it")
    return place.error("WP120", f"expected {place.expected}, found {found_words(place.token)}", label=label)


def _misspelt_name(place: WrongToken) -> Finding | None:
    """A name that was meant to be a word behind which the wrong token is right."""
    before = place.one_before()
    if before is None:
        return None
    word = misspelt(place.grammar, before.token, before.possible)
    if word is None or not before.fits(word, *place.following(2)):
        return None
    return _expected_something(before)


def _no_name(place: WrongToken) -> Finding | None:
    """A word that could be a name, but says something else: the token behind it is innocent."""
    before = place.one_before()
    if before is None or not place.same_line or advice_on_name(before) is None:
        return None
    return _expected_something(before)


def _stray_name(place: WrongToken) -> Finding | None:
    """A name at the end of a line with a complete expectation: it begins no other one."""
    before = place.one_before()
    if before is None or place.same_line or "predicate" not in place.rules:
        return None
    return _expected_something(before) if before.same_line and before.between_constructs else None


def _unsent_condition(place: WrongToken) -> Finding | None:
    """`if only m1 then m2 open …`: `sent` is missing before `then`, which is therefore read as one between names."""
    tokens = place.tokens
    if not {"SENT", "THEN"} <= place.possible.keys() or place.token.type not in place.grammar.first["predicate"]:
        return None
    first, _ = _name_before(place)
    then = bisect_left(tokens, first.start_pos or 0, key=lambda token: token.start_pos or 0) - 1
    if tokens[then].type != "THEN" or not is_condition(tokens, then):
        return None
    name = tokens[then - 1]
    return place.error("WP120", f"expected `sent` after {_after(name)}", place.end_of(name), help=advice_on_missing(place))


def _expected_something(place: WrongToken) -> Finding:
    found = found_words(place.token)
    expected = place.expected
    if place.before is None or place.between_constructs:
        return place.error("WP120", f"expected {expected}, found {found}", help=advice(place))
    message = f"expected {expected} after {_after(place.before)}"
    if place.same_line or misspelt(place.grammar, place.token, place.possible) is not None:
        return place.error("WP120", f"{message}, found {found}", help=advice(place))
    return place.error("WP120", message, place.end_of(place.before), help=advice_on_missing(place))


def _after(token: Token) -> str:
    return "the string" if token.type == "STRING" else quoted(str(token))


_MISTAKES = (
    asked_for,
    _end_of_file,
    _closes_nothing,
    _two_labels,
    _too_late,
    _swallowed,
    _word_as_name,
    _misspelt_name,
    _no_name,
    _misspelt_statement,
    _stray_name,
    _unclosed_small,
    _missing_brace,
    _statement_without_tick,
    _closed_too_early,
    _unsent_condition,
    _expected_something,
)
