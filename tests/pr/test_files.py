"""What a file is by its path, which names deceive, which attributes do, and that no text of a stranger gets out of a summary."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wellposed.cli.render.pr_markdown import _folded, plain
from wellposed.cli.review.files import FileKind, deceives, kind_of, runs, strange
from wellposed.cli.review.objects import Changed, Entry, shown

PLAIN, PROGRAM = Entry("100644", "1" * 40), Entry("100755", "1" * 40)
WORDS = st.lists(
    st.sampled_from(["@everyone", "#12", "GH-3", "www.example.test", "https://x.test", "![a](b)", "<b>", "`", "```", "|", "\\", "*", "_", "~~", ":tada:", "$x$",
                     "[l](x)", "\n", "\r\n::error::", "##[group]", "&amp;", "<!--", "-->", "</summary>", "\u202e", "\x1b[31m", " ", "a", "1"])
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("scenarios/x.scenario", FileKind.SCENARIO),
        ("deep/in/x.rules", FileKind.IMPORTED),
        ("x.skin", FileKind.IMPORTED),
        ("claims/a/claim.yaml", FileKind.CLAIM),
        ("claims/a/runs/0/outbox.jsonl", FileKind.CLAIM),
        ("claims/README.md", FileKind.OTHER),
        ("claims/a/run.sh", FileKind.RUNS),
        ("reserve/ledger.jsonl", FileKind.RESERVE),
        ("reserve/revealed/1.json", FileKind.RESERVE),
        ("reserve/logs/a/b", FileKind.RESERVE),
        ("reserve/notes.md", FileKind.OTHER),
        ("reserve/code/x.py", FileKind.RUNS),
        ("bundles/a/bundle.json", FileKind.BUNDLE),
        ("README.md", FileKind.OTHER),
        (".github/workflows/x.yml", FileKind.RUNS),
        (".GitHub/CODEOWNERS", FileKind.RUNS),
        ("sub/Makefile", FileKind.RUNS),
        ("scenarios/hooks/x.scenario", FileKind.RUNS),
        ("action.yaml", FileKind.RUNS),
        ("requirements-dev.txt", FileKind.RUNS),
        ("x/conftest.py", FileKind.RUNS),
        ("a.PY", FileKind.RUNS),
        ("wellposed.toml", FileKind.RUNS),
        ("scenarios/.gitattributes", FileKind.ATTRIBUTES),
        (".GITATTRIBUTES", FileKind.ATTRIBUTES),
        ("scenarios/x\n.scenario", FileKind.STRANGE),
    ],
)
def test_what_a_file_is(path: str, kind: FileKind) -> None:
    assert kind_of(Changed(path, None, PLAIN), frozenset(("reserve",)), frozenset(("bundles/a/bundle.json",))) is kind


def test_modes_say_more_than_names() -> None:
    def of(before: Entry | None, after: Entry | None) -> FileKind:
        return kind_of(Changed("scenarios/x.scenario", before, after), frozenset(), frozenset())

    link, module = Entry("120000", "1" * 40), Entry("160000", "1" * 40)
    assert of(None, link) is of(PLAIN, link) is of(link, PLAIN) is of(link, None) is FileKind.LINK
    assert of(None, module) is of(module, PLAIN) is FileKind.MODULE
    assert of(None, PROGRAM) is of(PLAIN, PROGRAM) is FileKind.RUNS
    assert of(PROGRAM, PROGRAM) is of(PROGRAM, None) is FileKind.SCENARIO
    assert of(None, Entry("100600", "1" * 40)) is FileKind.LINK  # no mode of a file that git writes
    assert not runs("x.md", PROGRAM, PLAIN)


@pytest.mark.parametrize("path", ["a/b.scenario", "scenarios/l1-follow-up.scenario", "été.md", "a b/c.txt", ".gitignore", "console", "a..b"])
def test_names_that_deceive_nobody(path: str) -> None:
    assert list(strange(path)) == []


@pytest.mark.parametrize(
    "path",
    ["a\nb", "a\tb", "a\x1bb", "a\u202eb", "a\u200bb", "a\u00a0b", "\udcff", "e\u0301", "a\\b", "C:x", "x/../y", "./x", "a//b", ".git/x", "x/.GIT./y", "GIT~1/x",
     " a", "a ", "a.", "aux", "x/com1.txt", "x" * 2000],
)  # fmt: skip
def test_names_that_deceive(path: str) -> None:
    assert list(strange(path))


@given(st.binary(max_size=40))
def test_every_name_can_be_shown(raw: bytes) -> None:
    shown(raw.decode("utf-8", "surrogateescape")).encode()


@pytest.mark.parametrize(
    ("line", "lies"),
    [
        ("* -text", False),
        ("scenarios/** -text", False),
        ("# * filter=x", False),
        ("", False),
        ("*.bin binary", False),
        ("* text=auto", True),
        ("*.json text eol=crlf", True),
        ("*.scenario working-tree-encoding=UTF-16LE", True),
        ("*.scenario ident", True),
        ("*.scenario filter=x", True),
        ("*.scenario -diff", True),
        ("*.scenario diff=x", True),
        ("x linguist-generated", True),
        ("x -text linguist-generated=true", True),
        ("x export-subst", True),
    ],
)
def test_attributes_that_deceive(line: str, lies: bool) -> None:
    assert deceives(f"# a comment\n{line}\n".encode()) is lies


@given(WORDS)
@example("@a #1 GH-1 www.x https://x :a: \\@b")
def test_text_of_a_stranger_is_text_in_a_summary(text: str) -> None:
    """One line, in which every mark is escaped and nothing is left that a forge takes for more than text."""
    out = plain(text)
    assert "\n" not in out and "\r" not in out
    bare = re.sub(r"\\.", "", out.replace("<!-- -->", ""))
    assert not re.search(r"[<>`\[\]|*_~$@#]", bare)
    read = re.sub(r"\\(.)", r"\1", out)
    assert not re.search(r"@\w|#\w|\bgh-\d|\bwww\.\w|://|:[\w+-]+:", read, re.IGNORECASE)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=4))
def test_a_fold_holds_what_is_put_into_it(title: str, lines: list[str]) -> None:
    out = _folded(title, lines)
    first, *_ = out.split("\n")
    assert first.startswith("<details><summary>") and first.endswith("</summary>") and out.endswith("\n\n</details>")
    inside = first[len("<details><summary>") : -len("</summary>")].replace("<!-- -->", "")
    assert not re.search(r"[<>@`:]|&(?!#\d+;)", inside) and html.unescape(inside).isprintable()
    body = out.split("\n")[2:-2]
    fence = body[0].removesuffix("text")
    assert set(fence) == {"`"} and body[-1] == fence
    assert all(line.startswith("  ") and fence not in line for line in body[1:-1])
