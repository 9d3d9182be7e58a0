"""WP94x to WP99x: pull requests.

Examples of kind "pull" are shell commands, run on a branch of a repository that has published scenarios, a bundle and a
reserve; what they change is committed, unless they do so themselves, and the last line is the command that looks at it.
"""

from __future__ import annotations

from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity

_LOOK = "wellposed pr --base main"
_GOOD = "cp ../new.scenario scenarios/"
_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


def _row(
    id: str, slug: str, severity: Severity, title: str, explanation: str, bad: str, good: str = _GOOD,
    look: str = _LOOK, looked: str = _LOOK,
) -> Code:  # fmt: skip
    examples = [Example("pull", f"{steps}\n{last}".lstrip("\n")) for steps, last in ((bad, look), (good, looked))]
    return Code(id, slug, severity, title, explanation, *examples)


_SIDES = (
    _row(
        "WP940",
        "pull-revision-missing",
        _ERROR,
        "the base or the head of a pull request is not in the repository",
        """\
`pr` compares two commits, and one of the names given for them means none. In CI a checkout often holds one branch only: fetch the other before. Nothing
is fetched by the tool itself. There is no verdict, and the exit status is 2.""",
        "",
        look="wellposed pr --base no-such-branch",
    ),
    _row(
        "WP941",
        "histories-unrelated",
        _ERROR,
        "base and head have no common commit",
        """\
A pull request is what was added since its history parted from that of the base. Here the two have no commit in common, or the commit is in the part of
the history that a shallow clone leaves out. There is no verdict, and the exit status is 2. Fetch the whole history (`fetch-depth: 0` in a workflow).""",
        "git checkout -q --orphan elsewhere\ngit commit -q -m alone",
    ),
    _row(
        "WP942",
        "history-cut",
        _NOTE,
        "part of the history is not in this clone",
        """\
The clone is shallow. The commit with which the head was compared is the best among those that are here; a later one may exist in the part that is not,
and then more is shown than the pull request changed, never less.""",
        "cp ../new.scenario scenarios/\ngit add -A\ngit commit -q -m new\ngit clone -q --depth 1 --no-single-branch file://$PWD ../shallow",
        look="wellposed pr --base origin/main --repo ../shallow",
    ),
    _row(
        "WP943",
        "several-merge-bases",
        _WARNING,
        "the histories of base and head part at several places",
        """\
The base was merged into the branch, and the branch into the base, so that there is no single commit with which the head can be compared. One of them was
taken. What was merged back and forth can make a change look as if it had been there. Have the branch rebased.""",
        "cp ../new.scenario scenarios/\ngit add -A\ngit commit -q -m new\ngit checkout -q main\ngit commit -q --allow-empty -m other\ngit branch -q side\n"
        "git merge -q --no-edit topic\ngit checkout -q topic\ngit merge -q --no-edit side\n"
        "sed 's/scenario new/scenario other/; s/horizon 30/horizon 50/' ../new.scenario > scenarios/other.scenario",
    ),
    _row(
        "WP944",
        "too-many-files",
        _ERROR,
        "a pull request changes more files than are looked at",
        """\
What a person cannot read is not judged by a tool that stops somewhere in the middle either: nothing of it was looked at. Split the pull request; for one
that you trust, `--max-files N` raises the limit.""",
        "cp ../new.scenario scenarios/\ncp ../new.scenario scenarios/other.scenario",
        look=_LOOK + " --max-files 1",
    ),
    _row(
        "WP945",
        "too-many-bytes",
        _ERROR,
        "a changed file, or all of them together, are larger than what is looked at",
        """\
A source has at most 1 MiB and any other file at most 16 MiB; a larger one is not looked into. All changed files together have at most 64 MiB, which
`--max-bytes N` raises.""",
        "head -c 2000000 /dev/zero > scenarios/big.scenario",
    ),
    _row(
        "WP946",
        "too-many-scenarios",
        _ERROR,
        "a pull request changes more scenarios than are verified",
        """\
Every scenario that was added or changed, by itself or through what it imports, is verified on both sides and compared. Files beyond the limit were not.
Split the pull request, or raise the limit with `--max-scenarios N`.""",
        _GOOD + "\nsed 's/scenario new/scenario other/; s/horizon 30/horizon 50/' ../new.scenario > scenarios/other.scenario",
        look=_LOOK + " --max-scenarios 1",
    ),
    _row(
        "WP947",
        "too-many-commits",
        _ERROR,
        "a pull request, or the way to where it began, has more commits than are looked at",
        """\
Sealed entries are looked for in every commit of a pull request, since what was pushed is known even if a later commit removes it. Squash the commits, or
raise the limit with `--max-commits N`.""",
        _GOOD + "\ngit add -A\ngit commit -q -m new\ngit commit -q --allow-empty -m again",
        look=_LOOK + " --max-commits 1",
    ),
    _row(
        "WP948",
        "pull-changes-nothing",
        _ERROR,
        "a pull request changes nothing",
        """\
The head has the same files as the commit at which its history parts from the base's. A clean result would be one about nothing: there is no verdict, and
the exit status is 2.""",
        "git commit -q --allow-empty -m nothing",
    ),
    _row(
        "WP949",
        "object-missing",
        _ERROR,
        "an object of the pull request is missing from the repository",
        """\
A partial or damaged clone does not hold a commit, a folder or a file that is needed, and nothing is fetched from here: what a remote says could run
something. There is no verdict, and the exit status is 2. Fetch the objects first.""",
        _GOOD + "\ngit add -A\ngit commit -q -m new\nid=$(git rev-parse HEAD:scenarios/new.scenario)\n"
        "rm -f .git/objects/$(echo $id | cut -c 1-2)/$(echo $id | cut -c 3-)",
    ),
)

_SCENARIOS = (
    _row(
        "WP950",
        "scenario-changed",
        _WARNING,
        "a published scenario changes",
        """\
Its bundle gets another hash, so that results on the old one do not carry over. What it newly allows and forbids, the verdicts, levels and faulty systems
before and after are in the report. That a change is an improvement is for a person to decide.""",
        "sed -i 's/horizon 20/horizon 24/' scenarios/hello.scenario",
    ),
    _row(
        "WP951",
        "expectations-loosened",
        _ERROR,
        "the expectations of a published scenario accept what they rejected",
        """\
Level, horizon, schedule, rules, posture and stub are the same on both sides, so both have the same runs; and a lawful run passes that failed, or a log
that breaks obligations passes all expectations and failed one before, or standing obligations are switched off. With the same test, a system is let
through that was not. Without a claim that gives the reason this is an error; with one that was examined and holds, a person decides (a warning).
Where the schedule or the level changes as well, runs come and go for other reasons, and WP950 or WP952 tell what is lost.""",
        "sed -i '/m1 sent exactly once/d' scenarios/hello.scenario",
    ),
    _row(
        "WP952",
        "scenario-weaker",
        _WARNING,
        "a published scenario tests less than before",
        """\
Its level is lower, a level that some lawful run exercised is not exercised any more, or a faulty system that was caught under every timing no longer is.
`wellposed diff` shows both sides in full.""",
        "sed -i '/at 15 crash/d' scenarios/governed.scenario",
    ),
    _row(
        "WP953",
        "scenario-removed",
        _WARNING,
        "a published scenario is removed",
        """\
Results name scenarios by their id and hash, and can no longer be understood without them. A scenario that turned out to be wrong is better kept, with a
claim that says so.""",
        "git rm -q scenarios/hello.scenario",
    ),
    _row(
        "WP954",
        "scenario-renamed",
        _WARNING,
        "a published scenario has another name and is the same otherwise",
        """\
The id is part of the bundle, so the hash changes with it. A scenario that was renamed and changed at the same time is compared with what it was, and told
as changed.""",
        "sed 's/scenario hello/scenario greeting/' scenarios/hello.scenario > scenarios/greeting.scenario\ngit rm -q scenarios/hello.scenario",
    ),
    _row(
        "WP955",
        "imported-rules-edited",
        _WARNING,
        "an edit of an imported file changes scenarios whose own text did not change",
        """\
Rules and skins are shared. The scenarios that import the file, themselves or through others, were found, verified on both sides and compared; the list
says what became of each. A new version of the rules beside the old one changes only what asks for it.""",
"sed -i 's/orders/parcels/' scenarios/rules/desk.rules",
    ),
    _row(
        "WP956",
        "allow-added",
        _WARNING,
        "a finding is newly allowed",
        """\
`allow` takes a finding out of the count, with a reason that the author writes. An `allow` in a new source, a second one of the same code, and one that
moves to cover more are told. Whether the reason holds is for a person to decide.""",
        "cp ../accepted.scenario scenarios/",
    ),
    _row(
        "WP957",
        "catches-removed",
        _WARNING,
        "a published scenario no longer names a faulty system that it catches",
        """\
`catches` is a promise that is checked: it fails when a change of the scenario lets the faulty system through. Without the line nobody is told.""",
        "sed -i '/catches/d' scenarios/governed.scenario",
    ),
    _row(
        "WP958",
        "marked-as-rejected",
        _WARNING,
        "a scenario is newly marked as wrong on purpose",
        """\
`rejected …` makes the check content with a scenario that is wrong as announced. It belongs into a gallery of defects; among published scenarios it would
hide that one of them tests nothing.""",
        "cp ../race.scenario scenarios/",
    ),
    _row(
        "WP959",
        "scenario-copied",
        _WARNING,
        "a new scenario is the same test as one that is there",
        """\
No system can tell the two apart, and both demand the same: title, id, names and the first tick do not count. A copy counts one ability twice.""",
        "sed 's/scenario hello/scenario greeting/; s/at 0/at 3/; s/horizon 20/horizon 23/' scenarios/hello.scenario > scenarios/greeting.scenario",
    ),
)

_PUBLISHED = (
    _row(
        "WP965",
        "published-bundle-edited",
        _ERROR,
        "a published bundle was edited or removed",
        """\
A bundle is its hash, and results name it. What is published stays as it is, the derived files of its folder too; another version is another bundle
beside it.""",
        "git rm -q -r bundles/hello",
    ),
    _row(
        "WP966",
        "published-reserve-edited",
        _ERROR,
        "a ledger or another published file of a reserve was edited",
        """\
A ledger only grows, at its end; the old one is the beginning of the new one, byte for byte. Revealed scenarios, logs and proofs never change. An edit can
hide that a result was withheld, or show readers another scenario than the sealed one. Restore the file.""",
        "sed -i 's/A reserve/The reserve/' reserve/ledger.jsonl",
    ),
    _row(
        "WP967",
        "reserve-grown",
        _WARNING,
        "a pull request adds to a reserve",
        """\
Whoever operates the reserve adds lines to its ledger, and files with them. The new lines fit the chain, which shows only that they were written after the
old ones. Have the operator confirm the new head.""",
        "mkdir reserve/proofs\ncp ../proof.ots reserve/proofs/",
    ),
)

_FILES = (
    _row(
        "WP970",
        "change-runs",
        _WARNING,
        "a pull request changes a file that runs, or that says what runs",
        """\
Workflows, hooks, build files, programs, configurations of tools and files that become executable. Nothing of a pull request is run by this tool; a runner,
a test or a reviewer's editor may do so. Read the file before anything else, and run nothing of the branch until you have.""",
        "mkdir -p .github/workflows\necho 'on: pull_request_target' > .github/workflows/new.yml",
    ),
    _row(
        "WP971",
        "attributes-changed",
        _ERROR,
        "attributes can make a checkout or a page differ from what is committed",
        """\
`.gitattributes` can convert line ends and encodings, run filters, and hide a file from the page that shows a change, while `git status` stays clean. This
tool reads objects and is not deceived; others are. Attributes that only prevent conversion (`-text`, `binary`) are a warning. One line at the top of the
repository is enough: `* -text`.""",
        "echo '*.scenario text eol=crlf' > scenarios/.gitattributes",
    ),
    _row(
        "WP972",
        "link-in-pull-request",
        _ERROR,
        "a pull request adds a symbolic link",
        """\
A link shows what lies elsewhere, in the repository or outside of it, today or tomorrow. Nothing follows it here, so what others see through it was not
judged. Put the file itself there.""",
        "ln -s ../../etc/passwd scenarios/new.scenario",
    ),
    _row(
        "WP973",
        "submodule-in-pull-request",
        _ERROR,
        "a pull request adds or moves a submodule",
        """\
What is in a submodule is in another repository, which its owner can change or empty. It was not judged. Put the files themselves into the pull request.""",
        "mkdir scenarios/more\ngit update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,scenarios/more\ngit commit -q -m more",
    ),
    _row(
        "WP974",
        "name-deceives",
        _ERROR,
        "the name of a file deceives whoever reads it",
        """\
It holds a line break, a control or format character (some turn the text around them), bytes that are not UTF-8, letters in a form that another name may
share, or a part that some systems take for a folder, a device or `.git`. Nothing of the file was looked into. Names are plain: letters, digits, `-`, `_`
and `.`.""",
        "touch \"scenarios/new$(printf '\\342\\200\\256')oiranecs.txt\"",
    ),
    _row(
        "WP975",
        "names-collide",
        _ERROR,
        "two names of one folder are one on some systems",
        """\
They differ in upper and lower case only, or in the form of a letter. Where a file system takes them for one, a checkout holds only one of the two, and not
everybody the same.""",
        "sed 's/scenario new/scenario other/' ../new.scenario > scenarios/Hello.scenario",
    ),
    _row(
        "WP976",
        "not-judged",
        _WARNING,
        "a pull request changes files that are nothing that is judged here",
        """\
Scenarios, rules, skins, bundles, claims and reserves are understood; a file of the list is none of these. It was looked at for sealed entries, its name and
its mode, and for nothing else: look at the change yourself.""",
        "echo hello > notes.txt",
    ),
    _row(
        "WP977",
        "nested-too-deeply",
        _ERROR,
        "folders of a pull request are nested too deeply",
        "Folders are followed 32 deep, as everywhere. Nothing of the pull request was looked at. Move the files up.",
        "d=$(printf 'd/%.0s' $(seq 40))\nmkdir -p $d\ntouch ${d}new.txt",
    ),
)

_CLAIMS = (
    _row(
        "WP980",
        "published-claim-edited",
        _WARNING,
        "a published claim, or a file of it, was edited or removed",
        """\
A claim was examined and decided as it stood. What was decided stays; a correction is a claim of its own that names the old one.""",
        "echo '# later' >> claims/known/claim.yaml",
    ),
    _row(
        "WP981",
        "claim-to-decide",
        _WARNING,
        "a claim is for a person to decide",
        """\
What can be examined was: the runs were judged again, the witness was checked, the scenario verified. That the logs are those of the system, that the reason
holds, and that a failure is the fixture's and not the system's, no tool can know. The most abusable of all is a claim that a fixture is defective, which
takes a failure back: it needs a justification that the public can follow.""",
        "cp -r ../claim claims/new",
    ),
)

ROWS: tuple[Code, ...] = (*_SIDES, *_SCENARIOS, *_PUBLISHED, *_FILES, *_CLAIMS)
