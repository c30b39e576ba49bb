import * as schema from '@takt/catalogue/schema';
import { type Database, openDatabase } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { drizzle } from 'drizzle-orm/node-postgres';
import fc from 'fast-check';

const CONNECTIONS = 4;
const BATCH_SIZES = [2, 5, 9, 14];

/** A database with the company TEM-NO, and the connections of four workers. */
export interface ConcurrentWriters {
  readonly test: TestDatabase;
  readonly connections: readonly Database[];
  close(): Promise<void>;
}

export async function openConcurrentWriters(): Promise<ConcurrentWriters> {
  const test = await createTestDatabase();
  await drizzle(test.database.pool).insert(schema.companies).values({ code: 'TEM-NO', name: 'Tem' });
  const connections = Array.from({ length: CONNECTIONS }, () =>
    openDatabase({ url: test.appUrl('worker'), applicationName: 'concurrent', maxConnections: 1 }),
  );
  return {
    test,
    connections,
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
      await test.close();
    },
  };
}

/**
 * Applies all items in batches with one of the functions in STATEMENTS. The seed decides the order of the items and the
 * sizes of the batches. Each batch keeps its locks for 3 ms after its work, so that the other writers wait for them.
 */
export async function applyShuffled(
  database: Database,
  functionName: keyof typeof STATEMENTS,
  items: readonly BatchItem[],
  seed: number,
): Promise<void> {
  const shuffled = shuffle(items, seed);
  let turn = 0;
  for (let start = 0; start < shuffled.length; ) {
    const size = BATCH_SIZES[turn++ % BATCH_SIZES.length] ?? 1;
    await database.pool.query(STATEMENTS[functionName], batchArguments(shuffled.slice(start, start + size)));
    start += size;
  }
}

/**
 * An event with the names of columns or with the names of the code. The code of the company is separate, because
 * functions take it as an argument of its own.
 */
export interface BatchItem {
  readonly database: string;
}

/** Returns the arguments of a function that takes a batch of events. */
export function batchArguments(items: readonly BatchItem[]): unknown[] {
  const rows = items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [toColumn(name), value])),
  );
  return [items.map(({ database }) => database), JSON.stringify(rows)];
}

function toColumn(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const STATEMENTS = {
  apply_product_structure_version_changes:
    'SELECT count(*), pg_sleep(0.003) FROM takt.apply_product_structure_version_changes($1, $2)',
  apply_application_version_changes:
    'SELECT count(*), pg_sleep(0.003) FROM takt.apply_application_version_changes($1, $2)',
  apply_work_order_operation_events:
    'SELECT count(*), pg_sleep(0.003) FROM takt.apply_work_order_operation_events($1, $2)',
} as const;

function shuffle<T>(items: readonly T[], seed: number): readonly T[] {
  const anyOrder = fc.shuffledSubarray([...items], { minLength: items.length });
  return fc.sample(anyOrder, { seed, numRuns: 1 })[0] ?? [];
}

/** Returns a different instant for each index. Two neighbours are one microsecond apart. */
export function instantOf(index: number): string {
  return `2026-03-02T12:00:00.${String(index).padStart(6, '0')}Z`;
}
