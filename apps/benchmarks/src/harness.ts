import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { withDatabase } from '@takt/test-support';
import type pg from 'pg';

/** The middle of the values, the mean of the two middle ones where their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper;
}

/** The smallest value that at least `share` (0 to 1) of the values do not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** What /proc tells of a process (Linux); the clock ticks of proc(5) are made milliseconds. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** User and system CPU time of a process so far and of those of its children that have ended, in milliseconds. */
export function readCpuMs(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = afterName.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  return (ticks * 1000) / TICKS_PER_SECOND;
}

/** The same of a server and of all its children, those that have ended included. */
export function readServerCpuMs(pid: number): number {
  return findChildren(pid).reduce((sum, child) => sum + readCpuMsWhileItRuns(child), readCpuMs(pid));
}

/** A child that has ended since it was found is counted with its parent from then on. */
function readCpuMsWhileItRuns(pid: number): number {
  try {
    return readCpuMs(pid);
  } catch {
    return 0;
  }
}

/** Pids of the children of a process. */
export function findChildren(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
}

function parentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return 0;
  }
}

/** What is promised of a figure. */
interface Target {
  readonly sign: '>=' | '<=';
  readonly bound: number;
}

export interface Ratio {
  readonly name: string;
  readonly reached: number;
  /** The same by the CPU time of a request: whatever else the machine does changes it least. */
  readonly byCpu?: number;
  readonly target: Target;
}

export const atLeast = (bound: number): Target => ({ sign: '>=', bound });
export const atMost = (bound: number): Target => ({ sign: '<=', bound });

/** Those whose measurements were made in this run, as a table. */
export function ratioTable(ratios: readonly Ratio[]): readonly string[] {
  const rows = ratios
    .filter(({ reached }) => Number.isFinite(reached))
    .map(({ name, reached, byCpu, target: { sign, bound } }) => {
      const isMet = sign === '>=' ? reached >= bound : reached <= bound;
      return [name, reached.toFixed(2), byCpu?.toFixed(2) ?? '', `${sign} ${bound}`, isMet ? 'yes' : 'no'];
    });
  return table(['ratio', 'reached:', 'by CPU:', 'target', 'met'], rows);
}

const OUTPUT = new URL('../../build-output/', import.meta.url);

/** Tells whoever started the run how far it is. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints the tables of a run, and writes them and its figures to `build-output`. */
export async function report(name: string, markdown: string, figures?: unknown): Promise<void> {
  await mkdir(OUTPUT, { recursive: true });
  await writeFile(new URL(`${name}.md`, OUTPUT), markdown);
  if (figures !== undefined) {
    await writeFile(new URL(`${name}.json`, OUTPUT), `${JSON.stringify(figures, null, 2)}\n`);
  }
  process.stdout.write(markdown);
}

/** A table in Markdown. The titles of columns with numbers end with `:`. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  const isNumber = titles.map((title) => title.endsWith(':'));
  return [
    `| ${titles.map((title) => title.replace(/:$/, '')).join(' | ')} |`,
    `|${isNumber.map((is) => (is ? '--:' : '---')).join('|')}|`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ];
}

/** Runs every item once a round, in an order that moves on by one, so that none is always first. */
export async function inTurns<Item>(
  items: readonly Item[],
  rounds: number,
  run: (item: Item, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const first = round % Math.max(1, items.length);
    for (const item of [...items.slice(first), ...items.slice(0, first)]) await run(item, round + 1);
  }
}

/** A PostgreSQL server for this run alone, as durable as in production. */
export interface BenchServer {
  readonly admin: pg.Pool;
  readonly urlOf: (database: string) => string;
  /** Gives the URL of a new database. */
  readonly createDatabase: (name: string, template?: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** `home` is kept for a later run; without one, all is removed at the end. */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
  home?: string,
): Promise<BenchServer> {
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'takt-bench-')));
  const lease = await leaseEmbeddedServer({ home: folder, settings });
  const admin = openDatabase({ url: lease.url, applicationName: 'takt bench administration' });
  const urlOf = (database: string) => withDatabase(lease.url, database);
  return {
    admin: admin.pool,
    urlOf,
    createDatabase: async (name, template) => {
      await admin.pool.query(
        `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`,
      );
      return urlOf(name);
    },
    close: async () => {
      await admin.close();
      await lease.close();
      if (home === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Does `work` with a server that is ended afterwards. */
export async function withServer<Result>(
  work: (server: BenchServer) => Promise<Result>,
  settings?: Readonly<Record<string, string>>,
): Promise<Result> {
  const server = await startServer(settings);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}
