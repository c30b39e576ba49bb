import { openDatabase } from '@takt/database';
import { percentile } from '../harness.js';
import type { DirectLoad, LoadResult } from './load.js';

process.once('message', async (message) => {
  process.send?.(await execute(message as DirectLoad));
  process.exit(0);
});

/** Connects like the API and does as little work as the driver allows: no value is decoded. */
async function execute(load: DirectLoad): Promise<LoadResult> {
  const { databaseUrl, companyKey, requests, connections, seconds } = load;
  const database = openDatabase({
    url: databaseUrl,
    applicationName: 'takt bench direct',
    maxConnections: connections,
    statementTimeoutMs: 60_000,
    settings: { jit: 'off', 'takt.company_key': companyKey },
  });
  const types = { getTypeParser: () => (text: string) => text };
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  const keepExecuting = async () => {
    while (performance.now() < startedAt + seconds * 1_000) {
      const statements = requests[next++ % requests.length];
      if (statements === undefined) throw new Error('there is nothing to execute');
      const sentAt = performance.now();
      for (const { name, text, values } of statements) {
        const named = name === '' ? {} : { name };
        await database.pool.query({ ...named, text, values: [...values], types });
      }
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, keepExecuting));
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  await database.close();
  return {
    requests: latenciesMs.length,
    'requests/s': latenciesMs.length / elapsedSeconds,
    'p50 ms': percentile(latenciesMs, 0.5),
    'p99 ms': percentile(latenciesMs, 0.99),
    'past the deadline': 0,
  };
}
