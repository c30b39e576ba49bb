import { accessSync, appendFileSync, constants, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const HOW_TO_GET: Readonly<Record<string, string>> = {
  curl: 'apt-get install curl',
  git: 'apt-get install git',
  python3: 'apt-get install python3',
  'redis-server': 'apt-get install redis-server',
  chromium: 'apt-get install chromium',
  script: 'apt-get install bsdutils',
  pgbouncer: 'apt-get install pgbouncer',
  haproxy: 'apt-get install haproxy',
  promtool: 'apt-get install --no-install-recommends prometheus',
};

/** Returns the full path of a program on the PATH; undefined if there is no such program. */
export function findProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Skips the suite with a message if a program is missing. Call it in a `before` hook. With TAKT_REQUIRE_ALL=1 (CI) the
 * suite fails instead.
 */
export function needsProgram(context: Mocha.Context, name: string): void {
  if (findProgram(name) === undefined) {
    leaveOut(context, `${name} is not on the PATH (${HOW_TO_GET[name] ?? ''})`);
  }
}

/**
 * Skips a suite or a test, prints the reason, and counts its tests for the end of the run. With TAKT_REQUIRE_ALL=1 the
 * suite fails instead.
 */
export function leaveOut(context: Mocha.Context, reason: string): void {
  if (mustLeaveNothingOut()) throw new Error(`nothing may be left out: ${reason}`);
  console.warn(`      LEFT OUT: ${reason}`);
  const skipped = context.test;
  // A hook skips all tests of its suite. The types of mocha do not know the type of a runnable.
  const isHook = skipped !== undefined && Object(skipped).type === 'hook';
  const tests = isHook ? (skipped.parent?.total() ?? 1) : 1;
  appendFileSync(leftOutFile(), `${JSON.stringify({ reason, tests })}\n`);
  context.skip();
}

/** The lanes of mocha write what they leave out to this file, because the main process sums it up. */
const leftOutFile = () => join(tmpdir(), 'left-out.ndjson');

/** Describes at the end of a run how many tests were left out for each reason. */
export function listLeftOut(): readonly string[] {
  if (!existsSync(leftOutFile())) return [];
  const counts = new Map<string, number>();
  for (const line of readFileSync(leftOutFile(), 'utf8').trimEnd().split('\n')) {
    const { reason, tests }: { readonly reason: string; readonly tests: number } = JSON.parse(line);
    counts.set(reason, (counts.get(reason) ?? 0) + tests);
  }
  return Array.from(counts, ([reason, tests]) => `LEFT OUT: ${tests} tests, because ${reason}`);
}

/** Returns true if no suite may be skipped (TAKT_REQUIRE_ALL=1, as in CI). */
export function mustLeaveNothingOut(): boolean {
  return process.env['TAKT_REQUIRE_ALL'] === '1';
}
