import { inTransaction } from '@takt/database';
import type { Publisher } from '@takt/events';
import type pg from 'pg';
import { prepared } from './compare.js';
import {
  findImport,
  type Import,
  type NoteAudit,
  noteAsOwner,
  readChanges,
  type StoredChange,
} from './imports.js';
import { ImportError } from './mapping.js';
import { publishImport } from './run-import.js';
import {
  type Data,
  namingOf,
  readProducts,
  readStates,
  type StoredState,
  withoutNulls,
} from './stored-states.js';

export interface Undone {
  /** Number of operations or structure versions that are as before. */
  readonly restored: number;
  /** The first objects that changed after the import, and stay as they are; and their number. */
  readonly later: readonly string[];
  readonly laterCount: number;
}

const MAX_NAMED = 20;

export interface UndoOptions {
  /** The name of who undoes the import, for the list of imports. */
  readonly by: string;
  /** Writes the entry of the audit log. By default, the owner of the database does. It may throw to stop the undo. */
  readonly noteAudit?: NoteAudit | undefined;
  readonly onProgress?: (events: number) => void;
}

type Found = Import & { readonly companyId: number };

/**
 * Publishes the states before an import, with new revisions and times: completions, reopenings and removals. An object that
 * changed after the import is left alone. Safe to repeat, also after an interruption.
 */
export async function undoImport(
  pool: pg.Pool,
  publisher: Pick<Publisher, 'publishPrepared'>,
  number: number,
  options: UndoOptions,
): Promise<Undone> {
  const found = await findImport(pool, number);
  const undoneAt = await begin(pool, found, options);
  const later: string[] = [];
  let [restored, laterCount] = [0, 0];
  for await (const changes of readChanges(pool, found)) {
    const { byKey, nameOf } = namingOf(found.what, changes[0]?.data);
    const states = await readStates(
      pool,
      { ...found, byKey },
      changes.map(({ data }) => nameOf(data)),
    );
    const undo =
      found.what === 'operations'
        ? await undoOfOperations(pool, found, states)
        : await undoOfPlans(pool, found, changes);
    const judged = changes.map((change) => {
      const name = nameOf(change.data);
      const state = states.get(name);
      return { change, state, name, verdict: verdictOn(undo, { change, state, name }) };
    });
    const ours = judged.filter(({ verdict }) => verdict === 'ours');
    const events = ours.flatMap(({ change, state }) => undo.eventsOf(change, state, undoneAt));
    await publisher.publishPrepared(events.map(prepared), { batchSize: 500 });
    restored += ours.length + judged.filter(({ verdict }) => verdict === 'restored').length;
    const changedLater = judged.filter(({ verdict }) => verdict === 'later').map(({ name }) => name);
    const staying = ours.flatMap(({ change }) => undo.staysOf(change, undoneAt) ?? []);
    changedLater.push(...new Set(staying));
    laterCount += changedLater.length;
    later.push(...changedLater.slice(0, MAX_NAMED - later.length));
    options.onProgress?.(restored);
  }
  return { restored, later, laterCount };
}

/**
 * Publishes the recorded changes of an import. If the signal comes meanwhile, undoes what was published. Throws an ImportError
 * that says which of both, or how to undo it, if not all was published.
 */
export async function publishOrUndo(
  pool: pg.Pool,
  publisher: Pick<Publisher, 'publishPrepared'>,
  number: number,
  { onProgress, signal, ...undo }: UndoOptions & { readonly signal: AbortSignal },
): Promise<void> {
  try {
    await publishImport(pool, publisher, number, { ...(onProgress && { onProgress }), signal });
  } catch (error) {
    if (!signal.aborted) {
      throw new ImportError(
        `import ${number} was interrupted: takt import undo ${number} undoes what was published`,
        { cause: error },
      );
    }
    await undoImport(pool, publisher, number, undo);
    throw new ImportError(`import ${number} was interrupted, and undone`);
  }
}

/**
 * Records that an import is undone. Returns changedAt of the events: later than everything that the import wrote, and different
 * for each undo, because an undo may be repeated after a later import was undone.
 */
async function begin(
  pool: pg.Pool,
  { companyId, number, fileName }: Found,
  { by, noteAudit = noteAsOwner }: UndoOptions,
): Promise<Date> {
  return inTransaction(pool, async (session) => {
    const { rows } = await session.query<{ undoneAt: Date }>(
      `SELECT date_trunc('milliseconds', greatest(clock_timestamp(),
         (SELECT max((data ->> 'changedAt')::timestamptz) + interval '2 ms' FROM takt.import_changes
          WHERE company_id = $1 AND import_id = $2))) AS "undoneAt"`,
      [companyId, number],
    );
    const undoneAt = rows[0]?.undoneAt ?? new Date();
    await session.query(
      `UPDATE takt.imports SET undone_by = $3, undone_at = $4, undo_times = undo_times || $4::timestamptz
       WHERE company_id = $1 AND import_id = $2`,
      [companyId, number, by, undoneAt],
    );
    await noteAudit(session, 'import-undone', number, { file: fileName });
    return undoneAt;
  });
}

interface UndoOfKind {
  /** Returns true if an object is as the import left it, or if the import may not have changed it yet. */
  readonly isOurs: (change: StoredChange, state: StoredState | undefined, name: string) => boolean;
  /** Returns true if an earlier undo of this import has restored the object. */
  readonly isRestored: (state: StoredState) => boolean;
  /** Returns what belongs to a change and stays because it changed later; undefined if nothing does. */
  readonly staysOf: (change: StoredChange, undoneAt: Date) => string | undefined;
  /** Returns the events that restore the state before. */
  readonly eventsOf: (
    change: StoredChange,
    state: StoredState | undefined,
    undoneAt: Date,
  ) => readonly object[];
}

interface Judged {
  readonly change: StoredChange;
  readonly state: StoredState | undefined;
  readonly name: string;
}

function verdictOn(
  undo: UndoOfKind,
  { change, state, name }: Judged,
): 'ours' | 'restored' | 'later' | 'absent' {
  if (undo.isOurs(change, state, name)) return 'ours';
  // The event of the import was rejected.
  if (state === undefined) return 'absent';
  return undo.isRestored(state) ? 'restored' : 'later';
}

const UNDONE = /^\/takt\/import\/\d+\/undo$/;
const ID = /^\d{1,9}-\d{1,9}$/;

/** The event to which a state goes back: an undo restored an older one. */
interface Origin {
  readonly source: string | null;
  readonly id: string | null;
}

async function undoOfOperations(
  pool: pg.Pool,
  { companyId, number, publishedAt }: Found,
  states: ReadonlyMap<string, StoredState>,
): Promise<UndoOfKind> {
  const origins = await resolveOrigins(pool, companyId, states);
  return {
    isOurs: ({ place, data }, state, name) => {
      const origin = origins.get(name);
      if (origin?.source === `/takt/import/${number}` && origin.id === `${number}-${place}`) return true;
      // An interrupted import may have events in the queue. They are overtaken by a higher revision.
      return publishedAt === null && (state?.revision ?? 0) < Number(data['revision']);
    },
    isRestored: ({ source }) => source === `/takt/import/${number}/undo`,
    staysOf: () => undefined,
    eventsOf: (change, state, undoneAt) => {
      const { data, before } = change as OperationChange;
      const { database } = data;
      const revision = Math.max(state?.revision ?? 0, Number(data['revision'])) + 1;
      const common = { database, ...namesIn(data, 'workOrderOperation'), revision };
      const event = eventFrom(number, change, undoneAt);
      if (before?.data == null) {
        const reopenedAt = before?.changedAt ?? data['completedAt'];
        return [{ ...event, type: 'work-order-operation.reopened.v1', data: { ...common, reopenedAt } }];
      }
      return [
        {
          ...event,
          type: 'work-order-operation.completed.v1',
          data: { ...withoutNulls(before.data), ...common },
        },
      ];
    },
  };
}

type OperationChange = StoredChange & { readonly before: Partial<StoredState> | null };

/** Finds the origins of states. The undo of an import restores a state before, whose origin is recorded with the change. */
async function resolveOrigins(
  pool: pg.Pool,
  companyId: number,
  states: ReadonlyMap<string, StoredState>,
): Promise<ReadonlyMap<string, Origin>> {
  const origins = new Map<string, Origin>(
    [...states].map(([name, { source, id }]) => [name, { source, id }]),
  );
  for (;;) {
    const undone = [...origins].filter(
      ([, { source, id }]) => UNDONE.test(source ?? '') && ID.test(id ?? ''),
    );
    if (undone.length === 0) return origins;
    const { rows } = await pool.query<{ eventId: string; before: Origin | null }>(
      `SELECT id AS "eventId", before FROM takt.import_changes
       JOIN unnest($2::text[]) AS event (id)
         ON company_id = $1 AND import_id = split_part(id, '-', 1)::integer AND place = split_part(id, '-', 2)::integer`,
      [companyId, undone.map(([, { id }]) => id)],
    );
    const befores = new Map(rows.map(({ eventId, before }) => [eventId, before]));
    for (const [name, { id }] of undone) {
      const before = befores.get(id ?? '');
      origins.set(name, { source: before?.source ?? null, id: before?.id ?? null });
    }
  }
}

interface PlanChange extends StoredChange {
  readonly data: Data & { readonly product: Data };
  readonly before:
    | (Partial<StoredState> & {
        readonly data?: PlanChange['data'] | null;
        readonly product?: { readonly data: Data } | null;
      })
    | null;
}

async function undoOfPlans(
  pool: pg.Pool,
  found: Found,
  changes: readonly StoredChange[],
): Promise<UndoOfKind> {
  const { companyId, number, publishedAt } = found;
  const { ownTimes, otherTimes } = await readUndoTimes(pool, found);
  const touched = (changes as readonly PlanChange[]).flatMap(({ data, before }) => [
    data.product,
    before?.data?.product ?? data.product,
  ]);
  const byKey = touched.some(({ productKey }) => productKey != null);
  const nameOf = (product: Data) => String(product['productKey'] ?? product['productId']);
  const products = await readProducts(pool, { companyId, byKey }, [...new Set(touched.map(nameOf))]);
  /** Returns true if something has what the import gave it, or has it again because a later import was undone. */
  const isStill = (
    stored: { readonly data: Data | null; readonly changedAt: string | null } | undefined,
    given: Data,
    at: unknown,
  ) => {
    if (stored?.data == null || stored.changedAt === null) return false;
    const changedAt = Date.parse(stored.changedAt);
    return (
      changedAt === Date.parse(String(at)) || (otherTimes.has(changedAt) && contains(stored.data, given))
    );
  };
  const hasOurProduct = ({ data }: PlanChange, undoneAt: Date) => {
    const known = products.get(nameOf(data.product));
    // Another change of this undo may have restored it just now.
    return (
      isStill(known, data.product, data['changedAt']) ||
      Date.parse(known?.changedAt ?? '') >= undoneAt.getTime() - 1
    );
  };
  return {
    staysOf: (change, undoneAt) => {
      const { data, before } = change as PlanChange;
      const then = before?.product?.data ?? before?.data?.product;
      const now = products.get(nameOf(data.product))?.data;
      const isAsBefore = then === undefined || now === undefined || contains(now, then);
      return isAsBefore || hasOurProduct(change as PlanChange, undoneAt)
        ? undefined
        : `product ${nameOf(data.product)}`;
    },
    isOurs: ({ data }, state) => {
      const isWaiting =
        publishedAt === null &&
        Date.parse(state?.changedAt ?? '1970-01-01') < Date.parse(String(data['changedAt']));
      return isWaiting || isStill(state, data, data['changedAt']);
    },
    isRestored: ({ changedAt }) => ownTimes.has(Date.parse(changedAt ?? '')),
    eventsOf: (change, _state, undoneAt) => {
      const { data, before } = change as PlanChange;
      const event = eventFrom(number, change, undoneAt);
      const common = {
        database: data['database'],
        ...namesIn(data, 'productStructureVersion'),
        changedAt: event.time,
      };
      const isOurProduct = hasOurProduct(change as PlanChange, undoneAt);
      const stays = before?.data != null && nameOf(before.data.product) === nameOf(data.product);
      const events: object[] = [];
      if (!stays && isOurProduct && before?.product != null && !contains(before.product.data, data.product)) {
        // The product was known from other structure versions. Only a change of a structure version can restore its name.
        const changedAt = new Date(undoneAt.getTime() - 1).toISOString();
        const restoring = { ...data, product: withoutNulls(before.product.data), changedAt };
        events.push({
          ...event,
          id: `${event.id}-product`,
          type: 'product-structure-version.changed.v1',
          data: restoring,
        });
      }
      if (before?.data == null) {
        return [...events, { ...event, type: 'product-structure-version.removed.v1', data: common }];
      }
      const now = products.get(nameOf(before.data.product))?.data;
      const product = withoutNulls((stays && isOurProduct ? undefined : now) ?? before.data.product);
      return [
        ...events,
        {
          ...event,
          type: 'product-structure-version.changed.v1',
          data: { ...before.data, product, ...common },
        },
      ];
    },
  };
}

/**
 * Returns when this import and others of the company were undone, in ms. Structure versions do not record the source of their
 * event, but an undo gives all of them the same changedAt, and products the ms before it.
 */
async function readUndoTimes(pool: pg.Pool, { companyId, number }: Found) {
  const { rows } = await pool.query<{ isOwn: boolean; undoneAt: Date }>(
    `SELECT import_id = $2 AS "isOwn", unnest(undo_times) AS "undoneAt" FROM takt.imports
     WHERE company_id = $1 AND what = 'plans'`,
    [companyId, number],
  );
  const timesOf = (isOwn: boolean) =>
    new Set(
      rows
        .filter((row) => row.isOwn === isOwn)
        .flatMap(({ undoneAt }) => [undoneAt.getTime(), undoneAt.getTime() - 1]),
    );
  return { ownTimes: timesOf(true), otherTimes: timesOf(false) };
}

/** Returns true if a stored state has all values of the data of an event, apart from names and the product. */
function contains(state: Data, data: Data): boolean {
  return Object.entries(data).every(([name, value]) => {
    if (/^(database|changedAt|product)$|(Key|Id)$/.test(name)) return true;
    const known = state[name];
    return typeof value === 'object' && value !== null
      ? contains((known ?? {}) as Data, value as Data)
      : known === value;
  });
}

function eventFrom(number: number, { place }: StoredChange, undoneAt: Date) {
  const id = `${number}-${place}`;
  return {
    specversion: '1.0',
    id,
    source: `/takt/import/${number}/undo`,
    time: undoneAt.toISOString(),
  } as const;
}

function namesIn(data: Data, object: string): Data {
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => name === `${object}Key` || name === `${object}Id`),
  );
}

/**
 * Frees the choice of keys or numbers of a company in which nothing counts any more but what imports made and undid. Returns
 * true if it was freed. Call it when the events of an undo are applied.
 */
export async function freeNaming(pool: pg.Pool, number: number): Promise<boolean> {
  const { companyId } = await findImport(pool, number);
  const { rows } = await pool.query<{ freed: boolean }>('SELECT takt.free_naming($1) AS freed', [companyId]);
  return rows[0]?.freed === true;
}
