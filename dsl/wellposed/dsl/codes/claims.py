"""WP900 to WP937: claims, the part of YAML that they are written in, and what examining one comes to.

Examples of kind "claim" are a `claims/example/claim.yaml` in a repository with the scenarios `hello` (L0, well-posed), `race`
(L6, ambiguous) and `lenient` (L0, `invariants only expect`). What lies beside it is what its text names: runs of hello
(`runs/1` to `runs/5`), one that fails (`late/1`), one twice (`copies/1`, `copies/2`), one of race (`foreign/1`), a run of race that fails
(`failing.json`) and one that passes (`passing.json`), and `notes.txt`. `HELLO` and `RACE` stand for the hashes of these scenarios.
"""

from __future__ import annotations

from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity

_HEAD = "format: wellposed-claim/1\n"
_WHY = "justification: Two systems of ours disagree about it.\n"
_WHO = "disclosure: The author works on neither system.\n"
_RUNS = "logs:\n" + "".join(f"  - runs/{number}\n" for number in range(1, 6))
_PASSES = f"{_HEAD}kind: mechanism-passes\nscenario: hello\nlevel: L0\nsystem: pollster\n{_RUNS}{_WHY}{_WHO}"
_FAILS = (
    f"{_HEAD}kind: mechanism-fails\nscenario: hello\nlevel: L0\nobligations:\n  - L0.reply\nsystem: pollster\nlogs:\n  - late/1\n"
    f"class: mechanism\n{_WHY}{_WHO}"
)
_DEFECT = f"{_HEAD}kind: fixture-defect\nscenario: race\nshows: rejects-conforming\nwitness: failing.json\n{_WHY}{_WHO}"
_NEW = f"{_HEAD}kind: new-scenario\nscenario: hello\nbundle: HELLO\n{_WHY}"
_READING = f"{_HEAD}kind: spec-reading\nreading: reply-clock\nanswer: arrival\n{_WHY}"


def _row(
    id: str, slug: str, title: str, explanation: str, bad: str, good: str = _NEW, severity: Severity = Severity.ERROR
) -> Code:
    return Code(id, slug, severity, title, explanation, Example("claim", bad), Example("claim", good))


_YAML = (
    _row(
        "WP900",
        "claim-too-large",
        "a claim is larger than is read",
        """\
A claim is a short text: `claim.yaml` has at most 64 KiB, 2,000 keys and items, and mappings eight deep; the folder beside it at most 1,000 files and
64 MiB together. The limits stand in one table, `compiler/limits.py`, and there is no option that raises them: who has longer logs shows fewer of them.""",
        f"{_NEW}disclosure:\n" + "".join(f"{' ' * depth}a:\n" for depth in range(1, 9)) + f"{' ' * 9}b: c\n",
    ),
    _row(
        "WP901",
        "yaml-form",
        "a line is no `key: value`, no `- item` and no part of a text",
        """\
A claim is written in a small part of YAML, of which every reader of YAML makes the same: `key: value` lines, `- item` lines below a key, values that are
plain, in quotes on one line, or behind `|` on indented lines below. Whatever is neither is told at its first line, and reading ends there.""",
        f"{_NEW}disclosure: The author says: nothing.\n",
        f'{_NEW}disclosure: "The author says: nothing."\n',
    ),
    _row(
        "WP902",
        "yaml-tab",
        "a tab stands in a claim",
        """\
YAML readers disagree about tabs: some take one as indentation, some as a blank, some refuse it, and nobody sees which it was. So none may stand anywhere in
a claim, its texts included. Between double quotes one is written as `\\t`.""",
        f"{_NEW}disclosure:\tnothing\n",
    ),
    _row(
        "WP903",
        "yaml-feature",
        "an anchor, alias, tag, merge key, directive or another part of YAML that claims do not have",
        """\
Anchors and aliases make a text of 324 bytes as large as memory, tags name types of programming languages, merge keys hide what a mapping says, and a
second document is read by some and passed over by others. A claim needs none of them, nor folded texts (`>`), nor lists inside lists.""",
        f"{_NEW}disclosure: &who nobody\n",
    ),
    _row(
        "WP904",
        "yaml-key-again",
        "a key stands twice in one mapping",
        """\
Most readers of YAML take the last of two equal keys in silence, some the first. A reviewer who reads one of them would be shown another claim than the
tool examines.""",
        f"{_NEW}justification: Nobody asked.\n",
    ),
    _row(
        "WP905",
        "yaml-typed",
        "a value that readers of YAML take for a number, a time, a truth value or nothing",
        """\
All values of a claim are texts. But a plain `no` is a truth value to one reader and a text to another, `010` is eight or ten, `1:30` is ninety, and
nothing at all is null. So what begins like a number, and words such as yes, no, on, off, true, false and null, have to stand in quotes.""",
        f"{_NEW}disclosure: no\n",
        f'{_NEW}disclosure: "no"\n',
    ),
    _row(
        "WP906",
        "yaml-flow",
        "a collection in brackets",
        """\
Lists have one item per line, behind `- `, so that a difference between two versions of a claim shows what changed. Only the empty `[]` and `{}` are read.""",
        _PASSES.replace(_RUNS, "logs: [runs/1, runs/2]\n"),
        _PASSES,
    ),
)

_MEMBERS = (
    _row(
        "WP910",
        "claim-member-unknown",
        "a member that claims of this kind do not have",
        """\
A member that nobody reads would be a promise that nobody checks. Which members each kind has stands in docs/claims.md and in the JSON Schema `claim`.""",
        f"{_NEW}reviewer: somebody\n",
    ),
    _row(
        "WP911",
        "claim-member-missing",
        "a member is missing that claims of this kind have",
        """\
Each kind of claim says what it can be checked by: which scenario, which logs, which level. Without one of these there is nothing to examine.
`wellposed new claim` writes a claim of each kind with all of them.""",
        _NEW.replace("bundle: HELLO\n", ""),
    ),
    _row(
        "WP912",
        "claim-value",
        "the value of a member is not one that it can have",
        """\
Kinds, levels, obligations and classes are closed lists of words; hashes are `sha256:` and 64 hexadecimal digits; paths lead from the folder of the claim
downwards and have no `..`. Compared is exactly: no case is folded and nothing is trimmed.""",
        _PASSES.replace("level: L0", "level: L7"),
        _PASSES,
    ),
    _row(
        "WP913",
        "claim-justification",
        "a justification or disclosure says nothing, or is not written yet",
        """\
To call a failure a defect of the fixture is the lever that is easiest to abuse, so the specification (section 5) demands a public justification; and whoever
claims something about a system says what they have to do with it (section 6). What `new claim` writes in their place holds the word TODO.""",
        _NEW.replace(_WHY, "justification: |\n  TODO: why is this scenario worth having?\n"),
    ),
    _row(
        "WP914",
        "claim-file",
        "a file or folder that a claim names cannot be used",
        """\
Logs and witnesses lie in the folder of the claim, as regular files: nothing is looked for elsewhere, no link is followed, and what is not there shows
nothing.""",
        _PASSES.replace("  - runs/5\n", "  - runs/6\n"),
        _PASSES,
    ),
    _row(
        "WP915",
        "claim-place",
        "a claim does not lie at claims/<name>/claim.yaml",
        """\
Where claims lie is fixed, so that a pull request is seen to make one. The name is 1 to 64 of a-z, 0-9 and -, the first a letter or digit: a folder name that
is the same on every system.""",
        f"# claims/Example/claim.yaml\n{_NEW}",
        f"# claims/example/claim.yaml\n{_NEW}",
    ),
    _row(
        "WP916",
        "claim-file-unnamed",
        "a file in the folder of a claim that no member names",
        """\
A reviewer answers for everything that is merged. Name the file under `logs` or `witness` if it belongs to the claim; else leave it out of the pull request.""",
        f"{_NEW}# notes.txt lies beside it\n",
        severity=Severity.WARNING,
    ),
    _row(
        "WP917",
        "claim-runs-copied",
        "two of the runs are the same, byte for byte",
        """\
Five runs are due for a pass because one may be luck. A copy adds nothing, though a system that is free of chance may write the same logs again. It is for
a person to say which of the two this is.""",
        _PASSES.replace("  - runs/5\n", "  - copies/1\n  - copies/2\n").replace("  - runs/4\n", ""),
        _PASSES,
        Severity.WARNING,
    ),
)

_EXAMINED = (
    _row(
        "WP920",
        "claim-scenario-unknown",
        "there is no such scenario, or it does not compile",
        """\
A claim is about a scenario of the repository that it is made in, which it names by its id, by the hash of its bundle, or by both. `wellposed build` prints
the hashes.""",
        _NEW.replace("scenario: hello", "scenario: helo"),
    ),
    _row(
        "WP921",
        "claim-hash-differs",
        "the scenario does not have the hash that the claim is about",
        """\
A claim is about one bundle, and its evidence shows nothing about another one. If the scenario has changed since, look at it again and write its new hash:
what was shown of the old one may hold no longer.""",
        _NEW.replace("HELLO", "RACE"),
    ),
    _row(
        "WP922",
        "claim-scenario-not-well-posed",
        "the new or changed scenario is not well-posed",
        """\
A scenario that no system can pass, that a quick and a slow system fare differently in, or that tests nothing, is not one that systems are judged by.
`wellposed check` shows why, and often a change that mends it.""",
        _NEW.replace("hello", "race").replace("HELLO", "RACE"),
    ),
    _row(
        "WP923",
        "claim-level",
        "a level or obligation that the scenario does not have",
        """\
A scenario reports the levels from L0 to its own, and the obligations of higher levels are not in force in it: a run that breaks one of them says nothing
here. Name a scenario of that level.""",
        _PASSES.replace("level: L0", "level: L2"),
        _PASSES,
    ),
    _row(
        "WP924",
        "claim-scenario-spoiled",
        "a mechanism is judged by a scenario that is not well-posed",
        """\
The logs are judged all the same, but under such a scenario an honest system can fail by its timing, or a wrong one pass. If that is what happened, the claim
to make is a fixture-defect.""",
        f"{_HEAD}kind: mechanism-fails\nscenario: race\nlevel: L2\nobligations:\n  - L2.admit\nsystem: pollster\nlogs:\n  - idle/1\n"
        f"class: mechanism\n{_WHY}{_WHO}",
        _PASSES,
        Severity.WARNING,
    ),
    _row(
        "WP925",
        "claim-run-annulled",
        "a run says nothing about a system, for what its harness did",
        """\
A run counts only if the harness followed the schedule of this very bundle and left all its files. The lines that say otherwise are told. Most often it is a run of
another scenario, or of an older version of this one.""",
        _PASSES.replace("  - runs/5\n", "  - foreign/1\n"),
        _PASSES,
    ),
    _row(
        "WP926",
        "claim-not-passed",
        "the logs fail the level that is said to be passed",
        """\
One run that fails a level fails it, however many pass (docs/judging.md). The failures are named, with the lines of the logs that show them.""",
        _PASSES.replace("  - runs/5\n", "  - runs/5\n  - late/1\n"),
        _PASSES,
    ),
    _row(
        "WP927",
        "claim-runs-too-few",
        "too few runs pass the level that is said to be passed",
        """\
A pass takes five runs in which the level is exercised and none that fails (specification section 5). A run that did nothing which exercises the level counts neither way,
and at a level that no conforming run can exercise nothing can be passed.""",
        _PASSES.replace("  - runs/5\n", ""),
        _PASSES,
    ),
    _row(
        "WP928",
        "claim-not-failed",
        "no run breaks anything of the level that is said to be failed",
        """\
The runs were judged again, and each of them keeps every obligation and expectation of the level. Show the run that does not.""",
        _FAILS.replace("late/1", "runs/1"),
        _FAILS,
    ),
    _row(
        "WP929",
        "claim-obligation-kept",
        "the runs fail the level, but not by the obligation that the claim names",
        """\
What a mechanism fails by is the point of the claim: it says where the mechanism is weak. The obligations that are broken are listed, with the lines of the
logs that show them.""",
        _FAILS.replace("L0.reply", "L0.abandon"),
        _FAILS,
    ),
    _row(
        "WP930",
        "claim-witness-no-run",
        "the witness is no run of the scenario",
        """\
A witness is a run directory, or a JSON file with the events of a run as a report of `wellposed check --format json` has them under `witnesses`. The records of the
system are replayed against the schedule, and the run has to come out as it is told, event by event.""",
        _DEFECT.replace("race", "hello"),
        _DEFECT,
    ),
    _row(
        "WP931",
        "claim-witness-shows-nothing",
        "the witness does not show that the scenario is wrong",
        """\
The run was judged by the log checker, which shares nothing with the engine. To show that a scenario `rejects-conforming` it has to break no obligation of the scenario's
levels and fail an expectation; to show that it `accepts-violating`, to break an obligation of these levels and pass, which no run can do while the standing
obligations are judged.""",
        _DEFECT.replace("failing.json", "passing.json"),
        _DEFECT,
    ),
    _row(
        "WP932",
        "claim-defect-unproven",
        "no run shows that the scenario is wrong",
        """\
The claim gives no witness, and there is none: that every conforming run passes is proved over all runs. A failure under a sound scenario is the system's, or
its adapter's (specification section 5), and cannot be annulled.""",
        _DEFECT.replace("race", "hello").replace("witness: failing.json\n", ""),
        _DEFECT,
    ),
    Code(
        "WP933",
        "claim-undecided",
        Severity.WARNING,
        "the claim is undecided",
        "The work budget ran out before it was known whether the claim holds. Undecided is never a yes; the exit status is 3. A larger `--budget` may help.",
        Example("claim", f"# --budget 1\n{_NEW}"),
        Example("claim", _NEW),
    ),
    _row(
        "WP934",
        "claim-witness-found",
        "the claim gives no witness, and the tool found one",
        """\
The run is shown, and was judged by the log checker as if somebody else had written it. Put it into the claim, so that a reader finds it there.""",
        _DEFECT.replace("witness: failing.json\n", ""),
        _DEFECT,
        Severity.NOTE,
    ),
    _row(
        "WP935",
        "claim-reading-unknown",
        "there is no such reading, or no such answer to it",
        """\
How the specification is read where it is silent, or contradicts itself, stands in one table (`wellposed spec readings`), with the answers that the model can take. Only of
these can be told what they would change.""",
        _READING.replace("arrival", "never"),
        _NEW,
    ),
    _row(
        "WP936",
        "claim-reading-flips-nothing",
        "no scenario is judged otherwise under the answer",
        """\
The claim can be right all the same: it may be that no published scenario looks there. A scenario that tells the two answers apart would show that the question
matters.""",
        f"{_HEAD}kind: spec-reading\nreading: jump-cost\nanswer: every-tick\n{_WHY}",
        _NEW,
        Severity.NOTE,
    ),
    _row(
        "WP937",
        "claim-reading-flips",
        "these scenarios are judged otherwise under the answer",
        """\
For each of them the verdict under the answer taken and under the other one is told. Where only the verdict of an expectation changes, the two are the same.
A changed answer makes a new version of the table of readings; old verdicts stay.""",
        _READING,
        _NEW,
        Severity.NOTE,
    ),
)

ROWS: tuple[Code, ...] = (*_YAML, *_MEMBERS, *_EXAMINED)
