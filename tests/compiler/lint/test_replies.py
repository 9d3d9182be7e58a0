"""Replies of the stub model that no request can get."""

from __future__ import annotations

import pytest
from tests.compiler.lint.texts import compiled, findings, found, labelled, scenario

from wellposed.compiler.compilation import check_together
from wellposed.compiler.lint import substrings

CHAT = 'conversation chat { from "cem@example.test" subject "Hello" }'
ORDER = 'conversation order { from "ada@example.test" subject "Where?" anchor "ORD-1001" }'
REFUND = 'conversation refund { from "bob@example.test" subject "My money" anchor "REF-2002" }'


def replies(*lines: str, conversations: str = f"{ORDER}\n{REFUND}\n{CHAT}") -> list[str]:
    """What is underlined in a scenario with these conversations and lines."""
    return found(scenario(*lines, conversations=conversations), "WP333")


def test_a_reply_without_an_anchor_is_only_given_first() -> None:
    lines = ('stub { reply chat "Hi." }', 'at 0 deliver m1 in chat "Hello!"')
    assert replies(*lines) == ['reply chat "Hi."']
    assert replies(*lines, conversations=f"{CHAT}\n{ORDER}\n{REFUND}") == []


@pytest.mark.parametrize(
    ("mail", "given"),
    [
        ('m1 in refund "About {anchor}."', True),
        ('m1 in order "About REF-2002."', True),
        ('m1 in refund "b" with { subject "{anchor}" }', True),
        ('m1 in refund "b" with { from "REF-2002@x" }', True),
        ('m1 in refund "b"', False),
        ('m1 in refund "ref-2002"', False),
        ('m1 in order "About {anchor}."', False),
    ],
)
def test_a_reply_is_given_where_a_text_carries_its_anchor(mail: str, given: bool) -> None:
    lines = ('stub { reply refund "Refunded: {anchor}" }', f"at 0 deliver {mail}")
    assert replies(*lines) == ([] if given else ['reply refund "Refunded: {anchor}"'])


def test_what_another_reply_says_can_be_shown_to_the_stub() -> None:
    first = 'stub { reply order "See REF-2002." reply refund "Done." }'
    assert replies(first, 'at 0 deliver m1 in order "b"') == []


def test_the_first_reply_answers_what_carries_no_anchor() -> None:
    assert replies('stub { reply order "Hm." }', 'at 0 deliver m1 in refund "b"') == []


def test_a_reply_that_is_not_written_is_nobodys_mistake() -> None:
    assert replies("stub { anchors [refund, order] }", 'at 0 deliver m1 in chat "b"') == []


def test_a_loop_and_a_family_use_a_reply_where_one_of_theirs_does() -> None:
    anchored = 'conversation d[i] { from "a@x" subject "s" anchor "D-{i}" }'
    loop = f"for i in 1..3 {{ {anchored} }}"
    stub = 'stub { for i in 1..3 { reply d[i] "Desk {i}." } }'
    assert replies(stub, 'at 0 deliver m1 in d[1] "D-1"', conversations=loop) == []
    unused = scenario(stub, 'at 0 deliver m1 in order "b"', conversations=f"{ORDER}\n{loop}")
    assert found(unused, "WP333") == ['reply d[i] "Desk {i}."']
    text = scenario(
        'stub { reply refund "Done." }', 'at 0 deliver m1 in refund "REF-{n}"', conversations=f"{ORDER}\n{REFUND}"
    )
    family = text.replace("scenario x {", "family x(n in [2001, 2002]) {")
    assert found(family, "WP333") == []
    assert found(family.replace("2002]", "2003]"), "WP333") == ['reply refund "Done."']


def test_the_finding_says_why_and_what_to_do() -> None:
    text = scenario(
        'stub { reply refund "Done." reply chat "Hi." }',
        'at 0 deliver m1 in refund "b"',
        conversations=f"{ORDER}\n{REFUND}\n{CHAT}",
    )
    one, other = findings(text, "WP333")
    assert one.message == 'the stub never gives this reply: no text carries "REF-2002", the anchor of `refund`'
    assert other.message == "the stub never gives this reply: `chat` has no anchor that a request could carry"
    assert one.notes == ("a request that carries no anchor is answered with the first reply, that of `order`",)
    assert one.help == "remove it, or quote the anchor in a message of `refund`: `{anchor}`"
    assert other.help == "remove it, give `chat` an anchor and quote it, or declare it before `order`"
    assert labelled(text, "WP333") == ['"REF-2002"']


def test_where_not_everything_could_be_searched_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    text = scenario('stub { reply refund "Done." }', 'at 0 deliver m1 in order "About {anchor}."')
    assert found(text, "WP333") != []
    monkeypatch.setattr(substrings, "STEPS", 0)
    assert found(text, "WP333") == []


def test_scenarios_do_not_use_each_others_replies() -> None:
    stub = 'stub { reply refund "Done." }'
    texts = [
        scenario(stub, f'at 0 deliver m1 in refund "{body}"', name=name)
        for name, body in (("a", "b"), ("c", "{anchor}"))
    ]
    together = check_together([compiled(text, f"{index}.scenario") for index, text in enumerate(texts)])
    assert [one.place.path for one in together if one.code == "WP333"] == ["0.scenario"]  # type: ignore[union-attr]
