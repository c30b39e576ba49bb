import { cpus } from 'node:os';
import { createAccessToken } from '@takt/access';
import { readPeakMemoryMb, startApiProcess } from '@takt/test-support';
import { type BenchServer, percentile, report, table, withServer } from '../harness.js';
import { COMPANY, fillDatabase } from '../read/fill-database.js';
import { LIST_PATH, makeQueries } from '../read/make-requests.js';
import { type AskedLoad, keepAsking } from './keep-asking.js';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 10_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const WARM_UP_SECONDS = 3;
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
/** The best is to be found among the first; the last ask for far more than ten times of it. */
const CONNECTIONS = (process.env['BENCH_CONNECTIONS'] ?? '8,16,32,64,200,500').split(',').map(Number);

interface Measured {
  readonly connections: number;
  readonly load: AskedLoad;
}

await report('overload', await withServer(measure));

async function measure({ createDatabase }: BenchServer): Promise<string> {
  const url = await createDatabase('bench_overload');
  const { database } = await fillDatabase(url, { structureVersions: ROWS, operations: 0 });
  const { token } = await createAccessToken(database, { companyCodes: [COMPANY], expiresInMs: 3_600_000 });
  const api = await startApiProcess({ databaseUrl: url });
  const requests = makeQueries('ordered', 200, SEED).map(
    (query) =>
      `GET ${LIST_PATH}?${query} HTTP/1.1\r\nHost: takt.test\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const asked = { port: Number(new URL(api.origin).port), requests };
  await keepAsking({ ...asked, connections: 8, seconds: SECONDS / 2, warmUpSeconds: 0 });
  const loads: Measured[] = [];
  for (const connections of CONNECTIONS) {
    const options = { ...asked, connections, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS };
    loads.push({ connections, load: await keepAsking(options) });
  }
  const peakMb = readPeakMemoryMb(api.pid);
  await api.stop();
  await database.close();
  return toMarkdown(loads, peakMb);
}

function toMarkdown(loads: readonly Measured[], peakMb: number): string {
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
    ];
  });
  const titles = [
    ...['connections:', 'asked / best:', 'useful answers/s:', 'to the best:', 'accepted p50 / p99 ms:'],
    ...['refused p50 / p99 ms:', 'failures:'],
  ];
  return [
    `${ROWS} rows, pages of 80, ${SECONDS} s each, ${cpus().length} cores, at most ${Math.round(peakMb)} MB`,
    '',
    ...table(titles, rows),
  ].join('\n');
}
