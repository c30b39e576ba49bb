import { createTestDatabase, startApp, type TestDatabase } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import {
  type Attack,
  askAsBystander,
  attacks,
  exchange,
  findFreePort,
  malformedRequests,
  needsProgram,
  type ObservedProcess,
  opened,
  randomFrom,
  readMemoryLimitMb,
  readPeakMemoryMb,
  someOf,
  startAttack,
  startProxy,
  type TestProxy,
  testLength,
  testSeed,
  waitUntil,
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
 * Maximum processor time in ms that the app spends until it answers a bystander.
 */
const MOST_PROBE_MS = 1_000;
const MOST_PROXY_MB = 200;
const PROBES = 5;

/** Addresses of the attackers. The seed chooses one address or four. */
const ADDRESSES = [['127.0.0.1'], ['127.0.0.1', '127.0.0.3', '127.0.0.4', '127.0.0.5']];

interface App {
  readonly name: 'api' | 'dashboard' | 'intake';
  /** A path of the proxy that leads to the app and takes a body. */
  readonly path: string;
  /** A path of the proxy that needs no token or session. */
  readonly page: string;
  readonly headers: string;
}

const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';

const apps: readonly App[] = [
  { name: 'api', path: '/oauth2/access_token', page: '/docs', headers: FORM },
  {
    ...{ name: 'intake', path: '/events', page: '/events/openapi.json' },
    headers: 'Content-Type: application/json\r\n',
  },
  { name: 'dashboard', path: '/operations/sign-in', page: '/operations/sign-in', headers: FORM },
];

type Server = ObservedProcess & { readonly origin: string };

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
 * Carries out attacks on the proxy one after the other. Expects that the proxy answers bystanders, that the attacked app
 * answers its supervisor in time, and that every process stays within its memory limit.
 */
async function expectWithstood(
  { name, page }: Pick<App, 'name' | 'page'>,
  { app, proxy }: { readonly app: Server; readonly proxy: TestProxy },
  all: readonly Omit<Attack, 'port'>[],
): Promise<void> {
  const port = Number(new URL(proxy.url).port);
  const own = Number(new URL(app.origin).port);
  const seen: string[] = [];
  let attacker: ObservedProcess | undefined;
  try {
    for (const attack of all) {
      attacker = await startAttack({ ...attack, port });
      const answers = [];
      for (let probe = 0; probe < PROBES; probe += 1) {
        for (const target of ['/health/live', '/health/ready']) {
          answers.push(await askAsBystander(app, own, target));
        }
        answers.push(await askAsBystander(app, port, page));
      }
      await attacker.stop('SIGKILL');
      const slowestMs = Math.max(...answers.map(({ ms }) => ms));
      const peakMb = Math.round(readPeakMemoryMb(app.pid));
      seen.push(`${attack.kind} ${Math.round(slowestMs)} ms, ${peakMb} MB`);
      const about = `${attack.kind} ${attack.path}`;
      expect(
        answers.map(({ status }) => status),
        about,
      ).to.deep.equal(Array(3 * PROBES).fill(200));
      expect(slowestMs, about).to.be.below(MOST_PROBE_MS);
    }
    expect(app.runs(), app.output()).to.equal(true);
    console.info(
      `      ${name}, slowest answer and most memory so far: ${seen.join('; ')}; proxy ${Math.round(readPeakMemoryMb(proxy.pid))} MB`,
    );
    expect(readPeakMemoryMb(app.pid)).to.be.below(MOST_MEMORY_SHARE * readMemoryLimitMb(name));
    expect(readPeakMemoryMb(proxy.pid)).to.be.below(MOST_PROXY_MB);
  } finally {
    await attacker?.stop('SIGKILL');
  }
}

describe('strangers who attack the proxy', function () {
  this.timeout(900_000);
  let test: TestDatabase;
  let servers: Readonly<Record<App['name'], Server>>;
  let proxy: TestProxy;
  before(async function () {
    needsProgram(this, 'haproxy');
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
    await addCompany(test.database, 'TEM-NO', 'TEM-NO');
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const environment = { TRUSTED_PROXIES: '127.0.0.1', DASHBOARD_URL: `${url}/operations` };
    const start = (app: App['name']) =>
      startApp(app, { databaseUrl: test.url, queueUrl: test.url, environment, baseUrlOf: () => url });
    const [api, intake, dashboard] = [await start('api'), await start('intake'), await start('dashboard')];
    servers = { api, intake, dashboard };
    const hostOf = ({ origin }: Server) => new URL(origin).host;
    proxy = await startProxy(port, {
      ...{ api: hostOf(api), intake: hostOf(intake), dashboard: hostOf(dashboard) },
    });
  });
  after(async () => {
    await proxy?.close();
    for (const app of Object.values(servers ?? {})) await app.stop();
    await test?.close();
  });

  const random = randomFrom(testSeed());
  for (const { name, path, page, headers } of apps) {
    const addresses = random.pick(ADDRESSES);
    it(`cannot stop the ${name} or fill its memory from ${addresses.length} addresses`, async () => {
      const own = someOf(attacks, 4).map(({ kind, connections }) => ({
        ...{ kind, connections, headers, addresses },
        // Pipelined requests use the root, because a path that takes bodies answers a GET in the same way.
        path: kind === 'pipeline' ? '/' : path,
      }));
      await expectWithstood({ name, page }, { app: servers[name], proxy }, own);
    });
  }

  it('get an error of the service for what is no HTTP, also without the proxy', async () => {
    for (const [name, { origin }] of Object.entries(servers)) {
      for (const { what, text } of malformedRequests('/')) {
        const { status, body } = await exchange(Number(new URL(origin).port), text);
        expect(status, `${name}: ${what}`).to.equal(400);
        expect(body.length, `${name}: ${what}`).to.be.above(0);
      }
    }
  });
});

describe('clients that never read their answers', function () {
  this.timeout(600_000);
  const service = opened(() => openTestApi({ companies: ['TEM-NO'] }));

  it('cannot stop the API or fill its memory, and do not disturb later requests', async function () {
    needsProgram(this, 'haproxy');
    const versions = Array.from({ length: 100 }, (_, index) => structureVersion('TEM-NO', 1 + index));
    await storeMasterData(service, versions);
    const authorization = `Authorization: Bearer ${service.token}\r\n`;
    const all = someOf(unread).map(([path, connections, pipelined, headers = '']) => ({
      ...{ kind: 'pipeline' as const, path, connections, pipelined },
      headers: headers + (path.startsWith(LIST) ? authorization : ''),
    }));
    const { host } = new URL(service.api.origin);
    const proxy = await startProxy(await findFreePort(), { api: host, intake: host, dashboard: host });
    try {
      await expectWithstood({ name: 'api', page: '/docs' }, { app: service.api, proxy }, all);
    } finally {
      await proxy.close();
    }
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
