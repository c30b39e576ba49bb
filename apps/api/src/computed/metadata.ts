import { ServiceError } from '@takt/error-catalogue';
import { pathWithoutTokens } from '@takt/http';
import { excerpt } from '@takt/query-options';
import {
  EXPANDABLE_FIELDS,
  familyAt,
  newestOf,
  type Resource,
  type ResourceFamily,
  restrictFamily,
} from '@takt/resources';
import { admittanceOf } from './admittance.js';
import type { Asked, Held } from './asked.js';
import { filterFieldsIn, responseFieldsIn, sortableFieldsIn, uriParametersOf } from './told-fields.js';

/** What a resource is, as who asks may see it. Throws resourceNotFound, as a request for the resource would be answered. */
export function metadataOf({ identity, language, baseUrl, parameters, isExpanded }: Asked): Held {
  const family = familyAsked(parameters, baseUrl);
  // What is hidden from a request is hidden here too, whether the resource itself may be read or not.
  const resource: Resource = newestOf(restrictFamily(family, identity.duties));
  return {
    Description: resource.description,
    Uri: resource.path,
    MaximumResultRows: resource.kind === 'list' ? resource.maximumPageSize : null,
    Admittance: admittanceOf(identity, resource, language),
    UriParameters: uriParametersOf(resource),
    InputFields: [],
    ResponseFields: responseFieldsIn(resource, language, isExpanded(EXPANDABLE_FIELDS)),
    FilterFields: filterFieldsIn(resource, language),
    SortableFields: sortableFieldsIn(resource, language),
    NamedFilters: [],
    MacroDefinitions: [],
  };
}

/** HEAD is GET without its body. */
const VERBS = ['GET', 'HEAD'];

function familyAsked(parameters: Asked['parameters'], baseUrl: string): ResourceFamily {
  const path = pathOf(parameters.get('uri') ?? '', baseUrl);
  const verb = (parameters.get('verb') ?? 'GET').trim().toUpperCase();
  const family = VERBS.includes(verb) ? familyAt(path) : undefined;
  if (family !== undefined) return family;
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
