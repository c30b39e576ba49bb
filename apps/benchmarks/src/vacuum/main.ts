import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { randomFrom, withDatabase } from '@takt/test-support';
import { fillDatabase } from '../read/fill-database.js';
import { drawBatch } from './batches.js';
import { type Contestant, openContestant, TABLE } from './contestant.js';
import { toMarkdown } from './report.js';

const STRUCTURES = Number(process.env['BENCH_STRUCTURES'] ?? 20_000);
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 60_000);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
const BATCH = 500;
const OUTPUT = new URL('../../../build-output/', import.meta.url);

/** When autovacuum comes, as a share of the rows that have changed: by its settings, or because it has no time sooner. */
const CONTESTANTS: readonly Contestant[] = [
  { name: 'as migrated', vacuumAt: 0.06 },
  { name: 'orders filled to 80 %', vacuumAt: 0.06, indexFill: 80 },
  { name: 'orders filled to 70 %', vacuumAt: 0.06, indexFill: 70 },
  { name: 'table filled to 80 %', vacuumAt: 0.06, tableFill: 80 },
  { name: 'vacuum earlier', vacuumAt: 0.03 },
  { name: 'vacuum as by default', vacuumAt: 0.2 },
  { name: 'too late', vacuumAt: 0.75 },
  { name: 'too late, orders filled to 70 %', vacuumAt: 0.75, indexFill: 70 },
];

process.stderr.write(
  `${EVENTS} events of ${STRUCTURES} structure versions, seed ${SEED}, ${cpus().length} cores\n`,
);
const home = await mkdtemp(join(tmpdir(), 'takt-bench-vacuum-'));
// Vacuum comes by hand, after as many changed rows in every run, however fast the machine is.
const lease = await leaseEmbeddedServer({ home, settings: { autovacuum: 'off' } });
const admin = openDatabase({ url: lease.url, applicationName: 'takt bench administration' });
try {
  await admin.pool.query('CREATE DATABASE bench_template');
  const template = withDatabase(lease.url, 'bench_template');
  const { database } = await fillDatabase(template, { structureVersions: STRUCTURES, operations: 0 });
  await database.pool.query(`REINDEX TABLE ${TABLE}`);
  await database.pool.query('VACUUM FREEZE ANALYZE');
  await database.close();
  const contestants = [];
  for (const [index, contestant] of CONTESTANTS.entries()) {
    await admin.pool.query(`CREATE DATABASE bench_${index} TEMPLATE bench_template`);
    contestants.push(
      await openContestant(contestant, {
        url: withDatabase(lease.url, `bench_${index}`),
        structures: STRUCTURES,
        seed: SEED,
      }),
    );
  }
  await admin.pool.query('CHECKPOINT');
  const random = randomFrom(SEED);
  // All take the same batch, one after the other: what else the machine does meets all of them alike.
  for (let done = 0; done < EVENTS; done += BATCH) {
    const batch = drawBatch(random, { from: done + 1, size: BATCH, structures: STRUCTURES });
    for (const contestant of contestants) await contestant.take(batch);
    // Who comes first finds the caches of the processor cold: next time it is somebody else.
    contestants.push(...contestants.splice(0, 1));
    if ((done + BATCH) % 10_000 === 0) process.stderr.write(`${done + BATCH} events\n`);
  }
  const results = [];
  for (const contestant of contestants) results.push(await contestant.finish());
  results.sort((one, other) => CONTESTANTS.indexOf(one.contestant) - CONTESTANTS.indexOf(other.contestant));
  const markdown = toMarkdown(results);
  await mkdir(OUTPUT, { recursive: true });
  await writeFile(new URL('vacuum.md', OUTPUT), markdown);
  const run = { events: EVENTS, structures: STRUCTURES, seed: SEED, cores: cpus().length };
  await writeFile(new URL('vacuum.json', OUTPUT), `${JSON.stringify({ run, results }, null, 2)}\n`);
  process.stdout.write(markdown);
} finally {
  await admin.close();
  await lease.close();
  await rm(home, { recursive: true, force: true });
}
