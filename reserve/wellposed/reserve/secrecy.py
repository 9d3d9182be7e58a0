"""Encryption of stored entries to age recipients, through the extra `reserve` (pyrage)."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wellposed.reserve.report import Refusal, at_file

UNUSABLE = "WP888"
_MAX_KEYS = 1 << 16


def recipients(texts: Sequence[str]) -> list[Any]:
    """The recipients of these texts, `age1…` or `ssh-… …`. Raises Refusal."""
    pyrage = _pyrage()
    found = []
    for text in texts:
        make = pyrage.ssh.Recipient if text.startswith("ssh-") else pyrage.x25519.Recipient
        try:
            found.append(make.from_str(text))
        except pyrage.RecipientError as error:
            raise Refusal(at_file(UNUSABLE, f"{text[:40]!r} is not an age or ssh recipient", None)) from error
    return found


def identities(files: Sequence[Path]) -> list[Any]:
    """The identities in key files, one of age a line, or one of ssh a file. Raises Refusal."""
    if not files:
        return []
    pyrage = _pyrage()
    found: list[Any] = []
    for path in files:
        try:
            raw = path.read_bytes()[:_MAX_KEYS]
        except OSError as error:
            raise Refusal(at_file(UNUSABLE, f"the identity cannot be read: {(error.strerror or '').lower()}", str(path))) from error
        try:
            if b"PRIVATE KEY" in raw:
                found.append(pyrage.ssh.Identity.from_buffer(raw))
                continue
            lines = (line.strip() for line in raw.decode("utf-8", "replace").splitlines())
            found += [pyrage.x25519.Identity.from_str(line) for line in lines if line and not line.startswith("#")]
        except pyrage.IdentityError as error:
            raise Refusal(at_file(UNUSABLE, "this is not a file of age or ssh identities", str(path))) from error
    return found


def encrypt(raw: bytes, to: Sequence[Any]) -> tuple[bytes, Any]:
    """The bytes encrypted to the recipients, and a key made for this once with which they can be read again.

    The key is never stored: it is there so that what was written can be proven to hold what it should.
    """
    pyrage = _pyrage()
    once = pyrage.x25519.Identity.generate()
    encrypted: bytes = pyrage.encrypt(raw, [*to, once.to_public()])
    return encrypted, once


def decrypt(raw: bytes, keys: Sequence[Any]) -> bytes | None:
    """What was encrypted; None where no key fits or the bytes were changed."""
    pyrage = _pyrage()
    try:
        opened: bytes = pyrage.decrypt(raw, list(keys))
    except pyrage.DecryptError:
        return None
    return opened


def _pyrage() -> Any:
    try:
        return importlib.import_module("pyrage")
    except ImportError as error:
        what = "encryption needs the extra `reserve` (the package pyrage), which is not installed"
        raise Refusal(at_file(UNUSABLE, what, None, "install wellposed[reserve], or seal without --to")) from error
