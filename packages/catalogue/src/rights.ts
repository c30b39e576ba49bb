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

/**
 * The rights that a resource requires. An undefined right is not required; if both are undefined, any valid token is
 * enough.
 */
export interface NeededRights {
  readonly clientPermission: ClientPermission | undefined;
  readonly duty: Duty | undefined;
  readonly furtherDuty?: Duty;
}

export interface ReaderRights {
  readonly permissions: Rights<ClientPermission>;
  readonly duties: Rights<Duty>;
}

/** True if a reader with these rights may read the resource. Pages offer only such resources. */
export function mayRead(held: ReaderRights, needed: NeededRights): boolean {
  return missingRight(held, needed) === undefined;
}

/** A right that the resource requires and the reader does not have. */
export type MissingRight =
  | { readonly kind: 'permission'; readonly name: ClientPermission }
  | { readonly kind: 'duty'; readonly name: Duty };

export function missingRight(held: ReaderRights, needed: NeededRights): MissingRight | undefined {
  const { clientPermission, duty, furtherDuty } = needed;
  if (clientPermission !== undefined && !holds(held.permissions, clientPermission)) {
    return { kind: 'permission', name: clientPermission };
  }
  const missing = [duty, furtherDuty].find((one) => one !== undefined && !holds(held.duties, one));
  return missing === undefined ? undefined : { kind: 'duty', name: missing };
}
