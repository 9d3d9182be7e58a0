"""A claim as it was written, and what examining it comes to."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Finding, Span
from wellposed.verifier.report import Trace

HOLDS, REFUTED, UNPROVEN, UNDECIDED, MALFORMED = "holds", "refuted", "unproven", "undecided", "malformed"
VERDICTS: Mapping[str, str] = {
    HOLDS: "what it says is so",
    REFUTED: "what it says is not so",
    UNPROVEN: "nothing that was given, or found, shows it",
    UNDECIDED: "the work budget ran out",
    MALFORMED: "it cannot be examined",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim whose text is in order; None or () for members that its kind does not have, or that are left out.

    `path` is the display path of its claim.yaml. `failure_class` is the member `class`; `places` are the spans of the
    values by member, and of the items of a list by `member/number`.
    """

    path: str
    kind: str
    justification: str
    scenario: str | None = None
    bundle: str | None = None
    previous: str | None = None
    level: str | None = None
    obligations: tuple[str, ...] = ()
    system: str | None = None
    logs: tuple[str, ...] = ()
    failure_class: str | None = None
    shows: str | None = None
    witness: str | None = None
    reading: str | None = None
    answer: str | None = None
    disclosure: str | None = None
    places: Mapping[str, Span] = field(default_factory=dict, repr=False, compare=False)

    @property
    def folder(self) -> str:
        """The display path of the claim's folder."""
        return posixpath.dirname(self.path)

    @property
    def name(self) -> str:
        """The name of the claim, which is that of its folder."""
        return posixpath.basename(self.folder)

    @property
    def subject(self) -> str:
        """What the claim is about, as short as it can be told."""
        if self.reading is not None:
            return f"{self.reading}={self.answer}"
        return self.scenario or (self.bundle or "")[:19]

    def place(self, member: str) -> Span:
        """Where the value of a member stands; the scenario may be named by its hash alone."""
        found = (self.places.get(one) for one in (member, "bundle" if member == "scenario" else "kind"))
        return next((one for one in found if one is not None), Span(self.path, 0, 0, 1, 1, 1, 1))


@dataclass(frozen=True, slots=True)
class Flip:
    """A scenario whose verdict, or that of one of its expectations, is another one under another reading."""

    scenario: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """What examining a claim came to.

    - `path`: the display path of its claim.yaml; `claim` is None where it is malformed.
    - `verdict`: one of `VERDICTS`; `told`: the same in a sentence without a full stop.
    - `bundle`: the scenario that it is about, where there is one.
    - `witness`: for a fixture-defect that holds, the run that shows it; empty where no run conforms at all.
    - `flips`: for a spec-reading, what becomes of the scenarios that are judged otherwise then.
    - `broken`: for a mechanism-fails, what is broken in its runs.
    """

    path: str
    claim: Claim | None
    verdict: str
    told: str
    findings: tuple[Finding, ...] = ()
    bundle: Bundle | None = None
    witness: Trace = ()
    flips: tuple[Flip, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the claim."""
        return posixpath.basename(posixpath.dirname(self.path))
