import type { AppName } from '@takt/database';
import { appUrlOf } from '@takt/test-support';
import { type ServedSize, startMeasuredApi } from '../fill-database.js';
import { type Kind, LIST_PATH, makeQueries } from '../make-requests.js';
import type { Contestant } from './http-load.js';
import { type LoadRequest, runDirectLoad, runHttpLoad } from './http-load.js';
import { FIRST_PAGES, pathOf } from './peer-questions.js';
import { type RecordedStatement, startStatementRecorder } from './statement-recorder.js';

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly seed: number;
}

const QUERIES = 200;
const KINDS: readonly Kind[] = ['ordered', 'by range', 'by text'];
/** What computes everything anew needs a core for each. */
const FEW_CONNECTIONS = 2;

/** An API that reads through a pooler. */
export interface Pooled extends ServedSize {
  readonly poolerPid: number | undefined;
}

/** One of our API. */
function ours(
  name: string,
  { api, token }: ServedSize,
  requests: readonly LoadRequest[],
  { connections, seconds }: LoadOptions,
): Contestant {
  return {
    name,
    pid: api.pid,
    run: () => runHttpLoad({ origin: api.origin, requests, token, connections, seconds }),
  };
}

/** Random orders, ranges and texts in our formats, the statements of the same requests alone, and figures made live. */
export async function makeOurContestants(
  size: ServedSize,
  options: LoadOptions,
): Promise<readonly Contestant[]> {
  const statements = await recordStatements(size, options.seed);
  const http = (name: string, kind: Kind, format: string) =>
    ours(name, size, requestsOf(kind, format, options.seed), options);
  const direct = (kind: Kind) =>
    executing(`SQL alone, ${kind}`, size, { requests: statements.get(kind) ?? [], app: 'api', ...options });
  return [
    http('JSON, ordered', 'ordered', 'json'),
    direct('ordered'),
    http('XML, ordered', 'ordered', 'xml'),
    http('HTML, ordered', 'ordered', 'html'),
    http('JSON, by range', 'by range', 'json'),
    direct('by range'),
    http('JSON, by text', 'by text', 'json'),
    direct('by text'),
    executing('live GROUP BY, first page', size, {
      requests: [[liveAggregation(size.company.id)]],
      app: 'worker',
      connections: FEW_CONNECTIONS,
      seconds: options.seconds,
    }),
  ];
}

function requestsOf(kind: Kind, format: string, seed: number): readonly LoadRequest[] {
  return makeQueries(kind, QUERIES, seed).map((query) => ({
    path: `${LIST_PATH}?${query}&$format=${format}`,
  }));
}

interface Executed {
  readonly requests: readonly (readonly RecordedStatement[])[];
  /** Whose log-in may read what is executed. */
  readonly app: AppName;
  readonly connections: number;
  readonly seconds: number;
}

function executing(name: string, { url, company }: ServedSize, { app, ...load }: Executed): Contestant {
  return {
    name,
    run: async () =>
      runDirectLoad({ databaseUrl: await appUrlOf(url, app), companyKey: company.key, ...load }),
  };
}

/** What the API executes for each request of each kind. */
async function recordStatements(
  { url, token }: ServedSize,
  seed: number,
): Promise<ReadonlyMap<Kind, readonly (readonly RecordedStatement[])[]>> {
  const recorder = await startStatementRecorder(url);
  const api = await startMeasuredApi(recorder.url);
  try {
    const byKind = new Map<Kind, readonly (readonly RecordedStatement[])[]>();
    for (const kind of KINDS) {
      const requests: RecordedStatement[][] = [];
      for (const { path } of requestsOf(kind, 'json', seed)) {
        recorder.recorded.length = 0;
        // Whatever the answer is: one past the deadline is found again when it is measured.
        const response = await fetch(api.origin + path, { headers: { Authorization: `Bearer ${token}` } });
        await response.text();
        const executed = recorder.recorded.filter(({ text }) =>
          text.includes('"product_structure_versions"'),
        );
        if (executed.length > 0) requests.push(executed);
      }
      byKind.set(kind, requests);
    }
    return byKind;
  } finally {
    await api.stop();
    await recorder.close();
  }
}

const FIGURES = ['run', 'setup', 'cleanup'].map(
  (kind) => `avg(${kind}_time) AS average_${kind}_time, min(${kind}_time) AS shortest_${kind}_time,
    max(${kind}_time) AS longest_${kind}_time, stddev_pop(${kind}_time) AS deviation_${kind}_time`,
);

/** The first page without materialised figures: everything is computed from the operations when it is asked for. */
function liveAggregation(companyId: number): RecordedStatement {
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

const FIRST: readonly LoadRequest[] = FIRST_PAGES.map((question) => ({ path: pathOf('takt', question) }));
const HTML: readonly LoadRequest[] = FIRST.map(({ path }) => ({ path: `${path}&$format=html` }));

/**
 * The same first pages for who has none of them, as a document for people, and, by an API that keeps answers as it does by
 * default, for who asks again and for who has them all.
 */
export async function makeFirstPages(
  size: ServedSize,
  keeping: ServedSize,
  pooled: Pooled,
  options: LoadOptions,
): Promise<readonly Contestant[]> {
  const { poolerPid } = pooled;
  return [
    ours('takt, first page', size, FIRST, options),
    { ...ours('takt, first page behind PgBouncer', pooled, FIRST, options), poolerPid },
    ours('takt, first page as HTML', size, HTML, options),
    ours('takt, first page kept', keeping, FIRST, options),
    ours('takt, first page not modified', keeping, await withEtags(keeping), options),
  ];
}

/** Bytes of a page of HTML as it is without compression, of the longest one. */
export async function measureHtmlBytes(size: ServedSize): Promise<number> {
  const lengths: number[] = [];
  for (const { path } of HTML) {
    const page = await (await ask(size, path)).arrayBuffer();
    lengths.push(page.byteLength);
  }
  return Math.max(...lengths);
}

async function withEtags(size: ServedSize): Promise<readonly LoadRequest[]> {
  const requests: LoadRequest[] = [];
  for (const { path } of FIRST) {
    const response = await ask(size, path);
    await response.arrayBuffer();
    const etag = response.headers.get('etag') ?? '';
    const again = await ask(size, path, { 'If-None-Match': etag });
    if (again.status !== 304) throw new Error(`${path}: ${again.status} for who has ${etag}`);
    requests.push({ path, etag });
  }
  return requests;
}

/** As wrk asks: without compression. */
function ask({ api, token }: ServedSize, path: string, headers: Readonly<Record<string, string>> = {}) {
  const all = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity', ...headers };
  return fetch(api.origin + path, { headers: all });
}
