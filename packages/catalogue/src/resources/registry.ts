import { type Duty, holds, type Rights } from '../rights.js';
import { aggregatedProductionTimes } from './definitions/aggregated-production-times.js';
import { applicationVersion } from './definitions/application-version.js';
import { application, applications, applicationVersions } from './definitions/applications.js';
import { applicableDomainValues } from './definitions/domain-values.js';
import { errorMessage, errorMessages } from './definitions/error-messages.js';
import { metadata } from './definitions/metadata.js';
import { company, permission, user } from './definitions/named-by-applications.js';
import { planSuggestions } from './definitions/plan-suggestions.js';
import { productProductionTimes } from './definitions/product-production-times.js';
import {
  productStructureVersion,
  productStructureVersions,
} from './definitions/product-structure-versions.js';
import { productionMonths, productionTimes } from './definitions/production-months.js';
import { product, products } from './definitions/products.js';
import { savedViews } from './definitions/saved-views.js';
import { session } from './definitions/session.js';
import { timeDistribution } from './definitions/time-distribution.js';
import { workOrderOperations } from './definitions/work-order-operations.js';
import {
  type Collection,
  childrenOf,
  type Domain,
  type Field,
  type Group,
  leavesOf,
  type Node,
} from './field.js';
import {
  type Compared,
  type InPeriod,
  type Resource,
  type ResourceFamily,
  type TimeComparison,
  timeFigures,
} from './resource.js';

/**
 * To add a resource, add a definition and a line here. A new version of a resource is a further argument of its family.
 * Paths are matched in this order, so a literal path must precede a path with an identifier in the same place.
 */
const families: readonly ResourceFamily[] = [
  family(aggregatedProductionTimes),
  family(productionTimes),
  family(productionMonths),
  family(workOrderOperations),
  family(timeDistribution),
  family(planSuggestions),
  family(productStructureVersions),
  family(productStructureVersion),
  family(productProductionTimes),
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
  family(savedViews),
  family(session),
  family(metadata),
];

/** All resources, including the one that serves the values of all domains. */
export const resourceFamilies: readonly ResourceFamily[] = [
  ...families,
  family(applicableDomainValues(domainsOf(families))),
];

function family(...versions: readonly [Resource, ...Resource[]]): ResourceFamily {
  return { identifier: versions[0].identifier, path: versions[0].path, versions };
}

/**
 * The family at a path below the base URL. In place of the template's names in braces, the path has identifiers, or any
 * names in braces.
 */
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
 * The version for a client: the oldest live version that is not below the client's pinned version (default: the newest)
 * and not below `minimum`. undefined if `minimum` is above the newest version.
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

function domainsOf(families: readonly ResourceFamily[]): readonly Domain[] {
  const leaves = families.flatMap(({ versions }) => versions.flatMap(({ fields }) => leavesOf(fields)));
  return [...new Set(leaves.flatMap(({ node }) => (node.kind === 'field' ? (node.domain ?? []) : [])))];
}

/** Restricted families by their set of missing duties. There are few such sets, because a family names few duties. */
const restricted = new WeakMap<ResourceFamily, Map<string, ResourceFamily>>();

/**
 * Restricts a family to the reader's duties: removes fields that need a missing duty, groups that become empty, and
 * references to such fields. The remaining fields are the same objects. All later code works with the result only, so
 * it cannot reveal a hidden field and need not check duties. The result is made once for each set of missing duties.
 * Throws if the key of a list would be hidden.
 */
export function restrictFamily(family: ResourceFamily, held: Rights<Duty>): ResourceFamily {
  const missing = dutiesIn(family).filter((duty) => !holds(held, duty));
  if (missing.length === 0) return family;
  const known = restricted.get(family) ?? new Map<string, ResourceFamily>();
  restricted.set(family, known);
  const name = missing.join();
  const made = known.get(name) ?? restrict(family, missing);
  known.set(name, made);
  return made;
}

const duties = new WeakMap<ResourceFamily, readonly Duty[]>();

/** The duties that fields of a family need. Cached, because each request needs them. */
function dutiesIn(family: ResourceFamily): readonly Duty[] {
  const known = duties.get(family);
  if (known !== undefined) return known;
  const nodes = family.versions.flatMap((version) => [
    ...version.fields,
    ...(version.kind === 'list' && version.totals !== undefined ? [version.totals] : []),
  ]);
  const found = [...new Set(nodes.flatMap(dutiesWithin))].sort();
  duties.set(family, found);
  return found;
}

function dutiesWithin(node: Node): readonly Duty[] {
  const own = node.duty === undefined ? [] : [node.duty];
  return [...own, ...childrenOf(node).flatMap(dutiesWithin)];
}

function restrict(family: ResourceFamily, missing: readonly Duty[]): ResourceFamily {
  const [first, ...others] = family.versions;
  return {
    ...family,
    versions: [
      restrictResource(first, missing),
      ...others.map((version) => restrictResource(version, missing)),
    ],
  };
}

function restrictResource(resource: Resource, missing: readonly Duty[]): Resource {
  const fields = shownNodes(resource.fields, missing);
  const inPeriod = shownInPeriod(resource.inPeriod, missing);
  if (resource.kind === 'detail') return { ...resource, fields, ...inPeriod };
  const shown = new Set(fieldsIn(fields));
  if (!shown.has(resource.key)) throw new Error(`the key of ${resource.path} cannot be hidden`);
  return {
    ...resource,
    fields,
    ...inPeriod,
    totals: shownTotals(resource.totals, missing),
    firstOrder: resource.firstOrder && shown.has(resource.firstOrder) ? resource.firstOrder : undefined,
    searched: resource.searched.filter((field) => shown.has(field)),
    // These two search in all searched fields, so they are left out if one of the fields is hidden.
    ...(resource.searched.every((field) => shown.has(field))
      ? {}
      : { searchIndex: undefined, similarNames: undefined }),
    comparisons: resource.comparisons.flatMap((comparison) => shownComparison(comparison, shown)),
  };
}

function shownInPeriod(inPeriod: InPeriod | undefined, missing: readonly Duty[]): Pick<Resource, 'inPeriod'> {
  if (inPeriod === undefined) return {};
  const { fields, totals, compared } = inPeriod;
  return {
    inPeriod: {
      ...inPeriod,
      ...(fields === undefined ? {} : { fields: shownNodes(fields, missing) }),
      ...(totals === undefined ? {} : { totals: shownTotals(totals, missing) }),
      ...(compared === undefined ? {} : { compared: shownCompared(compared, missing) }),
    },
  };
}

function shownCompared(compared: Compared, missing: readonly Duty[]): Compared {
  const { added, totals } = compared;
  return {
    ...compared,
    added: shownNodes(added, missing),
    totals: shownTotals(totals, missing),
  };
}

function shownTotals(totals: Group | undefined, missing: readonly Duty[]): Group | undefined {
  return shownNodes(totals === undefined ? [] : [totals], missing).find((node) => node.kind === 'group');
}

function shownNodes(nodes: readonly Node[], missing: readonly Duty[]): readonly Node[] {
  return nodes.flatMap((node): readonly Node[] => {
    if (node.duty !== undefined && missing.includes(node.duty)) return [];
    if (node.kind === 'field') return [node];
    if (node.kind === 'collection') return [shownItems(node, missing)];
    const children = shownNodes(node.children, missing);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}

function shownItems(collection: Collection, missing: readonly Duty[]): Collection {
  if (!dutiesWithin(collection).some((duty) => missing.includes(duty))) return collection;
  const whole = collection.item();
  const shown: Group = { ...whole, children: shownNodes(whole.children, missing) };
  return { ...collection, item: () => shown };
}

function fieldsIn(nodes: readonly Node[]): readonly Field[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return fieldsIn(node.children);
    return node.kind === 'field' ? [node] : [];
  });
}

function shownComparison(comparison: TimeComparison, shown: ReadonlySet<Field>): readonly TimeComparison[] {
  const figures = timeFigures.map((figure) => {
    const field = comparison[figure];
    return [figure, field !== undefined && shown.has(field) ? field : undefined] as const;
  });
  if (figures.every(([, field]) => field === undefined)) return [];
  return [{ ...comparison, ...Object.fromEntries(figures) }];
}

/** The domains of all resources and versions, each once. */
export function servedDomains(): readonly Domain[] {
  return domainsOf(resourceFamilies);
}
