import { expect } from 'chai';
import fc from 'fast-check';
import { parseEvent } from '../src/index.js';
import { ruleOf } from '../src/internal.js';
import { problemsOf } from './support/problems-of.js';
import { completedEvent } from './support/sample-events.js';

function nested(depth: number): unknown {
  return JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('parseEvent with a hostile value', () => {
  const throwing = {
    get type(): string {
      throw new Error('no');
    },
  };
  const circular: Record<string, unknown> = completedEvent();
  circular['data'] = circular;
  const values: readonly [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a string', 'work-order-operation.completed.v1'],
    ['a function', () => undefined],
    ['a symbol', Symbol('type')],
    ['a big integer', 10n ** 1000n],
    ['an array of a million', new Array(1_000_000).fill(0)],
    ['a getter that throws', throwing],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          has: () => {
            throw new Error('no');
          },
        },
      ),
    ],
    ['a revoked proxy', revoked()],
    ['a cycle', circular],
    ['an object without prototype', Object.create(null)],
    ['a type that is an object', completedEvent({}, { type: { toString: () => 'x' } })],
    ['a revoked proxy as data', completedEvent({}, {}) && { ...completedEvent(), data: revoked() }],
    ['a revoked proxy as a field', completedEvent({ runTime: revoked() })],
    ['nesting of 100,000', nested(100_000)],
    ['nesting in a listed field', completedEvent({ runTime: nested(100_000) })],
  ];
  for (const [name, value] of values) {
    it(`reports problems and does not throw: ${name}`, () => {
      const result = parseEvent(value);
      expect(result.ok).to.equal(false);
      expect(problemsOf(value)).not.to.deep.equal([]);
    });
  }

  it('ignores fields that the contract does not know', () => {
    const data = completedEvent({ ignored: nested(100_000), huge: new Array(1_000_000).fill(0) });
    expect(problemsOf(data)).to.deep.equal([]);
  });

  it('treats __proto__, constructor and prototype as ordinary names', () => {
    const text = JSON.stringify(completedEvent()).replace(
      '"data":{',
      '"__proto__":{"type":"x"},"constructor":1,"data":{"__proto__":{"revision":9,"polluted":true},"prototype":{},',
    );
    expect(parseEvent(JSON.parse(text))).to.deep.equal(parseEvent(completedEvent()));
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    const inherited = JSON.stringify(completedEvent()).replace('"revision":1', '"__proto__":{"revision":1}');
    expect(problemsOf(JSON.parse(inherited))).to.have.length(1);
  });

  it('describes any value in at most 80 characters that PostgreSQL can store', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
        (value) => {
          for (const event of [
            value,
            completedEvent({ runTime: value }),
            completedEvent({}, { id: value }),
          ]) {
            const result = parseEvent(event);
            for (const { got } of result.ok ? [] : result.problems) {
              expect(got.length).to.be.lessThanOrEqual(80);
              expect(got).not.to.match(/[\0\n]|\p{Surrogate}/u);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('shortens a long string between two characters, never inside a character', () => {
    for (const text of [
      'x'.repeat(1_000),
      '😀'.repeat(60),
      `x${'😀'.repeat(60)}`,
      '\0'.repeat(100),
      '"'.repeat(79),
    ]) {
      const [problem] = problemsOf(completedEvent({ runTime: text }));
      const got = /\(got (.*)\)$/su.exec(problem ?? '')?.[1] ?? '';
      expect(got.length).to.be.within(78, 80);
      expect(got).to.match(/^"[^\0]*…$/);
      expect(got).not.to.match(/\p{Surrogate}/u);
    }
  });
});

describe('the rule in a reason', () => {
  it('is found at once, also in a reason that was cut or that ends in no value', () => {
    const cut = ` (got ${'"\\…'.repeat(40)}!`;
    expect(ruleOf(cut)).to.equal(cut);
    expect(
      ruleOf('revision must grow (got 1, which operation "FA (1)" has); x must be y (got "z…)'),
    ).to.equal('revision must grow; x must be y');
  });
});
