import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessToken } from '@takt/access';
import { type AppProcess, createTestDatabase, startApp, type TestDatabase } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { findFreePort, needsProgram, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { storeMasterData, structureVersion } from '../../support/master-data.js';
import { TOKEN_LIFETIME_MS } from '../../support/test-api.js';

const GUIDE = new URL('../../../../../../docs/operating/scale.md', import.meta.url);
const LIST = '/product/structure-versions/aggregated-production-times';
const COMPANY = 'TEM-NO';
const READERS = 8;
const PROXIES = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'info' };

describe('two APIs behind the load balancer of the guide', function () {
  this.timeout(120_000);
  let test: TestDatabase;
  let folder: string;
  let apis: readonly AppProcess[];
  let balancer: ChildProcess;
  let origin: string;
  let token: string;
  const start = (port?: number) =>
    startApp('api', { databaseUrl: test.url, environment: PROXIES, ...(port !== undefined && { port }) });
  const ask = async (address = '203.0.113.7') => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address };
    const answer = await fetch(`${origin}${LIST}`, { headers });
    await answer.text();
    return answer.status;
  };

  before(async function () {
    needsProgram(this, 'haproxy');
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'takt-balancer-'));
    await addCompany(test.database, COMPANY, 'Balanced');
    await storeMasterData(test, [structureVersion(COMPANY, 1)]);
    const made = await createAccessToken(test.database, {
      companyCodes: [COMPANY],
      expiresInMs: TOKEN_LIFETIME_MS,
    });
    token = made.token;
    apis = await Promise.all([start(), start()]);
    const port = await findFreePort();
    origin = `http://127.0.0.1:${port}`;
    const [, text = ''] =
      /<!-- haproxy\.cfg[^>]*-->\s*```\n(.*?)```/s.exec(await readFile(GUIDE, 'utf8')) ?? [];
    const [one = '', other = ''] = apis.map((api) => new URL(api.origin).host);
    const config = text
      .replace('bind :3000', `bind 127.0.0.1:${port}`)
      .replace('10.0.0.11:3000', one)
      .replace('10.0.0.12:3000', other);
    expect(config).not.to.include('10.0.0.');
    const path = join(folder, 'haproxy.cfg');
    await writeFile(path, config);
    balancer = spawn('haproxy', ['-f', path, '-db'], { stdio: 'ignore' });
    await waitUntil('the balancer answers', async () => (await ask().catch(() => 0)) === 200);
  });
  after(async () => {
    if (balancer !== undefined) {
      const ended = once(balancer, 'exit');
      balancer.kill('SIGKILL');
      await ended;
    }
    await Promise.all((apis ?? []).map((api) => api.stop()));
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    await test?.close();
  });

  it('share the requests, and lose no request while one of them restarts', async () => {
    let isOver = false;
    const statuses = new Map<number, number>();
    const read = async () => {
      while (!isOver) {
        const status = await ask().catch(() => 0);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const readers = Array.from({ length: READERS }, read);
    const [first, second] = apis;
    const answered = (api: AppProcess | undefined) => api?.output().includes('"status":200') === true;
    await waitUntil('both answer', async () => answered(first) && answered(second));
    const port = Number(new URL(first?.origin ?? '').port);
    await first?.stop();
    const before = statuses.get(200) ?? 0;
    await waitUntil('the other answers', async () => (statuses.get(200) ?? 0) > before + 100);
    const again = await start(port);
    apis = [again, ...apis.slice(1)];
    await waitUntil('the first answers again', async () => answered(again));
    isOver = true;
    await Promise.all(readers);
    expect([...statuses.keys()], JSON.stringify([...statuses])).to.deep.equal([200]);
  });
});
