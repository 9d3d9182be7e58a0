"""WP63x to WP66x: the logs of real systems, what they come to, and what belongs to them.

Examples of kind "run" are lines of a shell, run in a folder that holds `hello.scenario`, five conforming runs of it in
`run.1` to `run.5`, and the same as a complete submission in `submission`; the last line is the command that is shown.
"""

from __future__ import annotations

from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity

_RUNS = "run.1 run.2 run.3 run.4 run.5"
_JUDGE = f"wellposed judge hello.scenario {_RUNS}\n"
_SUBMIT = "wellposed judge --submission submission\n"
_GOOD = Example("run", _JUDGE)
_COMPLETE = Example("run", _SUBMIT)


def _row(id: str, slug: str, title: str, explanation: str, change: str, severity: Severity = Severity.ERROR) -> Code:
    """A code that five runs raise after a change of one of them."""
    return Code(id, slug, severity, title, explanation, Example("run", f"{change}\n{_JUDGE}"), _GOOD)


def _submitted(id: str, slug: str, title: str, explanation: str, change: str) -> Code:
    """A code that a submission raises after a change."""
    return Code(id, slug, Severity.ERROR, title, explanation, Example("run", f"{change}\n{_SUBMIT}"), _COMPLETE)


_LOGS = (
    _row(
        "WP630",
        "run-file-missing",
        "a run directory lacks one of its files",
        """\
A run is nine files (`docs/runs.md`), each of them there even if nothing was written to it. Without one of them it cannot be told what the system did, so
the run is annulled: it counts neither for the system nor against it. Only `run.jsonl` may be missing, with the loss that WP640 tells.""",
        "rm run.1/outbox.jsonl",
    ),
    _row(
        "WP631",
        "run-file-unknown",
        "a run directory holds something that is no file of a run",
        """\
The names of the files of a run are a closed list. What else is there is not looked at, however its name is spelled: a log under a wrong name would be
missed in silence. Rename it if it is a log, and keep everything else outside the folder.""",
        "touch run.1/notes.txt",
        Severity.WARNING,
    ),
    _row(
        "WP632",
        "log-line-no-record",
        "a line of a log is not one JSON object",
        """\
Each line of a log is one JSON object of the profile of bundles, in UTF-8, with an LF behind it: no member twice, whole numbers only, no NaN, nothing
behind it. Such a line may be the one that would have shown a fault. So with one in a file of the system no level is passed, and with one in a file of the
harness the run is annulled. All other lines are judged as they stand.""",
        'sed -i \'s/"event":"note"/"event":"note","event":"claim"/\' run.1/audit.jsonl',
    ),
    _row(
        "WP633",
        "log-torn",
        "the last line of a log does not end",
        """\
A log ends with a line feed. Where it does not, its writer may have been cut off in the middle of a line, or of the run. The line is read as far as it is
a record, but no level is passed with it.""",
        "truncate -s -1 run.1/audit.jsonl",
    ),
    _row(
        "WP634",
        "log-record-shape",
        "a record of a log lacks a member, or has a wrong one",
        """\
Every audit line has an `event` and its tick `at`; an admission, claim or resolution, a draft, an effect, a model call, a snapshot and a line of the run
log have the members of `docs/runs.md`. Ids are texts of 1 to 128 characters. A record that cannot be used leaves no level passed; a claim that only lacks
its `reason` is used, and L3 fails by it.""",
        'sed -i \'s/"event":"note"/"kind":"note"/\' run.1/audit.jsonl',
    ),
    _row(
        "WP635",
        "log-id-again",
        "an id stands for two things",
        """\
An effect and a model call have an id of their own. A draft may be declared again only with the same content: a reply that changes by one word is a new
draft, which needs a new id and a new approval.""",
        "sed -i 's/call-2/call-1/' run.1/model-calls.jsonl run.1/drafts.jsonl",
    ),
    _row(
        "WP636",
        "log-out-of-order",
        "a record is dated before one that stands in front of it",
        """\
The lines of a log stand in the order in which they were written, so their own ticks never go back. With a recorded timeline this is only a false
statement of the system, since a record counts at the tick at which it was first seen. Without one nobody can tell when it was written.""",
        'sed -i \'s/"at":5/"at":1/\' run.1/audit.jsonl',
    ),
    _row(
        "WP637",
        "log-id-unknown",
        "a record speaks of something that is not there",
        """\
A work item exists from its admission on, a draft from its declaration, a message if the schedule delivers it, a conversation if the scenario has it. A
record of anything else breaks the obligation that the message names. An effect without a declared draft is an orphaned line: something has left that
nobody can have approved.""",
        "sed -i '/\"claim\"/s/work-m1/work-9/' run.1/audit.jsonl",
    ),
    _row(
        "WP638",
        "log-tick-outside",
        "a record is dated outside the run",
        """\
A run has the ticks 0 to the scenario's horizon, without those that a jump of the clock removes. A record of another tick cannot be judged unless the
recorded timeline says when it was really seen.""",
        'sed -i \'s/"at":5/"at":99/\' run.1/audit.jsonl',
    ),
    _row(
        "WP639",
        "log-stamp-differs",
        "a record is dated otherwise than it was seen",
        """\
A record counts at the tick at which the harness first saw it. The system dated it earlier (back-dated) or later. It is judged all the same; but a stamp
that would have kept a deadline, on a record that did not, should be asked about.""",
        'sed -i \'s/"at":5/"at":4/\' run.1/audit.jsonl',
        Severity.WARNING,
    ),
    _row(
        "WP640",
        "run-self-reported",
        "a run has no recorded timeline",
        """\
Without `run.jsonl` the only ticks are those that the system wrote into its own records. The run is judged by them, its timing is marked as self-reported
wherever it is shown, and whether the harness did what the schedule says cannot be looked at.""",
        "rm run.1/run.jsonl",
        Severity.WARNING,
    ),
    _row(
        "WP641",
        "log-line-never-seen",
        "lines of a log were not seen in the run",
        """\
`run.jsonl` says when each line of a system was first seen. Of these lines it says nothing: they were written after the run, or by somebody else. They are
not judged. Where such a line dates itself into the run, the log or `run.jsonl` is not
whole, and no level is passed with it.""",
        'echo \'{"at":1000000,"event":"note"}\' >> run.1/audit.jsonl',
        Severity.WARNING,
    ),
    _row(
        "WP642",
        "draft-hash-differs",
        "a draft's content hash is not that of its body",
        """\
A `content_hash` is the system's own and only compared as a text, but one that begins with `sha256:` says that it is the SHA-256 of the body. This one is
not. An approval binds the hash, so a hash that does not follow from the content lets the content change under it.""",
        "sed -i 's/sha256:/sha256:0/' run.1/drafts.jsonl",
        Severity.WARNING,
    ),
    _row(
        "WP643",
        "draft-origin-untraced",
        "a draft's origin is not in the log of model calls",
        """\
The origin of a draft is `model-free`, or the ids of the calls that made it, each logged by the stub model by the tick of the draft. Otherwise the system
has a model of its own, and nothing can be said about where the reply comes from. This draft was never sent, which makes it a warning; the origin of a
reply that has left is a matter of K.declared.""",
        "sed -i 's/call-2/call-9/' run.1/model-calls.jsonl",
        Severity.WARNING,
    ),
    _row(
        "WP645",
        "harness-error",
        "the harness did not do what the schedule says",
        """\
What the harness has to deliver, decide, signal and record follows from the bundle and the system's records. Its files say something else: a line that is
missing, altered or at another tick, or a clock that goes otherwise. This was a run of another scenario. It is annulled: it counts neither for the
system nor against it. Find the fault of the harness, and run again.""",
        "sed -i 's/Hello/Hallo/' run.1/inbox.jsonl",
    ),
)

_RESULTS = (
    _row(
        "WP646",
        "failed",
        "a system fails",
        """\
In some run an obligation of a level is broken, or an expectation of the scenario fails. One cause is one failure: what else is broken by it is told as
following from it. The failure has an id that is the same in every run, by which a submission can classify it as a fault of the mechanism, of an adapter,
or of the fixture. `wellposed explain L0.reply` tells what an obligation demands.""",
        'sed -i \'s/"outcome":"completed","reason":null/"outcome":"abandoned","reason":"crash"/\' run.1/audit.jsonl',
    ),
    Code(
        "WP648",
        "level-not-decided",
        Severity.NOTE,
        "a level is neither passed nor failed",
        """\
A level is passed by five runs in a row from fresh sandboxes, and by no fewer. A run that did nothing that exercises the level, though a conforming run
can, counts for nothing (a guarded event that lawfully never came about); nor does one that is annulled. The exit status is 3 as long as no level fails.""",
        Example("run", "wellposed judge hello.scenario run.1 run.2 run.3 run.4\n"),
        _GOOD,
    ),
    Code(
        "WP649",
        "run-given-twice",
        Severity.ERROR,
        "a run is given twice",
        "Five runs are five runs: a folder that is named twice is judged once. Copies of a folder cannot be told from runs of a system that always does the "
        "same; whoever publishes logs answers for that.",
        Example("run", "wellposed judge hello.scenario run.1 run.1 run.2 run.3 run.4 run.5\n"),
        _GOOD,
    ),
    Code(
        "WP650",
        "judged-by-a-bad-scenario",
        Severity.WARNING,
        "logs are judged by a scenario that is not well-posed",
        "Under such a scenario a conforming system can fail, or a wrong one pass. What the obligations say still holds; what the expectations say need not. "
        "`wellposed check` tells what is wrong with it.",
        Example("run", f"sed -i 's/within 10/within 9/' hello.scenario\n{_JUDGE}"),
        _GOOD,
    ),
    Code(
        "WP655",
        "level-regressed",
        Severity.ERROR,
        "a level that passed does not pass any more",
        "With `--baseline` an older judgement is read, and each level that it shows as passed has to pass again: one that fails, is not decided for want of "
        "runs, or has no runs at all is a regression.",
        Example(
            "run", f"{_JUDGE.rstrip()} --report old.json\nwellposed judge hello.scenario run.1 --baseline old.json\n"
        ),
        Example("run", f"{_JUDGE.rstrip()} --report old.json\n{_JUDGE.rstrip()} --baseline old.json\n"),
    ),
    Code(
        "WP656",
        "not-a-judgement",
        Severity.ERROR,
        "a file is not a judgement",
        "A baseline, and what a board is made of, is a file that `wellposed judge` has written: JSON with the format `wellposed-judgement/1`, by the schema that "
        "is shipped with the tool.",
        Example("run", "echo '{}' > old.json\nwellposed board old.json --out board\n"),
        Example("run", f"{_JUDGE.rstrip()} --report old.json\nwellposed board old.json --out board\n"),
    ),
)

_SUBMISSIONS = (
    _submitted(
        "WP660",
        "submission-incomplete",
        "a submission lacks something",
        """\
A submission is a folder with `submission.json`, the implementation, its adapters if it has any, a page of disclosure, and the logs of each level that it
attempts; `docs/judging.md` shows the layout. What is there is judged; what is missing is told here.""",
        "rm -r submission/implementation",
    ),
    _submitted(
        "WP661",
        "disclosure-lacks-a-section",
        "a disclosure does not say how an invariant is kept, or what is missing",
        """\
`disclosure.md` has a heading for each of the five invariants (async intake, contextual admission, irreversible effects, continuity, observable operation)
with the mechanism that keeps it, and one for the known gaps. "None known" is an answer; no heading is not.""",
        "sed -i 's/Known gaps/Outlook/' submission/disclosure.md",
    ),
    _submitted(
        "WP662",
        "level-without-logs",
        "a level is attempted without logs",
        """\
`attempts` in `submission.json` lists the levels that a submission wants to be judged by. A level is reported by each scenario of this level or a higher
one; none of them has logs here. Leave the level out, or add the logs: an honest partial result is worth more than a complete one without evidence.""",
        'sed -i \'s/"attempts":."L0"/"attempts":["L0","L4"/\' submission/submission.json',
    ),
    _submitted(
        "WP663",
        "classification-unjustified",
        "the classification of a failure cannot be used",
        """\
A line of `classification.jsonl` names a scenario, one of its failures by id, and a class: mechanism, adapter, or fixture-defect. The last one annuls a
failure, which is the lever that is abused most easily, so it needs a justification, which is published. A line about a failure that is not there is an
error, too.""",
        'echo \'{"scenario":"hello","failure":"L0.reply/m1","class":"fixture-defect"}\' > submission/classification.jsonl',
    ),
    Code(
        "WP664",
        "bundle-does-not-count",
        Severity.ERROR,
        "the logs of a submission are of another bundle",
        "Where bundles are named beside `--submission`, only their runs count. The hash of this one is none of theirs: the scenario was altered, or is of another "
        "version. Its logs are not judged.",
        Example(
            "run",
            "sed -i 's/Hello/Hallo/' hello.scenario\nwellposed build hello.scenario --out built\n"
            "wellposed judge --submission submission built/hello\n",
        ),
        Example(
            "run", "wellposed build hello.scenario --out built\nwellposed judge --submission submission built/hello\n"
        ),
    ),
    Code(
        "WP665",
        "failure-annulled",
        Severity.WARNING,
        "a failure is annulled as a defect of the fixture",
        "The submission says that the scenario or the harness was wrong, not the system, and why. The runs that show the failure count for nothing on the "
        "levels it concerns; the failure stays listed in the report, with the justification. It belongs into the counterexample channel: `wellposed pr`.",
        Example(
            "run",
            'sed -i \'s/"outcome":"completed","reason":null/"outcome":"abandoned","reason":"rejected"/\' '
            "submission/logs/hello/run.1/audit.jsonl\n"
            'echo \'{"scenario":"hello","failure":"L0.abandon/m1","class":"fixture-defect","justification":"The harness rejected it."}\''
            " > submission/classification.jsonl\n" + _SUBMIT,
        ),
        _COMPLETE,
    ),
)

ROWS: tuple[Code, ...] = (*_LOGS, *_RESULTS, *_SUBMISSIONS)
