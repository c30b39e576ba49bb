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
import type { JobCounts, QueueView } from '@takt/events/view';
import type pg from 'pg';

/** The number of jobs in a queue by state. Each job may contain many events. */
export interface QueueState extends JobCounts {
  readonly name: string;
  readonly isPaused: boolean;
  /**
   * Number of jobs that have been active for 60 s or more. Either no worker has such a job, or its worker makes no
   * progress.
   */
  readonly stuck: number;
  /** Seconds for which the oldest stuck job has been active. */
  readonly stuckSeconds: number;
  /** Seconds that the oldest job has waited; null if no job waits. */
  readonly oldestWaitSeconds: number | null;
}

/** Queries about the queues. The caller sets a deadline for them. */
export type QueueQuestions = Pick<QueueView, 'countJobs' | 'countStuckJobs' | 'isPaused' | 'readOldestWait'>;

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

/** The data from which alarms are derived. */
export interface AlarmState {
  /** The state of each queue. Undefined if the queues do not answer. */
  readonly queues: readonly QueueState[] | undefined;
  /** The reports of the workers, with one row for each worker and queue. */
  readonly reports: readonly WorkerReport[];
  readonly flow: readonly RecentFlow[];
  /** The rule that most of the latest rejected events broke. Undefined if no event was rejected. */
  readonly commonReason: string | undefined;
  /** The nodes of a cluster. Empty on a single server. */
  readonly nodes: readonly ClusterNode[];
  readonly audit: AuditRun | undefined;
}

/** The part of the state that is read again every few seconds. */
export type QuickState = Pick<AlarmState, 'queues' | 'reports' | 'flow' | 'commonReason'>;

export interface StateDependencies {
  /** The pool for the queries. The role takt_dashboard is enough. */
  readonly pool: pg.Pool;
  /** Queries about the queues. Undefined if the queues cannot be queried. */
  readonly queues: QueueQuestions | undefined;
  readonly queueNames: readonly string[];
  /** Receives the errors that occur when the queues are queried. */
  readonly onQueueError: (error: unknown) => void;
}

/** Reads the part of the state that changes quickly. Rejects if the database does not answer. */
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
  const commonReason = hasRejected ? await findCommonReason(pool) : undefined;
  return { reports, flow, queues: states, commonReason };
}

/** Reads the whole state. Rejects if the database does not answer. */
export async function readAlarmState(dependencies: StateDependencies): Promise<AlarmState> {
  const [quick, nodes, audit] = await Promise.all([
    readQuickState(dependencies),
    describeCluster(dependencies.pool),
    readLastAudit(dependencies.pool),
  ]);
  return { ...quick, nodes, audit };
}

/** Finds the rule that most of the events rejected in the last minutes broke. */
async function findCommonReason(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ rule: string }>(
    `SELECT rule FROM takt.rejections
     WHERE state = 'open' AND last_at > now() - make_interval(secs => $1)
     GROUP BY rule ORDER BY count(*) DESC, rule LIMIT 1`,
    [RECENT_SECONDS],
  );
  return rows[0]?.rule;
}
