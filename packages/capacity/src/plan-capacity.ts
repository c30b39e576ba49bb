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
  const apis = load.requestsPerSecond > 0 ? Math.max(2, Math.ceil(work.apiCores / TARGET_USE)) : 0;
  const planned: Planned = { load, costs, work, servers, workers, apis };
  return {
    needs: [
      ...workerNeeds(planned),
      ...postgresNeeds(planned),
      ...redisNeeds(planned),
      ...apiNeeds(planned),
      ...diskNeeds(planned),
      ...networkNeeds(planned),
      ...freshnessNeeds(planned),
    ],
    advice: adviseOn(load, work, servers.count),
  };
}

interface Planned {
  readonly load: Load;
  readonly costs: MeasuredCosts;
  readonly work: Work;
  readonly servers: { readonly count: number; readonly why: string };
  readonly workers: number;
  readonly apis: number;
}

type Row = readonly [what: string, amount: number, unit: Need['unit'], how: string];

function needsOf(part: Need['part'], rows: readonly Row[]): readonly Need[] {
  return rows.map(([what, amount, unit, how]) => ({ part, what, amount, unit, how }));
}

const HALF_BUSY = `${TARGET_USE * 100} % busy`;

function workerNeeds({ load, work, workers }: Planned): readonly Need[] {
  const each = `${round(work.workerMicroseconds)} µs an event x ${load.eventsPerSecond}/s`;
  return needsOf('worker', [
    ['busy cores', work.workerCores, 'cores', each],
    ['processes', workers, 'processes', `one core each, ${HALF_BUSY}, at least 2`],
  ]);
}

function postgresNeeds({ load, costs, work, servers, workers, apis }: Planned): readonly Need[] {
  const connections = workers * CONNECTIONS_A_WORKER + apis * CONNECTIONS_AN_API;
  const each = `${round(work.postgresMicroseconds)} µs an event with ${round(work.rowsAnEvent)} rows of figures`;
  const hot = `structure versions, swollen by ${costs.swelling}, and a day of the ledger`;
  return needsOf('PostgreSQL', [
    ['busy cores', work.postgresCores, 'cores', `${each}, and ${load.requestsPerSecond} pages/s`],
    ['cores', work.postgresCores / TARGET_USE, 'cores', HALF_BUSY],
    ['servers', servers.count, 'servers', servers.why],
    ['memory for what is busy', work.hotBytes, 'bytes', hot],
    [
      'connections',
      connections,
      'connections',
      `${CONNECTIONS_A_WORKER} a worker, ${CONNECTIONS_AN_API} an API`,
    ],
  ]);
}

function redisNeeds({ load, costs, work }: Planned): readonly Need[] {
  const waiting = load.eventsPerSecond * load.outageSeconds * costs.waitingEventBytes;
  const each = `${round(work.redisMicroseconds)} µs an event; one core is all that one node uses`;
  const outage = `${costs.waitingEventBytes} bytes an event for ${load.outageSeconds} s without the database`;
  return needsOf('Redis', [
    ['busy cores', work.redisCores, 'cores', each],
    ['memory for what waits', waiting, 'bytes', outage],
  ]);
}

function apiNeeds({ costs, work, apis }: Planned): readonly Need[] {
  return needsOf('API', [
    ['busy cores', work.apiCores, 'cores', `${round(costs.requestMicroseconds)} µs a page of 80`],
    ['processes', apis, 'processes', `one core each, ${HALF_BUSY}, at least 2`],
  ]);
}

function diskNeeds({ load, costs, work }: Planned): readonly Need[] {
  const pagesAnEvent = work.wholePageBytes / load.eventsPerSecond;
  const logBytesPerDay = (work.logBytes + pagesAnEvent) * load.eventsPerDay;
  const all = `${load.keptDays} days of the ledger and the structure versions`;
  const log = `${round(work.logBytes)} bytes an event and ${round(pagesAnEvent)} of whole pages`;
  return needsOf('disk', [
    ['ledger a day', work.ledgerBytesPerDay, 'bytes', `${costs.operationBytes} bytes an operation`],
    ['all of it', work.storedBytes, 'bytes', all],
    ['log', work.logBytesPerSecond, 'bytes/s', log],
    ['log a day', logBytesPerDay, 'bytes', 'what an archive for recovery to a moment holds'],
  ]);
}

function networkNeeds({ load, costs }: Planned): readonly Need[] {
  const throughRedis = 3 * load.eventsPerSecond * costs.eventBytes;
  const fromApi = load.requestsPerSecond * costs.pageBytes;
  return needsOf('network', [
    [
      'through Redis',
      throughRedis,
      'bytes/s',
      `${costs.eventBytes} bytes an event in, out, and to PostgreSQL`,
    ],
    ['from the API', fromApi, 'bytes/s', `${costs.pageBytes} bytes a page, not compressed`],
  ]);
}

function freshnessNeeds({ load, work, workers }: Planned): readonly Need[] {
  const station = 'collecting, the statement, and the wait for the one before it (M/D/1)';
  const burst = `${load.burst} times as much for ${load.burstSeconds} s, at all that is planned`;
  return needsOf('freshness', [
    ['on average', freshnessOf(load, work, workers), 'seconds', station],
    ['at the end of a burst', burstLag(load), 'seconds', burst],
  ]);
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
