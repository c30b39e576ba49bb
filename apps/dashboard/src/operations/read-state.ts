import { type ClusterNode, type Database, describeCluster } from '@takt/database';
import { askQueue } from '@takt/database/rejected-events';
import type { EventQueue, QueueBackend } from '@takt/events';
import {
  countUnlistedStructureVersions,
  listUnlistedStructureVersions,
  type UnlistedStructureVersion,
  type UnlistedSummary,
} from '@takt/figures';
import {
  type AuditRun,
  type DatabaseSize,
  type EventSource,
  readDatabaseSize,
  readEventSources,
  readLastAudit,
  readWorkerReports,
  type WorkerReport,
} from '@takt/run/monitoring';

/** How a queue stands, in jobs: each may hold many events. */
export interface QueueState {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  /** Rejected events that are kept in the queue. */
  readonly failed: number;
  readonly isPaused: boolean;
  /** Active for 60 s or more. */
  readonly stuck: number;
  /** How long the oldest job that waits has waited, in seconds; null where none does. */
  readonly oldestWaitSeconds: number | null;
}

/** What changes from second to second. */
export interface QuickState {
  readonly queues: readonly QueueState[];
  /** A row a worker and queue. */
  readonly reports: readonly WorkerReport[];
}

/** What changes slowly, or costs more to ask for. */
export interface SlowState {
  readonly sources: readonly EventSource[];
  readonly audit: AuditRun | undefined;
  readonly size: DatabaseSize;
  readonly unlisted: readonly UnlistedSummary[];
  /** The nodes of a cluster; empty if the database is a single server. */
  readonly nodes: readonly ClusterNode[];
  /** Some of the structure versions that wait, of each company. */
  readonly unlistedVersions: readonly UnlistedStructureVersion[];
}

export interface StatePlace {
  readonly pool: Database['pool'];
  readonly queues: readonly EventQueue[];
  readonly backend: QueueBackend;
}

export async function readQuickState({ pool, queues, backend }: StatePlace): Promise<QuickState> {
  const [reports, ...states] = await Promise.all([
    readWorkerReports(pool),
    ...queues.map((queue) => readQueueState(queue, backend)),
  ]);
  return { reports, queues: states };
}

const SOURCES = 500;
const VERSIONS_OF_COMPANY = 5;

export async function readSlowState({ pool }: StatePlace): Promise<SlowState> {
  const nodes = await describeCluster(pool);
  // A count of all companies needs all nodes.
  const isWhole = nodes.every(({ bytes }) => bytes !== null);
  const [sources, audit, size, unlisted] = await Promise.all([
    readEventSources(pool, SOURCES),
    readLastAudit(pool),
    readDatabaseSize(pool),
    isWhole ? countUnlistedStructureVersions(pool) : [],
  ]);
  const unlistedVersions: UnlistedStructureVersion[] = [];
  for (const { database, structureVersions } of unlisted) {
    if (structureVersions === 0) continue;
    for await (const page of listUnlistedStructureVersions(pool, database)) {
      unlistedVersions.push(...page.slice(0, VERSIONS_OF_COMPANY));
      break;
    }
  }
  return { sources, audit, size, unlisted, nodes, unlistedVersions };
}

async function readQueueState(queue: EventQueue, { view }: QueueBackend): Promise<QueueState> {
  const [counts, isPaused, stuck, oldestWaitSeconds] = await Promise.all([
    askQueue(queue, 'counting the jobs', view.countJobs(queue.name)),
    askQueue(queue, 'asking whether it is paused', queue.isPaused()),
    askQueue(queue, 'counting the stuck jobs', view.countStuckJobs(queue.name)),
    askQueue(queue, 'finding the oldest job', view.readOldestWait(queue.name)),
  ]);
  return {
    ...counts,
    name: queue.name,
    isPaused,
    stuck: stuck.jobs,
    oldestWaitSeconds: oldestWaitSeconds ?? null,
  };
}
