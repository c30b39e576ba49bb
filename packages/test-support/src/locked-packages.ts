import { readFileSync } from 'node:fs';

/** A package in the lock file that comes from a registry. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** The licence that the package states, as an SPDX expression. */
  readonly licence: string | undefined;
  /** The checksum that npm verifies before it unpacks the package. */
  readonly integrity: string | undefined;
  readonly hasInstallScript: boolean;
  /** True if users get the package, because it is installed with --omit=dev --omit=optional or copied by the build. */
  readonly isShipped: boolean;
}

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  /** True if only development and an optional peer of a dependency need the package. */
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

const LOCK_FILE = new URL('../../../../package-lock.json', import.meta.url);
const FOLDER = 'node_modules/';

/** Licences that were reviewed. They require that their text is kept, and nothing that would affect Takt itself. */
const KNOWN_LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
]);

/**
 * Returns all packages of the lock file except workspaces. A package that occurs several times is returned several
 * times.
 */
export function readLockedPackages(): readonly LockedPackage[] {
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(LOCK_FILE, 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes(FOLDER) && link !== true)
    .map(([path, entry]) => {
      const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
      return {
        name,
        version: entry.version ?? '',
        licence: entry.license,
        integrity: entry.integrity,
        hasInstallScript: entry.hasInstallScript === true,
        isShipped: entry.dev !== true && entry.devOptional !== true,
      };
    });
}

/** Returns the shipped packages whose licence is not stated or not reviewed. */
export function findUnknownLicences(packages: readonly LockedPackage[]): readonly LockedPackage[] {
  return packages.filter(({ isShipped, licence = '' }) => isShipped && !KNOWN_LICENCES.has(licence));
}
