"""The scenario that a claim is about, among those that there are, and whether the claim's level fits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.load import finding
from wellposed.compiler.suggest import Suggester
from wellposed.dsl.findings import Finding, Label
from wellposed.dsl.vocabulary import OBLIGATION_BY_ID
from wellposed.verifier.claims.claim import Claim

UNKNOWN_SCENARIO = "WP920"
OTHER_HASH = "WP921"
WRONG_LEVEL = "WP923"


class Known(Protocol):
    """A scenario as it was compiled; `bundle` is None where it does not compile."""

    @property
    def id(self) -> str: ...

    @property
    def source(self) -> str:
        """The display path of its source or bundle."""
        ...

    @property
    def bundle(self) -> Bundle | None: ...


def subject(claim: Claim, known: Sequence[Known]) -> tuple[Bundle | None, tuple[Finding, ...]]:
    """The bundle that the claim names, or None and why there is none."""
    named = [one for one in known if claim.scenario in (None, one.id)]
    if claim.scenario is not None and not named:
        near = Suggester().nearest(claim.scenario, (one.id for one in known))
        help = f"did you mean `{near}`?" if near is not None else "a claim is about a scenario of its repository"
        return None, (_wrong(claim, UNKNOWN_SCENARIO, "scenario", f"there is no scenario `{claim.scenario}`", help),)
    bundles = [(one, one.bundle) for one in named if one.bundle is not None]
    if claim.scenario is not None and not bundles:
        text = f"`{claim.scenario}`, in {named[0].source}, does not compile"
        return None, (_wrong(claim, UNKNOWN_SCENARIO, "scenario", text, "`wellposed check` says why"),)
    if claim.bundle is None:
        return _level(claim, bundles[0][1])
    for _, bundle in bundles:
        if bundle.hash == claim.bundle:
            return _level(claim, bundle)
    if claim.scenario is None:
        text = f"no scenario has the hash {claim.bundle}"
        return None, (_wrong(claim, UNKNOWN_SCENARIO, "bundle", text, "`wellposed build` prints the hashes"),)
    one, bundle = bundles[0]
    text = f"`{one.id}` does not have this hash: it is {bundle.hash}"
    told = _wrong(
        claim, OTHER_HASH, "bundle", text, "a claim is about one bundle; look at this one again, then write its hash"
    )
    return None, (replace(told, labels=(Label(bundle.place("/id"), "the scenario as it is now"),)),)


def _level(claim: Claim, bundle: Bundle) -> tuple[Bundle | None, tuple[Finding, ...]]:
    """The level that is claimed is one that the scenario reports, and so are those of the obligations."""
    found = []
    if claim.level is not None and int(claim.level[1:]) > bundle.level:
        text = f"{bundle.id} reports L0 to L{bundle.level}, not {claim.level}"
        found.append(_wrong(claim, WRONG_LEVEL, "level", text, "name a level that the scenario reports"))
    for number, obligation in enumerate(claim.obligations):
        row = OBLIGATION_BY_ID[obligation]
        if row.level > bundle.level:
            text = f"{obligation} is in force from L{row.level} on, and {bundle.id} has the level L{bundle.level}"
            found.append(_wrong(claim, WRONG_LEVEL, f"obligations/{number}", text, "name an obligation of its levels"))
    return (None, tuple(found)) if found else (bundle, ())


def _wrong(claim: Claim, code: str, member: str, text: str, help: str) -> Finding:
    return replace(finding(code, text, claim.place(member)), help=help)
