import { APPLICATION_ID } from './master-data.js';
import { LIST } from './production-times.js';

/** A resource as the specification tells of it, and an address at which it is served. */
export interface ServedResource {
  readonly name: string;
  readonly path: string;
  /** The same in the OpenAPI document. */
  readonly template: string;
  readonly identifier: string;
  readonly version: number;
  readonly kind: 'list' | 'detail';
  /** A field that $select can name, and where it then stands: in the first item of a list. */
  readonly selected: { readonly name: string; readonly leaf: string };
  /** A field with domain values: where its description stands. */
  readonly description: string;
}

export const APPLICATION_VERSION_ID = 1_001;
const ITEMS = '/productStructureVersionAggregatedProductionTimes/0';

export const servedResources: readonly ServedResource[] = [
  {
    name: 'production times',
    path: LIST,
    template: LIST,
    identifier: '6215',
    version: 5,
    kind: 'list',
    selected: {
      name: 'ProductStructureVersion.ProductStructure.Product.Name',
      leaf: `${ITEMS}/productStructureVersion/productStructure/product/name`,
    },
    description: `${ITEMS}/productStructureVersion/productStructure/product/statusDescription`,
  },
  {
    name: 'error messages',
    path: '/system/error-messages',
    template: '/system/error-messages',
    identifier: '132',
    version: 11,
    kind: 'list',
    selected: { name: 'message', leaf: '/errorMessages/0/message' },
    description: '/errorMessages/0/statusDescription',
  },
  {
    name: 'an error message',
    path: '/system/error-messages/101015',
    template: '/system/error-messages/{errorMessageId}',
    identifier: '133',
    version: 1,
    kind: 'detail',
    selected: { name: 'Namespace', leaf: '/errorMessage/namespace' },
    description: '/errorMessage/statusDescription',
  },
  {
    name: 'an application version',
    path: `/system/applications/${APPLICATION_ID}/versions/${APPLICATION_VERSION_ID}`,
    template: '/system/applications/{applicationId}/versions/{applicationVersionId}',
    identifier: '2578',
    version: 38,
    kind: 'detail',
    selected: { name: 'createdBy.firstName', leaf: '/applicationVersion/createdBy/firstName' },
    description: '/applicationVersion/scopeDescription',
  },
];

export type Format = 'json' | 'jsonstream' | 'xml' | 'html';

export const formats: readonly Format[] = ['json', 'jsonstream', 'xml', 'html'];

export const contentTypes: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  jsonstream: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
};
