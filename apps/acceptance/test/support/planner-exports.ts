import { expect } from 'chai';
import { readXlsx } from 'hucre/xlsx';
import Papa from 'papaparse';
import type { PlannerRow } from './planner-figures.js';
import { exactText, type Separator } from './shown-numbers.js';

const COLUMNS = {
  identifier: 'ProductStructureVersionId',
  made: 'NumberOfCompletedProductionWorkOrders',
  hours: 'HoursOverPlan',
} as const;

/** A CSV as a spreadsheet of that language reads it: all rows, in order, with every digit. */
export function expectCsv(csv: Buffer, rows: readonly PlannerRow[], separator: Separator): void {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(csv.toString('utf8'), {
    delimiter: separator === ',' ? ';' : ',',
    header: true,
    skipEmptyLines: true,
    transformHeader: lastName,
  });
  expect(errors).to.deep.equal([]);
  expect(meta.fields).to.include.members(Object.values(COLUMNS));
  expect(
    data.map(({ [COLUMNS.identifier]: id, [COLUMNS.made]: made, [COLUMNS.hours]: hours }) => [
      id,
      made,
      hours,
    ]),
  ).to.deep.equal(
    rows.map(({ identifier, figures, hoursOverPlan }) => [
      String(identifier),
      String(figures.numberOfCompletedProductionWorkOrders),
      // What is below 0 begins as a formula does, and is none for what reads numbers.
      hoursOverPlan === null ? '' : exactText(hoursOverPlan, separator),
    ]),
  );
}

/** A workbook by a library that did not write it: all rows, in order, numbers as numbers. */
export async function expectXlsx(xlsx: Buffer, rows: readonly PlannerRow[]): Promise<void> {
  const { sheets } = await readXlsx(xlsx);
  const [header = [], ...cells] = sheets[0]?.rows ?? [];
  const places = Object.values(COLUMNS).map((column) => header.map(String).map(lastName).indexOf(column));
  expect(places).not.to.include(-1);
  expect(cells.map((row) => places.map((place) => row[place] ?? null))).to.deep.equal(
    rows.map(({ identifier, figures, hoursOverPlan }) => [
      identifier,
      figures.numberOfCompletedProductionWorkOrders,
      hoursOverPlan === null ? null : Number(exactText(hoursOverPlan, '.')),
    ]),
  );
}

/** Of a field's path. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
