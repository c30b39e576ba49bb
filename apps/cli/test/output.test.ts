import { expect } from 'chai';
import { describeError } from '../src/output/describe-error.js';
import { printable } from '../src/output/printable.js';
import { type Column, formatTable } from '../src/output/table.js';

describe('printable', () => {
  it('shows what a terminal would obey or hide', () => {
    expect(printable('a\u001b[2Jb\r\n\u009b1m\u202ec\ud800')).to.equal(
      'a\\u001b[2Jb\\u000d\\u000a\\u009b1m\\u202ec\\ud800',
    );
  });

  it('keeps letters of every language, and the meaning of JSON', () => {
    expect(printable('Blåbær 日本 😀')).to.equal('Blåbær 日本 😀');
    const value = { text: '\u0085\u007f\u202e"\\😀' };
    expect(JSON.parse(printable(JSON.stringify(value)))).to.deep.equal(value);
  });
});

describe('formatTable', () => {
  const columns: readonly Column<{ id: string; count: number; reason: string }>[] = [
    { title: 'ID', value: ({ id }) => id },
    { title: 'COUNT', value: ({ count }) => String(count), isNumber: true },
    { title: 'REASON', value: ({ reason }) => reason },
  ];
  const rows = [
    { id: 'abcdef', count: 7, reason: 'x'.repeat(60) },
    { id: 'a', count: 1234567, reason: 'line\nbreak' },
  ];

  it('aligns words to the left and numbers to the right', () => {
    expect(formatTable(columns, rows)).to.deep.equal([
      'ID        COUNT  REASON',
      `abcdef        7  ${'x'.repeat(60)}`,
      'a       1234567  line\\u000abreak',
    ]);
  });

  it('cuts the last column to the width', () => {
    const lines = formatTable(columns, rows, { width: 70 });
    expect(lines[1]).to.have.length(70);
    expect(lines[1]).to.match(/^abcdef {8}7 {2}x+…$/);
  });

  it('gives the last column a line of its own where there is no room, and never cuts the first', () => {
    expect(formatTable(columns, rows, { width: 50 })).to.deep.equal([
      'ID        COUNT  REASON',
      'abcdef        7',
      `  ${'x'.repeat(47)}…`,
      'a       1234567  line\\u000abreak',
    ]);
  });
});

describe('describeError', () => {
  it('tells the causes in one line, nothing twice', () => {
    const cause = new AggregateError([new Error('connect ECONNREFUSED ::1:5432')]);
    const error = new Error('the database is away', { cause: new Error('no connection', { cause }) });
    expect(describeError(error)).to.equal(
      'the database is away: no connection: connect ECONNREFUSED ::1:5432',
    );
    expect(describeError(new Error('a b c', { cause: new Error('b') }))).to.equal('a b c');
  });
});
