import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestRecord } from './request-record.js';

export interface HttpMetrics {
  readonly registry: Registry;
  begin(): void;
  end(record: RequestRecord): void;
  countDroppedConnection(): void;
}

const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/\bjson\b/, 'json'],
  [/\bxml\b/, 'xml'],
  [/\bhtml\b/, 'html'],
  [/./, 'other'],
];

/** The HTTP layer's metrics in a registry of their own: names begin with takt_, times are in seconds. */
export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'takt_http_requests_total',
    help: 'Answered requests by template of the route (empty: none matched), status and format of the answer',
    labelNames: ['route', 'status', 'format'],
    registers,
  });
  const seconds = new Histogram({
    name: 'takt_http_request_seconds',
    help: 'Time from the headers of a request to the last byte of its answer',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3, 10],
    registers,
  });
  const inFlight = new Gauge({
    name: 'takt_http_requests_in_flight',
    help: 'Requests that are being answered',
    registers,
  });
  const aborted = new Counter({
    name: 'takt_http_aborted_answers_total',
    help: 'Answers whose connection was gone before their end',
    registers,
  });
  const dropped = new Counter({
    name: 'takt_http_dropped_connections_total',
    help: 'Connections that were refused because there were too many',
    registers,
  });
  return {
    registry,
    begin: () => inFlight.inc(),
    end: ({ route, status, contentType, durationMs, isAborted }) => {
      inFlight.dec();
      requests.inc({ route, status, format: nameFormat(contentType) });
      seconds.observe({ route }, durationMs / 1000);
      if (isAborted) aborted.inc();
    },
    countDroppedConnection: () => dropped.inc(),
  };
}

function nameFormat(contentType: string): string {
  return FORMATS.find(([pattern]) => pattern.test(contentType))?.[1] ?? 'none';
}
