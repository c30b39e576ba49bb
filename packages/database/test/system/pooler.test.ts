import {
  addressOf,
  checkBeforeStart,
  checkBeforeStartWithQueues,
  inventLogin,
  makeLogin,
} from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { needsProgram, type PgBouncerOptions, startTestPgBouncer } from '@takt/test-support';
import { expect } from 'chai';

describe('the start of an app behind PgBouncer', () => {
  let test: TestDatabase;
  before(async function () {
    needsProgram(this, 'pgbouncer');
    test = await createTestDatabase();
  });
  after(() => test?.close());

  /** Runs the checks of the API at start through the pooler. Returns their findings. */
  const check = async (
    url: string,
    options: Partial<PgBouncerOptions>,
    connection: { readonly pooler?: 'transaction'; readonly allowOwner?: boolean } = {},
  ) => {
    const bouncer = await startTestPgBouncer({ mode: 'transaction', urls: [url], ...options });
    try {
      return await checkBeforeStart(bouncer.urlOf(url), { app: 'api', allowOwner: false, ...connection });
    } finally {
      await bouncer.close();
    }
  };
  const nothing = { problems: [], warnings: [], role: undefined };

  it('succeeds in session mode, and in transaction mode if it is configured', async () => {
    const url = test.appUrl('api');
    expect(await check(url, { ignores: [] }, { pooler: 'transaction' })).to.deep.equal(nothing);
    expect(await check(url, { mode: 'session' })).to.deep.equal(nothing);
  });

  it('fails if sessions lack the settings of the app, and lists the actual and the required values', async () => {
    const login = inventLogin('api');
    await makeLogin(test.url, 'api', login);
    await test.database.pool.query(`ALTER ROLE ${login.name} RESET ALL`);
    const url = addressOf(test.url, login);
    const { problems } = await check(url, { mode: 'session' });
    expect(problems).to.have.length(1);
    expect(problems[0])
      .to.match(
        /^sessions of DATABASE_URL do not have the settings that the api gives them \(search_path is /,
      )
      .and.include('statement_timeout is 0 instead of 1900')
      .and.include('jit is on instead of off')
      .and.match(
        /connect to PostgreSQL itself, or set DATABASE_POOLER=transaction and create the log-in again/,
      );
    const told = await check(url, {}, { pooler: 'transaction' });
    expect(told.problems.join()).to.include('create the log-in again (takt login create api)');
    await makeLogin(test.url, 'api', login);
    expect(await check(url, {}, { pooler: 'transaction' })).to.deep.equal(nothing);
  });

  it('fails with the log-in of the owner, because sessions behind the pooler cannot set a role', async () => {
    const connection = { pooler: 'transaction', allowOwner: true } as const;
    const { problems } = await check(test.url, {}, connection);
    expect(problems.join()).to.include('role is none instead of takt_api').and.include("an owner's has not");
  });

  it('fails at once if the pooler rejects a parameter', async () => {
    const { problems } = await check(test.appUrl('api'), { ignores: [] });
    expect(problems.join()).to.match(
      /^a pooler in front of DATABASE_URL refuses what sessions need \(.*unsupported startup parameter.*\): connect to/,
    );
  });

  it('fails if the pooler is in statement mode', async () => {
    const { problems } = await check(test.appUrl('api'), { mode: 'statement' });
    expect(problems.join()).to.include('lends sessions by transaction');
  });

  it('fails if a queue in PostgreSQL is behind the pooler', async () => {
    const url = test.appUrl('worker');
    const bouncer = await startTestPgBouncer({ mode: 'transaction', urls: [url] });
    const pooled = bouncer.urlOf(url);
    const connection = { app: 'worker', allowOwner: false, pooler: 'transaction' } as const;
    const problemsOf = async (queueUrl: string) =>
      (await checkBeforeStartWithQueues(pooled, queueUrl, connection)).problems.join();
    try {
      expect(await problemsOf(pooled)).to.match(
        /^a queue in PostgreSQL needs sessions of its own, .*: set QUEUE_URL to PostgreSQL itself, or to Redis$/,
      );
      expect(await problemsOf(`${pooled}?x=1`)).to.match(
        /^a pooler in front of QUEUE_URL lends sessions by transaction, .*: set QUEUE_URL to PostgreSQL itself, or to Redis$/,
      );
      expect(await problemsOf(url)).to.equal('');
    } finally {
      await bouncer.close();
    }
  });
});
