"""Hostile bundles, by class: texts that are no canonical JSON, documents that are no bundle, and bundles that only look harmless."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.hostile.inputs import GOOD, Hostile
from tests.hostile.sources import MARKUP, SHOWN

from wellposed.compiler.canonical import file_bytes
from wellposed.compiler.compilation import compile_source
from wellposed.dsl.source import SourceFile

JUNK: dict[str, Any] = {
    "null": None,
    "a list": [],
    "an object": {},
    "nothing": 0,
    "a word": "x",
    "minus": -1,
    "true": True,
    "lists": [[[{}]]],
}


@cache
def _good() -> bytes:
    (scenario,) = compile_source(SourceFile("good.scenario", GOOD)).scenarios
    assert scenario.bundle is not None
    return file_bytes(scenario.bundle.document)


def document() -> dict[str, Any]:
    """A bundle that is well-posed."""
    value: dict[str, Any] = json.loads(_good())
    return value


def canonical(value: object) -> bytes:
    """Canonical where it can be, so that only what was meant to be wrong is."""
    return (json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n").encode(
        "utf-8", "surrogatepass"
    )


def saying(text: str) -> bytes:
    """A good bundle, but that all its free texts say this."""
    value = document()
    value["title"] = value["schedule"][0]["record"]["subject"] = text
    value["schedule"][0]["record"].update({"body": text, "from": text})
    value["stub"]["anchors"][0]["anchor"] = value["stub"]["replies"][0]["parts"][0] = text
    return canonical(value)


Bytes = bytes | Callable[[], bytes]
"""Large ones are made when they are written."""


def _texts() -> Iterator[tuple[str, str, Bytes]]:
    good = _good()
    yield "nesting", "open arrays", b"[" * 100_000
    yield "nesting", "closed arrays", b"[" * 100_000 + b"]" * 100_000 + b"\n"
    yield "nesting", "objects", b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n"
    yield "nesting", "inside a bundle", good.replace(b'"schedule":[', b'"schedule":[' + b"[" * 40 + b"]" * 40 + b",")
    for name, number in {
        "4,301 digits": "9" * 4_301,
        "2^53": str(2**53),
        "an exponent": "1e400",
        "a fraction": "40.0",
        "a negative zero": "-0",
        "NaN": "NaN",
        "infinity": "-Infinity",
        "a leading zero": "040",
        "Arabic digits": "\u0664\u0660",
        "a plus sign": "+40",
        "underscores": "4_0",
    }.items():
        yield "numbers", name, good.replace(b'"horizon":40', b'"horizon":' + number.encode())
    yield "numbers", "keys that collide as numbers", canonical([k * (2**61 - 1) for k in range(60_000)])
    yield "tick size", "the largest horizon", good.replace(b'"horizon":40', b'"horizon":1000000')
    yield "tick size", "a horizon beyond it", good.replace(b'"horizon":40', b'"horizon":9007199254740991')
    for name, raw in {
        "anywhere": b'"level":6,"level":6',
        "escaped": b'"level":6,"\\u006cevel":6',
    }.items():
        yield "duplicates", name, good.replace(b'"level":6', raw)
    yield "duplicates", "100,000", b"{" + b'"a":1,' * 100_000 + b'"a":1}\n'
    for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig"):
        yield "encodings", encoding, good.decode().encode(encoding)
    yield "encodings", "a raw surrogate", good.replace(b"Where", b"\xed\xa0\x80")
    yield "encodings", "an escaped surrogate", good.replace(b"Where", b"\\ud800")
    yield "encodings", "an overlong quote", good.replace(b"Where", b"\xc0\xa2")
    yield "encodings", "NUL", good.replace(b"Where", b"\\u0000")
    yield "encodings", "nothing", b""
    yield "encodings", "every byte", bytes(range(256)) * 400
    for name, raw in {
        "CR LF": good[:-1] + b"\r\n",
        "no line feed": good[:-1],
        "two line feeds": good + b"\n",
        "two documents": good + good,
        "what follows": good + b"x",
        "white space": good.replace(b":", b": "),
        "another order": b'{"z":1,"a":2}\n',
        "a comment": b"/* */" + good,
        "a trailing comma": good.replace(b'"level":6', b'"level":6,'),
        "single quotes": good.replace(b'"', b"'"),
        "YAML": b"format: wellposed-bundle/1\nlevel: *a\n",
    }.items():
        yield "form", name, raw
    yield "form", "a line separator", good.replace(b"Where", "a\u2028b".encode())
    for member in document():
        for name, junk in JUNK.items():
            if junk != document()[member]:
                yield "types", f"{member} is {name}", canonical({**document(), member: junk})
        yield "types", f"no {member}", canonical({k: v for k, v in document().items() if k != member})
    yield "types", "one member more", canonical({**document(), "zz": 1})
    yield "types", "an odd member", canonical({**document(), "z\u202ez": 1})
    large: dict[str, Callable[[], bytes]] = {
        "empty objects": lambda: b"[" + b"{}," * 499_000 + b"{}]\n",
        "more than a million values": lambda: b"[" + b"{}," * 1_100_000 + b"{}]\n",
        "10 MB of backslashes": lambda: b'"' + b"\\" * 10_000_001 + b'"\n',
        "10 MB of spaces": lambda: b" " * 10_000_000 + b"1\n",
        "17 MB": lambda: b'"' + b"a" * 17 * 2**20 + b'"\n',
        "15 MB of one title": lambda: canonical({**document(), "title": "a" * 15_000_000}),
        "99,999 events": lambda: canonical({**document(), "schedule": document()["schedule"] * 33_333}),
        "100,001 events": lambda: canonical({**document(), "schedule": document()["schedule"][:1] * 100_001}),
    }
    for name, make in large.items():
        yield "memory", name, make
    for name, id in {
        "Cyrillic": "g\u043eod",
        "an override": "g\u202eood",
        "a line feed": "good\n",
        "the Kelvin sign": "\u212aood",
        "a path": "../../good",
        "an absolute path": "/good",
        "a device": "CON",
        "129 letters": "g" * 129,
        "a command": "::error::x",
    }.items():
        yield "identifiers", name, canonical({**document(), "id": id})
    yield "terminal", "every text", saying(SHOWN)
    for name, text in MARKUP.items():
        yield "injection", name, saying(text)
    yield "injection", "a format", canonical({**document(), "format": "[x](0)::error::\x1b[31m<script>"})


def _put(raw: Bytes) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        written = raw if isinstance(raw, bytes) else raw()
        (folder / "x.json").write_bytes(written)
        (folder / "folder").mkdir()
        (folder / "folder" / "bundle.json").write_bytes(written)

    return put


BUNDLES = [
    Hostile(f"bundle {group}", name, "bundle", _put(raw), group == "memory" or name == "the largest horizon")
    for group, name, raw in _texts()
]
