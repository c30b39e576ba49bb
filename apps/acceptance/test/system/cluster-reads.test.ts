import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken, createUser, saveView, signIn } from '@takt/access';
import { fillPath, isComputed, newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { addressAt, openDatabase } from '@takt/database';
import {
  type AppProcess,
  createTestDatabase,
  needsCluster,
  startApp,
  type TestDatabase,
} from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { storeSamples } from '../support/master-data.js';
import { type ApiClient, openApiClient, TOKEN_LIFETIME_MS } from '../support/test-api.js';

const COMPANIES = ['A', 'B', 'C', 'D'];
const PERSON = { name: 'Planner', password: 'correct horse battery', roles: ['administrator', 'planner'] };
const TIMES = '/product/structure-versions/aggregated-production-times';

/** Identifiers of the samples by the names of path parameters. */
const IDENTIFIERS: Readonly<Record<string, number>> = {
  applicationId: 10_001,
  applicationVersionId: 1_001,
  errorMessageId: 100_003,
};
/** Values of the parameters that some resources require. */
const VALUES: Readonly<Record<string, string>> = { kind: 'run', object: 'Product', field: 'Status' };
/** Requests for every stored resource in every format. A detail is not served as CSV. */
const OF_RESOURCES = resourceFamilies
  .map(newestOf)
  .filter((resource) => !isComputed(resource))
  .flatMap(({ kind, path, pathParameters, parameters = [] }) => {
    const identifiers = pathParameters.map(({ name }) => [name, IDENTIFIERS[name] ?? 1] as const);
    const required = parameters
      .filter(({ isRequired }) => isRequired)
      .map(({ name }) => `&${name}=${VALUES[name]}`);
    return ['json', 'xml', 'html', ...(kind === 'list' ? ['csv'] : [])].map(
      (format) => `${fillPath(path, Object.fromEntries(identifiers))}?$format=${format}${required.join('')}`,
    );
  });
const QUERIES = [
  ...OF_RESOURCES,
  `${TIMES}?$format=html&from=2025-01&to=2025-03`,
  `${TIMES}?$format=html&from=2025-04&comparefrom=2025-01&compareto=2025-03`,
  `${TIMES}?$format=html&search=brakett`,
  `${TIMES}?$format=html&search=Brack%201`,
  `${TIMES}?$format=html&open=1`,
  `${TIMES}?$filter=RunTimeOverPlanPercent%20gt%201&$orderby=ProductName%20desc&$inlinecount=allpages`,
  `${TIMES}?$orderby=ProductStructureVersionKey&$expand=Keys&$inlinecount=allpages`,
  `${TIMES}?$filter=ProductKey%20eq%20'x'%20or%20contains(ProductStructureVersionKey,'WL')`,
  `/product/structure-versions/plan-suggestions?$format=html&minOperations=1&threshold=1`,
];

/** Replaces the id of the request, and the times of the page and of what was saved now. */
function comparable(text: string): string {
  return text
    .replaceAll(/2026[-\d]+T[\d:.]+Z/g, 'NOW')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replaceAll(/<time .*?<\/time>/g, 'TIME');
}

/** The part of a text from its first difference to another on; empty if both are equal. */
function differing(text: string, wanted: string): string {
  const at = [...wanted].findIndex((character, index) => text[index] !== character);
  if (text === wanted) return '';
  return `${text.slice(Math.max(0, at - 200), at + 200)} <> ${wanted.slice(at, at + 200)}`;
}

interface Place {
  readonly test: TestDatabase;
  readonly apis: readonly AppProcess[];
  readonly clientsOf: (company: string) => Promise<readonly ApiClient[]>;
}

/** Stores the samples in a database, and starts an API at each of these ports of its servers. */
async function openPlace(test: TestDatabase, ports: readonly number[]): Promise<Place> {
  for (const code of COMPANIES) await addCompany(test.database, code, code);
  await storeSamples(test, COMPANIES);
  const pid = await createUser(test.database, { ...PERSON, companyCodes: COMPANIES });
  const start = (port: number) => {
    const url = new URL(test.appUrl('api'));
    url.port = String(port);
    return startApp('api', { databaseUrl: test.url, environment: { DATABASE_URL: url.href } });
  };
  const apis = await Promise.all([Number(new URL(test.url).port), ...ports].map(start));
  return {
    test,
    apis,
    clientsOf: async (company) => {
      const { token } = await createAccessToken(test.database, {
        companyCodes: [company],
        pid,
        expiresInMs: TOKEN_LIFETIME_MS,
      });
      return apis.map((api) => openApiClient(api, token));
    },
  };
}

/** Stops all processes of a PostgreSQL server, and lets them continue after 8 s. */
const FREEZE = `
  P=$(cut -d" " -f4 /proc/$PPID/stat); all=$P
  for stat in /proc/[0-9]*/stat; do set -- $(cat $stat); if [ "$4" = $P ]; then all="$all $1"; fi; done
  setsid sh -c "kill -STOP $all; sleep 8; kill -CONT $all" >/dev/null 2>&1 </dev/null &`;

async function freezeServer(url: string): Promise<void> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  // The session is stopped too, so that its answer and its end come late.
  void client.query(`COPY (SELECT) TO PROGRAM ${pg.escapeLiteral(FREEZE)}`).catch(() => undefined);
  await delay(1_000);
  void client.end().catch(() => undefined);
}

describe('an API on a cluster', function () {
  this.timeout(300_000);
  const places: Place[] = [];

  before(async function () {
    const { nodes } = needsCluster(this);
    places.push(
      await openPlace(await createTestDatabase({ isSingle: true }), []),
      await openPlace(
        await createTestDatabase(),
        nodes.map(({ port }) => port),
      ),
    );
  });
  after(async () => {
    for (const { apis, test } of places) {
      await Promise.all(apis.map((api) => api.stop()));
      await test.close();
    }
  });

  it('saves a view of a person', async () => {
    for (const { test } of places) {
      const session = await signIn(test.database.pool, { pid: 1_001, password: PERSON.password });
      if (!('issued' in session)) throw new Error(session.refused);
      const asApi = openDatabase({ url: test.appUrl('api'), applicationName: 'takt test' });
      const save = () =>
        saveView(asApi.pool, session.issued.accessToken, 'A', {
          name: 'My view',
          path: TIMES,
          query: '$top=3',
          isShared: false,
        });
      expect([await save(), await save()]).to.deep.equal([undefined, undefined]);
      await asApi.close();
    }
  });

  for (const query of QUERIES) {
    it(`answers like a single server, on every node and for every company: ${query}`, async () => {
      for (const company of COMPANIES) {
        const answers: string[] = [];
        for (const { apis, clientsOf } of places) {
          for (const [index, client] of (await clientsOf(company)).entries()) {
            const { status, text } = await client.get(query);
            answers.push(`${status} ${comparable(text).replaceAll(apis[index]?.origin ?? '', '')}`);
            client.close();
          }
        }
        expect(answers[0]).to.match(/^(?:200|404) /);
        for (const answer of answers.slice(1)) expect(differing(answer, answers[0] ?? '')).to.equal('');
      }
    });
  }

  it('says that the data are away while their node hangs, and serves the companies of other nodes', async () => {
    const { test, clientsOf } = places[1] ?? expect.fail('there is no cluster');
    const { rows } = await test.database.pool.query<{ code: string; host: string; port: number }>(
      `SELECT code, nodename AS host, nodeport AS port FROM takt.companies JOIN pg_dist_shard_placement
         ON shardid = get_shard_id_for_distribution_column('takt.products', company_id) WHERE code = ANY ($1) ORDER BY code`,
      [COMPANIES],
    );
    const [held, ...others] = rows;
    const other = others.find(({ port }) => port !== held?.port);
    if (held === undefined || other === undefined) throw new Error('all companies are on one node');
    const answerFor = async (code: string) => {
      const [client] = await clientsOf(code);
      const query = `${TIMES}?$filter=RunTime%20gt%201&$top=${Math.ceil(Math.random() * 50)}`;
      const answer = await client?.get(query);
      client?.close();
      return { status: answer?.status, retryAfter: answer?.headers['retry-after'], text: answer?.text ?? '' };
    };
    await freezeServer(addressAt(test.url, held, 'postgres'));
    const hung = await answerFor(held.code);
    expect([hung.status, hung.retryAfter]).to.deep.equal([500, '2']);
    expect(hung.text).to.include('The database is not answering right now');
    expect((await answerFor(other.code)).status).to.equal(200);
    await waitUntil('the node answers', async () => (await answerFor(held.code)).status === 200, 60_000);
  });

  it('runs every statement once, and logs no warning', () => {
    for (const api of places.flatMap(({ apis }) => apis)) {
      expect(api.output()).not.to.include('a session of the database was not the one');
    }
  });
});
