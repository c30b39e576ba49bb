/**
 * Permissions of an API client. A permission either allows the use of the resource after which it is named, or allows
 * publishing events.
 */
export const clientPermissions = [
  'production-times',
  'error-messages',
  'application-versions',
  'publish-events',
] as const;
export type ClientPermission = (typeof clientPermissions)[number];

/**
 * Duties of a person, or of a client that acts for itself. A duty allows reading a resource, reading certain fields, or
 * performing an action.
 */
export const duties = [
  'read-production-times',
  'read-planned-times',
  'read-error-messages',
  'read-application-versions',
  'read-persons',
  'operate-queues',
  'operate-all-companies',
  'manage-access',
] as const;
export type Duty = (typeof duties)[number];

/**
 * The duties of a token that has no person, no client and no explicit duties. Such a token may read everything and
 * change nothing.
 */
export const readingDuties: readonly Duty[] = duties.filter((duty) => duty.startsWith('read-'));

/**
 * The rights of one kind that somebody has: either a list of rights, or `all`, which includes rights that only a newer
 * version knows.
 */
export type Rights<Name extends string> = 'all' | readonly Name[];

export function holds<Name extends string>(rights: Rights<Name>, right: Name): boolean {
  return rights === 'all' || rights.includes(right);
}

/** The names that this version knows, in the order of `known`. Other names are left out. */
export function knownOf<Name extends string>(
  known: readonly Name[],
  names: readonly string[],
): readonly Name[] {
  return known.filter((name) => names.includes(name));
}
