import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken, createApiClient, listAccessTokens, revokeAccessToken } from '@takt/access';
import { type Database, openDatabase } from '@takt/database';
import { type AppProcess, appUrlOf, startApp } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import {
  applicationVersion,
  storeMasterData,
  storeOperations,
  structureVersion,
} from '../../support/master-data.js';
import { type OwnPostgres, startOwnPostgres } from '../../support/own-postgres.js';
import { type OwnReplica, startReplicaOf } from '../../support/own-replica.js';
import { LIST, pageTarget, readPage } from '../../support/production-times.js';
import { APPLICATION_VERSION_ID, asking, servedResources } from '../../support/served-resources.js';
import { type ApiClient, openApiClient, TOKEN_LIFETIME_MS } from '../../support/test-api.js';

const COMPANY = 'TEM-NO';
const DATABASE_UNAVAILABLE = '100003';
/** Time in ms after which the API no longer caches any token, so that it must query a database. */
const TOKEN_MEMORY_MS = 3_200;
const MAX_LAG_S = 4;
/** Maximum lag in seconds at which the API finds tokens on the replica before it notices that the primary is away. */
const MAX_LAG_FOR_TOKENS_S = 1;
const CHANGE_DEADLINE_MS = 30_000;
/** Maximum time in ms until a revocation takes effect. The API promises 5 s; a busy machine may need more. */
const REVOCATION_DEADLINE_MS = 8_000;

describe('an API that reads from a streaming replica', function () {
  this.timeout(180_000);
  let primary: OwnPostgres;
  let replica: OwnReplica;
  let databaseUrl: string;
  let database: Database;
  let api: AppProcess;
  let client: ApiClient;
  let token: string;
  let signIn: () => Promise<Response>;

  before(async () => {
    primary = await startOwnPostgres();
    databaseUrl = await primary.createDatabase('replicated');
    database = openDatabase({ url: databaseUrl, applicationName: 'takt test' });
    await addCompany(database, COMPANY, 'Replicated');
    await store(structureVersion(COMPANY, 1), applicationVersion(COMPANY, APPLICATION_VERSION_ID));
    await storeOperations({ database }, [COMPANY], 1);
    token = await createToken();
    const known = { name: 'Scheduling', companyCodes: [COMPANY], permissions: ['production-times'] };
    const { clientId, secret } = await createApiClient(database, { ...known, roles: ['integrator'] });
    replica = await startReplicaOf(primary);
    api = await startApi();
    client = openApiClient(api, token);
    signIn = () =>
      fetch(`${api.origin}/oauth2/access_token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
  });

  after(async () => {
    client?.close();
    await api?.stop();
    await database?.close();
    await replica?.close();
    await primary?.close();
  });

  it('reports the lag of the replica, which is zero while no data change', async () => {
    await waitForReadiness(/^ready\nreplica: 0\.\d s behind\n$/);
    // Waits longer than the allowed lag. The API must not take the age of the last change for the lag.
    await delay(MAX_LAG_S * 1_000 + 1_500);
    expect(await readiness()).to.match(/^ready\nreplica: [01]\.\d s behind\n$/);
    expect(await lagMetric()).to.be.within(0, 2);
  });

  it('answers requests for every resource exactly like an API on the primary', async () => {
    const beside = await startApp('api', { databaseUrl, baseUrlOf: () => api.baseUrl });
    const toPrimary = openApiClient({ ...beside, baseUrl: api.baseUrl }, token);
    try {
      for (const { path } of servedResources) {
        for (const format of ['json', 'xml']) {
          const target = `${asking(path)}$format=${format}`;
          const [one, other] = [await client.get(target), await toPrimary.get(target)];
          expect(one.status, `${target}: ${one.text}`).to.equal(200);
          expect(one.text).to.equal(other.text);
        }
      }
    } finally {
      toPrimary.close();
      await beside.stop();
    }
  });

  it('reads from the primary while the lag of the replica is too long, and from the replica otherwise', async () => {
    await replica.pauseReplay(true);
    await store(structureVersion(COMPANY, 2));
    expect(await listed()).to.deep.equal([1]);
    await waitForReadiness(
      /^ready\nreplica: \d+\.\d s behind, so reads go to the primary until it is less than 2 s\n$/,
    );
    expect(await listed()).to.deep.equal([1, 2]);
    expect(await lagMetric()).to.be.above(MAX_LAG_S);
    await replica.pauseReplay(false);
    await waitForReadiness(/^ready\nreplica: \d\.\d s behind\n$/);
    expect(await listed()).to.deep.equal([1, 2]);
  });

  it('rejects a revoked token in time, even if the replica lags far behind', async () => {
    const revoked = await createToken();
    const asRevoked = openApiClient(api, revoked);
    await waitUntil('the token is known', async () => (await asRevoked.get(LIST)).status === 200);
    await replica.pauseReplay(true);
    try {
      await revokeAccessToken(database, revoked);
      await waitUntil(
        'the token is refused',
        async () => (await asRevoked.get(LIST)).status === 403,
        REVOCATION_DEADLINE_MS,
      );
    } finally {
      asRevoked.close();
      await replica.pauseReplay(false);
    }
  });

  it('continues to read while the primary is away, and signs users in again afterwards', async () => {
    await waitForReadiness(/^ready\nreplica: \d\.\d s behind\n$/);
    expect((await signIn()).status).to.equal(200);
    // The lag may still grow until the primary stops, so the test requires less than half of the limit.
    const wasFresh = (await lagMetric()) < MAX_LAG_FOR_TOKENS_S / 2;
    const early = wasFresh ? startReader() : undefined;
    await primary.stop();
    await waitForReadiness(/^ready\nreplica: .* behind\nprimary: cannot be reached/);
    const reading = early ?? startReader();
    await delay(TOKEN_MEMORY_MS);
    const refused = await signIn();
    expect(refused.status).to.equal(500);
    expect(await refused.text()).to.include(DATABASE_UNAVAILABLE);
    const second = await startApi();
    expect(await (await fetch(`${second.origin}/health/ready`)).text()).to.match(/^ready\n/);
    const fromSecond = openApiClient(second, token);
    expect((await fromSecond.get(LIST)).status).to.equal(200);
    fromSecond.close();
    await second.stop('SIGKILL');
    await primary.start();
    await waitForReadiness(/^ready\nreplica: \d\.\d s behind\n$/);
    expect((await signIn()).status).to.equal(200);
    const statuses = await reading.stop();
    expect(statuses.filter((status) => status !== 200)).to.deep.equal([]);
    expect(statuses.length).to.be.above(10);
  });

  it('reads from the primary while the replica is away', async () => {
    await replica.stop();
    await waitForReadiness(/^ready\nreplica: cannot be reached, so reads go to the primary/);
    expect(await listed()).to.deep.equal([1, 2]);
    expect(await lagMetric()).to.be.NaN;
    await store(structureVersion(COMPANY, 3));
    expect(await listed()).to.deep.equal([1, 2, 3]);
    await replica.start();
    await waitForReadiness(/^ready\nreplica: \d\.\d s behind\n$/);
    expect(await listed()).to.deep.equal([1, 2, 3]);
  });

  it('is not ready while primary and replica are both away', async () => {
    await Promise.all([replica.stop(), primary.stop()]);
    await waitForReadiness(/^the database cannot be reached/);
    expect((await client.get(LIST)).status).to.equal(500);
    await primary.start();
    await replica.start();
    await waitForReadiness(/^ready\nreplica: \d\.\d s behind\n$/);
  });

  it('records the last use of a token on the primary', async () => {
    await client.get(LIST);
    expect(await api.stop('SIGTERM')).to.equal(0);
    const [first] = await listAccessTokens(database);
    expect(first?.lastUsedAt).to.be.an.instanceOf(Date);
  });

  function store(...events: readonly object[]): Promise<void> {
    return storeMasterData({ database }, events);
  }

  async function createToken(): Promise<string> {
    const created = await createAccessToken(database, {
      companyCodes: [COMPANY],
      expiresInMs: TOKEN_LIFETIME_MS,
    });
    return created.token;
  }

  async function startApi(): Promise<AppProcess> {
    return startApp('api', {
      databaseUrl,
      environment: {
        DATABASE_REPLICA_URL: replica.urlOf(await appUrlOf(databaseUrl, 'api')),
        TAKT_MAX_REPLICA_LAG: `${MAX_LAG_S}s`,
      },
    });
  }

  async function listed(): Promise<readonly number[]> {
    return readPage((await client.get(pageTarget(''))).text).identifiers;
  }

  async function readiness(): Promise<string> {
    return (await fetch(`${api.origin}/health/ready`)).text();
  }

  async function waitForReadiness(expected: RegExp): Promise<void> {
    let last = '';
    await waitUntil(
      `/health/ready matches ${expected}`,
      async () => {
        last = await readiness();
        return expected.test(last);
      },
      CHANGE_DEADLINE_MS,
      100,
    ).catch((error: unknown) => {
      throw new Error(`/health/ready says ${last}`, { cause: error });
    });
  }

  async function lagMetric(): Promise<number> {
    const metrics = await (await fetch(`${api.origin}/metrics`)).text();
    const text = /^takt_replica_lag_seconds (\S+)$/m.exec(metrics)?.[1] ?? 'absent';
    return text === 'Nan' || text === 'NaN' ? Number.NaN : Number.parseFloat(text);
  }

  /** Sends one request after the other, at most ten a second, and collects the statuses of the answers. */
  function startReader() {
    const statuses: number[] = [];
    let isStopped = false;
    const reader = (async () => {
      while (!isStopped) {
        statuses.push((await client.get(LIST)).status);
        await delay(100);
      }
    })();
    return {
      stop: async () => {
        isStopped = true;
        await reader;
        return statuses;
      },
    };
  }
});
