"""WP4xx to WP6xx: unsatisfiable, ambiguous, vacuous and untested."""

from __future__ import annotations

from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity

_REPLY = """scenario one-reply {{
  level   L2
  horizon 40
  conversation order {{ from "ada@example.test" subject "Where is my order?" }}
  at 0  deliver m1 in order "Hello?"
  at 12 approve m1{name}
{events}  expect {{
{claims}  }}
{tail}}}
"""


def _scenario(claims: str, events: str = "", tail: str = "") -> Example:
    """The reply scenario, approved at 12, with further lines; the approval is named where a claim mentions it."""
    name = " as go" if "of go" in claims else ""
    return Example("scenario", _REPLY.format(name=name, claims=claims, events=events, tail=tail))


def _of_level(example: Example, level: str) -> Example:
    return Example("scenario", example.text.replace("level   L2", f"level   {level}"))


def _longer(example: Example) -> Example:
    return Example("scenario", example.text.replace("horizon 40", "horizon 80"))


_UNFOLDING = "  when m1 admitted { posture maintenance }\n  when m1 drafted { posture normal }\n"
_ESCALATED = "  at {tick} escalate m1\n"
_ONE_REPLY = "    m1 sent exactly once within 5 of go\n"
_GOOD_ESCALATION = _of_level(_scenario("    m1 never sent\n", _ESCALATED.format(tick=12)), "L6")
_GOOD_REPLY = _scenario(_ONE_REPLY)
_LENIENT = _ONE_REPLY + "    m1 admitted within 5\n    m1 drafted within 10\n"

_ECHO = """scenario echo {{
  level   L2
  horizon 40
  rules   office-hours
  conversation order {{ from "ada@example.test" subject "{subject}" }}
  at 0 deliver m1 in order "Hello?"
  expect {{ m1 not admitted }}
}}

rules office-hours {{ admit orders when subject contains "order" }}
"""

_APPROVED = """scenario waits-for-its-approval {{
  level   L2
  horizon 60
  conversation order {{ from "ada@example.test" subject "Where is my order?" }}
  at 0  deliver m1 in order "Hello?"
  at 1  redeliver m1
  at {tick:<2} approve m1
  expect {{ if m1 sent then m1 drafted else m1 admitted within 5 }}
}}
"""

_MAIL = """scenario {name} {{
  level   {level}
  horizon 30
  conversation order {{ from "ada@example.test" subject "{subject}" }}
  at {at} deliver {mail} in order "Hello?"
  expect {{
{claims}  }}
}}
"""
_ANSWERED = "    {mail} sent exactly once within 10\n"
_WAITING = "    {mail} drafted within 10\n    {mail} open\n"


def _mail(
    name: str, level: str, claims: str, mail: str = "m1", at: int = 0, subject: str = "Where is my order?"
) -> str:
    """A message that nobody ever decides on."""
    return _MAIL.format(name=name, level=level, claims=claims.format(mail=mail), mail=mail, at=at, subject=subject)


def _together(*scenarios: str) -> Example:
    """One file with several scenarios."""
    return Example("scenario", "\n".join(scenarios))


_GUARDED = """\
scenario late-crash {
  level   L2
  horizon 40
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0  deliver m1 in order "Hello."
  at 3  redeliver m1
  at 12 approve m1
  at 14 crash
  expect { any of { m1 sent } or { m1 abandoned } }
}
"""

_SELF_REPORTED = """\
scenario waits {
  level   L2
  horizon 40
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  at 3 redeliver m1
  expect {
    m1 admitted within 5
    m1 open
  }
}
"""

ROWS: tuple[Code, ...] = (
    Code(
        "WP401",
        "expectation-contradicted",
        Severity.ERROR,
        "no conforming run passes",
        "Every run that meets the obligations of the declared levels fails this expectation, so every honest system would "
        "be marked as failing. The core lists the obligations that, together with the expectation, leave no run; without any "
        "one of them there is one. Either the expectation is wrong, or an event stands at the wrong tick.",
        _of_level(_scenario("    m1 never sent\n", _ESCALATED.format(tick=18)), "L4"),
        _of_level(_scenario("    m1 never sent\n", _ESCALATED.format(tick=12)), "L4"),
    ),
    Code(
        "WP402",
        "no-conforming-run",
        Severity.ERROR,
        "no conforming run exists",
        "Under this schedule the obligations contradict each other, whatever the author expects. The base readings of the "
        "benchmark leave no known schedule of this kind; when it is reported, the core names the obligations and the events.",
        Example("none", ""),
        _GOOD_REPLY,
    ),
    Code(
        "WP403",
        "undecided",
        Severity.WARNING,
        "the verdict is undecided",
        "The work budget ran out, or the schedule can unfold in more ways than are explored: each triggered jump, posture or rules "
        "change can fall at any tick. Undecided is never a pass; the exit status is 3. A larger `--budget` may help, or a tick "
        "in place of a trigger.",
        _longer(_scenario("    m1 sent exactly once\n", _UNFOLDING)),
        _GOOD_REPLY,
    ),
    Code(
        "WP404",
        "no-common-run",
        Severity.ERROR,
        "no system can pass both scenarios",
        "Up to some tick two scenarios show a system the same: the same messages under the same rules and posture, the same "
        "decisions and faults. Until then it cannot know which of them it is in, nor their levels, horizons or expectations, "
        "so it does the same in both; and whatever it does, it fails one of them, though each alone can be passed. Let them "
        "part earlier, or accept in each what the other demands.",
        _together(_mail("answer-at-once", "L0", _ANSWERED), _mail("wait-for-approval", "L2", _WAITING)),
        _together(
            _mail("answer-at-once", "L0", _ANSWERED, subject="What are your hours?"),
            _mail("wait-for-approval", "L2", _WAITING),
        ),
    ),
    Code(
        "WP501",
        "ambiguous",
        Severity.ERROR,
        "an expectation holds in some conforming runs and fails in others",
        "An expectation is a theorem about all conforming runs. Here two honest systems may differ: one passes, the other "
        "fails, and both meet every obligation. The two runs are printed side by side. Accept every lawful outcome with "
        "`any of { … } or { … }`, or move an event so that only one is left.",
        _of_level(_scenario("    m1 never sent\n", _ESCALATED.format(tick=13)), "L6"),
        _GOOD_ESCALATION,
    ),
    Code(
        "WP502",
        "same-story",
        Severity.WARNING,
        "the same story under other names, with contradicting expectations",
        "Two scenarios show a system the same events at the same distances; only names, or the tick at which they begin, "
        "differ. No run of the one, renamed and shifted, passes both, so only a system that looks at names or at the clock "
        "could pass them. One of the two is likely to be wrong.",
        _together(_mail("answer-at-once", "L0", _ANSWERED), _mail("wait-for-approval", "L2", _WAITING, mail="m2", at=3)),
        _together(_mail("answer-at-once", "L0", _ANSWERED), _mail("answer-later", "L0", _ANSWERED, subject="Hello", at=3)),
    ),
    Code(
        "WP601",
        "cannot-fail",
        Severity.ERROR,
        "no log can violate the expectation",
        "Whatever a system writes, right or wrong, this expectation holds, so it tests nothing.",
        _scenario(_ONE_REPLY + "    any of { m1 never sent } or { m1 sent }\n"),
        _GOOD_REPLY,
    ),
    Code(
        "WP602",
        "idle-passes",
        Severity.ERROR,
        "a system that does nothing passes",
        "The empty log breaks no expectation of this scenario, so a system that is switched off gets the point. Add work "
        "that must be done, and expect what must come of it.",
        Example("scenario", _ECHO.format(subject="Lunch?")),
        _GOOD_REPLY,
    ),
    Code(
        "WP603",
        "top-level-untested",
        Severity.ERROR,
        "the declared level is not exercised",
        "A scenario reports every level up to its own. In no conforming run does anything happen here that its top level "
        "speaks of, so a pass at that level would mean nothing. Add the stimulus, or declare a lower level.",
        _of_level(_scenario(_ONE_REPLY), "L3"),
        _GOOD_REPLY,
    ),
    Code(
        "WP604",
        "dead-stimulus",
        Severity.ERROR,
        "an event finds its target in no conforming run",
        "A decision that never finds a draft, a signal that never finds its item or holder, a crash or a forgery when "
        "nothing is unsent: the event is in the schedule but tests nothing.",
        _scenario(_ONE_REPLY, "  at 30 crash\n"),
        _scenario("    m1 sent exactly once within 12 of go\n", "  at 8  crash\n"),
    ),
    Code(
        "WP605",
        "omission-passes",
        Severity.ERROR,
        "a run that omits something due passes",
        "With `invariants only expect` the scenario accepts whatever its own lines accept. The run shown leaves out something "
        "that is due and passes: the checker is too lenient.",
        _scenario("    m1 sent exactly once within 17\n", tail="  invariants only expect\n"),
        _GOOD_REPLY,
    ),
    Code(
        "WP606",
        "lower-level-untested",
        Severity.NOTE,
        "a lower level is not exercised",
        "Levels below the top one are reported too. One that nothing here exercises is reported as untested, never as passed.",
        _GOOD_ESCALATION,
        Example(
            "scenario",
            _GOOD_REPLY.text.replace("  at 12 approve", "  at 3  redeliver m1\n  at 12 approve"),
        ),
    ),
    Code(
        "WP607",
        "depends-on-a-reading",
        Severity.NOTE,
        "the verdict depends on how the specification is read",
        "With `--readings` a scenario is verified again under every other answer to the questions that the specification leaves "
        "open (`wellposed spec readings`). One whose verdict changes tests systems for how they read an unclear sentence. Move "
        "its events so that both readings agree, or say in its title which reading it means.",
        Example("reread", _APPROVED.format(tick=30)),
        Example("reread", _APPROVED.format(tick=4)),
    ),
    Code(
        "WP608",
        "redundant-expectation",
        Severity.WARNING,
        "an expectation adds nothing to the others",
        "Every well-formed log that satisfies the scenario's other expectations satisfies this one too, without any help of the "
        "obligations. It can be left out, or it says less than was meant.",
        _scenario(_ONE_REPLY + "    m1 sent\n"),
        _GOOD_REPLY,
    ),
    Code(
        "WP609",
        "same-scenario",
        Severity.NOTE,
        "a scenario is another one once more",
        "The two differ in nothing but names and the tick at which they begin: the same events, level, horizon and "
        "expectations. A system that passes one passes both, so the second adds nothing to what is tested.",
        _together(_mail("first", "L0", _ANSWERED), _mail("second", "L0", _ANSWERED, mail="m2")),
        _together(_mail("first", "L0", _ANSWERED), _mail("second", "L0", _ANSWERED, subject="Another question")),
    ),
    Code(
        "WP610",
        "catches-not-proved",
        Severity.ERROR,
        "a faulty system under `catches` is not always caught",
        "`catches` says that the scenario fails these systems. The system that is named has a run that passes, or it cannot err "
        "here at all. A kill counts only through the obligations that the fault attacks, or through an expectation.",
        _scenario(_ONE_REPLY, tail="  catches ignores-reject\n"),
        _scenario(_ONE_REPLY, tail="  catches sends-without-approval\n"),
    ),
    Code(
        "WP611",
        "faulty-system-passes",
        Severity.ERROR,
        "a faulty system passes",
        "With `invariants only expect` the scenario accepts whatever its own lines accept. The run shown is one of a faulty system: "
        "it breaks an obligation, and no line notices. The checker is too lenient.",
        _scenario(_LENIENT, tail="  invariants only expect\n"),
        _GOOD_REPLY,
    ),
    Code(
        "WP612",
        "too-little-covered",
        Severity.ERROR,
        "the scenarios cover less than is asked for",
        "With `--min`, `wellposed coverage` asks for a share of all obligations and faulty systems. An obligation is covered by a "
        "scenario in which it counts and that would see it broken, a faulty system by one that always catches it. What is not "
        "covered by any is listed.",
        Example("command", "wellposed coverage --min 90 hello.scenario"),
        Example("command", "wellposed coverage --min 5 hello.scenario"),
    ),
    Code(
        "WP613",
        "guarded-stimulus",
        Severity.NOTE,
        "an event finds what it aims at in some conforming runs only",
        "A crash is meant for work that is still open, a death for an agent that holds something. Where a quick system has "
        "lawfully finished before, the event finds nothing, and such a run says nothing about it: it is inconclusive, neither "
        "a pass nor a failure, and the judge of real logs treats it so. If every run is to count, move the event to a tick at "
        "which no system can have finished, or let it wait for a record with `when`.",
        Example("scenario", _GUARDED),
        Example("scenario", _GUARDED.replace("at 14 crash", "at 11 crash")),
    ),
    Code(
        "WP614",
        "self-reported",
        Severity.NOTE,
        "every expectation rests on what the system says about itself",
        "A line in the outbox is an effect and a declared draft is the text of one; audit records and state snapshots are what the "
        "system under test says about itself. The harness stamps the tick at which it first saw a record, so no window rests on "
        "a stamp of the system's own, but that an item was admitted or given up is its own word. A scenario whose expectations "
        "look at nothing else can be passed by a system that tells a good story; the JSON report names the logs of each expectation.",
        Example("scenario", _SELF_REPORTED),
        Example("scenario", _SELF_REPORTED.replace("m1 open", "m1 never sent")),
    ),
)
