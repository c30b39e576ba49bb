import { ServiceError } from '@takt/error-catalogue';
import { pathWithoutTokens } from '@takt/http';
import { excerpt } from '@takt/query-options';
import { EXPANDABLE_FIELDS, familyAt, newestOf, restrictFamily } from '@takt/resources';
import { BATCH_PATH, toldBatch } from '../batch/told-batch.js';
import { admittanceOf } from './admittance.js';
import type { Asked, Held } from './asked.js';
import {
  filterFieldsIn,
  responseFieldsIn,
  sortableFieldsIn,
  type Told,
  uriParametersOf,
} from './told-fields.js';

/** What a resource is, as who asks may see it. Throws resourceNotFound, as a request for the resource would be answered. */
export function metadataOf({ identity, language, baseUrl, parameters, isExpanded }: Asked): Held {
  const resource = toldOf(parameters, { baseUrl, identity });
  // The fields of an object are those of the list that it is in, but nothing is looked for in it.
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

/** HEAD is GET without its body. */
const VERBS = ['GET', 'HEAD'];

function toldOf(
  parameters: Asked['parameters'],
  { baseUrl, identity }: Pick<Asked, 'baseUrl' | 'identity'>,
): Told {
  const path = pathOf(parameters.get('uri') ?? '', baseUrl);
  const verb = (parameters.get('verb') ?? 'GET').trim().toUpperCase();
  const isKnownVerb = VERBS.includes(verb);
  if (isKnownVerb && path === BATCH_PATH) return toldBatch;
  const family = isKnownVerb ? familyAt(path) : undefined;
  // What is hidden from a request is hidden here too, whether the resource itself may be read or not.
  if (family !== undefined) return newestOf(restrictFamily(family, identity.duties));
  throw new ServiceError('resourceNotFound', {
    verb: excerpt(verb),
    path: pathWithoutTokens(path),
  });
}

/** The path below the base URL, with one slash before it, of a path or a whole address. */
function pathOf(uri: string, baseUrl: string): string {
  const [address = ''] = uri.trim().split(/[?#]/, 1);
  const path = address.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : address;
  return path.replace(/^\/*/, '/');
}
