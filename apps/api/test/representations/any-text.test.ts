import { describeError, type ErrorDescription, ServiceError } from '@takt/catalogue/errors';
import type { DetailResource, Field, ListResource } from '@takt/catalogue/resources';
import { type ParsedElement, parseXml, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { jsonWriter } from '../../src/representations/json-writer.js';
import type { DetailPage, ListPage, Value, WritingContext } from '../../src/representations/page.js';
import { xmlWriter } from '../../src/representations/xml-writer.js';
import { anyText, inXml } from '../harness/any-text.js';
import { contextOf, readOf, write } from '../harness/ask.js';
import { BASE_URL } from '../harness/open-test-api.js';
import { applicationVersion, errorMessage, errorMessages, productionTimes } from '../harness/resources.js';
import { detailPageOf, fieldsOf, listPageOf, rowOf } from '../harness/synthetic-pages.js';

const seed = testSeed();
const around = { baseUrl: BASE_URL };
const plainValues = { integer: 1, decimal: 0.5, boolean: true, instant: '2026-01-01T00:00:00Z', link: 1 };

const details: readonly DetailResource[] = [applicationVersion, errorMessage];
const lists: readonly ListResource[] = [productionTimes, errorMessages];

describe(`any text comes through as it is (seed ${seed})`, function () {
  this.timeout(180_000);

  for (const resource of [...lists, ...details]) {
    const texts = fc.array(anyText, { minLength: 20, maxLength: 20 });

    it(`of ${resource.title} in JSON`, () => {
      fc.assert(
        fc.property(texts, (given) => {
          const document: unknown = JSON.parse(write(pageOf(resource, given), 'json', around));
          expect(textsIn(document)).to.include.members(
            textFieldsOf(resource).map((_, index) => given[index]),
          );
          expect(shapeOf(document)).to.equal(
            shapeOf(JSON.parse(write(pageOf(resource, []), 'json', around))),
          );
        }),
        { seed, numRuns: 150 },
      );
    });

    it(`of ${resource.title} in XML, save what no XML document may hold, and adds no element`, () => {
      const plain = parseXml(write(pageOf(resource, []), 'xml', around));
      fc.assert(
        fc.property(texts, (given) => {
          const xml = write(pageOf(resource, given), 'xml', around);
          const parsed = parseXml(xml);
          expect(namesIn(parsed)).to.deep.equal(namesIn(plain));
          const expected = textFieldsOf(resource).map((_, index) => inXml(given[index] ?? ''));
          expect(leavesIn(parsed)).to.include.members(expected);
        }),
        { seed, numRuns: 60 },
      );
    });
  }

  it('of an error in JSON and XML, its parameters and those of its inner errors too', () => {
    const context: WritingContext = contextOf(readOf({}), around);
    fc.assert(
      fc.property(anyText, anyText, (outer, inner) => {
        const error = errorOf(outer, inner);
        const document: unknown = JSON.parse([...jsonWriter.error(error, context)].join(''));
        const expected = [
          error.message,
          outer,
          ...error.innerErrors.flatMap(({ message }) => message),
          inner,
        ];
        expect(textsIn(document)).to.include.members(expected);
        const xml = [...xmlWriter.error(error, context)].join('');
        const parsed = parseXml(xml);
        expect(leavesIn(parsed)).to.include.members(expected.map(inXml));
        const plain = parseXml([...xmlWriter.error(errorOf('a', 'b'), context)].join(''));
        expect(namesIn(parsed)).to.deep.equal(namesIn(plain));
      }),
      { seed, numRuns: 200 },
    );
  });

  it('of the parameters of a request that its links repeat', () => {
    const page = listPageOf(errorMessages, [], {
      next: { key: 'k', href: 'https://takt.example/?$filter=a%20%26b&$pageKey=k&x=<">' },
    });
    const xml = parseXml(write(page, 'xml', around));
    expect(leavesIn(xml)).to.include('https://takt.example/?$filter=a%20%26b&$pageKey=k&x=<">');
  });
});

function textFieldsOf({ fields }: DetailResource | ListResource): readonly Field[] {
  return fieldsOf(fields).filter(({ type }) => type === 'text');
}

/** A page in whose text fields stand the given texts, in order; `x` where none is given. */
function pageOf(resource: DetailResource | ListResource, texts: readonly string[]): ListPage | DetailPage {
  let next = 0;
  const valueIn = ({ type }: Field): Value => (type === 'text' ? (texts[next++] ?? 'x') : plainValues[type]);
  const row = rowOf(resource.fields, valueIn, ['eng', texts.at(-1) ?? 'x']);
  return resource.kind === 'list' ? listPageOf(resource, [row]) : detailPageOf(resource, row);
}

/** Two deep, as no request can make it today: the form of an error allows it. */
function errorOf(outer: string, inner: string): ErrorDescription {
  const wrong = (database: string, innerErrors: readonly ServiceError[]) =>
    new ServiceError('companyNotPermitted', { database }, { innerErrors });
  return describeError(wrong(outer, [wrong(inner, [])]), 'deu');
}

/** All texts of a JSON document. */
function textsIn(document: unknown): readonly string[] {
  if (typeof document === 'string') return [document];
  return typeof document === 'object' && document !== null ? Object.values(document).flatMap(textsIn) : [];
}

/** A JSON document without its texts. */
function shapeOf(document: unknown): string {
  return JSON.stringify(document, (_, value: unknown) => (typeof value === 'string' ? 'text' : value));
}

/** The names of all elements in document order. */
function namesIn({ name, children }: ParsedElement): readonly string[] {
  return [name, ...children.flatMap(namesIn)];
}

/** The texts of all elements without elements inside. */
function leavesIn({ text, children }: ParsedElement): readonly string[] {
  return children.length === 0 ? [text] : children.flatMap(leavesIn);
}
