import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { goal, toMarkdown } from '../src/harness.js';
import { goalsOf, withBlock } from '../src/write-page.js';

const PAGE = readFileSync(new URL('../../../../docs/benchmarks.md', import.meta.url), 'utf8');

describe('the page of benchmarks', () => {
  it('has a block for each benchmark and for the goals, and replaces only that block', () => {
    for (const name of ['goals', 'ingest', 'apply', 'questions', 'read', 'overload', 'start']) {
      const written = withBlock(PAGE, name, 'A new text with $1 and $&.');
      expect(withBlock(written, name, 'x'))
        .to.equal(withBlock(PAGE, name, 'x'))
        .and.not.equal(PAGE);
      expect(written).to.include(`<!-- ${name} -->\n\nA new text with $1 and $&.\n\n<!-- /${name} -->`);
    }
    expect(() => withBlock(PAGE, 'other', '')).to.throw('docs/benchmarks.md has no block "other"');
  });

  it('counts the goals of all tables, and lists those that are not met', () => {
    const table = toMarkdown([
      goal('pages a second', 12.5, '>= 10', { 'by requests/s': 1 }),
      goal('p99 ms', 61, '<= 60'),
    ]);
    const said = goalsOf(`Text.\n\n${table}\n\n${table}\n\n<!-- goals -->\n\n${table}\n\n<!-- /goals -->\n`);
    expect(said.split('\n')).to.deep.equal([
      '2 of 4 goals are met. These are not:',
      '',
      '| goal   | reached | target |',
      '| ------ | ------- | ------ |',
      ...['| p99 ms | 61      | <= 60  |', '| p99 ms | 61      | <= 60  |'],
    ]);
  });

  it('shows the goals of the tables below it', () => {
    expect(PAGE).to.include(`<!-- goals -->\n\n${goalsOf(PAGE)}\n\n<!-- /goals -->`);
  });
});
