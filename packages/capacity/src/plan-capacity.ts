import type { MeasuredCosts } from './measured-costs.js';
import { eventsPerTransaction, isSerial, type Load, TARGET_USE, type Work, workOf } from './work-of-load.js';

/** What a server can have; above it, several are needed. */
export interface Machine {
  readonly cores: number;
  readonly logBytesPerSecond: number;
  readonly diskBytes: number;
}

/** One thing that is needed. */
export interface Need {
  readonly part: 'worker' | 'PostgreSQL' | 'Redis' | 'API' | 'disk' | 'network' | 'freshness';
  readonly what: string;
  readonly amount: number;
  readonly unit:
    | 'cores'
    | 'processes'
    | 'servers'
    | 'connections'
    | 'bytes'
    | 'bytes/s'
    | 'seconds'
    | 'share';
  /** How it follows from the load and from what was measured. */
  readonly how: string;
}

export interface CapacityPlan {
  readonly needs: readonly Need[];
  /** What the load asks of the operator beyond machines, a sentence each. */
  readonly advice: readonly string[];
}

const CONNECTIONS_A_WORKER = 5;
const CONNECTIONS_AN_API = 8;
const CORES_AN_API = 1;
const LINGER_SECONDS = 0.003;
const DEFAULT_MACHINE: Machine = { cores: 32, logBytesPerSecond: 200e6, diskBytes: 8e12 };

/**
 * What a load needs by the measured costs: a model of stations that each take a while for an event, no simulation of
 * single ones. Structure versions are taken to be evenly busy, which is the worst case for log and memory.
 */
export function planCapacity(
  load: Load,
  costs: MeasuredCosts,
  machine: Machine = DEFAULT_MACHINE,
): CapacityPlan {
  const work = workOf(load, costs);
  const servers = serversFor(work, machine);
  const workers = Math.max(2, Math.ceil(work.workerCores / TARGET_USE));
  const apis = Math.max(
    load.requestsPerSecond > 0 ? 2 : 0,
    Math.ceil(work.apiCores / (CORES_AN_API * TARGET_USE)),
  );
  const waitingBytes = load.eventsPerSecond * load.outageSeconds * costs.waitingEventBytes;
  const { eventsPerSecond: rate } = load;
  const need = (part: Need['part'], what: string, amount: number, unit: Need['unit'], how: string): Need => ({
    ...{ part, what, amount, unit, how },
  });
  const each = (microseconds: number) => `${round(microseconds)} µs an event`;
  const needs = [
    need('worker', 'busy cores', work.workerCores, 'cores', `${each(work.workerMicroseconds)} x ${rate}/s`),
    need(
      'worker',
      'processes',
      workers,
      'processes',
      `one core each, ${TARGET_USE * 100} % busy, at least 2`,
    ),
    need(
      'PostgreSQL',
      'busy cores',
      work.postgresCores,
      'cores',
      `${each(work.postgresMicroseconds)}, ${round(work.rowsAnEvent)} rows of figures an event, and ${load.requestsPerSecond} pages/s`,
    ),
    need('PostgreSQL', 'cores', work.postgresCores / TARGET_USE, 'cores', `${TARGET_USE * 100} % busy`),
    need('PostgreSQL', 'servers', servers.count, 'servers', servers.why),
    need(
      'PostgreSQL',
      'memory for the busy part',
      work.hotBytes,
      'bytes',
      `structure versions, swollen by ${costs.swelling}, and a day of the ledger`,
    ),
    need(
      'PostgreSQL',
      'connections',
      workers * CONNECTIONS_A_WORKER + apis * CONNECTIONS_AN_API,
      'connections',
      `${CONNECTIONS_A_WORKER} a worker, ${CONNECTIONS_AN_API} an API`,
    ),
    need(
      'Redis',
      'busy cores',
      work.redisCores,
      'cores',
      `${each(work.redisMicroseconds)}; one core is all that one node uses`,
    ),
    need(
      'Redis',
      'memory for what waits',
      waitingBytes,
      'bytes',
      `${costs.waitingEventBytes} bytes an event for ${load.outageSeconds} s without the database`,
    ),
    need('API', 'busy cores', work.apiCores, 'cores', `${round(costs.requestMicroseconds)} µs a page of 80`),
    need('API', 'processes', apis, 'processes', `one core each, ${TARGET_USE * 100} % busy`),
    need(
      'disk',
      'ledger a day',
      work.ledgerBytesPerDay,
      'bytes',
      `${costs.operationBytes} bytes an operation`,
    ),
    need(
      'disk',
      'all of it',
      work.storedBytes,
      'bytes',
      `${load.keptDays} days of the ledger and the structure versions`,
    ),
    need(
      'disk',
      'log',
      work.logBytesPerSecond,
      'bytes/s',
      `${round(work.logBytes)} bytes an event and ${round(work.wholePageBytes / rate)} of whole pages`,
    ),
    need(
      'disk',
      'log a day',
      work.logBytes * load.eventsPerDay + (work.wholePageBytes * load.eventsPerDay) / rate,
      'bytes',
      'what an archive for recovery to a moment holds',
    ),
    need(
      'network',
      'through Redis',
      3 * rate * costs.eventBytes,
      'bytes/s',
      `${costs.eventBytes} bytes an event in, out, and to PostgreSQL`,
    ),
    need(
      'network',
      'from the API',
      load.requestsPerSecond * costs.pageBytes,
      'bytes/s',
      `${costs.pageBytes} bytes a page, not compressed`,
    ),
    need(
      'freshness',
      'on average',
      freshnessOf(load, work, workers),
      'seconds',
      'collecting, the statement, and the wait for the one before it (M/D/1)',
    ),
    need(
      'freshness',
      'at the end of a burst',
      burstLag(load),
      'seconds',
      `${load.burst} times as much for ${load.burstSeconds} s, at all that was planned`,
    ),
  ];
  return { needs, advice: adviseOn(load, work, servers.count) };
}

/** The largest of what processors, log and disk ask for. */
function serversFor(work: Work, machine: Machine): { readonly count: number; readonly why: string } {
  const reasons = [
    { by: `${machine.cores} cores`, count: work.postgresCores / TARGET_USE / machine.cores },
    {
      by: `${round(machine.logBytesPerSecond / 1e6)} MB/s of log`,
      count: work.logBytesPerSecond / machine.logBytesPerSecond,
    },
    {
      by: `${round(machine.diskBytes / 1e12)} TB of disk, half full`,
      count: work.storedBytes / TARGET_USE / machine.diskBytes,
    },
  ];
  const count = Math.max(1, ...reasons.map((reason) => Math.ceil(reason.count)));
  return {
    count,
    why: `by ${reasons.map((reason) => `${reason.by}: ${Math.ceil(reason.count)}`).join(', ')}`,
  };
}

/** A station with a fixed time of service, at which batches arrive at random: M/D/1. */
function freshnessOf(load: Load, work: Work, workers: number): number {
  const serviceSeconds =
    (eventsPerTransaction(load) * (work.workerMicroseconds + work.postgresMicroseconds)) / 1e6;
  const use = Math.max(work.workerCores / workers, TARGET_USE);
  return LINGER_SECONDS + serviceSeconds + (serviceSeconds * use) / (2 * (1 - use));
}

/** How long what has piled up when the burst ends takes, at the pace of what was planned. */
function burstLag({ eventsPerSecond, burst, burstSeconds }: Load): number {
  const pace = eventsPerSecond / TARGET_USE;
  return (Math.max(0, burst * eventsPerSecond - pace) * burstSeconds) / pace;
}

function adviseOn(load: Load, work: Work, servers: number): readonly string[] {
  return [
    ...(work.redisCores > TARGET_USE
      ? [
          'One Redis node is too busy: publish in batches, or give each group of companies a Redis and workers of its own.',
        ]
      : []),
    ...(servers > 1
      ? [
          `One PostgreSQL server is not enough: distribute by company over ${servers} (Citus), or give groups of companies databases of their own.`,
        ]
      : []),
    ...(isSerial(load, work)
      ? [
          'The transactions of one company wait for each other, for its structure versions are few and its events many: no machine helps beyond one core for each company.',
        ]
      : []),
    ...(load.inBatches
      ? []
      : ['Each event alone costs four times as much in the worker: publish in batches.']),
    ...(work.storedBytes > 1e12 ? ['Prune: the ledger alone is above a terabyte.'] : []),
  ];
}

function round(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
