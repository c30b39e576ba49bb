import { randomUUID } from 'node:crypto';
import { type Duty, noteOperatorEntry, type OperatorEntry } from '@takt/access';
import type { Database } from '@takt/database';
import {
  correctField,
  type FieldCorrection,
  NotRejectedError,
  RefusedCorrectionError,
  type RejectedEvents,
  UnreadableJobError,
} from '@takt/database/rejected-events';
import { ruleOf } from '@takt/events/internal';
import { type Logger, withDeadline } from '@takt/run';
import { concealFromLog } from '../concealed.js';
import { maySee, missingDuty, type People, type Person } from '../visit.js';
import { assertMayChangeField, findProblemsFor } from './correction.js';
import type { Visibility } from './visibility.js';

/** A change that is applied to each of many events. `try` changes nothing, but finds out what `correct` would do. */
export type BulkTask =
  | { readonly action: 'retry' | 'discard' }
  | { readonly action: 'try' | 'correct'; readonly correction: FieldCorrection }
  /** Undoes the changes that the run with the id `of` has made. */
  | { readonly action: 'undo'; readonly of: string };
export type BulkAction = BulkTask['action'];

/** Numbers of events by the outcome of the change. */
interface BulkCounts {
  /** Number of changed events. For a `try`, the number of events that are valid after the correction. */
  readonly changed: number;
  /** Number of events that were no longer rejected when the run reached them. */
  readonly gone: number;
  /** Number of events whose jobs are unreadable. Such events can only be discarded. */
  readonly unreadable: number;
  /** Number of events that were not changed because they would still break a rule after the correction. */
  readonly invalid: number;
  /** Number of events that cannot be rejected again, because a worker has already taken the corrected event. */
  readonly taken: number;
}

/** A change of many rejected events, with its progress. */
export interface BulkRun extends BulkCounts {
  readonly id: string;
  readonly task: BulkTask;
  /** Query parameters of the filter that selects the events, without a text to search, which may be a value. */
  readonly chosenBy: string;
  /** Time in ms since 1970. Events that were rejected after this time are not changed. */
  readonly untilMs: number;
  /** The holder of the session that started the run; see ownerOf. */
  readonly owner: string;
  /** Ids of the events, so that exactly these are corrected after a check. */
  readonly ids: readonly string[];
  /** The companies of the events. Null stands for events without a company. */
  readonly companies: ReadonlySet<string | null>;
  readonly startedAtMs: number;
  /** Number of events in the run. */
  readonly total: number;
  /**
   * The rules that events would still break after the correction. The value is the number of events that would break
   * the rule.
   */
  readonly rules: ReadonlyMap<string, number>;
  /** Time at which the run ended, in ms since 1970. Undefined while it runs. */
  readonly endedAtMs: number | undefined;
  /** The reason why the run ended early. */
  readonly problem: 'dashboardEnded' | 'rightsGone' | 'storeAway' | undefined;
}

export interface BulkOrder {
  readonly task: BulkTask;
  /** Ids of the rejected events. For an undo, ids of the resolved events. */
  readonly ids: readonly string[];
  readonly companies: ReadonlySet<string | null>;
  readonly chosenBy: string;
  readonly untilMs: number;
}

export interface BulkRuns {
  /** Starts a run. Returns undefined while another run is in its way. */
  begin(person: Person, order: BulkOrder): BulkRun | undefined;
  /** Returns the run with an id; undefined if the run is unknown or too old. */
  find(id: string): BulkRun | undefined;
  /** Resolves when the run has ended, or after `ms`. */
  settled(id: string, ms: number): Promise<void>;
  /** Ends the run after its present batch. Resolves when the end of the run is logged, or after 2 s. */
  close(): Promise<void>;
}

interface BulkDependencies {
  readonly pool: Database['pool'];
  readonly rejected: RejectedEvents;
  readonly people: People;
  readonly visibility: Visibility;
  readonly logger: Logger;
}

/** The duties that a change of rejected events needs. */
export const MAY_CORRECT = ['operate-queues', 'read-production-times'] as const satisfies readonly Duty[];
/** Number of events that are changed between two checks that the person still has the rights. */
const BATCH = 50;
const AT_ONCE = 8;
const KEPT_RUNS = 20;
/**
 * Maximum time to wait for the end of the run. A batch takes a small part of this time, unless it waits for another
 * change.
 */
const CLOSE_DEADLINE_MS = 2_000;
/**
 * Maximum number of rules that are counted. Rules may contain values, so there may be many of them, and a page shows
 * only the first few.
 */
const MAX_RULES = 50;
/** Maximum number of characters of a filter in the audit log, whose entries are never deleted. */
const MAX_NOTED_FILTER = 1_000;
const NONE: BulkCounts = { changed: 0, gone: 0, unreadable: 0, invalid: 0, taken: 0 };

/** Identifies the holder of a session: a person, or a token without a person. */
export function ownerOf({ pid, token }: Person): string {
  return pid === null ? token : `PID ${pid}`;
}

/**
 * Returns true if a run that has not ended keeps another one from starting. One person has one run at a time. Two
 * changes have no company in common, because the outcome of two changes of the same events would be unclear. A check
 * changes nothing, so it is in nobody's way.
 */
function isInTheWay(running: BulkRun, owner: string, { task, companies }: BulkOrder): boolean {
  if (running.endedAtMs !== undefined) return false;
  if (running.owner === owner) return true;
  if (running.task.action === 'try' || task.action === 'try') return false;
  return [...companies].some((company) => running.companies.has(company));
}

/**
 * Opens the runs that change many rejected events in batches. A run ends with the process; the remaining events then
 * stay unchanged.
 */
export function openBulkRuns(dependencies: BulkDependencies): BulkRuns {
  const runs = new Map<string, BulkRun>();
  const ends = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const change = (run: BulkRun, changes: Partial<BulkRun>): BulkRun => {
    const changed = { ...run, ...changes };
    runs.set(run.id, changed);
    return changed;
  };
  const work = async (begun: BulkRun, { token }: Person, ids: readonly string[]) => {
    let run = begun;
    for (let start = 0; start < ids.length; start += BATCH) {
      if (closing.signal.aborted) return 'dashboardEnded' as const;
      const outcomes = await changeBatch(dependencies, token, run, ids.slice(start, start + BATCH));
      if (outcomes === undefined) return 'rightsGone' as const;
      run = change(run, countIn(run, outcomes));
    }
    return undefined;
  };
  return {
    begin: (person, order) => {
      const { ids } = order;
      const owner = ownerOf(person);
      if ([...runs.values()].some((run) => isInTheWay(run, owner, order))) return undefined;
      const id = randomUUID();
      const run: BulkRun = {
        ...{ ...order, id, owner, startedAtMs: Date.now(), total: ids.length },
        ...{ ...NONE, rules: new Map(), endedAtMs: undefined, problem: undefined },
      };
      runs.set(id, run);
      const ended = [...runs.values()].filter(({ endedAtMs }) => endedAtMs !== undefined);
      for (const old of ended.slice(0, -KEPT_RUNS)) {
        runs.delete(old.id);
        ends.delete(old.id);
      }
      const end = note(dependencies, person, run)
        .then(() => work(run, person, ids))
        .catch((error: unknown) => {
          dependencies.logger.error({ error, run: id }, 'changing many rejected events failed');
          return 'storeAway' as const;
        })
        .then((problem) =>
          note(dependencies, person, change(runs.get(id) ?? run, { endedAtMs: Date.now(), problem })),
        )
        .catch((error: unknown) =>
          dependencies.logger.error({ error, run: id }, 'the audit log does not have the end of a run'),
        );
      ends.set(id, end);
      return run;
    },
    find: (id) => runs.get(id),
    settled: async (id, ms) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([ends.get(id), late]);
      clearTimeout(timer);
    },
    close: async () => {
      closing.abort();
      await withDeadline(Promise.all(ends.values()), CLOSE_DEADLINE_MS, () => []);
    },
  };
}

/** The names of the actions in the audit log. */
export const AUDITED = {
  retry: 'rejected-retried',
  discard: 'rejected-discarded',
  correct: 'rejected-corrected',
  undo: 'rejected-restored',
} as const satisfies Readonly<Record<Exclude<BulkAction, 'try'>, OperatorEntry['action']>>;

/** Writes the start or the result of a run to the log and to the audit log. */
async function note({ pool, logger }: BulkDependencies, person: Person, run: BulkRun): Promise<void> {
  const { id, task, chosenBy, problem, total, changed, gone, unreadable, invalid, taken, endedAtMs } = run;
  const counts = { changed, gone, unreadable, invalid, taken };
  const state = endedAtMs === undefined ? 'begun' : 'ended';
  const who = { pid: person.pid, person: person.name };
  logger.info(
    { ...who, run: id, task, total, ...counts, problem },
    `a change of many rejected events has ${state}`,
  );
  if (task.action === 'try') return;
  const details = {
    ...{ run: id, state },
    // Not the value: readers of the audit log may not be allowed to read values of events.
    ...('correction' in task && { field: task.correction.field }),
    ...('of' in task && { of: task.of }),
    ...(chosenBy !== '' && { filter: notedFilter(chosenBy) }),
    ...Object.fromEntries(Object.entries(counts).filter(([name, count]) => name !== 'changed' && count > 0)),
    ...(problem !== undefined && { problem }),
  };
  const subject = `${state === 'begun' ? total : changed} rejected events`;
  await noteOperatorEntry(pool, person.token, { action: AUDITED[task.action], subject, details });
}

/** Returns the filter of a run without values that only some readers of the audit log may read. */
function notedFilter(chosenBy: string): string {
  const parts = new URLSearchParams(chosenBy);
  for (const [name, value] of parts) parts.set(name, concealFromLog(value));
  return String(parts).slice(0, MAX_NOTED_FILTER);
}

interface Outcome {
  readonly kind: keyof BulkCounts;
  readonly count: number;
  /** The rule that the event would still break after the correction. */
  readonly rule?: string;
}

const outcome = (kind: keyof BulkCounts, count = 1): Outcome => ({ kind, count });

function countIn(run: BulkRun, outcomes: readonly Outcome[]): Partial<BulkRun> {
  const counts = {
    changed: run.changed,
    gone: run.gone,
    unreadable: run.unreadable,
    invalid: run.invalid,
    taken: run.taken,
  };
  const rules = new Map(run.rules);
  for (const { kind, count, rule } of outcomes) {
    counts[kind] += count;
    if (rule !== undefined && (rules.has(rule) || rules.size < MAX_RULES)) {
      rules.set(rule, (rules.get(rule) ?? 0) + count);
    }
  }
  return { ...counts, rules };
}

/** Changes some events. Returns undefined if the holder of the token may no longer correct events. */
async function changeBatch(
  dependencies: BulkDependencies,
  token: string,
  run: BulkRun,
  ids: readonly string[],
): Promise<readonly Outcome[] | undefined> {
  const registered = await dependencies.people.registeredCompanies();
  const changeEach = async () => {
    // The person is looked up when it is the turn of this batch, because the rights may end during the wait.
    const person = await dependencies.people.findNow(token);
    if (person === undefined || missingDuty(person, MAY_CORRECT) !== undefined) return undefined;
    const outcomes: Outcome[] = [];
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const some = ids.slice(start, start + AT_ONCE);
      outcomes.push(
        ...(await Promise.all(some.map((id) => changeOne(dependencies, { person, run, registered }, id)))),
      );
    }
    return outcomes;
  };
  return run.task.action === 'try' ? changeEach() : dependencies.rejected.changing(changeEach);
}

interface Changing {
  readonly person: Person;
  readonly run: BulkRun;
  readonly registered: ReadonlySet<string>;
}

async function changeOne(dependencies: BulkDependencies, changing: Changing, id: string): Promise<Outcome> {
  try {
    return await attempt(dependencies, changing, id);
  } catch (error) {
    if (error instanceof NotRejectedError) return outcome('gone');
    if (error instanceof UnreadableJobError) return outcome('unreadable');
    if (error instanceof RefusedCorrectionError) {
      return { ...outcome('invalid'), rule: ruleOf(error.message) };
    }
    throw error;
  }
}

async function attempt(
  { rejected, visibility }: BulkDependencies,
  { person, run: { id: run, task }, registered }: Changing,
  id: string,
): Promise<Outcome> {
  const by = { by: person.name, run };
  if (task.action === 'undo') {
    const undone = await rejected.undo(Number(id), { mayTouch: (company) => maySee(person, company) });
    return outcome(undone === 'restored' ? 'changed' : undone);
  }
  const edit = (original: unknown, correction: FieldCorrection) => {
    assertMayChangeField(person, original, correction, registered);
    return correctField(original, correction, (corrected) => findProblemsFor(person, corrected, registered));
  };
  // An event of another company may have the same id, so each event is checked.
  if (!person.hasAllCompanies && !(await visibility.maySeeAll(person, id))) return outcome('gone');
  switch (task.action) {
    case 'retry':
      return outcome('changed', await rejected.retry(id));
    case 'discard':
      return outcome('changed', await rejected.discard(id, by));
    case 'try': {
      const events = await rejected.find(id);
      if (events.length > 1) throw new NotRejectedError(id, events.length);
      edit(events[0]?.event, task.correction);
      return outcome('changed');
    }
    case 'correct':
      await rejected.correct(id, (event) => edit(event, task.correction), by);
      return outcome('changed');
  }
}
