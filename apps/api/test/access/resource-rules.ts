import type { ClientPermission, Duty } from '@takt/access';
import { resourceFamilies } from '@takt/catalogue/resources';
import type { Database } from '@takt/database';
import { assetRoutes } from '@takt/pages';
import { servedDocuments } from '../../src/docs/served-documents.js';
import {
  insertApplicationVersion,
  insertMonths,
  insertOperations,
  insertSavedViews,
  insertStructureVersions,
} from '../support/insert-rows.js';

export interface ResourceRule {
  /** undefined if every valid token is permitted. */
  readonly permission?: ClientPermission;
  readonly duty?: Duty;
  /** A second duty that the resource needs. */
  readonly furtherDuty?: Duty;
  /** An address that matches the path template and leads to an existing object. */
  readonly target: string;
}

export function dutiesOf({ duty, furtherDuty }: ResourceRule): readonly Duty[] {
  return [duty, furtherDuty].flatMap((one) => one ?? []);
}

/** Returns the name of the token that has exactly the rights of the rule. */
export const noMoreThan = (rule: ResourceRule) =>
  `${rule.permission ?? 'nothing'} with ${dutiesOf(rule).join(' and ') || 'no duty'} alone`;

/**
 * A rule for a route that is open to everybody, with or without a token. The type is the expected content type. “by
 * format” means that the type depends on $format, as for the index.
 */
export type OpenRule = { readonly type: RegExp | 'by format' };

const EVERYBODY: OpenRule = { type: 'by format' };
const open = (type: RegExp): OpenRule => ({ type });
const TEXT = open(/^text\/plain/);
const PAGE = open(/^text\/html/);

/**
 * Routes that take forms, with the possible statuses of a request without a form. These routes need no token. The
 * log-out route ends a session even without a form, so 200 is possible too.
 */
export const FORMS: Readonly<Record<string, readonly number[]>> = {
  '/oauth2': [400],
  '/oauth2/access_token': [400],
  '/oauth2/logout': [200, 400],
  '/system/saved-views': [400, 403],
};

const productionTimes = (target: string): ResourceRule => ({
  permission: 'production-times',
  duty: 'read-production-times',
  target,
});
const applicationVersions = (target: string): ResourceRule => ({
  permission: 'application-versions',
  duty: 'read-application-versions',
  target,
});

/** The rights that each path needs. Add a rule here for each new route. */
export const RULES: Readonly<Record<string, ResourceRule | OpenRule>> = {
  '/product/structure-versions/aggregated-production-times': productionTimes(
    '/product/structure-versions/aggregated-production-times',
  ),
  '/product/structure-versions/{productStructureVersionId}/aggregated-production-times': productionTimes(
    '/product/structure-versions/1/aggregated-production-times',
  ),
  '/product/structure-versions/{productStructureVersionId}/aggregated-production-times/months':
    productionTimes('/product/structure-versions/1/aggregated-production-times/months'),
  '/product/structure-versions/{productStructureVersionId}/aggregated-production-times/distribution':
    productionTimes('/product/structure-versions/1/aggregated-production-times/distribution'),
  '/product/structure-versions/{productStructureVersionId}/work-order-operations': productionTimes(
    '/product/structure-versions/1/work-order-operations',
  ),
  '/product/work-order-operations/{workOrderOperationId}': productionTimes(
    '/product/work-order-operations/1',
  ),
  '/product/structure-versions/plan-suggestions': {
    ...productionTimes('/product/structure-versions/plan-suggestions'),
    furtherDuty: 'read-planned-times',
  },
  '/product/structure-versions/compare': productionTimes('/product/structure-versions/compare?ids=1,2'),
  '/product/structure-versions': productionTimes('/product/structure-versions'),
  '/product/structure-versions/{productStructureVersionId}': productionTimes('/product/structure-versions/1'),
  '/product/products/aggregated-production-times': productionTimes(
    '/product/products/aggregated-production-times',
  ),
  '/product/products/aggregated-production-times/months': productionTimes(
    '/product/products/aggregated-production-times/months',
  ),
  '/product/products': productionTimes('/product/products'),
  '/product/products/{productId}': productionTimes('/product/products/1'),
  '/system/applications': applicationVersions('/system/applications'),
  '/system/applications/{applicationId}': applicationVersions('/system/applications/10001'),
  '/system/applications/{applicationId}/versions': applicationVersions('/system/applications/10001/versions'),
  '/system/applications/{applicationId}/versions/{applicationVersionId}': applicationVersions(
    '/system/applications/10001/versions/101',
  ),
  '/system/users/{userId}': {
    permission: 'application-versions',
    duty: 'read-persons',
    target: '/system/users/7',
  },
  '/system/companies/{companyId}': applicationVersions('/system/companies/3'),
  '/system/permissions/{permissionId}': applicationVersions('/system/permissions/12'),
  '/system/error-messages': {
    permission: 'error-messages',
    duty: 'read-error-messages',
    target: '/system/error-messages',
  },
  '/system/error-messages/{errorMessageId}': {
    permission: 'error-messages',
    duty: 'read-error-messages',
    target: '/system/error-messages/101015',
  },
  '/system/saved-views': productionTimes('/system/saved-views'),
  '/system/sessions/current': { target: '/system/sessions/current' },
  '/metadata': { target: '/metadata?uri=/product/products' },
  '/system/domain-values/applicable-values': {
    target: '/system/domain-values/applicable-values?object=Product&field=Status',
  },
  '/batch': { target: '/batch?resource0=%2Fsystem%2Fsessions%2Fcurrent' },
  '/': EVERYBODY,
  '/openapi.json': open(/^application\/json/),
  '/schema.xsd': open(/^application\/xml/),
  '/docs': PAGE,
  ...Object.fromEntries(assetRoutes.map(({ path }) => [path, open(/^text\/(?:css|javascript)/)])),
  '/docs/resources': PAGE,
  ...Object.fromEntries(resourceFamilies.map(({ identifier }) => [`/docs/resources/${identifier}`, PAGE])),
  ...Object.fromEntries(servedDocuments.map(({ name }) => [`/docs/${name}`, PAGE])),
  '/oauth2': PAGE,
  '/open': PAGE,
  '/.well-known/oauth-authorization-server': open(/^application\/json/),
  '/health/live': TEXT,
  '/health/ready': TEXT,
  '/metrics': TEXT,
};

/** Inserts an object for every target of the rules. Every field that can have a value has one. */
export async function insertTargets(owner: Database['pool']): Promise<void> {
  // The operations are so many that the API can suggest a plan.
  const hours = { run: Array.from({ length: 20 }, () => '1.5'), setup: ['0.5'], cleanup: ['0.25'] };
  const planned = { run: '1.25', setup: '0.75', cleanup: '0.5' };
  await insertStructureVersions(owner, [{ id: 1, productDescription: 'Cast', planned, actual: hours }]);
  await insertMonths(owner, [{ structureVersionId: 1, month: '2026-02', completed: 2 }]);
  await insertOperations(owner, [
    { id: 1, structureVersionId: 1, workOrderId: 1, run: '1.5', setup: '0.5', cleanup: '0.25' },
  ]);
  await insertSavedViews(owner, [{ name: 'Shared view' }]);
  await insertApplicationVersion(owner, {
    ...{ application_id: 10_001, application_version_id: 101, status: 4, scope: 'GLOBAL' },
    ...{ created_by_user_id: 7, created_by_first_name: 'Kari', created_by_name: 'Nordmann' },
    ...{ changed_by_user_id: 8, changed_by_first_name: 'Ola', changed_by_name: 'Nordmann' },
    ...{ restricted_to_company_id: 3, restricted_to_database: 'TEM-NO' },
    ...{ permission_id: 12, permission_name: 'Planning' },
  });
}

/** Returns the address with more parameters appended. */
export function asking(target: string, query: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}
