"""Hostile texts of scenarios, by class; generated where large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tests.hostile.inputs import Hostile

HEAD = 'scenario x { level L2 horizon 60 conversation c { from "a@example.test" subject "s" } at 0 deliver m1 in c "b" '
TAIL = " at 12 approve m1 expect { m1 sent exactly once } }\n"
SHOWN = "\u202e\u2066\u200b\u200d\ufeff\u2028\u2029\x85\x1b[31m\x1b]8;;https://example.test\x07\x1b]52;c;AAAA\x07\x9b2J\x08\r\x7f\x0b\x0c"
"""Characters that hide or move text, and what terminals act on."""
MARKUP = {
    "rich markup": "[link=https://example.test]x[/link] [/] [bold red] :smile: [red",
    "workflow commands": "::error::x ##[add-mask]y ::set-env name=A::b ::add-mask::z %0A::stop-commands::q",
    "a Markdown link": "[x](0) [y](https://example.test) ![z](https://example.test/z.png) {0} \\",
    "fences": "``` ````text ~~~ | a | b | <!-- --> </details>",
    "XML": "]]> <![CDATA[ <!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]> &e; <failure/>",
    "HTML": "</style></title><script>alert(1)</script><img src=x onerror=alert(1)> &lt; ' onload='x",
    "a spreadsheet": "=HYPERLINK(1) +cmd|' /C calc'!A0 @SUM(1) -1+1",
    "mermaid": "%%{init: {'securityLevel': 'loose'}}%% click a call b() end-->x; graph TD",
    "templates": "{{anchor}} ${x} $(x) `x` %s %(x)s {x!r} #{x}",
}


def quoted(text: str) -> str:
    """A string of the language that holds exactly this."""
    plain = set(" !#$%&'()*+,-./:;<=>?@[]^_`|~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    return '"' + "".join(one if one in plain else f"\\u{{{ord(one):X}}}" for one in text) + '"'


def race(text: str) -> str:
    """A scenario in which every string says this: an ambiguous one, so that findings quote it."""
    shown = quoted(text[:150])
    return (
        f"scenario x {{ title {shown} level L6 horizon 40\nconversation c {{ from {shown} subject {shown} }}\n"
        f"at 0 deliver m1 in c {quoted(text)}\nat 12 approve m1\nat 13 escalate m1\nexpect {{ m1 never sent }} }}\n"
    )


def rejected(text: str) -> str:
    """One that is rejected on purpose, for a reason, and another finding allowed, for a reason."""
    return race(text).replace("horizon 40", f"horizon 40 rejected ambiguous WP501 {quoted(text[:150])}")


def ruled(text: str) -> str:
    """Rules that compare with this."""
    return f"rules r {{ admit a when subject is {quoted(text[:150])} }}\n" + race(text).replace(
        "horizon 40", "horizon 40 rules r"
    )


def _texts() -> Iterator[tuple[str, str, str | bytes]]:
    yield "nesting", "open brackets", HEAD + "at " + "(" * 100_000
    yield "nesting", "brackets that close", HEAD + "at " + "(" * 5_000 + "1" + ")" * 5_000 + " crash" + TAIL
    yield "nesting", "alternatives", HEAD + "expect { " + "any of { " * 20_000
    yield "nesting", "conditions", HEAD + "expect { " + "if m1 sent then " * 20_000 + "m1 sent }" + TAIL
    yield "nesting", "loops", HEAD + "for i in 1..2 { " * 20_000 + "at 1 crash" + " }" * 20_000 + TAIL
    yield "nesting", "closing braces", HEAD + "}" * 100_000
    yield "nesting", "a chain of operators", HEAD + "at " + "1 + " * 50_000 + "1 crash" + TAIL
    yield (
        "nesting",
        "a chain of conditions",
        "rules r { admit a when " + 'from is "a" and ' * 20_000 + 'from is "a" } ' + HEAD + TAIL,
    )

    for name, number in {
        "4,301 digits": "9" * 4_301,
        "100,000 digits": "9" * 100_000,
        "2^53": str(2**53),
        "an exponent": "1e400",
        "a fraction": "1.5",
        "a negative zero": "-0",
        "Arabic digits": "\u0661\u0662",
        "full-width digits": "\uff11\uff12",
        "underscores": "1_000",
        "octal": "010",
        "hexadecimal": "0x10",
        "sexagesimal": "1:30",
        "a superscript": "\u00b2",
    }.items():
        yield "numbers", name, HEAD + f"at {number} crash" + TAIL
    yield "tick size", "the last tick that there is", HEAD.replace("60", "1000000") + "at 999999 jump to 1000000" + TAIL
    yield "tick size", "a horizon beyond it", HEAD.replace("60", "9007199254740991") + TAIL
    yield "tick size", "a jump beyond it", HEAD + "at 3 jump by 9007199254740991" + TAIL

    yield "expansion", "a loop", HEAD + "for i in 1..1000000000 { at 1 crash }" + TAIL
    yield (
        "expansion",
        "a nest of loops",
        HEAD + "".join(f"for {v} in 1..1000 {{ " for v in "ijk") + "at 1 crash } } }" + TAIL,
    )
    yield (
        "expansion",
        "a family",
        HEAD.replace("scenario x", "family x(a in 1..1000, b in 1..1000, c in 1..1000)") + TAIL,
    )
    doubling = "".join(f"let t{n + 1} = t{n} + t{n} " for n in range(60))
    yield "expansion", "doubling", HEAD + "let t0 = 1 " + doubling + "at t60 crash" + TAIL
    yield "expansion", "strings", HEAD + f'for i in 1..50000 {{ at 1 deliver n[i] in c "{"x{i}" * 9_000}" }}' + TAIL
    yield "expansion", "a chain of names", HEAD + "".join(f"at k{n} k{n + 1}: crash " for n in range(5_000)) + TAIL
    yield "expansion", "a circle of names", HEAD + "at k1 k2: crash at k2 k1: crash" + TAIL
    for name, text in {
        "a width": "{anchor:>1000000000}",
        "an attribute": "{anchor.__class__.__mro__}",
        "an index": "{0[0]}",
        "a conversion": "{anchor!r}",
        "nested": "{{anchor}}",
    }.items():
        yield "templates", name, HEAD.replace('"b"', f'"{text}"') + TAIL

    for name, text in {
        "aliases": "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n",
        "a tag": "!!python/object/apply:os.system ['true']\n",
        "documents": "---\nscenario: x\n...\n---\n",
        "a merge key": "<<: *x\nno: yes\n",
        "a JSON text": '{"format":"wellposed-bundle/1"}\n',
    }.items():
        yield "YAML", name, text
    yield "duplicates", "a scenario", (HEAD + TAIL) * 2
    yield "duplicates", "a header", HEAD + "level L2 horizon 60" + TAIL
    yield "duplicates", "a message", HEAD + 'at 1 deliver m1 in c "other"' + TAIL

    plain = HEAD + TAIL
    for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig"):
        yield "encodings", encoding, plain.encode(encoding)
    yield "encodings", "latin-1", plain.replace("s", "\xe9").encode("latin-1")
    yield "encodings", "a surrogate", plain.encode().replace(b'"b"', b'"\xed\xa0\x80"')
    yield "encodings", "an overlong quote", plain.encode().replace(b'"b"', b'"\xc0\xa2"')
    yield "encodings", "beyond Unicode", plain.encode().replace(b'"b"', b'"\xf4\x90\x80\x80"')
    yield "encodings", "an escaped surrogate", plain.replace('"b"', '"\\u{D800}"')
    yield "encodings", "an escaped number beyond Unicode", plain.replace('"b"', '"\\u{110000}"')
    yield "encodings", "NUL", plain.replace('"b"', '"\0"')
    yield "encodings", "an escaped NUL", plain.replace('"b"', '"\\u{0}"')
    yield "encodings", "nothing", b""
    yield "encodings", "every byte", bytes(range(256)) * 400
    for code, name in (
        (0x2028, "a line separator"),
        (0x85, "a next line"),
        (0x0D, "a bare return"),
        (0x0B, "a vertical tab"),
    ):
        yield "line splitting", name, f"# comment {chr(code)} {TAIL}" + plain

    for name, id in {
        "Cyrillic": "m\u043e1",
        "full width": "\uff4d1",
        "a joiner": "m\u200d1",
        "an override": "m\u202e1",
        "a tag": "m\U000e00311",
        "the Kelvin sign": "m\u212a",
        "a long s": "m\u017f",
        "a ligature": "\ufb01m",
        "no letter": "m\u0301",
    }.items():
        yield "identifiers", name, HEAD + f'at 1 deliver {id} in c "b"' + TAIL
    yield "identifiers", "a twin in capitals", HEAD + 'at 1 deliver M1 in c "b"' + TAIL
    yield "identifiers", "one of 10,000 letters", HEAD + f'at 1 deliver {"m" * 10_000} in c "b"' + TAIL
    yield "identifiers", "bidirectional text in a comment", "# " + "\u202e\u2066" * 100 + "\n" + plain

    yield "terminal", "raw", race("x").replace('"x"', '"' + SHOWN.replace("\r", "") + '"')
    yield "terminal", "escaped", race(SHOWN)
    yield "terminal", "in a reason", rejected(SHOWN)
    yield "terminal", "in a rule", ruled(SHOWN)
    for name, text in MARKUP.items():
        yield "injection", name, race(text)
        yield "injection", f"{name}, in a reason", rejected(text)
        yield "injection", f"{name}, in a rule", ruled(text)
        yield (
            "injection",
            f"{name}, in lines of a string",
            race("x").replace('deliver m1 in c "x"', f'deliver m1 in c """\n{text}\n"""'),
        )
        yield "injection", f"{name}, outside of strings", f"{text}\n" + race("x") + f"\n# {text}\n"

    yield "diagnostics", "100,000 errors", "scenario x {\n" + "  at 1 approve m\n" * 60_000 + "}\n"
    yield "diagnostics", "one long line", HEAD + "at 1 approve m " * 60_000 + TAIL
    yield "diagnostics", "one long word", "a" * 1_000_000
    names = " ".join(f'at 1 deliver {"n" * 55}{n} in c "b"' for n in range(1_500))
    asked = " ".join(f"at 2 approve {'n' * 56}{n}x" for n in range(1_500))
    yield "diagnostics", "unknown names beside known ones", HEAD + names + asked + TAIL
    yield "diagnostics", "an open string", HEAD + '"' + "x" * 900_000
    yield "diagnostics", "open strings", ('scenario x { title "\n' * 40_000)
    yield "diagnostics", "quotes", '"' * 900_000
    yield "diagnostics", "backslashes", HEAD.replace('"b"', '"' + "\\" * 800_001 + '"') + TAIL
    yield "diagnostics", "comments", "#\n" * 500_000
    yield "memory", "one byte too many", b"#" * (2**20 + 1)
    yield "memory", "20 MB", b"scenario x { }\n" * 1_300_000
    yield "memory", "many scenarios", "".join(f"{HEAD.replace('x', f'x{n}', 1)}{TAIL}" for n in range(5_000))


def _put(text: str | bytes) -> Callable[[Path], None]:
    raw = text if isinstance(text, bytes) else text.encode("utf-8")

    def put(folder: Path) -> None:
        (folder / "x.scenario").write_bytes(raw)

    return put


HEAVY = (
    *(
        "nesting: closing braces",
        "nesting: a chain of conditions",
        "tick size: the last tick that there is",
        "expansion: doubling",
    ),
    *(
        "expansion: a chain of names",
        "diagnostics: 100,000 errors",
        "diagnostics: one long line",
        "diagnostics: open strings",
    ),
    *(
        "diagnostics: unknown names beside known ones",
        "memory: many scenarios",
        "diagnostics: comments",
        "diagnostics: quotes",
    ),
    *(
        "diagnostics: backslashes",
        "diagnostics: an open string",
        "diagnostics: one long word",
        "identifiers: one of 10,000 letters",
    ),
)
SOURCES = [Hostile(group, name, "source", _put(text), f"{group}: {name}" in HEAVY) for group, name, text in _texts()]
