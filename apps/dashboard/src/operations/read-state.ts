import {
  type AlarmRecord,
  type AlarmState,
  listAlarms,
  type StateDependencies as OfAlarms,
  type QueueQuestions,
  type QuickState,
  readAlarmState as readOfAlarms,
  readQuickState as readQuickOfAlarms,
} from '@takt/alarms';
import { describeCluster } from '@takt/database';
import {
  type DatabaseSize,
  type EventSource,
  readDatabaseSize,
  readEventSources,
  readLastAudit,
} from '@takt/database/monitoring';
import { QUEUE_NAMES } from '@takt/events';
import type { QueueBackend } from '@takt/events/internal';
import {
  countUnlistedStructureVersions,
  listUnlistedStructureVersions,
  type UnlistedStructureVersion,
  type UnlistedSummary,
} from '@takt/figures';
import { withDeadline } from '@takt/run';

/** The part of the state that changes slowly or is expensive to read. */
export interface SlowState extends Pick<AlarmState, 'audit' | 'nodes'> {
  readonly sources: readonly EventSource[];
  readonly size: DatabaseSize;
  readonly unlisted: readonly UnlistedSummary[];
  /** Some unlisted structure versions of each company, as examples. */
  readonly unlistedVersions: readonly UnlistedStructureVersion[];
}

export interface StateDependencies extends Pick<OfAlarms, 'pool' | 'onQueueError'> {
  readonly backend: QueueBackend;
}

/** The part of the state that changes within seconds, and the stored alarms. */
export interface SampledState extends QuickState {
  readonly records: readonly AlarmRecord[];
}

export async function readSampledState(dependencies: StateDependencies): Promise<SampledState> {
  const [state, records] = await Promise.all([
    readQuickOfAlarms(askedBy(dependencies)),
    listAlarms(dependencies.pool),
  ]);
  return { ...state, records };
}

export function readAlarmState(dependencies: StateDependencies): Promise<AlarmState> {
  return readOfAlarms(askedBy(dependencies));
}

function askedBy({ backend, ...dependencies }: StateDependencies): OfAlarms {
  return { ...dependencies, queues: withinDeadline(backend.view), queueNames: QUEUE_NAMES };
}

const SOURCES = 500;
const VERSIONS_OF_COMPANY = 5;

export async function readSlowState({ pool }: Pick<StateDependencies, 'pool'>): Promise<SlowState> {
  const [nodes, sources, audit, size, unlisted] = await Promise.all([
    describeCluster(pool),
    readEventSources(pool, SOURCES),
    readLastAudit(pool),
    readDatabaseSize(pool),
    countUnlistedStructureVersions(pool),
  ]);
  const unlistedVersions: UnlistedStructureVersion[] = [];
  for (const { database, structureVersions } of unlisted) {
    if (structureVersions === 0) continue;
    for await (const page of listUnlistedStructureVersions(pool, { only: database })) {
      unlistedVersions.push(...page.slice(0, VERSIONS_OF_COMPANY));
      break;
    }
  }
  return { sources, audit, size, unlisted, nodes, unlistedVersions };
}

const ANSWER_DEADLINE_MS = 3_000;

/** Adds a deadline to each query. Without it, a query would wait for ever for a Redis that does not answer. */
function withinDeadline(view: QueueQuestions): QueueQuestions {
  const within =
    <Rest extends readonly unknown[], Answer>(ask: (queue: string, ...rest: Rest) => Promise<Answer>) =>
    (queue: string, ...rest: Rest): Promise<Answer> =>
      withDeadline(ask(queue, ...rest), ANSWER_DEADLINE_MS, () => {
        throw new Error(`the queue ${queue} did not answer within ${ANSWER_DEADLINE_MS} ms`);
      });
  return {
    countJobs: within(view.countJobs),
    countStuckJobs: within(view.countStuckJobs),
    isPaused: within(view.isPaused),
    readOldestWait: within(view.readOldestWait),
  };
}
