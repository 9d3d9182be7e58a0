"""From completed grammar rules to syntax nodes: one table, because most rules are nodes as they stand.

Statements and claims are written in two parts: an action lacks its label, a predicate its message. Such a part is a
function that makes the node once the rest is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lark import Token

from wellposed.dsl import tree
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.literals import read_id, read_plain_string, read_string
from wellposed.dsl.source import SourceFile

Builder = Callable[..., object]
"""Makes the value of a rule from the values of its parts and the span of the whole, which comes last."""

_Action = Callable[[tree.Name | None, Span], tree.Statement]
_Predicate = Callable[[tree.Name, Span], tree.Claim]


def builders(source: SourceFile, findings: list[Finding]) -> Mapping[str, Builder]:
    """The builder of every rule; literals that have no value are appended to `findings`."""
    allows: list[tree.Allow] = []

    def name(token: Token, *rest: Any) -> tree.Name:
        return tree.Name(read_id(token, source, findings), rest[-1], rest[:-1])

    def allowed(*values: Any) -> object:
        # `allow` comes as a function that lacks only the span of what it covers.
        construct = values[-2]
        allows.extend(allow(construct.span) for allow in values[:-2])
        return construct

    def string(token: Token, span: Span) -> tree.Text:
        return read_string(token, source, findings)

    def plain(token: Token, span: Span) -> tree.Text:
        return read_plain_string(token, source, findings)

    def file(imports: tuple[tree.Import, ...], declarations: tuple[tree.Declaration, ...], span: Span) -> tree.File:
        whole = source.span(0, len(source.text))
        return tree.File(source.path, imports, declarations, whole, tuple(sorted(allows, key=_start)))

    own: dict[str, Builder] = {"string": string, "plain": plain, "file": file, "allowed": allowed}
    return {**_BUILDERS, **dict.fromkeys(_IDS, name), **own}


def _start(allow: tree.Allow) -> int:
    return allow.span.start


def _name(token: Token, span: Span) -> tree.Name:
    return tree.Name(str(token), span)


def _allow(code: tree.Name, reason: tree.Text, span: Span) -> Callable[[Span], tree.Allow]:
    return lambda covers: tree.Allow(code, reason, covers, span)


def _number(token: Token, span: Span) -> tree.Number:
    return tree.Number(int(token) if token.isdigit() and len(token) < 20 else 0, span)  # else there is a finding


def _word(token: Token, span: Span) -> str:
    return str(token)


def _forged(token: Token, span: Span) -> str:
    return {"approval": "approve", "rejection": "reject"}[str(token)]


def _words(*values: Any) -> str:
    return " ".join(values[:-1])


def _same(value: object, span: Span) -> object:
    return value


def _sequence(*values: Any) -> tuple[Any, ...]:
    return values[:-1]


def _optional(*values: Any) -> object:
    return values[0] if len(values) > 1 else None


def _is_there(*values: Any) -> bool:
    return len(values) > 1


def _which_draft(*values: Any) -> str:
    return str(values[0]) if len(values) > 1 else "newest"


def _only_sent(ordered: bool) -> Builder:
    return lambda *values: tree.OnlySent(values[:-1], ordered, values[-1])


def _rejected(verdict: tree.Name, *rest: Any) -> tree.Rejected:
    code = rest[0] if len(rest) > 2 else None
    return tree.Rejected(verdict, code, rest[-2], rest[-1])


def _listed(node: Callable[[tuple[Any, ...], Span], object]) -> Builder:
    return lambda *values: node(values[:-1], values[-1])


def _loop(variable: tree.Name, low: tree.Expression, high: tree.Expression, *rest: Any) -> tree.For[Any]:
    return tree.For(variable, low, high, rest[:-1], rest[-1])


def _rest(effect: str, span: Span) -> tree.Rule:
    return tree.Rule(effect, None, (), span)


def _comparison(field: tree.Name, operator: str, value: Any, span: Span) -> tree.Condition:
    return tree.Condition(field, operator, (value,), span)


def _membership(field: tree.Name, operator: str, *values: Any) -> tree.Condition:
    return tree.Condition(field, operator, values[:-1], values[-1])


def _header(word: Token, value: Any, span: Span) -> tree.Header:
    return tree.Header(str(word), value, span)


def _field(word: Token, value: tree.Text, span: Span) -> tree.Field:
    return tree.Field(str(word), value, span)


def _operation(left: tree.Expression, operator: Token, right: tree.Expression, span: Span) -> tree.Operation:
    return tree.Operation(str(operator), left, right, span)


def _action(node: Callable[..., tree.Statement], *fixed: object) -> Builder:
    def build(*values: Any) -> _Action:
        return partial(node, *fixed, *values[:-1])

    return build


def _statement(action: _Action, span: Span) -> tree.Statement:
    return action(None, span)


def _labelled_behind(action: _Action, label: tree.Name, span: Span) -> tree.Statement:
    return action(label, span)


def _labelled_before(label: tree.Name, action: _Action, span: Span) -> tree.Statement:
    return action(label, span)


def _predicate(node: Callable[..., tree.Claim]) -> Builder:
    def build(*values: Any) -> _Predicate:
        def claim(message: tree.Name, span: Span) -> tree.Claim:
            return node(message, *values[:-1], span)

        return claim

    return build


def _plain_predicate(word: str) -> Builder:
    def build(span: Span) -> _Predicate:
        return partial(tree.Plain, word)

    return build


def _sent(once: object, span: Span) -> _Predicate:
    return lambda message, whole: tree.Sent(message, once is not None, None, None, whole)


def _sent_within(once: object, within: tree.Expression, since: tree.Name | None, span: Span) -> _Predicate:
    return lambda message, whole: tree.Sent(message, once is not None, within, since, whole)


def _claim(message: tree.Name, predicate: _Predicate, span: Span) -> tree.Claim:
    return predicate(message, span)


_NAMES = ("skin_word", "level", "posture", "field", "reason", "verdict", "code", "system")
_IDS = (
    *("name", "scenario_name", "rules_name", "rules_reference", "rule_name", "skin_name", "skin_reference"),
    *("parameter_name", "variable", "conversation_name", "conversation", "message", "label", "original", "moment"),
)

_BUILDERS: dict[str, Builder] = {
    **dict.fromkeys(_NAMES, _name),
    "number": _number,
    "imports": _sequence,
    "declarations": _sequence,
    "import": tree.Import,
    "allow": _allow,
    # rules and skins
    "rules": lambda name, *rest: tree.Rules(name, rest[:-1], rest[-1]),
    "plain_rule": tree.Rule,
    "rest": _rest,
    "effect": _word,
    "conditions": _sequence,
    "comparison": _comparison,
    "membership_test": _membership,
    "operator": _words,
    "membership": _words,
    "skin": lambda name, *rest: tree.Skin(name, rest[:-1], rest[-1]),
    "skin_entry": tree.SkinEntry,
    # scenarios
    "scenario": tree.Scenario,
    "family": tree.Family,
    "parameters": _sequence,
    "parameter": tree.Parameter,
    "value_list": _sequence,
    "range": tree.Range,
    "headers": _sequence,
    "items": _sequence,
    "header": _header,
    "conversation_item": tree.Conversation,
    "conversation_lines": _sequence,
    "conversation_line": _field,
    "at": tree.At,
    "when": tree.When,
    "event": _word,
    "body": _sequence,
    "loop": _loop,
    "expect": tree.Expect,
    "invariants": tree.InvariantsOnlyExpect,
    "rejected": _rejected,
    "catches": _listed(tree.Catches),
    "stub": _listed(tree.Stub),
    "anchors": _listed(tree.StubAnchors),
    "reply": tree.Reply,
    # statements
    "plain_statement": _statement,
    "labelled_behind": _labelled_behind,
    "labelled_before": _labelled_before,
    "deliver": _action(tree.Deliver),
    "redeliver": _action(tree.Redeliver),
    "decide": _action(tree.Decide),
    "repeat": _action(tree.Repeat),
    "forge_dangling": _action(tree.ForgeDangling),
    "forge_wrong_hash": _action(tree.ForgeWrongHash),
    "escalate": _action(tree.Escalate),
    "kill_agent_of": _action(tree.KillAgentOf),
    "kill_agent": _action(tree.KillAgent),
    "crash": _action(tree.Crash),
    "jump_to": _action(tree.Jump, False),
    "jump_by": _action(tree.Jump, True),
    "change_posture": _action(tree.ChangePosture),
    "change_rules": _action(tree.ChangeRules),
    "hold_effects": _action(tree.HoldEffects),
    "release_effects": _action(tree.ReleaseEffects),
    "place": _same,
    "overrides": _sequence,
    "override": _field,
    "decision": _word,
    "which_draft": _which_draft,
    "deferred": _is_there,
    "forged": _forged,
    "ghost": _same,
    # times
    "tick": _same,
    "ticks": _same,
    "operation": _operation,
    # expectations
    "expectations": _sequence,
    "claims": _sequence,
    "claim": _claim,
    "distinct": tree.Distinct,
    "only_sent": _only_sent(False),
    "only_sent_in_order": _only_sent(True),
    "claims_settle": tree.ClaimsSettle,
    "state_agrees": tree.StateAgrees,
    "any_of": _listed(tree.AnyOf),
    "alternative": _same,
    "conditional": tree.If,
    "admitted": _predicate(tree.Admitted),
    "not_admitted": _plain_predicate("not-admitted"),
    "drafted": _predicate(tree.Drafted),
    "sent": _sent,
    "sent_within": _sent_within,
    "never_sent": _plain_predicate("never-sent"),
    "not_sent_after": _predicate(tree.NotSentAfter),
    "completed": _plain_predicate("completed"),
    "abandoned": _predicate(tree.Abandoned),
    "open": _plain_predicate("open"),
    "reply_anchor": _predicate(tree.ReplyAnchor),
    "reply_in": _predicate(tree.ReplyIn),
    "reassigned_or_orphaned": _plain_predicate("reassigned-or-orphaned"),
    "once": _optional,
    "within": _optional,
    "since": _optional,
    "because": _optional,
}
