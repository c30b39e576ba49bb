import {
  type DetailResource,
  type ListResource,
  newestOf,
  type Resource,
  resourceFamilies,
} from '@takt/catalogue/resources';

function resourceOf(identifier: number) {
  const family = resourceFamilies.find((candidate) => candidate.identifier === identifier);
  if (family === undefined) throw new Error(`there is no resource ${identifier}`);
  return newestOf(family);
}

export function listOf(identifier: number): ListResource {
  const resource = resourceOf(identifier);
  if (resource.kind !== 'list') throw new Error(`${identifier} is no list`);
  return resource;
}

export function detailOf(identifier: number): DetailResource {
  const resource = resourceOf(identifier);
  if (resource.kind !== 'detail') throw new Error(`${identifier} is no detail`);
  return resource;
}

/**
 * The resources that tests use. Resources of the specification have its numbers as identifiers. Other resources have
 * numbers above 9000.
 */
export const productionTimes = listOf(6215);
export const errorMessages = listOf(132);
export const planSuggestions = listOf(9013);
export const productProductionTimes = listOf(9017);
export const productionHours = listOf(9023);
export const errorMessage = detailOf(133);
export const applicationVersion = detailOf(2578);
export const productionMonths = listOf(9006);
export const workOrderOperations = listOf(9018);
export const timeDistribution = detailOf(9019);
export const products = listOf(9001);
export const product = detailOf(9002);
export const applicationVersions = listOf(9009);
export const domainValues = listOf(9016);

/** Returns the smallest valid identifiers in the path of a resource, as text. */
export function smallestIdentifiers({ pathParameters }: Resource): Readonly<Record<string, string>> {
  return Object.fromEntries(pathParameters.map(({ name, minimum }) => [name, String(minimum)]));
}

/** Returns the required parameters of a resource. There is data for their values. */
export function neededParameters({ parameters = [] }: Resource): Readonly<Record<string, string>> {
  const needed = parameters.filter(({ isRequired }) => isRequired);
  return Object.fromEntries(needed.map(({ name, example }) => [name, example]));
}
