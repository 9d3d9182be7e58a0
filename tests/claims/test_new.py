"""`new claim`: a claim of every kind in which nothing is left to do but what is marked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.claims.examples import bundle

from wellposed.cli.skeletons.claim import kinds, skeleton
from wellposed.compiler.plain_yaml import read_yaml, value_of
from wellposed.compiler.schemas import violations
from wellposed.verifier.claims import KINDS, read_claim

Command = Callable[..., Any]
ABOUT = [name for name in KINDS if name != "spec-reading"]


def test_every_kind_has_a_few_words() -> None:
    assert [name for name, _ in kinds()] == list(KINDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("about", [(None, None, None), ("hello", "sha256:" + "a" * 64, "L2")])
def test_only_what_is_marked_is_left(kind: str, about: tuple[str | None, str | None, str | None]) -> None:
    text = skeleton(KINDS[kind], *about)
    path = "claims/example/claim.yaml"
    node, findings = read_yaml(path, text.encode())
    assert node is not None and findings == ()
    assert value_of(node) == yaml.safe_load(text)
    assert list(violations("claim", value_of(node))) == []
    _, unfinished = read_claim(text.encode(), path)
    assert {one.code for one in unfinished} == {"WP913"}
    claim, rest = read_claim(text.replace("TODO", "Done").encode(), path)
    assert rest == () and claim is not None and claim.kind == kind
    assert max(len(line) for line in text.splitlines()) <= 118


@pytest.mark.parametrize("kind", ABOUT)
def test_a_claim_about_a_scenario_names_it(kind: str, wellposed: Command, folder: Path) -> None:
    result = wellposed("new", "claim", "mine", "--kind", kind, "--about", "hello.scenario")
    assert (result.status, result.err) == (0, "")
    assert result.out == f"wrote claims/mine/claim.yaml: a {kind} claim about hello; write what is marked TODO\n"
    written = yaml.safe_load((folder / "claims" / "mine" / "claim.yaml").read_text())
    assert (written["scenario"], written["bundle"]) == ("hello", bundle("hello").hash)


def test_nothing_is_overwritten(wellposed: Command, folder: Path) -> None:
    assert wellposed("new", "claim", "mine").status == 0
    before = (folder / "claims" / "mine" / "claim.yaml").read_text()
    assert "kind: fixture-defect" in before
    result = wellposed("new", "claim", "mine", "--kind", "new-scenario")
    assert result.status == 2 and "exists already" in result.err
    assert (folder / "claims" / "mine" / "claim.yaml").read_text() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["Mine"], "cannot be the name of a claim"),
        (["mine", "--kind", "defect"], "is not a kind of claim"),
        (["mine", "--about", "empty"], "no single scenario"),
        (["mine", "--about", "nowhere"], "no single scenario"),
        (["mine", "--kind", "spec-reading", "--about", "hello.scenario"], "no single scenario"),
        (["mine", "--out", "mine.yaml"], "does not end in /claim.yaml"),
    ],
)
def test_what_cannot_be_used(arguments: list[str], told: str, wellposed: Command, folder: Path) -> None:
    result = wellposed("new", "claim", *arguments)
    assert result.status == 2 and told in result.err
    assert not (folder / "claims").exists()


def test_to_standard_output(wellposed: Command, folder: Path) -> None:
    result = wellposed("new", "claim", "mine", "--out", "-")
    assert result.status == 0 and yaml.safe_load(result.out)["kind"] == "fixture-defect"
    assert not (folder / "claims").exists()


def test_a_folder_that_cannot_be_made(wellposed: Command, folder: Path) -> None:
    (folder / "claims").write_text("")
    result = wellposed("new", "claim", "mine")
    assert result.status == 2 and "cannot write claims/mine" in result.err
