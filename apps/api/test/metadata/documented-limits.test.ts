import { newestOf, type Resource, resourceFamilies } from '@takt/catalogue/resources';
import { toServiceError } from '@takt/http';
import { limits } from '@takt/query';
import { expect } from 'chai';
import { describeParameters, describeSharedParameters } from '../../src/metadata/describe-parameters.js';
import { filterDescription, orderDescription } from '../../src/metadata/query-guide.js';
import { readOptions } from '../../src/parse/read-request.js';
import { errorMessages, productionTimes } from '../support/resources.js';

interface Documented {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const shared = describeSharedParameters();

/** Returns the query parameters of a resource in the OpenAPI document, with references resolved. */
function documentedOf(resource: Resource): readonly Documented[] {
  return describeParameters(resource).flatMap((parameter) => {
    const reference = parameter['$ref'];
    const described = typeof reference === 'string' ? shared[reference.split('/').at(-1) ?? ''] : parameter;
    return isDocumented(described) && described.in === 'query' ? [described] : [];
  });
}

function isDocumented(value: unknown): value is Documented & { readonly in: string } {
  return typeof value === 'object' && value !== null && 'name' in value && 'schema' in value && 'in' in value;
}

/**
 * Returns further parameters that the request needs. They are $format for $decimal, and all required parameters of the
 * resource.
 */
function besides({ parameters = [] }: Resource, name: string) {
  const needed = parameters.filter((parameter) => parameter.isRequired && parameter.name !== name);
  return [
    ...(name === '$decimal' ? [{ name: '$format', value: 'csv' }] : []),
    ...needed.map((parameter) => ({ name: parameter.name, value: parameter.example })),
  ];
}

/** Returns the error code for a value of a parameter, or undefined if the service accepts the value. */
function refusalOf(resource: Resource, name: string, value: string): string | undefined {
  const { identifier, path } = resource;
  try {
    readOptions(
      { identifier, path, versions: [resource] },
      {
        query: { parameters: [{ name, value }, ...besides(resource, name)], problem: undefined },
        acceptedExport: undefined,
      },
    );
    return undefined;
  } catch (thrown) {
    return toServiceError(thrown).code;
  }
}

/** Returns a value with this number of characters that is valid apart from its length. */
function longValue(name: string, characters: number): string {
  if (name === '$filter') return `a eq '${'x'.repeat(characters - 7)}'`;
  return ['$select', '$orderby', '$expand'].includes(name)
    ? 'x'.repeat(characters)
    : `x${' '.repeat(characters - 2)}x`;
}

const resources = resourceFamilies.map(newestOf);

describe('the API documentation', () => {
  for (const resource of resources) {
    for (const { name, schema } of documentedOf(resource)) {
      const { maxLength, pattern, enum: values, type, anyOf } = schema;
      const refusal = (value: unknown) => refusalOf(resource, name, String(value));

      if (typeof maxLength === 'number') {
        it(`states the enforced maximum length of ${name} of ${resource.title.eng}: ${maxLength} characters`, () => {
          expect(refusal(longValue(name, maxLength))).to.equal(undefined);
          expect(refusal(longValue(name, maxLength + 1))).to.equal('parameterTooLong');
        });
      }

      const alternatives: readonly Documented['schema'][] = Array.isArray(anyOf) ? anyOf : [schema];
      for (const { minimum, maximum, const: constant } of alternatives) {
        const bounds = [minimum, maximum].filter((bound) => typeof bound === 'number');
        if (bounds.length === 0 && constant === undefined) continue;
        it(`states the enforced range of ${name} of ${resource.title.eng}: ${constant ?? `${minimum ?? ''} to ${maximum ?? ''}`}`, () => {
          for (const value of [...bounds, constant ?? bounds[0]]) expect(refusal(value)).to.equal(undefined);
          const beyond = [
            ...(typeof minimum === 'number' ? [minimum - 1] : []),
            ...(typeof maximum === 'number' ? [maximum + 1] : []),
          ];
          for (const value of beyond) {
            expect(refusal(value), String(value)).to.be.oneOf([
              'invalidParameterValue',
              'unsupportedVersion',
            ]);
          }
        });
      }

      if (Array.isArray(values)) {
        it(`lists all accepted values for ${name} of ${resource.title.eng}: ${values.join(', ')}`, () => {
          for (const value of values) expect(refusal(value), value).to.equal(undefined);
          if (name !== '$lang') expect(refusal(`${values.join('')}x`)).to.equal('invalidParameterValue');
        });
      }

      if (typeof pattern === 'string') {
        it(`gives a pattern that matches only accepted values of ${name} of ${resource.title.eng}: ${pattern}`, () => {
          for (const value of [
            '1',
            '80',
            '81',
            '007',
            '$max',
            '0',
            '-1',
            '1.5',
            'x',
            '',
            '1e1',
            '+5',
            '00',
            '2025-04',
            '2025-13',
          ]) {
            const isTaken = refusal(value) === undefined;
            expect(isTaken, value).to.equal(new RegExp(pattern).test(value));
          }
        });
      }

      if (type === 'boolean') {
        it(`states that ${name} of ${resource.title.eng} is a boolean; no other text is accepted`, () => {
          for (const value of [true, false]) expect(refusal(value)).to.equal(undefined);
          expect(refusal('maybe')).to.equal('invalidParameterValue');
        });
      }
    }
  }

  it('states a maximum length for each text parameter with words or names', () => {
    const limited = documentedOf(errorMessages).filter(({ schema }) => schema['maxLength'] !== undefined);
    expect(limited.map(({ name }) => name)).to.include.members([
      ...['$filter', '$orderby', '$select', '$expand', 'search', '$db', '$pageKey'],
    ]);
  });

  it('states the limits of expressions in the guide to $filter and $orderby', () => {
    const [filter, order] = [filterDescription(productionTimes), orderDescription(productionTimes)];
    for (const limit of [
      `${limits.filterCharacters} characters`,
      `${limits.filterDepth} levels`,
      `${limits.comparisons} comparisons`,
      `${limits.listValues} values`,
      `${limits.operations} calculations`,
      `${limits.numberDigits} digits`,
      `${limits.resultDigits} of a result`,
    ]) {
      expect(filter).to.include(limit);
    }
    expect(order).to.include(`Up to ${limits.orderFields} fields`);
    const many = (count: number) => new Array(count).fill('x').join();
    expect(refusalOf(productionTimes, '$orderby', many(limits.orderFields))).to.equal(undefined);
    expect(refusalOf(productionTimes, '$orderby', many(limits.orderFields + 1))).to.equal(
      'tooManyOrderFields',
    );
  });

  it('states the orders that return each row exactly once, and the features beyond the specification', () => {
    expect(orderDescription(productionTimes)).to.match(
      /without `\$orderby`.*exactly once.*may appear twice or not at all/s,
    );
    expect(filterDescription(productionTimes)).to.match(
      /Beyond the specification.*`ProductStructureVersionId` \(integer\)/,
    );
    expect(filterDescription(errorMessages)).not.to.include('Beyond the specification');
  });
});
