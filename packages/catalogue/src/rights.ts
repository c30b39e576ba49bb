/** What an API client may be permitted: a resource, by its name here, or to publish events. */
export const clientPermissions = [
  'production-times',
  'error-messages',
  'application-versions',
  'publish-events',
] as const;
export type ClientPermission = (typeof clientPermissions)[number];

/** What a person, or a client that acts for itself, is trusted with: to read a resource, to read fields of it, to act. */
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

/** What a token has that was made for nobody in particular and was given nothing by name: it reads and changes nothing. */
export const readingDuties: readonly Duty[] = duties.filter((duty) => duty.startsWith('read-'));

/** Some of the rights of a kind, or every one there is, also those that a newer version knows. */
export type Rights<Name extends string> = 'all' | readonly Name[];

export function holds<Name extends string>(rights: Rights<Name>, right: Name): boolean {
  return rights === 'all' || rights.includes(right);
}

/** Those of `names` that this version knows, in its order. */
export function knownOf<Name extends string>(
  known: readonly Name[],
  names: readonly string[],
): readonly Name[] {
  return known.filter((name) => names.includes(name));
}
