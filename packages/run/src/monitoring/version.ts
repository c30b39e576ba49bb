import { readFileSync } from 'node:fs';

/** The version of Takt. All packages have the same version. */
export const TAKT_VERSION: string = readVersion();

function readVersion(): string {
  const about: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const isKnown = typeof about === 'object' && about !== null && 'version' in about;
  return isKnown ? String(about.version) : 'unknown';
}
