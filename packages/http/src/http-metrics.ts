import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type ShedReason, shedReasons } from './connections.js';
import type { RequestRecord } from './request-record.js';

export interface HttpMetrics {
  readonly registry: Registry;
  begin(): void;
  end(record: RequestRecord): void;
  /** A request that was refused because it could not have been answered in time. */
  countRefusal(contentType: string): void;
  countShedConnection(reason: ShedReason): void;
}

/** Its end is when who watches goes: how long that took says nothing of the app. */
const STREAM = 'stream';
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/\bjson\b/, 'json'],
  [/\bxml\b/, 'xml'],
  [/\bhtml\b/, 'html'],
  [/\bcsv\b/, 'csv'],
  [/\bspreadsheetml\b/, 'xlsx'],
  [/\bevent-stream\b/, STREAM],
  [/./, 'other'],
];

/** The HTTP layer's metrics, in the registry of the app: names begin with takt_, times are in seconds. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'takt_http_requests_total',
    help: 'Requests by template of the route (empty: none matched), status and format of the answer; status aborted: the client had gone before its end, refused: it could not have been answered in time',
    labelNames: ['route', 'status', 'format'],
    registers,
  });
  const seconds = new Histogram({
    name: 'takt_http_request_seconds',
    help: 'Time from the headers of a request to the last byte of its answer, by route, format and class of the status, such as 2xx; without server-sent events',
    labelNames: ['route', 'format', 'status_class'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3, 10],
    registers,
  });
  const inFlight = new Gauge({
    name: 'takt_http_requests_in_flight',
    help: 'Requests that are being answered',
    registers,
  });
  const shed = new Counter({
    name: 'takt_http_shed_connections_total',
    help: 'Connections that were ended because there were too many (connections), too many of one address (address), or because their clients did not take what they asked for (bytes)',
    labelNames: ['reason'],
    registers,
  });
  // From the start, so that the first one is seen as an increase.
  for (const reason of shedReasons) shed.inc({ reason }, 0);
  return {
    registry,
    begin: () => inFlight.inc(),
    end: ({ route, status, contentType, durationMs, isAborted }) => {
      inFlight.dec();
      const format = nameFormat(contentType);
      const isWhole = !isAborted && status !== undefined;
      requests.inc({ route, status: isWhole ? status : 'aborted', format });
      if (format === STREAM) return;
      const status_class = isWhole ? `${Math.floor(status / 100)}xx` : 'aborted';
      seconds.observe({ route, format, status_class }, durationMs / 1000);
    },
    countRefusal: (contentType) =>
      requests.inc({ route: '', status: 'refused', format: nameFormat(contentType) }),
    countShedConnection: (reason) => shed.inc({ reason }),
  };
}

function nameFormat(contentType: string): string {
  return FORMATS.find(([pattern]) => pattern.test(contentType))?.[1] ?? 'none';
}
