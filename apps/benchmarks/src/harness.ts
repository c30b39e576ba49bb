import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@takt/database';
import { openEmbeddedServer } from '@takt/embedded-postgres';
import { withDatabase } from '@takt/test-support';
import type pg from 'pg';

/** Measured values by the title of their column. The title includes the unit. */
export type Figures = Readonly<Record<string, number | undefined>>;
export type Row = Readonly<Record<string, string | number | undefined>>;

/**
 * An implementation, or a variant of an implementation, that is measured. `run` runs one round and returns its figures.
 */
export interface Contestant {
  readonly name: string;
  readonly run: () => Promise<Figures>;
}

/** The medians over all rounds, by the name of the contestant. */
export type Results = ReadonlyMap<string, Figures>;

/**
 * Runs every contestant once in each round. The order rotates by one in each round, so that no contestant is always
 * first.
 */
export async function runRounds(contestants: readonly Contestant[], rounds: number): Promise<Results> {
  const measured = new Map(contestants.map(({ name }) => [name, [] as Figures[]]));
  for (let round = 0; round < rounds; round++) {
    const first = round % Math.max(1, contestants.length);
    for (const { name, run } of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const figures = await run();
      measured.get(name)?.push(figures);
      const known = Object.entries(figures).filter(([, value]) => value !== undefined);
      const shown = known.map(([title, value]) => `${title} ${cellText(value)}`);
      say(`round ${round + 1} of ${rounds}: ${name}: ${shown.join(', ')}`);
    }
  }
  return new Map([...measured].map(([name, figures]) => [name, medians(figures)]));
}

function medians(rounds: readonly Figures[]): Figures {
  const titles = Object.keys(rounds[0] ?? {});
  const valuesOf = (title: string) => rounds.map((figures) => figures[title] ?? Number.NaN);
  return Object.fromEntries(
    titles.map((title) => [title, median(valuesOf(title).filter((value) => !Number.isNaN(value)))]),
  );
}

/** Returns a figure of a contestant. Returns NaN if the contestant did not take part or has no such figure. */
export function figureOf(results: Results, name: string, title: string): number {
  return results.get(name)?.[title] ?? Number.NaN;
}

/** Returns the rows of a table, with one row for each contestant. */
export function toRows(results: Results): readonly Row[] {
  return [...results].map(([contestant, figures]) => ({ contestant, ...figures }));
}

/** Returns a row of a table of goals. `more` is shown beside the reached value. */
export function goal(
  name: string,
  reached: number,
  target: `${'>=' | '<='} ${number}`,
  more: Row = {},
): Row & { readonly reached: number } {
  const bound = Number(target.slice(3));
  const isMet = target.startsWith('>') ? reached >= bound : reached <= bound;
  return { goal: name, reached, ...more, target, met: isMet ? 'yes' : 'no' };
}

/** Returns the median of the values. If their number is even, it is the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Returns the smallest of the values that at least `share` (0 to 1) of the values do not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * Returns the user and system CPU time that a process has used so far, in milliseconds (Linux). The time includes the
 * children of the process that have ended. Returns 0 if the process has ended, because its time then counts for its
 * parent.
 */
export function readCpuMs(pid: number): number {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = afterName.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
    return (ticks * 1000) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** The processes whose CPU times are added up, by the title of the column for the sum. */
type Processes = Readonly<Record<string, readonly (number | undefined)[]>>;

/**
 * Starts to measure CPU time. Returns a function that divides the CPU time since then by `count` and gives the results
 * in microseconds: a result for each column of `processes`, and `PostgreSQL CPU µs` for PostgreSQL with all its
 * backends.
 */
export async function startCpuMeter(
  pool: pg.Pool,
  processes: Processes = {},
): Promise<(count: number) => Figures> {
  const postmaster = await readNumber(pool, "split_part(pg_read_file('postmaster.pid'), E'\\n', 1)");
  const read = () => {
    const backends = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim();
    const all: Processes = {
      ...processes,
      'PostgreSQL CPU µs': [postmaster, ...backends.split(' ').map(Number)],
    };
    return Object.entries(all).map(([title, pids]) => {
      const known = pids.filter((pid) => pid !== undefined);
      return [title, known.reduce((sum, pid) => sum + readCpuMs(pid), 0), known.length] as const;
    });
  };
  const before = read();
  return (count) =>
    Object.fromEntries(
      read().map(([title, ms, pids], index) => [
        title,
        pids === 0 ? undefined : ((ms - (before[index]?.[1] ?? 0)) * 1_000) / count,
      ]),
    );
}

export async function readNumber(source: pg.Pool | pg.PoolClient, expression: string): Promise<number> {
  const { rows } = await source.query<{ value: number }>(`SELECT (${expression})::float8 AS value`);
  return rows[0]?.value ?? Number.NaN;
}

/** The folder of the reports. */
export const OUTPUT = new URL('../../build-output/', import.meta.url);

/** Prints a line about the progress of the benchmark. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints tables, each under its title. Also writes them to `build-output` as Markdown and JSON. */
export async function report(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  tables: Readonly<Record<string, readonly Row[]>>,
): Promise<void> {
  const run = { ...settings, cores: cpus().length, 'Node.js': process.versions.node };
  const about = Object.entries(run).map(([key, value]) => `${key} ${value}`);
  const filled = Object.entries(tables).filter(([, rows]) => rows.length > 0);
  const parts = filled.map(([title, rows]) => `**${title}**\n\n${toMarkdown(rows)}\n`);
  const markdown = `Run: ${about.join(', ')}.\n\n${parts.join('\n')}`;
  await mkdir(OUTPUT, { recursive: true });
  await writeFile(new URL(`${name}.md`, OUTPUT), markdown);
  await writeFile(new URL(`${name}.json`, OUTPUT), `${JSON.stringify({ run, ...tables }, null, 2)}\n`);
  process.stdout.write(markdown);
}

/** Formats a table as Markdown, with columns padded to equal width. Empty columns are left out, and columns of numbers are right-aligned. */
export function toMarkdown(rows: readonly Row[]): string {
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((title) =>
    rows.some((row) => cellText(row[title]) !== ''),
  );
  const isText = (title: string) => rows.some((row) => typeof row[title] === 'string');
  const cells = [titles, ...rows.map((row) => titles.map((title) => cellText(row[title])))];
  const widths = titles.map((_, column) => Math.max(3, ...cells.map((line) => line[column]?.length ?? 0)));
  const pad = (text: string, column: number) => {
    const width = widths[column] ?? 0;
    return isText(titles[column] ?? '') ? text.padEnd(width) : text.padStart(width);
  };
  const rule = titles.map((title, column) => {
    const dashes = '-'.repeat(widths[column] ?? 3);
    return isText(title) ? dashes : `${dashes.slice(1)}:`;
  });
  const [head = [], ...body] = cells.map((line) => line.map(pad));
  return [head, rule, ...body].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Formats a value for a cell. Numbers have three or more significant digits. */
function cellText(value: string | number | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined || Number.isNaN(value)) return '';
  if (Number.isInteger(value) || Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** Registers a cleanup that runs at the end of the work. */
export type Defer = (close: () => Promise<unknown>) => void;

/**
 * Runs `work`, and then the cleanups that it has registered, in reverse order. The cleanups run even if the work fails.
 */
export async function withCleanup<Result>(work: (defer: Defer) => Promise<Result>): Promise<Result> {
  const closes: (() => Promise<unknown>)[] = [];
  try {
    return await work((close) => closes.unshift(close));
  } finally {
    for (const close of closes) await close();
  }
}

/** A PostgreSQL server that is used only for this run. It is as durable as in production. */
export interface BenchServer {
  /** True if the data are kept for later runs. Filling ten million rows takes longer than the measurements. */
  readonly keepsData: boolean;
  readonly admin: pg.Pool;
  readonly urlOf: (database: string) => string;
  /** Creates a database and returns its URL. */
  readonly createDatabase: (name: string, template?: string) => Promise<string>;
}

/** Starts a server. The data in `home` are kept for later runs. Without `home`, everything is removed at the end. */
export async function startServer(
  defer: Defer,
  settings: Readonly<Record<string, string>> = {},
  home?: string,
): Promise<BenchServer> {
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'takt-bench-')));
  if (home === undefined) defer(() => rm(folder, { recursive: true, force: true }));
  const server = await openEmbeddedServer({ home: folder, settings });
  defer(server.close);
  const admin = openDatabase({ url: server.url, applicationName: 'takt bench administration' });
  defer(admin.close);
  const urlOf = (database: string) => withDatabase(server.url, database);
  return {
    keepsData: home !== undefined,
    admin: admin.pool,
    urlOf,
    createDatabase: async (name, template = 'template1') => {
      await admin.pool.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      return urlOf(name);
    },
  };
}
