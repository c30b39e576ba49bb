import { findHtmlFaults } from '@takt/test-support';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import type { Format } from './served-resources.js';
import type { ApiClient } from './test-api.js';

/** Checks documents against the schemas that the API serves itself. */
export interface DocumentChecks {
  /**
   * Expects a valid document. `template` and `status` select the schema of a JSON document. For XML the root element
   * determines the type.
   */
  expectValid(text: string, format: Format, template: string, status: string): Promise<void>;
  /** Expects a valid document for a request with $select. Only fields that were not selected may be missing. */
  expectValidSelection(text: string, format: Format, template: string): Promise<void>;
  close(): void;
}

/** Escapes a part of a path for a JSON pointer. */
const pointerOf = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

export async function openDocumentChecks(client: ApiClient): Promise<DocumentChecks> {
  const openApi: object = JSON.parse((await client.get('/openapi.json')).text);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(openApi, 'api');
  using schema = XmlDocument.fromString((await client.get('/schema.xsd')).text);
  const validator = XsdValidator.fromDoc(schema);

  const findJsonFaults = (text: string, template: string, status: string) => {
    const response = `#/paths/${pointerOf(template)}/get/responses/${status}`;
    const shared = `#/components/responses/${SHARED[status]}`;
    const schemaAt = `${status in SHARED ? shared : response}/content/application~1json/schema`;
    const validate = ajv.getSchema(`api${schemaAt}`);
    if (validate === undefined) throw new Error(`no schema at ${schemaAt}`);
    validate(JSON.parse(text));
    return validate.errors ?? [];
  };
  const check = async (
    text: string,
    format: Format,
    isMeant: (fault: ErrorObject) => boolean,
    template: string,
    status: string,
  ) => {
    if (format === 'html') {
      expect(await findHtmlFaults(text)).to.deep.equal([]);
    } else if (format === 'xml') {
      using document = XmlDocument.fromString(text);
      validator.validate(document);
    } else {
      const faults = findJsonFaults(text, template, status).filter((fault) => !isMeant(fault));
      expect(faults, text.slice(0, 500)).to.deep.equal([]);
    }
  };
  return {
    expectValid: (text, format, template, status) => check(text, format, () => false, template, status),
    expectValidSelection: (text, format, template) => check(text, format, isLeftOut, template, '200'),
    close: () => validator.dispose(),
  };
}

/**
 * True if a field is missing in an object of the resource. Leaves out missing fields of the document itself or of its
 * paging.
 */
const isLeftOut = ({ keyword, instancePath }: ErrorObject) =>
  keyword === 'required' && instancePath !== '' && !instancePath.startsWith('/paging');

const SHARED: Readonly<Record<string, string>> = {
  '400': 'BadRequest',
  '403': 'Forbidden',
  '404': 'NotFound',
  '500': 'InternalServerError',
};
