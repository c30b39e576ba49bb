import { type AppProcess, type AppProcessOptions, startApp } from '@takt/database/testing';
import { readPeakMemoryMb, waitUntil } from '@takt/test-support';
import type { System } from './system.js';

/** Several workers that share one queue and one database. */
export interface WorkerFleet {
  readonly workers: readonly AppProcess[];
  /** Kills a worker with kill -9. Returns a function that starts a replacement. */
  replace(worker: AppProcess): Promise<() => Promise<void>>;
  /** The output of all workers, including workers that have ended. */
  outputs(): readonly string[];
  /** Process ids of the workers that ended although no test stopped them. */
  endedUnasked(): readonly number[];
  /** Highest resident memory of any worker so far, in MB of 2^20 bytes. */
  peakMemoryMb(): number;
  /** Stops all workers with SIGTERM, and returns their exit codes. */
  stop(): Promise<readonly (number | null)[]>;
}

/** Starts this number of workers on a system. Closing the system kills the workers that still run with kill -9. */
export async function startWorkerFleet(
  size: number,
  { databaseUrl, queueUrl, atEnd }: System,
  options: Partial<AppProcessOptions> = {},
): Promise<WorkerFleet> {
  const all: AppProcess[] = [];
  const asked = new Set<AppProcess>();
  let peakMb = 0;
  const lookAt = (worker: AppProcess) => {
    if (worker.runs()) peakMb = Math.max(peakMb, readPeakMemoryMb(worker.pid));
  };
  const end = (worker: AppProcess, signal: NodeJS.Signals) => {
    lookAt(worker);
    if (worker.runs()) asked.add(worker);
    return worker.stop(signal);
  };
  const start = async () => {
    const worker = await startApp('worker', { databaseUrl, queueUrl, ...options });
    all.push(worker);
    return worker;
  };
  atEnd(() => Promise.all(all.map((worker) => end(worker, 'SIGKILL'))));
  const starts = await Promise.allSettled(Array.from({ length: size }, start));
  const failed = starts.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const workers = [...all];
  return {
    workers,
    replace: async (worker) => {
      await end(worker, 'SIGKILL');
      return async () => {
        workers[workers.indexOf(worker)] = await start();
      };
    },
    outputs: () => all.map((worker) => worker.output()),
    endedUnasked: () => all.filter((worker) => !worker.runs() && !asked.has(worker)).map(({ pid }) => pid),
    peakMemoryMb: () => {
      workers.forEach(lookAt);
      return peakMb;
    },
    stop: () => Promise.all(workers.map((worker) => end(worker, 'SIGTERM'))),
  };
}

const STATUS_DEADLINE_MS = 60_000;

/** Waits until /health/ready of the worker at this address returns the status. */
export async function waitForStatus(origin: string, status: number): Promise<void> {
  await waitUntil(
    `/health/ready says ${status}`,
    async () => (await fetchStatus(origin)) === status,
    STATUS_DEADLINE_MS,
  );
}

/** Returns the status of /health/ready, or undefined if there is no answer. */
export async function fetchStatus(origin: string): Promise<number | undefined> {
  const response = await fetch(`${origin}/health/ready`).catch(() => undefined);
  return response?.status;
}
