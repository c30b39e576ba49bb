import { expect } from 'chai';
import { type Line, readLines } from '../src/event-source.js';

async function linesOf(parts: readonly (string | Buffer)[], maxLineBytes?: number): Promise<readonly Line[]> {
  async function* chunks() {
    for (const part of parts) yield Buffer.from(part);
  }
  const lines: Line[] = [];
  for await (const some of readLines(chunks(), maxLineBytes)) lines.push(...some);
  return lines;
}

describe('readLines', () => {
  it('joins the pieces of lines for every cut of the input', async () => {
    const bytes = Buffer.from('å1\n\nzwei\r\n3');
    const expected = ['å1', '', 'zwei\r', '3'].map((text, index) => ({ number: index + 1, text }));
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(await linesOf([bytes.subarray(0, cut), bytes.subarray(cut)])).to.deep.equal(expected);
    }
  });

  it('reports invalid UTF-8, and continues', async () => {
    expect(await linesOf([Buffer.from([0x61, 0xc3, 0x0a, 0x62])])).to.deep.equal([
      { number: 1, text: '', problem: 'is not UTF-8' },
      { number: 2, text: 'b' },
    ]);
  });

  it('reports a line that is too long, without keeping the line in memory', async () => {
    const lines = await linesOf(['1234', '5678', '9\nab', 'cd\n'], 8);
    expect(lines).to.deep.equal([
      { number: 1, text: '', problem: 'is longer than 8 bytes' },
      { number: 2, text: 'abcd' },
    ]);
  });

  it('removes a byte order mark only at the start', async () => {
    const [first, second] = await linesOf(['\ufeffa\n\ufeffb']);
    expect([first?.text, second?.text]).to.deep.equal(['a', '\ufeffb']);
  });
});
