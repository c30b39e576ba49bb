import { createTestDatabase, startApp, type TestDatabase } from '@takt/database/testing';
import { openPublisher, type Publisher } from '@takt/events';
import { migrateQueueSchema } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import {
  type Attack,
  askAsBystander,
  attacks,
  completion,
  exchange,
  malformedRequests,
  type ObservedProcess,
  opened,
  randomFrom,
  readMemoryLimitMb,
  readPeakMemoryMb,
  shareOf,
  someOf,
  startAttack,
  testLength,
  testSeed,
  waitUntil,
  withstoodFrom,
} from '@takt/test-support';
import { expect } from 'chai';
import { storeMasterData, structureVersion } from '../support/master-data.js';
import { LIST } from '../support/production-times.js';
import { openTestApi } from '../support/test-api.js';

/**
 * Share of its memory limit in the pod that an app may use. The share is higher in a longer run, because a longer run
 * opens more connections.
 */
const MOST_MEMORY_SHARE = testLength() > 1 ? 0.85 : 0.75;
/**
 * Maximum processor time in ms that the app spends until it answers a bystander. A new connection waits for all earlier
 * connections, at most 1,800 at once.
 */
const MOST_PROBE_MS = 2_000;
const PROBES = 5;

/** Addresses of the attackers. The seed chooses one address or four. */
const ADDRESSES = [['127.0.0.1'], ['127.0.0.1', '127.0.0.3', '127.0.0.4', '127.0.0.5']];

interface App {
  readonly name: 'api' | 'dashboard' | 'intake' | 'worker';
  readonly start: (databaseUrl: string) => Promise<ObservedProcess & { readonly origin: string }>;
  /** A route that accepts a body. */
  readonly path: string;
  /** A path that needs no token or session. */
  readonly page: string;
  readonly headers: string;
}

const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';

const apps: readonly App[] = [
  {
    name: 'api',
    path: '/oauth2/access_token',
    page: '/docs',
    headers: FORM,
    start: (databaseUrl) => startApp('api', { databaseUrl }),
  },
  {
    name: 'intake',
    path: '/events',
    page: '/openapi.json',
    headers: 'Content-Type: application/json\r\n',
    start: (databaseUrl) => startApp('intake', { databaseUrl, queueUrl: databaseUrl }),
  },
  {
    name: 'dashboard',
    path: '/sign-in',
    page: '/sign-in',
    headers: FORM,
    start: (databaseUrl) => startApp('dashboard', { databaseUrl, queueUrl: databaseUrl }),
  },
  {
    name: 'worker',
    path: '/',
    page: '/metrics',
    headers: FORM,
    start: (databaseUrl) => startApp('worker', { databaseUrl, queueUrl: databaseUrl }),
  },
];

const GZIP = 'Accept-Encoding: gzip\r\n';
const PAGES = `${LIST}?$top=80`;

/**
 * Attacks in which clients send many requests and read no answer. They target only the API, because its answers are
 * large.
 */
const unread: readonly (readonly [
  target: string,
  connections: number,
  pipelined: number,
  headers?: string,
])[] = [
  ['/openapi.json', 620, 400],
  ['/docs/errors', 300, 100, 'Accept-Encoding: br\r\n'],
  [`${PAGES}&$format=html`, 300, 40],
  [`${PAGES}&$format=jsonstream`, 400, 40, GZIP],
  ['/no', 300, 1_500],
  ['/no?$format=html', 300, 400],
];

/**
 * Carries out the attacks one after the other. Expects the app to answer bystanders in time and to stay within its
 * memory limit.
 */
async function expectWithstood(
  { name, page }: Pick<App, 'name' | 'page'>,
  server: ObservedProcess & { readonly origin: string },
  all: readonly (Omit<Attack, 'port'> & { readonly least: number })[],
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const port = Number(new URL(server.origin).port);
  const seen: string[] = [];
  let attacker: ObservedProcess | undefined;
  try {
    for (const { least, ...attack } of all) {
      const { kind, path, connections } = attack;
      attacker = await startAttack({ ...attack, port });
      const answers = [];
      for (let probe = 0; probe < PROBES; probe += 1) {
        for (const target of ['/health/live', '/health/ready', page]) {
          answers.push(await askAsBystander(server, port, target));
        }
      }
      await meanwhile?.();
      await attacker.stop('SIGKILL');
      const slowestMs = Math.max(...answers.map(({ ms }) => ms));
      const peakMb = Math.round(readPeakMemoryMb(server.pid));
      seen.push(`${kind} ${Math.round(slowestMs)} ms, ${peakMb} MB`);
      const about = `${kind} ${path}`;
      const statuses = answers.map(({ status }) => status);
      expect(statuses, about).to.deep.equal(Array(3 * PROBES).fill(200));
      expect(slowestMs, about).to.be.below(MOST_PROBE_MS * Math.max(1, connections / least));
    }
    expect(server.runs(), server.output()).to.equal(true);
    const peakMb = readPeakMemoryMb(server.pid);
    console.info(`      ${name}, slowest answer and most memory so far: ${seen.join('; ')}`);
    expect(peakMb).to.be.below(MOST_MEMORY_SHARE * readMemoryLimitMb(name));
  } finally {
    await attacker?.stop('SIGKILL');
  }
}

describe('strangers who attack every port', function () {
  this.timeout(900_000);
  let test: TestDatabase;
  let publisher: Publisher;
  let published = 0;
  before(async () => {
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
    await addCompany(test.database, 'TEM-NO', 'TEM-NO');
    publisher = await openPublisher(test.url);
  });
  after(async () => {
    await publisher?.close();
    await test?.close();
  });

  /** Publishes an event, and waits until the event has taken effect. */
  async function expectTaken(): Promise<void> {
    published += 1;
    await publisher.publish(completion(published));
    await waitUntil('the event has taken effect', async () => {
      const { rows } = await test.database.pool.query('SELECT FROM takt.work_order_operations');
      return rows.length === published;
    });
  }

  const random = randomFrom(testSeed());
  // The attacks that anybody can carry out. The test of the HTTP layer, which all apps share, carries out the others too.
  const [pipeline, hold] = attacks;
  for (const { name, start, path, page, headers } of apps) {
    const addresses = random.pick(ADDRESSES);
    it(`cannot stop the ${name} or fill its memory from ${addresses.length} addresses`, async () => {
      const server = await start(test.url);
      const own = [pipeline, hold].map(({ kind, connections }) => {
        // The worker offers little besides its metrics, so many clients may request the metrics.
        const least = name === 'worker' && kind === 'metrics' ? 1_500 : connections;
        return {
          ...{ kind, least, connections: shareOf(least, least), headers },
          addresses: withstoodFrom(kind, addresses),
          // Pipelined requests use the root, because a path that accepts bodies answers a GET in the same way.
          path: kind === 'pipeline' ? '/' : path,
        };
      });
      try {
        for (const { what, text } of malformedRequests(path)) {
          const { status } = await exchange(Number(new URL(server.origin).port), text);
          expect(status, what).to.equal(400);
        }
        await expectWithstood({ name, page }, server, own, name === 'worker' ? expectTaken : undefined);
      } finally {
        await server.stop();
      }
    });
  }
});

describe('clients that never read their answers', function () {
  this.timeout(600_000);
  const service = opened(() => openTestApi({ companies: ['TEM-NO'] }));

  it('cannot stop the API or fill its memory, and do not disturb later requests', async () => {
    const versions = Array.from({ length: 100 }, (_, index) => structureVersion('TEM-NO', 1 + index));
    await storeMasterData(service, versions);
    const authorization = `Authorization: Bearer ${service.token}\r\n`;
    const all = someOf(unread).map(([path, least, pipelined, headers = '']) => ({
      ...{ kind: 'pipeline' as const, path, least, connections: least, pipelined },
      headers: headers + (path.startsWith(LIST) ? authorization : ''),
    }));
    await expectWithstood({ name: 'api', page: '/docs' }, service.api, all);
    await waitUntil(
      'a page is served',
      async () => (await service.client.get(LIST)).status === 200,
      40_000,
      100,
    );
    // On a slow machine some answers are late, or the database accepts a connection too late for one. The API logs both as
    // errors. It may log no other error.
    const failures = service.api
      .output()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line));
    expect(
      failures.filter((line) => !/"msg":"request"|connect(?:ion)? timeout|when trying to connect/.test(line)),
    ).to.deep.equal([]);
  });
});
