"""What the files of a pull request are, by their paths and modes alone; and names that deceive whoever reads them."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterator
from enum import Enum

from wellposed.cli.review.objects import LINK, MODULE, PROGRAM, Changed, Entry
from wellposed.compiler.limits import LIMITS

CLAIMS = "claims"
LEDGER = "ledger.jsonl"
PUBLISHED = ("revealed/", "logs/", "proofs/")
"""The folders of a reserve, beside its ledger."""
ATTRIBUTES = ".gitattributes"


class FileKind(Enum):
    """What a file is to a review; the value is how it is called."""

    SCENARIO = "scenarios"
    IMPORTED = "rules and skins"
    CLAIM = "claims"
    RESERVE = "reserve"
    BUNDLE = "bundles"
    RUNS = "files that run or configure what runs"
    ATTRIBUTES = "attributes"
    LINK = "links"
    MODULE = "submodules"
    STRANGE = "names that deceive"
    OTHER = "other files"


_FOLDERS_THAT_RUN = frozenset(
    (".github", ".githooks", ".husky", ".ci", ".circleci", ".devcontainer", ".vscode", ".idea", ".gitlab", ".woodpecker",
     ".buildkite", "hooks", "node_modules", ".config")
)  # fmt: skip
_NAMES_THAT_RUN = frozenset(
    ("makefile", "gnumakefile", "justfile", "rakefile", "gemfile", "procfile", "jenkinsfile", "vagrantfile", "dockerfile",
     "containerfile", "action.yml", "action.yaml", ".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml", "tox.ini",
     ".pre-commit-config.yaml", ".pre-commit-hooks.yaml", "pyproject.toml", "setup.py", "setup.cfg", "pytest.ini",
     "package.json", "package-lock.json", "conftest.py", ".envrc", ".lfsconfig", ".gitmodules", ".gitconfig", ".npmrc",
     ".python-version", ".tool-versions", "mise.toml", "cargo.toml", "build.rs", "go.mod", "meson.build",
     "cmakelists.txt", "codeowners", "wellposed.toml")
)  # fmt: skip
_ENDINGS_THAT_RUN = (
    ".py", ".pyi", ".pyx", ".pth", ".so", ".dll", ".dylib", ".sh", ".bash", ".zsh", ".fish", ".js", ".mjs", ".cjs", ".ts", ".rb",
    ".pl", ".ps1", ".bat", ".cmd", ".exe", ".com", ".jar", ".wasm", ".lua", ".el", ".vim", ".lark", ".mk", ".php", ".go", ".rs",
    ".c", ".h", ".java", ".whl", ".egg", ".service", ".plist", ".desktop", ".ipynb", ".nix",
)  # fmt: skip
_REQUIREMENTS = re.compile(r"(?:requirements|constraints)[^/]*\.(?:txt|in)|dockerfile\..*|.*\.dockerfile")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
_UNSEEN = frozenset(("Cc", "Cf", "Zl", "Zp", "Zs", "Cs", "Co", "Cn"))
_DECEIVING_ATTRIBUTES = re.compile(
    rb"(?:^|\s)[-!]?(?:working-tree-encoding|ident|filter|eol|crlf|diff|merge|export-\w+|linguist-[\w-]+|gitlab-[\w-]+|text)(?:=\S*)?(?=\s|$)"
)
_HARMLESS_ATTRIBUTES = re.compile(rb"-text\b")


def folders_around(path: str) -> Iterator[str]:
    """The folders that a path lies in, the innermost first, and the top, which is ''."""
    while path:
        path = posixpath.dirname(path)
        yield path


def in_reserve(path: str, folder: str) -> bool:
    """Whether a path is a published part of the reserve in a folder; other things may lie beside them."""
    below = path.removeprefix(f"{folder}/" if folder else "")
    return (not folder or below != path) and (below == LEDGER or below.startswith(PUBLISHED))


def kind_of(one: Changed, reserves: frozenset[str], bundles: frozenset[str]) -> FileKind:
    """What a changed file is. `reserves` are the folders that hold a ledger, `bundles` the paths that are bundles or derived from one."""
    path, entry = one.path, one.after or one.before
    assert entry is not None, "a side is there"
    if one.after is not None and next(strange(path), None) is not None:
        return FileKind.STRANGE
    modes = {each.mode for each in (one.before, one.after) if each is not None}
    if MODULE in modes:
        return FileKind.MODULE
    if not entry.is_file or LINK in modes:
        return FileKind.LINK
    name = posixpath.basename(path)
    if name.casefold() == ATTRIBUTES:
        return FileKind.ATTRIBUTES
    if runs(path, one.before, one.after):
        return FileKind.RUNS
    if path.endswith(".scenario"):
        return FileKind.SCENARIO
    if path.endswith((".rules", ".skin")):
        return FileKind.IMPORTED
    if any(folder in reserves and in_reserve(path, folder) for folder in folders_around(path)):
        return FileKind.RESERVE
    if path.startswith(f"{CLAIMS}/") and path.count("/") >= 2:
        return FileKind.CLAIM
    return FileKind.BUNDLE if path in bundles else FileKind.OTHER


def runs(path: str, before: Entry | None, after: Entry | None) -> bool:
    """Whether a file is run, or says what is run: by its folder, its name, its ending, or because it becomes executable."""
    becomes = after is not None and after.mode == PROGRAM and (before is None or before.mode != PROGRAM)
    return becomes or says_what_runs(path) or path.casefold().endswith(_ENDINGS_THAT_RUN)


def says_what_runs(path: str) -> bool:
    """Whether a file says, by its place or name, what a forge, a build or an editor runs by itself."""
    parts = path.casefold().split("/")
    return not _FOLDERS_THAT_RUN.isdisjoint(parts[:-1]) or parts[-1] in _NAMES_THAT_RUN or _REQUIREMENTS.fullmatch(parts[-1]) is not None


def deceives(attributes: bytes) -> bool:
    """Whether attributes make a checkout or a page show something else than the objects hold; `-text` prevents that."""
    lines = [line for line in attributes.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]
    return any(_DECEIVING_ATTRIBUTES.search(_HARMLESS_ATTRIBUTES.sub(b"", line.partition(b" ")[2])) for line in lines)


def strange(path: str) -> Iterator[str]:
    """What is wrong with a path, as the ends of sentences that begin with it."""
    if len(path) > LIMITS.path_length:
        yield f"is longer than {LIMITS.path_length} characters"
    try:
        path.encode()
    except UnicodeEncodeError:
        yield "is not UTF-8"
        return
    plain = path.isascii() and path.isprintable()
    unseen = [] if plain else sorted({char for char in path if char != " " and unicodedata.category(char) in _UNSEEN})
    if unseen:
        yield "has characters that nobody sees, or that turn the text around: " + ", ".join(f"U+{ord(one):04X}" for one in unseen[:5])
    if not unicodedata.is_normalized("NFC", path):
        yield "is not in the composed form (NFC): another file may look alike"
    for part in path.split("/"):
        folded = part.casefold()
        if part in ("", ".", "..") or folded.rstrip(" .") in (".git", "git~1"):
            yield f"has the part {part!a}, which leads elsewhere"
        elif "\\" in part or ":" in part:
            yield "has a backslash or a colon, which other systems take for a folder, a drive or a stream"
        elif part != part.strip() or part.endswith("."):
            yield f"has the part {part!a}, whose end other systems cut off"
        elif _DEVICES.fullmatch(folded):
            yield f"has the part {part!a}, which is a device on other systems"


def folded(name: str) -> str:
    """What a file system that does not tell upper from lower case, or forms of one letter, takes a name for."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name[: LIMITS.path_length]).casefold())
