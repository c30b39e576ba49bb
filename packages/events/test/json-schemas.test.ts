import { readdir, readFile } from 'node:fs/promises';
import { expectWrittenPart } from '@takt/test-support';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { generatedFiles, jsonSchemaOf } from '../scripts/generated-files.js';
import { parseEvent } from '../src/index.js';
import { eventDefinitions } from '../src/internal.js';
import { fieldTables } from './support/field-tables.js';
import { completedEvent, sampleEvents } from './support/sample-events.js';

// The compiled test is in dist/test, so this is the root of the package.
const packageRoot = new URL('../../', import.meta.url);

function compileSchemas(): Map<unknown, ValidateFunction> {
  const ajv = new Ajv2020({ strict: true, unicodeRegExp: true });
  ajvFormats.default(ajv);
  return new Map(eventDefinitions.map((one) => [one.type, ajv.compile(jsonSchemaOf(one))]));
}

/** Returns the paths of all fields of a JSON object, including nested fields. */
function pathsOf(value: object): string[][] {
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...(typeof inner === 'object' && inner !== null ? pathsOf(inner).map((path) => [key, ...path]) : []),
  ]);
}

function withField(value: unknown, [key = '', ...rest]: readonly string[], replacement: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const inner: unknown = Reflect.get(value, key);
  return { ...value, [key]: rest.length === 0 ? replacement : withField(inner, rest, replacement) };
}

describe('the JSON Schemas', () => {
  it('are the files that `npm run schemas:write` generates', async () => {
    const files = generatedFiles();
    for (const { path, text } of files) {
      expect(await readFile(new URL(path, packageRoot), 'utf8'), path).to.equal(text);
    }
    const written = files.map(({ path }) => path);
    const present = (await readdir(new URL('schemas', packageRoot))).map((name) => `schemas/${name}`);
    expect(present).to.have.members(written);
  });

  it('describe the same fields as the tables in the reference', () => {
    const described = eventDefinitions.map((definition) => ({
      definition,
      schema: jsonSchemaOf(definition),
    }));
    expectWrittenPart('docs/reference/events.md', fieldTables(described));
  });

  it('exist for each type of event, in draft 2020-12 of JSON Schema', () => {
    for (const definition of eventDefinitions) {
      const schema = jsonSchemaOf(definition);
      expect(schema.$schema).to.equal('https://json-schema.org/draft/2020-12/schema');
      expect(schema.title).to.equal(definition.type);
    }
    expect(compileSchemas().size).to.equal(eventDefinitions.length);
  });

  describe('accept and reject the same events as parseEvent', () => {
    const schemas = compileSchemas();
    const accepts = (type: unknown, event: unknown) => schemas.get(type)?.(event) === true;

    for (const sample of sampleEvents) {
      it(`for a valid ${String(sample['type'])}`, () => {
        expect(parseEvent(sample).ok).to.equal(true);
        expect(accepts(sample['type'], sample)).to.equal(true);
      });
    }

    const nearMisses: readonly unknown[] = [
      ...[
        0,
        1,
        -1,
        0.5,
        99,
        100,
        9_999,
        10_000,
        1_000_000,
        1_000_000.5,
        2 ** 31,
        -(2 ** 31),
        2 ** 53,
        1e300,
        -0,
      ],
      ...[
        '',
        '1.0',
        '1',
        '-0.0',
        '1e3',
        '1000000',
        '1000000.1',
        '0'.repeat(40),
        '0'.repeat(41),
        'x'.repeat(21),
      ],
      ...[
        'x'.repeat(256),
        '😀'.repeat(255),
        '😀'.repeat(256),
        '\0',
        '\uD800',
        'a b',
        '%zz',
        'urn:a',
        '//[::1]',
      ],
      ...['2024-02-29T00:00:00Z', '2023-02-29T00:00:00Z', '2024-05-31t16:20:00.1z', '2024-05-31 16:20:00Z'],
      ...[
        '2024-05-31T16:20:00+23:59',
        '2024-05-31T16:20:00+24:00',
        '2024-05-31T16:20:00+0200',
        '0000-01-01T00:00:00Z',
      ],
      ...[
        null,
        true,
        false,
        [],
        {},
        [1],
        { userId: 1 },
        { productId: 1 },
        'work-order-operation.reopened.v1',
      ],
    ];

    for (const sample of sampleEvents) {
      it(`for a ${String(sample['type'])} with one field that is missing or almost valid`, () => {
        for (const path of pathsOf(sample)) {
          for (const value of [...nearMisses, undefined]) {
            const event: unknown = JSON.parse(JSON.stringify(withField(sample, path, value)));
            const type = path[0] === 'type' ? value : sample['type'];
            expect(accepts(type, event), JSON.stringify([path, value])).to.equal(parseEvent(event).ok);
          }
        }
      });
    }

    it('for generated values in generated fields', () => {
      const samples = fc.constantFrom(...sampleEvents);
      const values = fc.oneof(
        fc.jsonValue(),
        fc.double({ min: -1, max: 1_000_001, noNaN: true }),
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.stringMatching(/^-?[0-9]{0,8}(\.[0-9]{0,9})?$/),
        fc.stringMatching(/^[a-z%0-9:/?#@[\]]{0,12}$/),
        // These texts exclude second 60, the first and the last year, and the future. JSON Schema cannot express the
        // rules for them.
        fc.stringMatching(
          /^1[0-9]{3}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,7})?([zZ]|[+-][0-2][0-9]:[0-6][0-9])$/,
        ),
      );
      const mutations = fc.array(fc.tuple(fc.nat(), values), { minLength: 1, maxLength: 3 });
      fc.assert(
        fc.property(samples, mutations, (sample, changes) => {
          const paths = pathsOf(sample).filter(([field]) => field !== 'type');
          const changed = changes.reduce(
            (event: unknown, [index, value]) => withField(event, paths[index % paths.length] ?? [], value),
            sample,
          );
          const event: unknown = JSON.parse(JSON.stringify(changed));
          expect(accepts(sample['type'], event)).to.equal(parseEvent(event).ok);
        }),
        { numRuns: 3_000 },
      );
    });

    it('except for leap seconds, the first and last instants of the calendar, and the future', () => {
      const beyond = [
        '2024-05-30T23:59:60Z',
        '0001-01-01T00:00:00Z',
        '9999-12-31T23:59:59Z',
        '2999-01-01T00:00:00Z',
      ];
      for (const completedAt of beyond) {
        const event = completedEvent({ completedAt });
        expect(accepts(event['type'], event), completedAt).to.equal(true);
        expect(parseEvent(event).ok, completedAt).to.equal(false);
      }
    });
  });
});
