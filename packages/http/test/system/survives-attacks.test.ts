import { fileURLToPath } from 'node:url';
import {
  askAsBystander,
  attacks,
  type ObservedProcess,
  readPeakMemoryMb,
  shareOf,
  spawnObserved,
  startAttack,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';

/** The memory of a pod that runs an app with only pages. */
const MOST_MEMORY_MB = 256;
const MOST_UNREAD_MB = 150;
/**
 * The maximum CPU time that the server may use between a request and the answer. CPU time does not depend on other
 * load.
 */
const MOST_PROBE_MS = 1_000;
/**
 * The maximum number of answers to open connections while the server accepts one new connection. Measured: 3 to 6;
 * without shortened turns 11 to 60.
 */
const MOST_ANSWERS_PER_CONNECTION = 10;
const PROBES = shareOf(10, 2);
const DEADLINE_MS = 60_000;

/** The limits of the heap with which the dashboard runs. */
const HEAP_LIMITS = ['--max-old-space-size=160', '--max-semi-space-size=4'];

const SERVER = fileURLToPath(new URL('attacked-server.js', import.meta.url));
const JSON_TYPE = 'Content-Type: application/json\r\n';

describe('An attack from one address on the HTTP layer', function () {
  this.timeout(240_000);
  let server: ObservedProcess;
  let port: number;
  let attacker: ObservedProcess | undefined;

  before(async () => {
    server = spawnObserved([...HEAP_LIMITS, SERVER], {});
    await waitUntil('the server listens', () => server.output().startsWith('port '), DEADLINE_MS);
    port = Number(/\d+/.exec(server.output()));
  });
  after(() => server.stop('SIGKILL'));
  afterEach(() => attacker?.stop('SIGKILL'));

  const expectAnswers = async (...targets: readonly string[]) => {
    const slowest = new Map<string, number>();
    for (let count = 0; count < PROBES; count += 1) {
      for (const target of targets) {
        const { status, ms } = await askAsBystander(server, port, target);
        expect(status, `${target}, question ${count}`).to.equal(200);
        slowest.set(target, Math.max(ms, slowest.get(target) ?? 0));
      }
    }
    console.info(`      ${[...slowest].map(([target, ms]) => `${target} ${ms} ms`).join(', ')}`);
    expect(Math.max(...slowest.values())).to.be.at.most(MOST_PROBE_MS);
    const peakMb = readPeakMemoryMb(server.pid);
    console.info(`      ${Math.round(peakMb)} MB at most`);
    expect(peakMb).to.be.below(MOST_MEMORY_MB);
  };

  // This test runs first, because the server then uses the least memory. If the bodies were parsed too early, they
  // would take 204 MB.
  it('cannot make the server parse a body before its sender is authenticated', async () => {
    const headers = JSON_TYPE;
    attacker = await startAttack({
      ...{ kind: 'one-byte chunks', port, connections: 250 },
      ...{ path: '/guarded', headers },
    });
    await expectAnswers('/health/live', '/health/ready', '/metrics', '/page');
    expect(readPeakMemoryMb(server.pid)).to.be.below(MOST_UNREAD_MB);
  });

  it('does not delay a new connection for long, even if 600 others arrived before it', async () => {
    const connections = 600;
    const before = await countAnswers(port);
    attacker = await startAttack({ kind: 'live', port, connections });
    const meanwhile = (await countAnswers(port)) - before;
    console.info(
      `      ${meanwhile} answers until it had taken ${connections} connections and answered one more`,
    );
    expect(meanwhile).to.be.at.most(connections * MOST_ANSWERS_PER_CONNECTION);
  });

  for (const { what, kind, connections } of attacks) {
    it(`does not prevent the answers to other clients, and the memory stays limited: ${what}`, async () => {
      attacker = await startAttack({ ...{ kind, port, connections }, path: '/body', headers: JSON_TYPE });
      await expectAnswers('/health/live', '/health/ready', '/metrics', '/page');
    });
  }
});

/** Reads the number of answered requests from the metrics of the server. */
async function countAnswers(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { Connection: 'close' } });
  const counts = (await response.text()).matchAll(/^takt_http_requests_total\S* (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
