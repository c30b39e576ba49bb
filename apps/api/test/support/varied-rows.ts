import type { ErrorMessageRow, StructureVersion } from './insert-rows.js';

/**
 * Texts that are hard to compare, escape or trim. The service and the tests use different versions of ICU, so the texts
 * contain only letters that all versions fold and order alike.
 */
export const variedTexts = [
  ...['Frame', 'frame', 'FRAME', 'Frame, welded', 'Conveyor 100 %', '100_%', 'a_b', 'a%b', 'a\\b', '\\'],
  ...["O'Brien", "''", "'", 'Straße', 'STRASSE', 'Übergang', 'übergang', 'Ångström', 'løft', 'LØFT'],
  ...[
    'Étau',
    'étau',
    'Жук',
    'жук',
    'Σίσυφος',
    '😀',
    '😀 smile',
    'smile 😀',
    ' padded ',
    '\u00a0padded\u00a0',
  ],
  ...['\tTabbed', 'Valve v', 'vv', 'VAT-v', '', ' ', 'belt', 'Belt 2', 'belt 10', 'null', 'true', '1.5'],
] as const;

const PLANNED = ['0.000000', '0.000001', '0.250000', '1.500000', '1.500000', '2.000000', '9999999.999999'];
const ACTUAL = ['0.000001', '0.250000', '1.500000', '1.500001', '2.000000', '12.000000'];

/** Returns a row with many ties and many missing times. The same index always gives the same row. */
export function variedStructureVersion(index: number): StructureVersion {
  const pick = <Item>(items: readonly Item[], step: number): Item | undefined =>
    items[(index * step + Math.floor(index / items.length)) % items.length];
  const planned = (step: number) => ((index + step) % 3 === 0 ? null : (pick(PLANNED, step) ?? null));
  const actual = (step: number, isReported: boolean) =>
    Array.from(
      { length: isReported ? (index * step) % 4 : 0 },
      (_, turn) => pick(ACTUAL, step + turn) ?? '1',
    );
  return {
    id: 100 + ((index * 37) % 101),
    key: `${pick(variedTexts, 2) ?? ''}/${index}`,
    productKey: `${pick(variedTexts, 4) ?? ''}-${index}`,
    productId: 1 + index,
    productName: pick(variedTexts, 1) ?? '',
    status: pick([1, 4, 4, 9], 1) ?? 4,
    name: pick(variedTexts, 3) ?? '',
    version: index % 5,
    revision: pick(['A', 'B', 'b', 'AB', '', 'Ä 2'], 1) ?? 'A',
    productStatus: pick([2, 3, 4, 5, 6, 7, 9], 3) ?? 4,
    productType: pick(['K', 'KA', 'P', 'k'], 1) ?? 'K',
    planned: { run: planned(1), setup: planned(2), cleanup: planned(5) },
    actual: {
      run: actual(1, true),
      setup: actual(3, index % 2 === 0),
      cleanup: actual(5, index % 5 !== 0),
    },
  };
}

const STATUS_CODES = [400, 403, 404, 500] as const;

export function variedErrorMessage(index: number): ErrorMessageRow {
  return {
    id: 100_000 + ((index * 37) % 101),
    status: ['1', '4', '9'][index % 3] ?? '4',
    namespace: ['query', 'Query', 'access', 'Système', 'a_b'][index % 5] ?? '',
    httpStatusCode: STATUS_CODES[index % 4] ?? 400,
    message: variedTexts[index % variedTexts.length] ?? '',
    createdBy: [1, 403, 403, 9_007_199_254_740_991, 100_050][index % 5] ?? 1,
  };
}
