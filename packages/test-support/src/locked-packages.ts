import { readFileSync } from 'node:fs';

/** A package that the lock file has from a registry. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the package says it. */
  readonly licence: string | undefined;
  /** Checksum that npm compares before it unpacks. */
  readonly integrity: string | undefined;
  readonly hasInstallScript: boolean;
  /** Whether users get it: installed with --omit=dev, or copied by the build. */
  readonly isShipped: boolean;
}

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const LOCK_FILE = new URL('../../../../package-lock.json', import.meta.url);
const FOLDER = 'node_modules/';

/** They ask for their text to be kept, and for nothing that would reach what Takt itself is. */
const KNOWN_LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
]);

/** All packages of the lock file but the workspaces, as often as it has them. */
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
        isShipped: entry.dev !== true,
      };
    });
}

/** The shipped packages whose licence is not stated, or none of those that were looked at. */
export function findUnknownLicences(packages: readonly LockedPackage[]): readonly LockedPackage[] {
  return packages.filter(({ isShipped, licence = '' }) => isShipped && !KNOWN_LICENCES.has(licence));
}
