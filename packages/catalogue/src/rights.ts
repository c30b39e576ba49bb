/** Permissions of an API client: a resource, by its name here, or publishing events. */
export const clientPermissions = [
  'production-times',
  'error-messages',
  'application-versions',
  'publish-events',
] as const;
export type ClientPermission = (typeof clientPermissions)[number];

/** Duties of a person, or of a client that acts for itself: read a resource, read some fields of it, or act. */
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

/** The duties of a token without person, client or explicit duties: it reads everything and changes nothing. */
export const readingDuties: readonly Duty[] = duties.filter((duty) => duty.startsWith('read-'));

/** Some rights of a kind, or all, including those that only a newer version knows. */
export type Rights<Name extends string> = 'all' | readonly Name[];

export function holds<Name extends string>(rights: Rights<Name>, right: Name): boolean {
  return rights === 'all' || rights.includes(right);
}

/** The `names` that this version knows, in its order. */
export function knownOf<Name extends string>(
  known: readonly Name[],
  names: readonly string[],
): readonly Name[] {
  return known.filter((name) => names.includes(name));
}
