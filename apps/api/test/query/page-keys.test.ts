import { createHash } from 'node:crypto';
import type { ListResource } from '@takt/catalogue/resources';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { encodePageKey, type KeyedQuery } from '../../src/plan/page-key.js';
import { askList, columnOf, type Parameters } from '../support/ask.js';
import { faultOf } from '../support/fault-of.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { COMPANY, OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { errorMessages, productionTimes } from '../support/resources.js';
import { follow } from '../support/walk.js';

const INVALID = { code: 'invalidPageKey', parameters: [] };
const OF_OTHER_QUERY = { code: 'pageKeyOfOtherQuery', parameters: [] };
/**
 * The number of bytes at the start of a page key that contain the hash of the query. A checksum of the same length
 * follows.
 */
const DIGEST_BYTES = 12;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a page key', () => {
  const api = opened(openTestApi);
  let keys: Readonly<Record<'first' | 'previous' | 'next' | 'last', string>>;
  const asked: Parameters = { $top: 3, $orderby: 'ProductName desc,RunTime', $filter: 'RunTime ne 7' };
  before(async () => {
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    const rows = ids.map((id) => ({ id, productName: `Größe 😀 ${id % 4}`, planned: { run: `${id % 5}` } }));
    await insertStructureVersions(api.owner, rows);
    await insertStructureVersions(
      api.owner,
      rows.map((row) => ({ ...row, companyId: OTHER_COMPANY })),
    );
    const first = await askList(api, productionTimes, asked);
    if (first.paging.next === null) throw new Error('there are several pages');
    const second = await follow(api, productionTimes, first.paging.next);
    const { previous, next, last } = second.paging;
    if (previous === null || next === null) throw new Error('there are several pages');
    keys = { first: first.paging.first.key, previous: previous.key, next: next.key, last: last.key };
  });

  const askWith = (
    parameters: Parameters,
    { resource = productionTimes, companyId = COMPANY }: { resource?: ListResource; companyId?: number } = {},
  ) => askList(api, resource, { ...asked, ...parameters }, companyId);

  it('needs no encoding in an address', () => {
    for (const key of Object.values(keys)) expect(key).to.match(/^[A-Za-z0-9_-]+$/);
  });

  it('is invalid after a change of any single character', async () => {
    for (const key of Object.values(keys)) {
      for (let index = 0; index < key.length; index++) {
        const place = ALPHABET.indexOf(key.charAt(index));
        for (const shift of [1, 32]) {
          const other = ALPHABET.charAt((place + shift) % ALPHABET.length);
          const $pageKey = key.slice(0, index) + other + key.slice(index + 1);
          expect(await faultOf(askWith({ $pageKey })), `${index} of ${key}`).to.deep.equal(INVALID);
        }
      }
    }
  });

  it('is invalid if it is shortened, lengthened or not a page key at all', async () => {
    const { next } = keys;
    const cuts = Array.from({ length: next.length - 1 }, (_, index) => next.slice(0, index + 1));
    const others = [
      `${next}A`,
      `${next}AAAA`,
      next + next,
      `${next}=`,
      `${next} `,
      `A${next}`,
      '😀',
      '1',
      '-',
    ];
    for (const $pageKey of [...cuts, ...others]) {
      expect(await faultOf(askWith({ $pageKey })), $pageKey).to.deep.equal(INVALID);
    }
  });

  const otherQueries: Readonly<Record<string, Parameters>> = {
    filter: { $filter: 'RunTime ne 8' },
    'filter, left out': { $filter: undefined },
    'order of fields': { $orderby: 'RunTime,ProductName desc' },
    direction: { $orderby: 'ProductName,RunTime' },
    'order, left out': { $orderby: undefined },
  };
  for (const [name, parameters] of Object.entries(otherQueries)) {
    it(`is rejected in another query with this difference: ${name}`, async () => {
      for (const $pageKey of Object.values(keys)) {
        expect(await faultOf(askWith({ ...parameters, $pageKey }))).to.deep.equal(OF_OTHER_QUERY);
      }
    });
  }

  it('is rejected in a query of another company', async () => {
    for (const $pageKey of Object.values(keys)) {
      const page = askWith({ $pageKey }, { companyId: OTHER_COMPANY });
      expect(await faultOf(page)).to.deep.equal(OF_OTHER_QUERY);
    }
  });

  it('is rejected in a query of another resource', async () => {
    const plain = { $filter: undefined, $orderby: undefined };
    const { paging } = await askWith(plain);
    for (const { key } of [paging.first, paging.last]) {
      const page = askWith({ ...plain, $pageKey: key }, { resource: errorMessages });
      expect(await faultOf(page)).to.deep.equal(OF_OTHER_QUERY);
    }
  });

  it('is rejected in a query with another search', async () => {
    const searching = { search: 'the', $top: 2 };
    const { paging } = await askList(api, errorMessages, searching);
    const $pageKey = paging.next?.key;
    expect($pageKey).to.be.a('string');
    for (const search of ['them', 'the the', 't he', 'th e', undefined]) {
      const page = askList(api, errorMessages, { ...searching, search, $pageKey });
      expect(await faultOf(page)).to.deep.equal(OF_OTHER_QUERY);
    }
    const page = await askList(api, errorMessages, { ...searching, $pageKey });
    expect(page.paging.position).to.equal(3);
  });

  it('stays valid after a change of $top', async () => {
    const { rows } = await askWith({ $top: '$max' });
    for (const $top of [1, 2, 5, 80]) {
      const page = await askWith({ $top, $pageKey: keys.next });
      expect(page.paging.position).to.equal(7);
      expect(page.paging.page).to.equal(1 + Math.floor(6 / $top));
      expect(page.rows).to.deep.equal(rows.slice(6, 6 + $top));
    }
  });

  it('stays valid after a change of $select, $expand or $showDomainDescriptions', async () => {
    const page = await askWith({
      ...{ $pageKey: keys.next, $select: 'ProductStructureVersionId', $expand: 'PagingDetails' },
      $showDomainDescriptions: 'true',
    });
    const plain = await askWith({ $pageKey: keys.next });
    expect(columnOf(page)).to.deep.equal(columnOf(plain));
  });

  it('is invalid if its content is malformed, even with the right checksum', async () => {
    // The properties are in the order in which the service writes them.
    const keyed: KeyedQuery = {
      resource: '6215/5',
      identifiers: undefined,
      companyId: COMPANY,
      filter: 'RunTime ne 7',
      orderBy: 'Name desc,RunTime asc,ProductStructureVersionId asc',
      search: '',
      language: undefined,
    };
    const boundaries: readonly (readonly (string | number)[])[] = [
      [],
      ['Frame', 1],
      ['Frame', 'one', 1],
      ['Frame', 1, 'one'],
      [1, 1, 1],
      ['Frame', 1, 1.5],
      ['Frame', 1.5, 1],
      ['Frame', 1, 2 ** 63],
      ['Fr\0ame', 1, 1],
      ['Frame', 1, 1, 1],
    ];
    const valid = encodePageKey({ kind: 'after', boundary: ['Frame', 1_500_000, 1], position: 4 }, keyed);
    expect((await askWith({ $pageKey: valid })).paging.position).to.be.oneOf([0, 4]);
    for (const boundary of boundaries) {
      const $pageKey = encodePageKey({ kind: 'after', boundary, position: 4 }, keyed);
      expect(await faultOf(askWith({ $pageKey })), JSON.stringify(boundary)).to.deep.equal(INVALID);
    }
    for (const position of [0, -1, 1.5, 2 ** 60]) {
      const $pageKey = encodePageKey({ kind: 'before', boundary: ['Frame', 1, 1], position }, keyed);
      expect(await faultOf(askWith({ $pageKey })), String(position)).to.deep.equal(INVALID);
    }
  });

  it('is invalid if its content is not a list of a start and its values, even with the right checksum', async () => {
    const owner = Buffer.from(keys.next, 'base64url').subarray(0, DIGEST_BYTES);
    const contents = [
      '',
      '[',
      'null',
      '{}',
      '"x"',
      '[]',
      '[9]',
      '["2"]',
      '[2]',
      '[2,4]',
      '[2,4,{"a":1},1,1]',
    ];
    for (const content of contents) {
      const $pageKey = signedKey(owner, content);
      expect(await faultOf(askWith({ $pageKey })), content).to.deep.equal(INVALID);
    }
    expect((await askWith({ $pageKey: signedKey(owner, '[0]') })).paging.position).to.equal(1);
  });

  it('is invalid if the content has another version of the format', async () => {
    const owner = Buffer.from(keys.next, 'base64url').subarray(0, DIGEST_BYTES);
    const content = '[2,4,"Z",1,1]';
    for (const version of [[], [1], [3]]) {
      const $pageKey = signedKey(owner, content, version);
      expect(await faultOf(askWith({ $pageKey })), String(version)).to.deep.equal(INVALID);
    }
    expect((await askWith({ $pageKey: signedKey(owner, content) })).paging.position).to.equal(4);
  });
});

/** Returns a page key with the checksum of the service. The default version of the content format is 2. */
function signedKey(owner: Buffer, content: string, version: readonly number[] = [2]): string {
  const signed = Buffer.concat([Buffer.from(version), owner, Buffer.from(content)]);
  const checksum = createHash('sha256').update(signed).digest().subarray(0, DIGEST_BYTES);
  return Buffer.concat([owner, checksum, Buffer.from(content)]).toString('base64url');
}
