import type { OpenApi } from '../../src/metadata/create-open-api.js';

export interface Operation {
  readonly path: string;
  readonly operationId: string;
  readonly isResource: boolean;
  /** Names of the parameters, with references resolved. */
  readonly parameters: readonly string[];
}

const METHODS: ReadonlySet<string> = new Set(['get', 'post']);

export function listOperations({ paths, components }: OpenApi): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!METHODS.has(method)) return [];
      const { operationId, parameters = [], ...rest } = Object(operation);
      return [
        {
          path,
          operationId: String(operationId),
          isResource: 'x-resource-id' in rest,
          parameters: Array.from<unknown, string>(parameters, (parameter) => nameOf(parameter, components)),
        },
      ];
    }),
  );
}

function nameOf(parameter: unknown, components: OpenApi['components']): string {
  const { name, $ref } = Object(parameter);
  if (typeof $ref !== 'string') return String(name);
  return nameOf(Object(components['parameters'])[$ref.split('/').at(-1) ?? ''], components);
}
