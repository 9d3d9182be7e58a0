/* One work item of the Async Message Responder, explored tick by tick by SPIN: see docs/peers.md.
 *
 * The environment is fixed: its events come as a list of numbers in the variable ITEM (bench/peers/spin.py writes it). The
 * records of the system are chosen freely in every tick. What an obligation demands is kept as a deadline, and a run that
 * misses one is given up at once; a run that reaches the horizon conforms. Deadlines and flags that matter no more are
 * reset, so that states which differ only in their past are one state. All questions are answered in one search: what a
 * run shows is collected in `seen`, outside the states, with the records of the first run that shows it.
 *
 * With logs = 1 nothing is owed and anything may be written: the set of all logs, of which only expectations are asked.
 */

c_decl {

enum { APPROVE, REJECT, ESCALATE, CRASH, DEATH, OTHER_DEATH };
enum { SENT, SENT_ONCE, NEVER_SENT, ABANDONED, COMPLETED };
enum { ESCALATED_END = 1, REJECTED_END, DEATH_END, CRASH_END };
enum { MOST = 64, WINDOWS = 4 };
enum { FAILS, SHOWS = MOST, EXERCISES = 2 * MOST, PASSES = 3 * MOST, ALL = 4 * MOST };

static struct { int tick, kind; } events[MOST];
static struct { int event, within; } windows[WINDOWS];
static struct { int claim, alternative, kind, argument; } atoms[MOST];
static int level, horizon, at, logs, gated, rejects, event_count, window_count, atom_count, claim_count;

static char seen[ALL];
static int told;
static short rec[6];        /* admission, reassignment, draft, send, resolution, ending of the run at hand */
}

c_track "rec" "sizeof(rec)" "UnMatched"

short t;
bit admitted, drafted, fresh, resolved, escalated, standing, latest_ok, older_ok, rejected, crashed, touched, owed;
bit must_end, may_last, give_up, pending_crash, revoked, missed;
byte sends, ending, alive, next;
short send_by, settle_by, take_by, crash_excuse, death_excuse;
short until[4];
bit hit[4];

c_code {
static int number(char **rest) { return (int) strtol(*rest, rest, 10); }

static void read_item(void)
{
	char *rest = getenv("ITEM");
	int i;
	level = number(&rest);
	horizon = number(&rest);
	at = number(&rest);
	gated = number(&rest);
	logs = number(&rest);
	event_count = number(&rest);
	for (i = 0; i < event_count; i++) {
		events[i].tick = number(&rest);
		events[i].kind = number(&rest);
		rejects |= events[i].kind == REJECT;
	}
	window_count = number(&rest);
	for (i = 0; i < window_count; i++) {
		windows[i].event = number(&rest);
		windows[i].within = number(&rest);
	}
	claim_count = number(&rest);
	atom_count = number(&rest);
	for (i = 0; i < atom_count; i++) {
		atoms[i].claim = number(&rest);
		atoms[i].alternative = number(&rest);
		atoms[i].kind = number(&rest);
		atoms[i].argument = number(&rest);
	}
	memset(rec, -1, sizeof(rec));
}

static int running(void) { return now.t <= horizon; }

static int unfinished(void) { return !now.sends && !now.resolved; }

static void open_windows(int event)
{
	int i;
	for (i = 0; i < window_count; i++)
		if (windows[i].event == event)
			now.until[i] = now.t + windows[i].within + 1;
}

static void decide(int event)
{
	int approve = events[event].kind == APPROVE;
	open_windows(event);
	if (level >= 3 && now.t + 10 <= horizon && !now.resolved)
		now.must_end = 1;
	if (!unfinished())
		return;
	now.standing = now.latest_ok = approve;
	now.rejected |= !approve;
	if (approve && !now.escalated && !now.send_by)
		now.send_by = now.t + (level >= 2 ? 5 : 10);
}

static void escalate(void)
{
	if (unfinished()) {
		now.give_up = 1;
		now.revoked |= now.standing;
	}
	now.escalated = 1;
	now.send_by = now.settle_by = 0;
}

static void crash(void)
{
	now.crashed = 1;
	if (!now.drafted || !unfinished() || now.escalated || (gated && !now.standing))
		return;
	now.pending_crash = 1;
	now.send_by = 0;
	now.crash_excuse = now.t + 20;
	if (level >= 1)
		now.settle_by = now.t + 20;
	if (now.t + 20 > horizon)
		now.may_last = 1;
}

/* The events of this tick as written, then the decisions that waited for the draft of the tick before. */
static void environment(void)
{
	int i, decided = 0, crashes = 0;
	if (now.t == at) {
		open_windows(-1);
		if (!gated && !logs && !now.escalated)
			now.send_by = at + 10;
	}
	for (i = 0; i < event_count; i++) {
		if (events[i].tick != now.t)
			continue;
		if (events[i].kind >= ESCALATE)
			open_windows(i);
		if (events[i].kind == ESCALATE)
			escalate();
		else if (events[i].kind == CRASH) {
			crashes++;
			now.alive += now.t >= at && unfinished();
		} else if (events[i].kind <= REJECT && now.drafted) {
			decide(i);
			decided = 1;
		}
	}
	for (i = 0; now.fresh && i < event_count; i++)
		if (events[i].kind <= REJECT && events[i].tick < now.t) {
			decide(i);
			decided = 1;
		}
	if (decided && !now.standing)
		now.send_by = now.settle_by = 0;        /* a later reject excuses */
	if (crashes)
		crash();
	now.fresh = 0;
}

/* The first death of this tick from event i on; event_count if there is none. */
static int next_death(int i)
{
	while (i < event_count && (events[i].tick != now.t || events[i].kind < DEATH))
		i++;
	return i;
}

static int dies(void) { return !logs && now.next < event_count; }

static int aims_elsewhere(void) { return events[now.next].kind == OTHER_DEATH; }

static int live(void) { return now.admitted && unfinished(); }

static void touch(void)
{
	now.touched = now.owed = 1;
	now.death_excuse = now.t + 5;
	if (level >= 3 && !now.take_by)
		now.take_by = now.t + 5;
}

static void take_up(void)
{
	now.owed = 0;
	now.take_by = now.death_excuse = 0;
	rec[1] = now.t;
}

static int may_admit(void) { return now.t >= at && !now.admitted; }

static int may_draft(void)
{
	if (now.t < at)
		return 0;
	if (logs)
		return !now.drafted;
	return now.admitted && !now.resolved && (!now.drafted || (rejects && !now.sends));
}

static void declare(void)
{
	now.older_ok |= now.latest_ok;
	now.latest_ok = 0;
	now.fresh = !now.drafted;
	now.drafted = 1;
	rec[2] = now.t;
}

static int may_send(void)
{
	if (now.t < at)
		return 0;
	if (logs)
		return now.sends < 2;
	return now.drafted && unfinished() && (level < 2 || now.latest_ok || now.older_ok) && (level < 4 || !now.escalated);
}

static void send_reply(void)
{
	int i;
	for (i = 0; i < window_count; i++)
		now.hit[i] |= now.until[i] > now.t;
	now.sends++;
	now.send_by = now.settle_by = 0;
	rec[3] = now.t;
}

static int may_resolve(int reason)
{
	int happened[] = { now.sends > 0, now.escalated, now.rejected, now.touched, now.crashed };
	if (now.t < at)
		return 0;
	if (logs)
		return !now.resolved;
	if (!now.admitted || now.resolved || !happened[reason])
		return 0;
	if (!reason || now.escalated)
		return reason <= ESCALATED_END || !now.sends;
	return !now.sends && ((now.rejected && !now.standing) || now.death_excuse || now.crash_excuse);
}

static void resolve(int reason)
{
	now.resolved = 1;
	now.ending = reason;
	now.take_by = now.owed = now.must_end = 0;
	if (reason)
		now.send_by = now.settle_by = 0;
	rec[4] = now.t;
	rec[5] = reason;
}

/* Whether nothing that was due in this tick was missed. */
static int kept(void)
{
	if (logs)
		return 1;
	if ((now.send_by && now.send_by <= now.t) || (now.settle_by && now.settle_by <= now.t))
		return 0;
	if (now.take_by && now.take_by <= now.t)
		return 0;
	if (level >= 2 && now.t == at + 5 && !now.admitted)
		return 0;
	return now.t != at + 10 || now.drafted || now.escalated || (now.resolved && now.ending);
}

/* The end of a tick: what matters no more is reset. */
static void forget(void)
{
	int i;
	for (i = 0; i < window_count; i++)
		if (now.until[i] <= now.t + 1 || (now.sends && !logs))
			now.until[i] = 0;
	if (now.crash_excuse <= now.t || !unfinished())
		now.crash_excuse = 0;
	if (now.death_excuse <= now.t || !unfinished())
		now.death_excuse = 0;
	if (!unfinished())
		now.standing = now.latest_ok = now.older_ok = now.rejected = 0;
	now.t++;
}

/* Whether a run may end like this. */
static int ended(void)
{
	if (logs)
		return 1;
	return !(now.must_end && now.admitted && !now.may_last)
		&& !(level >= 4 && now.give_up && now.admitted && now.ending != ESCALATED_END);
}

static int holds(int kind, int argument)
{
	switch (kind) {
	case SENT: return argument < 0 ? now.sends > 0 : now.hit[argument];
	case SENT_ONCE: return now.sends == 1 && (argument < 0 || now.hit[argument]);
	case NEVER_SENT: return !now.sends;
	case ABANDONED: return now.resolved && (argument ? now.ending == argument : now.ending > 0);
	default: return now.resolved && !now.ending;
	}
}

static int claim_holds(int claim)
{
	int i, alternative = -1, all = 0;
	for (i = 0; i < atom_count; i++) {
		if (atoms[i].claim != claim)
			continue;
		if (atoms[i].alternative != alternative && all)
			return 1;
		if (atoms[i].alternative != alternative)
			all = 1;
		alternative = atoms[i].alternative;
		all &= holds(atoms[i].kind, atoms[i].argument);
	}
	return all;
}

static void show(int what)
{
	if (seen[what])
		return;
	seen[what] = 1;
	told++;
	printf("@%d %d %d %d %d %d %d\n", what, rec[0], rec[1], rec[2], rec[3], rec[4], rec[5]);
}

/* What this run shows: the expectations that it fails, or that it passes all; levels; events that found their target. */
static void collect(void)
{
	int i, passes = 1, crashes = 0;
	for (i = 0; i < claim_count; i++)
		if (!claim_holds(i)) {
			passes = 0;
			show(FAILS + i);
		}
	if (logs) {
		if (told == claim_count)
			exit(0);
		return;
	}
	if (passes)
		show(PASSES + now.admitted);
	for (i = 0; i < event_count; i++) {
		if (events[i].kind <= REJECT ? now.drafted && !now.fresh
				: events[i].kind == ESCALATE ? now.admitted
				: events[i].kind == CRASH ? now.admitted && events[i].tick >= at && crashes < now.alive
				: events[i].kind == DEATH && now.touched)
			show(SHOWS + i);
		crashes += events[i].kind == CRASH && events[i].tick >= at;
	}
	show(EXERCISES);
	if (now.pending_crash)
		show(EXERCISES + 1);
	if (now.touched)
		show(EXERCISES + 3);
	if (now.give_up && now.admitted)
		show(EXERCISES + 4);
	if (now.revoked)
		show(EXERCISES + 6);
	if (now.missed)
		show(EXERCISES + 9);
}
}

active proctype item()
{
	c_code { read_item(); };
	do
	:: c_expr { (running()) } -> atomic {
		c_code { environment(); now.next = next_death(0); };
		do
		:: c_expr { (dies()) } ->
			if
			:: c_expr { (live()) } -> c_code { touch(); }
			:: c_expr { (aims_elsewhere()) } -> skip
			:: c_expr { (!aims_elsewhere() && !live()) } -> c_code { now.missed = 1; }
			fi;
			c_code { now.next = next_death(now.next + 1); }
		:: c_expr { (!dies()) } -> break
		od;
		next = 0;
		if
		:: skip
		:: c_expr { (may_admit()) } -> c_code { now.admitted = 1; rec[0] = now.t; }
		fi;
		if
		:: skip
		:: owed -> c_code { take_up(); }
		fi;
		if
		:: skip
		:: c_expr { (may_draft()) } -> c_code { declare(); }
		fi;
		if
		:: skip
		:: c_expr { (may_send()) } -> c_code { send_reply(); }
		fi;
		if
		:: skip
		:: c_expr { (may_resolve(0)) } -> c_code { resolve(0); }
		:: c_expr { (may_resolve(ESCALATED_END)) } -> c_code { resolve(ESCALATED_END); }
		:: c_expr { (may_resolve(REJECTED_END)) } -> c_code { resolve(REJECTED_END); }
		:: c_expr { (may_resolve(DEATH_END)) } -> c_code { resolve(DEATH_END); }
		:: c_expr { (may_resolve(CRASH_END)) } -> c_code { resolve(CRASH_END); }
		fi;
		c_expr { (kept()) };
		c_code { forget(); }
	}
	:: c_expr { (!running()) } -> c_expr { (ended()) } -> c_code { collect(); } -> break
	od
}
