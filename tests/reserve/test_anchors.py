"""Time anchors: what a proof says of a line, as far as it can be checked offline."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.reserve.forge import edit, lines_of, sha
from tests.reserve.sample import Sample, commit

from wellposed.reserve.anchors.opentimestamps import HEADER
from wellposed.reserve.ledger import Ledger
from wellposed.reserve.operations.anchor import anchor
from wellposed.reserve.report import Refusal
from wellposed.reserve.verify import Options, verify

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
CONFIGURATION = """\
[tsa]
default_tsa = one
[one]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256, sha512
ess_cert_id_chain = no
"""


def last_head(sample: Sample) -> str:
    return sha(sample.ledger.read_bytes().splitlines()[-1]).removeprefix("sha256:")


def ots(digest: str) -> bytes:
    """The beginning of an OpenTimestamps proof, and a pending attestation."""
    return HEADER + bytes.fromhex(digest) + b"\x00\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e" + b"\x02\x01a"


def record_ots(sample: Sample) -> None:
    proof = sample.top / "head.ots"
    proof.write_bytes(ots(last_head(sample)))
    anchor(Ledger(sample.reserve), proof, "ots")


@dataclass(frozen=True)
class Authority:
    """A time stamp authority of one test: its folder, and the certificate that a reader may trust."""

    folder: Path

    @property
    def root(self) -> Path:
        return self.folder / "ca.pem"

    def run(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def stamp(self, digest: str, algorithm: str = "sha256") -> Path:
        self.run("ts", "-query", "-digest", digest, f"-{algorithm}", "-cert", "-out", "q.tsq")
        token = self.folder / "head.tsr"
        self.run(
            "ts", "-reply", "-config", "tsa.cnf", "-queryfile", "q.tsq", "-inkey", "tsa.key", "-signer", "tsa.pem", "-out", token.name
        )
        return token


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    folder = tmp_path / "authority"
    folder.mkdir()
    made = Authority(folder)
    (folder / "tsa.cnf").write_text(CONFIGURATION)
    (folder / "serial").write_text("01\n")
    (folder / "usage").write_text("extendedKeyUsage=critical,timeStamping\n")
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    made.run("req", "-x509", *curve, "-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-subj", "/CN=root")
    made.run("req", *curve, "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=authority")
    made.run(
        "x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30",
        "-extfile", "usage", "-out", "tsa.pem",
    )  # fmt: skip
    return made


def look(sample: Sample, roots: Path | None = None, require: bool = False) -> tuple[set[str], tuple[str, ...], int]:
    commit(sample.repo)
    found = verify(Options(sample.repo, roots=roots, require_anchor=require))
    return {one.code for one in found.findings}, found.unchecked, found.figures["anchored"]


def test_without_an_anchor_the_report_says_whose_word_it_is(built: Sample) -> None:
    found = verify(Options(built.repo))
    assert any("rests on the operator's word" in sentence for sentence in found.unchecked)
    required = verify(Options(built.repo, require_anchor=True))
    assert {one.code for one in required.findings} == {"WP821"}
    assert len(required.findings) == len([one for one in built.ledger.read_bytes().splitlines() if b'"type":"seal"' in one or b'"type":"announce"' in one])


def test_an_opentimestamps_proof_is_recorded_and_not_believed(sample: Sample) -> None:
    record_ots(sample)
    codes, unchecked, anchored = look(sample)
    assert codes == set() and anchored == 0
    assert any("ots verify -d" in sentence for sentence in unchecked)
    assert look(sample, require=True)[0] == {"WP821"}


@pytest.mark.parametrize("raw", [b"", b"junk", ots("0" * 64), ots("0" * 64)[:40]])
def test_a_proof_of_something_else_is_refused(raw: bytes, sample: Sample) -> None:
    before = sample.ledger.read_bytes()
    (sample.top / "head.ots").write_bytes(raw)
    with pytest.raises(Refusal) as refused:
        anchor(Ledger(sample.reserve), sample.top / "head.ots", "ots")
    assert refused.value.findings[0].code == "WP820"
    assert sample.ledger.read_bytes() == before and not (sample.reserve / "proofs").exists()


def test_a_proof_that_was_exchanged_or_removed_is_told(sample: Sample) -> None:
    record_ots(sample)
    (proof,) = (sample.reserve / "proofs").iterdir()
    proof.write_bytes(ots("1" * 64))
    assert look(sample)[0] == {"WP820"}
    proof.unlink()
    assert look(sample)[0] == {"WP820"}


@needs_openssl
def test_an_rfc_3161_time_stamp_is_verified_offline(sample: Sample, authority: Authority) -> None:
    anchor(Ledger(sample.reserve), authority.stamp(last_head(sample)), "rfc3161")
    codes, unchecked, anchored = look(sample)
    assert codes == set() and anchored == 0
    assert any("its signature was not verified" in sentence for sentence in unchecked)
    codes, unchecked, anchored = look(sample, authority.root)
    assert codes == set() and anchored == 3
    assert not any("operator's word" in sentence for sentence in unchecked)
    assert look(sample, authority.root, require=True)[0] == set()


@needs_openssl
def test_a_time_stamp_that_nobody_trusted_has_signed_is_told(sample: Sample, authority: Authority) -> None:
    anchor(Ledger(sample.reserve), authority.stamp(last_head(sample)), "rfc3161")
    authority.run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "x.key", "-out", "other.pem", "-subj", "/CN=root")
    assert look(sample, authority.folder / "other.pem")[0] == {"WP820"}


@needs_openssl
@pytest.mark.parametrize("digest", ["0" * 64, "0" * 128])
def test_a_time_stamp_of_something_else_is_refused(digest: str, sample: Sample, authority: Authority) -> None:
    token = authority.stamp(digest, "sha256" if len(digest) == 64 else "sha512")
    with pytest.raises(Refusal) as refused:
        anchor(Ledger(sample.reserve), token, "rfc3161")
    assert "the time stamp is about" in refused.value.findings[0].message


@needs_openssl
def test_a_time_stamp_older_than_its_line_claims_to_be_is_told(sample: Sample, authority: Authority) -> None:
    """The clock of the operator ran ahead, or the line was dated ahead."""
    ahead = datetime.now(UTC).year + 1
    edit(sample.ledger, lambda lines: lines[-1].update(t=f"{ahead}-01-01T00:00:00Z"))
    anchor(Ledger(sample.reserve, datetime(ahead, 1, 2, tzinfo=UTC)), authority.stamp(last_head(sample)), "rfc3161")
    assert "WP820" in look(sample, authority.root)[0]


def test_an_anchor_covers_the_lines_up_to_its_own(sample: Sample) -> None:
    """A further batch is not proven by an older anchor."""
    record_ots(sample)
    assert lines_of(sample.ledger.read_bytes())[-1]["body"]["of"] == 9
