import { contentHash, identityOf } from './event-text.js';
import type { StoredJob } from './stored-job.js';

/** The columns of rejected events that come from their jobs. */
export const EVENT_COLUMNS =
  'content_sha256, queue, job_id, job_name, event_source, event_id, event_type, reason, deliveries, data, added_at, rejected_at';

/** SQL: a table with these columns, from the parameters of `rowsOf`. */
export const JOBS_AS_ROWS = `unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::integer[], $10::text[], $11::timestamptz[], $12::timestamptz[])`;

/** The values of the jobs, an array per column. */
export function rowsOf(jobs: readonly StoredJob[]): unknown[][] {
  return transpose(jobs.map(rowOf));
}

function rowOf({ key, name, failedReason, deliveries, text, ...job }: StoredJob): readonly unknown[] {
  const { source, eventId, type } = identityOf(text);
  return [
    contentHash(key.queue.name, key.jobId, text),
    key.queue.name,
    holdable(key.jobId),
    holdable(name),
    source === null ? null : holdable(source),
    eventId === null ? null : holdable(eventId),
    type === null ? null : holdable(type),
    holdable(failedReason),
    Number.isSafeInteger(deliveries) ? Math.min(deliveries, 2 ** 31 - 1) : 0,
    // JSON escapes NUL; with a literal NUL the text is not JSON, and is stored as a JSON string.
    text.includes('\0') ? JSON.stringify(text) : text,
    instantOf(job.addedAtMs),
    instantOf(job.finishedAtMs) ?? new Date(),
  ];
}

/** Replaces NUL, which PostgreSQL's text cannot hold. */
function holdable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

const YEAR_10000_MS = 253_402_300_800_000;

/** Null for an unknown or implausible time. */
function instantOf(ms: number): Date | null {
  return ms >= 0 && ms < YEAR_10000_MS ? new Date(ms) : null;
}

function transpose(rows: readonly (readonly unknown[])[]): unknown[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}
