import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { rangeOfPrefix } from '../../src/plan/optimise-filter.js';
import { openTestApi } from '../support/open-test-api.js';

const CHARACTERS = [...'0123456789abcdefghijklmnopqrstuvwxyz'];
/**
 * Matches characters that a collation may ignore or combine with the character before: marks, formats, controls,
 * modifiers and noncharacters.
 */
const JOINING = /[\p{M}\p{Cf}\p{Cc}\p{Lm}\p{Sk}\p{Noncharacter_Code_Point}]/u;
/** SQL for all code points of the planes with assigned characters, except surrogates. */
const CODE_POINTS = 'generate_series(1, 210000) AS point WHERE point NOT BETWEEN 55296 AND 57343';

const rangeOf = (part: string) => {
  const range = rangeOfPrefix(part);
  if (range === undefined) throw new Error(`${part} has a range`);
  return range;
};

describe('the range of texts with a prefix', () => {
  const api = opened(openTestApi);

  const outside = async (texts: string, values: readonly unknown[]): Promise<readonly string[]> => {
    const { rows } = await api.owner.query<{ text: string }>(
      `SELECT text FROM (${texts}) AS made (text, low, high)
       WHERE NOT (text COLLATE "und-x-icu" >= low AND text COLLATE "und-x-icu" < high) LIMIT 10`,
      [...values],
    );
    return rows.map(({ text }) => text);
  };

  it('includes each letter and digit in either case, followed by any combining character', async () => {
    const joining = Array.from({ length: 0x110000 }, (_, point) => point)
      .filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
      .map((point) => String.fromCodePoint(point))
      .filter((character) => JOINING.test(character));
    expect(joining.length).to.be.at.least(3_000);
    const starts = CHARACTERS.flatMap((one) => [...new Set([one, one.toUpperCase()])]);
    const ranges = starts.map(rangeOf);
    expect(
      await outside(
        `SELECT start || joining, low, high FROM unnest($1::text[], $2::text[], $3::text[]) AS part (start, low, high),
           unnest($4::text[]) AS joining`,
        [starts, ranges.map(({ from }) => from), ranges.map(({ until }) => until), joining],
      ),
    ).to.deep.equal([]);
  });

  it('includes a letter that is followed by any other character', async () => {
    const { from, until } = rangeOf('l');
    const texts = `SELECT $1 || chr(point), $1, $2 FROM ${CODE_POINTS}`;
    expect(await outside(texts, [from, until])).to.deep.equal([]);
  });

  it('includes characters that case folding changes to the prefix', async () => {
    const ranges = CHARACTERS.map(rangeOf);
    const folding = `
      SELECT character, low, high FROM unnest($1::text[], $2::text[]) AS part (low, high)
      JOIN (SELECT chr(point) AS character FROM ${CODE_POINTS}) AS any_of
        ON left(casefold(character COLLATE "und-x-icu"), 1) = low`;
    const bounds = [ranges.map(({ from }) => from), ranges.map(({ until }) => until)];
    expect(await outside(folding, bounds)).to.deep.equal([]);
    const { rows } = await api.owner.query<{ count: string }>(
      `SELECT count(*) FROM (${folding}) AS found`,
      bounds,
    );
    expect(Number(rows[0]?.count)).to.be.at.least(36 + 26 + 10);
  });

  it('starts at the ASCII part of the prefix, in lower case and up to its last letter or digit', () => {
    const full = { isNarrow: true, isWhole: true };
    expect(rangeOfPrefix('Frame 12')).to.deep.equal({ from: 'frame 12', until: 'frame 13', ...full });
    expect(rangeOfPrefix('M8-Z')).to.deep.equal({ from: 'm8-z', until: 'm8-α', ...full });
    expect(rangeOfPrefix('ab9')).to.deep.equal({ from: 'ab9', until: 'aba', ...full });
    const loose = { isNarrow: false, isWhole: false };
    expect(rangeOfPrefix('a- ')).to.deep.equal({ from: 'a', until: 'b', ...loose });
    expect(rangeOfPrefix('Gløgg')).to.deep.equal({ from: 'gl', until: 'gm', ...loose });
    for (const part of [
      '',
      ' -',
      'ølbrikke',
      '\u212aelvin',
      '\u017f',
      '\u00ada',
      '\ta',
      '\u0130',
      '<\u0338',
    ]) {
      expect(rangeOfPrefix(part), part).to.equal(undefined);
    }
  });
});
