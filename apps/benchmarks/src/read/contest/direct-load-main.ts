import { openDatabase } from '@takt/database';
import { percentile } from '../../harness.js';
import type { DirectLoad, LoadResult } from './http-load.js';

process.once('message', async (message) => {
  process.send?.(await execute(message as DirectLoad));
  process.exit(0);
});

/** As the API connects, and with as little work on this side as the driver allows: no value is decoded. */
async function execute({
  databaseUrl,
  companyKey,
  requests,
  connections,
  seconds,
}: DirectLoad): Promise<LoadResult> {
  const database = openDatabase({
    url: databaseUrl,
    applicationName: 'takt bench direct',
    maxConnections: connections,
    statementTimeoutMs: 60_000,
    settings: { jit: 'off', 'takt.company_key': companyKey },
  });
  const types = { getTypeParser: () => (text: string) => text };
  const latenciesMs: number[] = [];
  let next = 0;
  const runUntil = async (end: number) => {
    while (performance.now() < end) {
      const statements = requests[next++ % requests.length];
      if (statements === undefined) throw new Error('there is nothing to execute');
      const startedAt = performance.now();
      for (const { name, text, values } of statements) {
        const named = name === '' ? {} : { name };
        await database.pool.query({ ...named, text, values: [...values], types });
      }
      latenciesMs.push(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, () => runUntil(startedAt + seconds * 1_000)));
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  await database.close();
  return {
    requests: latenciesMs.length,
    perSecond: latenciesMs.length / elapsedSeconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    failures: 0,
  };
}
