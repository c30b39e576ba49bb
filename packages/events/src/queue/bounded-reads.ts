/**
 * What a job may hold, in bytes of JSON: its data, options and name. What holds more is never read whole: a worker that
 * holds a few such jobs, each several times as large once it is parsed, would take the memory of all others.
 */
export const MAX_JOB_BYTES = 16 * 2 ** 20;

/** Stands for the data of a job that is too large to be read, with their size. */
const OVERSIZED_MARK = 'takt:oversizedBytes';

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

/** Reads the fields of one job, names and values in turn. */
export const READ_ONE_JOB = `${READ_JOB}\nreturn readJob(KEYS[1])`;

/** The scripts that hand out jobs, which must therefore read them. */
const HANDS_OUT_JOBS = /^(?:moveToActive|moveToFinished|moveToDelayed|getJobs):/;
const READS_A_HASH = /rcall\(\s*["'](?:HGETALL|HVALS)["'],\s*([^)]+)\)/gi;
const JOB_KEYS: ReadonlySet<string> = new Set(['jobKey', 'prefix .. jobId', 'members[i]']);
/** Hashes of schedulers and of flows, which hold no job. */
const OTHER_KEYS: ReadonlySet<string> = new Set([
  'jobSchedulerKey',
  'jobKey .. ":processed"',
  'jobKey .. ":failed"',
]);

/** The Lua script of BullMQ, reading no job that is too large. Throws where it reads a hash that is not known. */
export function boundScript(name: string, lua: string): string {
  let reads = 0;
  const refuse = () =>
    new Error(`the script ${name} of this version of BullMQ does not read jobs as is known`);
  const bounded = lua.replace(READS_A_HASH, (call, key: string) => {
    if (OTHER_KEYS.has(key)) return call;
    if (!JOB_KEYS.has(key)) throw refuse();
    reads += 1;
    return `readJob(${key})`;
  });
  if (reads === 0 && HANDS_OUT_JOBS.test(name)) throw refuse();
  return reads === 0 ? lua : READ_JOB + bounded;
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
