import { type ClusterNode, type Database, describeCluster } from '@takt/database';
import type { QueueName } from '@takt/events/view';
import type { AuditRun, WorkerReport } from '@takt/run/monitoring';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { describeError } from '../errors.js';
import { type FiguresSummary, readFiguresSummary } from '../figures-summary.js';
import { countWorkers, type JobCounts, type QueuesToAsk } from '../queues.js';
import { type Column, formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { describeUnlisted, readWaitingSummary, type WaitingSummary } from '../waiting-summary.js';

const HELP = `
The queues count jobs, and a job may hold many events. failed: rejected events (takt rejected list). stuck: jobs active for
60 s or more without progress; if there are any, look at the workers' logs and clocks. lag: how long the oldest job has
waited. connected: workers that are connected to the queue, also if they hang. rate: operations a second that workers wrote in the last 5 s. last commit: when figures or master data last changed,
if the server has track_commit_timestamp on. workers: seen within 30 s; their lags are medians of the last 5 s.`;

const COLUMNS: readonly Column<QueueStatus>[] = [
  { title: 'QUEUE', value: ({ queue }) => queue },
  { title: 'WAITING', value: ({ waiting }) => String(waiting), isNumber: true },
  { title: 'ACTIVE', value: ({ active }) => String(active), isNumber: true },
  { title: 'STUCK', value: ({ stuck }) => String(stuck), isNumber: true },
  { title: 'DELAYED', value: ({ delayed }) => String(delayed), isNumber: true },
  { title: 'FAILED', value: ({ failed }) => String(failed), isNumber: true },
  { title: 'CONNECTED', value: ({ workers }) => String(workers ?? 'unknown'), isNumber: true },
  {
    title: 'LAG',
    value: ({ lagSeconds }) => (lagSeconds === null ? '-' : `${lagSeconds.toFixed(1)} s`),
    isNumber: true,
  },
];

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(({ json }: { readonly json?: boolean }) => status(json === true, terminal));
}

async function status(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    // The one that can be reached tells most when the other one cannot.
    const orNone = async <Part>(part: Promise<Part>): Promise<Part | null> => {
      try {
        return await part;
      } catch (error) {
        terminal.say(`takt: ${describeError(error)}`);
        terminal.fail();
        return null;
      }
    };
    const [queues, nodes, database] = await Promise.all([
      orNone(context.askQueues().then(readQueuesStatus)),
      orNone(context.openDatabase().then(({ pool }) => describeCluster(pool))),
      orNone(context.openDatabase().then(readDatabaseStatus)),
    ]);
    const rejected = countRejected(queues, database);
    if (asJson) {
      await terminal.print(JSON.stringify({ queues, database, nodes, rejected }));
      return;
    }
    const lines = [
      ...(queues === null ? [] : linesOfQueues(queues, terminal)),
      ...(database === null ? [] : linesOfDatabase(database)),
      ...(nodes === null || nodes.length === 0 ? [] : [describeNodes(nodes)]),
      ...(rejected === null ? [] : [`rejected     ${rejected}`]),
    ];
    for (const line of lines) await terminal.print(line);
  });
}

function linesOfQueues(queues: readonly QueueStatus[], { columns }: Terminal): readonly string[] {
  return [...formatTable(COLUMNS, queues, { width: columns }), ...queues.flatMap(alarmsOf)];
}

function alarmsOf({ queue, stuck, stuckSeconds }: QueueStatus): readonly string[] {
  if (stuck === 0) return [];
  return [
    `ALARM        ${stuck} jobs of ${queue} are active without progress, the first for ${stuckSeconds.toFixed(0)} s`,
  ];
}

/** Null where the queues do not tell. */
function countRejected(
  queues: readonly QueueStatus[] | null,
  database: DatabaseStatus | null,
): number | null {
  return queues?.reduce((sum, { failed }) => sum + failed, database?.exportedRejected ?? 0) ?? null;
}

function linesOfDatabase(database: DatabaseStatus): readonly string[] {
  const unknown = database.knowsCommitTimes ? 'none' : "unknown (the server's track_commit_timestamp is off)";
  return [
    `completed    ${database.completedOperations} operations of ${database.structureVersions} structure versions`,
    `rate         ${Math.round(database.operationsPerSecond)} operations/s`,
    `last commit  ${database.lastCommitAt ?? unknown}`,
    describeUnlisted(database),
    describeWorkers(database.workers),
    describeAudit(database.lastAudit),
  ];
}

/** The lags are of the worker that lags most. */
function describeWorkers(reports: readonly WorkerReport[]): string {
  const alive = new Set(reports.map(({ workerId }) => workerId)).size;
  const longest = (lagOf: (report: WorkerReport) => number | null) => {
    const lags = reports.map(lagOf).filter((lag) => lag !== null);
    return lags.length === 0 ? '-' : `${Math.max(...lags).toFixed(1)} s`;
  };
  const published = longest(({ publishingLagSeconds }) => publishingLagSeconds);
  const completed = longest(({ completionLagSeconds }) => completionLagSeconds);
  return `workers      ${alive} alive; to the figures ${published} from the queue, ${completed} from completion`;
}

/** A node that is away stops the companies that it holds. */
function describeNodes(nodes: readonly ClusterNode[]): string {
  const holders = nodes.filter(({ isCoordinator }) => !isCoordinator);
  const parts = holders.map(
    ({ host, port, companies, bytes }) => `${companies} on ${host}:${port}${bytes === null ? ' (away)' : ''}`,
  );
  return `companies    ${parts.join(', ')}`;
}

function describeAudit(audit: AuditRun | null): string {
  if (audit === null) return 'last audit   none';
  const { at, differences, structureVersions, database } = audit;
  const what = `${structureVersions} structure versions${database === null ? '' : ` of ${database}`}`;
  return `last audit   ${at.toISOString()}: ${differences} differences in ${what}`;
}

interface QueueStatus extends JobCounts {
  readonly queue: string;
  /** Jobs that have been active for 60 s or more: nobody works on them, or whoever does makes no progress. */
  readonly stuck: number;
  /** For how long the first of them has been. */
  readonly stuckSeconds: number;
  /** Workers that are connected; null where the store does not tell. */
  readonly workers: number | null;
  /** Age of the oldest job that waits; null where none waits. */
  readonly lagSeconds: number | null;
}

async function readQueuesStatus(queues: QueuesToAsk): Promise<readonly QueueStatus[]> {
  const read = async (queue: QueueName): Promise<QueueStatus> => {
    const [counts, stuck, workers, lagSeconds] = await Promise.all([
      queues.countJobs(queue),
      queues.countStuckJobs(queue),
      countWorkers(queues, queue),
      queues.readOldestWait(queue),
    ]);
    const stuckSeconds = stuck.longestMs / 1_000;
    return {
      queue,
      ...counts,
      stuck: stuck.jobs,
      stuckSeconds,
      workers: workers ?? null,
      lagSeconds: lagSeconds ?? null,
    };
  };
  return Promise.all(queues.names.map(read));
}

interface DatabaseStatus extends FiguresSummary, WaitingSummary {
  /** Operations that the workers wrote a second; duplicates and stale events write none. */
  readonly operationsPerSecond: number;
  /** When figures or master data changed last; null where nothing has, or the server does not keep the time. */
  readonly lastCommitAt: string | null;
  /** Of the workers that were seen within 30 s, one a queue. */
  readonly workers: readonly WorkerReport[];
  /** Null where none was. */
  readonly lastAudit: AuditRun | null;
  /** False: the server's track_commit_timestamp is off. */
  readonly knowsCommitTimes: boolean;
}

/** The queue of what is written to the ledger. */
const OPERATIONS: QueueName = 'work-order-operations';

async function readDatabaseStatus(database: Database): Promise<DatabaseStatus> {
  const { readLastAudit, readWorkerReports } = await import('@takt/run/reports');
  const { pool } = database;
  const { rows } = await pool.query<{ is_on: boolean }>(
    `SELECT current_setting('track_commit_timestamp')::boolean AS is_on`,
  );
  const knowsCommitTimes = rows[0]?.is_on === true;
  const workers = await readWorkerReports(pool);
  return {
    ...(await readFiguresSummary(database)),
    ...(await readWaitingSummary(database)),
    operationsPerSecond: workers
      .filter(({ queue }) => queue === OPERATIONS)
      .reduce((sum, { appliedPerSecond }) => sum + appliedPerSecond, 0),
    lastCommitAt: knowsCommitTimes ? await readLastCommit(pool) : null,
    knowsCommitTimes,
    workers,
    lastAudit: (await readLastAudit(pool)) ?? null,
  };
}

/** The figures' rows know who wrote them last, and there are few of them beside the operations. */
async function readLastCommit(pool: Database['pool']): Promise<string | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'SELECT max(pg_xact_commit_timestamp(xmin)) AS at FROM takt.product_structure_versions',
  );
  return rows[0]?.at?.toISOString() ?? null;
}
