"""RFC 3161: a time stamp token signed by an authority, read and verified by `openssl ts`, offline."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from wellposed.reserve.anchors.proof import Proof
from wellposed.reserve.dates import stamp

_ALGORITHM = re.compile(r"^Hash Algorithm: (\S+)$", re.MULTILINE)
_TIME = re.compile(r"^Time stamp: (\w{3} +\d+ \d\d:\d\d:\d\d)(?:\.\d+)? (\d{4}) GMT$", re.MULTILINE)
_DUMP = re.compile(r"^ +[0-9a-f]{4} - ((?:[0-9a-f]{2}[ -]){1,16})", re.MULTILINE)
_SECONDS = 30


def examine(raw: bytes, digest: str, roots: Path | None) -> Proof:
    """Whether the token is about the digest, which time it gives, and with `roots` whether its signature holds."""
    program = shutil.which("openssl")
    if program is None:
        return Proof(unchecked="an RFC 3161 time stamp is recorded; openssl is not installed, so it was not read")
    with tempfile.TemporaryDirectory() as folder:
        token = Path(folder) / "token.tsr"
        token.write_bytes(raw)
        # The status of a reply is free text that nobody signed: only the token is read, so that it cannot pass for a time.
        signed = Path(folder) / "signed.der"
        _run([program, "ts", "-reply", "-in", str(token), "-token_out", "-out", str(signed)])
        shown = _run([program, "ts", "-reply", "-token_in", "-in", str(signed), "-text"])
        wrong = _imprint(shown, digest)
        if wrong is not None:
            return Proof(wrong=wrong)
        time = _time(shown)
        if time is None:
            return Proof(wrong="the time stamp gives no time")
        if roots is None:
            return Proof(
                unchecked=f"an RFC 3161 time stamp of {stamp(time)} is recorded; its signature was not verified "
                "(name the certificates that you trust with --tsa-roots FILE)"
            )
        # The certificates are judged as of the stamped time: an authority's expire long before what they signed.
        verify = [program, "ts", "-verify", "-digest", digest, "-in", str(token), "-CAfile", str(roots)]
        said = _run([*verify, "-attime", str(int(time.timestamp()))])
    if "Verification: OK" not in said:
        return Proof(wrong="the signature of the time stamp does not hold under the certificates that you trust")
    return Proof(time=stamp(time))


def _imprint(shown: str, digest: str) -> str | None:
    algorithm = _ALGORITHM.search(shown)
    if algorithm is None:
        return "the file is not an RFC 3161 time stamp that openssl can read"
    if algorithm.group(1).lower() != "sha256":
        return f"the time stamp is about a {algorithm.group(1)[:32]} digest; a SHA-256 is due"
    after = shown[algorithm.end() :].partition("Serial number")[0]
    about = "".join(re.findall("[0-9a-f]{2}", " ".join(_DUMP.findall(after))))
    return None if about == digest else f"the time stamp is about {about[:16]}…, not about {digest[:16]}…"


def _time(shown: str) -> datetime | None:
    found = _TIME.search(shown)
    if found is None:
        return None
    return datetime.strptime(" ".join(f"{found[1]} {found[2]}".split()), "%b %d %H:%M:%S %Y").replace(tzinfo=UTC)


def _run(command: list[str]) -> str:
    """What openssl says, on either stream; nothing where it does not end. No configuration file is read."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_SECONDS,
            env={"OPENSSL_CONF": "/dev/null", "LC_ALL": "C", "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).decode("utf-8", "replace")
