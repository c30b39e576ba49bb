import { cpus } from 'node:os';
import { randomFrom } from '@takt/test-support';
import { type BenchServer, report, say, table, withServer } from '../harness.js';
import { fillDatabase } from '../read/fill-database.js';
import { type Contestant, drawBatch, openContestant, type Result, TABLE } from './contestant.js';

const STRUCTURES = Number(process.env['BENCH_STRUCTURES'] ?? 20_000);
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 60_000);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
const BATCH = 500;

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

say(`${EVENTS} events of ${STRUCTURES} structure versions, seed ${SEED}, ${cpus().length} cores`);
// Vacuum comes by hand, after as many changed rows in every run, however fast the machine is.
const results = await withServer(measure, { autovacuum: 'off' });
const run = { events: EVENTS, structures: STRUCTURES, seed: SEED, cores: cpus().length };
await report('vacuum', toMarkdown(results), { run, results });

async function measure(server: BenchServer): Promise<readonly Result[]> {
  const contestants = await openContestants(server);
  await server.admin.query('CHECKPOINT');
  const random = randomFrom(SEED);
  // All take the same batch, one after the other: what else the machine does meets all of them alike.
  for (let done = 0; done < EVENTS; done += BATCH) {
    const batch = drawBatch(random, { from: done + 1, size: BATCH, structures: STRUCTURES });
    for (const contestant of contestants) await contestant.take(batch);
    // Who comes first finds the caches of the processor cold: next time it is somebody else.
    contestants.push(...contestants.splice(0, 1));
    if ((done + BATCH) % 10_000 === 0) say(`${done + BATCH} events`);
  }
  const results: Result[] = [];
  for (const contestant of contestants) results.push(await contestant.finish());
  return results.sort(
    (one, other) => CONTESTANTS.indexOf(one.contestant) - CONTESTANTS.indexOf(other.contestant),
  );
}

async function openContestants({ createDatabase }: BenchServer) {
  const template = await createDatabase('bench_template');
  const { database } = await fillDatabase(template, { structureVersions: STRUCTURES, operations: 0 });
  await database.pool.query(`REINDEX TABLE ${TABLE}`);
  await database.pool.query('VACUUM FREEZE ANALYZE');
  await database.close();
  const contestants = [];
  for (const [index, contestant] of CONTESTANTS.entries()) {
    const url = await createDatabase(`bench_${index}`, 'bench_template');
    contestants.push(await openContestant(contestant, { url, structures: STRUCTURES, seed: SEED }));
  }
  return contestants;
}

function toMarkdown(results: readonly Result[]): string {
  const rows = results.map(
    ({ contestant, before, after, applying, vacuuming, logBytes, blocksBefore, blocksAfter }) => [
      contestant.name,
      `${contestant.vacuumAt * 100} %`,
      `${megabytes(before.indexBytes)} to ${megabytes(after.indexBytes)}`,
      `${megabytes(before.tableBytes)} to ${megabytes(after.tableBytes)}`,
      `${(applying + vacuuming).toFixed(0)}, ${vacuuming.toFixed(0)}`,
      logBytes.toFixed(0),
      `${blocksBefore.toFixed(0)}, ${blocksAfter.toFixed(0)}`,
    ],
  );
  const titles = [
    ...['contestant', 'vacuum at:', 'indexes, MB', 'table, MB', 'µs an event, of which vacuum:'],
    ...['log, bytes an event:', 'a page before vacuum, after:'],
  ];
  return table(titles, rows).join('\n');
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
