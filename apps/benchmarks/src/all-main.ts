import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { say } from './harness.js';
import { writePage } from './write-page.js';

/** The settings with which the page is written, by benchmark. An environment variable overrides a setting. */
const BENCHMARKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ingest: { BENCH_EVENTS: '24000' },
  apply: { BENCH_EVENTS: '4000', BENCH_ROUNDS: '3' },
  questions: { BENCH_ROUNDS: '2', BENCH_FILTERS: '60' },
  read: { BENCH_ROUNDS: '2' },
  overload: { BENCH_ROUNDS: '3', BENCH_SECONDS: '6' },
  start: {},
};

const given = process.argv.slice(2);
const unknown = given.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  throw new Error(
    `there is no benchmark ${unknown.join(', ')}; choose from ${Object.keys(BENCHMARKS).join(', ')}`,
  );
}
const chosen = given.length > 0 ? given : Object.keys(BENCHMARKS);
for (const name of chosen) {
  say(`bench:${name}`);
  const main = fileURLToPath(new URL(`${name}/main.js`, import.meta.url));
  const env = { ...BENCHMARKS[name], ...process.env };
  const { status } = spawnSync(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`bench:${name} failed`);
  await writePage([name]);
}
