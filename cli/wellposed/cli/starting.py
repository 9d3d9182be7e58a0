"""From the options of `new`, and the answers to what they leave open, to the text of a starting point."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Sequence

from wellposed.cli.ask import Unusable, ask, can_ask
from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.skeletons import claim as claim_file
from wellposed.cli.skeletons import rules as rules_file
from wellposed.cli.skeletons import scenario as scenario_file
from wellposed.cli.skeletons.faults import FAULTS, lowest_level, offered
from wellposed.cli.skeletons.parts import listed
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.dsl.findings import has_errors
from wellposed.dsl.format import format_source
from wellposed.dsl.source import SourceFile
from wellposed.dsl.vocabulary import LEVELS
from wellposed.verifier.claims import KINDS
from wellposed.verifier.claims.members import DEFECT, READING, Kind
from wellposed.verifier.claims.read import NAME, TO_DO

USUAL_LEVEL = 2
USUAL_KIND = DEFECT
NONE = "none"

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*", re.ASCII)


def scenario(arguments: argparse.Namespace) -> tuple[str, str]:
    """The text of a scenario file, and what it is in a few words. Raises Unusable."""
    _check_name(arguments.name, "scenario")
    faults = None if arguments.faults is None else _faults(arguments.faults, None)
    if arguments.level is not None:
        level = _level(arguments.level, faults or ())
    else:
        level = _asked_level(faults or ()) if can_ask() else _default_level(faults or ())
    if faults is None:
        faults = _asked_faults(level) if can_ask() else ()
    text = _laid_out(scenario_file.skeleton(arguments.name, level, faults), f"{arguments.name}.scenario")
    names = [fault.name for fault in scenario_file.chosen(level, faults)]
    return text, f"level L{level}" + (f" with {listed(names)}" if names else "")


def rules(arguments: argparse.Namespace) -> tuple[str, str]:
    """The text of a rules file, and what it is in a few words. Raises Unusable."""
    _check_name(arguments.name, "rules version")
    default = ",".join(rules_file.DEFAULT)
    if arguments.by is not None:
        chosen = _choices(arguments.by)
    elif can_ask():
        listing = [(choice.name, choice.what) for choice in rules_file.CHOICES]
        chosen = ask("What the rules look at, separated by commas", listing, default, _choices)
    else:
        chosen = rules_file.DEFAULT
    text = _laid_out(rules_file.skeleton(arguments.name, chosen), f"{arguments.name}.rules")
    return text, "rules by " + listed(choice.name for choice in rules_file.CHOICES if choice.name in chosen)


def claim(arguments: argparse.Namespace) -> tuple[str, str]:
    """The text of a claim, and what it is in a few words. Raises Unusable."""
    if NAME.fullmatch(arguments.name) is None:
        raise Unusable(
            f"{arguments.name!r} cannot be the name of a claim: 1 to 64 of a-z 0-9 -, the first a letter or digit"
        )
    if arguments.kind is not None:
        kind = _kind(arguments.kind)
    elif can_ask():
        kind = ask("Kind", claim_file.kinds(), USUAL_KIND, _kind)
    else:
        kind = _kind(USUAL_KIND)
    if arguments.about is not None and kind.name == READING:
        raise Unusable("a spec-reading is about no single scenario, so --about says nothing")
    about = None if arguments.about is None else _about(arguments.about)
    text = (
        claim_file.skeleton(kind, None, None, None)
        if about is None
        else claim_file.skeleton(kind, about.id, about.hash, f"L{about.level}")
    )
    return text, f"a {kind.name} claim" + (
        "" if about is None else f" about {about.id}"
    ) + f"; write what is marked {TO_DO}"


def _kind(word: str) -> Kind:
    if word not in KINDS:
        raise Unusable(f"{word!r} is not a kind of claim; there are {listed(KINDS)}")
    return KINDS[word]


def _about(path: str) -> Bundle:
    """The one scenario at a path, as it compiles."""
    report = examine(gather([path], ""), None)
    bundles = [one.bundle for one in report.scenarios if one.bundle is not None]
    if len(bundles) != 1 or len(report.scenarios) != 1:
        raise Unusable(f"--about {path} is no single scenario that compiles")
    return bundles[0]


def _check_name(name: str, what: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise Unusable(
            f"{name!r} cannot be the name of a {what}: words of ASCII letters, digits and _, joined by single hyphens, a letter first"
        )


def _laid_out(text: str, path: str) -> str:
    """The canonical layout; raises Unusable where the name is one that the language has other plans for."""
    source = SourceFile(path, text)
    wrong = [finding for finding in compile_source(source).findings if has_errors((finding,))]
    if wrong:
        raise Unusable(wrong[0].message)
    laid_out, _ = format_source(source)
    assert laid_out is not None, "what compiles can be laid out"
    return laid_out


def _asked_level(faults: Collection[str]) -> int:
    listing = [(f"L{level.number}", f"{level.name}: {level.demands}") for level in LEVELS]
    return ask("Level", listing, f"L{_default_level(faults)}", lambda answer: _level(answer, faults))


def _asked_faults(level: int) -> tuple[str, ...]:
    listing = [(fault.name, fault.what) for fault in offered(level).values()]
    return ask("Faults, separated by commas", listing, NONE, lambda answer: _faults(answer, level))


def _default_level(faults: Collection[str]) -> int:
    return max(USUAL_LEVEL, *(lowest_level(name) or 0 for name in faults), 0)


def _level(word: str, faults: Collection[str]) -> int:
    """The number of a level that offers the faults."""
    digits = word[1:] if word[:1] in ("L", "l") else word
    known = {str(level.number): level.number for level in LEVELS}
    if digits not in known:
        raise Unusable(f"{word!r} is not a level; there are L0 to L{LEVELS[-1].number}")
    _check_offered(faults, known[digits])
    return known[digits]


def _faults(words: str, level: int | None) -> tuple[str, ...]:
    """The faults of a list with commas, each once, as far as the level (None: any) offers them."""
    names = _split(words, list(dict.fromkeys(fault.name for fault in FAULTS)), "fault")
    if level is not None:
        _check_offered(names, level)
    return names


def _check_offered(faults: Collection[str], level: int) -> None:
    for name in faults:
        if name not in offered(level):
            raise Unusable(f"{name} has no place at level L{level}, only from L{lowest_level(name)} on")


def _choices(words: str) -> tuple[str, ...]:
    names = _split(words, [choice.name for choice in rules_file.CHOICES], "thing that rules look at")
    if not names:
        raise Unusable("rules that look at nothing admit nothing")
    return names


def _split(words: str, known: Sequence[str], what: str) -> tuple[str, ...]:
    names = [word.strip() for word in words.split(",")]
    if names in ([""], [NONE]):
        return ()
    for name in names:
        if name not in known:
            raise Unusable(f"{name!r} is not a {what}; there are {listed(known)}")
    return tuple(dict.fromkeys(names))
