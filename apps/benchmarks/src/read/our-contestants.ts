import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appUrlOf } from '@takt/database/testing';
import { startTestPgBouncer } from '@takt/test-support';
import { type Contestant, type Defer, withCleanup } from '../harness.js';
import {
  type LoadOptions,
  type LoadRequest,
  runDirectLoad,
  runHttpLoad,
  type Statement,
  withCpu,
} from './load.js';
import { FIRST_PAGES, type Kind, LIST_PATH, makeQueries, pathOf } from './requests.js';
import { type ServedList, startMeasuredApi } from './serve-list.js';

export interface ContestOptions extends LoadOptions {
  readonly seed: number;
}

const QUERIES = 200;
/**
 * Number of connections for a live aggregation. It is small because the aggregation takes a core for each connection.
 */
const FEW_CONNECTIONS = 2;
const FIRST: readonly LoadRequest[] = FIRST_PAGES.map((question) => ({ path: pathOf('takt', question) }));
const FIRST_AS_HTML: readonly LoadRequest[] = FIRST.map(({ path }) => ({ path: `${path}&$format=html` }));

/** Makes a contestant that is an API which answers `requests`. Its CPU time includes the CPU time of the pooler. */
export function apiContestant(
  name: string,
  { api, token, database }: ServedList,
  requests: readonly LoadRequest[],
  { connections, seconds }: LoadOptions,
  poolerPid?: number,
): Contestant {
  const load = { origin: api.origin, token, requests, connections, seconds };
  return withCpu(name, database.pool, [api.pid, poolerPid], () => runHttpLoad(load));
}

/**
 * Makes the contestants of Takt. They measure first pages: as JSON, as HTML, behind PgBouncer, from the cache, and not
 * modified. They also measure random requests in three formats, the statements of such requests alone, and a first page
 * whose figures are computed from the operations.
 */
export async function makeOurContestants(
  list: ServedList,
  defer: Defer,
  options: ContestOptions,
): Promise<readonly Contestant[]> {
  const keeping = {
    ...list,
    api: await startMeasuredApi(defer, list.url, { TAKT_KEPT_ANSWERS_MB: '32' }),
  };
  const appUrl = await appUrlOf(list.url, 'api');
  const bouncer = await startTestPgBouncer({ mode: 'transaction', urls: [appUrl], poolSize: 10 });
  defer(bouncer.close);
  const settings = { DATABASE_URL: bouncer.urlOf(appUrl), DATABASE_POOLER: 'transaction' };
  const pooled = { ...list, api: await startMeasuredApi(defer, list.url, settings) };
  const statementsOf = await recordStatements(list, options.seed);
  const random = (kind: Kind, format: 'JSON' | 'XML' | 'HTML') =>
    apiContestant(`${format}, ${kind}`, list, randomRequests(kind, format, options.seed), options);
  const sqlAlone = (kind: Kind) => direct(`SQL alone, ${kind}`, list, 'api', statementsOf(kind), options);
  const fewConnections = { ...options, connections: FEW_CONNECTIONS };
  return [
    apiContestant('takt, first page', list, FIRST, options),
    apiContestant('takt, first page behind PgBouncer', pooled, FIRST, options, bouncer.pid),
    apiContestant('takt, first page as HTML', list, FIRST_AS_HTML, options),
    apiContestant('takt, first page kept', keeping, FIRST, options),
    apiContestant('takt, first page not modified', keeping, await withEtags(keeping), options),
    random('ordered', 'JSON'),
    sqlAlone('ordered'),
    random('ordered', 'XML'),
    random('ordered', 'HTML'),
    random('by range', 'JSON'),
    sqlAlone('by range'),
    random('by text', 'JSON'),
    sqlAlone('by text'),
    direct('live GROUP BY, first page', list, 'worker', [[liveAggregation(list.company.id)]], fewConnections),
  ];
}

/** Returns the length of the longest first page as HTML, in bytes without compression. */
export async function measureHtmlBytes(list: ServedList): Promise<number> {
  const lengths: number[] = [];
  for (const { path } of FIRST_AS_HTML) {
    const { body } = await ask(list, path);
    lengths.push(body.byteLength);
  }
  return Math.max(...lengths);
}

function randomRequests(kind: Kind, format: string, seed: number): readonly LoadRequest[] {
  return makeQueries(kind, QUERIES, seed).map((query) => ({
    path: `${LIST_PATH}?${query}&$format=${format.toLowerCase()}`,
  }));
}

type Statements = readonly (readonly Statement[])[];

function direct(
  name: string,
  { url, company, database }: ServedList,
  login: 'api' | 'worker',
  requests: Statements,
  { connections, seconds }: LoadOptions,
): Contestant {
  const load = { companyKey: company.key, requests, connections, seconds };
  return withCpu(name, database.pool, [], async () =>
    runDirectLoad({ ...load, databaseUrl: await appUrlOf(url, login) }),
  );
}

/** Records the statements on the list that the API executes for each request of a kind. */
function recordStatements(list: ServedList, seed: number): Promise<(kind: Kind) => Statements> {
  return withCleanup(async (defer) => {
    const folder = await mkdtemp(join(tmpdir(), 'takt-bench-statements-'));
    defer(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'statements');
    const recorder = new URL('record-statements-main.js', import.meta.url).href;
    const settings = { NODE_OPTIONS: `--import ${recorder}`, RECORDED_STATEMENTS: file };
    const api = await startMeasuredApi(defer, list.url, settings);
    const byKind = new Map<Kind, Statements>();
    for (const kind of ['ordered', 'by range', 'by text'] as const) {
      const requests: Statement[][] = [];
      for (const { path } of randomRequests(kind, 'JSON', seed)) {
        await writeFile(file, '');
        await ask({ ...list, api }, path);
        const lines = (await readFile(file, 'utf8')).trim().split('\n');
        const executed = lines.filter((line) => line !== '').map((line): Statement => JSON.parse(line));
        const ofList = executed.filter(({ text }) => text.includes('"product_structure_versions"'));
        if (ofList.length > 0) requests.push(ofList);
      }
      byKind.set(kind, requests);
    }
    return (kind) => byKind.get(kind) ?? [];
  });
}

const FIGURES = ['run', 'setup', 'cleanup'].map(
  (kind) => `avg(${kind}_time) AS average_${kind}_time, min(${kind}_time) AS shortest_${kind}_time,
    max(${kind}_time) AS longest_${kind}_time, stddev_pop(${kind}_time) AS deviation_${kind}_time`,
);

function liveAggregation(companyId: number): Statement {
  return {
    name: 'live_aggregation',
    text: `
      SELECT listed.product_structure_version_id, listed.name, listed.product_name, figures.*
      FROM takt.product_structure_versions listed
      LEFT JOIN (
        SELECT product_structure_version_id, count(*) AS completed, ${FIGURES.join(', ')}
        FROM takt.work_order_operations
        WHERE company_id = $1::integer AND run_time IS NOT NULL
        GROUP BY product_structure_version_id
      ) AS figures USING (product_structure_version_id)
      WHERE listed.company_id = $1::integer AND listed.changed_at IS NOT NULL
      ORDER BY figures.average_run_time, listed.product_structure_version_id
      LIMIT 80`,
    values: [String(companyId)],
  };
}

async function withEtags(list: ServedList): Promise<readonly LoadRequest[]> {
  const requests: LoadRequest[] = [];
  for (const { path } of FIRST) {
    const etag = (await ask(list, path)).headers.get('etag') ?? '';
    const again = await ask(list, path, { 'If-None-Match': etag });
    if (again.status !== 304) throw new Error(`${path}: ${again.status} although the client has ${etag}`);
    requests.push({ path, etag });
  }
  return requests;
}

/** Sends a request without compression, as wrk does. */
async function ask({ api, token }: ServedList, path: string, more: Readonly<Record<string, string>> = {}) {
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity', ...more };
  const response = await fetch(api.origin + path, { headers });
  return { status: response.status, headers: response.headers, body: await response.arrayBuffer() };
}
