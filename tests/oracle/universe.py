"""Whether any well-formed log at all can violate a claim (U: no obligation and no K in force).

The space is reduced to what one claim can see, which is sufficient because nothing constrains a log of U:
statements that the claim neither names nor depends on are dropped (jumps stay, they shape visible time, and holds, at
which no send can stand; deaths stay
when the claim looks at reassignment; triggers keep their trigger); of the drafts the first decides everything a claim
can see (drafted, fire ticks), of the sends two are enough to tell never, once and more, of the resolutions one per
outcome and reason that some claim distinguishes. Two admitted messages may be merged into one item. An admission and
hence contention still need the delivery of their message.
"""

from dataclasses import replace
from itertools import chain

from tests.oracle.basics import Budgets
from tests.oracle.claims import SPANNING, Claim, ItemClaims, atoms_in, claims_on, reference
from tests.oracle.document import Scenario
from tests.oracle.graph import finishes
from tests.oracle.regime import anything
from tests.oracle.worlds import Ending, Setting


def _reduced(scenario: Scenario, claim: Claim) -> Scenario:
    """The scenario without the statements that the claim cannot notice."""
    atoms = list(atoms_in(claim))
    named = {reference(a) for a in atoms}
    kinds = {"deliver", "jump", "hold", "release"}
    if any(a["claim"] == "reassigned-or-orphaned" for a in atoms):
        kinds |= {"kill", "kill-literal"}
    statements = tuple(s for s in scenario.statements if s.kind in kinds or s.id in named)
    return replace(scenario, statements=statements)


def violable(scenario: Scenario, budgets: Budgets, claim: Claim, max_states: int) -> bool:
    """Whether some log of U violates the claim."""
    reduced = _reduced(scenario, claim)
    atoms = list(atoms_in(claim))
    seen = set(chain.from_iterable(a["of"] if a["claim"] in SPANNING else [a["of"]] for a in atoms if "of" in a))
    if any(a["claim"] == "only-sent" for a in atoms):
        seen = {message.id for message in scenario.messages}
    seen |= {s.target for s in reduced.statements if s.target and s.kind != "deliver"}
    seen |= {s.trigger[1] for s in reduced.statements if s.trigger}
    setting = Setting(reduced, budgets, anything(), (claim,), 1)
    for environment in setting.environments():
        messages: list[ItemClaims] = []
        endings: list[set[Ending]] = []
        for message in reduced.messages:
            claims = claims_on(reduced, message.id, (claim,))
            messages.append(claims)
            if message.id not in seen:
                endings.append({Ending((), False, False)})
                continue
            item = setting.item(environment, message)
            endings.append(setting.endings(item, finishes(item, max_states)))
        if any(not truth[0] for truth, _ in setting.outcomes(messages, endings)):
            return True
    return False
