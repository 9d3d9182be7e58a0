"""Sealing: a fresh nonce inside the canonical document, whose SHA-256 is the commitment."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.canonical import decode, file_bytes
from wellposed.compiler.load import finding
from wellposed.dsl.findings import Finding, Pointer
from wellposed.reserve.content import same_test
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.shapes import SEAL_ALGORITHM
from wellposed.reserve.store import Store
from wellposed.verifier.verify import verify

UNSOUND, COPY, LABEL = "WP886", "WP887", "WP893"
NONCE_BYTES = 32
_LABELS = re.compile(
    r"(?<![a-z])(?:abandon|approv|crash|dead|death|decoy|dup|escalat|fail|forg|ghost|ignor|illegal|invalid|late|lawful|"
    r"never|pass|race|reject|refus|resent|resend|stale|trap|wrong)[a-z]*",
    re.IGNORECASE,
)
"""Beginnings of words that tell a system what a scenario tests, in what it can read."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """An entry as it was stored."""

    commit: str
    id: str


class Known:
    """The tests that are there already: public ones, and those of a store as far as it can be opened."""

    def __init__(self, public: Mapping[str, str], store: Store) -> None:
        self._tests = dict(public)
        self.locked = 0
        for commit, raw in store.open_entries():
            document = None if raw is None else decode(raw)
            if isinstance(document, dict):
                self._tests[same_test(document)] = commit
            else:
                self.locked += 1

    def like(self, bundle: Bundle) -> str | None:
        """Where the same test is."""
        return self._tests.get(same_test(bundle.document))

    def add(self, bundle: Bundle) -> None:
        """Remember a bundle that is about to be sealed."""
        self._tests.setdefault(same_test(bundle.document), bundle.id)


def check(bundles: Sequence[Bundle], known: Known) -> None:
    """Refuse what cannot be sealed: a seal already, anything but well-posed, the same test twice. Raises Refusal."""
    findings = [one for bundle in bundles for one in refusals(bundle, known)]
    if findings:
        raise Refusal(*findings)


def refusals(bundle: Bundle, known: Known) -> Iterator[Finding]:
    """Why a bundle is not sealed; where there is nothing, it is known from here on."""
    if "seal" in bundle.document:
        yield at_file(UNSOUND, f"{bundle.id} has a seal already: its nonce would be used twice", bundle.path)
        return
    verification = verify(bundle)
    if verification.verdict != "well-posed":
        what = f"{bundle.id} is {verification.verdict}; only what is well-posed by itself can be sealed"
        yield at_file(UNSOUND, what, bundle.path, "`allow` and `rejected` live in the source, and excuse nothing in a bundle")
        return
    like = known.like(bundle)
    if like is not None:
        yield at_file(COPY, f"{bundle.id} is the same test as {like}: it would be no secret, or count twice", bundle.path)
        return
    known.add(bundle)


def labels(bundle: Bundle) -> tuple[Finding, ...]:
    """Words in what a system reads that tell it what is expected."""
    found = []
    for index, entry in enumerate(bundle.document["schedule"]):
        if entry["channel"] != "inbox":
            continue
        for member in ("id", "conversation_id", "from"):
            word = _LABELS.search(str(entry["record"].get(member, "")))
            if word is not None:
                what = f"the {member} {entry['record'][member]!r} says what is tested: a system can read `{word.group()}`"
                found.append(finding(LABEL, what, Pointer(bundle.path, f"/schedule/{index}/record/{member}"), bundle.id))
    return tuple(dict.fromkeys(found))


def with_seal(document: Mapping[str, Any]) -> bytes:
    """The file of a document with a nonce that nobody has seen, and that is in no way a function of anything."""
    seal = {"alg": SEAL_ALGORITHM, "nonce": secrets.token_hex(NONCE_BYTES)}
    return file_bytes({**document, "seal": seal})


def seal(bundles: Sequence[Bundle], store: Store, to: Sequence[Any]) -> tuple[Sealed, ...]:
    """Seal and store bundles that were checked, or drawn: all or, where one cannot be stored, none. Raises Refusal and OSError."""
    done: list[Sealed] = []
    try:
        for bundle in bundles:
            done.append(Sealed(store.put(with_seal(bundle.document), to), bundle.id))
    except (OSError, Refusal):
        for one in done:  # nobody was told of them, and a second try would find the same tests
            store.remove(one.commit)
        raise
    return tuple(done)
