"""Expectations: each claim in the bundle's closed shape for its form, with its names known to exist."""

from __future__ import annotations

from wellposed.compiler.profile import MAX_DEPTH
from wellposed.compiler.reporting import listed
from wellposed.compiler.scenario import Claim
from wellposed.compiler.scope import Scope
from wellposed.compiler.times import Times
from wellposed.dsl import tree
from wellposed.dsl.vocabulary import REASONS

# Arrays and objects around a claim of the document, and around one of the claims inside `any`.
_DEPTH = 3
_ANY_DEPTH = 3


class Claims:
    """Resolves the claims of one scenario; a claim with an error is reported and left out."""

    def __init__(self, scope: Scope, times: Times) -> None:
        self._scope = scope
        self._times = times
        self._reporter = scope.reporter

    def claim(self, node: tree.Claim, depth: int = _DEPTH) -> Claim | None:
        """The claim, or None when something in it is wrong. `depth` is how deep in the document its object stands."""
        if depth + isinstance(node, tree.Distinct | tree.OnlySent) > MAX_DEPTH:
            help = "take the inner claims apart, or name fewer alternatives inside alternatives"
            self._reporter.add("WP226", node.span, "this claim stands too deep inside others", help=help)
            return None
        match node:
            case tree.Admitted():
                return self._within(node, "admitted")
            case tree.Drafted():
                return self._within(node, "drafted")
            case tree.Sent():
                return self._sent(node)
            case tree.NotSentAfter():
                message, after = self._scope.message(node.message), self._scope.time(node.anchor)
                if message is None or after is None:
                    return None
                return Claim("not-sent-after", (("of", node.message.text), ("after", node.anchor.text)), node.span)
            case tree.Abandoned():
                return self._abandoned(node)
            case tree.Plain():
                known = self._scope.message(node.message)
                return None if known is None else Claim(node.claim, (("of", node.message.text),), node.span)
            case tree.ReplyIn():
                return self._reply(node, "reply-in")
            case tree.ReplyAnchor():
                return self._reply(node, "reply-anchor")
            case tree.Distinct():
                first, second = self._scope.message(node.first), self._scope.message(node.second)
                if node.first.text == node.second.text:
                    help = "name two messages"
                    self._reporter.add(
                        "WP227", node.span, f"the message `{node.first.text}` is compared with itself", help=help
                    )
                    return None
                if first is None or second is None:
                    return None
                return Claim("distinct", (("of", (node.first.text, node.second.text)),), node.span)
            case tree.OnlySent():
                return self._only_sent(node)
            case tree.ClaimsSettle():
                return self._within(node, "claims-settle")
            case tree.StateAgrees():
                return Claim("state-agrees", (), node.span)
            case tree.AnyOf():
                return self._any(node, depth)
            case tree.If():
                parts = [self.claim(one, depth + 1) for one in (node.condition, node.then, node.otherwise)]
                names = ("if", "then", "else")
                members = tuple((name, part) for name, part in zip(names, parts, strict=True) if part is not None)
                return Claim("if", members, node.span) if len(members) == 3 else None

    def _ticks(self, node: tree.Expression | None) -> tuple[bool, int | None]:
        """Whether a window is fine, and its length; None for one that is not written."""
        if node is None:
            return True, None
        ticks = self._times.number(node, "the length of a window", names=False)
        return ticks is not None, ticks

    def _within(self, node: tree.Admitted | tree.Drafted | tree.ClaimsSettle, form: str) -> Claim | None:
        message = self._scope.message(node.message)
        fine, ticks = self._ticks(node.within)
        if message is None or not fine:
            return None
        return Claim(form, (("of", node.message.text), ("within", ticks)), node.span)

    def _sent(self, node: tree.Sent) -> Claim | None:
        message = self._scope.message(node.message)
        anchor = node.message if node.anchor is None else node.anchor
        start = message if node.anchor is None else self._scope.time(anchor)
        fine, ticks = self._ticks(node.within)
        if message is None or start is None or not fine:
            return None
        members = (("of", node.message.text), ("once", node.once), ("within", ticks), ("from", anchor.text))
        return Claim("sent", members, node.span)

    def _only_sent(self, node: tree.OnlySent) -> Claim | None:
        known = [self._scope.message(name) for name in node.messages]
        named: dict[str, tree.Name] = {}
        fine = None not in known
        for name in node.messages:
            first = named.setdefault(name.text, name)
            if first is not name:
                fine = False
                self._reporter.add(
                    "WP219",
                    name.span,
                    f"`{name.text}` is named twice in this `only`",
                    labels=((first.span, "first named here"),),
                    help="name each message once; `only` says of each that it is sent exactly once",
                )
        if not fine:
            return None
        return Claim("only-sent", (("of", tuple(named)), ("ordered", node.ordered)), node.span)

    def _abandoned(self, node: tree.Abandoned) -> Claim | None:
        message = self._scope.message(node.message)
        reason = node.reason
        if reason is not None and reason.text not in REASONS:
            help = self._reporter.meant(reason.text, REASONS, f"reasons are {listed(REASONS, 'and')}")
            self._reporter.add("WP205", reason.span, f"nothing is abandoned because `{reason.text}`", help=help)
            return None
        if message is None:
            return None
        return Claim(
            "abandoned", (("of", node.message.text), ("reason", None if reason is None else reason.text)), node.span
        )

    def _reply(self, node: tree.ReplyIn | tree.ReplyAnchor, form: str) -> Claim | None:
        message, conversation = self._scope.message(node.message), self._scope.conversation(node.conversation)
        if (
            conversation is not None
            and form == "reply-anchor"
            and all(one.word != "anchor" for one in conversation.fields)
        ):
            self._reporter.add(
                "WP215",
                node.conversation.span,
                f"the conversation `{node.conversation.text}` declares no anchor that a reply could carry",
                labels=((conversation.name.span, "this conversation"),),
                help='declare one: `anchor "ORD-1001"`',
            )
            return None
        if message is None or conversation is None:
            return None
        return Claim(form, (("of", node.message.text), ("conversation", node.conversation.text)), node.span)

    def _any(self, node: tree.AnyOf, depth: int) -> Claim | None:
        alternatives: list[tuple[Claim, ...]] = []
        fine = True
        for alternative in node.alternatives:
            claims = [self.claim(one, depth + _ANY_DEPTH) for one in alternative]
            fine = fine and None not in claims
            alternatives.append(tuple(one for one in claims if one is not None))
        return Claim("any", (("of", tuple(alternatives)),), node.span) if fine else None
