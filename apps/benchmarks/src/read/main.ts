import { cpus } from 'node:os';
import { ratioTable, report, say, startServer } from '../harness.js';
import { contestNotes, contestRatios, contestTable, type MeasuredContest } from './contest/contest-report.js';
import { fillDatabase, openFilled, serveSize } from './fill-database.js';
import { measureContest } from './measure-contest.js';
import { type AskedQuestions, measureQuestions } from './questions/measure-questions.js';
import { questionRatios, questionTable, slowestQuestions } from './questions/question-report.js';

const SIZES = (process.env['BENCH_ROWS'] ?? '10000,100000,1000000').split(',').map(Number);
const PARTS = new Set((process.env['BENCH_PARTS'] ?? 'questions,pages,peers,events').split(','));
const FILTERS = Number(process.env['BENCH_FILTERS'] ?? 200);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const CONNECTIONS = Number(process.env['BENCH_CONNECTIONS'] ?? 8);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
/** Filled databases stay there for the next run: ten million rows take longer to fill in than to ask. */
const KEPT_HOME = process.env['BENCH_HOME'];
/** Of the size on which contestants meet alone. */
const OPERATIONS = 100_000;
const MAIN_ROWS = SIZES.includes(100_000) ? 100_000 : (SIZES[0] ?? 0);
const HAS_CONTEST = ['pages', 'peers', 'events'].some((part) => PARTS.has(part));

say(
  `${[...PARTS].join(', ')} at ${SIZES.join(', ')} rows, ${ROUNDS} rounds, ${SECONDS} s each, ${CONNECTIONS} connections, seed ${SEED}, ${cpus().length} cores`,
);
const asked: AskedQuestions[] = [];
const contests: MeasuredContest[] = [];
// Tables are filled faster where no checkpoint comes between.
const server = await startServer({ max_wal_size: '8GB' }, KEPT_HOME);
try {
  for (const rows of SIZES) await measure(rows);
} finally {
  await server.close();
}
const ratios = [...questionRatios(asked), ...contests.flatMap(contestRatios)];
const markdown = [
  ...(asked.length === 0 ? [] : [...questionTable(asked), ...slowestQuestions(asked)]),
  ...contests.flatMap(contestTable),
  ...ratioTable(ratios),
  ...contests.flatMap(contestNotes),
].join('\n');
await report('read', markdown, { asked, contests, ratios });

async function measure(rows: number): Promise<void> {
  const isMain = rows === MAIN_ROWS && HAS_CONTEST;
  const operations = isMain ? OPERATIONS : 0;
  const name = await provideDatabase(rows, operations);
  const filled = await openFilled(server.urlOf(name));
  const size = await serveSize(filled, rows);
  try {
    const options = { rounds: ROUNDS, seed: SEED };
    if (PARTS.has('questions')) {
      const { api, token, database } = size;
      asked.push(
        await measureQuestions(
          { origin: api.origin, token, database },
          { ...options, rows, filters: FILTERS },
        ),
      );
    }
    if (isMain) {
      contests.push(
        await measureContest(size, {
          ...options,
          parts: PARTS,
          seconds: SECONDS,
          connections: CONNECTIONS,
        }),
      );
    }
  } finally {
    await size.api.stop();
    await filled.database.close();
    if (KEPT_HOME === undefined) await server.admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** The name of a database with so many rows: one that an earlier run left, or a new one. */
async function provideDatabase(structureVersions: number, operations: number): Promise<string> {
  const name = `bench_${structureVersions}_${operations}`;
  const found = await server.admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found.rowCount === 1) return name;
  const startedAt = performance.now();
  // It gets its name when it is whole.
  await server.admin.query('DROP DATABASE IF EXISTS bench_unfinished WITH (FORCE)');
  const url = await server.createDatabase('bench_unfinished');
  const { database } = await fillDatabase(url, { structureVersions, operations });
  await database.close();
  await server.admin.query(`ALTER DATABASE bench_unfinished RENAME TO ${name}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`${structureVersions} rows are filled in after ${seconds.toFixed(0)} s`);
  return name;
}
