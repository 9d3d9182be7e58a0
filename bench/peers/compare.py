"""What wellposed and a peer say differently about one scenario: nothing, or one of the two is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from bench.peers.answers import Answers
from bench.peers.facts import Facts

from wellposed.verifier.report import Verification


def differences(verification: Verification, told: Facts, answers: Answers) -> list[str]:
    """Verdict, expectations that can fail, exercised levels, and the endings of items where the peer was asked for them.

    Of a scenario that is unsatisfiable only the verdict is compared: the rest is not told by everyone.
    """
    verdict = answers.verdict(told.level)
    if verdict != verification.verdict:
        return [f"verdict: {verification.verdict} against {verdict}"]
    return [] if verdict == "unsatisfiable" else list(_details(verification, told, answers))


def _details(verification: Verification, told: Facts, answers: Answers) -> Iterator[str]:
    ambiguous = {each.index for each in verification.expectations if each.verdict == "ambiguous"}
    if ambiguous != answers.failing.keys():
        yield f"expectations that can fail: {ambiguous} against {set(answers.failing)}"
    exercised = {int(level[1:]) for level, state in verification.levels.items() if state == "exercised"}
    if exercised != answers.levels & set(range(told.level + 1)):
        yield f"exercised levels: {exercised} against {answers.levels}"
    if answers.endings:
        endings = {
            item: {(end.outcome, end.reason): None if end.first is None else (end.first, end.last) for end in ends}
            for item, ends in verification.outcomes.items()
        }
        if endings != answers.endings:
            yield f"endings: {endings} against {answers.endings}"
