import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { PassThrough } from 'node:stream';

// npm test: all tests, in as many processes of mocha as there are processors, two at most. Each takes every n-th file
// (.mocharc.cjs) and has a database server of its own; most tests wait for something half of their time. Not mocha's own
// parallel mode, which runs root hooks, and with them the server, anew for every file.

const LANES = Math.min(2, availableParallelism());
/** What a lane writes until its turn has come. */
const MOST_BYTES_HELD = 2 ** 30;

const lanes = Array.from({ length: LANES }, (_, lane) => {
  const mocha = spawn('mocha', [], {
    env: { ...process.env, TAKT_TEST_LANE: `${lane + 1}/${LANES}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { mocha, ended: once(mocha, 'close'), output: new PassThrough({ highWaterMark: MOST_BYTES_HELD }) };
});
for (const { mocha, output } of lanes) mocha.stdout.pipe(output);
process.on('SIGINT', () => {
  for (const { mocha } of lanes) mocha.kill('SIGINT');
});
// The first is seen as it runs, the others after it.
for (const { output } of lanes) {
  for await (const chunk of output) process.stdout.write(chunk);
}
const codes = await Promise.all(lanes.map(({ ended }) => ended));
process.exitCode = codes.every(([code]) => code === 0) ? 0 : 1;
