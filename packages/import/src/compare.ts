import { type PreparedEvent, prepareEvent } from '@takt/events';
import type pg from 'pg';
import { type ImportedKind, TIMES } from './fields.js';
import { ImportError, type Mapping } from './mapping.js';
import { columnNames, type Fault } from './records.js';
import { type Combined, markFaulty, OPEN, readAverages, readCombined } from './stage.js';
import {
  type Data,
  nameFieldsOf,
  readProducts,
  readStates,
  type StoredProduct,
  type StoredState,
  withoutNulls,
} from './stored-states.js';

const PAGE_SIZE = 1_000;
/** A mean of more than this times the plan, or less than the plan divided by it, raises a doubt. */
const DOUBTFUL_RATIO = 3;
/** A mean above this many hours raises a doubt if there is no plan. */
const DOUBTFUL_HOURS = 24;
const MAX_TOLD = 10;
const MAX_SHOWN = 5;
/** Values of new structure versions and products that no column gives: released, and a manufactured product. */
const NEW_VERSION = { status: 4, version: 1, revision: '' };
const NEW_PRODUCT = { status: 4, type: 'K', description: '' };

interface Change {
  readonly data: Data;
  /** The state before, for undo; null if there was none. */
  readonly before: object | null;
}

export interface Comparison {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Operations that were pruned. They stay as they are. */
  readonly pruned: number;
  /** Operations that began and have not ended. */
  readonly open: number;
  /** The first objects with what Takt would store. */
  readonly first: readonly Data[];
  /** Reasons to believe that the file or the mapping is wrong; the first ones. */
  readonly doubts: readonly string[];
}

interface Target {
  readonly companyId: number;
  readonly code: string;
  readonly mapping: Mapping;
  /** The time of the import, in UTC with milliseconds. */
  readonly time: string;
  /** True if the times of operations are compared with plans, to raise doubts. */
  readonly comparesPlans: boolean;
}

type Counts = { -readonly [Kind in 'new' | 'changed' | 'unchanged' | 'pruned' | 'open']: number };

/**
 * Compares the combined rows with what is stored. Passes the changes on in the order of the objects' names, some at a time, with
 * the number of objects that were compared for them.
 */
export async function compareWithStored(
  session: pg.ClientBase,
  target: Target,
  take: (changes: readonly Change[], objects: number) => Promise<void>,
): Promise<Comparison> {
  await assertNaming(session, target);
  const counts: Counts = { new: 0, changed: 0, unchanged: 0, pruned: 0, open: 0 };
  const first: Data[] = [];
  const doubts: string[] = [];
  for await (const page of readCombined(session, PAGE_SIZE)) {
    const judge = await judgeOf(session, target, page);
    const verdicts = page
      .filter(({ fault }) => fault === null)
      .map((object) => ({ object: object.object, ...judge(object) }));
    await markFaulty(
      session,
      verdicts.flatMap(({ object, fault }) => (fault === undefined ? [] : [{ object, fault }])),
    );
    const sound = verdicts.filter(({ fault }) => fault === undefined);
    for (const { kind } of sound) counts[kind] += 1;
    counts.open += page.filter(({ fault }) => fault?.rule === OPEN).length;
    doubts.push(...sound.flatMap(({ doubt }) => doubt ?? []));
    const changes = sound.flatMap(({ change }) => change ?? []);
    first.push(...changes.slice(0, Math.max(0, MAX_SHOWN - first.length)).map(({ data }) => data));
    await take(changes, page.length);
  }
  if (target.mapping.what === 'operations') doubts.push(...(await findDoubts(session, target)));
  const told = doubts.slice(0, MAX_TOLD);
  if (doubts.length > told.length) told.push(`and ${doubts.length - told.length} more`);
  return { ...counts, first, doubts: told };
}

interface Verdict {
  readonly kind: 'new' | 'changed' | 'unchanged' | 'pruned';
  readonly change?: Change;
  readonly fault?: Fault;
  readonly doubt?: readonly string[];
}

const isByKey = ({ what, columns }: Mapping) => Object.hasOwn(columns, `${nameFieldsOf(what)}Key`);

async function judgeOf(
  session: pg.ClientBase,
  target: Target,
  page: readonly Combined[],
): Promise<(object: Combined) => Verdict> {
  const { companyId, mapping } = target;
  const names = page.filter(({ fault }) => fault === null).map(({ object }) => object);
  const states = await readStates(session, { companyId, what: mapping.what, byKey: isByKey(mapping) }, names);
  if (mapping.what === 'operations') {
    return (object) => judgeOperation(target, object, states.get(object.object));
  }
  const byKey = productKey(mapping) === 'product.productKey';
  const products = await readProducts(
    session,
    { companyId, byKey },
    page.map((object) => productOf(mapping, object)),
  );
  return (object) =>
    judgePlan(target, object, states.get(object.object), products.get(productOf(mapping, object)));
}

function judgeOperation(target: Target, object: Combined, state: StoredState | undefined): Verdict {
  if (state?.isPruned) return { kind: 'pruned' };
  const { columns } = target.mapping;
  const times = TIMES.map((name, place) => [name, object.times[place] ?? null] as const);
  const given = {
    ...object.fields,
    completedAt: object.completedAt,
    ...Object.fromEntries(times.filter(([name]) => columns[name] !== undefined)),
  };
  // Fields that no column gives stay as they are.
  const data = { database: target.code, ...without(state?.data ?? {}, Object.keys(given)), ...given };
  const revision = (state?.revision ?? 0) + 1;
  return judge(target, object, { ...data, revision }, state, isSame(state?.data, given));
}

/** Returns stored data without the fields that are given, and without the number of an object that is given by its key. */
function without(stored: Data, given: readonly string[]): Data {
  const others = given.map((name) =>
    name.endsWith('Key') ? name.replace(/Key$/, 'Id') : name.replace(/Id$/, 'Key'),
  );
  const left = Object.entries(stored).filter(
    ([name, value]) => value !== null && ![...given, ...others].includes(name),
  );
  return Object.fromEntries(left);
}

function isSame(stored: Data | null | undefined, given: Data): boolean {
  if (stored === undefined || stored === null) return false;
  return Object.entries(given).every(([name, value]) => {
    if (!Object.hasOwn(stored, name)) return true;
    const known = stored[name];
    // Files have milliseconds, and the database microseconds.
    if (name === 'completedAt') return known === String(value).replace('Z', '000Z');
    return typeof value === 'object' && value !== null && typeof known === 'object'
      ? isSame(known as Data, value as Data)
      : known === value;
  });
}

function productKey({ columns }: Mapping): string {
  if (columns['product.productKey'] !== undefined) return 'product.productKey';
  if (columns['product.productId'] !== undefined) return 'product.productId';
  return columns['productStructureVersionKey'] === undefined ? 'product.productId' : 'product.productKey';
}

/** The name of a plan's product; without a column, each structure version is a product of its own. */
const productOf = (mapping: Mapping, { fields, object }: Combined) =>
  String(fields[productKey(mapping)] ?? object);

function judgePlan(
  target: Target,
  object: Combined,
  state: StoredState | undefined,
  known: StoredProduct | undefined,
): Verdict {
  const { mapping } = target;
  const [ofVersion, ofProduct] = [false, true].map((isOfProduct) =>
    Object.fromEntries(
      Object.entries(object.fields)
        .filter(([path]) => path.startsWith('product.') === isOfProduct)
        .map(([path, value]) => [path.replace('product.', ''), value]),
    ),
  ) as [Data, Data];
  const isGiven = (object.fields[productKey(mapping)] ?? null) !== null;
  const nameField = productKey(mapping).replace('product.', '');
  const name = nameField === 'productId' ? Number(productOf(mapping, object)) : productOf(mapping, object);
  const stored = state?.data as { product: Data; plannedProductionTimes: Data } | null | undefined;
  const knownProduct = isGiven ? known?.data : stored?.product;
  const product = {
    ...NEW_PRODUCT,
    name: String(name),
    ...(isGiven || knownProduct === undefined ? { [nameField]: name } : {}),
    ...withoutNulls(knownProduct ?? {}),
    ...withoutNulls(ofProduct),
  };
  const planned = TIMES.filter((time) => mapping.columns[`plannedProductionTimes.${time}`] !== undefined).map(
    (time) => [time, object.times[TIMES.indexOf(time)] ?? null],
  );
  const plannedProductionTimes = {
    runTime: null,
    setupTime: null,
    cleanupTime: null,
    ...stored?.plannedProductionTimes,
    ...Object.fromEntries(planned),
  };
  const given = { ...withoutNulls(ofVersion), product, plannedProductionTimes };
  const data = {
    database: target.code,
    ...NEW_VERSION,
    name: object.object,
    ...without(stored ?? {}, ['product']),
    ...given,
  };
  const later = state?.changedAt == null ? 0 : Date.parse(state.changedAt) + 1;
  const changedAt = new Date(
    Math.max(Date.parse(target.time), later, known === undefined ? 0 : Date.parse(known.changedAt) + 1),
  ).toISOString();
  const verdict = judge(target, object, { ...data, changedAt }, state, isSame(stored, given), known);
  const measured = state?.measured ?? { runTime: null, setupTime: null };
  return { ...verdict, doubt: doubtsOf(object.object, measured, plannedProductionTimes) };
}

function judge(
  { mapping }: Target,
  { object, lines }: Combined,
  data: Data,
  state: StoredState | undefined,
  isUnchanged: boolean,
  product?: StoredProduct,
): Verdict {
  if (isUnchanged) return { kind: 'unchanged' };
  const prepared = prepareEvent(
    toEvent(mapping.what, data, { import: 0, place: 0, time: '2000-01-01T00:00:00Z' }),
  );
  if (!prepared.ok) {
    const [problem] = prepared.problems;
    const field = problem?.field.replace(/^data\./, '') ?? '';
    return {
      kind: 'new',
      fault: {
        column: columnOf(mapping, field),
        rule: `${problem?.rule ?? 'is wrong'} (line ${lines[0]})`,
        value: problem?.got ?? object,
      },
    };
  }
  const before = state === undefined ? null : { ...state, product: product ?? null };
  return {
    kind: state?.data == null ? 'new' : 'changed',
    change: { data, before: before ?? (product === undefined ? null : { product }) },
  };
}

/** The columns of a field, as a fault names them. */
const columnOf = ({ columns }: Mapping, field: string): string => columnNames(columns[field]) || field;

const TYPES = {
  operations: 'work-order-operation.completed.v1',
  plans: 'product-structure-version.changed.v1',
} as const satisfies Readonly<Record<ImportedKind, string>>;

interface Origin {
  readonly import: number;
  readonly place: number;
  readonly time: string;
}

export function toEvent(what: ImportedKind, data: Data, { import: number, place, time }: Origin) {
  return {
    specversion: '1.0',
    id: `${number}-${place}`,
    source: `/takt/import/${number}`,
    type: TYPES[what],
    time,
    data,
  };
}

/** Validates an event that was valid when it was stored. */
export function prepared(event: object): PreparedEvent {
  const result = prepareEvent(event);
  if (!result.ok) {
    throw new ImportError(
      `an event is no longer valid: ${result.problems[0]?.field} ${result.problems[0]?.rule}`,
    );
  }
  return result.prepared;
}

const KINDS = {
  productStructureVersion: ['version', 'structure versions'],
  workOrderOperation: ['operation', 'operations'],
  workOrder: ['order', 'work orders'],
  'product.product': ['product', 'products'],
} as const;

/** Throws an ImportError if the company names a kind of object the other way. */
async function assertNaming(session: pg.ClientBase, { companyId, code, mapping }: Target): Promise<void> {
  const fields = new Set(Object.keys(mapping.columns));
  if (mapping.what === 'plans') fields.add(productKey(mapping));
  const words = (byKey: boolean) => (byKey ? 'keys' : 'numbers');
  for (const [object, [kind, plural]] of Object.entries(KINDS)) {
    const byKey = fields.has(`${object}Key`);
    if (!byKey && !fields.has(`${object}Id`)) continue;
    const { rows } = await session.query<{ is: boolean | null }>(
      'SELECT takt.is_named_by_key($1, $2) AS is',
      [companyId, kind],
    );
    const known = rows[0]?.is ?? byKey;
    if (known === byKey) continue;
    const remedy = `map ${object}${known ? 'Key' : 'Id'}, or import into another company (docs/names.md)`;
    throw new ImportError(
      `${code} names ${plural} by ${words(known)}, and the mapping by ${words(byKey)}: ${remedy}`,
    );
  }
}

const DOUBTED = [
  ['runTime', 'run'],
  ['setupTime', 'setup'],
] as const;

async function findDoubts(
  session: pg.ClientBase,
  { companyId, mapping, comparesPlans }: Target,
): Promise<readonly string[]> {
  const byKey = Object.hasOwn(mapping.columns, 'productStructureVersionKey');
  const doubts: string[] = [];
  for await (const averages of readAverages(session, byKey)) {
    const versions = averages.map(({ version }) => version);
    const plans = comparesPlans
      ? await readStates(session, { companyId, what: 'plans', byKey }, versions)
      : new Map<string, StoredState>();
    for (const { version, operations, ...means } of averages) {
      const planned = plans.get(version)?.data?.['plannedProductionTimes'] as Data | undefined;
      doubts.push(...doubtsOf(version, means, planned, `of ${operations} operations `));
    }
  }
  return doubts;
}

/** Returns doubts about averages compared with plans, in hours. */
function doubtsOf(
  version: string,
  means: { readonly [Time in (typeof DOUBTED)[number][0]]: number | null },
  planned: Data | undefined,
  words = '',
): readonly string[] {
  return DOUBTED.flatMap(([time, word]) => {
    const [mean, plan] = [means[time], Number(planned?.[time] ?? 0)];
    if (mean === null || mean === 0) return [];
    const ratio = mean / plan;
    const isFar = plan === 0 ? mean > DOUBTFUL_HOURS : ratio > DOUBTFUL_RATIO || ratio < 1 / DOUBTFUL_RATIO;
    const compared =
      plan === 0 ? `more than ${DOUBTFUL_HOURS} h` : `${digits(ratio, 3)} times the plan of ${plan} h`;
    const told = `${version}: the average ${word} time ${words}is ${digits(mean, 4)} h, ${compared}: is the unit right?`;
    return isFar ? [told] : [];
  });
}

const digits = (value: number, count: number): number => Number(value.toPrecision(count));
