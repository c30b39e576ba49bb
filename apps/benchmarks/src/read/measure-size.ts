import { createAccessToken } from '@takt/access';
import type { AppName } from '@takt/database';
import { type ApiProcess, appUrlOf, readPeakMemoryMb, startApiProcess } from '@takt/test-support';
import { median } from '../statistics.js';
import { runDirectLoad } from './direct-load.js';
import { COMPANY, type Filled } from './fill-database.js';
import { type LoadResult, runHttpLoad } from './http-load.js';
import { liveAggregation } from './live-aggregation.js';
import { type Kind, LIST_PATH, makeQueries } from './make-requests.js';
import { type RecordedStatement, startStatementRecorder } from './statement-recorder.js';

export interface Measured extends LoadResult {
  readonly contestant: string;
}

export interface MeasuredSize {
  readonly rows: number;
  readonly measured: readonly Measured[];
  readonly apiPeakMemoryMb: number;
}

export interface MeasureOptions {
  readonly rows: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly seed: number;
  /** With the formats, the text filters and the live aggregation, which one size is enough for. */
  readonly isMain: boolean;
  readonly say: (line: string) => void;
}

interface Contestant {
  readonly name: string;
  readonly run: () => Promise<LoadResult>;
}

/** Orders of which the first, the last page and the one before the last are compared. */
const DEEP_ORDERS = ['AverageRunTime', 'LongestSetupTime desc', 'ProductName', 'RunTime desc'];
const QUERIES = 200;
const TOKEN_MS = 86_400_000;

/** Runs every contestant once a round, in an order that moves on by one, and takes medians. */
export async function measureSize(filled: Filled, options: MeasureOptions): Promise<MeasuredSize> {
  const { token } = await createAccessToken(filled.database, {
    companyCodes: [COMPANY],
    expiresInMs: TOKEN_MS,
  });
  const statements = await recordStatements(filled.url, token, options);
  const api = await startApiProcess({ databaseUrl: filled.url });
  try {
    const contestants = await makeContestants({ filled, token, api, statements, options });
    const results = new Map(contestants.map(({ name }) => [name, [] as LoadResult[]]));
    // What a process that has just started compiles and prepares belongs to no round.
    for (const { run } of contestants) await run();
    for (let round = 0; round < options.rounds; round++) {
      for (let turn = 0; turn < contestants.length; turn++) {
        const contestant = contestants[(turn + round) % contestants.length];
        if (contestant === undefined) continue;
        const result = await contestant.run();
        results.get(contestant.name)?.push(result);
        options.say(
          `${options.rows} rows, round ${round + 1}: ${contestant.name}: ${result.perSecond.toFixed(0)}/s, p50 ${result.p50Ms.toFixed(2)} ms, p99 ${result.p99Ms.toFixed(2)} ms`,
        );
      }
    }
    const measured = [...results].map(([contestant, rounds]) => ({
      contestant,
      perSecond: median(rounds.map(({ perSecond }) => perSecond)),
      p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
      p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
      failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
    }));
    return { rows: options.rows, measured, apiPeakMemoryMb: readPeakMemoryMb(api.pid) };
  } finally {
    await api.stop();
  }
}

const KINDS: readonly Kind[] = ['ordered', 'by range', 'by text'];

/** What the API executes for the requests of each kind. */
async function recordStatements(
  databaseUrl: string,
  token: string,
  { seed }: MeasureOptions,
): Promise<ReadonlyMap<Kind, readonly RecordedStatement[]>> {
  const recorder = await startStatementRecorder(databaseUrl);
  const api = await startApiProcess({ databaseUrl: recorder.url });
  try {
    const byKind = new Map<Kind, readonly RecordedStatement[]>();
    for (const kind of KINDS) {
      recorder.recorded.length = 0;
      for (const query of makeQueries(kind, QUERIES, seed)) {
        await (await get(api, `${LIST_PATH}?${query}`, token)).text();
      }
      byKind.set(
        kind,
        recorder.recorded.filter(({ text }) => text.includes('"product_structure_versions"')),
      );
    }
    return byKind;
  } finally {
    await api.stop();
    await recorder.close();
  }
}

interface SizeUnderTest {
  readonly filled: Filled;
  readonly token: string;
  readonly api: ApiProcess;
  readonly statements: ReadonlyMap<Kind, readonly RecordedStatement[]>;
  readonly options: MeasureOptions;
}

async function makeContestants(size: SizeUnderTest): Promise<readonly Contestant[]> {
  const { filled, token, api, statements, options } = size;
  const { connections, seconds, seed, isMain } = options;
  const http = (name: string, queries: readonly string[]): Contestant => ({
    name,
    run: () => runHttpLoad({ url: api.origin, path: LIST_PATH, queries, token, connections, seconds }),
  });
  const direct = (
    name: string,
    executed: readonly RecordedStatement[],
    { directConnections = connections, app = 'api' as AppName } = {},
  ): Contestant => ({
    name,
    run: async () =>
      runDirectLoad({
        databaseUrl: await appUrlOf(filled.url, app),
        companyKey: (await companyOf(filled)).key,
        statements: executed,
        connections: directConnections,
        seconds,
      }),
  });
  const queries = (kind: Kind, format: string) =>
    makeQueries(kind, QUERIES, seed).map((query) => `${query}&$format=${format}`);
  const executed = (kind: Kind) => statements.get(kind) ?? [];
  const deep = await findDeepPages(api, token);
  return [
    http('JSON, ordered', queries('ordered', 'json')),
    direct('SQL alone, ordered', executed('ordered')),
    http('JSON, by range', queries('by range', 'json')),
    direct('SQL alone, by range', executed('by range')),
    http('JSON, first pages', deep.first),
    http('JSON, last pages', deep.last),
    http('JSON, pages before the last', deep.beforeLast),
    direct('SQL alone, last pages by OFFSET', await offsetStatements(size), { directConnections: 2 }),
    ...(isMain
      ? [
          http('XML, ordered', queries('ordered', 'xml')),
          http('HTML, ordered', queries('ordered', 'html')),
          http('JSON, by text', queries('by text', 'json')),
          direct('SQL alone, by text', executed('by text')),
        ]
      : []),
    ...((await countOperations(filled)) > 0
      ? [
          direct('live GROUP BY, first page', [liveAggregation((await companyOf(filled)).id)], {
            directConnections: 2,
            app: 'worker',
          }),
        ]
      : []),
  ];
}

/** Queries of the first page, the last and the one before it, in each of some orders. */
async function findDeepPages(api: ApiProcess, token: string) {
  const first = DEEP_ORDERS.map((order) => `$top=80&$orderby=${encodeURIComponent(order)}`);
  const last: string[] = [];
  const beforeLast: string[] = [];
  for (const query of first) {
    const { lastPage } = await pagingOf(api, `${LIST_PATH}?${query}`, token);
    last.push(queryOf(lastPage));
    const { previousPage } = await pagingOf(api, `${LIST_PATH}?${queryOf(lastPage)}`, token);
    beforeLast.push(queryOf(previousPage));
  }
  return { first, last, beforeLast };
}

/** The statements of pages that skip rows, with an offset to the last page bound: the same query, paged by OFFSET. */
async function offsetStatements({ filled, token, options }: SizeUnderTest) {
  const recorder = await startStatementRecorder(filled.url);
  const api = await startApiProcess({ databaseUrl: recorder.url });
  try {
    for (const order of DEEP_ORDERS) {
      await ask(api, `${LIST_PATH}?$top=80&$skip=1&$orderby=${encodeURIComponent(order)}`, token);
    }
  } finally {
    await api.stop();
    await recorder.close();
  }
  return recorder.recorded
    .filter(({ text }) => text.includes('OFFSET'))
    .map((statement): RecordedStatement => {
      const position = Number(/OFFSET \$(\d+)/.exec(statement.text)?.[1]) - 1;
      const values = statement.values.map((value, index) =>
        index === position ? String(options.rows - 80) : value,
      );
      return { ...statement, values };
    });
}

interface PagingLinks {
  readonly lastPage: string;
  readonly previousPage: string;
}

async function pagingOf(api: ApiProcess, path: string, token: string): Promise<PagingLinks> {
  const { paging } = (await ask(api, path, token)) as { readonly paging: PagingLinks };
  return paging;
}

/** Whatever the answer is: one past the deadline is found again when it is measured. */
function get(api: ApiProcess, path: string, token: string): Promise<Response> {
  return fetch(api.origin + path, { headers: { Authorization: `Bearer ${token}` } });
}

async function ask(api: ApiProcess, path: string, token: string): Promise<unknown> {
  const response = await get(api, path, token);
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}

function queryOf(link: string): string {
  return link.slice(link.indexOf('?') + 1);
}

async function countOperations({ database }: Filled): Promise<number> {
  const { rows } = await database.pool.query<{ readonly count: string }>(
    'SELECT count(*) FROM takt.work_order_operations',
  );
  return Number(rows[0]?.count);
}

async function companyOf({ database }: Filled): Promise<{ readonly id: number; readonly key: string }> {
  const { rows } = await database.pool.query<{ readonly id: number; readonly key: string }>(
    'SELECT company_id AS id, access_key AS key FROM takt.companies',
  );
  return rows[0] ?? { id: 0, key: '' };
}
