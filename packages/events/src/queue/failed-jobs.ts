import type { Cluster, Redis } from 'ioredis';
import type { Pool } from 'pg';
import { QUEUE_PREFIX } from './queue-names.js';

/** Which job failed, and when: one that is retried and fails again has another time. */
export interface FailedJobKey {
  readonly jobId: string;
  /** In ms since 1970. */
  readonly failedAtMs: number;
}

/** A job that failed, as far as a list of many shows it. */
export interface FailedJob extends FailedJobKey {
  /** In ms since 1970. */
  readonly addedAtMs: number;
  readonly deliveries: number;
  readonly reason: string;
  /** Its data as they are stored; empty where they are larger than was asked for. */
  readonly text: string;
}

/** Failed jobs of a queue, many with one question, where BullMQ asks for each. */
export interface FailedJobsView {
  /** The newest first, at most `limit`. */
  readonly listFailedJobs: (queue: string, limit: number) => Promise<readonly FailedJobKey[]>;
  /** Those that are there and failed, in any order. */
  readonly readFailedJobs: (
    queue: string,
    jobIds: readonly string[],
    maxTextBytes: number,
  ) => Promise<readonly FailedJob[]>;
}

const READ = `
local jobs = {}
for place = 3, #ARGV do
  local key = ARGV[1] .. ARGV[place]
  if redis.call('ZSCORE', KEYS[1], ARGV[place]) then
    local fields = redis.call('HMGET', key, 'timestamp', 'finishedOn', 'ats', 'failedReason')
    local text = ''
    if redis.call('HSTRLEN', key, 'data') <= tonumber(ARGV[2]) then text = redis.call('HGET', key, 'data') or '' end
    table.insert(jobs, {ARGV[place], fields[1] or '', fields[2] or '', fields[3] or '0', fields[4] or '', text})
  end
end
return jobs`;

export function viewFailedOfRedis(client: Redis | Cluster): FailedJobsView {
  const keyOf = (queue: string, type: string) => `${QUEUE_PREFIX}:${queue}:${type}`;
  return {
    listFailedJobs: async (queue, limit) => {
      const texts = await client.zrevrange(keyOf(queue, 'failed'), 0, limit - 1, 'WITHSCORES');
      return texts.flatMap((jobId, index) =>
        index % 2 === 0 ? [{ jobId, failedAtMs: Number(texts[index + 1]) }] : [],
      );
    },
    readFailedJobs: async (queue, jobIds, maxTextBytes) => {
      const keys = [keyOf(queue, 'failed'), keyOf(queue, ''), maxTextBytes] as const;
      const answer: unknown = await client.eval(READ, 1, ...keys, ...jobIds);
      return (Array.isArray(answer) ? answer : []).map(toFailedJob);
    },
  };
}

function toFailedJob(fields: unknown): FailedJob {
  const [jobId = '', addedAt = '', failedAt = '', deliveries = '', reason = '', text = ''] = Array.isArray(
    fields,
  )
    ? fields.map(String)
    : [];
  return {
    jobId,
    addedAtMs: msOf(addedAt),
    failedAtMs: msOf(failedAt),
    deliveries: Number(deliveries) || 0,
    reason,
    text,
  };
}

/** NaN for what is none, also for an empty text. */
function msOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}

/** `pool` looks into the schema of the queues. */
export function viewFailedOfPostgres(pool: Pool): FailedJobsView {
  return {
    listFailedJobs: async (queue, limit) => {
      const { rows } = await pool.query<{ id: string; finished_at_ms: string }>(
        `SELECT id, finished_at_ms FROM job WHERE queue = $1 AND state = 'failed'
         ORDER BY finished_at_ms DESC NULLS LAST, seq DESC LIMIT $2`,
        [queue, limit],
      );
      return rows.map((row) => ({ jobId: row.id, failedAtMs: Number(row.finished_at_ms) }));
    },
    readFailedJobs: async (queue, jobIds, maxTextBytes) => {
      const { rows } = await pool.query<FailedRow>(
        `SELECT id, added_at_ms, finished_at_ms, attempts_started, coalesce(failed_reason, '') AS failed_reason,
           CASE WHEN octet_length(data::text) <= $3 THEN data::text ELSE '' END AS text
         FROM job WHERE queue = $1 AND id = ANY ($2) AND state = 'failed'`,
        [queue, jobIds, maxTextBytes],
      );
      return rows.map((row) => ({
        jobId: row.id,
        addedAtMs: Number(row.added_at_ms),
        failedAtMs: Number(row.finished_at_ms),
        deliveries: row.attempts_started,
        reason: row.failed_reason,
        text: row.text,
      }));
    },
  };
}

interface FailedRow {
  readonly id: string;
  /** bigint arrives as text. */
  readonly added_at_ms: string;
  readonly finished_at_ms: string;
  readonly attempts_started: number;
  readonly failed_reason: string;
  readonly text: string;
}
