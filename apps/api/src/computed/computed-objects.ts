import type { ClientPermission, Duty } from '@takt/access';
import { describeError, ServiceError } from '@takt/catalogue/errors';
import {
  aggregatedProductionTimes,
  COMPARE_PATH,
  COMPARED_IDS,
  type ComputedSource,
  EXPANDABLE_FIELDS,
  familyAt,
  newestOf,
  type Resource,
  restrictFamily,
} from '@takt/catalogue/resources';
import { missingRight, type NeededRights, type ReaderRights } from '@takt/catalogue/rights';
import { pathWithoutTokens } from '@takt/http';
import { excerpt } from '@takt/query';
import type { Language } from '@takt/texts';
import { refusalOf } from '../parse/establish-identity.js';
import { BATCH_PATH, batchDescription } from './batch-description.js';
import type { ComputedObject, ComputedRequest } from './computed-row.js';
import {
  type DescribedResource,
  filterFieldsIn,
  responseFieldsIn,
  sortableFieldsIn,
  uriParametersOf,
} from './described-fields.js';

/**
 * The function that computes each object. The compiler checks that there is a function for every name in the
 * definitions. These functions may throw a ServiceError.
 */
export const computedObjects: Readonly<
  Record<ComputedSource['computed'], (request: ComputedRequest) => ComputedObject>
> = {
  metadata: metadataOf,
  session: sessionOf,
};

/**
 * Describes the current session. Fields about customers, suppliers and contacts are empty, because these do not exist
 * in this service.
 */
function sessionOf({ identity }: ComputedRequest): ComputedObject {
  const { pid, companies, company, clientId } = identity;
  const [byDefault = company] = companies;
  return {
    Pid: pid,
    CustomerId: null,
    SupplierId: null,
    ContactId: null,
    Database: byDefault.code,
    RamBaseName: null,
    ApiClientId: clientId === null ? null : String(clientId),
  };
}

/**
 * Describes a resource as the reader may see it. Throws resourceNotFound if there is no such resource, as a request for
 * the resource would.
 */
function metadataOf({
  identity,
  language,
  baseUrl,
  parameters,
  isExpanded,
}: ComputedRequest): ComputedObject {
  const resource = describedAt(parameters, { baseUrl, identity });
  // The description of an object is that of its list: it has the same fields, but no search.
  const list = resource.kind === 'list' ? resource : undefined;
  return {
    Description: resource.description,
    Uri: resource.path,
    MaximumResultRows: list?.maximumPageSize ?? null,
    Admittance: admittanceOf(identity, resource, language),
    UriParameters: uriParametersOf(resource),
    InputFields: [],
    ResponseFields: responseFieldsIn(resource, language, isExpanded(EXPANDABLE_FIELDS)),
    FilterFields: list === undefined ? [] : filterFieldsIn(list, language),
    SortableFields: list === undefined ? [] : sortableFieldsIn(list, language),
    NamedFilters: [],
    MacroDefinitions: [],
  };
}

/** The verbs of a resource. HEAD is GET without a body. */
const VERBS = ['GET', 'HEAD'];

function describedAt(
  parameters: ComputedRequest['parameters'],
  { baseUrl, identity }: Pick<ComputedRequest, 'baseUrl' | 'identity'>,
): DescribedResource {
  const path = pathOf(parameters.get('uri') ?? '', baseUrl);
  const verb = (parameters.get('verb') ?? 'GET').trim().toUpperCase();
  const isKnownVerb = VERBS.includes(verb);
  if (isKnownVerb && path === BATCH_PATH) return batchDescription;
  const isComparison = path === COMPARE_PATH;
  const family = isKnownVerb ? familyAt(isComparison ? aggregatedProductionTimes.path : path) : undefined;
  if (family !== undefined) {
    // Hides the same fields as a request for the resource would. But the reader need not have the right to read the
    // resource itself.
    const resource = newestOf(restrictFamily(family, identity.duties));
    return isComparison ? comparisonOf(resource) : resource;
  }
  throw new ServiceError('resourceNotFound', {
    verb: excerpt(verb),
    path: pathWithoutTokens(path),
  });
}

/** Describes the comparison of structure versions: the rows of their list that `ids` chooses, neither filtered nor paged. */
function comparisonOf(list: Resource): DescribedResource {
  return {
    ...list,
    kind: 'detail',
    path: COMPARE_PATH,
    parameters: [COMPARED_IDS, ...(list.parameters ?? [])],
    description: `The rows of ${list.path} with these identifiers. Beyond the specification.`,
  };
}

/** The path below the base URL, with a leading slash. The argument is a path or an absolute address. */
function pathOf(uri: string, baseUrl: string): string {
  const [address = ''] = uri.trim().split(/[?#]/, 1);
  const path = address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : address;
  return path.replace(/^\/*/, '/');
}

/**
 * The number of each permission. Clients know permissions and rules by these numbers, which never change. Messages and
 * commands use the names.
 */
export const permissionIds: Readonly<Record<ClientPermission, number>> = {
  'production-times': 1,
  'error-messages': 2,
  'application-versions': 3,
  'publish-events': 4,
};

export const accessRuleIds: Readonly<Record<Duty, number>> = {
  'read-production-times': 1,
  'read-planned-times': 2,
  'read-error-messages': 3,
  'read-application-versions': 4,
  'read-persons': 5,
  'operate-queues': 6,
  'operate-all-companies': 7,
  'manage-access': 8,
};

/**
 * The error about missing rights that a request for the resource would get. All values are null if the reader has the
 * necessary rights.
 */
function admittanceOf(held: ReaderRights, resource: NeededRights, language: Language): ComputedObject {
  const missing = missingRight(held, resource);
  if (missing === undefined) {
    return { AccessDenied: null, AccessRuleId: null, MissingPermissionId: null, ErrorMessageId: null };
  }
  const { translatedMessage, errorMessageId } = describeError(refusalOf(missing), language);
  return {
    AccessDenied: translatedMessage,
    AccessRuleId: missing.kind === 'duty' ? accessRuleIds[missing.name] : null,
    MissingPermissionId: missing.kind === 'permission' ? permissionIds[missing.name] : null,
    ErrorMessageId: errorMessageId,
  };
}
