import type { AppName } from '@takt/database';
import { appUrlOf } from '@takt/test-support';
import { type ServedSize, startMeasuredApi } from '../filled-size.js';
import { type Kind, LIST_PATH, makeQueries } from '../make-requests.js';
import type { Contestant } from './contestant.js';
import { runDirectLoad } from './direct-load.js';
import { type LoadRequest, runHttpLoad } from './http-load.js';
import { liveAggregation } from './live-aggregation.js';
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

/** One of our API. */
export function ours(
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
