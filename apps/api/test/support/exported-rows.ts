import type { Database } from '@takt/database';
import { insertStructureVersions, type StructureVersion } from './insert-rows.js';

/** Texts that CSV must quote, texts that a spreadsheet would execute, and texts that XML cannot contain. */
export const hostileTexts = [
  ...['plain', 'two, parts', 'two; parts', 'a "quoted" one', 'first\nsecond', 'first\r\nsecond', ' padded '],
  ...[
    "Line one\n=cmd|'/C calc'!A0",
    'one\r@SUM(A1)',
    'one\r\n+1',
    '\n-1',
    'one\r\r\n＝1',
    'last\n',
    'last\r',
    '＠1',
    ' =1+1',
    '\u00a0=1',
    '\u200b+1',
    '\ufeff-1',
    'one\n \u2060@SUM(A1)',
    '|calc',
  ],
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '="x","y"', "=cmd|' /C calc'!A0", "'quoted"],
  ...[
    '<b>&amp;</b>',
    ']]>',
    '_x0041_',
    '_x0001_',
    'løft 😀',
    'bell \u0007',
    '',
    '0012',
    '1e5',
    'TRUE',
    '2026-01-01',
  ],
  '\u0001 \u000b \u000c \ufffe \uffff',
] as const;

/**
 * The number of rows of an export. They need more than two batches, and have ties, missing times and every hostile
 * text.
 */
export const EXPORTED_ROWS = 2_300;

function exportedRow(index: number): StructureVersion {
  const text = hostileTexts[index % hostileTexts.length] ?? '';
  return {
    id: index + 1,
    productId: (index % 50) + 1,
    status: [1, 4, 9][index % 3] ?? 4,
    name: text,
    revision: hostileTexts[(index * 7) % hostileTexts.length] ?? '',
    version: index % 5,
    productName: `Product ${(index % 50) + 1}`,
    productDescription: hostileTexts[(index % 50) % hostileTexts.length] ?? '',
    planned: { run: index % 4 === 0 ? null : '0.000001', setup: index % 3 === 0 ? '9999999.999999' : null },
    actual: { run: ['0.000001', '1.500000', '2.250000'].slice(0, index % 4) },
  };
}

export async function insertExportedRows(pool: Database['pool']): Promise<void> {
  await insertStructureVersions(
    pool,
    Array.from({ length: EXPORTED_ROWS }, (_, index) => exportedRow(index)),
  );
  await pool.query('ANALYZE');
}

/** Maps each list to queries of all kinds for its export. The queries do not contain the format. */
export const exportedQuestions: Readonly<Record<string, readonly string[]>> = {
  '/product/structure-versions/aggregated-production-times': [
    '',
    '$filter=RunTime%20ne%20null%20and%20ProductStructureVersionStatus%20eq%204',
    '$orderby=AverageRunTime%20desc,ProductName',
    '$select=Product.Name,RunTime&$orderby=RunTime',
    '$select=SetupTime',
    '$showDomainDescriptions=true&$lang=deu&$filter=ProductId%20eq%207',
    '$db=TEM-NO&$filter=ProductId%20eq%207',
    '$filter=false',
  ],
  '/product/structure-versions/plan-suggestions': [''],
  '/product/structure-versions': ['', '$orderby=ProductName%20desc'],
  '/product/products/aggregated-production-times': ['', '$orderby=HoursOverPlan%20desc'],
  '/product/products/aggregated-production-times/months': ['', 'from=2025-12&$orderby=HoursOverPlan%20desc'],
  '/product/products': ['', '$select=Name'],
  '/system/applications': [''],
  '/system/domain-values/applicable-values': [
    'object=Product&field=Status',
    'object=Application&field=Scope&$lang=pol&$orderby=Key%20desc',
  ],
  '/system/saved-views': ['', '$orderby=Name%20desc'],
  '/system/error-messages': ['', 'search=filter&$orderby=Message%20desc', '$showDomainDescriptions=true'],
};
