import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { type Database, migrate, openDatabase } from '@takt/database';
import { type EventInput, parseEvent } from '@takt/events';
import { generateEvents } from '@takt/events/generator';
import type { WorkOrderOperationEvent } from '@takt/figures';
import { addCompany, applyReferenceData, type ReferenceDataEvent } from '@takt/figures/master-data';
import { startTestRedis } from '@takt/test-support';
import { type Defer, startServer } from '../harness.js';

export const COMPANY = 'TEM-NO';

export interface Workload {
  readonly masterData: readonly ReferenceDataEvent[];
  /** The events in the form in which producers send them. */
  readonly completions: readonly EventInput[];
  /** The same events in the form that they have after validation. */
  readonly parsed: readonly WorkOrderOperationEvent[];
}

/**
 * Makes completions of operations, which are the same for every contestant: 2 % are corrected, and 1 % are duplicated.
 */
export function makeWorkload(events: number, structureVersions: number, seed: number): Workload {
  const options = { events, structureVersions, companies: [COMPANY], seed };
  const masterData: ReferenceDataEvent[] = [];
  const completions: EventInput[] = [];
  const parsed: WorkOrderOperationEvent[] = [];
  for (const event of generateEvents({ ...options, corrections: 0.02, duplicates: 0.01 })) {
    const result = parseEvent(event);
    if (!result.ok) throw new Error('the generator made an event that breaks the contract');
    if (result.event.type.startsWith('work-order-operation.')) {
      completions.push(event);
      parsed.push(result.event as WorkOrderOperationEvent);
    } else {
      masterData.push(result.event as ReferenceDataEvent);
    }
  }
  return { masterData, completions, parsed };
}

/** The database that a contestant has in one round. It is migrated, and has master data but no completions. */
export interface FreshDatabase {
  readonly url: string;
  readonly database: Database;
}

export interface Servers {
  readonly redisUrl: string;
  readonly makeDatabase: (defer: Defer) => Promise<FreshDatabase>;
}

/**
 * Starts PostgreSQL and Redis. Both are as durable as in production, with `fsync`, synchronous commits and an
 * append-only file. Every contestant gets a clone of one database that has the master data.
 */
export async function startServers(
  defer: Defer,
  masterData: readonly ReferenceDataEvent[],
): Promise<Servers> {
  const server = await startServer(defer);
  // The limit is raised because, with the default of 64 MB, Redis would rewrite the append-only file every few seconds,
  // and each rewrite takes a core.
  const redis = await startTestRedis(['--auto-aof-rewrite-min-size', '1gb']);
  defer(redis.close);
  const template = await server.createDatabase('bench_template');
  await migrate(template, { synchronise: synchroniseServedTexts });
  const database = openDatabase({ url: template, applicationName: 'takt bench template' });
  await addCompany(database, COMPANY, 'Benchmark');
  await applyReferenceData(database.pool, masterData);
  await database.pool.query('VACUUM ANALYZE');
  await database.close();
  let databases = 0;
  return {
    redisUrl: redis.url,
    makeDatabase: async (deferDrop) => {
      databases += 1;
      const name = `bench_${databases}`;
      const url = await server.createDatabase(name, 'bench_template');
      deferDrop(() => server.admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
      await server.admin.query('CHECKPOINT');
      const fresh = openDatabase({ url, applicationName: 'takt bench', statementTimeoutMs: 300_000 });
      deferDrop(fresh.close);
      return { url, database: fresh };
    },
  };
}
