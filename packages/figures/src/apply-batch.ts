import { inTransaction, isCluster } from '@takt/database';
import pg from 'pg';

export interface Batch {
  /** Name of the function `takt.<takenBy>`, which returns a row for each event without effect. */
  readonly takenBy: string;
  /** The columns of the function's result, as SQL. */
  readonly columns: string;
  readonly databases: readonly string[];
  /** The events as the SQL function takes them, one object per event. */
  readonly rows: readonly object[];
  /**
   * For each kind of object that the function takes by key, the key of each event (functions/number_objects.sql); null if
   * no event has one. Undefined if the function takes none.
   */
  readonly keys?: readonly (readonly (string | null)[])[] | null;
}

/**
 * The outcome of an event that was not applied because the node of its company failed. Apply the same event again
 * later.
 */
export interface Postponed {
  readonly postponed: string;
}

/** A row for an event without effect. The event is identified by its index in the batch. */
export interface IneffectiveRow<Outcome> {
  readonly position: number;
  readonly outcome: Outcome | 'unknown-company' | Postponed;
  readonly prunedBefore?: string | null;
  readonly misnamed?: ObjectKind | null;
}

export type ObjectKind = 'product' | 'version' | 'order' | 'operation';

/** The outcome of an event that names an object of this kind by a number or a key, but its company does it the other way. */
export interface MisnamedOutcome {
  readonly misnamed: ObjectKind;
}

/**
 * SQLSTATE classes of errors that come from invalid values: data exception, integrity constraint violation, program
 * limit exceeded. All other errors (no connection, shutdown, deadlock, time-out, missing privilege or table) are
 * temporary or need an operator, so the events are kept until then.
 */
const DATA_CLASSES: ReadonlySet<string> = new Set(['22', '23', '54']);

/** Returns true if an event is invalid, so that retrying cannot help. */
export function isOfTheData(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && DATA_CLASSES.has((error.code ?? '').slice(0, 2));
}

/**
 * Writes the rejected events of a batch. Each call gets the session of the transaction that applies the other events, so
 * a rejection is committed together with them; on a cluster, that of the transaction after it.
 */
export interface RejectionWriter<Outcomes> {
  /**
   * False if the batch probably has no rejection. Then it is first applied as one statement, which has no effect if
   * there is one after all.
   */
  readonly isExpected: boolean;
  /** Writes the events that were rejected before they were applied. */
  writeInvalid(session: pg.ClientBase): Promise<void>;
  /** Writes the events that the database rejected. */
  write(session: pg.ClientBase, outcomes: Outcomes): Promise<void>;
}

/** Returns a writer that gets the rows of a batch, for one that gets what `convert` makes of them. */
export function ofRows<Row, Outcomes>(
  writer: RejectionWriter<Outcomes> | undefined,
  convert: (rows: readonly Row[]) => Outcomes,
): RejectionWriter<readonly Row[]> | undefined {
  return writer && { ...writer, write: (session, rows) => writer.write(session, convert(rows)) };
}

/** SQLSTATE of takt.refuse_rejections. */
const HAS_REJECTIONS = 'TK001';

/**
 * Applies a batch. On a single server, one statement applies all events in one transaction. With a writer of
 * rejections, a batch that has some takes a longer transaction, which needs a pool. On a cluster, there is one
 * transaction for each company, on the node of the company, and the companies are applied concurrently. If a node is
 * not available, the events of its companies are postponed, and other events are not delayed. If the call rejects on a
 * cluster, the events of some companies may have been applied. Calling again is safe, because the applied events then
 * count as duplicates.
 */
export async function applyBatch<Outcome>(
  connection: pg.Pool | pg.ClientBase,
  batch: Batch,
  rejections?: RejectionWriter<readonly IneffectiveRow<Outcome>[]>,
): Promise<readonly IneffectiveRow<Outcome>[]> {
  if (await isKnownCluster(connection)) return applyByCompany<Outcome>(connection, batch, rejections);
  try {
    if (rejections === undefined) return await applyAtOnce<Outcome>(connection, batch);
    if (!rejections.isExpected) {
      try {
        return await applyAtOnce<Outcome>(connection, batch, 'refuse-rejections');
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.code !== HAS_REJECTIONS) throw error;
      }
    }
    return await inTransaction(poolOf(connection), async (session) => {
      const rows = await applyAtOnce<Outcome>(session, batch);
      await rejections.writeInvalid(session);
      await rejections.write(session, rows);
      return rows;
    });
  } catch (error) {
    // Citus refuses the statement, so the database has become a cluster. The cached answer is forgotten, and the next
    // call asks again if the database is a cluster.
    if (error instanceof pg.DatabaseError && error.code === NOT_SUPPORTED) clusters.delete(connection);
    throw error;
  }
}

async function applyAtOnce<Outcome>(
  connection: pg.Pool | pg.ClientBase,
  { takenBy, columns, databases, rows, keys }: Batch,
  mode: 'plain' | 'refuse-rejections' = 'plain',
): Promise<readonly IneffectiveRow<Outcome>[]> {
  const call = `SELECT ${columns} FROM takt.${takenBy}(NULL, takt.find_companies($1), $2${keys === undefined ? '' : ', $3'})`;
  const applied = await connection.query<IneffectiveRow<Outcome>>({
    name: mode === 'plain' ? nameOf(takenBy) : `${nameOf(takenBy)}-unless-rejected`,
    text: mode === 'plain' ? call : `SELECT *, takt.refuse_rejections(outcome) FROM (${call}) AS ineffective`,
    values: [databases, JSON.stringify(rows), ...(keys === undefined ? [] : [keys])],
  });
  return applied.rows;
}

function poolOf(connection: pg.Pool | pg.ClientBase): pg.Pool {
  if (connection instanceof pg.Pool) return connection;
  throw new TypeError('rejections are written in a transaction of their own, which needs a pool');
}

/** Returns the keys of these events. Null if none of them has a key, because such events are applied faster. */
function keysAt(places: readonly number[], keys: NonNullable<Batch['keys']> | null) {
  const chosen = keys?.map((ofKind) => places.map((place) => ofKind[place] ?? null));
  return chosen?.some((ofKind) => ofKind.some(Boolean)) ? chosen : null;
}

/** Returns the name of the prepared statement, which traces show. */
const nameOf = (takenBy: string) => takenBy.replaceAll('_', '-');

/** SQLSTATE by which Citus refuses a statement on several companies. */
const NOT_SUPPORTED = '0A000';

const clusters = new WeakMap<object, Promise<boolean>>();

function isKnownCluster(connection: pg.Pool | pg.ClientBase): Promise<boolean> {
  const known = clusters.get(connection);
  if (known !== undefined) return known;
  const found = isCluster(connection);
  clusters.set(connection, found);
  found.catch(() => clusters.delete(connection));
  return found;
}

/**
 * Returns true if a statement failed without ending the session. Then only one node is to blame. An error that ends the
 * session comes from the coordinator itself.
 */
const isOfOneNode = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && !isOfTheData(error);

/** Number of companies whose events are applied at the same time. Each company uses a connection of its own. */
const COMPANIES_AT_ONCE = 4;

async function applyByCompany<Outcome>(
  connection: pg.Pool | pg.ClientBase,
  batch: Batch,
  rejections: RejectionWriter<readonly IneffectiveRow<Outcome>[]> | undefined,
): Promise<readonly IneffectiveRow<Outcome>[]> {
  const found = await connection.query<{ companies: readonly (number | null)[] | null }>(
    'SELECT takt.find_companies($1) AS companies',
    [batch.databases],
  );
  const placesOf = new Map<number, number[]>();
  const ineffective: IneffectiveRow<Outcome>[] = [];
  for (const [position, company] of (found.rows[0]?.companies ?? []).entries()) {
    if (company === null) {
      ineffective.push({ position, outcome: 'unknown-company' });
    } else {
      placesOf.set(company, [...(placesOf.get(company) ?? []), position]);
    }
  }
  if (rejections !== undefined && (rejections.isExpected || ineffective.length > 0)) {
    const unknown = [...ineffective];
    await inTransaction(poolOf(connection), async (session) => {
      await rejections.writeInvalid(session);
      await rejections.write(session, unknown);
    });
  }
  const applyOne = async (company: number, places: readonly number[]) => {
    try {
      // Not in a transaction with the rejections: Citus hands a function to the node of its company only outside of one.
      // After a crash in between, the job is delivered again, and the rejections are then written.
      const rows = await applyOfOne<Outcome>(connection, batch, company, places);
      if (rejections !== undefined && rows.length > 0) {
        await inTransaction(poolOf(connection), (session) => rejections.write(session, rows));
      }
      ineffective.push(...rows);
    } catch (error) {
      if (!isOfOneNode(error)) throw error;
      for (const position of places) ineffective.push({ position, outcome: { postponed: error.message } });
    }
  };
  const waiting = [...placesOf];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await applyOne(...next);
  };
  await Promise.all(Array.from({ length: COMPANIES_AT_ONCE }, work));
  return ineffective.sort((one, other) => one.position - other.position);
}

/** Applies the events at these places, which are all of one company, on the node of the company. */
async function applyOfOne<Outcome>(
  connection: pg.Pool | pg.ClientBase,
  { takenBy, columns, rows, keys }: Batch,
  company: number,
  places: readonly number[],
): Promise<readonly IneffectiveRow<Outcome>[]> {
  const applied = await connection.query<IneffectiveRow<Outcome>>({
    name: `${nameOf(takenBy)}-of-one`,
    text: `SELECT ${columns} FROM takt.${takenBy}($1, $2, $3${keys === undefined ? '' : ', $4'})`,
    values: [
      company,
      places.map(() => company),
      JSON.stringify(places.map((place) => rows[place])),
      ...(keys === undefined ? [] : [keysAt(places, keys)]),
    ],
  });
  return applied.rows.map((row) => ({ ...row, position: places[row.position] ?? -1 }));
}
