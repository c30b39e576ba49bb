import { describeProblems, type EventProblem } from '@takt/events';
import { ruleOf } from '@takt/events/internal';
import type pg from 'pg';
import { contentHash, readText } from './event-text.js';

/** An event that breaks a rule. */
export interface NewRejection {
  readonly queue: string;
  /** The event as received, usually JSON. */
  readonly text: string;
  readonly problems: readonly EventProblem[];
}

/** A rejection that a program of 1.0.0 recorded elsewhere. */
export interface OldRejection extends Pick<NewRejection, 'queue' | 'text'> {
  /** The reason in English. */
  readonly reason: string;
  readonly rejectedAt: Date | null;
  readonly deliveries: number;
  readonly resolved?: {
    readonly as: string;
    readonly at: Date;
    readonly by: string;
    readonly run: string | null;
    readonly replacementQueue: string | null;
    readonly replacementJobId: string | null;
  };
}

/**
 * Writes rejected events. Call it in the transaction that applies the other events of the batch, so that an event is
 * either counted in the figures or one row here. An event that was rejected before keeps its row, which is open again
 * and counts how often it was rejected.
 */
export async function recordRejections(
  session: pg.ClientBase,
  rejections: readonly NewRejection[],
): Promise<void> {
  await write(session, merged(rejections.map(toRow)), REPEATED);
}

/** Adds rejections from before; an event that has a row keeps it unchanged, because that row is newer. */
export async function adoptRejections(
  session: pg.ClientBase,
  rejections: readonly OldRejection[],
): Promise<void> {
  await write(session, merged(rejections.map(toOldRow)), 'ON CONFLICT DO NOTHING');
}

/** SQL for an event that has a row. */
const REPEATED = `ON CONFLICT (company_id, content_sha256) DO UPDATE SET
  times = known.times + excluded.times, last_at = excluded.last_at, state = 'open',
  reason = excluded.reason, rule = excluded.rule, problems = excluded.problems,
  resolved_at = NULL, resolved_by = NULL, run = NULL, replacement_queue = NULL, replacement_job_id = NULL`;

/** The columns whose values come from the program, with their types. */
const COLUMNS = {
  content_sha256: 'bytea',
  queue: 'text',
  company: 'text',
  event_source: 'text',
  event_id: 'text',
  event_type: 'text',
  data: 'text',
  reason: 'text',
  rule: 'text',
  problems: 'json',
  first_at: 'timestamptz',
  last_at: 'timestamptz',
  times: 'integer',
  state: 'text',
  resolved_at: 'timestamptz',
  resolved_by: 'text',
  run: 'text',
  replacement_queue: 'text',
  replacement_job_id: 'text',
} as const;

type Row = Readonly<Record<keyof typeof COLUMNS, unknown>> & {
  readonly content_sha256: Buffer;
  readonly company: string | null;
  readonly times: number;
};

const NAMES = Object.keys(COLUMNS);
/** The values to insert. A rejection without a time is of now. */
const VALUES = NAMES.map((name) =>
  ['first_at', 'last_at'].includes(name) ? `coalesce(${name}, now())` : name,
).join(', ');
const ARRAYS = Object.values(COLUMNS).map((type, index) => `$${index + 1}::${type}[]`);
const COMPANIES = ARRAYS[NAMES.indexOf('company')];

/**
 * Writes rows in the order of their keys, so that two transactions do not wait for each other. The rows are numbered in
 * the order of the batch: hashes of events, by which guesses at hidden values could be tried out, must not show in the
 * ids.
 */
async function write(session: pg.ClientBase, rows: readonly Row[], onConflict: string): Promise<void> {
  if (rows.length === 0) return;
  await session.query(
    `INSERT INTO takt.rejections AS known (company_id, rejection_id, ${NAMES.join(', ')})
     SELECT coalesce(company_id, 0) AS key, id, ${VALUES}
     FROM (
       SELECT nextval('takt.rejections_rejection_id_seq') AS id, *
       FROM unnest(takt.find_companies(${COMPANIES}), ${ARRAYS.join(', ')}) AS added (company_id, ${NAMES.join(', ')})
     ) AS numbered
     ORDER BY key, content_sha256
     ${onConflict}`,
    NAMES.map((name) => rows.map((row) => Reflect.get(row, name))),
  );
}

/** Returns one row for each event. An event that a batch has twice was rejected twice. */
function merged(rows: readonly Row[]): readonly Row[] {
  const byContent = new Map<string, Row>();
  for (const row of rows) {
    const key = row.content_sha256.toString('latin1');
    const known = byContent.get(key);
    byContent.set(key, known === undefined ? row : { ...known, times: known.times + row.times });
  }
  return [...byContent.values()];
}

function toRow({ queue, text, problems }: NewRejection): Row {
  const described = problems.map(({ field, words }) => ({ field, ...words }));
  return {
    ...eventColumns(queue, text, describeProblems(problems)),
    problems: storable(JSON.stringify(described)),
    first_at: null,
    last_at: null,
    times: 1,
    ...OPEN,
  };
}

const OPEN = {
  state: 'open',
  resolved_at: null,
  resolved_by: null,
  run: null,
  replacement_queue: null,
  replacement_job_id: null,
};

function toOldRow({ queue, text, reason, rejectedAt, deliveries, resolved }: OldRejection): Row {
  return {
    ...eventColumns(queue, text, reason),
    problems: null,
    first_at: rejectedAt,
    last_at: rejectedAt,
    times: Number.isSafeInteger(deliveries) && deliveries > 0 ? Math.min(deliveries, 2 ** 31 - 1) : 1,
    ...(resolved === undefined
      ? OPEN
      : {
          state: resolved.as,
          resolved_at: resolved.at,
          resolved_by: resolved.by,
          run: resolved.run,
          replacement_queue: resolved.replacementQueue,
          replacement_job_id: resolved.replacementJobId,
        }),
  };
}

function eventColumns(queue: string, text: string, reason: string) {
  const { source, eventId, type, company, normal } = readText(text);
  return {
    content_sha256: contentHash(queue, normal),
    queue,
    company: company === null ? null : storable(company),
    event_source: source === null ? null : storable(source),
    event_id: eventId === null ? null : storable(eventId),
    event_type: type === null ? null : storable(type),
    // JSON would escape NUL, so a text that contains NUL is not JSON. It is stored as a JSON string.
    data: text.includes('\0') ? JSON.stringify(text) : text,
    reason: storable(reason),
    rule: storable(ruleOf(reason)),
  };
}

/** Replaces NUL, because PostgreSQL's type text cannot contain it. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
