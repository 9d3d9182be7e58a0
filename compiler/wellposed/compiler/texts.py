"""Strings and ids: placeholders replaced once and never rescanned, ids checked for what a bundle can carry."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.reporting import Reporter
from wellposed.dsl.findings import Span
from wellposed.dsl.tree import Name, Placeholder, Text
from wellposed.dsl.vocabulary import GHOST_PREFIX

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", re.ASCII)
# Names that some systems keep for devices, with or without an ending.
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE | re.ASCII)


def literal(text: Text) -> str:
    """The string as written, braces and all: for the strings of rules and import paths, where nothing is replaced."""
    return "".join(part if isinstance(part, str) else "{" + part.name + "}" for part in text.parts)


def plain(text: Text, reporter: Reporter, what: str) -> str:
    """A string in which no placeholder has a value, such as a title; each one in it is reported."""
    return filled(text, {}, reporter, f"a {what}")


def filled(text: Text, values: Mapping[str, str], reporter: Reporter, what: str = "this string") -> str:
    """The string with its placeholders replaced by their values; unknown ones are reported and left as they stand.

    The length is known before anything is joined: a short text of many placeholders could be a very long string.
    """
    length = sum(len(part) if isinstance(part, str) else len(values.get(part.name, "")) for part in text.parts)
    if not check_length(length, text, reporter):
        return ""
    pieces = []
    for part in text.parts:
        if isinstance(part, str):
            pieces.append(part)
        elif part.name in values:
            pieces.append(values[part.name])
        else:
            unknown_placeholder(part, values, reporter, what)
            pieces.append("{" + part.name + "}")
    return "".join(pieces)


def check_length(length: int, text: Text, reporter: Reporter) -> bool:
    """Whether a bundle can carry a string of this length, which is what `text` becomes."""
    if length <= LIMITS.text_length:
        return True
    message = f"this string has {length} characters, at most {LIMITS.text_length} are possible"
    reporter.add("WP226", text.span, message, help="shorten it")
    return False


def unknown_placeholder(part: Placeholder, known: Collection[str], reporter: Reporter, what: str) -> None:
    """Report a placeholder for which there is no value: it is neither known nor was it a variable."""
    possible = [f"`{{{name}}}`" for name in known]
    if reporter.variables:
        possible.append("the loop variables and parameters that are known where it stands")
    reporter.add(
        "WP216",
        part.span,
        f"nothing is called `{{{part.name}}}` here",
        notes=(f"{what} can have {' and '.join(possible)}" if possible else f"{what} has no placeholders",),
        help=reporter.meant(part.name, (*known, *reporter.variables), "write \\{ for a brace that is meant literally"),
    )


def check_id(text: str, span: Span, reporter: Reporter, what: str, limit: int = LIMITS.id_length) -> bool:
    """Whether an id can be carried by a bundle: letters, digits, `_`, `.` and `-`, at most `limit` of them."""
    if len(text) > limit:
        reporter.add(
            "WP212",
            span,
            f"this {what} has {len(text)} characters, at most {limit} are possible",
            help="choose a shorter one",
        )
        return False
    if _ID.fullmatch(text) is None:
        reporter.add(
            "WP212",
            span,
            f"this {what} has other characters than ASCII letters, digits, `_`, `.` and `-`, or starts with one of the last two",
            help='for example "a1"',
        )
        return False
    return True


def check_name(name: Name, reporter: Reporter, what: str) -> bool:
    """`check_id` for a name in the text; one with dots has been expanded, or stands for one that was."""
    limit = LIMITS.expanded_id_length if "." in name.text else LIMITS.id_length
    return check_id(name.text, name.span, reporter, what, limit)


def check_file_name(name: Name, reporter: Reporter, what: str) -> bool:
    """`check_name` for a name that becomes the name of a file or a folder, which it has to be able to be everywhere."""
    if _DEVICE.fullmatch(name.text) is None and not name.text.endswith("."):
        return check_name(name, reporter, what)
    message = f"`{name.text}` cannot be the {what}, for some systems allow no file to be called so"
    reporter.add("WP212", name.span, message, help="choose another name")
    return False


def subtraction(text: str, known: Container[str]) -> str | None:
    """Advice for `go-1` where `go` is known: a hyphen inside a word belongs to the word."""
    if len(text) > 2 * LIMITS.id_length:
        return None
    for cut in range(len(text) - 1, 0, -1):
        if text[cut] == "-" and (text[:cut] in known or text[:cut].isdigit()):
            return f"`{text}` is one name; to subtract, write `{text[:cut]} - {text[cut + 1 :]}`"
    return None


def spelled(id: str) -> str:
    """An id as it is written in a text: `m[3]` for `m.3`, in which a dot stands for an index."""
    base, *indices = id.split(".")
    return base + "".join(f"[{one}]" for one in indices) if all(map(str.isdigit, indices)) else id


def check_real(id: str, span: Span, reporter: Reporter, what: str) -> bool:
    """Whether an id leaves alone the prefix that is kept for what does not exist; `what` it names does."""
    if not id.casefold().startswith(GHOST_PREFIX):
        return True
    message = f"`{GHOST_PREFIX}` is kept for drafts that do not exist; this {what} cannot be called so"
    reporter.add("WP306", span, message, help=f"choose a name that does not start with `{GHOST_PREFIX}`")
    return False
