import type { Cluster, Redis } from 'ioredis';

/**
 * What a job may hold, in bytes of JSON: its data, options and name. What holds more is never read whole: a worker that
 * holds a few such jobs, each several times as large once it is parsed, would take the memory of all others.
 */
export const MAX_JOB_BYTES = 16 * 2 ** 20;

/** Stands for the data of a job that is too large to be read, with their size. */
export const OVERSIZED_MARK = 'takt:oversizedBytes';

const OVERSIZED_TEXT = new RegExp(`^\\{"${OVERSIZED_MARK}": ?\\d+\\}$`);

/** Whether a job's data, as the text that was given for them, are those of a job that was too large to be read. */
export function standsForOversizedData(text: string): boolean {
  return OVERSIZED_TEXT.test(text);
}

/** The size of a job that was too large to be read, from what was given for its data; undefined for any other data. */
export function oversizedBytes(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null || !(OVERSIZED_MARK in data)) return undefined;
  const bytes = data[OVERSIZED_MARK];
  return typeof bytes === 'number' ? bytes : undefined;
}

// BullMQ reads jobs whole. How large one is, only its store can tell before it is sent; so the few statements of BullMQ
// that read jobs are changed to look first. A version of BullMQ whose statements read otherwise does not start.

/** Fields of a job that is too large are given up to this. */
const MAX_FIELD_BYTES = 65_536;

const READ_JOB = `
local function readJob(key)
  local bytes = 0
  for _, field in ipairs({'data', 'opts', 'name'}) do
    bytes = bytes + redis.call('HSTRLEN', key, field)
  end
  if bytes <= ${MAX_JOB_BYTES} then return redis.call('HGETALL', key) end
  local fields = {}
  for _, field in ipairs(redis.call('HKEYS', key)) do
    local value = ''
    if field == 'data' then
      value = '{"${OVERSIZED_MARK}":' .. string.format('%d', bytes) .. '}'
    elseif redis.call('HSTRLEN', key, field) <= ${MAX_FIELD_BYTES} then
      value = redis.call('HGET', key, field)
    end
    table.insert(fields, field)
    table.insert(fields, value)
  end
  return fields
end
`;

/** The scripts that hand jobs out, and how they read one. */
const SCRIPTS_THAT_READ = /^(?:moveToActive|moveToFinished|getJobs):/;
const READ_WHOLE = /rcall\("HGETALL", (jobKey|prefix \.\. jobId)\)/;

/** Lets no job that is too large be read over this connection. To be called before BullMQ is given it. */
export function boundRedisReads(client: Redis | Cluster): void {
  const defineCommand = client.defineCommand.bind(client);
  client.defineCommand = (name, definition) => {
    if (!SCRIPTS_THAT_READ.test(name)) return defineCommand(name, definition);
    if (!READ_WHOLE.test(definition.lua)) {
      throw new Error(`the script ${name} of this version of BullMQ does not read jobs as is known`);
    }
    const lua = READ_JOB + definition.lua.replace(READ_WHOLE, 'readJob($1)');
    return defineCommand(name, { ...definition, lua });
  };
  const readHash = async (key: string) => {
    const answer = await client.eval(`${READ_JOB}\nreturn readJob(KEYS[1])`, 1, key);
    return toRecord(Array.isArray(answer) ? answer.map(String) : []);
  };
  Object.defineProperty(client, 'hgetall', { value: readHash, writable: true, configurable: true });
}

/** Names and values stand in turn. */
function toRecord(texts: readonly string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let index = 0; index + 1 < texts.length; index += 2) {
    record[texts[index] ?? ''] = texts[index + 1] ?? '';
  }
  return record;
}

/** What is stored compressed in less than this cannot be too large: no compression of PostgreSQL's gains more. */
const SURELY_SMALL_BYTES = MAX_JOB_BYTES / 512;

const BYTES = `
  CASE WHEN pg_column_size(data) + pg_column_size(opts) + pg_column_size(name) < ${SURELY_SMALL_BYTES} THEN 0
    ELSE octet_length(data::text) + octet_length(opts::text) + octet_length(name) END`;

const unless = (instead: string, column: string) =>
  `CASE WHEN bytes > ${MAX_JOB_BYTES} THEN ${instead} ELSE ${column} END AS ${column}`;

const COLUMNS = [
  unless(`jsonb_build_object('${OVERSIZED_MARK}', bytes)`, 'data'),
  unless(`'{}'::jsonb`, 'opts'),
  unless('left(name, 255)', 'name'),
  'id, seq, state, priority, delay_ms, attempts_made, attempts_started, progress, return_value, failed_reason',
  'stacktrace, deferred_failure, processed_by, added_at_ms, processed_at_ms, finished_at_ms, stalled_count',
  'dedup_id, scheduler_id, parent_queue, parent_id, parent_key',
].join(', ');

const JOB_READ =
  /SELECT \* FROM ((?:move_to_active|move_to_completed_fetch|move_to_failed_fetch|job)\b[^;]*);?\s*$/;

/** Reads all columns of something, which may be those of jobs. */
const READS_ALL = /(?:\bSELECT\s+|\bRETURNING\s+|\w\.)\*/i;

/**
 * The statement of BullMQ, reading no job that is too large; one that reads no job as it is. Throws where a statement
 * reads all columns in a way that is not known.
 */
export function boundPostgresRead(statement: string): string {
  if (READS_ALL.test(statement) && !JOB_READ.test(statement)) {
    throw new Error(`this version of BullMQ does not read jobs as is known: ${statement}`);
  }
  return statement.replace(
    JOB_READ,
    (_, source: string) =>
      `SELECT ${COLUMNS} FROM (SELECT *, ${BYTES} AS bytes FROM ${source} OFFSET 0) AS read`,
  );
}
