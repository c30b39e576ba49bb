import type { Found, RulePhrase, Words } from '@takt/events/internal';
import type pg from 'pg';

/** Number of days for which resolved rejections are kept and can be undone. */
export const RESOLVED_DAYS = 30;

/** A broken rule, as phrases that can be translated. */
export interface RejectionProblem {
  /** Path of the field; empty if the problem concerns the whole event. */
  readonly field: string;
  readonly rule: Words<RulePhrase>;
  readonly got: Found;
}

/** A rejected event. */
export interface Rejection {
  readonly id: number;
  readonly queue: string;
  /** The company code in the event; null if it has none. */
  readonly company: string | null;
  readonly source: string | null;
  readonly eventId: string | null;
  readonly type: string | null;
  /** The event as received, usually JSON. Empty in lists if it has more than 64 KB. */
  readonly data: string;
  /** The reason in English. */
  readonly reason: string;
  /** The reason in English, without the values of the event. */
  readonly rule: string;
  /** The broken rules; null if a program of 1.0.0 rejected the event. */
  readonly problems: readonly RejectionProblem[] | null;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** How often the event was rejected. */
  readonly times: number;
  readonly state: 'open' | 'corrected' | 'discarded';
  readonly resolvedAt: Date | null;
  readonly resolvedBy: string | null;
  readonly run: string | null;
  readonly replacementQueue: string | null;
  readonly replacementJobId: string | null;
  /** Its place in lists, from which the next page continues. */
  readonly place: string;
}

export const FILTER_FIELDS = ['rule', 'queue', 'source', 'type', 'company'] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** Selects rejected events. An absent condition does not restrict them. */
export interface RejectionFilter {
  readonly ids?: readonly number[];
  /** Values that fields must have; null selects events that lack the field. */
  readonly fields?: ReadonlyMap<FilterField, string | null>;
  /** Text that must occur in the reason or in the event, in any case. */
  readonly text?: string;
  /** Text that must occur in the reason, as it is written. */
  readonly inReason?: string;
  /** Only events that were rejected up to this instant, in ISO 8601. */
  readonly until?: string;
  /** Only events that were rejected in the last milliseconds, by the clock of the database. */
  readonly lastMs?: number;
  readonly run?: string;
}

/** The rejected events that somebody may see, and how much of them. */
export interface RejectionReader {
  /** Codes of the companies whose events they may see; undefined for all events, also those of no company. */
  readonly companies?: readonly string[];
  /**
   * For a reader from whom values are hidden: a search looks into an event only if it is of one of these types and has no
   * text that matches the pattern. Otherwise it looks at the rule and the company only.
   */
  readonly hidden?: { readonly readableTypes: readonly string[]; readonly pattern: string };
}

const COLUMN = {
  rule: 'rule',
  queue: 'queue',
  source: 'event_source',
  type: 'event_type',
  company: 'company',
} as const satisfies Record<FilterField, string>;

/** Larger data are not listed, because a page of events must fit into memory. Events are rarely larger. */
const MAX_LISTED_BYTES = 65_536;

const PLACES = {
  open: `to_char(last_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || rejection_id`,
  resolved: `to_char(resolved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || rejection_id`,
};

const columnsWith = (data: string, place: string) => `
  rejection_id::float8 AS id, queue, company, event_source AS source, event_id AS "eventId", event_type AS type,
  ${data} AS data, reason, rule, problems, first_at AS "firstAt", last_at AS "lastAt", times, state,
  resolved_at AS "resolvedAt", resolved_by AS "resolvedBy", run, replacement_queue AS "replacementQueue",
  replacement_job_id AS "replacementJobId", ${place} AS place`;

export const WHOLE_COLUMNS = columnsWith('data', PLACES.open);
const LISTED_DATA = `CASE WHEN octet_length(data) <= ${MAX_LISTED_BYTES} THEN data ELSE '' END`;

export interface ListOptions {
  /** `open`: by the last rejection. `resolved`: by the time at which it was resolved, for 30 days. */
  readonly state?: 'open' | 'resolved';
  readonly filter?: RejectionFilter;
  readonly reader?: RejectionReader;
}

export interface PageOptions extends ListOptions {
  readonly limit: number;
  /** Begins behind this place, in the direction of the list. */
  readonly behind?: string;
  /** Default: the newest first. */
  readonly oldestFirst?: boolean;
}

/** Returns a page of rejected events. Its cost does not depend on how far the page is from the first. */
export async function listRejections(
  pool: pg.Pool,
  { limit, behind, oldestFirst = false, state = 'open', ...options }: PageOptions,
): Promise<readonly Rejection[]> {
  const query = conditionsOf({ state, ...options });
  const at = state === 'open' ? 'last_at' : 'resolved_at';
  if (behind !== undefined) {
    const [instant, id] = behind.split('_');
    query.add(
      (one, other) =>
        `(${at}, rejection_id) ${oldestFirst ? '>' : '<'} (${one}::timestamptz, ${other}::bigint)`,
      instant,
      id,
    );
  }
  const direction = oldestFirst ? 'ASC' : 'DESC';
  const { rows } = await pool.query<Rejection>(
    `SELECT ${columnsWith(LISTED_DATA, PLACES[state])} FROM takt.rejections WHERE ${query.where()}
     ORDER BY ${at} ${direction}, rejection_id ${direction} LIMIT ${limit}`,
    query.values,
  );
  return rows;
}

/** Returns true if the text is the place of a row in a list. */
export function isPlace(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z_\d{1,15}$/.test(text);
}

/** Yields all rejected events that the options select, in pages. */
export async function* eachRejection(
  pool: pg.Pool,
  options: Omit<PageOptions, 'behind'>,
): AsyncGenerator<readonly Rejection[]> {
  let page = await listRejections(pool, options);
  while (page.length > 0) {
    yield page;
    const behind = page.at(-1)?.place ?? '';
    page = await listRejections(pool, { ...options, behind });
  }
}

/** Returns the rejected event with this id, with all of its data. */
export async function findRejection(
  pool: pg.Pool,
  id: number,
  options: ListOptions = {},
): Promise<Rejection | undefined> {
  const query = conditionsOf({ ...options, filter: { ids: [id] } });
  const { rows } = await pool.query<Rejection>(
    `SELECT ${WHOLE_COLUMNS} FROM takt.rejections WHERE ${query.where()}`,
    query.values,
  );
  return rows[0];
}

/** Returns the ids of the selected events, the oldest first. */
export async function listRejectionIds(pool: pg.Pool, options: ListOptions = {}): Promise<readonly number[]> {
  const query = conditionsOf(options);
  const { rows } = await pool.query<{ id: number }>(
    `SELECT rejection_id::float8 AS id FROM takt.rejections WHERE ${query.where()} ORDER BY last_at, rejection_id`,
    query.values,
  );
  return rows.map(({ id }) => id);
}

export async function countRejections(pool: pg.Pool, options: ListOptions = {}): Promise<number> {
  const query = conditionsOf(options);
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::float8 AS count FROM takt.rejections WHERE ${query.where()}`,
    query.values,
  );
  return rows[0]?.count ?? 0;
}

/** Rejected events that broke the same rule. */
export interface RuleGroup {
  readonly rule: string;
  readonly count: number;
  readonly lastAt: Date;
  /** Id of one of these events. */
  readonly example: number;
  /** The rules as phrases. */
  readonly problems: readonly RejectionProblem[] | null;
}

/** Groups rejected events by the rule that they broke; the most frequent rule comes first. */
export async function groupByRule(
  pool: pg.Pool,
  { limit, ...options }: ListOptions & { readonly limit: number },
): Promise<readonly RuleGroup[]> {
  const query = conditionsOf(options);
  const { rows } = await pool.query<Omit<RuleGroup, 'problems'>>(
    `SELECT rule, count(*)::float8 AS count, max(last_at) AS "lastAt", max(rejection_id)::float8 AS example
     FROM takt.rejections WHERE ${query.where()} GROUP BY rule ORDER BY count(*) DESC, rule LIMIT ${limit}`,
    query.values,
  );
  const examples = await pool.query<{ id: number; problems: RuleGroup['problems'] }>(
    'SELECT rejection_id::float8 AS id, problems FROM takt.rejections WHERE rejection_id = ANY ($1::bigint[])',
    [rows.map(({ example }) => example)],
  );
  const problemsOf = new Map(examples.rows.map(({ id, problems }) => [id, problems]));
  return rows.map((row) => ({ ...row, problems: problemsOf.get(row.example) ?? null }));
}

/** Returns the number of different rules that the selected events broke. */
export async function countRules(pool: pg.Pool, options: ListOptions): Promise<number> {
  const query = conditionsOf(options);
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(DISTINCT rule)::float8 AS count FROM takt.rejections WHERE ${query.where()}`,
    query.values,
  );
  return rows[0]?.count ?? 0;
}

/** Returns the values of a field that the open rejections have, sorted, at most `limit`. */
export async function listValues(
  pool: pg.Pool,
  field: Exclude<FilterField, 'rule'>,
  { limit, reader }: { readonly limit: number; readonly reader: RejectionReader },
): Promise<readonly (string | null)[]> {
  const query = conditionsOf({ reader });
  if (reader.hidden !== undefined) {
    query.add((pattern) => readable(COLUMN[field], pattern), reader.hidden.pattern);
  }
  const { rows } = await pool.query<{ value: string | null }>(
    `SELECT DISTINCT ${COLUMN[field]} AS value FROM takt.rejections WHERE ${query.where()} ORDER BY 1 LIMIT ${limit}`,
    query.values,
  );
  return rows.map(({ value }) => value);
}

/** SQL that is true if a name is nothing that the pattern hides. */
const readable = (column: string, pattern: string) => `(lower(${column}) ~ ${pattern}) IS NOT TRUE`;

/** Collects conditions and their values. */
function conditionsOf({ state = 'open', filter = {}, reader = {} }: ListOptions) {
  const values: unknown[] = [];
  const conditions: string[] = [
    state === 'open'
      ? `state = 'open'`
      : `state <> 'open' AND resolved_at > now() - interval '${RESOLVED_DAYS} days'`,
  ];
  const add = (condition: (...places: string[]) => string, ...bound: readonly unknown[]) => {
    const places = bound.map((_, index) => `$${values.length + index + 1}`);
    values.push(...bound);
    conditions.push(condition(...places));
  };
  const { companies, hidden } = reader;
  const {
    ids,
    fields = new Map<FilterField, string | null>(),
    text = '',
    inReason = '',
    until,
    lastMs,
    run,
  } = filter;
  if (companies !== undefined) add((codes) => `company = ANY (${codes}::text[])`, companies);
  if (ids !== undefined) add((chosen) => `rejection_id = ANY (${chosen}::bigint[])`, ids);
  if (run !== undefined) add((one) => `run = ${one}`, run);
  if (until !== undefined) add((instant) => `last_at <= ${instant}::timestamptz`, until);
  if (lastMs !== undefined) {
    add((span) => `last_at >= now() - make_interval(secs => ${span})`, lastMs / 1_000);
  }
  if (inReason !== '') add((part) => `strpos(reason, ${part}) > 0`, inReason);
  for (const [field, value] of fields) {
    add((wanted) => `${COLUMN[field]} IS NOT DISTINCT FROM ${wanted}`, value);
    // Otherwise a filter would tell whether a hidden value is what somebody guesses.
    if (hidden !== undefined && field !== 'rule') {
      add((pattern) => readable(COLUMN[field], pattern), hidden.pattern);
    }
  }
  if (text !== '') addSearch(add, text, hidden);
  return { values, add, where: () => conditions.join(' AND ') };
}

function addSearch(
  add: (condition: (...places: string[]) => string, ...bound: readonly unknown[]) => void,
  text: string,
  hidden: RejectionReader['hidden'],
): void {
  const whole = `lower(concat_ws(E'\\n', rejection_id, reason, data))`;
  if (hidden === undefined) {
    add((wanted) => `strpos(${whole}, lower(${wanted})) > 0`, text);
    return;
  }
  add(
    (wanted, types, pattern) => `strpos(
      CASE WHEN event_type = ANY (${types}::text[]) AND lower(data) !~ ${pattern} THEN ${whole}
        ELSE lower(concat_ws(E'\\n', rejection_id, rule, CASE WHEN ${readable('company', pattern)} THEN company END)) END,
      lower(${wanted})) > 0`,
    text,
    hidden.readableTypes,
    hidden.pattern,
  );
}
