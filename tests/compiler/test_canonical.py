"""The canonical form: frozen bytes and hashes, every refusal with its code and place, and the limits."""

from __future__ import annotations

import enum
import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from wellposed.compiler.canonical import CanonicalError, decode, encode, file_bytes, lines, pretty, sha256
from wellposed.compiler.profile import MAX_BYTES, MAX_DEPTH, MAX_VALUES

VECTORS = Path(__file__).parent / "vectors"
KNOWN = (
    '{"format":"scenario-bundle/1","id":"r0","inbox":[{"at":0,"body":"hé","id":"m1"}],"level":3,'
    '"rules":[{"admit":true,"id":"r1","n":0}],'
    '"seal":{"alg":"reserve-seal/1","nonce":"c4957bea0a5f312d8d41789df3f51a1aed0b81506d6cfbb2d2005f0f411d3dd8"}}'
)
BUNDLES = {
    "every-form": "sha256:32a09b53b87cb35fb89af83488b5338adfad10a09cace7870c53fc2dfc4bd9af",
    "holds-and-waits": "sha256:02292290c5482505d2b9bc43cd70d8b47d8027cfef9aa2577b68aca0b848eb95",
    "l0-single-reply": "sha256:222381c86a7397d854494d85006b130203bd30f255ceb51c5a8d5a0890d28b37",
    "l6-gap-1": "sha256:33c9be539025995a0c823b960d19c11db950065d4814d7f7e080f9031f8b3eec",
    "l6-post-approval-escalation": "sha256:7574758adaafa3f61f30863ffb1c9785d0e79790a81756d3358a902c77522f3e",
}


def nested(depth: int) -> Any:
    """Arrays in one another, `depth` of them."""
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


def refusal(raw: bytes) -> CanonicalError:
    """The error that `decode` refuses these bytes with."""
    with pytest.raises(CanonicalError) as caught:
        decode(raw)
    return caught.value


# Known answers


def test_known_answers_of_the_format() -> None:
    raw = KNOWN.encode() + b"\n"
    document = decode(raw)
    assert file_bytes(document) == raw
    assert sha256(raw) == "sha256:dfe7367e5da1807bbf0dac5bd02e9e89809a192724c241523fa0da8d44884082"
    assert sha256(encode(document)) == "sha256:c871b70619f38919f04799811b7d8d4d65fd6147a11809e09e2b6ec62191abc8"
    assert isinstance(document, dict)
    rules = file_bytes(document["rules"])
    assert rules == b'[{"admit":true,"id":"r1","n":0}]\n'
    assert sha256(rules) == "sha256:f0029d1d0d042ec1670b4dd591c2e540e4ab670de00fe303853d3b3ac401ff5a"


@pytest.mark.parametrize(("name", "digest"), BUNDLES.items())
def test_frozen_bundles(name: str, digest: str) -> None:
    raw = (VECTORS / f"{name}.json").read_bytes()
    assert sha256(raw) == digest
    assert file_bytes(decode(raw)) == raw


def test_every_vector_is_frozen() -> None:
    assert {path.stem for path in VECTORS.glob("*.json")} == BUNDLES.keys()


def test_sha256sum_prints_the_hash() -> None:
    path = VECTORS / "l0-single-reply.json"
    printed = subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True).stdout
    assert "sha256:" + printed.split()[0] == BUNDLES["l0-single-reply"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-1, "-1"),
        (2**53 - 1, "9007199254740991"),
        (1 - 2**53, "-9007199254740991"),
        ("", '""'),
        ('"\\/', '"\\"\\\\/"'),
        ("\b\t\n\f\r", '"\\b\\t\\n\\f\\r"'),
        ("\x01\x1f\x7f\x80", '"\\u0001\\u001f\x7f\x80"'),
        ("\u2028\u2029\ufeff", '"\u2028\u2029\ufeff"'),
        ("e\u0301", '"e\u0301"'),
        ("\U0001f600", '"\U0001f600"'),
        ("\\u0000", '"\\\\u0000"'),
        ([], "[]"),
        ({}, "{}"),
        ([[], {}, [1, "2"]], '[[],{},[1,"2"]]'),
        (
            {"b": 1, "a": 2, "B": 3, "_": 4, "-": 5, ".": 6, "/": 7, "0": 8, ":": 9},
            '{"-":5,".":6,"/":7,"0":8,":":9,"B":3,"_":4,"a":2,"b":1}',
        ),
        ({"a": {"d": None, "c": [True]}, "aa": 0}, '{"a":{"c":[true],"d":null},"aa":0}'),
    ],
)
def test_encoding(value: Any, text: str) -> None:
    assert encode(value) == text.encode()
    assert file_bytes(value) == text.encode() + b"\n"
    assert decode(text.encode() + b"\n") == value


def test_strings_are_hashed_as_given_and_never_normalised() -> None:
    composed, decomposed = "\u00e9", "e\u0301"
    assert encode(composed) != encode(decomposed)


def test_order_of_insertion_does_not_matter() -> None:
    members = {"a": 1, "b": {"x": 1, "y": 2}, "c": 3}
    backwards = {"c": 3, "b": {"y": 2, "x": 1}, "a": 1}
    assert encode(members) == encode(backwards)


# Refusals of texts

REFUSED = [
    ("WP701", 1, "", b'"\xff"\n'),
    ("WP701", 2, "", b'"a\xc3'),
    ("WP701", 1, "", b'"\xc0\x80"\n'),  # an overlong U+0000
    ("WP701", 1, "", b'"\xed\xa0\x80"\n'),  # a surrogate in UTF-8
    ("WP701", 0, "", "{}\n".encode("utf-16")),
    ("WP702", 0, "", b"\xef\xbb\xbf{}\n"),
    ("WP703", 1, "", "{}\n".encode("utf-16-le")),
    ("WP703", 0, "", "{}\n".encode("utf-16-be")),
    ("WP703", 0, "", b""),
    ("WP703", 1, "", b"\n"),
    ("WP703", 3, "/0/0/0", b"[[["),
    ("WP703", 2, "", b"{}}\n"),
    ("WP703", 3, "", b"[] []\n"),
    ("WP703", 3, "/1", b"[1,]\n"),
    ("WP703", 7, "/a", b'{"a":1,}\n'),
    ("WP703", 1, "", b"{,}\n"),
    ("WP703", 1, "/0", b"[,1]\n"),
    ("WP703", 3, "/0", b"[1 2]\n"),
    ("WP703", 2, "/0", b"[1}\n"),
    ("WP703", 1, "", b"{]\n"),
    ("WP703", 5, "/a", b'{"a" 1}\n'),
    ("WP703", 5, "/a", b'{"a":}\n'),
    ("WP703", 1, "", b"{1:2}\n"),
    ("WP703", 1, "", b"{a:1}\n"),
    ("WP703", 0, "", b"'a'\n"),
    ("WP703", 0, "", b'"a\nb"\n'),
    ("WP703", 0, "", b'"\t"\n'),
    ("WP703", 0, "", b'"\\x41"\n'),
    ("WP703", 0, "", b'"\\u12g4"\n'),
    ("WP703", 0, "", b'"open\n'),
    ("WP703", 0, "", b"01\n"),
    ("WP703", 0, "", b"+1\n"),
    ("WP703", 1, "", b"1_000\n"),
    ("WP703", 1, "", b"1.\n"),
    ("WP703", 0, "", b".5\n"),
    ("WP703", 1, "", b"0x10\n"),
    ("WP703", 0, "", "\u0661\n".encode()),  # an Arabic digit one
    ("WP703", 0, "", b"True\n"),
    ("WP703", 4, "", b"nulll\n"),
    ("WP703", 0, "", b"\x0c1\n"),
    ("WP703", 0, "", b"\xc2\xa01\n"),  # a no-break space
    ("WP703", 2, "", b"1 // one\n"),
    ("WP703", 0, "", b"/* */1\n"),
    ("WP704", 2, "", b"{}"),
    ("WP704", 2, "", b"{}\r\n"),
    ("WP704", 3, "", b"{}\n\n"),
    ("WP704", 3, "", b"{}\n "),
    ("WP704", 0, "", b" {}\n"),
    ("WP704", 3, "", b"[1, 2]\n"),
    ("WP704", 2, "", b'{"b":1,"a":2}\n'),
    ("WP704", 1, "", b'"\\u00e9"\n'),
    ("WP704", 1, "", b'"\\/"\n'),
    ("WP704", 6, "", b'"\\u001F"\n'),
    ("WP704", 2, "", b'"\\u000a"\n'),
    ("WP704", 1, "", b'"\\ud83d\\ude00"\n'),
    ("WP705", 7, "/a", b'{"a":1,"a":1}\n'),
    ("WP705", 7, "/a", b'{"a":1,"\\u0061":2}\n'),
    ("WP705", 17, "/x/1/a", b'{"x":[0,{"a":1,  "a":2}]}\n'),
    ("WP706", 0, "", b"1.0\n"),
    ("WP706", 0, "", b"1e3\n"),
    ("WP706", 0, "", b"1E400\n"),
    ("WP706", 0, "", b"-0.0\n"),
    ("WP706", 10, "/a/b", b'{"a":{"b":0.5}}\n'),
    ("WP707", 1, "/0", b"[-0]\n"),
    ("WP708", 0, "", b"9007199254740992\n"),
    ("WP708", 0, "", b"-9007199254740992\n"),
    ("WP708", 0, "", b"1" * 5000 + b"\n"),
    ("WP708", 3, "/1", b"[0,100000000000000000000]\n"),
    ("WP709", 0, "", b"NaN\n"),
    ("WP709", 1, "/0", b"[Infinity]\n"),
    ("WP709", 5, "/a", b'{"a":-Infinity}\n'),
    ("WP710", 1, "", b'{"":1}\n'),
    ("WP710", 1, "", b'{" ":1}\n'),
    ("WP710", 1, "", b'{"a\\n":1}\n'),
    ("WP710", 6, "/k", b'{"k":{"\xc3\xa9":1}}\n'),
    ("WP710", 1, "", b'{"' + b"a" * 129 + b'":1}\n'),
    ("WP711", 0, "", b'"\\u0000"\n'),
    ("WP711", 5, "/a", b'{"a":"x\\u0000y"}\n'),
    ("WP711", 1, "", b'{"\\u0000":1}\n'),
    ("WP712", 0, "", b'"\\ud800"\n'),
    ("WP712", 0, "", b'"\\udc00\\ud800"\n'),
    ("WP712", 1, "/0", b'["\\uDBFFx"]\n'),
    ("WP713", 32, "/0" * 32, b"[" * 33 + b"]" * 33 + b"\n"),
    ("WP713", 160, "/a" * 32, b'{"a":' * 33 + b"1" + b"}" * 33 + b"\n"),
]


@pytest.mark.parametrize(("code", "offset", "pointer", "raw"), REFUSED)
def test_refusals(code: str, offset: int, pointer: str, raw: bytes) -> None:
    error = refusal(raw)
    assert (error.code, error.offset, error.pointer) == (code, offset, pointer), error.message


def test_what_is_allowed_is_not_blamed() -> None:
    error = refusal(b'{"a":9007199254740991,"b":-9007199254740991,"' + b"k" * 128 + b'":[0,"\\u0001",0.5]}\n')
    assert (error.code, error.pointer) == ("WP706", "/" + "k" * 128 + "/2")
    with pytest.raises(CanonicalError) as caught:
        encode([2**53 - 1, 1 - 2**53, {"k" * 128: "\x01"}, [], {}, None, True, 0.5])
    assert (caught.value.code, caught.value.pointer, str(caught.value)) == ("WP706", "/7", "0.5 is not an integer")


def test_long_names_are_cut() -> None:
    assert refusal(b'{"' + b"k" * 129 + b'":1}\n').message.startswith(
        "the member name '" + "k" * 40 + "'… is not of 1 to 128"
    )
    assert refusal(b'{"' + b" " * 40 + b'":1}\n').message.startswith(
        "the member name '" + " " * 40 + "' is not of 1 to 128"
    )


def test_offsets_count_bytes_not_characters() -> None:
    assert refusal('["é😀",1.5]\n'.encode()).offset == 10


def test_what_is_wrong_is_told_before_what_is_merely_not_canonical() -> None:
    assert refusal(b' {"b":1, "a":2, "b":3}').code == "WP705"
    assert refusal(b' {"b":1, "a":1.5}').code == "WP706"


def test_messages_name_what_was_due() -> None:
    assert refusal(b'{"a" 1}\n').message == "not JSON: a value where a colon is due"
    assert refusal(b"[1}\n").message == "not JSON: } where a comma or ] is due"
    assert refusal(b'{"a":1').message == "the file ends where a comma or } is due"
    assert refusal(b"{}").message == "not in canonical form: the final newline is missing"
    assert refusal(b'{"a": 1}\n').message == "not in canonical form: white space that the canonical form does not have"
    spelled = "not in canonical form: a string is escaped otherwise, or the members of an object are not in the order of their names"
    assert refusal(b'{"b":1,"a":2}\n').message == spelled
    assert refusal(b'"\\/"\n').message == spelled


# Refusals of values


@pytest.mark.parametrize(
    ("code", "pointer", "value"),
    [
        ("WP706", "", 1.0),
        ("WP706", "/a/1", {"a": [0, 0.5]}),
        ("WP709", "/0", [float("nan")]),
        ("WP709", "/0", [float("-inf")]),
        ("WP708", "/n", {"n": 2**53}),
        ("WP708", "/n", {"n": -(2**53)}),
        ("WP708", "", 10**400),
        ("WP710", "/o", {"o": {"": 1}}),
        ("WP710", "", {"é": 1}),
        ("WP711", "/s/0", {"s": ["a\0"]}),
        ("WP712", "/s", {"s": "\ud800"}),
        ("WP713", "/0" * 32, nested(33)),
    ],
)
def test_values_outside_the_profile(code: str, pointer: str, value: Any) -> None:
    with pytest.raises(CanonicalError) as caught:
        encode(value)
    assert (caught.value.code, caught.value.pointer, caught.value.offset) == (code, pointer, None)


class Number(enum.IntEnum):
    ONE = 1


class Word(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "value", [(1,), {1: 2}, {None: 1}, {"a": {1}}, b"x", Number.ONE, Word("a"), {True: 1}, [object()]]
)
def test_what_is_not_json_is_a_fault_of_the_caller(value: Any) -> None:
    with pytest.raises(TypeError):
        encode(value)


def test_a_value_that_holds_itself_is_too_deep() -> None:
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(CanonicalError) as caught:
        encode(circle)
    assert caught.value.code == "WP713"


def test_a_value_that_multiplies_itself_is_refused_before_it_is_written() -> None:
    value: Any = []
    for _ in range(30):
        value = [value, value]
    with pytest.raises(CanonicalError) as caught:
        encode(value)
    assert caught.value.code == "WP714"


def test_a_backslash_before_u0000_is_no_nul() -> None:
    assert decode(encode(["\\u0000"]) + b"\n") == ["\\u0000"]


@pytest.mark.parametrize(
    ("code", "pointer", "rows"),
    [
        ("WP706", "/1/b", [{"a": 1, "b": 2}, {"a": 1, "b": 2.0}]),
        ("WP709", "/1/b", [{"a": 1, "b": "x"}, {"a": 1, "b": float("inf")}]),
        ("WP708", "/2/a", [{"a": 1}, {"a": -1}, {"a": 2**53}]),
        ("WP710", "/2", [{"a": 1, "b": 2}, {"a": 1}, {"a": 1, " ": 2}]),
        ("WP711", "/1/s", [{"s": "a"}, {"s": "\0"}, {"s": '"'}]),
        ("WP712", "/1/s", [{"s": "a"}, {"s": "\udfff"}]),
        ("WP713", "/1" + "/0" * 31, [[], nested(33)]),
    ],
)
def test_one_row_among_many_is_found(code: str, pointer: str, rows: Any) -> None:
    """The writer takes many values at once; what is wrong with one of them is told of that one."""
    for write in (encode, lines):
        with pytest.raises(CanonicalError) as caught:
            write(rows)
        assert (caught.value.code, caught.value.pointer) == (code, pointer)


@pytest.mark.parametrize(
    "rows",
    [[{"a": 1}, {"a": (1,)}], [{"a": 1}, {1: "a"}], [{"a": 1}, {"a": 1, 2: 3}], ["a", Word("b")], [1, Number.ONE]],
)
def test_one_row_that_is_not_json_is_found(rows: Any) -> None:
    with pytest.raises(TypeError):
        encode(rows)


def test_lines() -> None:
    assert lines([]) == b""
    assert (
        lines([{"b": 1, "a": "é"}, [], "x\u2028y", {"a": 2}]) == '{"a":"é","b":1}\n[]\n"x\u2028y"\n{"a":2}\n'.encode()
    )
    assert lines([1, 2]).split(b"\n") == [b"1", b"2", b""]


# Limits


def test_limits_are_those_of_the_profile() -> None:
    assert (MAX_BYTES, MAX_DEPTH, MAX_VALUES) == (16_777_216, 32, 1_000_000)


def test_a_text_that_only_its_newline_makes_too_large() -> None:
    raw = b'"' + b"a" * (MAX_BYTES - 2) + b'"'
    assert len(raw) == MAX_BYTES
    assert refusal(raw).code == "WP714"


def test_depth_up_to_the_limit() -> None:
    value = nested(MAX_DEPTH)
    assert decode(file_bytes(value)) == value
    members: Any = 1
    for _ in range(MAX_DEPTH):
        members = {"a": members}
    assert decode(file_bytes(members)) == members


def test_size_up_to_the_limit() -> None:
    fits = "a" * (MAX_BYTES - 3)
    raw = file_bytes(fits)
    assert len(raw) == MAX_BYTES
    assert decode(raw) == fits
    with pytest.raises(CanonicalError) as caught:
        encode(fits + "a")
    assert caught.value.code == "WP714"
    assert refusal(b'"' + b"a" * MAX_BYTES + b'"\n').code == "WP714"


def test_number_of_values_up_to_the_limit() -> None:
    fits: list[Any] = [0] * (MAX_VALUES - 2) + [[]]
    assert decode(file_bytes(fits)) == fits
    for more in ([*fits, 0], [*fits[:-1], [[]]]):
        raw = json.dumps(more, separators=(",", ":")).encode() + b"\n"
        assert refusal(raw).code == "WP714"
        with pytest.raises(CanonicalError) as caught:
            encode(more)
        assert caught.value.code == "WP714"


def test_values_are_counted_once_when_objects_are_parted() -> None:
    """Objects of equal length with other members are parted after a first try; what they hold still counts once."""
    half: list[Any] = [[0, 0]] * (MAX_VALUES // 8)
    rows = [{"a": half, "b": 0}, {"a": half, "c": 0}, {"a": half[:50_000], "d": 0}]
    assert len(encode(rows)) > MAX_VALUES
    assert decode(file_bytes(rows)) == rows


def test_commas_in_strings_are_no_values() -> None:
    text = ',[{\\"' * 300_000
    assert decode(file_bytes([text])) == [text]


# The other serialisation


def test_pretty_keeps_the_order_of_members() -> None:
    assert pretty({"b": [1, "é"], "a": None}) == '{\n "b": [\n  1,\n  "é"\n ],\n "a": null\n}'


def test_pretty_can_always_be_written() -> None:
    text = pretty({"path": "bad-\udcff-name"})
    assert json.loads(text.encode()) == {"path": "bad-\udcff-name"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        pretty(float("nan"))


def test_sha256_is_spelled_with_its_name() -> None:
    assert sha256(b"abc") == "sha256:" + hashlib.sha256(b"abc").hexdigest()
