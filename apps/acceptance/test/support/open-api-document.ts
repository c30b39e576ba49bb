/** The served OpenAPI document, as far as examples stand in it. */
export interface OpenApiDocument {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
}

/** Every operation that reads, with its path. */
export function readingsOf({ paths }: OpenApiDocument): readonly (readonly [string, Operation])[] {
  return Object.entries(paths).flatMap(([path, { get }]): [string, Operation][] =>
    get === undefined ? [] : [[path, get]],
  );
}

export interface Operation {
  readonly 'x-resource-id'?: number;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<number, Response>>;
}

interface Parameter {
  /** Absent where the parameter is a reference. */
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly example?: number;
  /** An object holds several parameters. */
  readonly schema?: { readonly examples?: readonly (string | Query)[] };
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}

/** Parameters of a query by name. */
export type Query = Readonly<Record<string, string>>;

/** The path of an operation, with the examples of its identifiers. */
export function examplePathOf(path: string, { parameters = [] }: Operation): string {
  return parameters.reduce((filled, { name, example }) => filled.replace(`{${name}}`, String(example)), path);
}

/** The examples of each parameter of the query that may be left out, or that may not. */
export function queryExamplesOf(
  { parameters = [] }: Operation,
  which: 'required' | 'optional',
): readonly (readonly Query[])[] {
  return parameters.flatMap(({ name = '', in: place, required = false, schema }) =>
    place !== 'query' || required !== (which === 'required')
      ? []
      : [(schema?.examples ?? []).map((value) => (typeof value === 'string' ? { [name]: value } : value))],
  );
}

/** Every combination of the examples of parameters; one that asks nothing where there are none. */
export function combinationsOf(examples: readonly (readonly Query[])[]): readonly Query[] {
  return examples.reduce<readonly Query[]>(
    (combinations, queries) =>
      combinations.flatMap((before) => queries.map((query) => ({ ...before, ...query }))),
    [{}],
  );
}

/** The example of the JSON document that an operation gives; undefined where it has none. */
export const exampleDocumentOf = ({ responses }: Operation): unknown =>
  responses[200]?.content?.['application/json']?.example;

/**
 * The names in a document with their nesting, of an array those of its first item; the values left out. `served`: what an
 * example is held against: of an array that is empty there nothing is told.
 */
export function shapeOf(value: unknown, served: unknown = value): unknown {
  if (Array.isArray(value)) {
    const [first] = Array.isArray(served) ? served : [];
    return first === undefined ? [] : value.slice(0, 1).map((item) => shapeOf(item, first));
  }
  if (typeof value !== 'object' || value === null) return 'value';
  const there = Object(served);
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, shapeOf(child, there[name])]),
  );
}
