"""Time anchors: what a proof says of a line, as far as it can be checked offline."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.reserve.forge import edit, lines_of, sha
from tests.reserve.sample import FAR, Sample, commit, git

from wellposed.reserve.anchors import examine_proof
from wellposed.reserve.anchors.opentimestamps import HEADER
from wellposed.reserve.ledger import Ledger
from wellposed.reserve.operations.anchor import anchor
from wellposed.reserve.operations.announce import Submission, announce
from wellposed.reserve.operations.publish import Rules, publish
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


def anew(sample: Sample) -> None:
    """One commit with everything, and no history."""
    shutil.rmtree(sample.repo / ".git")
    git(sample.repo, "init", "-q", "-b", "main")
    commit(sample.repo)


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
    assert codes == set() and anchored == 1  # that of `next`; the other batches were announced before
    assert any("operator's word" in sentence for sentence in unchecked)
    assert look(sample, authority.root, require=True)[0] == {"WP821"}


@needs_openssl
def test_only_an_anchor_from_before_the_use_of_a_batch_says_anything(tmp_path: Path, authority: Authority) -> None:
    """Whoever seals, tries and announces in one afternoon can have it stamped in the evening."""
    one = "sha256:" + "a" * 64
    frozen = Submission("temporal", "https://example.test/temporal", "1" * 40, "2" * 40)

    def stamped(ledger: Ledger) -> None:
        head = sha((ledger.folder / "ledger.jsonl").read_bytes().splitlines()[-1])
        anchor(ledger, authority.stamp(head.removeprefix("sha256:")), "rfc3161")

    def course(name: str, policy: str, early: bool) -> set[str]:
        ledger = Ledger(tmp_path / name / "reserve")
        publish(ledger, "b", FAR, [one], Rules("A reserve", ["the operator"], 36500, anchor=policy))
        if early:
            stamped(ledger)
        announce(ledger, "b", [frozen], "sha256:" + "9" * 64, FAR)
        stamped(ledger)
        found = verify(Options(tmp_path / name, None, roots=authority.root, require_anchor=True))
        return {one.code for one in found.findings}

    assert course("early", "required", True) == set()
    assert course("late", "optional", False) == {"WP821"}
    with pytest.raises(Refusal, match="has no time anchor yet"):
        course("forgotten", "required", False)


def der(tag: int, body: bytes) -> bytes:
    size = len(body)
    if size < 128:
        return bytes([tag, size]) + body
    long = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 128 + len(long)]) + long + body


def content(raw: bytes) -> tuple[int, int]:
    """Where the content of the first value begins and ends."""
    if raw[1] < 128:
        return 2, 2 + raw[1]
    begin = 2 + raw[1] - 128
    return begin, begin + int.from_bytes(raw[2:begin], "big")


def with_status(reply: bytes, text: str) -> bytes:
    """The reply of an authority with another text in its status, which is not signed."""
    begin, _ = content(reply)
    inner = reply[begin:]
    first, last = content(inner)
    status = inner[first : first + 3]
    return der(0x30, der(0x30, status + der(0x30, der(0x0C, text.encode()))) + inner[last:])


@needs_openssl
def test_the_unsigned_text_of_a_reply_cannot_pass_for_a_time(sample: Sample, authority: Authority) -> None:
    digest = last_head(sample)
    rows = [" ".join(digest[at : at + 32][two : two + 2] for two in range(0, 32, 2)) for at in (0, 32)]
    dump = f"    0000 - {rows[0]} x\n    0010 - {rows[1]} x\n"
    forged = f"x\nHash Algorithm: sha256\nMessage data:\n{dump}Serial number: 0x01\nTime stamp: Jan  1 00:00:00 2001 GMT\n"
    reply = with_status(authority.stamp(digest).read_bytes(), forged)
    shown = subprocess.run(["openssl", "ts", "-reply", "-in", "/dev/stdin", "-text"], input=reply, capture_output=True, check=True)
    assert b"2001 GMT" in shown.stdout
    for roots in (None, authority.root):
        proof = examine_proof("rfc3161", reply, digest, roots)
        assert "2001" not in f"{proof.time} {proof.unchecked}"
    assert proof.time is not None


@needs_openssl
def test_an_anchor_line_that_claims_to_be_older_than_its_proof_is_told(sample: Sample, authority: Authority) -> None:
    """The proof is part of the line: whoever dates the whole ledger back has to date this one back as well."""
    anchor(Ledger(sample.reserve), authority.stamp(last_head(sample)), "rfc3161")
    edit(sample.ledger, lambda lines: lines[-1].update(t=lines[-2]["t"]))
    anew(sample)
    found = verify(Options(sample.repo, roots=authority.root))
    assert {one.code for one in found.findings} == {"WP820"}
    assert "it was back-dated" in found.findings[0].message


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
