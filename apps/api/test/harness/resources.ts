import { type DetailResource, type ListResource, newestOf, resourceFamilies } from '@takt/resources';

function resourceOf(identifier: number) {
  const family = resourceFamilies.find((candidate) => candidate.identifier === identifier);
  if (family === undefined) throw new Error(`there is no resource ${identifier}`);
  return newestOf(family);
}

function listOf(identifier: number): ListResource {
  const resource = resourceOf(identifier);
  if (resource.kind !== 'list') throw new Error(`${identifier} is no list`);
  return resource;
}

function detailOf(identifier: number): DetailResource {
  const resource = resourceOf(identifier);
  if (resource.kind !== 'detail') throw new Error(`${identifier} is no detail`);
  return resource;
}

/** The resources as the registry has them, by the identifiers of the specification. */
export const productionTimes = listOf(6215);
export const errorMessages = listOf(132);
export const errorMessage = detailOf(133);
export const applicationVersion = detailOf(2578);
