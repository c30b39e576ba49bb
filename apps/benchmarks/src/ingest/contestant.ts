import type { FreshDatabase } from './servers.js';
import type { Workload } from './workload.js';

/** What one contestant took in one round. */
export interface Measurement {
  readonly events: number;
  readonly seconds: number;
  /** Per process kind, CPU time in microseconds an event; the client is the benchmark itself, where it publishes. */
  readonly workerCpuMicroseconds?: number | undefined;
  readonly intakeCpuMicroseconds?: number | undefined;
  readonly clientCpuMicroseconds?: number | undefined;
  readonly postgresCpuMicroseconds?: number | undefined;
  readonly redisCpuMicroseconds?: number | undefined;
  readonly walBytes?: number;
  /** Of the worker. */
  readonly peakMemoryMb?: number | undefined;
}

export interface RunContext {
  readonly workload: Workload;
  readonly fresh: FreshDatabase;
  readonly redisUrl: string;
}

export interface Contestant {
  readonly name: string;
  readonly about: string;
  /** Share of the workload's events that it gets; the slow ones are measured on fewer. */
  readonly share: number;
  /** What is to be checked: figures by month are what Takt alone keeps, and where nothing reaches the database there are none. */
  readonly figures: 'all' | 'without months' | 'none';
  run(context: RunContext): Promise<Measurement>;
}
