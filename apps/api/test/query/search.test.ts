import { opened, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { askList, columnOf } from '../support/ask.js';
import { holdsWords, spellings } from '../support/compare-text.js';
import { replaceErrorMessages } from '../support/insert-rows.js';
import { openTestApi } from '../support/open-test-api.js';
import { errorMessages, productionTimes } from '../support/resources.js';
import { variedErrorMessage } from '../support/varied-rows.js';

const ROWS = 60;
const seed = testSeed();

describe(`search for error messages (seed ${seed})`, () => {
  const rows = Array.from({ length: ROWS }, (_, index) => variedErrorMessage(index));
  const api = opened(openTestApi);
  before(async () => {
    await replaceErrorMessages(api.owner, rows);
  });

  const found = async (search: string) => {
    const page = await askList(api, errorMessages, { search, $top: '$max' });
    return columnOf(page).map(Number);
  };

  /**
   * Returns the identifiers of all messages in which each word occurs in the text, the namespace or the identifier.
   * Ignores case and accents.
   */
  const expected = (search: string): readonly number[] =>
    rows
      .filter(({ id, message = '', namespace = '' }) =>
        holdsWords([message, namespace, String(id)].flatMap(spellings), search),
      )
      .map(({ id }) => id)
      .sort((one, other) => one - other);

  it('finds the messages that contain every word, even inside other words and in any case and order', async () => {
    const words = rows.flatMap(({ id, message = '', namespace = '' }) =>
      [...message.split(/\s+/u), namespace, String(id)].filter((word) => word !== ''),
    );
    const word = fc
      .tuple(fc.constantFrom(...words), fc.nat(3), fc.boolean())
      .map(([text, length, isUpper]) => {
        const part = [...text].slice(0, length + 1).join('');
        return isUpper ? part.toUpperCase() : part;
      })
      .filter((text) => !/\p{Cc}/u.test(text));
    const searches = fc.sample(fc.array(word, { minLength: 1, maxLength: 3 }), {
      seed,
      numRuns: shareOf(300),
    });
    for (const search of searches) {
      const text = search.join('  ');
      expect(await found(text), text).to.deep.equal(expected(text));
    }
  });

  for (const search of [
    '%',
    '_',
    '\\',
    "'",
    'a%',
    '😀',
    'STRASSE',
    'straße',
    'QUERY 1000',
    'nothing such',
    '',
  ]) {
    it(`treats '${search}' as plain text`, async () => {
      expect(await found(search)).to.deep.equal(expected(search));
    });
  }

  it('can be combined with a filter', async () => {
    const page = await askList(api, errorMessages, {
      ...{ search: 'frame', $filter: 'HttpStatusCode eq 404', $top: '$max', $inlinecount: 'allpages' },
    });
    const both = rows.filter(
      ({ id, httpStatusCode }) => httpStatusCode === 404 && expected('frame').includes(id),
    );
    expect(columnOf(page)).to.have.members(both.map(({ id }) => id));
    expect(page.paging.size).to.equal(both.length).and.be.greaterThan(0);
  });

  it('has no effect on a resource without searchable text', async () => {
    api.sent.length = 0;
    await askList(api, { ...productionTimes, searched: [] }, { search: 'frame' });
    expect(JSON.stringify(api.sent)).to.not.include('frame');
  });
});
