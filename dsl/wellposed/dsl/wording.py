"""How messages call what the grammar knows: every terminal, and the rules that mean something to an author.

At a wrong token, the words for what could have stood there are those of the widest rule of `RULES` that begins there,
and of the terminals that belong to none.
"""

from __future__ import annotations

from collections.abc import Iterable

from lark import Token

from wellposed.dsl.grammar import END, Grammar

LONGEST_SHOWN = 40
"""How much of a token is quoted in a message, in code points."""

TERMINALS = {
    END: "the end of the file",
    "NAME": "a name",
    "DOTTED": "a field such as `sender.messages`",
    "NUMBER": "a number",
    "STRING": "a string",
    "COMPARISON": "a comparison such as `>=`",
    "LONG_STRING": "a string",
    "OPEN_STRING": "a string that is not closed",
    "BACKQUOTED": "a name",
    "STRAY": "a sign without meaning",
    "COMMENT": "a comment",
    "SPACE": "space",
}
"""Terminals that are patterns. All others are words and signs, quoted as they are written."""

RULES: dict[str, str | tuple[str, ...]] = {
    "import": "an `import`",
    "declaration": "a declaration (`scenario`, `family`, `rules` or `skin`)",
    "covered": "a declaration (`scenario`, `family` or `rules`)",
    "header": "a header line such as `title`",
    "item": "an item such as `at`",
    "plain_item": "an item such as `at`",
    "conversation_line": ("`from`", "`subject`", "`anchor`"),
    "override": ("`from`", "`subject`"),
    "rule": "a rule such as `refuse rest`",
    "plain_rule": "a rule such as `refuse rest`",
    "skin_entry": 'a line such as `message "customer email"`',
    "body": ("a statement such as `approve m1`", "a block of statements"),
    "part": "a statement such as `approve m1`",
    "statement": "a statement such as `approve m1`",
    "plain_statement": "a statement such as `approve m1`",
    "action": "a statement such as `approve m1`",
    "expectation": "an expectation such as `m1 sent`",
    "guarded": "an expectation such as `m1 sent`",
    "claim": "an expectation such as `m1 sent`",
    "stub_line": ("`anchors`", "`reply`", "`for`"),
    "predicate": "an expectation word such as `sent`",
    "alternative": "a block of expectations",
    "tick": "a tick",
    "ticks": "a number of ticks",
    "values": ("a list `[…]`", "a range such as `1..5`"),
    "atom": "a number or a name",
    "place": "`in` and a conversation",
    "overrides": "`with` and a block",
    "ghost": "`draft` and a draft id",
    "_wrong_hash": "`with wrong hash`",
    "once": "`exactly once`",
    "within": "`within` and a number of ticks",
    "since": "`of` and a message or named statement",
    "because": "`because` and a reason",
    "event": ("`admitted`", "`drafted`", "`sent`"),
    "conditions": "`when` and a condition",
    "condition": 'a condition such as `subject contains "order"`',
    "field": "a field such as `subject`",
    "operator": "a comparison such as `is` or `contains`",
    "membership": "a comparison such as `is` or `contains`",
    "condition_value": "a value",
    "value": "a number or a name",
    "parameter": "a parameter such as `gap in [1, 2]`",
    "parameter_name": "a parameter name",
    "variable": "a name for the loop's number",
    "scenario_name": "a scenario name",
    "rules_name": "a rules name",
    "rules_reference": "a rules name",
    "rule_name": "a rule name",
    "skin_name": "a skin name",
    "skin_reference": "a skin name",
    "level": "a level such as `L6`",
    "posture": "a posture such as `normal`",
    "conversation_name": "a conversation name",
    "conversation": "a conversation",
    "message": "a message name",
    "which_draft": "`oldest draft of` and a message",
    "deferred": "`deferred`",
    "label": "a name for the statement",
    "original": "the name of a decision or signal",
    "moment": "a message or named statement",
    "verdict": "a verdict such as `ambiguous`",
    "system": "a faulty system such as `idle`",
    "code": "a code such as `WP501`",
    "reason": "a reason such as `operator_escalation`",
    "string": "a string",
    "plain": "a string",
}
"""Grammar rules, the wider before the narrower, with one phrase or several to choose from."""

_OPERATORS = frozenset({"PLUS", "MINUS", "STAR"})
_TAILS = frozenset({"AS", "DEFERRED", "WITH"})
_LAST = ("RBRACE", END)


def terminal_words(grammar: Grammar, terminal: str) -> str:
    """What an author calls a terminal."""
    pattern = grammar.patterns.get(terminal)
    return TERMINALS[terminal] if pattern is None else f"`{pattern}`"


def rule_beginning(grammar: Grammar, state: int, terminal: str) -> str | None:
    """The widest rule of RULES that begins with `terminal` in a state of the table."""
    gotos = grammar.table[state]
    return next((rule for rule in RULES if rule in gotos and terminal in grammar.first[rule]), None)


def expected_words(grammar: Grammar, possible: Iterable[tuple[str, str | None]], brief: bool) -> list[str]:
    """Words for what is possible, given as terminals with the rule that each begins; closing signs come last.

    `brief` leaves out what could continue a construct that is complete as it stands.
    """
    pairs = sorted(possible, key=lambda pair: (pair[0] in _LAST, pair[1] is None, _order(pair[1]), pair[0]))
    rules = {rule for _, rule in pairs}
    if len(pairs) > len(_OPERATORS):
        pairs = [pair for pair in pairs if pair[0] not in _OPERATORS]
    if len(pairs) > 1:
        pairs = [pair for pair in pairs if pair != ("LSQB", None)]  # almost every name can have an index
    if brief and rules & {"item", "part"}:
        pairs = [pair for pair in pairs if pair[0] not in _TAILS]
    if "message" in rules:
        pairs = [pair for pair in pairs if pair[1] != "which_draft"]  # most decisions name the message alone
    if "predicate" in rules:
        pairs = [pair for pair in pairs if pair[0] != "COMMA"]
    return list(dict.fromkeys(word for terminal, rule in pairs for word in _phrases(grammar, terminal, rule)))


def either(words: list[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def found_words(token: Token) -> str:
    """What stands at a token: quoted, but for strings, whose text would only distract."""
    if token.type == END:
        return TERMINALS[END]
    if token.type == "STRING":
        return "a string"
    return quoted(str(token))


def quoted(written: str) -> str:
    """A piece of source in backquotes, shortened where it is long."""
    return f"`{written}`" if len(written) <= LONGEST_SHOWN else f"`{written[: LONGEST_SHOWN - 1]}…`"


def _phrases(grammar: Grammar, terminal: str, rule: str | None) -> tuple[str, ...]:
    phrases = terminal_words(grammar, terminal) if rule is None else RULES[rule]
    return (phrases,) if isinstance(phrases, str) else phrases


def _order(rule: str | None) -> int:
    return -1 if rule is None else list(RULES).index(rule)
