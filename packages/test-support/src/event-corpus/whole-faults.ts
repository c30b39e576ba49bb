import { allFields, type Field } from './event-schema.js';
import { type BadEvent, type ExpectedFault, faultOf, shown } from './expected-fault.js';
import { type JsonTree, toJsonText, withValue } from './json-tree.js';
import { valuesOf } from './kind-values.js';

interface Sample {
  readonly type: string;
  readonly schema: Field;
  readonly sample: JsonTree;
}

/** Returns bad events whose fault is not a single value of a single field. */
export function wholeFaults(samples: readonly Sample[], types: readonly string[]): readonly BadEvent[] {
  const noneOfOurs = samples.slice(0, 1).flatMap((one) => noEvents(one, types));
  const ofEachType = samples.flatMap((one) => [
    ...severalFaults(one, types),
    ...likeOthers(one, types),
    ...unpublishable(one),
  ]);
  return [...noneOfOurs, ...ofEachType];
}

/** Returns values that are not an object, or are not an event of the contract. */
function noEvents({ type, schema, sample }: Sample, types: readonly string[]): readonly BadEvent[] {
  const text = toJsonText(sample);
  const noObjects = [
    'null',
    '42',
    '-0',
    '1e400',
    'true',
    '"text"',
    '""',
    JSON.stringify(text),
    '[]',
    `[${text}]`,
  ];
  const emptyOrOther = [
    '{}',
    `{"__proto__":${text}}`,
    text.replace(/"(\w+)":/g, (name) => name.toUpperCase()),
  ];
  return [
    ...noObjects.map((json) => ({ json, faults: [faultOf(schema, json, types)] })),
    ...emptyOrOther.map((json) => ({ json, faults: envelopeMissing(schema, types) })),
  ].map((event) => ({ type, name: `event ${event.json.slice(0, 40)}`, ...event }));
}

/** Returns the faults of an event that lacks all fields of the envelope. Without a type, the data cannot be checked. */
function envelopeMissing({ fields }: Field, types: readonly string[]): readonly ExpectedFault[] {
  const envelope = fields.filter(({ kind }) => kind !== undefined);
  return envelope.map((field) => faultOf(field, undefined, types));
}

/** Returns events with several faults. Every fault is reported, in the order of the contract. */
function severalFaults({ type, schema, sample }: Sample, types: readonly string[]): readonly BadEvent[] {
  // Keys are left out, because the sample has numbers in their place.
  const keys = new Set(allFields(schema).flatMap(({ names }) => names.map(({ key }) => key)));
  const leaves = allFields(schema).filter(
    ({ kind, path }) => kind !== undefined && path[0] !== 'type' && !keys.has(String(path.at(-1))),
  );
  const spoilt = leaves.map((field) => ({ field, value: badValueOf(field) }));
  const event = spoilt.reduce((tree, { field, value }) => withValue(tree, field.path, value), sample);
  const faults = spoilt.map(({ field, value }) => faultOf(field, value, types));
  return [{ type, name: `${type}: all that can be wrong at once`, json: toJsonText(event), faults }];
}

function badValueOf({ kind }: Field): string {
  return (kind === undefined ? undefined : valuesOf(kind).bad[0]) ?? 'null';
}

/** Returns events that a careless reader would misread: a field is repeated, or is only inherited. */
function likeOthers({ type, schema, sample }: Sample, types: readonly string[]): readonly BadEvent[] {
  const data = schema.fields.find(({ path }) => path[0] === 'data');
  const [first] = data?.fields ?? [];
  if (first === undefined) return [];
  const key = JSON.stringify(first.path.at(-1));
  const value = badValueOf(first);
  const without = toJsonText(withValue(sample, first.path, undefined));
  const text = toJsonText(sample);
  return [
    {
      type,
      name: `${type}: ${first.path.join('.')} twice, the latter is bad`,
      json: text.replace(/\}\}$/, `,${key}:${value}}}`),
      faults: [faultOf(first, value, types)],
    },
    {
      type,
      name: `${type}: ${first.path.join('.')} under __proto__ only`,
      json: without.replace(
        '"data":{',
        `"data":{"__proto__":{${key}:1},"constructor":{"prototype":{${key}:1}},`,
      ),
      faults: [faultOf(first, undefined, types)],
    },
  ];
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const NO_UNSTORABLE = 'must hold no NUL and no lone surrogates, also not in ignored fields';

/** Returns events in which an ignored field has a value that PostgreSQL's queue refuses. */
function unpublishable({ type, sample }: Sample): readonly BadEvent[] {
  const ignored = (name: string, member: string, rule: string): BadEvent => {
    const json = toJsonText(sample).replace('"data":{', `"data":{${member},`);
    return {
      type,
      name: `${type}: ${name} in an ignored field`,
      json,
      faults: [{ field: 'event', rule, got: shown(JSON.stringify(JSON.stringify(JSON.parse(json)))) }],
      isRefusedByPublisherOnly: true,
    };
  };
  return [
    ignored('NUL', '"ignored":["\\u0000"]', NO_UNSTORABLE),
    ignored('a lone surrogate', '"ignored":{"deep":"a\\ud800"}', NO_UNSTORABLE),
    ignored('NUL as a name', '"a\\u0000b":1', NO_UNSTORABLE),
    // The event and its data are two further levels of nesting.
    ignored('499 levels', `"ignored":${nested(499)}`, 'must not be nested more than 500 deep'),
    ignored('900 levels', `"ignored":${nested(900)}`, 'must not be nested more than 500 deep'),
  ];
}
