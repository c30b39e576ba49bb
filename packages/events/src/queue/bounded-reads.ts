/**
 * Size limit in bytes of a job's JSON: its data, options and name. Takt never reads a larger job completely. Once
 * parsed, a job takes several times its size, so a few larger jobs would use up the memory of a worker.
 */
export const MAX_JOB_BYTES = 16 * 2 ** 20;

/** Text that replaces the data of a job that is too large. It is followed by the size of the original data. */
const OVERSIZED_MARK = 'takt:oversizedBytes';

const OVERSIZED_TEXT = new RegExp(`^\\{"${OVERSIZED_MARK}": ?(\\d+)\\}$`);

/** Returns the size in bytes of the original job if the text stands for data that were too large, otherwise undefined. */
export function oversizedBytesOfText(text: string): number | undefined {
  const [, bytes] = OVERSIZED_TEXT.exec(text) ?? [];
  return bytes === undefined ? undefined : Number(bytes);
}

/** Returns the size of the original data if `data` stand for data that were too large, otherwise undefined. */
export function oversizedBytes(data: unknown): number | undefined {
  if (typeof data !== 'object' || data === null || !(OVERSIZED_MARK in data)) return undefined;
  const bytes = data[OVERSIZED_MARK];
  return typeof bytes === 'number' ? bytes : undefined;
}

// BullMQ always reads complete jobs, and only the store knows the size of a job beforehand. So the few statements of
// BullMQ that read jobs are changed to check the size first. If a version of BullMQ has unknown statements, opening the
// queues fails.

/** If a job is too large, each of its other fields is returned only up to this size. */
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

/** Lua script that reads the fields of one job. It returns names and values alternately. */
export const READ_ONE_JOB = `${READ_JOB}\nreturn readJob(KEYS[1])`;

/** Matches the names of BullMQ's scripts that return jobs. */
const HANDS_OUT_JOBS = /^(?:moveToActive|moveToFinished|moveToDelayed|getJobs):/;
const READS_A_HASH = /rcall\(\s*["'](?:HGETALL|HVALS)["'],\s*([^)]+)\)/gi;
const JOB_KEYS: ReadonlySet<string> = new Set(['jobKey', 'prefix .. jobId', 'members[i]']);
/** Keys of hashes that are not jobs but belong to schedulers and flows. */
const OTHER_KEYS: ReadonlySet<string> = new Set([
  'jobSchedulerKey',
  'jobKey .. ":processed"',
  'jobKey .. ":failed"',
]);

/**
 * Changes a Lua script of BullMQ so that the script reads no job that is too large. Throws if the script reads an
 * unknown hash.
 */
export function boundScript(name: string, lua: string): string {
  let reads = 0;
  const refuse = () =>
    new Error(`the script ${name} of this version of BullMQ does not read jobs in the expected way`);
  const bounded = lua.replace(READS_A_HASH, (call, key: string) => {
    if (OTHER_KEYS.has(key)) return call;
    if (!JOB_KEYS.has(key)) throw refuse();
    reads += 1;
    return `readJob(${key})`;
  });
  if (reads === 0 && HANDS_OUT_JOBS.test(name)) throw refuse();
  return reads === 0 ? lua : READ_JOB + bounded;
}

/**
 * A job whose stored value is smaller than this cannot be too large, because PostgreSQL compresses by less than a
 * factor of 512.
 */
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

/** Matches a statement that reads all columns of a table, which may be the table of jobs. */
const READS_ALL = /(?:\bSELECT\s+|\bRETURNING\s+|\w\.)\*/i;

/**
 * Changes an SQL statement of BullMQ so that the statement reads no job that is too large. A statement that reads no
 * jobs stays unchanged. Throws if a statement reads all columns in an unknown way.
 */
export function boundPostgresRead(statement: string): string {
  if (READS_ALL.test(statement) && !JOB_READ.test(statement)) {
    throw new Error(`this version of BullMQ does not read jobs in the expected way: ${statement}`);
  }
  return statement.replace(
    JOB_READ,
    (_, source: string) =>
      `SELECT ${COLUMNS} FROM (SELECT *, ${BYTES} AS bytes FROM ${source} OFFSET 0) AS read`,
  );
}
