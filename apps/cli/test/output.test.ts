import { expect } from 'chai';
import { describeError } from '../src/errors.js';
import { startProgress } from '../src/progress.js';
import { type Column, formatTable } from '../src/table.js';
import { printable } from '../src/terminal.js';
import { openTestTerminal } from './support/test-terminal.js';

describe('printable', () => {
  it('escapes characters that a terminal would interpret or hide', () => {
    expect(printable('a\u001b[2Jb\r\n\u009b1m\u202ec\ud800')).to.equal(
      'a\\u001b[2Jb\\u000d\\u000a\\u009b1m\\u202ec\\ud800',
    );
  });

  it('keeps the letters of every language and the meaning of JSON', () => {
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

  it('aligns texts to the left and numbers to the right', () => {
    expect(formatTable(columns, rows)).to.deep.equal([
      'ID        COUNT  REASON',
      `abcdef        7  ${'x'.repeat(60)}`,
      'a       1234567  line\\u000abreak',
    ]);
  });

  it('shortens the last column to the width of the terminal', () => {
    const lines = formatTable(columns, rows, { width: 70 });
    expect(lines[1]).to.have.length(70);
    expect(lines[1]).to.match(/^abcdef {8}7 {2}x+…$/);
  });

  it('puts the last column on a separate line if there is no room, and never shortens the first column', () => {
    expect(formatTable(columns, rows, { width: 50 })).to.deep.equal([
      'ID        COUNT  REASON',
      'abcdef        7',
      `  ${'x'.repeat(47)}…`,
      'a       1234567  line\\u000abreak',
    ]);
  });
});

describe('describeError', () => {
  it('lists an error and its causes in one line without repetition', () => {
    const cause = new AggregateError([new Error('connect ECONNREFUSED ::1:5432')]);
    const error = new Error('the database is away', { cause: new Error('no connection', { cause }) });
    expect(describeError(error)).to.equal(
      'the database is away: no connection: connect ECONNREFUSED ::1:5432',
    );
    expect(describeError(new Error('a b c', { cause: new Error('b') }))).to.equal('a b c');
  });
});

describe('startProgress', () => {
  const CLEARED = '\r\u001b[K';
  it('draws a bar on a terminal, prints messages on separate lines, and finally removes the bar', () => {
    const { terminal, written } = openTestTerminal(80);
    const progress = startProgress(terminal, 'checking a.ndjson', 200);
    expect(written()).to.equal(`${CLEARED}checking a.ndjson ${'░'.repeat(30)} 0 %`);
    progress.update(100);
    progress.say('a.ndjson:3: is not JSON');
    const half = `${CLEARED}checking a.ndjson ${'█'.repeat(15)}${'░'.repeat(15)} 50 %`;
    expect(written()).to.equal(`${CLEARED}a.ndjson:3: is not JSON\n${half}`);
    progress.stop();
    expect(written()).to.equal(CLEARED);
  });

  it('draws at most every 100 ms and within one line, and prints a number for an unknown total', () => {
    for (const total of [undefined, 0]) {
      const { terminal, written } = openTestTerminal(20);
      const startedAt = performance.now();
      const progress = startProgress(terminal, 'jobs that are left:', total);
      for (let done = 1; done <= 10_000; done += 1) progress.update(done);
      const [before, first, ...others] = written().split(CLEARED);
      expect([before, first]).to.deep.equal(['', 'jobs that are lef 0']);
      expect(others.length).to.be.at.most((performance.now() - startedAt) / 100);
    }
  });

  it('prints only messages if the standard error is no terminal', () => {
    const { terminal, written } = openTestTerminal(undefined);
    const progress = startProgress(terminal, 'checking', 10);
    progress.update(5);
    progress.say('a line');
    progress.stop();
    expect(written()).to.equal('a line\n');
  });
});
