import type { MeasuredCosts } from './measured-costs.js';
import { eventsPerTransaction, type Load, met, TARGET_USE, type Work, workOf } from './work-of-load.js';

/** One thing that is needed. */
export interface Need {
  readonly part: 'worker' | 'PostgreSQL' | 'Redis' | 'API' | 'disk' | 'network' | 'freshness';
  readonly what: string;
  readonly amount: number;
  readonly unit: 'cores' | 'processes' | 'servers' | 'connections' | 'bytes' | 'bytes/s' | 'seconds';
  /** How it follows from the load and from what was measured. */
  readonly how: string;
}

export interface CapacityPlan {
  readonly needs: readonly Need[];
  /** What the load asks of the operator beyond machines, a sentence each. */
  readonly advice: readonly string[];
}

const CONNECTIONS_A_WORKER = 5;
const CONNECTIONS_AN_API = 10;
const HALF_BUSY = `${TARGET_USE * 100} % busy`;
/** What one server can have; above it, several are needed. */
const SERVER = { cores: 32, logBytesPerSecond: 200e6, diskBytes: 8e12 };

/**
 * What a load needs: its rates times the measured costs. Structure versions are taken to be evenly busy, which is the worst
 * case for log and memory.
 */
export function planCapacity(load: Load, costs: MeasuredCosts): CapacityPlan {
  const work = workOf(load, costs);
  const servers = serversFor(work);
  const workers = Math.max(2, Math.ceil(work.workerCores / TARGET_USE));
  const apis = load.requestsPerSecond > 0 ? Math.max(2, Math.ceil(work.apiCores / TARGET_USE)) : 0;
  const connections = workers * CONNECTIONS_A_WORKER + apis * CONNECTIONS_AN_API;
  const rows: readonly Row[] = [
    ...processNeeds(load, costs, { work, workers, apis, connections, servers }),
    ...volumeNeeds(load, costs, work),
  ];
  const needs = rows.map(([part, what, amount, unit, how]) => ({ part, what, amount, unit, how }));
  return { needs, advice: adviseOn(load, work, servers.count) };
}

type Row = readonly [part: Need['part'], what: string, amount: number, unit: Need['unit'], how: string];

interface Planned {
  readonly work: Work;
  readonly workers: number;
  readonly apis: number;
  readonly connections: number;
  readonly servers: { readonly count: number; readonly why: string };
}

/** What runs: processors, processes, servers, and their memory. */
function processNeeds(
  load: Load,
  costs: MeasuredCosts,
  { work, workers, apis, connections, servers }: Planned,
): readonly Row[] {
  const { eventsPerSecond: rate, requestsPerSecond, outageSeconds } = load;
  const ofWorker = `${round(work.workerMicroseconds)} µs an event x ${rate}/s`;
  const processes = `one core each, ${HALF_BUSY}, at least 2`;
  const ofPostgres =
    `${round(work.postgresMicroseconds)} µs an event with ${round(work.rowsAnEvent)} rows of figures, ` +
    `and ${requestsPerSecond} pages/s`;
  const hot = `structure versions, swollen by ${costs.swelling}, and a day of the ledger`;
  const perProcess = `${CONNECTIONS_A_WORKER} a worker, ${CONNECTIONS_AN_API} an API`;
  const ofRedis = `${round(work.redisMicroseconds)} µs an event; one core is all that one node uses`;
  const waiting = rate * outageSeconds * costs.waitingEventBytes;
  const outage = `${costs.waitingEventBytes} bytes an event for ${outageSeconds} s without the database`;
  return [
    ['worker', 'busy cores', work.workerCores, 'cores', ofWorker],
    ['worker', 'processes', workers, 'processes', processes],
    ['PostgreSQL', 'busy cores', work.postgresCores, 'cores', ofPostgres],
    ['PostgreSQL', 'cores', work.postgresCores / TARGET_USE, 'cores', HALF_BUSY],
    ['PostgreSQL', 'servers', servers.count, 'servers', servers.why],
    ['PostgreSQL', 'memory for what is busy', work.hotBytes, 'bytes', hot],
    ['PostgreSQL', 'connections', connections, 'connections', perProcess],
    ['Redis', 'busy cores', work.redisCores, 'cores', ofRedis],
    ['Redis', 'memory for what waits', waiting, 'bytes', outage],
    ['API', 'busy cores', work.apiCores, 'cores', `${round(costs.requestMicroseconds)} µs a page of 80`],
    ['API', 'processes', apis, 'processes', processes],
  ];
}

/** What is kept and what is carried: disk, log, network, and what a burst leaves to be done. */
function volumeNeeds(load: Load, costs: MeasuredCosts, work: Work): readonly Row[] {
  const { eventsPerSecond: rate, requestsPerSecond, burst, burstSeconds } = load;
  const logBytesPerDay = (work.logBytes + work.wholePageBytes) * load.eventsPerDay;
  const ledger = `${costs.operationBytes} bytes an operation`;
  const all = `${load.keptDays} days of the ledger and the structure versions`;
  const log = `${round(work.logBytes)} bytes an event and ${round(work.wholePageBytes)} of whole pages`;
  const archive = 'what an archive for recovery to a moment holds';
  const throughRedis = `${costs.eventBytes} bytes an event in, out, and to PostgreSQL`;
  const ofApi = `${costs.pageBytes} bytes a page, not compressed`;
  const pace = rate / TARGET_USE;
  const lagSeconds = (Math.max(0, burst * rate - pace) * burstSeconds) / pace;
  const ofBurst = `${burst} times as much for ${burstSeconds} s, at all that is planned`;
  return [
    ['disk', 'ledger a day', work.ledgerBytesPerDay, 'bytes', ledger],
    ['disk', 'all of it', work.storedBytes, 'bytes', all],
    ['disk', 'log', work.logBytesPerSecond, 'bytes/s', log],
    ['disk', 'log a day', logBytesPerDay, 'bytes', archive],
    ['network', 'through Redis', 3 * rate * costs.eventBytes, 'bytes/s', throughRedis],
    ['network', 'from the API', requestsPerSecond * costs.pageBytes, 'bytes/s', ofApi],
    ['freshness', 'at the end of a burst', lagSeconds, 'seconds', ofBurst],
  ];
}

/** The largest of what processors, log and disk ask for. */
function serversFor(work: Work): Planned['servers'] {
  const reasons: readonly (readonly [by: string, count: number])[] = [
    [`${SERVER.cores} cores`, work.postgresCores / TARGET_USE / SERVER.cores],
    [
      `${round(SERVER.logBytesPerSecond / 1e6)} MB/s of log`,
      work.logBytesPerSecond / SERVER.logBytesPerSecond,
    ],
    [
      `${round(SERVER.diskBytes / 1e12)} TB of disk, half full`,
      work.storedBytes / TARGET_USE / SERVER.diskBytes,
    ],
  ];
  const count = Math.max(1, ...reasons.map(([, needed]) => Math.ceil(needed)));
  return { count, why: `by ${reasons.map(([by, needed]) => `${by}: ${Math.ceil(needed)}`).join(', ')}` };
}

/** Measured: an event costs a node up to twice what it costs a single server (docs/operating/scale.md). */
const NODES_A_SERVER = 2;

function adviseOn(load: Load, work: Work, servers: number): readonly string[] {
  const advice: readonly (readonly [applies: boolean, sentence: string])[] = [
    [
      work.redisCores > TARGET_USE,
      'One Redis node is too busy: publish in batches, or give each group of companies a Redis and workers of its own.',
    ],
    [
      servers > 1,
      `One PostgreSQL server is not enough: spread the companies over ${servers * NODES_A_SERVER} nodes of a Citus cluster (takt cluster init), of which each carries half of what a single server does, or give groups of companies databases of their own.`,
    ],
    [
      isSerial(load, work),
      'The transactions of one company wait for each other, for its structure versions are few and its events many: no machine helps beyond one core for each company.',
    ],
    [!load.inBatches, 'Each event alone costs four times as much in the worker: publish in batches.'],
    [work.storedBytes > 1e12, 'Prune: the ledger alone is above a terabyte.'],
  ];
  return advice.filter(([applies]) => applies).map(([, sentence]) => sentence);
}

/**
 * Where two transactions of a company mostly have some row in common, they run one after the other, and one core is all
 * that the company can have.
 */
function isSerial(load: Load, { postgresMicroseconds }: Work): boolean {
  const versions = load.structureVersions / load.companies;
  const rowsInCommon = met(versions, eventsPerTransaction(load)) ** 2 / versions;
  const coresOfCompany = (load.eventsPerSecond * postgresMicroseconds) / 1e6 / load.companies;
  return rowsInCommon >= 1 && coresOfCompany > TARGET_USE;
}

function round(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
