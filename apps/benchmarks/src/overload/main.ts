import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessToken } from '@takt/access';
import { openDatabase } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { readPeakMemoryMb, startApiProcess, withDatabase } from '@takt/test-support';
import { COMPANY, fillDatabase } from '../read/fill-database.js';
import { LIST_PATH, makeQueries } from '../read/make-requests.js';
import { percentile } from '../statistics.js';
import { type AskedLoad, keepAsking } from './keep-asking.js';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 10_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const WARM_UP_SECONDS = 3;
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
/** The best is to be found among the first; the last ask for far more than ten times of it. */
const CONNECTIONS = (process.env['BENCH_CONNECTIONS'] ?? '8,16,32,64,200,500').split(',').map(Number);
const OUTPUT = new URL('../../../build-output/', import.meta.url);

const home = await mkdtemp(join(tmpdir(), 'takt-bench-overload-'));
const lease = await leaseEmbeddedServer({ home });
const admin = openDatabase({ url: lease.url, applicationName: 'takt bench administration' });
try {
  await admin.pool.query('CREATE DATABASE bench_overload');
  const url = withDatabase(lease.url, 'bench_overload');
  const { database } = await fillDatabase(url, { structureVersions: ROWS, operations: 0 });
  const { token } = await createAccessToken(database, { companyCodes: [COMPANY], expiresInMs: 3_600_000 });
  const api = await startApiProcess({ databaseUrl: url });
  const port = Number(new URL(api.origin).port);
  const requests = makeQueries('ordered', 200, SEED).map(
    (query) =>
      `GET ${LIST_PATH}?${query} HTTP/1.1\r\nHost: takt.test\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await keepAsking({ port, requests, connections: 8, seconds: SECONDS / 2, warmUpSeconds: 0 });
  const loads: { readonly connections: number; readonly load: AskedLoad }[] = [];
  for (const connections of CONNECTIONS) {
    loads.push({
      connections,
      load: await keepAsking({
        port,
        requests,
        connections,
        seconds: SECONDS,
        warmUpSeconds: WARM_UP_SECONDS,
      }),
    });
  }
  const peakMb = readPeakMemoryMb(api.pid);
  await api.stop();
  await database.close();
  const markdown = toMarkdown(loads, peakMb);
  await mkdir(OUTPUT, { recursive: true });
  await writeFile(new URL('overload.md', OUTPUT), markdown);
  process.stdout.write(markdown);
} finally {
  await admin.close();
  await lease.close();
  await rm(home, { recursive: true, force: true });
}

function toMarkdown(
  loads: readonly { readonly connections: number; readonly load: AskedLoad }[],
  peakMb: number,
): string {
  const rates = loads.map(({ load }) => load.acceptedMs.length / load.seconds);
  const best = Math.max(...rates);
  const ms = (values: readonly number[], share: number) => Math.round(percentile(values, share));
  const rows = loads.map(({ connections, load: { seconds, acceptedMs, refusedMs, failures } }, index) => {
    const rate = rates[index] ?? 0;
    const asked = (acceptedMs.length + refusedMs.length) / seconds / best;
    return [
      connections,
      asked.toFixed(1),
      Math.round(rate),
      (rate / best).toFixed(2),
      `${ms(acceptedMs, 0.5)} / ${ms(acceptedMs, 0.99)}`,
      `${ms(refusedMs, 0.5)} / ${ms(refusedMs, 0.99)}`,
      failures,
    ].join(' | ');
  });
  return [
    `${ROWS} rows, pages of 80, ${SECONDS} s each, ${cpus().length} cores, at most ${Math.round(peakMb)} MB`,
    '',
    '| connections | asked / best | useful answers/s | to the best | accepted p50 / p99 ms | refused p50 / p99 ms | failures |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}
