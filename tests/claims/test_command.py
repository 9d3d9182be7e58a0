"""`wellposed claim`: what is a claim, what is not looked at, and every format of what it comes to."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.claims.conftest import Claimed
from tests.claims.examples import HELLO, bundle

from wellposed.cli.render.sarif import SCHEMA
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.schemas import violations
from wellposed.dsl.codes import BY_ID, claims

Command = Callable[..., Any]
NEW, DEFECT = BY_ID["WP910"].good.text, BY_ID["WP931"].good.text
REFUTED, MALFORMED = BY_ID["WP932"].bad.text, BY_ID["WP905"].bad.text


def document(result: Any) -> Any:
    found = json.loads(result.out)
    assert list(violations("claims", found)) == []
    return found


def verdicts(result: Any) -> dict[str, str]:
    return {one["name"]: one["verdict"] for one in document(result)["claims"]}


@pytest.mark.parametrize("path", ["claims/a/claim.yaml", "claims/a", "claims", ".", "./claims//a/"])
def test_what_stands_for_a_claim(path: str, claimed: Claimed, wellposed: Command) -> None:
    claimed(NEW, "a")
    result = wellposed("claim", path, "--format", "json")
    assert (result.status, result.err) == (0, "")
    (claim,) = document(result)["claims"]
    assert (claim["path"], claim["verdict"], claim["bundle"]) == ("claims/a/claim.yaml", "holds", bundle("hello").hash)


def test_from_inside_the_folder(claimed: Claimed, wellposed: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(claimed(NEW, "a"))
    for path in (".", "claim.yaml"):
        result = wellposed("claim", path, "--format", "json")
        assert (result.status, verdicts(result)) == (0, {"a": "holds"}), result.out


def test_several_and_each_once(claimed: Claimed, wellposed: Command) -> None:
    for name, text in (("a", NEW), ("b", DEFECT), ("c", REFUTED), ("d", MALFORMED)):
        claimed(text, name)
    (Path.cwd() / "claims" / "README.md").write_text("Claims.\n")
    (Path.cwd() / "claims" / ".hidden").mkdir()
    result = wellposed("claim", "claims", "claims/a", ".", "--format", "json")
    assert verdicts(result) == {"a": "holds", "b": "holds", "c": "refuted", "d": "malformed"}
    assert result.status == 1
    summary = document(result)["summary"]
    assert summary == {
        "claims": 4,
        "holds": 2,
        "refuted": 1,
        "unproven": 0,
        "undecided": 0,
        "malformed": 1,
        "errors": 2,
        "warnings": 0,
        "notes": 0,
    }


@pytest.mark.parametrize(
    ("paths", "code"),
    [
        (["nowhere"], "WP002"),
        (["scenarios"], "WP003"),
        (["scenarios/hello.scenario"], "WP003"),
        ([""], "WP002"),
        (["a\0b"], "WP002"),
    ],
)
def test_no_claims(paths: list[str], code: str, claimed: Claimed, wellposed: Command) -> None:
    claimed(NEW, "a")
    result = wellposed("claim", *paths)
    assert result.status == 2 and f"error[{code}]" in result.err


def test_a_folder_without_a_claim(claimed: Claimed, wellposed: Command) -> None:
    (claimed(NEW, "a") / "claim.yaml").rename("claims/a/claim.yml")
    result = wellposed("claim", "claims")
    assert result.status == 1 and "error[WP914]: there is no claim.yaml in this folder" in result.out


def test_other_scenarios(claimed: Claimed, wellposed: Command) -> None:
    claimed(NEW, "a")
    os.rename("scenarios", "others")
    result = wellposed("claim", "claims")
    assert result.status == 1 and "WP920" in result.out and "scenarios does not exist" in result.err
    assert wellposed("claim", "claims", "--scenarios", "others").status == 0
    (Path.cwd() / "hello.scenario").write_text(HELLO)
    assert wellposed("claim", "claims", "--scenarios", "hello.scenario").status == 0
    assert wellposed("build", "hello.scenario", "--out", "built").status == 0
    assert wellposed("claim", "claims", "--scenarios", "built").status == 0


def test_a_scenario_that_does_not_compile(claimed: Claimed, wellposed: Command) -> None:
    claimed(NEW, "a")
    Path("scenarios/hello.scenario").write_text(HELLO.replace("m1 sent", "m2 sent"))
    result = wellposed("claim", "claims")
    assert result.status == 1 and "`hello`, in scenarios/hello.scenario, does not compile" in result.out


def test_too_little_budget(claimed: Claimed, wellposed: Command) -> None:
    claimed(NEW, "a")
    assert wellposed("claim", "claims", "--budget", "1").status == 3
    assert wellposed("claim", "claims", "--budget", "1", "--deny", "warnings").status == 1
    cases = ElementTree.fromstring(wellposed("claim", "claims", "--budget", "1", "--format", "junit").out)
    assert cases.get("errors") == "1"


# What is not looked at


def _link(claim: Path) -> None:
    Path("secret").write_text("secret\n")
    (claim / "more").symlink_to(Path("secret").absolute())


def _folder_link(claim: Path) -> None:
    (claim / "more").symlink_to("/", target_is_directory=True)


def _pipe(claim: Path) -> None:
    os.mkfifo(claim / "more")


def _linked_claim(claim: Path) -> None:
    (claim / "claim.yaml").rename("elsewhere")
    (claim / "claim.yaml").symlink_to(Path("elsewhere").absolute())


@pytest.mark.parametrize("spoil", [_link, _folder_link, _pipe, _linked_claim])
def test_nothing_but_regular_files(spoil: Callable[[Path], None], claimed: Claimed, wellposed: Command) -> None:
    spoil(claimed(NEW, "a"))
    result = wellposed("claim", "claims")
    assert result.status == 1 and "error[WP914]" in result.out and "secret" not in result.out


def test_a_link_to_a_claim(claimed: Claimed, wellposed: Command) -> None:
    claimed(NEW, "a")
    Path("claims/b").symlink_to("a", target_is_directory=True)
    assert wellposed("claim", "claims/b").status == 2
    result = wellposed("claim", "claims")
    assert result.status == 1 and "error[WP914]" in result.out


def test_too_much(claimed: Claimed, wellposed: Command) -> None:
    claim = claimed(NEW, "a")
    with open(claim / "sparse", "wb") as file:
        file.truncate(1 << 40)
    result = wellposed("claim", "claims")
    assert result.status == 1 and "error[WP900]" in result.out
    (claim / "sparse").unlink()
    for number in range(LIMITS.claim_files):
        (claim / f"f{number}").touch()
    result = wellposed("claim", "claims")
    assert result.status == 1 and "error[WP900]: more than 1,000 files" in result.out


def test_too_deep(claimed: Claimed, wellposed: Command) -> None:
    (claimed(NEW, "a") / "/".join("d" * 1 for _ in range(20))).mkdir(parents=True)
    result = wellposed("claim", "claims")
    assert result.status == 1 and "error[WP900]: nested too deeply" in result.out


def test_hostile_text_is_shown_escaped(claimed: Claimed, wellposed: Command) -> None:
    text = NEW + 'disclosure: "\\u001B]8;;x\\u0007 ::error::##[add-mask]"\n'
    claimed(text.replace("kind: new-scenario", 'kind: "\\u001B[31m::error::"'), "a")
    for form in ("text", "concise", "json", "sarif", "github", "junit"):
        out = wellposed("claim", "claims", "--format", form).out
        assert "\x1b" not in out and "\x07" not in out and "##[" not in out
        assert not any(line.lstrip().startswith("::error::") for line in out.splitlines())


# Formats


@pytest.fixture
def desk(claimed: Claimed) -> None:
    for row in claims.ROWS:
        if row.id not in ("WP900", "WP915", "WP933"):
            claimed(row.bad.text, row.id.lower())


@pytest.mark.usefixtures("desk")
def test_json(wellposed: Command) -> None:
    found = document(wellposed("claim", "claims", "--format", "json"))
    by_name = {one["name"]: one for one in found["claims"]}
    assert by_name["wp934"]["witness"][0]["event"] == "deliver"
    assert by_name["wp937"]["flips"] == [{"scenario": "race", "before": "ambiguous", "after": "unsatisfiable"}]
    assert by_name["wp937"]["reading"] == "reply-clock=arrival"
    told = {
        finding["path"].split("/")[1].upper() for finding in found["findings"] if finding["path"].startswith("claims/")
    }
    assert told == {name.upper() for name in by_name}


@pytest.mark.usefixtures("desk")
def test_sarif(wellposed: Command) -> None:
    found = json.loads(wellposed("claim", "claims", "--format", "sarif").out)
    assert found["$schema"] == SCHEMA
    (run,) = found["runs"]
    levels = [one["level"] for one in run["results"]]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    uris = {
        place["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"] for place in one["locations"]
    }
    assert uris and all(uri.startswith("claims/wp9") for uri in uris)
    prints = [one["partialFingerprints"]["wellposed/v1"] for one in run["results"]]
    assert len(set(prints)) == len(prints)


@pytest.mark.usefixtures("desk")
def test_junit_has_a_case_for_each_claim(wellposed: Command) -> None:
    found = verdicts(wellposed("claim", "claims", "--format", "json"))
    root = ElementTree.fromstring(wellposed("claim", "claims", "--format", "junit").out)
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert set(cases) == {f"claims/{name}/claim.yaml" for name in found}
    for name, verdict in found.items():
        assert (cases[f"claims/{name}/claim.yaml"].find("failure") is None) == (verdict == "holds")


@pytest.mark.usefixtures("desk")
def test_github_tells_the_severest_first(wellposed: Command) -> None:
    lines = wellposed("claim", "claims", "--format", "github").out.splitlines()
    kinds = [line.split(" ")[0] for line in lines if line.startswith("::")]
    assert kinds == sorted(kinds, key=["::error", "::warning", "::notice"].index) and len(kinds) > 20


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("form", ["text", "concise", "json", "sarif", "github", "junit"])
def test_every_format_has_the_same_status_and_no_absolute_path(form: str, wellposed: Command) -> None:
    result = wellposed("claim", "claims", "--format", form)
    assert result.status == 1 and str(Path.cwd()) not in result.out
    assert result.out == wellposed("claim", "claims", "--format", form).out


def test_quiet_shows_errors_alone(claimed: Claimed, wellposed: Command) -> None:
    claimed(REFUTED, "a")
    result = wellposed("claim", "claims", "-q")
    assert result.out.startswith("error[WP932]") and "1 claim" not in result.out
