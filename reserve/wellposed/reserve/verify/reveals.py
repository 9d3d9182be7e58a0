"""Step 4: every revealed file is the one that was sealed, a well-posed scenario, and nobody else's."""

from __future__ import annotations

from collections.abc import Mapping

from wellposed.compiler.canonical import CanonicalError, decode, sha256
from wellposed.compiler.load import load_bundle
from wellposed.compiler.profile import MAX_BYTES
from wellposed.dsl.findings import has_errors
from wellposed.reserve.content import same_test
from wellposed.reserve.gitblobs import GitTree
from wellposed.reserve.public import public_tests
from wellposed.reserve.report import at_file
from wellposed.reserve.rules.reveal import revealed_path
from wellposed.reserve.state import Entry, short
from wellposed.reserve.trees import NotReadable, Tree
from wellposed.reserve.verify.case import Case
from wellposed.verifier.verify import verify as verify_bundle

NO_NONCE, MISSING, STRAY, OTHER, FORM, UNSOUND, NONCE, COPY = (
    "WP860", "WP861", "WP862", "WP863", "WP864", "WP865", "WP866", "WP867",
)  # fmt: skip


def check(case: Case) -> None:
    """Each reveal by itself, then what is there that nobody revealed."""
    reveals = _Reveals(case)
    entries = [entry for entry in case.state.entries.values() if entry.reveal is not None]
    for entry in entries:
        reveals.check(entry)
    if entries:
        case.checked.append(
            f"{len(case.revealed)} of {len(entries)} revealed scenarios: bytes hash to the commitment, canonical, well-posed, "
            "a fresh nonce each, no test twice"
        )
    if case.chain.findings:  # what the lines below would reveal is not known
        return
    named = {entry.reveal.body["path"] for entry in entries if entry.reveal is not None}
    for name in case.tree.names(case.path("revealed")):
        if f"revealed/{name}" not in named:
            case.findings.append(at_file(STRAY, "no line of the ledger reveals this", case.path(f"revealed/{name}")))


class _Reveals:
    """Remembers what other entries had: nonces, and tests."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._nonces: dict[str, str] = {}
        self._tests: dict[str, str] = {}
        self._public: dict[str, Mapping[str, str]] = {}

    def _tell(self, code: str, message: str, path: str) -> None:
        self._case.findings.append(at_file(code, message, path))

    def check(self, entry: Entry) -> None:
        """Everything of one entry; where its line names another place than its own, that is told already."""
        if entry.reveal is None or entry.reveal.body["path"] != revealed_path(entry.commit):
            return
        case, commit = self._case, entry.commit
        path = case.path(entry.reveal.body["path"])
        try:
            raw = case.tree.read(path, MAX_BYTES)
        except NotReadable as problem:
            self._tell(MISSING, f"the revealed scenario {problem}", path)
            return
        if sha256(raw) != commit:
            self._tell(OTHER, f"the file hashes to {sha256(raw)}, sealed was {commit}: it is not the sealed scenario", path)
            return
        try:
            decode(raw)
        except CanonicalError as error:
            where = "" if error.offset is None else f" (byte {error.offset})"
            self._tell(FORM, f"right hash and wrong form: {error.message}{where}; two readers could see two scenarios", path)
            return
        bundle, findings = load_bundle(raw, path)
        if bundle is None or has_errors(findings):
            self._tell(UNSOUND, f"this is no bundle: {findings[0].code} {findings[0].message}", path)
            return
        verification = verify_bundle(bundle)
        if verification.verdict != "well-posed":
            self._tell(UNSOUND, f"the revealed scenario is {verification.verdict}; only a well-posed one can be sealed", path)
        seal = bundle.document.get("seal")
        if seal is None:
            self._tell(NO_NONCE, f"{short(commit)} was sealed without a nonce: its hash could be guessed", path)
        elif seal["nonce"] in self._nonces:
            self._tell(NONCE, f"the nonce is that of {self._nonces[seal['nonce']]}: one reveal opened both to guessing", path)
        else:
            self._nonces[seal["nonce"]] = path
        test = same_test(bundle.document)
        elsewhere = self._tests.get(test) or self._published(entry).get(test)
        if elsewhere is not None:
            self._tell(COPY, f"this is the test of {elsewhere} once more", path)
        self._tests.setdefault(test, path)
        case.revealed[commit] = bundle

    def _published(self, entry: Entry) -> Mapping[str, str]:
        """The public scenarios at the time of the sealing: of the commit that brought the seal line."""
        case = self._case
        commit = case.commit_of(entry.batch.line)
        key = commit or ""
        if key not in self._public:
            tree: Tree = case.tree
            if case.repository is not None and commit is not None:
                tree = GitTree(case.repository, case.repository.commit(commit).tree)
            self._public[key] = public_tests(tree)
        return self._public[key]
