import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import type pg from 'pg';
import { type Figures, readCpuMs, readNumber } from '../harness.js';
import { WAL_BYTES } from '../ingest/measure.js';

/**
 * Applies batches on one connection, each batch in a transaction of its own. Returns three figures: the CPU time of the
 * backend in microseconds per event, the bytes of the write-ahead log per event, and the number of full-page images.
 */
export async function applyBatches(
  client: pg.PoolClient,
  batches: readonly (readonly WorkOrderOperationEvent[])[],
): Promise<Figures> {
  const pid = await readNumber(client, 'pg_backend_pid()');
  const read = async () => {
    await client.query('SELECT pg_stat_force_next_flush()');
    const pages = await readNumber(client, '(SELECT wal_fpi FROM pg_stat_wal)');
    return { ms: readCpuMs(pid), pages, bytes: await readNumber(client, WAL_BYTES) };
  };
  const before = await read();
  for (const batch of batches) await applyWorkOrderOperationEvents(client, batch);
  const after = await read();
  const events = batches.flat().length;
  return {
    'backend CPU µs/event': ((after.ms - before.ms) * 1_000) / events,
    'WAL bytes/event': (after.bytes - before.bytes) / events,
    'whole pages': after.pages - before.pages,
  };
}
