import type { Compared, InPeriod, Resource } from './resource.js';

const variants = new WeakMap<InPeriod | Compared, Resource>();

/**
 * Returns the variant of a resource for the period that the request names. If the request names no period, returns the
 * resource itself.
 * @param own the values of the resource's own parameters
 */
export function inRequestedPeriod(resource: Resource, own: ReadonlyMap<string, string>): Resource {
  const { inPeriod } = resource;
  if (inPeriod === undefined) return resource;
  const asksFor = (...names: readonly string[]) => names.some((name) => own.has(name));
  if (inPeriod.compared !== undefined && asksFor('compareFrom', 'compareTo')) {
    const { compared } = inPeriod;
    return variantOf(compared, () => withComparison(resource, inPeriod, compared));
  }
  return asksFor('from', 'to')
    ? variantOf(inPeriod, () => ({ ...resource, ...inPeriod }) as Resource)
    : resource;
}

function variantOf(variant: InPeriod | Compared, make: () => Resource): Resource {
  const known = variants.get(variant);
  if (known !== undefined) return known;
  const made = make();
  variants.set(variant, made);
  return made;
}

function withComparison(
  resource: Resource,
  inPeriod: InPeriod,
  { source, added, totals }: Compared,
): Resource {
  return {
    ...resource,
    source,
    totals,
    fields: [...(inPeriod.fields ?? resource.fields), ...added],
  } as Resource;
}

/** The resource with all fields that it can have in any request. It is for documents that describe the resource. */
export function describedResource(resource: Resource): Resource {
  const compared = resource.inPeriod?.compared;
  if (compared === undefined) return resource;
  return {
    ...resource,
    fields: [...resource.fields, ...compared.added],
    totals: compared.totals,
  } as Resource;
}
