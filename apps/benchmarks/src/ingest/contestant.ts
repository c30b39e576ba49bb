import type { FreshDatabase } from './servers.js';
import type { Workload } from './workload.js';

/** What one contestant took in one round. */
export interface Measurement {
  readonly events: number;
  readonly seconds: number;
  /** Per process kind, CPU time in microseconds an event. */
  readonly workerCpuMicroseconds?: number;
  readonly postgresCpuMicroseconds?: number;
  readonly redisCpuMicroseconds?: number;
  readonly walBytes?: number;
  readonly peakMemoryMb?: number;
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
  /** False where nothing reaches the database, so there are no figures to check. */
  readonly hasFigures: boolean;
  run(context: RunContext): Promise<Measurement>;
}
