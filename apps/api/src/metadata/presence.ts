import type { Duty } from '@takt/access';
import { type Node, size } from '@takt/resources';

/** Whether a node is in every document, whatever the request asked for and whoever asked. */
export type Presence = (node: Node) => boolean;

/** `$select` leaves out what it does not name: of all documents together nothing can be promised. */
export const presenceInResource: Presence = () => false;

/** What everybody gets who neither selects nor expands: all that is not expanded and needs no duty besides. */
export const presenceByDefault: Presence = (node) => node.duty === undefined && node.expandedBy === undefined;

/** What a node needs, its own duty and those of the groups around it. */
export function dutiesWith(node: Node, around: readonly Duty[]): readonly Duty[] {
  return node.duty === undefined ? around : [...around, node.duty];
}

/** The description of a node, with who gets it and who asks for it where that is not everybody. */
export function describeNode({ description, expandedBy }: Described, duties: readonly Duty[]): string {
  return (
    description + (expandedBy === undefined ? '' : ` Only with \`$expand=${expandedBy}\`.`) + dutyNote(duties)
  );
}

type Described = Pick<Node, 'description'> & Partial<Pick<Node, 'expandedBy'>>;

/** Ends the description of what not everybody gets; empty for all else. */
function dutyNote(duties: readonly Duty[]): string {
  return duties.length === 0
    ? ''
    : ` Only with the duty ${duties.map((duty) => `\`${duty}\``).join(' and ')}.`;
}

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
