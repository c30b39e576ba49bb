import { ImportError, parseMapping } from '@takt/import';
import { expect } from 'chai';
import { readLists } from '../src/import/mapping-form.js';

type Fields = readonly (readonly [string, string])[];

function formOf(fields: Fields): URLSearchParams {
  const form = new URLSearchParams({ what: 'operations' });
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const COLUMNS: Fields = [
  ['column:workOrderOperation', 'c:Order'],
  ['column:workOrderOperation', 'c:Step'],
  ['joint:workOrderOperation', '/'],
  ['column:productStructureVersion', 'c:Item'],
  ['column:completedAt', 'c:End'],
  ['column:runTime', 'c:Min'],
  ['unit:runTime', 'min'],
];

describe('the lists of a mapping', () => {
  it('name columns, join them, and give units and formats', () => {
    const form = formOf([
      ...COLUMNS,
      ['format:completedAt', 'dd.MM.yyyy'],
      ['as:productStructureVersion', 'Id'],
    ]);
    expect(parseMapping(readLists(form, undefined)).columns).to.deep.equal({
      workOrderOperationKey: '{Order}/{Step}',
      productStructureVersionId: 'Item',
      completedAt: { column: 'End', format: 'dd.MM.yyyy' },
      runTime: { column: 'Min', unit: 'min' },
    });
  });

  it('keep everything that they cannot say, for the same kind of file', () => {
    const present = parseMapping(`
      what: operations
      file: {encoding: ibm850}
      columns:
        workOrderOperationKey: A
        productStructureVersionKey: 'x-{B}'
        completedAt: {date: D, time: T}
        runTime: {column: Min, unit: min, per: 100}
      where: {Kind: [LABOR, MACHINE]}`);
    const form = formOf([
      ['column:workOrderOperation', 'c:C'],
      ['column:productStructureVersion', '='],
      ['column:completedAt', '='],
      ['column:runTime', '='],
      ['combine', 'sum'],
    ]);
    const { columns, where, file, combine } = parseMapping(readLists(form, present));
    expect(columns).to.deep.equal({ ...present.columns, workOrderOperationKey: 'C' });
    expect([where, file, combine]).to.deep.equal([present.where, present.file, 'sum']);
    form.set('what', 'plans');
    expect(readLists(form, present)).not.to.match(/where|ibm850/);
  });

  it('take a heading with braces as a column, and refuse to join it', () => {
    const form = formOf([
      ['column:workOrderOperation', 'c:{Nr}'],
      ['column:productStructureVersion', 'c:Item'],
      ['column:completedAt', 'c:E {t}'],
      ['column:runTime', 'c:Time {min}'],
    ]);
    const { columns } = parseMapping(readLists(form, undefined));
    expect([columns['workOrderOperationKey'], columns['completedAt']]).to.deep.equal([
      { column: '{Nr}' },
      { column: 'E {t}' },
    ]);
    form.append('column:workOrderOperation', 'c:Step');
    expect(() => readLists(form, undefined)).to.throw(ImportError, '"{Nr}" has braces');
  });
});
