import { APPLICATION_ID, COMPANY_ID, PERMISSION_ID, USER_ID } from './master-data.js';
import { LIST } from './production-times.js';

/** A resource of the specification, with an address that has data after storeSamples. */
export interface ServedResource {
  readonly name: string;
  readonly path: string;
  /** The path of the resource in the OpenAPI document. */
  readonly template: string;
  readonly identifier: string;
  readonly version: number;
  readonly kind: 'list' | 'detail';
  /** Number of objects that a request without parameters returns. */
  readonly objects: number;
  /** A field for $select, and the path of its value in the document. For a list, the path leads to the first item. */
  readonly selected: { readonly name: string; readonly leaf: string };
  /** Path of the description of a field with domain values. undefined if the resource has no such field. */
  readonly description: string | undefined;
}

export const APPLICATION_VERSION_ID = 1_001;
const OF_VERSION = '/product/structure-versions/{productStructureVersionId}';

/** Lists whose first page has another number of objects than the usual ten. */
const OBJECTS: Readonly<Record<string, number>> = { domainValues: 7 };

/** Returns a resource outside the specification. Such a resource is always in its first version. */
function beyond(
  identifier: number,
  [template, path]: readonly [template: string, path: string],
  [name, field, description]: readonly [name: string, field: string, description?: string],
  items?: string,
): ServedResource {
  const kind = items === undefined ? 'detail' : 'list';
  const at = items === undefined ? '' : `/${items}/0`;
  const object = items === undefined ? `/${name}` : at;
  const leaf = `${object}/${field}`;
  return {
    ...{ name: template, path, template, identifier: String(identifier), version: 1, kind },
    objects: kind === 'detail' ? 1 : (OBJECTS[items ?? ''] ?? 10),
    selected: { name: field.replaceAll('/', '.'), leaf },
    description: description === undefined ? undefined : `${object}/${description}`,
  };
}

const ITEMS = '/productStructureVersionAggregatedProductionTimes/0';

/** All resources, in the order of the index of the API. */
export const servedResources: readonly ServedResource[] = [
  {
    name: 'production times',
    path: LIST,
    template: LIST,
    identifier: '6215',
    version: 5,
    kind: 'list',
    objects: 10,
    selected: {
      name: 'ProductStructureVersion.ProductStructure.Product.Name',
      leaf: `${ITEMS}/productStructureVersion/productStructure/product/name`,
    },
    description: `${ITEMS}/productStructureVersion/productStructure/product/statusDescription`,
  },
  beyond(
    9005,
    [
      `${OF_VERSION}/aggregated-production-times`,
      '/product/structure-versions/1/aggregated-production-times',
    ],
    [
      'productStructureVersionAggregatedProductionTime',
      'productStructureVersion/productStructure/product/name',
      'productStructureVersion/statusDescription',
    ],
  ),
  beyond(
    9006,
    [
      `${OF_VERSION}/aggregated-production-times/months`,
      '/product/structure-versions/1/aggregated-production-times/months',
    ],
    ['', 'month'],
    'aggregatedProductionTimeMonths',
  ),
  beyond(
    9018,
    [`${OF_VERSION}/work-order-operations`, '/product/structure-versions/1/work-order-operations'],
    ['', 'completedAt'],
    'workOrderOperations',
  ),
  beyond(
    9022,
    ['/product/work-order-operations/{workOrderOperationId}', '/product/work-order-operations/1'],
    ['workOrderOperation', 'completedAt'],
  ),
  beyond(
    9019,
    [
      `${OF_VERSION}/aggregated-production-times/distribution`,
      '/product/structure-versions/1/aggregated-production-times/distribution',
    ],
    ['aggregatedProductionTimeDistribution', 'percentile50'],
  ),
  beyond(
    9013,
    ['/product/structure-versions/plan-suggestions', '/product/structure-versions/plan-suggestions'],
    ['', 'planSuggestion/kind', 'planSuggestion/kindDescription'],
    'productStructureVersionPlanSuggestions',
  ),
  beyond(
    9003,
    ['/product/structure-versions', '/product/structure-versions'],
    ['', 'revision', 'statusDescription'],
    'productStructureVersions',
  ),
  beyond(
    9004,
    [OF_VERSION, '/product/structure-versions/1'],
    ['productStructureVersion', 'revision', 'statusDescription'],
  ),
  beyond(
    9017,
    ['/product/products/aggregated-production-times', '/product/products/aggregated-production-times'],
    ['', 'product/name', 'product/statusDescription'],
    'productAggregatedProductionTimes',
  ),
  beyond(
    9023,
    [
      '/product/products/aggregated-production-times/months',
      '/product/products/aggregated-production-times/months',
    ],
    ['', 'month'],
    'productionMonths',
  ),
  beyond(9001, ['/product/products', '/product/products'], ['', 'name', 'statusDescription'], 'products'),
  beyond(
    9002,
    ['/product/products/{productId}', '/product/products/1001'],
    ['product', 'description', 'statusDescription'],
  ),
  beyond(
    9007,
    ['/system/applications', '/system/applications'],
    ['', 'name', 'statusDescription'],
    'applications',
  ),
  beyond(
    9008,
    ['/system/applications/{applicationId}', `/system/applications/${APPLICATION_ID}`],
    ['application', 'namespace', 'statusDescription'],
  ),
  beyond(
    9009,
    ['/system/applications/{applicationId}/versions', `/system/applications/${APPLICATION_ID}/versions`],
    ['', 'name', 'scopeDescription'],
    'applicationVersions',
  ),
  {
    name: 'an application version',
    path: `/system/applications/${APPLICATION_ID}/versions/${APPLICATION_VERSION_ID}`,
    template: '/system/applications/{applicationId}/versions/{applicationVersionId}',
    identifier: '2578',
    version: 38,
    kind: 'detail',
    objects: 1,
    selected: { name: 'createdBy.firstName', leaf: '/applicationVersion/createdBy/firstName' },
    description: '/applicationVersion/scopeDescription',
  },
  beyond(9010, ['/system/users/{userId}', `/system/users/${USER_ID}`], ['user', 'firstName']),
  beyond(9011, ['/system/companies/{companyId}', `/system/companies/${COMPANY_ID}`], ['company', 'database']),
  beyond(
    9012,
    ['/system/permissions/{permissionId}', `/system/permissions/${PERMISSION_ID}`],
    ['permission', 'name'],
  ),
  {
    name: 'error messages',
    path: '/system/error-messages',
    template: '/system/error-messages',
    identifier: '132',
    version: 11,
    kind: 'list',
    objects: 10,
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
    objects: 1,
    selected: { name: 'Namespace', leaf: '/errorMessage/namespace' },
    description: '/errorMessage/statusDescription',
  },
  beyond(9020, ['/system/saved-views', '/system/saved-views'], ['', 'name'], 'savedViews'),
  beyond(9015, ['/system/sessions/current', '/system/sessions/current'], ['session', 'database']),
  beyond(9014, ['/metadata', '/metadata?uri=/product/products'], ['metadata', 'uri']),
  beyond(
    9016,
    [
      '/system/domain-values/applicable-values',
      '/system/domain-values/applicable-values?object=Product&field=Status',
    ],
    ['', 'description'],
    'domainValues',
  ),
];

/** Returns an address that ends with `?` or `&`, so that another parameter can be appended. */
export const asking = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}`;

export type Format = 'json' | 'jsonstream' | 'xml' | 'html';

export const formats: readonly Format[] = ['json', 'jsonstream', 'xml', 'html'];

export const contentTypes: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  jsonstream: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
};
