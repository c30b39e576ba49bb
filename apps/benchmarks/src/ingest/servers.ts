import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { type Database, migrate, openDatabase } from '@takt/database';
import { parseEvent, type TaktEvent } from '@takt/events';
import { generateEvents } from '@takt/events/generator';
import type { WorkOrderOperationEvent } from '@takt/figures';
import { addCompany, applyReferenceData, type ReferenceDataEvent } from '@takt/figures/master-data';
import { startTestRedis, type TestRedis } from '@takt/test-support';
import { startServer } from '../harness.js';

export interface Workload {
  /** Events as they are on the wire, master data apart. */
  readonly masterData: readonly unknown[];
  readonly completions: readonly unknown[];
  /** The same completions as the worker sees them after validation. */
  readonly parsed: readonly WorkOrderOperationEvent[];
}

export const COMPANY = 'TEM-NO';

/** The same events for every contestant: a shop floor's completions with 2 % corrections and 1 % duplicates. */
export function makeWorkload(events: number, structures: number, seed: number): Workload {
  const masterData: unknown[] = [];
  const completions: unknown[] = [];
  const parsed: WorkOrderOperationEvent[] = [];
  const options = {
    events,
    structureVersions: structures,
    companies: [COMPANY],
    seed,
    corrections: 0.02,
    duplicates: 0.01,
  };
  for (const event of generateEvents(options)) {
    const result = parseEvent(event);
    if (!result.ok) throw new Error('the generator made an event that breaks the contract');
    if (isWorkOrderOperationEvent(result.event)) {
      completions.push(event);
      parsed.push(result.event);
    } else {
      masterData.push(event);
    }
  }
  return { masterData, completions, parsed };
}

function isWorkOrderOperationEvent(event: TaktEvent): event is WorkOrderOperationEvent {
  return event.type.startsWith('work-order-operation.');
}

/** One database for one contestant in one round: migrated, with the master data listed, no completions yet. */
export interface FreshDatabase {
  readonly url: string;
  readonly database: Database;
  close(): Promise<void>;
}

export interface Servers {
  readonly redis: TestRedis;
  makeDatabase(): Promise<FreshDatabase>;
  close(): Promise<void>;
}

/**
 * A PostgreSQL and a redis-server for this run alone, both as durable as in production: fsync and synchronous
 * commit on, AOF on. Every contestant gets a clone of the same template, so the same indexes and the same start.
 */
export async function startServers(workload: Workload): Promise<Servers> {
  const server = await startServer();
  // By default Redis writes its log anew at 64 MB, every few seconds here, and takes a core for it each time: the
  // README advises this of production too.
  const redis = await startTestRedis(['--auto-aof-rewrite-min-size', '1gb']);
  await fillTemplate(await server.createDatabase('bench_template'), workload);
  let databases = 0;
  return {
    redis,
    makeDatabase: async () => {
      databases += 1;
      const name = `bench_${databases}`;
      const url = await server.createDatabase(name, 'bench_template');
      await server.admin.query('CHECKPOINT');
      const database = openDatabase({ url, applicationName: 'takt bench', statementTimeoutMs: 300_000 });
      return {
        url,
        database,
        close: async () => {
          await database.close();
          await server.admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        },
      };
    },
    close: async () => {
      await redis.close();
      await server.close();
    },
  };
}

async function fillTemplate(url: string, { masterData }: Workload): Promise<void> {
  await migrate(url, { synchronise: synchroniseServedTexts });
  const database = openDatabase({ url, applicationName: 'takt bench template' });
  await addCompany(database, COMPANY, 'Benchmark');
  const events = masterData.flatMap((event) => {
    const result = parseEvent(event);
    return result.ok ? [result.event as ReferenceDataEvent] : [];
  });
  await applyReferenceData(database.pool, events);
  await database.pool.query('VACUUM ANALYZE');
  await database.close();
}
