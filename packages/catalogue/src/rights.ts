/** Permissions of an API client: to use a resource, which a permission is named after, or to publish events. */
export const clientPermissions = [
  'production-times',
  'error-messages',
  'application-versions',
  'publish-events',
] as const;
export type ClientPermission = (typeof clientPermissions)[number];

/** Duties of a person, or of a client that acts for itself: to read a resource, to read certain fields, or to act. */
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
 * The duties of a token that has no person, no client and no explicit duties: it may read everything and change
 * nothing.
 */
export const readingDuties: readonly Duty[] = duties.filter((duty) => duty.startsWith('read-'));

/** Rights of a kind: some of them, or all, including rights that only a newer version knows. */
export type Rights<Name extends string> = 'all' | readonly Name[];

export function holds<Name extends string>(rights: Rights<Name>, right: Name): boolean {
  return rights === 'all' || rights.includes(right);
}

/** Those of `names` that this version knows, in the order of `known`. */
export function knownOf<Name extends string>(
  known: readonly Name[],
  names: readonly string[],
): readonly Name[] {
  return known.filter((name) => names.includes(name));
}
