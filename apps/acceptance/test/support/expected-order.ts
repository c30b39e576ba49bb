import type { ProductionLog } from './read-production-log.js';

export type SortValue = number | string | null;

/** The values by which the API can sort, for each structure version. */
export type SortRows = ReadonlyMap<number, Readonly<Record<string, SortValue>>>;

export interface OrderItem {
  readonly field: string;
  readonly isDescending: boolean;
}

const KINDS = ['run', 'setup', 'cleanup'] as const;
const FIGURES = ['average', 'shortest', 'longest', 'deviation'] as const;
const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The seventeen sortable fields of the specification. */
export const sortFields: readonly string[] = [
  'NumberOfCompletedProductionWorkOrders',
  'ProductName',
  ...KINDS.flatMap((kind) => [
    `${capitalized(kind)}Time`,
    ...FIGURES.map((figure) => `${capitalized(figure)}${capitalized(kind)}Time`),
  ]),
];

const toNumber = (hours: string | null | undefined) => (hours == null ? null : Number(hours));

/** Returns the values for sorting from the log: its expected figures, and the master data in its events. */
export function sortRowsOf({ events, expected }: ProductionLog): SortRows {
  const rows = new Map<number, Record<string, SortValue>>();
  for (const { data } of events) {
    const { productStructureVersionId: identifier, product, plannedProductionTimes: planned } = data;
    if (identifier === undefined || product === undefined || planned === undefined) continue;
    const figures = expected[String(identifier)];
    if (figures === undefined) throw new Error(`no figures of ${identifier}`);
    const row: Record<string, SortValue> = {
      NumberOfCompletedProductionWorkOrders: figures.numberOfCompletedProductionWorkOrders,
      ProductName: product.name,
    };
    for (const kind of KINDS) {
      row[`${capitalized(kind)}Time`] = toNumber(planned[`${kind}Time`]);
      for (const figure of FIGURES) {
        row[`${capitalized(figure)}${capitalized(kind)}Time`] = toNumber(figures[kind][figure]);
      }
    }
    rows.set(identifier, row);
  }
  return rows;
}

const root = new Intl.Collator('und');

/** Compares two values in ascending order. Nulls come first, and text is in the root collation order. */
function compare(one: SortValue, other: SortValue): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return root.compare(String(one), String(other));
}

/**
 * Returns the identifiers in the given order. Rows with equal values are ordered by identifier, in the direction of the
 * last field.
 */
export function identifiersInOrder(rows: SortRows, order: readonly OrderItem[]): readonly number[] {
  const sign = (item: OrderItem | undefined) => (item?.isDescending ? -1 : 1);
  return [...rows.keys()].sort((one, other) => {
    for (const item of order) {
      const difference = compare(rows.get(one)?.[item.field] ?? null, rows.get(other)?.[item.field] ?? null);
      if (difference !== 0) return sign(item) * difference;
    }
    return sign(order.at(-1)) * (one - other);
  });
}

export function orderByText(order: readonly OrderItem[]): string {
  return order.map(({ field, isDescending }) => `${field} ${isDescending ? 'desc' : 'asc'}`).join(',');
}
