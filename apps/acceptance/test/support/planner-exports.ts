import { expect } from 'chai';
import { readXlsx } from 'hucre/xlsx';
import Papa from 'papaparse';
import type { PlannerRow } from './planner-figures.js';
import { exactText, type Separator } from './shown-numbers.js';

/** The compared values of a row by the name of their column in the file. */
export type ComparedColumns = Readonly<Record<string, 'identifier' | 'made' | 'hours'>>;

/** The columns that are compared in a file with all columns. */
export const ALL_COLUMNS: ComparedColumns = {
  ProductStructureVersionId: 'identifier',
  NumberOfCompletedProductionWorkOrders: 'made',
  HoursOverPlan: 'hours',
};

function comparedValue(
  { identifier, figures, hoursOverPlan }: PlannerRow,
  what: ComparedColumns[string],
  separator: Separator,
): string | null {
  if (what === 'identifier') return String(identifier);
  if (what === 'made') return String(figures.numberOfCompletedProductionWorkOrders);
  // A negative number begins with a sign like a formula, but spreadsheets read it as a number.
  return hoursOverPlan === null ? null : exactText(hoursOverPlan, separator);
}

/**
 * Expects a CSV to contain all rows in order and with every digit. Parses the CSV as a spreadsheet in the same language
 * would.
 */
export function expectCsv(
  csv: Buffer,
  rows: readonly PlannerRow[],
  separator: Separator,
  columns: ComparedColumns,
): void {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(csv.toString('utf8'), {
    delimiter: separator === ',' ? ';' : ',',
    header: true,
    skipEmptyLines: true,
    transformHeader: lastName,
  });
  expect(errors).to.deep.equal([]);
  expect(meta.fields).to.include.members(Object.keys(columns));
  expect(data.map((row) => Object.keys(columns).map((column) => row[column]))).to.deep.equal(
    rows.map((row) => Object.values(columns).map((what) => comparedValue(row, what, separator) ?? '')),
  );
}

/**
 * Expects a workbook to contain all rows in order, with numbers stored as numbers. The library that reads the workbook
 * is not the library that wrote it.
 */
export async function expectXlsx(
  xlsx: Buffer,
  rows: readonly PlannerRow[],
  columns: ComparedColumns,
): Promise<void> {
  const { sheets } = await readXlsx(xlsx);
  const [header = [], ...cells] = sheets[0]?.rows ?? [];
  const places = Object.keys(columns).map((column) => header.map(String).map(lastName).indexOf(column));
  expect(places).not.to.include(-1);
  const numberOf = (text: string | null) => (text === null ? null : Number(text));
  expect(cells.map((row) => places.map((place) => row[place] ?? null))).to.deep.equal(
    rows.map((row) => Object.values(columns).map((what) => numberOf(comparedValue(row, what, '.')))),
  );
}

/** Returns the last name in the path of a field. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
