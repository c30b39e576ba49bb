import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken } from '@takt/access';
import { openDatabase } from '@takt/database';
import { type AppProcess, startApp } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { readError } from '../support/document.js';
import { storeMasterData, structureVersion } from '../support/master-data.js';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.js';
import { LIST } from '../support/production-times.js';
import {
  type ApiAnswer,
  type ApiClient,
  openApiClient,
  openTestApi,
  type TestApi,
  TOKEN_LIFETIME_MS,
} from '../support/test-api.js';

/**
 * Maximum duration of an answer: the 3 s that the API promises, and 1.5 s more because the test machine may be loaded.
 */
const ANSWER_DEADLINE_MS = 3_000 + 1_500;
const EXIT_DEADLINE_MS = 10_000;
const RECOVERY_DEADLINE_MS = 90_000;
const READERS = 8;
/** Number of database connections that the API gives to one company at the same time. */
const LENT_CONNECTIONS = 6;
const KILLS = 100;
const OVERLOADED = 100002;
const DATABASE_UNAVAILABLE = 100003;
const SHUTTING_DOWN = 100007;
/** Time in ms after which the API no longer caches any token, so that it must query the database. */
const TOKEN_MEMORY_MS = 3_200;
const LISTED = ['TEM-NO'] as const;

/** Expects an answer in time, with status 500, the error for an unavailable database and a Retry-After header. */
function expectUnavailable(answer: ApiAnswer) {
  expect(answer.status).to.equal(500);
  expect(readError(answer).errorMessage.errorMessageId).to.equal(DATABASE_UNAVAILABLE);
  expect(answer.headers['retry-after']).to.equal('2');
  expect(answer.durationMs).to.be.lessThan(ANSWER_DEADLINE_MS);
}

/** True if the API rejected the request because of overload. Expects such an answer to be in time. */
function isRefused(answer: ApiAnswer): boolean {
  if (readError(answer).errorMessage.errorMessageId !== OVERLOADED) return false;
  expect(answer.durationMs).to.be.lessThan(ANSWER_DEADLINE_MS);
  return true;
}

/**
 * Expects 200 for all parallel readers in every round. A reader sends its request again if the API rejects it because
 * of overload.
 */
async function expectServed(ask: () => Promise<ApiAnswer>, rounds: number): Promise<void> {
  const askAgain = async (): Promise<ApiAnswer> => {
    const answer = await ask();
    return answer.status !== 200 && isRefused(answer) ? askAgain() : answer;
  };
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(Array.from({ length: READERS }, askAgain));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
  }
}

/** Matches the output of a process after an uncaught error: a fatal log line, or the text that Node.js prints. */
const UNCAUGHT = /"level":60|uncaught|unhandled|^\s+at .*\n.*Node\.js v/im;

/** Starts parallel readers. Each reader sends one request after the other until the readers are stopped. */
function startReaders(ask: () => Promise<ApiAnswer>) {
  const answers: ApiAnswer[] = [];
  let isStopped = false;
  const readers = Array.from({ length: READERS }, async () => {
    while (!isStopped) answers.push(await ask());
  });
  return {
    answers,
    stop: async () => {
      isStopped = true;
      await Promise.all(readers);
      return answers;
    },
  };
}

describe('the API while its database fails', function () {
  this.timeout(180_000);
  let service: TestApi;
  const ask = () => service.client.get(LIST);

  before(async () => {
    // Caching is off, so each answer needs a full read from the database. For a cached answer the API would query only
    // a stamp.
    service = await openTestApi({ companies: LISTED, environment: { TAKT_KEPT_ANSWERS_MB: '0' } });
    await storeMasterData(service, [structureVersion('TEM-NO', 1), structureVersion('TEM-NO', 2)]);
  });
  after(async () => await service?.close());

  /**
   * Waits until all parallel readers get 200. The API may first use a connection that has ended, and needs time to open
   * a new connection.
   */
  const untilServed = () =>
    waitUntil('all are served', async () => {
      const answers = await Promise.all(Array.from({ length: READERS }, ask));
      return answers.every(({ status }) => status === 200);
    });

  it(`answers ${READERS} parallel readers in time while ${KILLS} kills end its connections, and recovers afterwards`, async () => {
    const readers = startReaders(ask);
    let ended = 0;
    // On a busy machine the API may not have reconnected before the next kill. The loop therefore counts only
    // connections that were ended.
    for (let kill = 0; ended < KILLS; kill += 1) {
      const { rows } = await service.database.pool.query<{ ended: number }>(
        `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'takt api'`,
      );
      ended += rows[0]?.ended ?? 0;
      await delay(kill % 20);
    }
    const answers = await readers.stop();
    // On a busy machine the API may reject some requests because of overload.
    for (const answer of answers) if (answer.status !== 200 && !isRefused(answer)) expectUnavailable(answer);
    expect(Math.max(...answers.map(({ durationMs }) => durationMs))).to.be.lessThan(ANSWER_DEADLINE_MS);
    const failed = answers.filter(({ status }) => status !== 200).length;
    console.info(`      ${ended} connections ended, ${answers.length} answers, ${failed} of them 500`);
    await untilServed();
    await expectServed(ask, 100 / READERS);
    expect(service.api.runs()).to.equal(true);
    expect(service.api.output()).not.to.match(UNCAUGHT);
  });

  it('answers every request in time while a table is locked, and recovers once the lock is released', async () => {
    const locker = await service.database.pool.connect();
    try {
      await locker.query('BEGIN; LOCK TABLE takt.product_structure_versions IN ACCESS EXCLUSIVE MODE');
      const answers = await Promise.all(Array.from({ length: 3 * READERS }, ask));
      // On a busy machine the API may reject some requests because of overload before they wait for the table.
      const waited = answers.filter((answer) => !isRefused(answer));
      expect(waited).not.to.deep.equal([]);
      for (const answer of waited) expectUnavailable(answer);
      // A request for another table waits only for a free connection.
      await waitUntil(
        'the catalogue is served',
        async () => (await service.client.get('/system/error-messages')).status === 200,
      );
    } finally {
      await locker.query('ROLLBACK');
      locker.release();
    }
    await untilServed();
    expect(service.api.output()).not.to.match(UNCAUGHT);
  });
});

describe('an API whose PostgreSQL is stopped', function () {
  this.timeout(180_000);
  let postgres: OwnPostgres;
  let api: AppProcess;
  let client: ApiClient;

  before(async () => {
    postgres = await startOwnPostgres();
    const databaseUrl = await postgres.createDatabase('faults');
    const database = openDatabase({ url: databaseUrl, applicationName: 'takt test' });
    await addCompany(database, 'TEM-NO', 'Stopped');
    await storeMasterData({ database }, [structureVersion('TEM-NO', 1)]);
    const { token } = await createAccessToken(database, {
      companyCodes: LISTED,
      expiresInMs: TOKEN_LIFETIME_MS,
    });
    await database.close();
    api = await startApp('api', { databaseUrl });
    client = openApiClient(api, token);
  });
  after(async () => {
    client?.close();
    await api?.stop('SIGKILL');
    await postgres?.close();
  });

  const readiness = async () => (await client.send('GET', '/health/ready')).status;

  it('answers requests in time with status 500 and the reason, and its readiness check with 503', async () => {
    expect((await client.get(LIST)).status).to.equal(200);
    await postgres.stop();
    for (const format of ['json', 'xml', 'html']) {
      const answers = await Promise.all(
        Array.from({ length: READERS }, () => client.get(`${LIST}?$format=${format}`)),
      );
      for (const answer of answers) {
        if (format === 'json') expectUnavailable(answer);
        expect(answer.status).to.equal(500);
        expect(answer.text).to.include(String(DATABASE_UNAVAILABLE));
        expect(answer.text).not.to.match(/ECONNREFUSED|postgres/i);
        expect(answer.durationMs).to.be.lessThan(ANSWER_DEADLINE_MS);
      }
    }
    await delay(TOKEN_MEMORY_MS);
    expectUnavailable(await client.get(LIST));
    expect(await readiness()).to.equal(503);
    expect((await client.send('GET', '/health/live')).status).to.equal(200);
  });

  it('answers normally again once PostgreSQL is back, without a restart', async () => {
    await postgres.start();
    await waitUntil('the API is ready', async () => (await readiness()) === 200, RECOVERY_DEADLINE_MS, 100);
    await expectServed(() => client.get(LIST), 4);
    expect(api.output()).not.to.match(UNCAUGHT);
  });
});

describe('an API that receives SIGTERM', function () {
  this.timeout(180_000);
  let service: TestApi;

  beforeEach(async () => {
    service = await openTestApi({ companies: LISTED });
    await storeMasterData(service, [structureVersion('TEM-NO', 1)]);
  });
  afterEach(async () => await service?.close());

  async function endWithin(deadlineMs: number) {
    const startedAt = performance.now();
    const code = await service.api.stop('SIGTERM');
    expect(code).to.equal(0);
    expect(performance.now() - startedAt).to.be.lessThan(deadlineMs);
    expect(service.api.output()).not.to.match(UNCAUGHT);
  }

  it('finishes the running requests, then exits', async () => {
    // These requests open all database connections of the API, so that later requests lose no time with connecting.
    // Those requests wait at most 1.5 s for the lock.
    await Promise.all(
      Array.from({ length: LENT_CONNECTIONS }, (_, index) => service.client.get(`${LIST}?$top=${index + 1}`)),
    );
    const locker = await service.database.pool.connect();
    await locker.query('BEGIN; LOCK TABLE takt.product_structure_versions IN ACCESS EXCLUSIVE MODE');
    const running = Promise.all(Array.from({ length: LENT_CONNECTIONS }, () => service.client.get(LIST)));
    await waitUntil(
      'the requests wait for the lock',
      async () => {
        const { rows } = await service.database.pool.query<{ waiting: number }>(
          `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'takt api' AND wait_event_type = 'Lock'`,
        );
        return rows[0]?.waiting === LENT_CONNECTIONS;
      },
      ANSWER_DEADLINE_MS,
    );
    const ended = endWithin(EXIT_DEADLINE_MS);
    // Lets the signal arrive before the lock is released. The delay is short, because the requests wait at most 1.5 s
    // for the lock.
    await delay(50);
    await locker.query('ROLLBACK');
    locker.release();
    const answers = await running;
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    await ended;
  });

  it('exits in time under load, and sends no partial answer', async () => {
    const outcomes: string[] = [];
    const readers = Array.from({ length: READERS }, async () => {
      while (service.api.runs()) {
        const outcome = await service.client.get(`${LIST}?$format=jsonstream`).then(
          (answer) =>
            answer.status === 200
              ? typeof JSON.parse(answer.text)
              : String(readError(answer).errorMessage.errorMessageId),
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        );
        outcomes.push(outcome);
      }
    });
    await waitUntil(
      'there is load',
      () => outcomes.filter((outcome) => outcome === 'object').length > 2 * READERS,
    );
    await endWithin(EXIT_DEADLINE_MS);
    await Promise.all(readers);
    // The API may refuse a connection while it exits, or close a connection before the first byte of an answer. The
    // client may retry in both cases.
    const expected = ['object', String(SHUTTING_DOWN), 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'];
    expect(outcomes.filter((outcome) => !expected.includes(outcome))).to.deep.equal([]);
    expect(outcomes.filter((outcome) => outcome === 'object').length).to.be.greaterThan(READERS);
  });
});
