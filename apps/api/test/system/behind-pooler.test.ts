import { openDatabase } from '@takt/database';
import { needsProgram, startTestPgBouncer, type TestPgBouncer } from '@takt/test-support';
import { expect } from 'chai';
import { pino } from 'pino';
import { startApi } from '../../src/start-api.js';
import { FOREIGN_CANARY, insertCanaries, OWN_CANARY } from '../support/canaries.js';
import { type HttpClient, openHttpClient } from '../support/http-client.js';
import { type ServedApi, serveApi } from '../support/serve-api.js';

const LISTS = [
  '/product/structure-versions/aggregated-production-times?$top=7',
  '/product/structure-versions/aggregated-production-times?$top=5&$orderby=RunTime&$filter=ProductStructureVersionId%20lt%2020',
  '/product/structure-versions/aggregated-production-times?$top=3&search=canary',
];
const detailAt = (turn: number) =>
  `/product/structure-versions/${1 + (turn % 30)}/aggregated-production-times`;

const CLIENTS = 16;
const QUESTIONS = 2_000;
/** The number of requests after which the test terminates a server connection. */
const CUT_EVERY = 150;

const silent = pino({ level: 'silent' });

describe('the API behind PgBouncer in transaction mode', function () {
  this.timeout(120_000);
  let api: ServedApi;
  let bouncer: TestPgBouncer;
  let tokens: readonly (readonly [own: string, foreign: string, token: string])[];

  before(async function () {
    needsProgram(this, 'pgbouncer');
    api = await serveApi();
    await insertCanaries(api);
    tokens = [
      [OWN_CANARY, FOREIGN_CANARY, await api.createToken('TEM-NO')],
      [FOREIGN_CANARY, OWN_CANARY, await api.createToken('OTHER')],
    ];
    bouncer = await startTestPgBouncer({ mode: 'transaction', urls: [api.appUrl('api')] });
  });
  after(async () => {
    await bouncer?.close();
    await api?.close();
  });

  /** Sends requests for both companies in turn, and terminates server connections meanwhile. Returns the results. */
  const askAll = async (client: HttpClient) => {
    const found = { right: 0, failed: 0, wrong: [] as string[] };
    let asked = 0;
    let cuts = 0;
    const askOn = async () => {
      for (let turn = asked++; turn < QUESTIONS; turn = asked++) {
        if (turn % CUT_EVERY === CUT_EVERY - 1) {
          cuts++;
          await cutOne(api);
        }
        const [own, foreign, token] = tokens[turn % 2] ?? ['', '', ''];
        // Lists and details alternate in pairs, so that each company gets as many details as lists.
        const path = turn % 4 < 2 ? (LISTS[turn % LISTS.length] ?? '') : detailAt(turn);
        const { status, text } = await client.get(path, { authorization: `Bearer ${token}` });
        if (status === 200 && text.includes(own) && !text.includes(foreign)) {
          found.right++;
        } else if (status === 500) {
          found.failed++;
        } else {
          found.wrong.push(`${path} for ${own}: ${status} ${text.slice(0, 200)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, askOn));
    return { ...found, cuts };
  };

  const expectRight = ({ right, failed, wrong, cuts }: Awaited<ReturnType<typeof askAll>>) => {
    expect(wrong.slice(0, 3), `${wrong.length} of ${QUESTIONS}`).to.deep.equal([]);
    expect(right + failed).to.equal(QUESTIONS);
    // A terminated connection fails one statement. It also fails the statements that the API has sent on it before
    // noticing its end.
    expect(failed, 'failed').to.be.at.most(4 * cuts);
  };

  const optionsOf = (databaseUrl: string) => ({
    ...{ databaseUrl, host: '127.0.0.1', port: 0, baseUrl: 'https://takt.example', logger: silent },
    limits: { answerDeadlineMs: 60_000, maxWaitMs: 60_000 },
  });

  it('returns only its own rows to each company while server connections are terminated', async () => {
    const url = bouncer.urlOf(api.appUrl('api'));
    const served = await startApi({ ...optionsOf(url), pooler: 'transaction', keptAnswersBytes: 1_000_000 });
    const client = openHttpClient(served.port, CLIENTS);
    try {
      expectRight(await askAll(client));
      const { text } = await client.get('/metrics');
      expect(text).to.match(/^takt_lost_sessions_total 0$/m);
    } finally {
      client.close();
      await served.close();
    }
  });

  it('never returns foreign rows or falsely empty answers, even without the pooler in its configuration', async () => {
    const database = openDatabase({
      ...{ url: bouncer.urlOf(api.appUrl('api')), applicationName: 'not told', maxConnections: 8 },
      ...{ statementTimeoutMs: 20_000, connectDeadlineMs: 20_000 },
    });
    const served = await api.serveBeside({ pool: database.pool });
    const client = openHttpClient(served.port, CLIENTS);
    try {
      expectRight(await askAll(client));
    } finally {
      client.close();
      await served.close();
      await database.close();
    }
  });

  it('refuses to start without the pooler in its configuration, and explains the remedy', async () => {
    const refused = startApi(optionsOf(bouncer.urlOf(api.appUrl('api'))));
    expect(await refused.catch(String)).to.match(
      /a pooler in front of DATABASE_URL lends sessions by transaction, .*: connect to PostgreSQL itself, or set DATABASE_POOLER=transaction and create the log-in again \(takt login create api\)/,
    );
  });
});

async function cutOne({ owner }: ServedApi): Promise<void> {
  await owner.query(
    `SELECT pg_terminate_backend(pid) FROM (
       SELECT pid FROM pg_stat_activity WHERE usename LIKE 'takt_api%' AND datname = current_database()
         AND application_name NOT LIKE 'takt api test%' ORDER BY random() LIMIT 1) AS one`,
  );
}
