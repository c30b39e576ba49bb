import { testSeed } from '@takt/test-support';
import type { FaultReport, FaultRun } from './fault-run.js';

/**
 * Prints the number of faults and the recovery times by kind of fault. After a failure, also prints the command that
 * repeats the run.
 */
export function printReport(
  name: string,
  { inflicted, deviations, peakMemoryMb, durationMs }: FaultReport,
): void {
  const verdict = deviations.length === 0 ? '0 lost, 0 doubled' : `${deviations.length} DEVIATIONS`;
  const lines = [
    `${name}, ${inflicted.length} faults in ${seconds(durationMs)}: ${verdict}; ${Math.round(peakMemoryMb)} MiB a worker`,
    ...Array.from(byFault(inflicted), ([fault, times]) => `  ${describeTimes(times)}  ${fault}`),
    `  ${describeTimes(inflicted.map(({ recoveryMs }) => recoveryMs))}  all`,
  ];
  if (deviations.length > 0) {
    lines.push(
      ...deviations.map((deviation) => `  ${deviation}`),
      `to repeat: TAKT_TEST_SEED=${testSeed()} npx mocha apps/acceptance/dist/test/endurance/fault-run.test.js`,
    );
  }
  console.log(lines.map((line) => `      ${line}`).join('\n'));
}

/** Returns a function that prints a line for each fault of a long run. */
export function printProgress(lane: number): NonNullable<FaultRun['onRecovered']> {
  let count = 0;
  return ({ fault, recoveryMs }) => {
    count += 1;
    console.log(`      run ${lane + 1}, fault ${count}: ${seconds(recoveryMs)}  ${fault}`);
  };
}

function byFault(inflicted: FaultReport['inflicted']): ReadonlyMap<string, number[]> {
  const times = new Map<string, number[]>();
  for (const { fault, recoveryMs } of inflicted) times.set(fault, [...(times.get(fault) ?? []), recoveryMs]);
  return times;
}

function describeTimes(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const [median = Number.NaN] = sorted.slice(Math.floor((sorted.length - 1) / 2));
  const count = String(times.length).padStart(4);
  return `${count} recovered in p50 ${seconds(median)}, max ${seconds(sorted.at(-1) ?? Number.NaN)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1).padStart(5)} s`;
}
