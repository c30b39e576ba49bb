import {
  type AppProcess,
  createTestDatabase,
  runTakt,
  startApp,
  type TestDatabase,
} from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { completion, waitUntil } from '@takt/test-support';
import { expect } from 'chai';

/** Maximum time in ms until the intake rejects a revoked token. The intake caches the rights of a token for 3 s. */
const REVOKED_WITHIN_MS = 5_000;

/** Rights to publish over HTTP, as an operator grants them with the takt command. */
describe('publishing over HTTP', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let intake: AppProcess;

  before(async () => {
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
    intake = await startApp('intake', { databaseUrl: test.url, queueUrl: test.url });
    await takt('company', 'add', 'TEM-NO', 'Company of the good events');
    await takt('company', 'add', 'OTHER', 'Another company');
  });
  after(async () => {
    await intake?.stop();
    await test?.close();
  });

  /** Runs the takt command and returns its output. */
  async function takt(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runTakt(args, { DATABASE_URL: test.url });
    expect(code, stderr).to.equal(0);
    return stdout.trim();
  }

  const createToken = (...args: readonly string[]) =>
    takt('token', 'create', '--database', 'TEM-NO', ...args);
  let operation = 0;
  const publish = async (token: string) => {
    operation += 1;
    const response = await fetch(`${intake.origin}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(completion(operation)),
    });
    const { message = '' } = JSON.parse(await response.text());
    return `${response.status} ${message}`.trim();
  };
  const jobsInQueue = async () => {
    const { rows } = await test.database.pool.query('SELECT FROM bullmq.job');
    return rows.length;
  };

  it('requires a token created with --publish, and is refused after takt token revoke', async () => {
    const reading = await createToken();
    // A process that has just started may first report that the database is slow.
    await waitUntil('the token is refused', async () => /^403 .*publish-events/.test(await publish(reading)));
    expect(await jobsInQueue()).to.equal(0);
    const token = await createToken('--publish');
    expect(await publish(token)).to.equal('202');
    expect(await jobsInQueue()).to.equal(1);
    const [{ tokenId }] = JSON.parse(await takt('token', 'list', '--json')).slice(-1);
    await takt('token', 'revoke', String(tokenId));
    await waitUntil(
      'the token is refused',
      async () => (await publish(token)).startsWith('403 '),
      REVOKED_WITHIN_MS,
    );
  });

  it('requires the permission of takt client permit ID publish-events if the token belongs to a client', async () => {
    const [, id = ''] =
      /^client (\d+)$/m.exec(await takt('client', 'add', 'MES', '--database', 'TEM-NO')) ?? [];
    const token = await createToken('--client', id);
    expect(await publish(token)).to.match(/^403 .*publish-events/);
    await takt('client', 'permit', id, 'publish-events');
    await waitUntil('it may', async () => (await publish(token)) === '202', REVOKED_WITHIN_MS);
    await takt('client', 'permit', id, 'publish-events', '--remove');
    await waitUntil('it may not', async () => (await publish(token)).startsWith('403 '), REVOKED_WITHIN_MS);
  });

  it('is limited to the companies of the token, and updates the last use of the token', async () => {
    const foreign = await takt('token', 'create', '--database', 'OTHER', '--publish');
    const before = await jobsInQueue();
    expect(await publish(foreign)).to.match(/^403 .*TEM-NO/);
    expect(await jobsInQueue()).to.equal(before);
    expect(await intake.stop()).to.equal(0);
    const [{ lastUsedAt }] = JSON.parse(await takt('token', 'list', '--json')).slice(-1);
    expect(Date.now() - Date.parse(lastUsedAt)).to.be.below(120_000);
  });
});
