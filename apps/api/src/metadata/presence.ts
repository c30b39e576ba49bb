import { type Node, size } from '@takt/resources';

/** Whether a node is in every document, whatever the request asked for and whoever asked. */
export type Presence = (node: Node) => boolean;

/** `$select` leaves out what it does not name: of all documents together nothing can be promised. */
export const presenceInResource: Presence = () => false;

/** What a request gets that neither selects nor expands: all that is not expanded. */
export const presenceByDefault: Presence = (node) => node.kind !== 'field' || node.expandedBy === undefined;

/** All but the page keys, which are expanded, and the size, which is counted on request. */
export const presenceInPaging: Presence = (node) => node !== size && presenceByDefault(node);

/** An error and the index are always told in full. */
export const alwaysThere: Presence = () => true;

/** The document, or the part of one, that a schema belongs to. */
export interface Owner {
  /** Begins the names of the schemas of the items of its collections, because two owners may name different items alike. */
  readonly name: string;
  readonly isAlwaysThere: Presence;
}
