import { randomUUID } from 'node:crypto';
import { type Duty, noteOperatorEntry, type OperatorEntry } from '@takt/access';
import type { Database } from '@takt/database';
import type { EventQueue } from '@takt/events/internal';
import { ruleOf } from '@takt/events/internal';
import {
  correctField,
  eventOf,
  type FieldCorrection,
  type Rejection,
  type RejectionFilter,
  type Resolution,
  resolveRejections,
  undoResolution,
} from '@takt/rejections';
import { type Logger, withDeadline } from '@takt/run';
import { concealFromLog } from '../concealed.js';
import { maySee, missingDuty, type People, type Person } from '../visit.js';
import type { Words } from '../words.js';
import { assertMayChangeField, findProblemsFor } from './correction.js';
import { writeFilter } from './filter.js';

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
  /** Number of events that were not changed because they would still break a rule after the correction. */
  readonly invalid: number;
  /** Number of events that cannot be rejected again, because a worker has already taken the corrected event. */
  readonly taken: number;
}

/** A change of many rejected events, with its progress. */
export interface BulkRun extends BulkCounts {
  readonly id: string;
  readonly task: BulkTask;
  /** The filter that selects the events. */
  readonly filter: RejectionFilter;
  /** The holder of the session that started the run; see ownerOf. */
  readonly owner: string;
  /** Ids of the events, so that exactly these are corrected after a check. */
  readonly ids: readonly number[];
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

type BulkOrder = Pick<BulkRun, 'task' | 'ids' | 'filter'>;

export interface BulkRuns {
  /** Starts a run. Returns undefined while the person has another one. */
  begin(person: Person, words: Words, order: BulkOrder): BulkRun | undefined;
  /** Returns the run with an id; undefined if the run is unknown or too old. */
  find(id: string): BulkRun | undefined;
  /** Resolves when the run has ended, or after `ms`. */
  settled(id: string, ms: number): Promise<void>;
  /** Ends the run after its present batch. Resolves when the end of the run is logged, or after 2 s. */
  close(): Promise<void>;
}

interface BulkDependencies {
  readonly pool: Database['pool'];
  readonly queues: readonly EventQueue[];
  readonly people: People;
  readonly logger: Logger;
}

/** The duties that a change of rejected events needs. */
export const MAY_CORRECT = ['operate-queues', 'read-production-times'] as const satisfies readonly Duty[];
/** Number of events that are changed between two checks that the person still has the rights. */
const BATCH = 200;
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
const NONE: BulkCounts = { changed: 0, gone: 0, invalid: 0, taken: 0 };

/** Identifies the holder of a session: a person, or a token without a person. */
export function ownerOf({ pid, token }: Person): string {
  return pid === null ? token : `PID ${pid}`;
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
  const work = async (begun: BulkRun, { token }: Person, words: Words, ids: readonly number[]) => {
    let run = begun;
    for (let start = 0; start < ids.length; start += BATCH) {
      if (closing.signal.aborted) return 'dashboardEnded' as const;
      const some = ids.slice(start, start + BATCH);
      const outcomes = await changeBatch(dependencies, { token, words, run }, some);
      if (outcomes === undefined) return 'rightsGone' as const;
      run = change(run, countIn(run, outcomes));
    }
    return undefined;
  };
  return {
    begin: (person, words, order) => {
      const { ids } = order;
      const owner = ownerOf(person);
      const isBusy = (run: BulkRun) => run.owner === owner && run.endedAtMs === undefined;
      if ([...runs.values()].some(isBusy)) return undefined;
      const id = randomUUID();
      const run: BulkRun = {
        ...order,
        id,
        owner,
        startedAtMs: Date.now(),
        total: ids.length,
        ...NONE,
        rules: new Map(),
        endedAtMs: undefined,
        problem: undefined,
      };
      runs.set(id, run);
      const ended = [...runs.values()].filter(({ endedAtMs }) => endedAtMs !== undefined);
      for (const old of ended.slice(0, -KEPT_RUNS)) {
        runs.delete(old.id);
        ends.delete(old.id);
      }
      const end = note(dependencies, person, run)
        .then(() => work(run, person, words, ids))
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
  const { id, task, filter, problem, total, changed, gone, invalid, taken, endedAtMs } = run;
  const counts = { changed, gone, invalid, taken };
  const state = endedAtMs === undefined ? 'begun' : 'ended';
  const who = { pid: person.pid, person: person.name };
  logger.info(
    { ...who, run: id, task, total, ...counts, problem },
    `a change of many rejected events has ${state}`,
  );
  if (task.action === 'try') return;
  const chosenBy = writeFilter(filter);
  const details = {
    run: id,
    state,
    // Not the value: readers of the audit log may not be allowed to read values of events.
    ...('correction' in task && { field: task.correction.field }),
    ...('of' in task && { of: task.of }),
    ...(chosenBy.size > 0 && { filter: notedFilter(chosenBy) }),
    ...Object.fromEntries(Object.entries(counts).filter(([name, count]) => name !== 'changed' && count > 0)),
    ...(problem !== undefined && { problem }),
  };
  const subject = `${state === 'begun' ? total : changed} rejected events`;
  await noteOperatorEntry(pool, person.token, { action: AUDITED[task.action], subject, details });
}

/** Returns the filter of a run without values that only some readers of the audit log may read. */
function notedFilter(chosenBy: URLSearchParams): string {
  const parts = new URLSearchParams(chosenBy);
  for (const [name, value] of chosenBy) if (name !== 'event') parts.set(name, concealFromLog(value));
  return String(parts).slice(0, MAX_NOTED_FILTER);
}

interface Outcome {
  readonly kind: keyof BulkCounts;
  /** The rule that the event would still break after the correction. */
  readonly rule?: string;
}

function countIn(run: BulkRun, outcomes: readonly Outcome[]): Partial<BulkRun> {
  const counts = { changed: run.changed, gone: run.gone, invalid: run.invalid, taken: run.taken };
  const rules = new Map(run.rules);
  for (const { kind, rule } of outcomes) {
    counts[kind] += 1;
    if (rule !== undefined && (rules.has(rule) || rules.size < MAX_RULES)) {
      rules.set(rule, (rules.get(rule) ?? 0) + 1);
    }
  }
  return { ...counts, rules };
}

interface Changing {
  readonly token: string;
  readonly words: Words;
  readonly run: BulkRun;
}

/** Changes some events. Returns undefined if the holder of the token may no longer correct events. */
async function changeBatch(
  dependencies: BulkDependencies,
  { token, words, run: { id: run, task } }: Changing,
  ids: readonly number[],
): Promise<readonly Outcome[] | undefined> {
  const { people } = dependencies;
  const [registered, person] = await Promise.all([people.registeredCompanies(), people.findNow(token)]);
  if (person === undefined || missingDuty(person, MAY_CORRECT) !== undefined) return undefined;
  if (task.action === 'undo') return undoEach(dependencies, person, ids);
  const decide = (rejection: Rejection): Resolution | undefined => {
    if (!maySee(person, rejection.company)) return undefined;
    if (!('correction' in task)) return task.action;
    const original = eventOf(rejection.data);
    assertMayChangeField(person, original, task.correction, registered);
    const corrected = correctField(original, task.correction, (event) =>
      findProblemsFor(person, event, registered, words),
    );
    return task.action === 'try' ? 'check' : { corrected };
  };
  const outcomes = await resolveRejections(dependencies, ids, decide, { by: person.name, run });
  return outcomes.map((outcome): Outcome => {
    if (outcome.kind === 'refused') return { kind: 'invalid', rule: ruleOf(outcome.error.message) };
    return { kind: outcome.kind === 'done' ? 'changed' : 'gone' };
  });
}

async function undoEach(
  dependencies: BulkDependencies,
  person: Person,
  ids: readonly number[],
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const id of ids) {
    const undone = await undoResolution(dependencies, id, { maySee: (company) => maySee(person, company) });
    outcomes.push({ kind: undone === 'restored' ? 'changed' : undone });
  }
  return outcomes;
}
