import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { withDatabase } from '@takt/test-support';
import { fillDatabase } from './fill-database.js';
import { type MeasuredSize, measureSize } from './measure-size.js';
import { computeRatios, toMarkdown } from './report.js';

const SIZES = (process.env['BENCH_ROWS'] ?? '10000,100000,1000000').split(',').map(Number);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
const CONNECTIONS = Number(process.env['BENCH_CONNECTIONS'] ?? 8);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
/** Of the smallest size alone, ten for each row at 10,000. */
const OPERATIONS = 100_000;
const MAIN_ROWS = SIZES.includes(100_000) ? 100_000 : (SIZES[0] ?? 0);
const OUTPUT = new URL('../../../build-output/', import.meta.url);

const say = (line: string) => process.stderr.write(`${line}\n`);
say(
  `pages of 80 at ${SIZES.join(', ')} rows, ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections, seed ${SEED}, ${cpus().length} cores`,
);
const home = await mkdtemp(join(tmpdir(), 'takt-bench-read-'));
const lease = await leaseEmbeddedServer({ home });
const admin = openDatabase({ url: lease.url, applicationName: 'takt bench administration' });
try {
  const sizes: MeasuredSize[] = [];
  for (const [index, rows] of SIZES.entries()) sizes.push(await measure(rows, index === 0 ? OPERATIONS : 0));
  const ratios = computeRatios(sizes, MAIN_ROWS);
  const markdown = toMarkdown(sizes, ratios);
  await mkdir(OUTPUT, { recursive: true });
  await writeFile(new URL('read.md', OUTPUT), markdown);
  await writeFile(new URL('read.json', OUTPUT), `${JSON.stringify({ sizes, ratios }, null, 2)}\n`);
  process.stdout.write(markdown);
} finally {
  await admin.close();
  await lease.close();
  await rm(home, { recursive: true, force: true });
}

async function measure(rows: number, operations: number): Promise<MeasuredSize> {
  const name = `bench_${rows}`;
  await admin.pool.query(`CREATE DATABASE ${name}`);
  const filled = await fillDatabase(withDatabase(lease.url, name), { structureVersions: rows, operations });
  say(`${rows} rows are filled in`);
  try {
    return await measureSize(filled, {
      rows,
      rounds: ROUNDS,
      seconds: SECONDS,
      connections: CONNECTIONS,
      seed: SEED,
      isMain: rows === MAIN_ROWS,
      say,
    });
  } finally {
    await filled.database.close();
    await admin.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}
