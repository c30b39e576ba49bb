import { type Domain, leavesOf } from './field.js';
import type { ResourceFamily } from './resource.js';

/** The domains of all versions of these resources, each once. */
export function domainsOf(families: readonly ResourceFamily[]): readonly Domain[] {
  const leaves = families.flatMap(({ versions }) => versions.flatMap(({ fields }) => leavesOf(fields)));
  return [...new Set(leaves.flatMap(({ node }) => (node.kind === 'field' ? (node.domain ?? []) : [])))];
}
