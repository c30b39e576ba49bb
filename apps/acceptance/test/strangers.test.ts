import { migrateQueueSchema } from '@takt/events';
import {
  type Attack,
  askAsBystander,
  createTestDatabase,
  type ObservedProcess,
  randomFrom,
  readMemoryLimitMb,
  readPeakMemoryMb,
  shareOf,
  someOf,
  startApiProcess,
  startAttack,
  startDashboardProcess,
  startIntakeProcess,
  startWorkerProcess,
  type TestDatabase,
  testLength,
  testSeed,
} from '@takt/test-support';
import { expect } from 'chai';

/** An app may use this share of its pod's memory limit; a longer run opens more connections. */
const MOST_MEMORY_SHARE = testLength() > 1 ? 0.85 : 0.75;
/** Of the app's processor time, in ms. A new connection waits behind all that came before it: up to 1,800 at once. */
const MOST_PROBE_MS = 2_000;
const PROBES = 3;

/** The seed decides whether one address attacks or four. */
const ADDRESSES = [['127.0.0.1'], ['127.0.0.1', '127.0.0.3', '127.0.0.4', '127.0.0.5']];

interface App {
  readonly name: 'api' | 'dashboard' | 'intake' | 'worker';
  readonly start: (databaseUrl: string) => Promise<ObservedProcess & { readonly origin: string }>;
  /** A route that takes a body. */
  readonly path: string;
  readonly headers: string;
}

const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';

const apps: readonly App[] = [
  {
    name: 'api',
    path: '/oauth2/access_token',
    headers: FORM,
    start: (databaseUrl) => startApiProcess({ databaseUrl }),
  },
  {
    name: 'intake',
    path: '/events',
    headers: 'Content-Type: application/json\r\n',
    start: (databaseUrl) => startIntakeProcess({ databaseUrl, queueUrl: databaseUrl }),
  },
  {
    name: 'dashboard',
    path: '/sign-in',
    headers: FORM,
    start: (databaseUrl) => startDashboardProcess({ databaseUrl, queueUrl: databaseUrl }),
  },
  {
    name: 'worker',
    path: '/',
    headers: FORM,
    start: async (databaseUrl) => {
      const worker = await startWorkerProcess({ databaseUrl, queueUrl: databaseUrl });
      return { ...worker, origin: worker.origin };
    },
  },
];

const attacks: readonly (readonly [kind: Attack['kind'], connections: number])[] = [
  ['pipeline', 10],
  ['hold', 1_000],
  ['many headers', 1_800],
  ['long headers', 900],
  ['no body', 900],
  ['slow body', 500],
  ['one-byte chunks', 400],
  ['small chunks', 400],
  ['bombs', 32],
];

describe('strangers who attack every port', function () {
  this.timeout(600_000);
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
  });
  after(() => test?.close());

  const random = randomFrom(testSeed());
  for (const { name, start, path, headers } of someOf(apps)) {
    const addresses = random.pick(ADDRESSES);
    it(`end nothing and fill no memory of the ${name}, from ${addresses.length} of their addresses`, async () => {
      const server = await start(test.url);
      const port = Number(new URL(server.origin).port);
      const seen: string[] = [];
      let attacker: ObservedProcess | undefined;
      try {
        for (const [kind, least] of someOf(attacks, 3)) {
          const connections = shareOf(least, least);
          attacker = await startAttack({ ...{ kind, port, connections, addresses, path, headers } });
          const answers = [];
          for (let probe = 0; probe < PROBES; probe += 1) {
            for (const target of ['/health/live', '/health/ready']) {
              answers.push(await askAsBystander(server, port, target));
            }
          }
          await attacker.stop('SIGKILL');
          const slowestMs = Math.max(...answers.map(({ ms }) => ms));
          const peakMb = Math.round(readPeakMemoryMb(server.pid));
          seen.push(`${kind} ${Math.round(slowestMs)} ms, ${peakMb} MB`);
          expect(
            answers.map(({ status }) => status),
            kind,
          ).to.deep.equal(Array(2 * PROBES).fill(200));
          expect(slowestMs, kind).to.be.below(MOST_PROBE_MS * Math.max(1, connections / least));
        }
        expect(server.runs(), server.output()).to.equal(true);
        const peakMb = readPeakMemoryMb(server.pid);
        console.info(`      ${name}, slowest answer and most memory so far: ${seen.join('; ')}`);
        expect(peakMb).to.be.below(MOST_MEMORY_SHARE * readMemoryLimitMb(name));
      } finally {
        await attacker?.stop('SIGKILL');
        await server.stop();
      }
    });
  }
});
