"""Canonical form: canonicalise and hash a bundle of 1 MB, against hashing the same bytes alone."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.instances import mixed
from bench.measure import median_seconds, report

from wellposed.compiler.canonical import decode, file_bytes, sha256

MEGABYTE = 1_000_000


def main() -> None:
    """Prints the ratios of writing and of reading."""
    document = mixed(2_600, 600)
    raw = file_bytes(document)
    assert len(raw) >= MEGABYTE, len(raw)
    hashed, _ = median_seconds(lambda: [hashlib.sha256(raw).hexdigest() for _ in range(20)])
    written, _ = median_seconds(lambda: sha256(file_bytes(document)))
    read, _ = median_seconds(lambda: decode(raw))
    size = f"{len(raw):,} bytes"
    report("canonicalise and hash against hash", written / (hashed / 20), 30, f"{written * 1000:.1f} ms against {hashed * 50:.2f} ms, {size}")
    report("decode strictly against hash", read / (hashed / 20), None, f"{read * 1000:.1f} ms")


if __name__ == "__main__":
    main()
