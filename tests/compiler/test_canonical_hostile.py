"""Hostile bytes: nothing but a coded refusal comes out, quickly, and no neighbour of a bundle passes for it."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellposed.compiler.canonical import CanonicalError, Json, decode, encode, file_bytes, sha256
from wellposed.compiler.load import load_bundle
from wellposed.compiler.scan import fault_of

VECTORS = Path(__file__).parent / "vectors"
SMALL = (VECTORS / "l0-single-reply.json").read_bytes()


def code_of(raw: bytes) -> str | None:
    """The code that refuses these bytes, None where they are canonical."""
    try:
        decode(raw)
    except CanonicalError as error:
        if error.message != "more than 1000000 values":
            assert error.offset is not None
            assert 0 <= error.offset <= max(len(raw), 1)
        return error.code
    return None


BOMBS = {
    "arrays": (b"[" * 100_000, "WP713"),
    "arrays, closed": (b"[" * 100_000 + b"]" * 100_000 + b"\n", "WP713"),
    "objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n", "WP713"),
    "mixed": (b'[{"a":' * 50_000 + b"1" + b"}]" * 50_000 + b"\n", "WP713"),
    "deep after garbage": (b'\\"' + b"[" * 100_000, "WP703"),
    "deep in a string": (b'"' + b"[" * 100_000 + b'"\n', None),
    "deep behind a string with quotes": (b'["\\"\\\\",' + b"[" * 100_000, "WP713"),
    "closing": (b"]" * 100_000, "WP703"),
    "10 MB of arrays": (b"[" * 10_000_000, "WP714"),
    "10 MB of empty objects": (b"[" + b"{}," * 3_400_000 + b"{}]\n", "WP714"),
    "10 MB of commas": (b"," * 10_000_000, "WP714"),
    "10 MB of quotes": (b'"' * 10_000_000, "WP703"),
    "10 MB of backslashes": (b'"' + b"\\" * 10_000_000 + b'"\n', None),
    "10 MB of backslashes and one": (b'"' + b"\\" * 10_000_001 + b'"\n', "WP703"),
    "10 MB of digits": (b"1" * 10_000_000, "WP708"),
    "10 MB of spaces": (b" " * 10_000_000 + b"1\n", "WP704"),
    "10 MB of zeros": (b"\0" * 10_000_000, "WP703"),
    "10 MB of one string": (b'"' + b"a" * 10_000_000 + b'"\n', None),
    "17 MB": (b'"' + b"a" * 17 * 2**20 + b'"\n', "WP714"),
    "a digit too many for int()": (b"[" + b"9" * 4301 + b"]\n", "WP708"),
    "many duplicates": (b"{" + b'"a":1,' * 100_000 + b'"a":1}\n', "WP705"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name: str) -> None:
    raw, code = BOMBS[name]
    assert code_of(raw) == code


def test_nesting_is_refused_however_low_or_high_the_recursion_limit_is() -> None:
    script = """
        import sys
        from wellposed.compiler.canonical import CanonicalError, decode
        sys.setrecursionlimit(int(sys.argv[1]))
        for raw in (b"[" * 200_000, b"[" * 200_000 + b"]" * 200_000 + b"\\n"):
            try:
                decode(raw)
            except CanonicalError as error:
                print(error.code)
    """
    for limit in ("150", "1000000"):
        command = [sys.executable, "-c", textwrap.dedent(script), limit]
        run = subprocess.run(command, check=False, capture_output=True, text=True)
        assert (run.returncode, run.stdout) == (0, "WP713\nWP713\n"), run.stderr


def test_nesting_is_refused_on_a_small_stack() -> None:
    codes: list[str | None] = []
    before = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=lambda: codes.append(code_of(b"[" * 500_000)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert codes == ["WP713"]


# Near a real bundle


def test_no_deletion_of_one_byte_passes() -> None:
    """Every text that is one byte shorter is refused, or is another bundle with another hash that says something else."""
    whole, _ = load_bundle(SMALL, "bundle.json")
    assert whole is not None
    loaded = 0
    for index in range(len(SMALL)):
        raw = SMALL[:index] + SMALL[index + 1 :]
        bundle, findings = load_bundle(raw, "bundle.json")
        if bundle is None:
            assert findings
            assert all(finding.code.startswith("WP7") for finding in findings)
        else:
            loaded += 1
            assert bundle.hash != whole.hash
            assert bundle.document != whole.document
            assert file_bytes(bundle.document) == raw
    assert 0 < loaded < len(SMALL) // 4  # letters of free text, and no more


@pytest.mark.parametrize("inserted", [b" ", b"\n", b",", b'"', b"0", b"\\", b"\xff", b"\xc3\xa9", b"[", b"}"])
def test_no_insertion_passes_for_the_bundle(inserted: bytes) -> None:
    whole, _ = load_bundle(SMALL, "bundle.json")
    assert whole is not None
    for index in range(len(SMALL) + 1):
        bundle, findings = load_bundle(SMALL[:index] + inserted + SMALL[index:], "bundle.json")
        assert (bundle is None) == bool(findings)
        assert bundle is None or bundle.document != whole.document


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(SMALL) - 1), st.integers(0, 255))
def test_no_changed_byte_passes_for_the_bundle(index: int, byte: int) -> None:
    raw = SMALL[:index] + bytes([byte]) + SMALL[index + 1 :]
    bundle, findings = load_bundle(raw, "bundle.json")
    assert (bundle is None) == bool(findings)
    assert bundle is None or (bundle.hash == sha256(SMALL)) == (raw == SMALL)


# Arbitrary bytes


JSONISH = st.lists(
    st.sampled_from(
        [b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"u0000", b"ud800", b"1", b"-", b"0", b".", b"e", b" ", b"\n"]
    )
    | st.sampled_from(
        [b'"a"', b'"b":', b"null", b"true", b"NaN", b"\xc3\xa9", b"\xff", b"\xef\xbb\xbf", b'"a":1', b"[1,2]"]
    ),
    max_size=12,
).map(b"".join)


@settings(max_examples=1000, deadline=None)
@given(st.binary(max_size=40) | JSONISH)
def test_any_bytes_are_either_canonical_or_refused(raw: bytes) -> None:
    code = code_of(raw)
    if code is None:
        assert file_bytes(decode(raw)) == raw
        assert json.loads(raw.decode()) == decode(raw)


@settings(max_examples=1000, deadline=None)
@given(JSONISH)
def test_the_scanner_accepts_what_the_parser_and_the_encoder_accept(raw: bytes) -> None:
    """The slow road, which explains, and the fast one, which decides, agree on every text."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return
    pairs: list[list[str]] = []

    def members(items: list[tuple[str, Json]]) -> dict[str, Json]:
        pairs.append([name for name, _ in items])
        return dict(items)

    def integer(digits: str) -> int | float:
        return -0.0 if digits == "-0" else int(digits)

    try:
        encode(json.loads(text, object_pairs_hook=members, parse_int=integer))
        fine = all(len(names) == len(set(names)) for names in pairs)
    except ValueError:
        fine = False
    assert (fault_of(text) is None) == fine
