import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createOpenApi } from '../../src/metadata/create-open-api.js';

export const BASE_URL = 'https://takt.example/api';

/** OpenAPI keywords that do not affect validity. */
const ANNOTATIONS = ['xml', 'x-unit', 'x-query-name', 'x-duties', 'components'];

/**
 * Compiles the schemas of the OpenAPI document in strict mode. An unknown keyword or format is an error in this mode.
 */
export function compileSchemas(): {
  readonly names: readonly string[];
  /** Returns the validation errors of a document. The array is empty if the document is valid. */
  readonly findFaults: (name: string, document: unknown) => readonly string[];
} {
  const { components } = createOpenApi({ baseUrl: BASE_URL });
  const { schemas } = components;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  for (const annotation of ANNOTATIONS) ajv.addKeyword(annotation);
  formats.default(ajv);
  ajv.addSchema({ $id: 'takt', components: { schemas } });
  return {
    names: Object.keys(schemas),
    findFaults(name, document) {
      const validate = ajv.getSchema(`takt#/components/schemas/${name}`);
      if (validate === undefined) throw new Error(`no schema ${name}`);
      validate(document);
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
    },
  };
}
