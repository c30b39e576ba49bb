import { aggregatedProductionTimes } from './definitions/aggregated-production-times.js';
import { applicationVersion } from './definitions/application-version.js';
import { errorMessage, errorMessages } from './definitions/error-messages.js';
import type { Resource, ResourceFamily } from './resource.js';

/** Every resource of the service; a new one is a definition and a line here, a new version a second entry. */
export const resourceFamilies: readonly ResourceFamily[] = [
  family(aggregatedProductionTimes),
  family(errorMessages),
  family(errorMessage),
  family(applicationVersion),
];

function family(...versions: readonly [Resource, ...Resource[]]): ResourceFamily {
  return { identifier: versions[0].identifier, path: versions[0].path, versions };
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
