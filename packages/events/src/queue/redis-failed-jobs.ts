import type { Cluster, Redis } from 'ioredis';
import type { FailedJob, FailedJobsView } from './failed-jobs.js';
import { QUEUE_PREFIX } from './queue-names.js';

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
