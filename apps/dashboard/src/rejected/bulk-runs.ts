import { randomUUID } from 'node:crypto';
import {
  companyIn,
  NotRejectedError,
  type RejectedEvent,
  type RejectedEvents,
  type RejectionFacts,
  UnreadableJobError,
} from '@takt/database/rejected-events';
import type { Logger } from '@takt/run';
import { maySee, type People, type Person } from '../visit.js';

export type BulkAction = 'retry' | 'discard';

/** A change of many rejected events, as far as it has come. */
export interface BulkRun {
  readonly id: string;
  readonly action: BulkAction;
  readonly pid: number | null;
  readonly startedAtMs: number;
  /** Ids that it is about. */
  readonly total: number;
  /** Events that were changed. */
  readonly changed: number;
  /** Ids under which nothing was rejected any more. */
  readonly gone: number;
  /** Ids whose jobs cannot be read: they can only be discarded. */
  readonly unreadable: number;
  /** Undefined while it runs. */
  readonly endedAtMs: number | undefined;
  /** Why it ended early. */
  readonly problem: 'dashboardEnded' | 'rightsGone' | 'storeAway' | undefined;
}

export interface BulkRuns {
  /** Begins a run; undefined while another one is under way. */
  begin(person: Person, action: BulkAction, ids: readonly string[]): BulkRun | undefined;
  /** As it stands; undefined where there is none, or no longer. */
  find(id: string): BulkRun | undefined;
  /** Resolves when a run has ended, or after `ms`. */
  settled(id: string, ms: number): Promise<void>;
  close(): void;
}

export interface BulkPlace {
  readonly rejected: RejectedEvents;
  readonly people: People;
  readonly visibility: Visibility;
  readonly logger: Logger;
}

/** Events that are changed between two looks at whether who began may still do so. */
const BATCH = 50;
const AT_ONCE = 8;
const KEPT_RUNS = 20;

/**
 * Changes many rejected events, batch by batch, one run at a time: of what two would do to the same events nobody could
 * tell the outcome. A run ends with the process; what it has not come to stays rejected.
 */
export function openBulkRuns(place: BulkPlace): BulkRuns {
  const runs = new Map<string, BulkRun>();
  const ends = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const change = (id: string, changes: Partial<BulkRun>) => {
    const run = runs.get(id);
    if (run !== undefined) runs.set(id, { ...run, ...changes });
  };
  const work = async (id: string, person: Person, ids: readonly string[]) => {
    const counts = { changed: 0, gone: 0, unreadable: 0 };
    for (let start = 0; start < ids.length; start += BATCH) {
      if (closing.signal.aborted) return 'dashboardEnded' as const;
      const now = await place.people.findNow(person.token);
      if (now?.mayOperate !== true) return 'rightsGone' as const;
      const action = runs.get(id)?.action ?? 'retry';
      for (const outcome of await changeBatch(place, now, action, ids.slice(start, start + BATCH))) {
        counts[outcome.kind] += outcome.count;
      }
      change(id, counts);
    }
    return undefined;
  };
  return {
    begin: (person, action, ids) => {
      if ([...runs.values()].some(({ endedAtMs }) => endedAtMs === undefined)) return undefined;
      const id = randomUUID();
      const run: BulkRun = {
        ...{ id, action, pid: person.pid, startedAtMs: Date.now(), total: ids.length },
        ...{ changed: 0, gone: 0, unreadable: 0, endedAtMs: undefined, problem: undefined },
      };
      runs.set(id, run);
      for (const old of [...runs.keys()].slice(0, -KEPT_RUNS)) {
        runs.delete(old);
        ends.delete(old);
      }
      const ended = work(id, person, ids)
        .catch((error: unknown) => {
          place.logger.error({ error, run: id }, 'changing many rejected events failed');
          return 'storeAway' as const;
        })
        .then((problem) => {
          change(id, { endedAtMs: Date.now(), problem });
          const { changed, gone, unreadable } = runs.get(id) ?? run;
          const outcome = {
            ...{ pid: person.pid, person: person.name, action, run: id },
            changed,
            gone,
            unreadable,
          };
          place.logger.info({ ...outcome, problem }, 'many rejected events were changed');
        });
      ends.set(id, ended);
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
    close: () => closing.abort(),
  };
}

interface Outcome {
  readonly kind: 'changed' | 'gone' | 'unreadable';
  readonly count: number;
}

const GONE: Outcome = { kind: 'gone', count: 1 };

async function changeBatch(
  { rejected, visibility }: BulkPlace,
  person: Person,
  action: BulkAction,
  ids: readonly string[],
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  await rejected.changing(async () => {
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const some = ids.slice(start, start + AT_ONCE);
      outcomes.push(...(await Promise.all(some.map((id) => changeOne(id)))));
    }
  });
  return outcomes;

  async function changeOne(id: string): Promise<Outcome> {
    try {
      // An id may be shared by an event of another company.
      if (!person.hasAllCompanies && !(await visibility.maySeeAll(person, id))) return GONE;
      return { kind: 'changed', count: await rejected[action](id) };
    } catch (error) {
      if (error instanceof NotRejectedError) return GONE;
      if (error instanceof UnreadableJobError) return { kind: 'unreadable', count: 1 };
      throw error;
    }
  }
}

/** Which of the rejected events a person may see: those of own companies, or all where nothing is anybody else's. */
export interface Visibility {
  ofFacts(person: Person, events: readonly RejectionFacts[]): readonly RejectionFacts[];
  /** The events of an id if all of them may be seen; throws a NotRejectedError where there are none. */
  find(person: Person, id: string): Promise<readonly RejectedEvent[] | undefined>;
  maySeeAll(person: Person, id: string): Promise<boolean>;
}

export function openVisibility(rejected: RejectedEvents): Visibility {
  const find = async (person: Person, id: string) => {
    const events = await rejected.find(id);
    return events.every(({ event }) => maySee(person, companyIn(event))) ? events : undefined;
  };
  return {
    ofFacts: (person, events) =>
      person.hasAllCompanies ? events : events.filter(({ company }) => maySee(person, company)),
    find,
    maySeeAll: async (person, id) => (await find(person, id)) !== undefined,
  };
}
