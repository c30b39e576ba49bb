import type { AlarmState, QueueState } from '@takt/alarms';
import { askAboutCompanies, type ClusterNode, type Database, describeAway } from '@takt/database';
import type { AuditRun, WorkerReport } from '@takt/database/monitoring';
import type { QueueName } from '@takt/events/view';
import { countRejections } from '@takt/rejections/list';
import { formatSpan } from '@takt/texts';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { type FiguresSummary, readFiguresSummary } from '../figures-summary.js';
import {
  type AlarmSources,
  type DescribedAlarm,
  findAlarmsIn,
  lineOf,
  openAlarmSources,
  readState,
  watchAlarms,
} from '../found-alarms.js';
import { countWorkers, type QueuesToAsk } from '../queues.js';
import { type Column, formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { describeUnlisted, readUnlisted, type UnlistedTotals } from '../waiting-summary.js';

const HELP = `
The queues count jobs, and a job may hold many events. failed: jobs that no worker could end; the dashboard lists them. stuck: jobs active for
60 s or more without progress; if there are any, look at the workers' logs and clocks. lag: how long the oldest job has
waited. connected: workers that are connected to the queue, also if they hang. rate: operations a second that workers wrote in the last 5 s. last commit: when figures or master data last changed,
if the server has track_commit_timestamp on. workers: seen within 30 s and still connected; their lags are medians of the last 5 s.

ALARM: what is wrong now, and what to do about it; the same as on the dashboard. --check is for scripts: it ends with exit
code 1 while there is an alarm. --watch prints a line when an alarm begins or ends.`;

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
    value: ({ lagSeconds }) => (lagSeconds === null ? '-' : formatSpan('eng', lagSeconds)),
    isNumber: true,
  },
];

interface StatusOptions {
  readonly json?: boolean;
  readonly check?: boolean;
  readonly watch?: boolean;
}

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option('--json', 'print JSON')
    .option('--check', 'end with exit code 1 while there is an alarm')
    .option('--watch', 'then continue until Ctrl-C, and print a line when an alarm begins or ends')
    .addHelpText('after', HELP)
    .action((options: StatusOptions) => status(options, terminal));
}

async function status({ json, check, watch }: StatusOptions, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const sources = await openAlarmSources(context, terminal);
    const status = await readStatus(sources);
    if (check === true && status.alarms.length > 0) terminal.fail();
    const lines = json === true ? [JSON.stringify(status)] : linesOf(status, terminal);
    for (const line of lines) await terminal.print(line);
    // Without the database no alarms can be found. The reason has already been printed.
    if (watch === true && sources.database !== null) await watchAlarms(sources, status.alarms, terminal);
  });
}

interface Status {
  readonly queues: readonly QueueStatus[] | null;
  readonly database: DatabaseStatus | null;
  readonly nodes: readonly ClusterNode[] | null;
  readonly rejected: number | null;
  readonly alarms: readonly DescribedAlarm[];
}

async function readStatus(sources: AlarmSources): Promise<Status> {
  const state = await readState(sources);
  const [queues, database, alarms, rejected] = await Promise.all([
    describeQueues(state.queues, sources.queues),
    sources.database === null ? null : readDatabaseStatus(sources.database, state),
    findAlarmsIn(state, sources),
    sources.database === null ? null : countRejections(sources.database.pool),
  ]);
  const { nodes = null } = state;
  return { queues, database, nodes, rejected, alarms };
}

function linesOf({ queues, database, nodes, rejected, alarms }: Status, { columns }: Terminal): string[] {
  return [
    ...(queues === null ? [] : formatTable(COLUMNS, queues, { width: columns })),
    ...(database === null ? [] : linesOfDatabase(database, queues)),
    ...(nodes === null || nodes.length === 0 ? [] : [describeNodes(nodes)]),
    ...(rejected === null ? [] : [`rejected     ${rejected}`]),
    ...alarms.map((alarm) => `ALARM        ${lineOf(alarm)}`),
  ];
}

function linesOfDatabase(database: DatabaseStatus, queues: readonly QueueStatus[] | null): readonly string[] {
  const unknown = database.knowsCommitTimes ? 'none' : "unknown (the server's track_commit_timestamp is off)";
  const missing = database.away.length === 0 ? '' : `, ${describeAway(database.away)}`;
  return [
    `completed    ${database.completedOperations} operations of ${database.structureVersions} structure versions${missing}`,
    `rate         ${Math.round(database.operationsPerSecond)} operations/s`,
    `last commit  ${database.lastCommitAt ?? unknown}`,
    describeUnlisted(database.unlisted),
    describeWorkers(database.workers, queues),
    describeAudit(database.lastAudit),
  ];
}

/**
 * Describes the workers with the lags of the slowest worker. A worker that was killed is no longer connected, but its
 * last report is still recent for a while.
 */
function describeWorkers(reports: readonly WorkerReport[], queues: readonly QueueStatus[] | null): string {
  const connected = (queues ?? []).flatMap(({ workers }) => workers ?? []);
  const reporting = new Set(reports.map(({ workerId }) => workerId)).size;
  const alive = connected.length === 0 ? reporting : Math.min(reporting, Math.max(...connected));
  const longest = (lagOf: (report: WorkerReport) => number | null) => {
    const lags = reports.map(lagOf).filter((lag) => lag !== null);
    return lags.length === 0 ? '-' : formatSpan('eng', Math.max(...lags));
  };
  const published = longest(({ publishingLagSeconds }) => publishingLagSeconds);
  const completed = longest(({ completionLagSeconds }) => completionLagSeconds);
  return `workers      ${alive} alive; to the figures ${published} from the queue, ${completed} from completion`;
}

/** Names the nodes that are not available. The companies of such a node wait for it. */
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

interface QueueStatus extends Omit<QueueState, 'name' | 'oldestWaitSeconds'> {
  readonly queue: string;
  /** Number of connected workers; null if the store does not report it. */
  readonly workers: number | null;
  /** Age of the oldest waiting job in seconds; null if no job waits. */
  readonly lagSeconds: number | null;
}

async function describeQueues(
  states: readonly QueueState[] | undefined,
  queues: QueuesToAsk | null,
): Promise<readonly QueueStatus[] | null> {
  if (states === undefined || queues === null) return null;
  return Promise.all(
    states.map(async ({ name: queue, oldestWaitSeconds: lagSeconds, ...state }) => ({
      queue,
      ...state,
      workers: (await countWorkers(queues, queue)) ?? null,
      lagSeconds,
    })),
  );
}

interface DatabaseStatus extends FiguresSummary {
  readonly unlisted: UnlistedTotals;
  /** Number of operations that are written per second. Duplicates and stale events write no operation. */
  readonly operationsPerSecond: number;
  /**
   * Time of the last change of figures or master data. Null if there was no change, or if the server does not store
   * such times.
   */
  readonly lastCommitAt: string | null;
  /** Reports of the workers that were seen within 30 s. Each worker has a report for each queue. */
  readonly workers: readonly WorkerReport[];
  /** The latest audit; null if there was none. */
  readonly lastAudit: AuditRun | null;
  /** False if track_commit_timestamp is off on the server. */
  readonly knowsCommitTimes: boolean;
}

const OPERATIONS: QueueName = 'work-order-operations';

async function readDatabaseStatus(
  database: Database,
  { reports: workers = [], audit }: Partial<AlarmState>,
): Promise<DatabaseStatus> {
  const { pool } = database;
  const { rows } = await pool.query<{ is_on: boolean }>(
    `SELECT current_setting('track_commit_timestamp')::boolean AS is_on`,
  );
  const knowsCommitTimes = rows[0]?.is_on === true;
  return {
    ...(await readFiguresSummary(database)),
    unlisted: await readUnlisted(database),
    operationsPerSecond: workers
      .filter(({ queue }) => queue === OPERATIONS)
      .reduce((sum, { perSecond }) => sum + perSecond.applied, 0),
    lastCommitAt: knowsCommitTimes ? await readLastCommit(pool) : null,
    knowsCommitTimes,
    workers,
    lastAudit: audit ?? null,
  };
}

/**
 * Reads the time of the last change. It is read from the rows of figures, because these rows know their last
 * transaction and are few compared with the operations.
 */
async function readLastCommit(pool: Database['pool']): Promise<string | null> {
  const { rows } = await askAboutCompanies<{ at: Date | null }>(
    pool,
    `SELECT max(pg_xact_commit_timestamp(xmin)) AS at FROM takt.product_structure_versions
     WHERE company_id = ANY ($1)`,
  );
  return rows[0]?.at?.toISOString() ?? null;
}
