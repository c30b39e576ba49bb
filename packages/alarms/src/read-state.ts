import { type ClusterNode, describeCluster } from '@takt/database';
import {
  type AuditRun,
  RECENT_SECONDS,
  type RecentFlow,
  readLastAudit,
  readRecentFlow,
  readWorkerReports,
  type WorkerReport,
} from '@takt/database/monitoring';
import { type JobCounts, type QueueView, ruleOf } from '@takt/events/view';
import type pg from 'pg';

/** How a queue stands, in jobs: each may hold many events. */
export interface QueueState extends JobCounts {
  readonly name: string;
  readonly isPaused: boolean;
  /** Active for 60 s or more: nobody works on them, or whoever does makes no progress. */
  readonly stuck: number;
  /** For how long the first of them has been. */
  readonly stuckSeconds: number;
  /** How long the oldest job that waits has waited; null where none does. */
  readonly oldestWaitSeconds: number | null;
}

/** Questions to the queues. The caller gives up an answer that never comes. */
export type QueueQuestions = Pick<
  QueueView,
  'countJobs' | 'countStuckJobs' | 'isPaused' | 'listFailedJobs' | 'readFailedJobs' | 'readOldestWait'
>;

export async function readQueueState(queues: QueueQuestions, name: string): Promise<QueueState> {
  const [counts, isPaused, stuck, oldestWaitSeconds] = await Promise.all([
    queues.countJobs(name),
    queues.isPaused(name),
    queues.countStuckJobs(name),
    queues.readOldestWait(name),
  ]);
  return {
    ...counts,
    name,
    isPaused,
    stuck: stuck.jobs,
    stuckSeconds: stuck.longestMs / 1_000,
    oldestWaitSeconds: oldestWaitSeconds ?? null,
  };
}

/** The state in which alarms are found. */
export interface AlarmState {
  /** Undefined: the queues do not answer. */
  readonly queues: readonly QueueState[] | undefined;
  /** A row a worker and queue. */
  readonly reports: readonly WorkerReport[];
  readonly flow: readonly RecentFlow[];
  /** The rule that most rejected events of the last minutes broke; undefined if none was rejected. */
  readonly commonReason: string | undefined;
  /** The nodes of a cluster; empty if the database is a single server. */
  readonly nodes: readonly ClusterNode[];
  readonly audit: AuditRun | undefined;
}

/** The part of it that is read anew every few seconds. */
export type QuickState = Pick<AlarmState, 'queues' | 'reports' | 'flow' | 'commonReason'>;

export interface StateDependencies {
  /** The role takt_dashboard is enough. */
  readonly pool: pg.Pool;
  /** Undefined: they cannot be asked. */
  readonly queues: QueueQuestions | undefined;
  readonly queueNames: readonly string[];
  /** Hears why the queues do not answer. */
  readonly onQueueError: (error: unknown) => void;
}

/** Rejects where the database does not answer. */
export async function readQuickState(dependencies: StateDependencies): Promise<QuickState> {
  const { pool, queues, queueNames, onQueueError } = dependencies;
  const [reports, flow, states] = await Promise.all([
    readWorkerReports(pool),
    readRecentFlow(pool),
    queues &&
      Promise.all(queueNames.map((name) => readQueueState(queues, name))).catch((error: unknown) => {
        onQueueError(error);
        return undefined;
      }),
  ]);
  const hasRejected = flow.some(({ events }) => events.rejected > 0);
  const commonReason =
    hasRejected && states && queues
      ? await findCommonReason(queues, dependencies).catch((error: unknown) => {
          onQueueError(error);
          return undefined;
        })
      : undefined;
  return { reports, flow, queues: states, commonReason };
}

/** All that alarms are found in. Rejects where the database does not answer. */
export async function readAlarmState(dependencies: StateDependencies): Promise<AlarmState> {
  const [quick, nodes, audit] = await Promise.all([
    readQuickState(dependencies),
    describeCluster(dependencies.pool),
    readLastAudit(dependencies.pool),
  ]);
  return { ...quick, nodes, audit };
}

/** So many of the newest rejected events of each place are looked at. */
const LOOKED_AT = 500;

/** Counts the rules that the newest rejected events of the last minutes broke, and gives the commonest. */
async function findCommonReason(
  queues: QueueQuestions,
  { pool, queueNames }: StateDependencies,
): Promise<string | undefined> {
  const ofQueue = async (queue: string) => {
    const sinceMs = Date.now() - RECENT_SECONDS * 1_000;
    const listed = (await queues.listFailedJobs(queue, LOOKED_AT)).filter((job) => job.failedAtMs > sinceMs);
    const jobs = await queues.readFailedJobs(
      queue,
      listed.map(({ jobId }) => jobId),
      0,
    );
    return jobs.map(({ reason }) => reason);
  };
  const moved = pool.query<{ reason: string }>(
    `SELECT reason FROM takt.rejected_events WHERE rejected_at > now() - make_interval(secs => $1)
     ORDER BY rejected_at DESC LIMIT $2`,
    [RECENT_SECONDS, LOOKED_AT],
  );
  const [{ rows }, ...found] = await Promise.all([moved, ...queueNames.map(ofQueue)]);
  const counts = new Map<string, number>();
  for (const reason of [...found.flat(), ...rows.map((row) => row.reason)]) {
    const rule = ruleOf(reason);
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}
