import { isCluster } from '@takt/database';
import pg from 'pg';

/** Events that a function of schema takt takes in together. */
export interface Batch {
  /** `takt.<takenBy>`, which gives a row for each event that had no effect. */
  readonly takenBy: string;
  /** Of its rows, as SQL. */
  readonly columns: string;
  /** The code of the company of each event. */
  readonly databases: readonly string[];
  /** Each event as the function reads it. */
  readonly rows: readonly object[];
}

/** The node that holds the event's company did not apply it; the same event is to be applied again, later. */
export interface Postponed {
  /** What the database said. */
  readonly postponed: string;
}

/** An event of a batch that had no effect, by its place. */
interface IneffectiveRow<Outcome> {
  readonly position: number;
  readonly outcome: Outcome | 'unknown-company' | Postponed;
  readonly prunedBefore?: string | null;
}

/**
 * SQLSTATE classes with which PostgreSQL says that a value is at fault: data exception, integrity constraint
 * violation, program limit exceeded. All else (no connection, shutdown, deadlock, time-out, missing privilege or
 * table) passes or is mended by an operator, and the events are kept until then.
 */
const DATA_CLASSES: ReadonlySet<string> = new Set(['22', '23', '54']);

/** Whether trying the same events again cannot help, because one of them is at fault. */
export function isOfTheData(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && DATA_CLASSES.has((error.code ?? '').slice(0, 2));
}

/**
 * Applies a batch: in one statement and transaction on a single server; on a cluster in one for each company, on its node,
 * side by side. There a node that is away postpones the events of its companies and holds up no others. Where it rejects,
 * some companies may be done, and calling again is safe: what was done is a duplicate then.
 */
export async function applyBatch<Outcome>(
  connection: pg.Pool | pg.ClientBase,
  batch: Batch,
): Promise<readonly IneffectiveRow<Outcome>[]> {
  if (await isKnownCluster(connection)) return applyByCompany<Outcome>(connection, batch);
  const { takenBy, columns, databases, rows } = batch;
  try {
    const applied = await connection.query<IneffectiveRow<Outcome>>({
      name: nameOf(takenBy),
      text: `SELECT ${columns} FROM takt.${takenBy}($1, $2)`,
      values: [databases, JSON.stringify(rows)],
    });
    return applied.rows;
  } catch (error) {
    // Made a cluster meanwhile: whoever tries again finds that out.
    if (error instanceof pg.DatabaseError && error.code === NOT_SUPPORTED) clusters.delete(connection);
    throw error;
  }
}

/** Of the prepared statement, as traces show it. */
const nameOf = (takenBy: string) => takenBy.replaceAll('_', '-');

/** What Citus says of a statement about several companies. */
const NOT_SUPPORTED = '0A000';

const clusters = new WeakMap<object, Promise<boolean>>();

function isKnownCluster(connection: pg.Pool | pg.ClientBase): Promise<boolean> {
  const known = clusters.get(connection);
  if (known !== undefined) return known;
  const asked = isCluster(connection);
  clusters.set(connection, asked);
  asked.catch(() => clusters.delete(connection));
  return asked;
}

/** Whether the coordinator lives on and says that a statement failed: an error that ends the session is its own. */
const isOfOneNode = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && !isOfTheData(error);

/** Companies that a batch is applied of at once, each on a connection. */
const COMPANIES_AT_ONCE = 4;

async function applyByCompany<Outcome>(
  connection: pg.Pool | pg.ClientBase,
  { takenBy, columns, databases, rows }: Batch,
): Promise<readonly IneffectiveRow<Outcome>[]> {
  const found = await connection.query<{ companies: readonly (number | null)[] | null }>(
    'SELECT takt.find_companies($1) AS companies',
    [databases],
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
  const applyOne = async (company: number, places: readonly number[]) => {
    try {
      const applied = await connection.query<IneffectiveRow<Outcome>>({
        name: `${nameOf(takenBy)}-of-one`,
        text: `SELECT ${columns} FROM takt.${takenBy}($1, $2, $3)`,
        values: [company, places.map(() => company), JSON.stringify(places.map((place) => rows[place]))],
      });
      for (const row of applied.rows) ineffective.push({ ...row, position: places[row.position] ?? -1 });
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
