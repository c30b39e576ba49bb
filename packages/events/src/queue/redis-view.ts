import { Cluster, type Redis } from 'ioredis';
import { QUEUE_PREFIX } from './queue-names.js';
import { RECENT_MS, REJECTED, STUCK_AFTER_MS, type StoreView, waitSince } from './store.js';

/**
 * Maximum number of active jobs that are examined. The oldest claims are at the end of the list. Reading this many jobs
 * keeps Redis busy for 1 ms.
 */
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

const COUNTS = `
local function keyOf(state) return KEYS[1] .. state end
return {
  redis.call('LLEN', keyOf('wait')) + redis.call('ZCARD', keyOf('prioritized')),
  redis.call('LLEN', keyOf('active')),
  redis.call('ZCARD', keyOf('delayed')),
  redis.call('ZCARD', keyOf('failed')),
}`;

const OLDEST = `
local id = redis.call('LINDEX', KEYS[1] .. 'wait', -1)
return id and redis.call('HGET', KEYS[1] .. id, 'timestamp')`;

/**
 * Lua script that lists jobs. Jobs with a priority follow the jobs without a priority. The score of a delayed job is
 * its due time times 4,096.
 */
const LISTED_JOBS = `
local state, offset, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local ids = {}
local function takeOldest(key)
  local found = redis.call('LRANGE', key, -(offset + limit), -(offset + 1))
  for place = #found, 1, -1 do table.insert(ids, found[place]) end
end
local function takeLowest(key, skipped)
  if limit == #ids then return end
  for _, id in ipairs(redis.call('ZRANGE', key, skipped, skipped + limit - #ids - 1)) do table.insert(ids, id) end
end
if state == 'waiting' then
  takeOldest(KEYS[1] .. 'wait')
  takeLowest(KEYS[1] .. 'prioritized', math.max(0, offset - redis.call('LLEN', KEYS[1] .. 'wait')))
elseif state == 'active' then
  takeOldest(KEYS[1] .. 'active')
else
  takeLowest(KEYS[1] .. state, offset)
end
local jobs = {}
for _, id in ipairs(ids) do
  local key = KEYS[1] .. id
  local fields = redis.call('HMGET', key, 'name', 'timestamp', 'processedOn', 'ats')
  local due = state == 'delayed' and redis.call('ZSCORE', KEYS[1] .. state, id)
  local failed = state == 'failed' and redis.call('ZSCORE', KEYS[1] .. state, id)
  table.insert(jobs, {
    id, fields[1] or '', fields[2] or '', fields[3] or '', due or '', fields[4] or '0',
    redis.call('HSTRLEN', key, 'data'), failed or ''
  })
end
return jobs`;

/**
 * Lua script that counts the completed jobs, without those that returned REJECTED. BullMQ adds an entry to a stream at each
 * completion.
 */
const COMPLETED = `
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local now = last and last[1] or '0'
local jobs = 0
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '(' .. ARGV[1], '+')) do
  local fields = {}
  for place = 1, #entry[2], 2 do fields[entry[2][place]] = entry[2][place + 1] end
  if fields['event'] == 'completed' and fields['returnvalue'] ~= '"${REJECTED}"' then jobs = jobs + 1 end
end
return {jobs, now}`;

function keyOf(queue: string, type: string): string {
  return `${QUEUE_PREFIX}:${queue}:${type}`;
}

/**
 * Counts the workers of a queue in Redis's list of clients. BullMQ's workers put the name of their queue into the name
 * of their blocking connection.
 */
function countNamed(list: string, queue: string): number {
  const name = `name=${QUEUE_PREFIX}:${Buffer.from(queue).toString('base64')}`;
  const isWorker = (field: string) => field === name || field.startsWith(`${name}:w:`);
  return list.split(/\r?\n/).filter((line) => line.split(' ').some(isWorker)).length;
}

/**
 * Creates the view of the queues on Redis. The view has no repair of times, because Redis uses the server's time for
 * claims, their duration and the last check for stalled jobs.
 */
export function viewRedis(client: Redis | Cluster): StoreView {
  return {
    countJobs: async (queue) => {
      const answer = toList(await client.eval(COUNTS, 1, keyOf(queue, ''))).map(Number);
      const [waiting = 0, active = 0, delayed = 0, failed = 0] = answer;
      return { waiting, active, delayed, failed };
    },
    listJobs: async (queue, state, { offset, limit }) => {
      const answer = toList(await client.eval(LISTED_JOBS, 1, keyOf(queue, ''), state, offset, limit));
      return answer.map((fields) => {
        const [
          jobId = '',
          name = '',
          addedAt = '',
          claimedAt = '',
          due = '',
          deliveries = '',
          bytes = '',
          failedAt = '',
        ] = toList(fields).map(String);
        return {
          jobId,
          name,
          addedAtMs: msOf(addedAt),
          claimedAtMs: msOf(claimedAt),
          dueAtMs: Math.floor(msOf(due) / 4_096),
          failedAtMs: msOf(failedAt),
          deliveries: Number(deliveries) || 0,
          bytes: Number(bytes) || 0,
        };
      });
    },
    isPaused: async (queue) => (await client.hexists(keyOf(queue, 'meta'), 'paused')) === 1,
    readOldestWait: async (queue) => waitSince(await client.eval(OLDEST, 1, keyOf(queue, ''))),
    // The ids of the stream begin with the time in ms.
    countCompleted: async (queue, since = String(Date.now() - RECENT_MS)) => {
      const [jobs, now] = toList(await client.eval(COMPLETED, 1, keyOf(queue, 'events'), since));
      return { jobs: Number(jobs), now: String(now) };
    },
    countWorkers: async (queue) => {
      const nodes = client instanceof Cluster ? client.nodes() : [client];
      const lists = await Promise.all(nodes.map((node) => node.client('LIST')));
      return Math.max(...lists.map((list) => countNamed(String(list), queue)));
    },
    readClockMs: async () => Number(await client.eval(CLOCK, 1, keyOf('clock', 'none'))) / 1_000,
    countStuckJobs: async (queue) => {
      const answer = await client.eval(
        STUCK_JOBS,
        1,
        keyOf(queue, 'active'),
        keyOf(queue, ''),
        STUCK_AFTER_MS,
      );
      const [jobs = 0, longestMs = 0] = toList(answer).map(Number);
      return { jobs, longestMs };
    },
  };
}

function toList(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? answer : [];
}

/** Reads milliseconds. Returns NaN for an empty text, and for a text that is not a number. */
function msOf(text: string): number {
  return text === '' ? Number.NaN : Number(text);
}
