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
import { productionHours } from './definitions/production-hours.js';
import { productionMonths, productionTimes } from './definitions/production-months.js';
import { product, products } from './definitions/products.js';
import { savedViews } from './definitions/saved-views.js';
import { session } from './definitions/session.js';
import { timeDistribution } from './definitions/time-distribution.js';
import { workOrderOperation, workOrderOperations } from './definitions/work-order-operations.js';
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
 * All resources of the API. To add a resource, write a definition and add a line here. To add a new version of a
 * resource, add an argument to the resource's family. A request's path is compared with the paths in this order. So a
 * path with a literal word must precede a path that has an identifier in the same place.
 */
const families: readonly ResourceFamily[] = [
  family(aggregatedProductionTimes),
  family(productionTimes),
  family(productionMonths),
  family(workOrderOperations),
  family(workOrderOperation),
  family(timeDistribution),
  family(planSuggestions),
  family(productStructureVersions),
  family(productStructureVersion),
  family(productProductionTimes),
  family(productionHours),
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

export const resourceFamilies: readonly ResourceFamily[] = [
  ...families,
  family(applicableDomainValues(domainsOf(families))),
];

function family(...versions: readonly [Resource, ...Resource[]]): ResourceFamily {
  return { identifier: versions[0].identifier, path: versions[0].path, versions };
}

/**
 * Finds the family of resources at a path below the base URL. In the places where the template of the path has names in
 * braces, the given path has identifiers, or other names in braces.
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

/** True if the resource at this path has a parameter of its own with this name. Case does not matter. */
export function hasParameter(path: string, name: string): boolean {
  const family = familyAt(path);
  const own = family === undefined ? [] : (newestOf(family).parameters ?? []);
  return own.some((parameter) => parameter.name.toLowerCase() === name.toLowerCase());
}

function isName(part: string): boolean {
  return part.startsWith('{');
}

export function newestOf({ versions }: ResourceFamily): Resource {
  return versions.reduce((newest, version) => (version.version > newest.version ? version : newest));
}

/**
 * Chooses the version of a resource for a client. It is the oldest live version that is below neither the client's
 * pinned version (default: the newest version) nor `minimum`. Returns undefined if `minimum` is above the newest
 * version.
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

/**
 * The restricted families that have been made, by their sets of missing duties. There are few such sets, because the
 * fields of a family require few different duties.
 */
const restricted = new WeakMap<ResourceFamily, Map<string, ResourceFamily>>();

/**
 * Restricts a family to what a reader with these duties may see. It removes the fields that require a missing duty, the
 * groups that become empty, and all references to removed fields. The remaining fields are the same objects as before.
 * All code that follows works only with the result. So that code cannot reveal a hidden field, and need not check
 * duties. The result is made only once for each set of missing duties. Throws if the key of a list would be hidden.
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

/** The duties that the fields of a family require. They are cached, because every request needs them. */
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
    // The search index and the similar names search the texts of all searched fields together. So they are left out if
    // one of these fields is hidden.
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

/** The domains of all versions of all resources. Each domain appears once. */
export function servedDomains(): readonly Domain[] {
  return domainsOf(resourceFamilies);
}
