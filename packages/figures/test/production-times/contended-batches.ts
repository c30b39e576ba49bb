import { randomFrom, toHours } from '@takt/test-support';
import pg from 'pg';
import {
  type AuditReport,
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  type WorkOrderOperationEvent,
} from '../../src/production-times/index.js';
import { completed, reopened } from './events.js';

const STRUCTURE_VERSIONS = [1, 2, 3];
const OPERATIONS = 24;
const EVENTS_PER_BATCH = 4;
/** Instants in 3 months, at which operations are completed. */
const INSTANTS = Array.from(
  { length: 30 },
  (_, index) => `2024-0${1 + (index % 3)}-0${1 + (index % 9)}T${10 + (index % 10)}:00:00.000000Z`,
);

export interface Contention {
  readonly database: string;
  readonly seed: number;
  readonly connections: number;
  readonly batches: number;
  readonly batchesPerAudit: number;
  /** The pool for the audits. It is needed if the connections of the batches may not read what an audit needs. */
  readonly auditOn?: pg.Pool;
  /** If true, a batch that ends in a deadlock is skipped and does not fail the run. */
  readonly allowsDeadlocks?: boolean;
}

/**
 * Applies random batches on several connections at once. All events are of a few operations of the same 3 structure
 * versions: new extremes, corrected or reopened extremes, moves, stale events and duplicates. Runs an audit after each
 * `batchesPerAudit` batches while the other connections continue, and an audit at the end. Stops at the first report
 * with differences and returns it; otherwise returns the last report.
 */
export async function contend(pool: pg.Pool, contention: Contention): Promise<AuditReport> {
  const nextBatch = randomBatches(contention);
  const audit = () => auditProductionTimes(contention.auditOn ?? pool, { database: contention.database });
  let left = contention.batches;
  let failed: AuditReport | undefined;

  async function work(): Promise<void> {
    while (left > 0 && failed === undefined) {
      left -= 1;
      const isAuditDue = left % contention.batchesPerAudit === 0;
      await applyWorkOrderOperationEvents(pool, nextBatch()).catch((error: unknown) => {
        if (!(contention.allowsDeadlocks === true && isDeadlock(error))) throw error;
      });
      if (!isAuditDue) continue;
      const report = await audit();
      if (report.differences.length > 0) failed = report;
    }
  }

  await Promise.all(Array.from({ length: contention.connections }, work));
  return failed ?? audit();
}

function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01';
}

function randomBatches({ database, seed }: Contention): () => readonly WorkOrderOperationEvent[] {
  const random = randomFrom(seed);
  const { below } = random;
  let revision = OPERATIONS;
  let last: WorkOrderOperationEvent | undefined;

  /**
   * Returns a random time. A third of the times are likely to be extremes, because they are near 0 or near 1,000,000 h.
   * The others are in between.
   */
  function someTime(): string {
    const side = below(6);
    const offset = BigInt(below(1_000_000));
    if (side === 0) return toHours(offset);
    if (side === 1) return toHours(1_000_000_000_000n - offset);
    return toHours(1_000_000n * BigInt(below(1_000_000)) + offset);
  }

  function someEvent(): WorkOrderOperationEvent {
    if (last !== undefined && below(20) === 0) return last;
    revision += 1;
    const identity = {
      database,
      workOrderOperationId: 1 + below(OPERATIONS),
      revision: below(10) === 0 ? revision - below(OPERATIONS) : revision,
    };
    if (below(4) === 0) return reopened(identity);
    return completed({
      ...identity,
      productStructureVersionId: STRUCTURE_VERSIONS[below(STRUCTURE_VERSIONS.length)] ?? 1,
      completedAt: random.pick(INSTANTS),
      runTime: someTime(),
      setupTime: below(3) === 0 ? null : someTime(),
      cleanupTime: below(3) === 0 ? null : someTime(),
    });
  }

  return () =>
    Array.from({ length: 1 + below(EVENTS_PER_BATCH) }, () => {
      last = someEvent();
      return last;
    });
}
