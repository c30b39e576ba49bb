import { contentHash, identityOf } from './event-text.js';
import type { StoredJob } from './stored-job.js';

/** The columns of rejected events whose values come from the jobs. */
export const EVENT_COLUMNS =
  'content_sha256, queue, job_id, job_name, event_source, event_id, event_type, reason, deliveries, data, added_at, rejected_at';

/** SQL for a table with these columns. Its parameters are the values that `rowsOf` returns. */
export const JOBS_AS_ROWS = `unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::integer[], $10::text[], $11::timestamptz[], $12::timestamptz[])`;

/** Returns the values of the jobs, with an array for each column. */
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
    // JSON would escape NUL, so a text that contains NUL is not JSON. It is stored as a JSON string.
    text.includes('\0') ? JSON.stringify(text) : text,
    instantOf(job.addedAtMs),
    instantOf(job.finishedAtMs) ?? new Date(),
  ];
}

/** Replaces NUL, because PostgreSQL's type text cannot contain it. */
function holdable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

const YEAR_10000_MS = 253_402_300_800_000;

/** Returns null if the time is unknown or implausible. */
function instantOf(ms: number): Date | null {
  return ms >= 0 && ms < YEAR_10000_MS ? new Date(ms) : null;
}

function transpose(rows: readonly (readonly unknown[])[]): unknown[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}
