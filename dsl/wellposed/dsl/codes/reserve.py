'''WP8xx: the reserve.

Examples of kind "ledger" are the lines of a ledger, as a tool that checks nothing would write them: where a line does not give
its `format`, `seq` or `prev`, these are filled in. "revealed" are documents that such a tool sealed and revealed, each after a
line `#: NAME`; "logs" are shell commands, run in the folder of the logs of a result before their hash is published; "reserve" are
shell commands, run in a repository that has a reserve, of which the last one is looked at.
'''

from __future__ import annotations

from wellposed.dsl.codes.bundle import _GOOD as _BUNDLE
from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity

_A, _B, _C = ("sha256:" + digit * 64 for digit in "abc")
_ID, _TREE = "1" * 40, "2" * 40
_DAY = '"t":"2026-01-%02dT00:00:00Z"'
_POLICY = '{"anchor":"optional","logs":"committed","max_reveal_days":90}'


def _line(day: int, kind: str, body: str, more: str = "") -> str:
    return f'{{{_DAY % day},"type":"{kind}",{more}"body":{{{body}}}}}\n'


def _seal(day: int, commits: str, more: str = "", count: int = 2, batch: str = "b", by: str = "2026-01-31") -> str:
    return _line(day, "seal", f'"batch":"{batch}","count":{count},"commits":[{commits}],"reveal_by":"{by}"', more)


def _announce(day: int, pool: str, until: str = "2026-01-20", names: tuple[str, ...] = ("temporal",), batch: str = "b") -> str:
    submissions = ",".join(
        f'{{"name":"{name}","repo":"https://example.test/{name}","commit":"{_ID}","tree":"{_TREE}"}}' for name in names
    )
    return _line(
        day,
        "announce",
        f'"batch":"{batch}","pool":[{pool}],"submissions":[{submissions}],"harness":"{_C}","runs":5,"until":"{until}"',
    )


def _apply(day: int, commit: str, impl: str = _ID, announce: int = 2) -> str:
    return _line(
        day,
        "apply",
        f'"announce":{announce},"commit":{commit},"submission":"temporal","impl":"{impl}","logs":"{_C}",'
        '"outcome":{"L0":"pass"},"origin":"model-free"',
    )


def _void(day: int) -> str:
    return _line(
        day,
        "void",
        f'"announce":2,"commit":"{_A}","submission":"temporal","class":"fixture-defect","justification":"the deadline is a race"',
    )


def _forfeit(day: int, commit: str) -> str:
    return _line(day, "forfeit", f'"commit":{commit},"class":"superseded","justification":"the level was rewritten"')


_GENESIS = _line(1, "genesis", f'"ledger":"{"0" * 32}","title":"Quarterly reserve","policy":{_POLICY},"holders":["the operator"]')
_QA, _QB, _QC = (f'"{one}"' for one in (_A, _B, _C))
_BOTH = f"{_QA},{_QB}"
_START = _GENESIS + _seal(2, _BOTH)
_RUNNING = _START + _announce(3, _BOTH)
_DONE = _RUNNING + _apply(4, _QA) + _apply(5, _QB)
_SOUND = Example("ledger", _RUNNING)


def _ledger(id: str, slug: str, title: str, explanation: str, bad: str, good: str = "") -> Code:
    return Code(id, slug, Severity.ERROR, title, explanation, Example("ledger", bad), Example("ledger", good) if good else _SOUND)


def _row(
    id: str, slug: str, title: str, explanation: str, bad: Example, good: Example, severity: Severity = Severity.ERROR
) -> Code:
    return Code(id, slug, severity, title, explanation, bad, good)


def _steps(text: str) -> Example:
    return Example("reserve", text)


_VERIFY = _steps("wellposed reserve verify")

_LINES = (
    _ledger(
        "WP801",
        "ledger-line-form",
        "a line of the ledger is not a canonical line",
        """\
Each line is one JSON object in canonical form, UTF-8, of at most 1 MiB, with a line feed behind it and nothing else. A byte order mark, CR LF, a space, a
member written twice, or a last line that was cut off would let two readers see two ledgers, or a hash of something that nobody reads. Nothing below the
line is looked at. Restore the ledger from a commit; a ledger is never edited.""",
        _GENESIS + _seal(2, _BOTH).replace('"count":2', '"count": 2'),
    ),
    _ledger(
        "WP802",
        "ledger-line-unknown",
        "a line of the ledger is of no known type, or has other members than its type",
        """\
The types of lines and their members are a closed list. A reader that passed over what it does not know could be shown another story than one that
knows it, so an unknown line stops the reading. Use a version of the tool that knows it, or restore the ledger from a commit.""",
        _START + _line(3, "note", '"text":"all is well"'),
    ),
    _ledger(
        "WP803",
        "ledger-line-number",
        "the lines of the ledger are not numbered in order",
        """\
`seq` counts the lines from 0. A gap means that a line was removed, a repetition that one was inserted or copied. Compare with an older clone, or with a
checkpoint that somebody noted.""",
        _GENESIS + _seal(2, _BOTH, more='"seq":2,'),
    ),
    _ledger(
        "WP804",
        "ledger-chain-broken",
        "a line of the ledger does not follow the one above it",
        """\
`prev` is the SHA-256 of the line above, without its line feed; the first line has 64 zeros. Where it is something else, a line above was changed, removed
or inserted after this one was written. The message gives the last head that is good; nothing below is judged. Compare with an older clone.""",
        _GENESIS + _seal(2, _BOTH, more=f'"prev":"{_A}",'),
    ),
    _ledger(
        "WP805",
        "ledger-clock",
        "the time of a line is before that of the line above, or on no calendar",
        """\
Lines are added at the end, so their times never go back. A line that claims to be older than the one above it was back-dated, or was written on a machine
whose clock is wrong. Times in a ledger are the operator's word in any case; only a time anchor proves one.""",
        _GENESIS.replace("2026-01-01", "2026-01-09") + _seal(2, _BOTH),
    ),
    _ledger(
        "WP806",
        "ledger-genesis",
        "the genesis line is missing, or there is a second one",
        """\
The first line says how long a batch may stay closed, whether time has to be proven, and who holds the scenarios. These rules are fixed before the first
scenario is sealed and never change: other rules need another ledger.""",
        _GENESIS + _GENESIS,
    ),
    _row(
        "WP807",
        "checkpoint-not-on-chain",
        "a checkpoint that the reader remembers is not on this chain",
        """\
A checkpoint is the number and the hash of a line, as `publish` and every later step print it. If the ledger no longer has that line with that hash, it was
rewritten, or cut, after the checkpoint was taken. Keep the clone that shows it. Note a checkpoint of every report you rely on: nothing inside a
repository can show that its end was cut off.""",
        _steps(f"wellposed reserve verify --since 3:{_A}"),
        _steps('wellposed reserve verify --since "0:sha256:$(head -n 1 reserve/ledger.jsonl | tr -d \'\\n\' | sha256sum | cut -d \' \' -f 1)"'),
    ),
    _row(
        "WP808",
        "ledger-not-grown",
        "the ledger of a commit does not begin with that of its parent",
        """\
Along the first parents of a commit, each older ledger is the beginning of the newer one, byte for byte. Where it is not, history shows that lines were
changed or removed, even if the chain was computed again afterwards. A ledger anywhere in a history that was merged has to begin the newest one as well, so
that none can be buried there. Compare with an older clone, and ask the operator.""",
        _steps("sed -i '$d' reserve/ledger.jsonl\ngit commit -q -a -m 'one line less'\nwellposed reserve verify"),
        _VERIFY,
    ),
    _row(
        "WP809",
        "ledger-missing",
        "there is no ledger to read",
        """\
`reserve/ledger.jsonl` is missing, empty, or not a regular file: a link could lead anywhere, also to somewhere else tomorrow. A reserve begins with
`wellposed reserve publish`.""",
        _steps("mv reserve/ledger.jsonl reserve/other.jsonl\nln -s other.jsonl reserve/ledger.jsonl\nwellposed reserve status"),
        _steps("wellposed reserve status"),
    ),
    _row(
        "WP810",
        "attributes-in-reserve",
        "attributes inside the reserve can change what a checkout holds",
        """\
A `.gitattributes` file can convert line ends or encodings in a checkout, and `git status` stays clean. The verification reads blobs and is not deceived, but
whoever runs `sha256sum` on a checked out file may be. One line at the top of the repository is enough: `reserve/** -text`.""",
        _steps("echo '*.json text eol=crlf' > reserve/.gitattributes\ngit add reserve\ngit commit -q -m attributes\nwellposed reserve verify"),
        _VERIFY,
    ),
    _row(
        "WP811",
        "replace-refs",
        "a replace ref shows other readers other objects",
        """\
With a ref below `refs/replace/` git shows one object in the place of another, under the name of the first. The verification reads the objects that are
named. Others who look at this clone with usual git commands are deceived. Remove the ref.""",
        _steps("git replace $(git rev-parse HEAD:reserve/ledger.jsonl) $(echo other | git hash-object -w --stdin)\nwellposed reserve verify"),
        _VERIFY,
        Severity.WARNING,
    ),
)

_ANCHORS = (
    _ledger(
        "WP820",
        "anchor-unfit",
        "a time anchor is not about the line that it names",
        """\
An anchor holds the hash of a line and a proof from outside that this hash existed at some time. Here the line has another hash now (the ledger was
rewritten above the anchor), or the proof is missing, is not the recorded one, is about something else, is signed by nobody you trust, or is older than
the line claims to be.""",
        _START + _line(3, "anchor", f'"of":1,"head":{_QC},"kind":"ots","path":"proofs/1.ots","proof":{_QC}'),
    ),
    _row(
        "WP821",
        "anchor-missing",
        "nothing from outside proves when this was written",
        """\
Times in the ledger, and in git, are what the operator says. Without a verified anchor that a reader trusts, it cannot be shown that a batch was sealed
before a submission was written. Only an anchor that was recorded above the announcement says anything of a sealing, and only one above the first result of an
announcement: `apply --announce` waits for it where the ledger requires anchors. An error where the policy of the ledger or the reader (`--require-anchor`) asks for anchors; else the report says that it
rests on the operator's word. Record an RFC 3161 time stamp with `wellposed reserve anchor`, and name the certificates that you trust with `--tsa-roots`.""",
        _steps("wellposed reserve verify --require-anchor"),
        _VERIFY,
    ),
)

_BATCHES = (
    _ledger(
        "WP830",
        "announce-chosen-pool",
        "an announcement does not list every live entry of its batch",
        """\
A batch is applied as a whole. An operator who may leave entries out can leave out those that a favoured system fails. The pool of an announcement is every
entry of the batch that was not reported leaked and not forfeited before, in order.""",
        _START + _announce(3, _QA),
    ),
    _ledger(
        "WP831",
        "seal-line-unsound",
        "a seal line contradicts itself or the policy",
        """\
A batch has a name of its own, as many commitments as it says, in order, and a day by which all are revealed that is within the bound of the genesis line.
The day is fixed at sealing, so that nobody can wait for a good moment.""",
        _GENESIS + _seal(2, _BOTH, count=3),
    ),
    _ledger(
        "WP832",
        "sealed-twice",
        "a commitment is sealed twice",
        """\
One scenario would count as two, or would be tried again in a later batch. An entry belongs to the one batch it was sealed with.""",
        _START + _seal(3, f"{_QA},{_QC}", batch="c"),
        _START + _seal(3, _QC, batch="c", count=1),
    ),
    _ledger(
        "WP833",
        "announced-twice",
        "a batch is announced a second time",
        """\
An applied entry is burned: whoever saw it run knows it. Announcing the batch again, or copying the old announcement, would be a second try at the same
scenarios. A new application needs a new batch.""",
        _RUNNING + _announce(4, _BOTH),
    ),
    _ledger(
        "WP834",
        "announce-names",
        "the submissions of an announcement are not in order of distinct names",
        """\
Each system is announced once, at one commit. Two entries of one name, or of names that differ in upper and lower case only, would leave open which of the two counts.""",
        _START + _announce(3, _BOTH, names=("temporal", "temporal")),
    ),
    _ledger(
        "WP835",
        "announce-day",
        "the day for the results is past, or after the reveal",
        """\
Results are recorded between the announcement and the reveal: after the reveal everybody knows the scenarios.""",
        _START + _announce(3, _BOTH, until="2026-03-01"),
    ),
    _ledger(
        "WP836",
        "never-sealed",
        "a line is about an entry or batch that was never sealed in this ledger",
        """\
Everything that is applied, revealed or given up was sealed first; otherwise a scenario could be invented after the fact.""",
        _START + _forfeit(3, _QC),
        _START + _forfeit(3, _QA),
    ),
)

_RESULTS = (
    _ledger(
        "WP840",
        "result-not-announced",
        "a result, or its void, is of something that was not announced",
        """\
Which systems are tried on a batch, at which commits, is announced before the first of them runs. A result of another system, or of an entry that was not in
the pool, would be a run that is told because of how it went.""",
        _RUNNING + _apply(4, _QA).replace('"submission":"temporal"', '"submission":"langgraph"'),
        _DONE,
    ),
    _ledger(
        "WP842",
        "result-late",
        "a result was recorded after the day that was announced",
        """\
All systems of an announcement run in one window. What comes later had more time with what others saw.""",
        _RUNNING.replace('"until":"2026-01-20"', '"until":"2026-01-04"') + _apply(4, _QA) + _apply(5, _QB),
        _DONE,
    ),
    _ledger(
        "WP843",
        "result-of-other-commit",
        "a result is of another commit than the one that was announced",
        """\
The submission was changed between the announcement and the run. Whoever sees a scenario and then changes the system has trained on the test.""",
        _RUNNING + _apply(4, _QA, impl="3" * 40),
        _DONE,
    ),
    _ledger(
        "WP844",
        "second-result",
        "a second result of one system on one entry",
        """\
The first result counts, or whoever runs often enough has the best of many. Only a void, with its reason, makes room for another result, and voids are
counted.""",
        _RUNNING + _apply(4, _QA) + _apply(5, _QA),
        _RUNNING + _apply(4, _QA) + _void(5) + _apply(6, _QA),
    ),
    _ledger(
        "WP845",
        "nothing-to-void",
        "a void takes back a result that is not there",
        """\
A void names a result that was recorded and not voided before. It is for a scenario that was wrong, which the reveal will show.""",
        _RUNNING + _void(4),
        _RUNNING + _apply(4, _QA) + _void(5),
    ),
    _ledger(
        "WP846",
        "result-withheld",
        "a result was announced and never reported",
        """\
Every system is reported on every entry of the batch, once the announced day is over or anything of the batch is revealed. What is missing is a result that
somebody did not like, until it is shown. `reveal` refuses to open a batch whose results are still due: they could never be recorded.""",
        _RUNNING.replace('"until":"2026-01-20"', '"until":"2026-01-05"') + _apply(4, _QA),
        _DONE,
    ),
    _ledger(
        "WP850",
        "wrong-state",
        "a line does what the state of its entry does not allow",
        """\
An entry is sealed, announced, applied and revealed, in this order; until then it can be reported leaked, and forfeited. Revealed and forfeited are final.""",
        _START + _forfeit(3, _QA) + _forfeit(4, _QA),
        _START + _forfeit(3, _QA) + _forfeit(4, _QB),
    ),
    _row(
        "WP851",
        "revealed-in-part",
        "a batch is revealed in part",
        """\
A batch is opened as a whole: every entry that is not forfeited, by one step. An operator who reveals one by one can stop where it hurts.""",
        Example(
            "revealed",
            "#: revealed\n"
            + _BUNDLE.replace('"skin":', '"seal":{"alg":"reserve-seal/1","nonce":"' + "4" * 64 + '"},"skin":')
            + "#: closed\n"
            + _BUNDLE.replace('"at":0', '"at":3').replace('"skin":', '"seal":{"alg":"reserve-seal/1","nonce":"' + "5" * 64 + '"},"skin":'),
        ),
        _VERIFY,
    ),
)


def _sealed(nonce: str, text: str = _BUNDLE, name: str = "first") -> str:
    """A document with a seal, after the line that begins its file."""
    seal = f'"seal":{{"alg":"reserve-seal/1","nonce":"{nonce * 64}"}},"skin":'
    return f"#: {name}\n" + text.replace('"skin":', seal)


_LATER = _BUNDLE.replace('"horizon":20', '"horizon":30')


def _revealed(id: str, slug: str, title: str, explanation: str, bad: str) -> Code:
    return _row(id, slug, title, explanation, Example("revealed", bad), Example("revealed", _sealed("4")))


_REVEALS = (
    _revealed(
        "WP860",
        "sealed-without-nonce",
        "a scenario was sealed without a nonce",
        """\
The hash of a scenario alone hides nothing: whoever knows the family of scenarios that it comes from tries the members until the hash fits, a million in a
second. A sealed document holds a nonce of 256 random bits. What was sealed without one may have been known to anybody from the first day.""",
        "#: first\n" + _BUNDLE,
    ),
    _row(
        "WP861",
        "revealed-missing",
        "a revealed scenario is not there",
        """\
A reveal line names the file of the scenario, `reserve/revealed/` and the first digits of its hash. The file is missing, or is a link or a folder. Restore it.""",
        _steps("git rm -q $(ls reserve/revealed/* | head -n 1)\ngit commit -q -m less\nwellposed reserve verify"),
        _VERIFY,
    ),
    _row(
        "WP862",
        "revealed-stray",
        "a file lies among the revealed scenarios that no line reveals",
        """\
It proves nothing and could be taken for something that was sealed. A reveal that was interrupted leaves such files; run it again.""",
        _steps("echo '{}' > reserve/revealed/0000000000000000.json\ngit add reserve\ngit commit -q -m more\nwellposed reserve verify"),
        _VERIFY,
        Severity.WARNING,
    ),
    _row(
        "WP863",
        "revealed-other",
        "a revealed file is not the scenario that was sealed",
        """\
The bytes of the file have another SHA-256 than the commitment. It is not looked at any further. A file that was pretty-printed, or saved with other line
ends, is another file.""",
        _steps("for file in reserve/revealed/*; do echo >> $file; break; done\ngit commit -q -a -m edited\nwellposed reserve verify"),
        _VERIFY,
    ),
    _revealed(
        "WP864",
        "revealed-not-canonical",
        "a revealed file has the right hash and is not canonical",
        """\
Where a member stands twice, or a number is written in two ways, two readers of one file see two scenarios, and the commitment binds to neither. Only a
canonical document can be sealed.""",
        _sealed("4").replace('"horizon":20', '"horizon": 20'),
    ),
    _revealed(
        "WP865",
        "revealed-not-well-posed",
        "a revealed scenario is not well-posed",
        """\
A reserve could be filled with scenarios that no system can pass, or that any system passes. What is sealed is verified before; what is revealed is verified
again by whoever looks.""",
        _sealed("4").replace('"within":10', '"within":3'),
    ),
    _revealed(
        "WP866",
        "nonce-used-twice",
        "two sealed scenarios have one nonce",
        """\
Once the first of them was revealed, the second could be guessed as if it had none. Every entry has a nonce of its own, made when it is sealed.""",
        _sealed("4") + _sealed("4", _LATER, "second"),
    ),
    _revealed(
        "WP867",
        "revealed-copy",
        "a revealed scenario is the same test as another one",
        """\
Two scenarios are one test if no system can tell them apart and both demand the same of it; title, id, names and the first tick do not count. A copy of a
public scenario was never secret, and a copy of another entry makes a reserve look larger than it is.""",
        _sealed("4") + _sealed("5", _BUNDLE.replace('"id":"hello"', '"id":"other"').replace('"m1"', '"m7"'), "second"),
    ),
    _row(
        "WP868",
        "logs-swapped",
        "logs are not those whose hash was published",
        """\
When a result is recorded, the hash of a salted manifest of its logs is published; manifest and logs come with the reveal. Here a manifest or a log is missing, is
another one, or is none that the manifest has.""",
        _steps("rm -r $(ls -d reserve/logs/*/*/run-1 | head -n 1)\ngit commit -q -a -m less\nwellposed reserve verify"),
        _VERIFY,
    ),
    _row(
        "WP869",
        "reveal-path",
        "a reveal does not lie where its hash says",
        """\
The file of an entry is named by the first digits of its hash, so that nobody has to take a line's word for which file is which.""",
        Example(
            "ledger",
            _START
            + _line(3, "reveal", f'"commit":{_QA},"path":"revealed/{"b" * 16}.json","logs":[],"authors":[]')
            + _line(3, "reveal", f'"commit":{_QB},"path":"revealed/{"a" * 16}.json","logs":[],"authors":[]'),
        ),
        _SOUND,
    ),
    _row(
        "WP870",
        "logs-other-rules",
        "logs cite rules that the revealed scenario does not have",
        """\
An admission cites the hash of the rules it was made under. Logs that cite other rules are of another scenario than the one that was revealed.""",
        Example("logs", "sed -i 's/\"rules_hash\":\"[0-9a-f]*\"/\"rules_hash\":\"" + "7" * 64 + "\"/' manifest.json"),
        _VERIFY,
    ),
    _row(
        "WP871",
        "logs-other-schedule",
        "logs have messages or decisions that the revealed scenario does not have",
        """\
What the harness delivered stands in the inbox, the decisions and the signals of a run. Other messages or ids than those of the schedule: these are logs of
another scenario.""",
        Example("logs", "sed -i 's/Where is my order/Where is my parcel/' run-1/inbox.jsonl"),
        _VERIFY,
    ),
    _row(
        "WP872",
        "outcome-not-reproduced",
        "the published logs do not come to the outcome that was recorded",
        """\
The judge is asked again, with the published logs and the revealed scenario, and says something else than the ledger, of the outcome or of how drafts were made. Either the outcome was written by hand,
or the judge has changed: see the versions in both.""",
        Example("logs", ": > run-1/outbox.jsonl\nsed -i '/outbox/d' run-1/run.jsonl"),
        _VERIFY,
    ),
    _row(
        "WP873",
        "manifest-disagrees",
        "the manifest of logs is not one, or says something else than the ledger",
        """\
A manifest names the entry, the submission and its commit, five runs with the hash of each file, and the outcome. All of it agrees with the line that published its hash.""",
        Example("logs", "sed -i 's/\"submission\":\"[a-z]*\"/\"submission\":\"langgraph\"/' manifest.json"),
        _VERIFY,
    ),
    _row(
        "WP874",
        "frozen-commit-missing",
        "the frozen commit of a submission is not in its repository",
        """\
An announcement names the commit of each submission and its tree. In the clone that you gave with `--clone` there is no such commit, or it has another tree.""",
        _steps("git init -q ../elsewhere\nwellposed reserve verify --clone reference=../elsewhere"),
        _steps("wellposed reserve verify --clone reference=../reference"),
    ),
    _row(
        "WP875",
        "run-not-recorded",
        "a run cannot be recorded as a result",
        """\
A result is made of five runs, each a folder of its own with every file that the page of runs lists, in which the harness did what the schedule says. A run
in which it did not is annulled: it says nothing about the system.""",
        _steps(
            "wellposed reserve apply --record ../runs/1 ../runs/1 ../runs/2 ../runs/3 ../runs/4 --entry $(cat ../running) --name reference --store ../store"
        ),
        _steps(
            "wellposed reserve apply --record ../runs/1 ../runs/2 ../runs/3 ../runs/4 ../runs/5 --entry $(cat ../running) --name reference --store ../store"
        ),
    ),
)

_DUE = (
    _row(
        "WP880",
        "reveal-overdue",
        "an entry was due and is still closed",
        """\
The day of the reveal is fixed when a batch is sealed. What is closed after that day is counted as withheld, whatever the reason, until it is revealed or
forfeited.""",
        Example("ledger", _START.replace('"reveal_by":"2026-01-31"', '"reveal_by":"2026-01-05"')),
        _SOUND,
    ),
    _row(
        "WP881",
        "line-from-the-future",
        "a line says a day that has not come",
        """\
The clock of whoever wrote it was wrong, or the line was dated ahead. Lines below cannot be dated earlier, so it will stay visible.""",
        Example("ledger", _START + _seal(3, _QC, batch="later", count=1).replace("2026-01-03", "9998-01-03").replace("2026-01-31", "9998-01-31")),
        _SOUND,
        Severity.WARNING,
    ),
)

_OPERATOR = (
    _row(
        "WP885",
        "store-in-work-tree",
        "the store of sealed entries is inside a git repository",
        """\
One `git add` would publish every entry, and what was pushed once is known for good. Keep the store elsewhere, in a folder that only you can read.""",
        _steps("wellposed reserve seal ../new.json --store store"),
        _steps("wellposed reserve seal ../new.json --store ../sealed --to $(cat ../recipient)"),
    ),
    _row(
        "WP886",
        "not-sealable",
        "a scenario cannot be sealed",
        """\
Only a scenario that is well-posed by itself is sealed, and none that has a seal already. `allow` and `rejected` excuse nothing: they live in the source, and
what is judged by is the bundle.""",
        _steps("wellposed reserve seal ../race.scenario --store ../sealed --to $(cat ../recipient)"),
        _steps("wellposed reserve seal ../new.json --store ../sealed --to $(cat ../recipient)"),
    ),
    _row(
        "WP887",
        "sealed-copy",
        "a scenario is the same test as a public or sealed one",
        """\
It would be no secret, or count twice. Two scenarios are one test if no system can tell them apart and both demand the same of it; title, id, names and the
first tick do not count.""",
        _steps("wellposed reserve seal scenarios/public.scenario --store ../sealed --to $(cat ../recipient)"),
        _steps("wellposed reserve seal ../new.json --store ../sealed --to $(cat ../recipient)"),
    ),
    _row(
        "WP888",
        "store-unusable",
        "a stored entry, or a key, cannot be used",
        """\
The entry is not in the store, was changed, or no identity that was given opens it; or the key or recipient is none. Try the restore of an entry when it is
sealed (`--identity`), while there is still another copy.""",
        _steps("rm ../store/*.json\nwellposed reserve reveal --batch next --store ../store"),
        _steps("wellposed reserve reveal --batch next --store ../store"),
    ),
    _row(
        "WP889",
        "store-in-plain",
        "sealed entries can be read where they are stored",
        """\
Without recipients the entries are plain files for this user only, and a backup, a stolen disk or another administrator can read them; or the folder itself is
open to others. Encrypt them to two recipients with `--to`, of which one is not on this machine.""",
        _steps("wellposed reserve seal ../new.json --store ../sealed"),
        _steps("wellposed reserve seal ../new.json --store ../sealed --to $(cat ../recipient)"),
        Severity.WARNING,
    ),
    _row(
        "WP890",
        "no-such-entry",
        "an entry is not named well enough, or the ledger is in use",
        """\
An entry is named by the beginning of its hash, at least eight digits that only one entry has. Two processes do not write a ledger at once: wait for the other.""",
        _steps("wellposed reserve forfeit 00000000 --class lost --justification 'the disk is gone'"),
        _steps("wellposed reserve forfeit $(cat ../closed) --class lost --justification 'the disk is gone'"),
    ),
    _row(
        "WP891",
        "sealed-committed",
        "a sealed scenario is in the repository, or where a system can read it",
        """\
By hash this is exact: the file is the sealed document. With `--store`, entries that are not published yet, a copy without the seal, a source of the same
test, and any file that holds the nonce are found as well. Do not commit it. If it was pushed, it is known: record that with `wellposed reserve leak`; removing it in a later commit changes nothing, since every clone has it
(`--history` looks into all objects).""",
        _steps("cp ../store/$(cat ../closed).json scenarios/tmp.json\ngit add scenarios\nwellposed reserve audit"),
        _steps("wellposed reserve audit --history"),
    ),
    _row(
        "WP892",
        "answers-readable",
        "a system under test can read what is expected of it",
        """\
A bundle, a source or `invariants.json` holds the schedule that is still to come and what a system is judged by. In a scored run a system is given its own
files only. `wellposed reserve audit --readable DIR` looks into everything below a folder, such as the sandbox of a run or an image that was unpacked.""",
        _steps("mkdir -p ../sandbox/deep\ncp ../new.json ../sandbox/deep/notes.txt\nwellposed reserve audit --readable ../sandbox"),
        _steps("mkdir -p ../sandbox\necho hello > ../sandbox/inbox.txt\nwellposed reserve audit --readable ../sandbox"),
    ),
    _row(
        "WP893",
        "label-in-input",
        "an id or address that a system reads says what is tested",
        """\
Messages, conversations and senders are shown to the system. One that is called `m2-dup` or `to-be-escalated` can be answered without any machinery. Call
things by neutral names; what a scenario is about is the business of its title, which no system sees.""",
        _steps("sed 's/\"m1\"/\"m1-dup\"/g; s/work:m1/work:m1-dup/g' ../new.json > ../dup.json\nwellposed reserve seal ../dup.json --store ../sealed --to $(cat ../recipient)"),
        _steps("wellposed reserve seal ../new.json --store ../sealed --to $(cat ../recipient)"),
        Severity.WARNING,
    ),
)

ROWS: tuple[Code, ...] = (*_LINES, *_ANCHORS, *_BATCHES, *_RESULTS, *_REVEALS, *_DUE, *_OPERATOR)
