import { readFileSync } from 'node:fs';

/** The version of this Takt. */
export function readVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
