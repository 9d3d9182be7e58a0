"""Is there a conforming run that passes; if not, a minimal core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellposed.verifier.cores import minimise
from wellposed.verifier.judgement import Inquiry, Solution
from wellposed.verifier.prover import Prover
from wellposed.verifier.solver import Conflict
from wellposed.verifier.theory import Claim, Constraint

Key = tuple[str, str, str]
"""What makes a member of a core one thing: obligation, element of the bundle, item; whatever the case."""


def ask(inquiry: Inquiry) -> None:
    """Sets `satisfiable`, and `core` or `example`."""
    answers = inquiry.answers
    if not inquiry.conforming:
        answers.satisfiable = False
        answers.core = _core(inquiry, with_claims=False)
        return
    answers.example = next((solution for _, solution in inquiry.passing()), None)
    if answers.example is None:
        answers.core = _core(inquiry, with_claims=True)
        for member in answers.core:
            if isinstance(member, Claim):
                answers.claims[member.index] = "unsatisfiable"
    answers.satisfiable = answers.example is not None


def ask_quietest(inquiry: Inquiry) -> None:
    """Leaves out of `example` every record that a passing run can do without."""
    example = inquiry.answers.example
    if example is not None:
        provers = inquiry.provers[inquiry.theory.cases.index(example.case)]
        values = (prover.quietest(prover.claims_hold, run) for prover, run in zip(provers, example.values, strict=True))
        inquiry.answers.example = Solution(example.case, tuple(values))


def _core(inquiry: Inquiry, with_claims: bool) -> tuple[Constraint | Claim, ...]:
    """Seeded by the conflict of one component of every case, then minimised over all cases together."""
    members: dict[Key, Constraint | Claim] = {}
    for provers in inquiry.provers:
        for prover in provers:
            conflict = _conflict(prover, None, with_claims)
            if conflict is not None:
                everything: list[Constraint | Claim] = [*prover.component.standing, *prover.component.claims]
                for bit, member in enumerate(everything):
                    if conflict.constraints >> bit & 1:
                        members.setdefault(key_of(member), member)
                break
    order = sorted(members, key=deletion_order)

    def admits_none(chosen: Sequence[int]) -> bool:
        keys = {order[number] for number in chosen}
        return all(
            any(_conflict(prover, keys, with_claims) is not None for prover in provers) for provers in inquiry.provers
        )

    kept = minimise(range(len(order)), admits_none)
    return tuple(sorted((members[order[number]] for number in kept), key=reading_order))


def _conflict(prover: Prover, keys: set[Key] | None, with_claims: bool) -> Conflict | None:
    """Why a component has no run, under all of its constraints or those with the keys given."""
    standing = list(_chosen(prover.component.standing, keys))
    claims = list(_chosen(prover.component.claims, keys)) if with_claims else []
    if keys is not None and not standing and not claims:
        return None
    return prover.refuted_by(standing, claims)


def _chosen(members: Sequence[Constraint | Claim], keys: set[Key] | None) -> Iterator[int]:
    return (number for number, member in enumerate(members) if keys is None or key_of(member) in keys)


def key_of(member: Constraint | Claim) -> Key:
    """The key of a constraint."""
    if isinstance(member, Claim):
        return "expectation", f"/expect/{member.index}", ""
    return member.obligation, member.pointer, member.item


def deletion_order(key: Key) -> tuple[bool, list[int], str, str]:
    """Higher levels go first, expectations last, so that a core speaks of the simplest reasons."""
    obligation, pointer, item = key
    return obligation == "expectation", [-ord(letter) for letter in obligation], pointer, item


def reading_order(member: Constraint | Claim) -> tuple[bool, str, str]:
    """Expectations come first, then obligations by level."""
    obligation, pointer, _ = key_of(member)
    return obligation != "expectation", obligation, pointer
