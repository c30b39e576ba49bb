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

/** An event of a batch that had no effect, by its place. */
export interface IneffectiveRow<Outcome> {
  readonly position: number;
  readonly outcome: Outcome | 'unknown-company';
  readonly prunedBefore?: string | null;
}

/**
 * Applies a batch: in one statement and transaction on a single server; on a cluster in one for each company, on its node,
 * side by side. Where it rejects, some companies may be done, and calling again is safe: what was done is a duplicate then.
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
    const applied = await connection.query<IneffectiveRow<Outcome>>({
      name: `${nameOf(takenBy)}-of-one`,
      text: `SELECT ${columns} FROM takt.${takenBy}($1, $2, $3)`,
      values: [company, places.map(() => company), JSON.stringify(places.map((place) => rows[place]))],
    });
    for (const row of applied.rows) ineffective.push({ ...row, position: places[row.position] ?? -1 });
  };
  const waiting = [...placesOf];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await applyOne(...next);
  };
  await Promise.all(Array.from({ length: COMPANIES_AT_ONCE }, work));
  return ineffective.sort((one, other) => one.position - other.position);
}
