import { isComputed, type ResourceFamily } from '@takt/resources';
import { type Identity, mayRead } from '../access/establish-identity.js';
import type { ReadRequest } from '../service/read-request.js';

/**
 * An answer is made anew after any change in its company, and takes longer then. Who may not see plans is not to learn that
 * one was changed.
 */
const EVERY_TIME = {
  clientPermission: 'production-times',
  duty: 'read-production-times',
  furtherDuty: 'read-planned-times',
} as const;

/** Of one object for each set of fields that is hidden. */
const numbers = new WeakMap<ResourceFamily, number>();
let newest = 0;

/**
 * What an answer is kept under: all that it depends on besides data, which are the path and the parameters, what the Accept
 * header chose, the company, and the fields that who asks may see. undefined: it is not kept. Pages for people tell who
 * asks and when, so does what is computed; a jsonstream is asked for to be had in pieces, a file is read piece by piece; and
 * what came with a token in its address is nobody else's.
 */
export function nameToKeep(
  shown: ResourceFamily,
  { format, language, early, isExport, query, request }: ReadRequest,
  { company: { companyId }, ...held }: Pick<Identity, 'company' | 'permissions' | 'duties'>,
): string | undefined {
  if (!mayRead(held, EVERY_TIME)) return undefined;
  const isKept = (format === 'json' || format === 'xml') && !isExport && query.problem === undefined;
  if (!isKept || early.accessToken !== undefined || shown.versions.some(isComputed)) return undefined;
  // A path ends before its first question mark.
  return `${numberOf(shown)} ${companyId} ${format} ${language} ${request.path}?${request.queryText}`;
}

function numberOf(family: ResourceFamily): number {
  const number = numbers.get(family) ?? ++newest;
  numbers.set(family, number);
  return number;
}
