import type { Cluster, Redis } from 'ioredis';
import { QUEUE_PREFIX } from './queue-names.js';
import { viewFailedOfRedis } from './redis-failed-jobs.js';
import type { Claim, StoreView } from './store-view.js';

/** The jobs claimed first stand at the end; so many of them are looked at, which keeps Redis busy for 1 ms. */
const MAX_ACTIVE_LOOKED_AT = 2_000;

const CLOCK = `
local time = redis.call('TIME')
return time[1] .. string.format('%06d', time[2])`;

const STUCK_JOBS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local jobs, longest = 0, 0
for _, id in ipairs(redis.call('LRANGE', KEYS[1], -${MAX_ACTIVE_LOOKED_AT}, -1)) do
  local age = now - (tonumber(redis.call('HGET', ARGV[1] .. id, 'processedOn')) or now)
  if math.abs(age) >= tonumber(ARGV[2]) then
    jobs = jobs + 1
    longest = math.max(longest, age)
  end
end
return {jobs, longest}`;

const CLAIMS = `
local wanted, claims = {}, {}
for _, token in ipairs(ARGV) do wanted[token] = true end
for _, id in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local token = redis.call('GET', KEYS[2] .. id .. ':lock')
  if token and wanted[token] then
    table.insert(claims, id)
    table.insert(claims, token)
  end
end
return claims`;

/** Claims, their length and the time of the last check are kept in the server's time there: nothing to repair. */
export function viewRedis(client: Redis | Cluster): StoreView {
  const keyOf = (queue: string, type: string) => `${QUEUE_PREFIX}:${queue}:${type}`;
  return {
    ...viewFailedOfRedis(client),
    readClockMs: async () => Number(await client.eval(CLOCK, 1, keyOf('clock', 'none'))) / 1_000,
    countStuckJobs: async (queue, forMs) => {
      const answer = await client.eval(STUCK_JOBS, 1, keyOf(queue, 'active'), keyOf(queue, ''), forMs);
      const [jobs = 0, longestMs = 0] = toList(answer).map(Number);
      return { jobs, longestMs };
    },
    findClaims: async (queue, tokens) => {
      const answer = await client.eval(CLAIMS, 2, keyOf(queue, 'active'), keyOf(queue, ''), ...tokens);
      return toClaims(toList(answer).map(String));
    },
  };
}

function toList(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}

/** Job id and token stand in turn. */
function toClaims(texts: readonly string[]): readonly Claim[] {
  const claims: Claim[] = [];
  for (let index = 0; index + 1 < texts.length; index += 2) {
    claims.push({ jobId: texts[index] ?? '', token: texts[index + 1] ?? '' });
  }
  return claims;
}
