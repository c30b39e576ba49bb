import { Filter, filter, orThrow } from '@takt/client';
import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { startTestService, type TestService } from './support/test-service.js';

describe('the values in a filter', () => {
  it('are written in quotes and in the syntax of the service', () => {
    const when = new Date('2024-05-31T16:20:05.250Z');
    expect(String(filter`Name eq ${"O'Neil's"}`)).to.equal("Name eq 'O''Neil''s'");
    expect(String(filter`Name eq ${"'"} or Name eq ${''}`)).to.equal("Name eq '''' or Name eq ''");
    expect(String(filter`A eq ${12} or A lt ${-0.5} or A gt ${1e-7}`)).to.equal(
      'A eq 12 or A lt -0.5 or A gt 1e-7',
    );
    expect(String(filter`A eq ${9_007_199_254_740_993n}`)).to.equal('A eq 9007199254740993');
    expect(String(filter`A eq ${null} or ${true}`)).to.equal('A eq null or true');
    expect(String(filter`A eq ${when}`)).to.equal("A eq '2024-05-31T16:20:05Z'");
    expect(String(filter`A in ${[1, null, "it's"]}`)).to.equal("A in (1, null, 'it''s')");
    expect(String(filter`contains(A, ${'\\d'}) eq false`)).to.equal("contains(A, '\\d') eq false");
  });

  it('can themselves be filters, and are then put in parentheses', () => {
    const either = filter`A eq ${1} or A eq ${2}`;
    expect(String(filter`not ${either} and B eq ${'x'}`)).to.equal("not (A eq 1 or A eq 2) and B eq 'x'");
    expect(String(filter`${new Filter('true')}`)).to.equal('(true)');
  });

  it('are rejected if a filter cannot express them', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, new Date(Number.NaN), []]) {
      expect(() => filter`A eq ${value}`, String(value)).to.throw(RangeError);
    }
    for (const value of [undefined, {}, Symbol('a'), [[1]], [undefined]]) {
      expect(() => filter`A eq ${value as never}`).to.throw(TypeError, 'cannot be written in a filter');
    }
  });

  it('are rejected between quotes in the template, because a value could contain the closing quote', () => {
    const value = ' or true or ';
    expect(() => filter`A eq '${value}'`).to.throw(TypeError, 'needs no quotes');
    expect(() => filter`A eq '${value}' or B eq '${value}'`).to.throw(TypeError, 'needs no quotes');
    expect(String(filter`A eq 'it''s' or B eq ${value}`)).to.equal("A eq 'it''s' or B eq ' or true or '");
  });

  describe('that is sent to a running API', function () {
    this.timeout(180_000);
    let service: TestService;

    before(async () => {
      service = await startTestService();
    });
    after(async () => await service?.close());

    it('find the row with exactly the given text, whatever the text contains', async () => {
      for await (const { errorMessageId, message } of service.takt.each('/system/error-messages')) {
        const chosen = filter`Message eq ${message} and ErrorMessageId in ${[errorMessageId, null]}`;
        const { items } = orThrow(await service.takt.list('/system/error-messages', { filter: chosen }));
        expect(items.map((item) => item.errorMessageId)).to.deep.equal([errorMessageId]);
      }
    });

    it(`never change the rest of the filter, for random texts (seed ${testSeed()})`, async () => {
      const random = randomFrom(testSeed());
      const pieces = [
        "'",
        "''",
        ' or true',
        ' eq ',
        '(',
        ')',
        '%',
        '_',
        '\\',
        '+',
        '&',
        '#',
        '$top=1',
        'ø',
        '𝒳',
        '\uD800',
      ];
      for (let count = 0; count < 150; count += 1) {
        const text = Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)).join('');
        const chosen = filter`Message eq ${text} or Namespace eq ${text}`;
        const { items } = orThrow(await service.takt.list('/system/error-messages', { filter: chosen }));
        expect(items, JSON.stringify(text)).to.deep.equal([]);
      }
    });
  });
});
