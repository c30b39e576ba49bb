import { expect } from 'chai';
import { formatMapping, ImportError, parseMapping } from '../src/index.js';
import { columnsOf } from '../src/mapping.js';

const REQUIRED =
  'workOrderOperationKey: O, productStructureVersionKey: V, completedAt: D, runTime: {column: T, unit: min}';
const operations = (columns: string, more = '') => `what: operations\n${more}\ncolumns: {${columns}}`;

describe('a mapping', () => {
  const refusals: readonly (readonly [string, string, RegExp])[] = [
    ['no YAML', 'what: [', /is not YAML/],
    ['an unknown setting', operations(REQUIRED, 'combination: sum'), /Unrecognized key: "combination"/],
    [
      'an unknown field',
      operations(`${REQUIRED}, runtime: T`),
      /columns.runtime: no such field of operations; the fields are workOrderOperationKey/,
    ],
    [
      'a missing field',
      operations('workOrderOperationKey: O, completedAt: D, runTime: {column: T, unit: h}'),
      /productStructureVersionKey or productStructureVersionId is missing/,
    ],
    [
      'a key and a number of one object',
      operations(`${REQUIRED}, workOrderOperationId: O`),
      /workOrderOperationKey and workOrderOperationId exclude each other/,
    ],
    [
      'a time without a unit',
      operations(REQUIRED.replace(', unit: min', '')),
      /columns.runTime: needs a unit, one of s, min, h/,
    ],
    [
      'an unknown unit',
      operations(REQUIRED.replace('unit: min', 'unit: minutes')),
      /columns.runTime: must be a column, a template/,
    ],
    [
      'a time as text',
      operations(REQUIRED.replace('{column: T, unit: min}', 'T')),
      /columns.runTime: must be \{column, unit\}/,
    ],
    [
      'a unit of a date',
      operations(REQUIRED.replace('completedAt: D', 'completedAt: {column: D, unit: h}')),
      /columns.completedAt: must be a column, \{column, format, zone\}/,
    ],
    [
      'a constant time that would be added for each line',
      operations(`${REQUIRED}, setupTime: {constant: 1}`, 'combine: sum'),
      /would be added for each line/,
    ],
    ['aliases, of which a few can stand for gigabytes', 'a: &a [x]\nb: *a', /Alias resolution is disabled/],
  ];
  for (const [name, text, message] of refusals) {
    it(`with ${name} is refused`, () => {
      expect(() => parseMapping(text)).to.throw(ImportError, message);
    });
  }

  it('keeps the spelling of values that are compared with cells', () => {
    const { where, columns } = parseMapping(
      operations(`${REQUIRED}, workOrderKey: {constant: 1.10}`, 'where: {S: 010, T: {not: [1.10, yes]}}'),
    );
    expect([where, columns['workOrderKey']]).to.deep.equal([
      { S: { is: ['010'] }, T: { not: ['1.10', 'yes'] } },
      { constant: '1.10' },
    ]);
  });

  it('is written as it is read', () => {
    const mapping = parseMapping(
      operations(`${REQUIRED}, setupTime: {constant: 0.25}`, 'where: {S: [a, b], T: {filled: true}}'),
    );
    expect(parseMapping(formatMapping(mapping))).to.deep.equal(mapping);
  });

  it('takes braces for a template only in the text of a whole source', () => {
    const columns =
      "workOrderOperationKey: '{O}/{S}', productStructureVersionKey: {column: '{V}'}, completedAt: {date: D, time: 'T {h}'}";
    const mapping = parseMapping(operations(`${columns}, runTime: {column: 'Time {min}', unit: min}`));
    expect([...columnsOf(mapping)]).to.deep.equal(['O', 'S', '{V}', 'D', 'T {h}', 'Time {min}']);
  });
});
