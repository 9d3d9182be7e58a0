"""The part of YAML that claims are written in: of one mind with a real reader on what it takes, and coded where it does not."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wellposed.compiler.limits import LIMITS, Limits
from wellposed.compiler.plain_yaml import read_yaml, value_of
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.source import SourceFile

PIECES = (
    "a", "b", "key: ", "k2: ", "x:", "- ", "-", "\n", "\n", "\n", " ", "  ", "|", "|-", "|+", ">", "'", '"', "#", " #", "[]", "{}",
    "[", "&a ", "*a", "!t ", "no", "12", "1:30", "~", "\\n", "\\u0041", "\\", "é", "\u00a0", "\r\n", "\r", "?", ": ", ":", "%", "---", "...",
    "\t", "<<: ", "=", "\u2028", "\ufeff", "\0",
)  # fmt: skip


def read(text: str) -> Any:
    """The value of a text that is taken."""
    node, findings = read_yaml("claim.yaml", text.encode())
    assert (node is not None, findings) == (True, ())
    return value_of(node)  # type: ignore[arg-type]


def refused(raw: str | bytes, limits: Limits = LIMITS) -> Finding:
    """The finding of a text that is not."""
    node, findings = read_yaml("claim.yaml", raw.encode() if isinstance(raw, str) else raw, limits)
    assert node is None
    (finding,) = findings
    return finding


def underlined(text: str) -> tuple[str, str]:
    """The code, and what the finding points at."""
    finding = refused(text)
    assert isinstance(finding.place, Span)
    return finding.code, SourceFile("claim.yaml", text).text_of(finding.place)


# What is taken


@settings(max_examples=800, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("a: |\n  x\n \n   y\n\n")
@example("a:\n- |-\n  x\n- b\nc: ''\n")
def test_what_is_taken_means_the_same_to_other_readers(text: str) -> None:
    node, findings = read_yaml("claim.yaml", text.encode())
    assert (node is None) == bool(findings)
    if node is not None:
        for loader in (yaml.SafeLoader, yaml.CSafeLoader):
            assert yaml.load(text, Loader=loader) == value_of(node)


values = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp", "Cn")), min_size=1, max_size=20)
keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,8}", fullmatch=True).filter(
    lambda key: key.lower() not in ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
)
nested = st.recursive(
    values | st.lists(values, max_size=3),
    lambda below: st.dictionaries(keys, below, min_size=1, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(keys, nested, min_size=1, max_size=4))
def test_what_another_writer_writes_is_read_again(value: dict[str, Any]) -> None:
    """With double quotes around every text: the one form that needs no rule about what is plain."""
    text = yaml.dump(value, Dumper=_Dumper, default_flow_style=False, allow_unicode=True, width=10_000, sort_keys=False)
    assert read(text) == value


class _Dumper(yaml.SafeDumper):
    """Quotes values, not keys."""

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> yaml.MappingNode:
        node = super().represent_mapping(tag, mapping, flow_style)
        for _, value in node.value:
            _quote(value)
        return node


def _quote(node: Any) -> None:
    if isinstance(node, yaml.ScalarNode):
        node.style = '"'
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _quote(item)


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_raise(raw: bytes) -> None:
    node, findings = read_yaml("claim.yaml", raw)
    assert (node is None) == bool(findings)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: b", {"a": "b"}),
        ("a: b # c", {"a": "b"}),
        ("a: b#c", {"a": "b#c"}),
        ("a: b:c", {"a": "b:c"}),
        ("a: sha256:00", {"a": "sha256:00"}),
        ("# c\n\na: 'it''s' # d\n", {"a": "it's"}),
        (r'a: "\"\\\/\n\t\u00e9\U0001F600"', {"a": '"\\/\n\té😀'}),
        ("a: |\n  one\n\n    two\n  # three\nb: c\n", {"a": "one\n\n  two\n# three\n", "b": "c"}),
        ("a: |-\n  one\n\n\nb: c\n", {"a": "one", "b": "c"}),
        ("a: |\n  one", {"a": "one"}),
        ("a:\n  - b\n  - c\n", {"a": ["b", "c"]}),
        ("a:\n- b\n", {"a": ["b"]}),
        ("a:\n  b:\n    c: d\n", {"a": {"b": {"c": "d"}}}),
        ("a: []\nb: {}\n", {"a": [], "b": {}}),
        ("a: b\r\nc: d\r\n", {"a": "b", "c": "d"}),
        ("a: nothing\nb: yesterday\n", {"a": "nothing", "b": "yesterday"}),
    ],
)
def test_values(text: str, value: Any) -> None:
    assert read(text) == value == yaml.safe_load(text)


# What is not


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("", "WP901", ""),
        ("# only\n", "WP901", ""),
        ("a\n", "WP901", "a"),
        ("- a\n", "WP901", "- a"),
        ("a: b\n c: d\n", "WP901", "c: d"),
        ("a:\n    b: c\n  d: e\n", "WP901", "d: e"),
        ("  a: b\nc: d\n", "WP901", "c: d"),
        ("a: b\n  c\n", "WP901", "c"),
        ("a: b: c\n", "WP901", "b: c"),
        ("a: b:\n", "WP901", "b:"),
        ("a: 'b\n", "WP901", "'b"),
        ('a: "b" c\n', "WP901", " c"),
        (r'a: "\x41"', "WP901", r"\x"),
        (r'a: "\u0000"', "WP901", r"\u0000"),
        (r'a: "\ud800"', "WP901", r"\ud800"),
        (r'a: "\U00110000"', "WP901", r"\U00110000"),
        ("a: @b\n", "WP901", "@b"),
        ("a: - b\n", "WP901", "-"),
        ("a:\n  - b\n    - c\n", "WP901", "- c"),
        ("a: |\n     \n  b\n", "WP901", "     "),
        ("a: \ufffe\n", "WP901", "\ufffe"),
        ('"a": b\n', "WP901", '"a": b'),
        ("a:\tb\n", "WP902", "\t"),
        ('a: "\t"\n', "WP902", "\t"),
        ("a: &b c\n", "WP903", "&"),
        ("a: *b\n", "WP903", "*"),
        ("a: !!python/object:os.system c\n", "WP903", "!"),
        ("a: >\n  b\n", "WP903", ">"),
        ("a: |+\n  b\n", "WP903", "|+"),
        ("a: |2\n  b\n", "WP903", "|2"),
        ("? a\n: b\n", "WP903", "?"),
        ("<<: a\n", "WP903", "<<"),
        ("---\na: b\n", "WP903", "---"),
        ("a: b\n...\n", "WP903", "..."),
        ("%YAML 1.1\na: b\n", "WP903", "%"),
        ("a:\n  - b: c\n", "WP903", "b: c"),
        ("a:\n  - - b\n", "WP903", "- b"),
        ("a: b\na: c\n", "WP904", "a"),
        ("a: no\n", "WP905", "no"),
        ("a: ON\n", "WP905", "ON"),
        ("a: ~\n", "WP905", "~"),
        ("a: 010\n", "WP905", "010"),
        ("a: 1:30\n", "WP905", "1:30"),
        ("a: 1e3\n", "WP905", "1e3"),
        ("a: -.inf\n", "WP905", "-.inf"),
        ("a: .NaN\n", "WP905", ".NaN"),
        ("a: 2024-01-01\n", "WP905", "2024-01-01"),
        ("a: 0x1F\n", "WP905", "0x1F"),
        ("a: null\n", "WP905", "null"),
        ("a: =\n", "WP905", "="),
        ("a:\n", "WP905", "a"),
        ("a: # b\nc: d\n", "WP905", "a"),
        ("a:\n  -\n", "WP905", "-"),
        ("yes: a\n", "WP905", "yes"),
        ("a: [b, c]\n", "WP906", "[b, c]"),
        ("a: {b: c}\n", "WP906", "{b: c}"),
        ("a:\n  - []\n", "WP906", "[]"),
        ("{a: b}\n", "WP906", "{a: b}"),
    ],
)
def test_faults(text: str, code: str, place: str) -> None:
    assert underlined(text) == (code, place)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"\xef\xbb\xbfa: b\n", "WP103"),
        ("a: b\n".encode("utf-16"), "WP102"),
        (b"a: \xff\n", "WP102"),
        (b"a: b\rc: d\n", "WP104"),
        (b"a: \0\n", "WP105"),
        ("a: b\u2028c: d\n".encode(), "WP106"),
        ("a: \u202eb\n".encode(), "WP106"),
        ("a: b\u0085c\n".encode(), "WP106"),
    ],
)
def test_faults_of_the_text(raw: bytes, code: str) -> None:
    assert refused(raw).code == code


def test_what_is_invisible_can_be_written_between_quotes() -> None:
    help = refused("a: b\u200dc\n").help
    assert help is not None and help.endswith(r"\u200D")
    assert read(r'a: "b\u200Dc"') == {"a": "b\u200dc"}


def test_limits() -> None:
    assert refused(b"#" * (LIMITS.claim_bytes + 1)).code == "WP900"
    assert refused(_nested(LIMITS.yaml_depth + 1)).code == "WP900"
    assert read(_nested(LIMITS.yaml_depth)) is not None
    long = "a:\n" + "- b\n" * LIMITS.yaml_values
    assert refused(long).code == "WP900"
    assert len(read(long.removesuffix("- b\n"))["a"]) == LIMITS.yaml_values - 1


def _nested(depth: int) -> str:
    """So many mappings, each in the one before."""
    return "".join(f"{' ' * level}a:\n" for level in range(depth - 1)) + " " * (depth - 1) + "b: c\n"


def test_an_alias_bomb_is_refused_at_its_first_anchor() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{chr(98 + depth)}: &{chr(98 + depth)} [{', '.join([f'*{chr(97 + depth)}'] * 9)}]\n" for depth in range(8)
    )
    finding = refused(bomb)
    assert isinstance(finding.place, Span)
    assert (finding.code, finding.place.line, finding.place.column) == ("WP903", 1, 4)


@pytest.mark.parametrize(
    "text",
    ["a:" + " " * 60_000 + "x", "a: " + "'" * 60_000, 'a: "' + "\\" * 60_000, "a" * 60_000, "a: " + "x #" * 20_000],
)
def test_long_lines(text: str) -> None:
    """Each is read once; a reader that tries again from every blank would not come to an end."""
    node, findings = read_yaml("claim.yaml", text.encode())
    assert (node is None) == bool(findings)
