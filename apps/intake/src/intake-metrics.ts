import { Counter, Histogram, type Registry } from 'prom-client';
import type { Judged } from './events/judge-events.js';

/** Metrics about events. The labels have fixed values, so clients cannot add time series. */
export interface IntakeMetrics {
  countBytes(bytes: number): void;
  countTaken(events: number): void;
  countRefused(judged: Pick<Judged, 'invalid' | 'foreign'>): void;
  /** Counts a request that failed, whatever its content was. */
  countRefusedRequest(): void;
  /** To be called before events are stored. Call the returned function with the outcome. */
  startStoring(): (outcome: 'stored' | 'failed') => void;
}

/** Adds the metrics of the intake to the registry of the app, which also has the HTTP metrics. */
export function createIntakeMetrics(registry: Registry): IntakeMetrics {
  const registers = [registry];
  const events = new Counter({
    name: 'takt_intake_events_total',
    help: 'Events by outcome: accepted, once the queue had stored them, or refused because they break a rule (invalid) or belong to a company that the token may not publish for (company)',
    labelNames: ['outcome'],
    registers,
  });
  const refusedRequests = new Counter({
    name: 'takt_intake_refused_requests_total',
    help: 'Requests to POST /events that were answered with an error; none of their events was accepted',
    registers,
  });
  const bytes = new Counter({
    name: 'takt_intake_bytes_total',
    help: 'Bytes of request bodies with events, unpacked',
    registers,
  });
  const queueSeconds = new Histogram({
    name: 'takt_intake_queue_seconds',
    help: 'Time from handing the events of a request to the queues to their acknowledgement (stored), or to giving up (failed)',
    labelNames: ['outcome'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 3],
    registers,
  });
  // Each counter starts at 0, so that the first event counts as an increase.
  for (const outcome of ['accepted', 'invalid', 'company']) events.inc({ outcome }, 0);
  for (const outcome of ['stored', 'failed']) queueSeconds.zero({ outcome });
  return {
    countBytes: (count) => bytes.inc(count),
    countTaken: (count) => events.inc({ outcome: 'accepted' }, count),
    countRefused: ({ invalid, foreign }) => {
      events.inc({ outcome: 'invalid' }, invalid.length);
      events.inc({ outcome: 'company' }, foreign.length);
    },
    countRefusedRequest: () => refusedRequests.inc(),
    startStoring: () => {
      const startedAtMs = performance.now();
      return (outcome) => queueSeconds.observe({ outcome }, (performance.now() - startedAtMs) / 1_000);
    },
  };
}
