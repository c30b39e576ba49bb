import { aggregatedProductionTimes } from './definitions/aggregated-production-times.js';
import { applicationVersion } from './definitions/application-version.js';
import { application, applications, applicationVersions } from './definitions/applications.js';
import { applicableDomainValues } from './definitions/domain-values.js';
import { errorMessage, errorMessages } from './definitions/error-messages.js';
import { metadata } from './definitions/metadata.js';
import { company, permission, user } from './definitions/named-by-applications.js';
import { planSuggestions } from './definitions/plan-suggestions.js';
import {
  productStructureVersion,
  productStructureVersions,
} from './definitions/product-structure-versions.js';
import { productionMonths, productionTimes } from './definitions/production-months.js';
import { product, products } from './definitions/products.js';
import { session } from './definitions/session.js';
import { type Domain, leavesOf } from './field.js';
import type { Resource, ResourceFamily } from './resource.js';

/**
 * A new resource is a definition and a line here, a new version a second entry. A path is looked for in this order: one that
 * is written out stands before one with an identifier in the same place.
 */
const families: readonly ResourceFamily[] = [
  family(aggregatedProductionTimes),
  family(productionTimes),
  family(productionMonths),
  family(planSuggestions),
  family(productStructureVersions),
  family(productStructureVersion),
  family(products),
  family(product),
  family(applications),
  family(application),
  family(applicationVersions),
  family(applicationVersion),
  family(user),
  family(company),
  family(permission),
  family(errorMessages),
  family(errorMessage),
  family(session),
  family(metadata),
];

/** Every resource of the service: also the values that fields of the others can hold. */
export const resourceFamilies: readonly ResourceFamily[] = [
  ...families,
  family(applicableDomainValues(domainsOf(families))),
];

function family(...versions: readonly [Resource, ...Resource[]]): ResourceFamily {
  return { identifier: versions[0].identifier, path: versions[0].path, versions };
}

/** The family at a path below the base URL, which has identifiers, or any names in braces, where the template has names. */
export function familyAt(path: string): ResourceFamily | undefined {
  const parts = path.split('/');
  return resourceFamilies.find((family) => {
    const wanted = family.path.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, index) => part === parts[index] || (isName(part) && parts[index] !== ''))
    );
  });
}

function isName(part: string): boolean {
  return part.startsWith('{');
}

export function newestOf({ versions }: ResourceFamily): Resource {
  return versions.reduce((newest, version) => (version.version > newest.version ? version : newest));
}

/**
 * The version that a client runs: the oldest live one that is neither below the version the client is pinned to
 * (without a pin: the newest) nor below `minimum`. undefined where `minimum` is above the newest.
 */
export function versionFor(
  family: ResourceFamily,
  { pinned, minimum }: { readonly pinned?: number | undefined; readonly minimum: number | undefined },
): Resource | undefined {
  const wanted = Math.max(pinned ?? newestOf(family).version, minimum ?? 0);
  return [...family.versions]
    .sort((one, other) => one.version - other.version)
    .find(({ version }) => version >= wanted);
}

/** The domains of all versions of these resources, each once. */
export function domainsOf(families: readonly ResourceFamily[]): readonly Domain[] {
  const leaves = families.flatMap(({ versions }) => versions.flatMap(({ fields }) => leavesOf(fields)));
  return [...new Set(leaves.flatMap(({ node }) => (node.kind === 'field' ? (node.domain ?? []) : [])))];
}
