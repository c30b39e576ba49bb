import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, migrate, openDatabase } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { parseEvent } from '@takt/events';
import { addCompany, applyReferenceData, type ReferenceDataEvent } from '@takt/master-data';
import { synchroniseServedTexts } from '@takt/resources';
import { startTestRedis, type TestRedis, withDatabase } from '@takt/test-support';
import { COMPANY, type Workload } from './workload.js';

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
  const home = await mkdtemp(join(tmpdir(), 'takt-bench-'));
  const lease = await leaseEmbeddedServer({ home });
  // By default Redis writes its log anew at 64 MB, every few seconds here, and takes a core for it each time: the
  // README advises this of production too.
  const redis = await startTestRedis(['--auto-aof-rewrite-min-size', '1gb']);
  const admin = openDatabase({ url: lease.url, applicationName: 'takt bench administration' });
  await admin.pool.query('CREATE DATABASE bench_template');
  await fillTemplate(withDatabase(lease.url, 'bench_template'), workload);
  let databases = 0;
  return {
    redis,
    makeDatabase: async () => {
      databases += 1;
      const name = `bench_${databases}`;
      await admin.pool.query(`CREATE DATABASE ${name} TEMPLATE bench_template`);
      await admin.pool.query('CHECKPOINT');
      const url = withDatabase(lease.url, name);
      const database = openDatabase({ url, applicationName: 'takt bench', statementTimeoutMs: 300_000 });
      return {
        url,
        database,
        close: async () => {
          await database.close();
          await admin.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
        },
      };
    },
    close: async () => {
      await admin.close();
      await redis.close();
      await lease.close();
      await rm(home, { recursive: true, force: true });
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
