import type { BackendFactory, IQueueBackend } from 'bullmq';
import type { StoreView } from './store-view.js';

/** Where the queues live; hides which of the two it is. */
export interface QueueStore {
  /** What BullMQ calls for each queue and worker. */
  readonly createBackend: BackendFactory<IQueueBackend, QueueStore>;
  readonly view: StoreView;
  /** PostgreSQL: its pools, which become more with each worker; elsewhere none. */
  readonly pools: () => readonly ConnectionPool[];
  /**
   * Mends what clocks that ran ahead left behind; `claimMs` is how long a claim of this client lasts. Undefined where
   * the store goes by its own clock; one that has it takes the clients' word for the time.
   */
  readonly repairTimes?: (queue: string, claimMs: number) => Promise<number>;
  /** Closes the connections; rejects at the deadline, after which they are no longer waited for. */
  readonly close: (deadlineMs: number) => Promise<void>;
}

/**
 * How a pool of `pg` is used. Not its own type: what the index exports must compile where one of the drivers is missing,
 * also without skipLibCheck.
 */
export interface ConnectionPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max?: number | undefined };
}

export interface QueueStoreSettings {
  readonly connectDeadlineMs: number;
  readonly onError: (error: Error) => void;
  readonly maxPostgresConnections: number;
  /** False for who only adds jobs: what BullMQ's statements look like then does not matter. */
  readonly readsJobs: boolean;
}

/** A setting of the queue's store with which acknowledged jobs can get lost or stuck. */
export interface QueueDurabilityProblem {
  readonly setting: 'appendonly' | 'maxmemory-policy' | 'clock';
  readonly got: string;
  /** What is wrong, why it matters and what to set. */
  readonly message: string;
}
