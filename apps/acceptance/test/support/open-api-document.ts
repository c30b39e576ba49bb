/** The parts of the served OpenAPI document that contain examples. */
export interface OpenApiDocument {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
}

/** Returns every GET operation, each with its path. */
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
  /** The name of the parameter. Missing if the parameter is a reference. */
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly example?: number;
  /** The examples of the parameter. An example that is an object contains several parameters. */
  readonly schema?: { readonly examples?: readonly (string | Query)[] };
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
}

/** Query parameters by name. */
export type Query = Readonly<Record<string, string>>;

/** Returns the path of an operation, filled with the example identifiers. */
export function examplePathOf(path: string, { parameters = [] }: Operation): string {
  return parameters.reduce((filled, { name, example }) => filled.replace(`{${name}}`, String(example)), path);
}

/** Returns the examples of all optional or of all required query parameters. Each parameter has one list. */
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

/**
 * Returns every combination of examples that has one example for each parameter. Without parameters, returns one empty
 * query.
 */
export function combinationsOf(examples: readonly (readonly Query[])[]): readonly Query[] {
  return examples.reduce<readonly Query[]>(
    (combinations, queries) =>
      combinations.flatMap((before) => queries.map((query) => ({ ...before, ...query }))),
    [{}],
  );
}

/** Returns the example of the JSON document of an operation, or undefined if there is none. */
export const exampleDocumentOf = ({ responses }: Operation): unknown =>
  responses[200]?.content?.['application/json']?.example;

/**
 * Returns the field names and the nesting of a document without its values. For an array, returns those of its first
 * item. An array that is empty in `served` is treated as empty in both documents, because the answer then says nothing
 * about its items.
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
